//! Klondike for planners: against the obvious engine, through the suite, and without leaks.

use std::collections::{BTreeSet, HashSet, VecDeque};

use patience_games::klondike::{
    Action, Card, Column, Deal, Kind, Klondike, KlondikeError, Move, Place, Position, Rules,
    TakingBack, UniformPlay, View,
};
use patience_model::{Game, Hidden, Rng, conformance};
use patience_plan::uct::{Rollout, Selection, Settings, Uct};
use patience_plan::{Budget, Cancel, Guess, Planner, Root};

fn klondike(draw: u32) -> Klondike {
    Klondike::new(Rules::draw(draw).unwrap()).unwrap()
}

#[test]
fn passes_the_suite() {
    for draw in [1, 3] {
        let report = conformance::of(&klondike(draw)).hidden().games(40).samples(200).check();
        assert_eq!(report.ended, 40);
    }
    // Small packs are met again and again, so that frequencies can be compared.
    let small = Klondike::new(Rules::default().with_pack(2, 3).unwrap()).unwrap();
    conformance::of(&small).hidden().games(100).samples(4_000).check();
}

/// Whether a move is one that the action space leaves out: turns, and runs moved without turning
/// up a card or emptying a column for good.
fn absorbed(rules: &Rules, position: &Position, m: Move) -> bool {
    match m {
        Move::Turn | Move::Redeal => true,
        Move::ColumnToColumn { from, count, .. } => {
            let column: &Column = &position.columns[usize::from(from)];
            let whole = column.up.len() == usize::from(count);
            let king = column.up[0].rank() == rules.ranks() && column.down.is_empty();
            !whole || king
        }
        _ => false,
    }
}

fn as_action(position: &Position, m: Move) -> Action {
    let top = |c: u8| *position.columns[usize::from(c)].up.last().unwrap();
    let (kind, card) = match m {
        Move::WasteToFoundation => (Kind::StockToFoundation, *position.waste.last().unwrap()),
        Move::WasteToColumn(_) => (Kind::StockToColumn, *position.waste.last().unwrap()),
        Move::ColumnToFoundation(c) => (Kind::ColumnToFoundation, top(c)),
        Move::ColumnToColumn { from, .. } => {
            (Kind::ColumnToColumn, position.columns[usize::from(from)].up[0])
        }
        Move::FoundationToColumn { suit, .. } => {
            let rank = position.foundations[suit as usize];
            (Kind::FoundationToColumn, Card::new(rank, suit).unwrap())
        }
        Move::Turn | Move::Redeal => unreachable!("absorbed"),
    };
    Action { kind, card }
}

/// All that can be done after moves that the action space leaves out, with a position to do it in.
fn within_reach(rules: &Rules, start: &Position) -> Vec<(Action, Position, Move)> {
    let (mut seen, mut open) = (HashSet::new(), VecDeque::from([start.clone()]));
    let mut found: Vec<(Action, Position, Move)> = Vec::new();
    while let Some(mut position) = open.pop_front() {
        position.redeals = 0;
        if !seen.insert(position.clone()) {
            continue;
        }
        for m in rules.moves(&position) {
            if absorbed(rules, &position, m) {
                let mut next = position.clone();
                rules.play(&mut next, m).unwrap();
                open.push_back(next);
            } else {
                let action = as_action(&position, m);
                if !found.iter().any(|(a, _, _)| *a == action) {
                    found.push((action, position.clone(), m));
                }
            }
        }
    }
    found
}

/// Whether a card could be laid at once on one that comes back by this move.
fn of_use(rules: &Rules, (action, from, m): &(Action, Position, Move)) -> bool {
    let mut after = from.clone();
    rules.play(&mut after, *m).unwrap();
    let lays = |a: &Action| {
        matches!(a.kind, Kind::StockToColumn | Kind::ColumnToColumn) && a.card.fits_on(action.card)
    };
    within_reach(rules, &after).iter().any(|(a, _, _)| lays(a))
}

