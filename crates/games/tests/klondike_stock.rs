//! Klondike move by move: limited redeals, the strict view, the Las Vegas score.

use patience_games::klondike::solver::{Thoughtful, ThoughtfulSearch};
use patience_games::klondike::{
    Deal, KlondikeTable, Move, Position, Rules, Scoring, SolverLeaf, StockGreedy, StockKlondike,
    StockSolverLeaf, View,
};
use patience_model::{Game, Hidden, Rng, conformance};
use patience_plan::uct::{Leaf, Rollout, Settings, Uct, Workspace};
use patience_plan::{Budget, Cancel, Guess, Planner, Root, Search, Stepped, Verdict};

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

/// The game offers what the obvious engine allows, but for moves that lead nowhere and positions
/// that were there.
#[test]
fn offers_the_legal_moves() {
    let game = strict(Some(2));
    let rules = *game.rules();
    let mut rng = Rng::named(1, &["table"]);
    let mut actions = Vec::new();
    let mut turned_over = 0;
    for seed in 0..40 {
        let mut state = game.deal(&Deal::seeded(&rules, seed)).unwrap();
        loop {
            game.actions(&state, &mut actions);
            let legal = rules.moves(state.position());
            assert!(actions.iter().all(|m| legal.contains(m)), "{actions:?} {legal:?}");
            if actions.is_empty() {
                break;
            }
            // To a foundation is never left out but for a position that was there.
            turned_over += u32::from(actions.contains(&Move::Redeal));
            let action = rng.pick(&actions);
            game.step(&mut state, action, &mut rng);
            assert!(state.position().redeals <= 2);
        }
    }
    assert!(turned_over > 0);
}

#[test]
fn the_stock_is_unknown_until_it_is_turned_over() {
    let game = strict(None);
    let deal = Deal::seeded(game.rules(), 3);
    let mut state = game.deal(&deal).unwrap();
    let hidden = |state: &_| -> usize {
        let known = game.known(state);
        known.position().stock.iter().filter(|card| card.is_none()).count()
    };
    assert_eq!(hidden(&state), 24);
    let step = game.step(&mut state, Move::Turn, &mut Rng::new(0));
    assert_eq!(step.obs, [28, 29, 30].map(|i| Some(deal.cards()[i])));
    assert_eq!(hidden(&state), 21);
    for _ in 0..7 {
        game.step(&mut state, Move::Turn, &mut Rng::new(0));
    }
    // To have looked through the stock is to know more: it is no way back.
    let mut actions = Vec::new();
    game.actions(&state, &mut actions);
    assert!(actions.contains(&Move::Redeal), "{actions:?}");
    game.step(&mut state, Move::Redeal, &mut Rng::new(0));
    assert_eq!(hidden(&state), 0);
    // A second time it is.
    for _ in 0..8 {
        game.step(&mut state, Move::Turn, &mut Rng::new(0));
    }
    game.actions(&state, &mut actions);
    assert!(!actions.contains(&Move::Redeal), "{actions:?}");
    // What a planner draws agrees with all that was seen.
    let drawn = game.draw(&game.known(&state), &mut Rng::new(5));
    assert_eq!(drawn.position().stock, state.position().stock);
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
        let mut truth = Position::deal(game.rules(), &Deal::seeded(game.rules(), seed));
        for _ in 0..turns {
            game.rules().play(&mut truth, Move::Turn).unwrap();
        }
        let mut other = truth.clone();
        let mut down: Vec<_> =
            truth.columns.iter().flat_map(|column| column.down.clone()).collect();
        down.extend(&truth.stock);
        Rng::new(seed).shuffle(&mut down);
        let columns = other.columns.iter_mut().flat_map(|column| &mut column.down);
        for card in columns.chain(&mut other.stock) {
            *card = down.pop().unwrap();
        }
        assert_ne!(truth.stock, other.stock);
        let think = |position: &Position, peeks: bool| {
            let state = game.state(position).unwrap();
            let root = match peeks {
                true => Root::Certain(state),
                false => Root::Belief(Box::new(Guess(game.known(&state)))),
            };
            let mut search = uct.search(&game, root, Rng::new(seed));
            search.run(&Budget::iterations(100), &Cancel::new());
            format!("{:?} {:?}", search.best(), search.estimates())
        };
        assert_eq!(think(&truth, false), think(&other, false));
        told += u32::from(think(&truth, true) != think(&other, true));
    }
    assert_eq!(told, 5, "who looked would think otherwise");
}

#[test]
fn vegas_pays_five_for_a_card_and_costs_the_pack() {
    let rules = Rules::draw(1).unwrap().with_redeals(Some(0));
    let game = StockKlondike::new(rules, Scoring::Vegas);
    let mut rng = Rng::named(2, &["vegas"]);
    let mut actions = Vec::new();
    for seed in 0..30 {
        let mut state = game.deal(&Deal::seeded(&rules, seed)).unwrap();
        let mut sum = 0.0;
        loop {
            game.actions(&state, &mut actions);
            let Some(&first) = actions.first() else { break };
            let home = actions
                .iter()
                .find(|m| matches!(m, Move::ColumnToFoundation(_) | Move::WasteToFoundation));
            sum += game.step(&mut state, *home.unwrap_or(&first), &mut rng).reward;
        }
        let end: &Position = state.position();
        assert_eq!(sum, f64::from(end.vegas(&rules)), "deal {seed}");
        assert_eq!(end.redeals, 0);
    }
}

/// A deal that can be won with all cards known is worth more to the leaf than one that cannot; and it
/// is none for rules that the solver does not know.
#[test]
fn the_solver_values_games() {
    let solver = || SolverLeaf::new(10_000, 0.5).unwrap();
    for other in [strict(Some(3)), StockKlondike::new(Rules::default(), Scoring::Vegas)] {
        assert!(StockSolverLeaf::new(&other, solver()).is_none());
    }
    let game = strict(None);
    let leaf = StockSolverLeaf::new(&game, solver()).unwrap();
    let table = KlondikeTable::new(Rules::default(), Scoring::Win);
    let mut verdicts = [0; 2];
    for seed in 1..=20 {
        let deal = Deal::seeded(game.rules(), seed);
        let state = game.deal(&deal).unwrap();
        let start = state.position().clone();
        let mut truth = ThoughtfulSearch::new(&table, start, Thoughtful::default()).unwrap();
        truth.run(&Budget::UNLIMITED, &Cancel::new());
        let truth = truth.finding().verdict;
        let mut workspace = Workspace::new(Rng::new(1));
        let value = leaf.evaluate(&game, state, &mut workspace);
        let won = truth == Verdict::Solved;
        assert!(value == 0.5 || value == f64::from(u8::from(won)), "{seed}: {value} {truth:?}");
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
    let won: f64 = (1..=100).map(play).sum();
    assert!((3.0..40.0).contains(&won), "{won} of 100");
}
