//! Klondike where the stock is to be turned: limited redeals, the strict view, the Las Vegas score.

use patience_games::klondike::best::{Best, BestSettings};
use patience_games::klondike::solver::{Thoughtful, ThoughtfulSearch};
use patience_games::klondike::{
    Deal, KlondikeTable, Move, OverStocks, Position, Rules, Scoring, SolverLeaf, StockAction,
    StockGreedy, StockKlondike, StockSolverLeaf, View,
};
use patience_model::{Game, Hidden, Rng, Text, conformance};
use patience_plan::uct::{Leaf, Rollout, Settings, Uct, Workspace};
use patience_plan::{Budget, Cancel, Planner, Root, Search, Stepped, Verdict};

fn strict(redeals: Option<u32>) -> StockKlondike {
    let rules = Rules::default().with_redeals(redeals).with_view(View::Strict);
    StockKlondike::new(rules, Scoring::Win)
}

#[test]
fn passes_the_suite() {
    for game in [strict(None), strict(Some(1)), StockKlondike::new(Rules::default(), Scoring::Win)]
    {
        let report = conformance::of(&game).hidden().games(12).samples(60).check();
        assert_eq!(report.ended, 12);
    }
    let rules = Rules::draw(1).unwrap().with_pack(2, 3).unwrap().with_view(View::Strict);
    let small = StockKlondike::new(rules, Scoring::Vegas);
    conformance::of(&small).hidden().games(60).samples(2_000).check();
}

/// The cards in brackets: those of the stock that can be got at.
fn in_reach(game: &StockKlondike, state: &<StockKlondike as Game>::State) -> Vec<String> {
    let text = game.state_text(state);
    let stock = text.lines().find(|line| line.starts_with("stock")).unwrap();
    let mut cards: Vec<String> = (stock.split_whitespace())
        .filter_map(|word| Some(word.strip_prefix('[')?.strip_suffix(']')?.to_owned()))
        .collect();
    cards.sort();
    cards
}

/// The cards that come to the top of the waste by turning and turning over, as the obvious engine does
/// it; only the one that is there if a card of the stock is unknown.
fn turned_up(rules: &Rules, position: &Position) -> Vec<String> {
    let unknown =
        rules.view() == View::Strict && position.redeals == 0 && !position.stock.is_empty();
    let mut on = position.clone();
    let mut tops = Vec::new();
    for _ in 0..60 {
        tops.extend(on.waste.last().map(|card| card.to_string()));
        if unknown {
            break;
        }
        let turn = if on.stock.is_empty() { Move::Redeal } else { Move::Turn };
        if rules.play(&mut on, turn).is_err() {
            break;
        }
    }
    tops.sort();
    tops.dedup();
    tops
}