/// Plays at random in both engines and compares what can be done and what is turned up.
fn side_by_side(rules: Rules, seed: u64, most: usize) -> usize {
    // Cards come back otherwise from one game to the next.
    let taking_back = if seed.is_multiple_of(2) { TakingBack::Useful } else { TakingBack::Any };
    let game = Klondike::new(rules).unwrap().with_taking_back(taking_back);
    let mut rng = Rng::named(seed, &["side by side"]);
    let deal = Deal::shuffled(&rules, &mut rng);
    let mut position = Position::deal(&rules, &deal);
    let mut state = game.deal(&deal).unwrap();
    // The foundations since the last move that cannot be undone.
    let mut visited = vec![position.foundations];
    let (mut actions, mut moves) = (Vec::new(), 0);
    while moves < most && !game.is_won(&state) {
        game.actions(&state, &mut actions);
        let obvious = within_reach(&rules, &position);
        let lowest = *position.foundations.iter().min().unwrap();
        let is_start = |action: &Action, from: &Position| {
            let covered = from.columns.iter().any(|c| {
                let ground =
                    c.down.is_empty() && c.up.first().is_some_and(|x| x.rank() == rules.ranks());
                c.up.first() == Some(&action.card) && !ground
            });
            action.kind == Kind::ColumnToFoundation && covered
        };
        let offered = |it: &&(Action, Position, Move)| {
            let (action, from, _) = it;
            let mut after = position.foundations;
            let count = &mut after[action.card.suit() as usize];
            match action.kind {
                Kind::ColumnToFoundation if !is_start(action, from) => *count += 1,
                Kind::FoundationToColumn if action.card.rank() <= lowest + 2 => return false,
                Kind::FoundationToColumn
                    if taking_back == TakingBack::Useful && !of_use(&rules, it) =>
                {
                    return false;
                }
                Kind::FoundationToColumn => *count -= 1,
                _ => return true,
            }
            !visited.contains(&after)
        };
        let text = |a: &Action| format!("{a:?}");
        let expected: BTreeSet<String> =
            obvious.iter().filter(offered).map(|(a, _, _)| text(a)).collect();
        let ours: BTreeSet<String> = actions.iter().map(text).collect();
        assert_eq!(ours.len(), actions.len(), "an action is offered twice: {actions:?}");
        assert_eq!(ours, expected, "in {position:?}");
        if actions.is_empty() {
            break;
        }
        assert_eq!(game.greedy_action(&state), Some(actions[0]));
        let action = rng.pick(&actions);
        let (_, from, m) = obvious.iter().find(|(a, _, _)| *a == action).unwrap();
        let undoable = match action.kind {
            Kind::FoundationToColumn => true,
            Kind::ColumnToFoundation => !is_start(&action, from),
            _ => false,
        };
        let down = |p: &Position| -> Vec<Card> {
            p.columns.iter().flat_map(|c| c.down.iter().flatten().copied()).collect()
        };
        let before = down(from);
        position = from.clone();
        rules.play(&mut position, *m).unwrap();
        let after = down(&position);
        let turned = before.into_iter().find(|card| !after.contains(card));
        let step = game.step(&mut state, action, &mut rng);
        assert_eq!(step.obs, turned, "after {action:?}");
        if !undoable {
            visited.clear();
        }
        visited.push(position.foundations);
        moves += 1;
    }
    moves
}

#[test]
fn small_packs_side_by_side_with_the_obvious_engine() {
    let mut moves = 0;
    for seed in 0..40 {
        for (ranks, columns, draw) in [(4, 4, 1), (5, 5, 2), (6, 6, 3), (5, 4, 3)] {
            let rules = Rules::draw(draw).unwrap().with_pack(ranks, columns).unwrap();
            moves += side_by_side(rules, seed, 14);
        }
    }
    assert!(moves > 1_000, "{moves}");
}

#[test]
fn the_whole_pack_side_by_side_with_the_obvious_engine() {
    let moves: usize = (0..6).map(|seed| side_by_side(Rules::default(), seed, 40)).sum();
    assert!(moves > 60, "{moves}");
}

/// Deals that differ only in what lies face down.
fn twins(seed: u64) -> (Position, Position) {
    let rules = Rules::default();
    let truth = Position::deal(&rules, &Deal::seeded(&rules, seed));
    let mut other = truth.clone();
    let mut down: Vec<_> = truth.columns.iter().flat_map(|c| c.down.clone()).collect();
    Rng::new(seed).shuffle(&mut down);
    for column in &mut other.columns {
        for card in &mut column.down {
            *card = down.pop().unwrap();
        }
    }
    (truth, other)
}