/// Games on the table with many turns: what can be got at is what the obvious engine turns up; every
/// action comes to moves that the rules allow, and to the same state, reward and cards as the moves.
#[test]
fn is_the_game_on_the_table() {
    let mut compared = 0;
    for (draw, redeals, view, scoring) in [
        (3, Some(2), View::Strict, Scoring::Win),
        (3, Some(2), View::Strict, Scoring::Vegas),
        (1, Some(0), View::Strict, Scoring::Win),
        (2, Some(1), View::Plus, Scoring::Win),
        (3, None, View::Strict, Scoring::Win),
        (1, None, View::Plus, Scoring::Vegas),
    ] {
        let rules = Rules::draw(draw).unwrap().with_redeals(redeals).with_view(view);
        let table = KlondikeTable::new(rules, scoring);
        let game = StockKlondike::new(rules, scoring);
        let (mut actions, mut legal) = (Vec::new(), Vec::new());
        for seed in 0..12 {
            let mut rng = Rng::named(seed, &["stock"]);
            let mut position = table.start(&mut rng);
            for _ in 0..60 {
                let state = game.state(&position).unwrap();
                let known = table.lift_stock(&game, &position).unwrap();
                assert_eq!(game.known(&state), known);
                assert_eq!(in_reach(&game, &state), turned_up(&rules, &position));
                game.actions(&known, &mut actions);
                for &action in &actions {
                    let moves = table.lower_stock(&game, &position, action).unwrap();
                    assert!(!moves.is_empty(), "{action:?}");
                    let (mut here, mut there) = (position.clone(), state);
                    let (mut reward, mut told) = (0.0, Vec::new());
                    for m in moves {
                        let turned_before = here.stock.len();
                        let step = table.step(&mut here, m, &mut rng);
                        reward += step.reward;
                        // What is turned on the way to a card was seen before.
                        if action == StockAction::Turn || m != Move::Turn {
                            told.extend(step.obs.into_iter().flatten());
                        }
                        assert!(m != Move::Turn || here.stock.len() < turned_before);
                    }
                    let mut seen = Vec::new();
                    let mut paid = 0.0;
                    loop {
                        let step = game.step(&mut there, action, &mut rng);
                        seen.extend(step.obs.into_iter().flatten());
                        paid += step.reward;
                        if action != StockAction::Turn || seen.len() >= told.len() {
                            break;
                        }
                    }
                    assert_eq!(told, seen, "{action:?}");
                    assert_eq!(reward, paid, "{action:?}");
                    let after = game.state(&here).unwrap();
                    let text = |state| {
                        // Where the waste ends matters only where a redeal costs something.
                        let text = game.state_text(state);
                        if redeals.is_none() { text.replace("| ", "") } else { text }
                    };
                    if redeals.is_none() && !after.has_unknown_stock() {
                        assert_eq!(in_reach(&game, &after), in_reach(&game, &there));
                    } else {
                        assert_eq!(text(&after), text(&there), "{action:?}");
                    }
                    compared += 1;
                }
                table.actions(&position, &mut legal);
                let Some(&any) = legal.first() else { break };
                let useful = |m: &Move| !matches!(m, Move::Turn | Move::Redeal);
                if rng.below(2) > 0 && legal.iter().any(useful) {
                    legal.retain(useful);
                }
                let m = if legal.len() == 1 { any } else { rng.pick(&legal) };
                table.step(&mut position, m, &mut rng);
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn the_stock_is_unknown_until_it_is_turned() {
    let game = strict(None);
    let deal = Deal::seeded(game.rules(), 3);
    let mut state = game.deal(&deal).unwrap();
    let hidden = |state: &_| game.state_text(&game.known(state)).matches('?').count();
    assert_eq!(hidden(&state), 24);
    assert!(game.may_look(&state));
    let step = game.step(&mut state, StockAction::Turn, &mut Rng::new(0));
    assert_eq!(step.obs, [28, 29, 30].map(|i| Some(deal.cards()[i])));
    assert_eq!(hidden(&state), 21);
    for _ in 0..7 {
        game.step(&mut state, StockAction::Turn, &mut Rng::new(0));
    }
    assert_eq!(hidden(&state), 0);
    let mut actions = Vec::new();
    game.actions(&state, &mut actions);
    assert!(!actions.contains(&StockAction::Turn), "{actions:?}");
    // What a planner draws agrees with all that was seen.
    let drawn = game.draw(&game.known(&state), &mut Rng::new(5));
    assert_eq!(game.state_text(&drawn), game.state_text(&state));
}

/// A position and the same with all that is hidden dealt anew.
fn twins(game: &StockKlondike, seed: u64, turns: usize) -> [Position; 2] {
    let mut truth = Position::deal(game.rules(), &Deal::seeded(game.rules(), seed));
    for _ in 0..turns {
        game.rules().play(&mut truth, Move::Turn).unwrap();
    }
    let mut other = truth.clone();
    let mut down: Vec<_> = truth.columns.iter().flat_map(|column| column.down.clone()).collect();
    down.extend(&truth.stock);
    Rng::new(seed).shuffle(&mut down);
    let columns = other.columns.iter_mut().flat_map(|column| &mut column.down);
    for card in columns.chain(&mut other.stock) {
        *card = down.pop().unwrap();
    }
    assert_ne!(truth.stock, other.stock);
    [truth, other]
}

/// What lies face down, in the columns and in a stock that was never turned over, is swapped behind
/// the planner's back: it thinks the same.
#[test]
fn no_decision_depends_on_what_is_hidden() {
    // Every card that goes home pays, so that values tell what was seen.
    let game = StockKlondike::new(*strict(None).rules(), Scoring::Vegas);
    let settings = Settings { iterations: Some(100), ..Settings::default() };
    let uct: Uct<Rollout<_>> = Uct::new(settings, Rollout::default()).unwrap();
    let mut told = 0;
    for (seed, turns) in [(0, 0), (1, 0), (2, 1), (3, 5), (4, 7)] {
        let [truth, other] = twins(&game, seed, turns);
        let think = |position: &Position, peeks: bool| {
            let state = game.state(position).unwrap();
            let state = if peeks { state } else { game.known(&state) };
            let mut search = uct.search(&game, Root::Certain(state), Rng::new(seed));
            search.run(&Budget::iterations(100), &Cancel::new());
            format!("{:?} {:?}", search.best(), search.estimates())
        };
        assert_eq!(think(&truth, false), think(&other, false));
        told += u32::from(think(&truth, true) != think(&other, true));
    }
    assert_eq!(told, 5, "who looked would think otherwise");
}

/// The player for a known stock turns first, whatever is hidden, and then plays as it does.
#[test]
fn best_looks_through_the_stock_first() {
    let game = strict(None);
    let player = |samples| {
        let settings = BestSettings { samples, ..BestSettings::default() };
        OverStocks::new(Box::new(Best::new(settings).unwrap()))
    };
    let mut told = 0;
    for (seed, turns) in [(0, 0), (1, 0), (2, 1), (3, 5), (4, 7)] {
        let mut think = |position: &Position| {
            let root = Root::Certain(game.state(position).unwrap());
            let mut search = player(None).search(&game, root, Rng::new(seed));
            search.run(&Budget::iterations(3_000), &Cancel::new());
            let (best, estimates) = (search.best().unwrap(), search.estimates());
            let turn = estimates.iter().find(|e| e.action == StockAction::Turn).unwrap();
            // Turning is worth as much as the best that can be done when all was seen, and so is what is
            // done first.
            let most = turn.value.unwrap();
            assert!(estimates.iter().all(|e| e.value.unwrap_or(0.0) <= most), "{estimates:?}");
            let first = estimates.iter().find(|e| e.action == best).unwrap();
            assert_eq!(first.value, Some(most), "{estimates:?}");
            assert!(search.reason().is_some());
            told += u32::from(best == StockAction::Turn);
            // Every stock has a tree of its own: they have the first level in common.
            let tree = search.tree(3);
            assert!(tree.iter().flat_map(|b| &b.after).all(|after| after.branches.is_empty()));
            for branch in &tree {
                let told = estimates.iter().find(|e| e.action == branch.action).unwrap();
                assert!(told.visits > 0, "{branch:?}");
            }
            format!("{best:?} {estimates:?} {tree:?}")
        };
        let [truth, other] = twins(&game, seed, turns);
        assert_eq!(think(&truth), think(&other));
    }
    assert!(told >= 6, "{told} of 10");
    // A whole game: eight turns, and from there the game with a known stock.
    let mut state = game.deal(&Deal::seeded(game.rules(), 5)).unwrap();
    let mut rng = Rng::new(1);
    let root = Root::Certain(game.known(&state));
    let mut search = player(Some(50)).search(&game, root, Rng::new(2));
    let (mut turns, mut deep) = (0, false);
    loop {
        search.run(&Budget::UNLIMITED, &Cancel::new());
        let Some(action) = search.best() else { break };
        let after = search.tree(2).into_iter().flat_map(|branch| branch.after);
        deep |= turns == 8 && after.into_iter().any(|after| !after.branches.is_empty());
        turns += u32::from(action == StockAction::Turn);
        let step = game.step(&mut state, action, &mut rng);
        assert!(search.advance(action, step.obs, Root::Certain(game.known(&state))));
    }
    assert_eq!(turns, 8);
    assert!(deep, "with the stock known the tree is that of the search");
}

#[test]
fn vegas_pays_five_for_a_card_and_costs_the_pack() {
    let rules = Rules::draw(1).unwrap().with_redeals(Some(0));
    let game = StockKlondike::new(rules, Scoring::Vegas);
    let mut rng = Rng::named(2, &["vegas"]);
    let mut least: f64 = 0.0;
    for seed in 0..30 {
        let mut state = game.deal(&Deal::seeded(&rules, seed)).unwrap();
        let mut sum = 0.0;
        while let Some(action) = game.greedy_action(&state) {
            sum += game.step(&mut state, action, &mut rng).reward;
        }
        let text = game.state_text(&state);
        let rank = |word: &str| match &word[2..] {
            "A" => 1,
            "T" => 10,
            "J" => 11,
            "Q" => 12,
            "K" => 13,
            number => number.parse().unwrap(),
        };
        let home = text.lines().next().unwrap().split_whitespace().skip(1).map(rank).sum::<i32>();
        assert_eq!(sum, f64::from(5 * home - 52), "deal {seed}: {text}");
        least = least.min(sum);
    }
    assert!((-52.0..0.0).contains(&least), "{least}");
}

/// A deal that can be won with all cards known is worth more to the leaf than one that cannot; and it
/// is none for rules that the solver does not know.
#[test]
fn the_solver_values_games() {
    let solver = || SolverLeaf::new(10_000, 0.5).unwrap();
    for other in [strict(Some(3)), StockKlondike::new(Rules::default(), Scoring::Vegas)] {
        assert!(StockSolverLeaf::new(&other, solver()).is_none());
    }
    let rules = Rules::default().with_pack(7, 5).unwrap();
    let game = StockKlondike::new(rules, Scoring::Win);
    let leaf = StockSolverLeaf::new(&game, solver()).unwrap();
    let table = KlondikeTable::new(rules, Scoring::Win);
    // With one card face down all is known: late positions of random play.
    let (mut verdicts, mut legal) = ([0; 2], Vec::new());
    for seed in 1..=400 {
        let mut rng = Rng::named(seed, &["late"]);
        let mut state = game.deal(&Deal::seeded(game.rules(), seed)).unwrap();
        let mut start = table.deal(&format!("seed:{seed}")).unwrap();
        while start.face_down() > 1 {
            // The state knows where play has been, so that it does not go in circles.
            game.actions(&state, &mut legal);
            if legal.is_empty() {
                break;
            }
            let action = rng.pick(&legal);
            for m in table.lower_stock(&game, &start, action).unwrap() {
                table.step(&mut start, m, &mut rng);
            }
            game.step(&mut state, action, &mut rng);
        }
        if start.face_down() > 1 || game.is_won(&state) {
            continue;
        }
        let mut truth = ThoughtfulSearch::new(&table, start, Thoughtful::default()).unwrap();
        truth.run(&Budget::UNLIMITED, &Cancel::new());
        let won = truth.finding().verdict == Verdict::Solved;
        let mut workspace = Workspace::new(Rng::new(1));
        let value = leaf.evaluate(&game, game.known(&state), &mut workspace);
        assert!(value == 0.5 || value == f64::from(u8::from(won)), "{seed}: {value} {won}");
        verdicts[usize::from(won)] += u32::from(value != 0.5);
    }
    assert!(verdicts.iter().all(|&n| n > 0), "{verdicts:?}");
}

/// Greedy play wins some of the games that random play would lose.
#[test]
fn greedy_play_wins_games() {
    let game = strict(None);
    let mut workspace = Workspace::new(Rng::new(1));
    let rollout = Rollout { policy: StockGreedy, limit: 10_000 };
    let play = |seed| {
        let state = game.deal(&Deal::seeded(game.rules(), seed)).unwrap();
        rollout.evaluate(&game, state, &mut workspace)
    };
    let won: f64 = (1..=200).map(play).sum();
    assert!((8.0..60.0).contains(&won), "{won} of 200");
}