/// The hidden cards are swapped behind the planner's back: it decides the same.
#[test]
fn no_decision_depends_on_what_is_hidden() {
    let game = klondike(3);
    let settings = Settings {
        iterations: Some(60),
        trees: 3,
        selection: Selection::Ucb1 { c: 1.0 },
        ..Settings::default()
    };
    for width in [None, Some(1), Some(3)] {
        let leaf = Rollout { policy: UniformPlay, limit: 1_000 };
        let uct: Uct<_> = Uct::new(Settings { width, ..settings }, leaf).unwrap();
        for seed in 0..10 {
            let (truth, other) = twins(seed);
            assert_ne!(truth, other);
            let states = [game.state(&truth).unwrap(), game.state(&other).unwrap()];
            assert_ne!(states[0], states[1]);
            let think = |root: Root<Klondike>| {
                let mut search = uct.search(&game, root, Rng::new(seed));
                search.run(&Budget::iterations(180), &Cancel::new());
                (search.best(), format!("{:?}", search.estimates()))
            };
            let [truth, other] = states;
            let opened = |state| think(Root::Certain(game.open(state)));
            assert_eq!(opened(&truth), opened(&other));
            let guess = |state| think(Root::Belief(Box::new(Guess(game.known(state)))));
            assert_eq!(guess(&truth), guess(&other));
        }
    }
}

/// Cards drawn as they turn up come as often as cards dealt beforehand.
#[test]
fn drawing_late_and_dealing_first_are_alike() {
    let game = klondike(3);
    let start = game.deal(&Deal::seeded(game.rules(), 8)).unwrap();
    let open = game.open(&start);
    let mut rng = Rng::named(1, &["late"]);
    let games = 40_000;
    let mut won = [0.0; 2];
    for _ in 0..games {
        won[0] += f64::from(u8::from(game.random_playout(open, &mut rng).0));
        let dealt = game.draw(&game.known(&start), &mut rng);
        won[1] += f64::from(u8::from(game.random_playout(dealt, &mut rng).0));
    }
    let bound = 5.0 * (won[0] + won[1] + 1.0_f64).sqrt();
    assert!((won[0] - won[1]).abs() < bound, "{won:?}");
    assert!(won[0] > 50.0, "{won:?}: too few wins to compare");
}

/// Random and greedy play, within four standard errors of a million games each (7.15% and 12.83%;
/// the experiment `klondike-baselines`).
#[test]
fn baselines_are_in_range() {
    let game = klondike(3);
    let mut rng = Rng::named(1, &["baselines"]);
    let games = 20_000;
    let (mut random, mut greedy) = (0, 0);
    for _ in 0..games {
        let start = game.start(&mut rng);
        random += u32::from(game.random_playout(start, &mut rng).0);
        let mut state = start;
        while let Some(action) = game.greedy_action(&state) {
            game.step(&mut state, action, &mut rng);
        }
        greedy += u32::from(game.is_won(&state));
    }
    let share = |won: u32| 100.0 * f64::from(won) / f64::from(games);
    assert!((6.4..7.9).contains(&share(random)), "random {}", share(random));
    assert!((11.9..13.8).contains(&share(greedy)), "greedy {}", share(greedy));
}

/// Random play without listing takes every action that is listed, each as often.
#[test]
fn random_actions_are_the_legal_ones_each_alike() {
    let game = klondike(3);
    let mut rng = Rng::named(1, &["uniform"]);
    let mut actions = Vec::new();
    for seed in 0..30 {
        let mut state = game.deal(&Deal::seeded(game.rules(), seed)).unwrap();
        for _ in 0..12 {
            game.actions(&state, &mut actions);
            if actions.is_empty() {
                assert_eq!(game.random_action(&state, &mut rng), None);
                break;
            }
            let mut counts = vec![0u32; actions.len()];
            let draws = 200 * actions.len() as u32;
            for _ in 0..draws {
                let drawn = game.random_action(&state, &mut rng).unwrap();
                counts[actions.iter().position(|a| *a == drawn).unwrap()] += 1;
            }
            assert!(counts.iter().all(|&n| (110..300).contains(&n)), "{counts:?} of {actions:?}");
            game.step(&mut state, rng.pick(&actions), &mut rng);
        }
    }
}

/// A position as a player sees it gives the state that a planner gets of the true one.
#[test]
fn what_is_seen_is_what_is_known() {
    let game = klondike(3);
    let rules = game.rules();
    for seed in 0..200 {
        let truth = Position::deal(rules, &Deal::seeded(rules, seed));
        let seen = game.state(&truth.seen(View::Plus)).unwrap();
        assert_eq!(seen, game.open(&game.state(&truth).unwrap()), "deal {seed}");
    }
    let blind = Position::deal(rules, &Deal::seeded(rules, 1)).seen(View::Strict);
    assert_eq!(game.state(&blind), Err(KlondikeError::UnknownStock(Place::Stock(1))));
}
