//! What UCT promises: convergence, widths, ensembles, merging, reuse, memory.

use std::collections::HashSet;

use patience_games::pgame::MoveValues;
use patience_games::{ConnectFour, PGame, Sailing, TicTacToe, Tiger};
use patience_model::{Game, Hidden, Rng, Step};
use patience_plan::uct::{
    Backup, ByKey, Recommend, Rollout, Selection, Separate, Settings, Uct, Uniform,
    bytes_per_node_and_edge,
};
use patience_plan::{Budget, Cancel, Guess, Planner, Root, Search, StopReason};

type Plain = Uct<Rollout<Uniform>>;

fn plain(settings: Settings) -> Plain {
    Uct::new(settings, Rollout::default()).unwrap()
}

fn run<G: Game>(search: &mut dyn Search<G>, iterations: u64) {
    search.run(&Budget::iterations(iterations), &Cancel::new());
}

#[test]
fn uct_finds_the_minimax_move_of_p_games() {
    let game = PGame::new(2, 12, MoveValues::Uniform).unwrap();
    let selection = Selection::DepthDecayed { c: 1.0, horizon: 12 };
    for seed in 0..30 {
        let tree = game.start(&mut Rng::new(seed));
        let values = game.minimax_values(&tree);
        let best = values.iter().map(|v| v.1).fold(0.0, f64::max);
        let uct = plain(Settings { selection, ..Settings::default() });
        let mut search = uct.search(&game, Root::Certain(tree), Rng::new(seed));
        run(&mut *search, 20_000);
        let chosen = values.iter().find(|v| Some(v.0) == search.best()).unwrap();
        assert_eq!(chosen.1, best, "tree {seed}");
    }
}

#[test]
fn minimax_update_becomes_exact_once_all_leaves_are_known() {
    let game = PGame::new(3, 4, MoveValues::Uniform).unwrap();
    for seed in 0..10 {
        let tree = game.start(&mut Rng::new(seed));
        let planner = plain(Settings::minimax_monte_carlo());
        let mut search = planner.search(&game, Root::Certain(tree), Rng::new(seed));
        run(&mut *search, 5_000);
        for ((action, exact), estimate) in game.minimax_values(&tree).iter().zip(search.estimates())
        {
            assert_eq!(estimate.action, *action);
            assert_eq!(estimate.value, Some(*exact), "tree {seed}");
        }
    }
}

/// One action pays 1 with probability 0.3, the other 0.25 for sure.
struct Coin;

impl Game for Coin {
    type State = Option<bool>;
    type Action = bool;
    type Obs = bool;
    fn start(&self, _: &mut Rng) -> Option<bool> {
        None
    }
    fn actions(&self, state: &Option<bool>, out: &mut Vec<bool>) {
        out.clear();
        if state.is_none() {
            out.extend([false, true]);
        }
    }
    fn step(&self, state: &mut Option<bool>, action: bool, rng: &mut Rng) -> Step<bool> {
        let lucky = action && rng.chance(0.3);
        *state = Some(lucky);
        Step { reward: if action { f64::from(u8::from(lucky)) } else { 0.25 }, obs: lucky }
    }
}

#[test]
fn max_backup_weighs_outcomes_by_their_frequency() {
    for backup in [Backup::Max, Backup::Cautious { range: 1.0 }] {
        let planner = plain(Settings { backup, ..Settings::default() });
        let mut search = planner.search(&Coin, Root::Certain(None), Rng::new(1));
        run(&mut *search, 20_000);
        let values: Vec<f64> = search.estimates().iter().map(|e| e.value.unwrap()).collect();
        assert_eq!(values[0], 0.25);
        assert!((values[1] - 0.3).abs() < 0.02, "{values:?}");
        assert_eq!(search.best(), Some(true));
    }
}

/// Keep a half, or go where each of many lots wins with probability 0.3 and the last one always.
struct Lots;

impl Game for Lots {
    type State = u8;
    type Action = u16;
    type Obs = bool;
    fn start(&self, _: &mut Rng) -> u8 {
        0
    }
    fn actions(&self, state: &u8, out: &mut Vec<u16>) {
        out.clear();
        match state {
            0 => out.extend([0, 1]),
            1 => out.extend(0..200),
            _ => {}
        }
    }
    fn step(&self, state: &mut u8, action: u16, rng: &mut Rng) -> Step<bool> {
        let (next, reward) = match (*state, action) {
            (0, 0) => (2, 0.5),
            (0, _) => (1, 0.0),
            (_, 199) => (2, 1.0),
            _ => (2, f64::from(u8::from(rng.chance(0.3)))),
        };
        *state = next;
        Step { reward, obs: reward == 1.0 }
    }
}

#[test]
fn the_luckiest_of_many_is_not_believed() {
    let value = |backup, episodes| {
        let planner = plain(Settings { backup, ..Settings::default() });
        let mut search = planner.search(&Lots, Root::Certain(0), Rng::new(1));
        run(&mut *search, episodes);
        search.estimates()[1].value.unwrap()
    };
    // Max believes in the first lot that wins, the mean never in the best. With a few tries each
    // luck counts for little, with hundreds the best is known.
    let cautious = Backup::Cautious { range: 1.0 };
    assert_eq!(value(Backup::Max, 200), 1.0);
    assert!(value(cautious, 200) < 0.5 && value(cautious, 2_000) < 0.6);
    assert!(value(cautious, 200_000) > 0.9);
    assert!(value(Backup::Mean, 10_000) < 0.8);
}

#[test]
fn a_limited_width_samples_so_many_outcomes_and_no_more() {
    // With width 1 a tree sees one outcome of the coin, always the same: 0 or 1, never between.
    let mut seen = HashSet::new();
    for seed in 0..60 {
        let planner = plain(Settings { width: Some(1), ..Settings::default() });
        let mut search = planner.search(&Coin, Root::Certain(None), Rng::new(seed));
        run(&mut *search, 100);
        let value = search.estimates()[1].value.unwrap();
        assert!(value == 0.0 || value == 1.0, "{value}");
        seen.insert(value as u8);
    }
    assert_eq!(seen.len(), 2, "different trees see different outcomes");
    // With width w the value is a share of w outcomes: near k/w for a whole k.
    for seed in 0..20 {
        let planner = plain(Settings { width: Some(4), ..Settings::default() });
        let mut search = planner.search(&Coin, Root::Certain(None), Rng::new(seed));
        run(&mut *search, 40_000);
        let quarters = search.estimates()[1].value.unwrap() * 4.0;
        assert!((quarters - quarters.round()).abs() < 0.2, "{quarters}");
    }
}

#[test]
fn an_ensemble_averages_its_trees() {
    let settings =
        Settings { width: Some(1), trees: 4000, iterations: Some(10), ..Settings::default() };
    let planner = plain(settings);
    let mut search = planner.search(&Coin, Root::Certain(None), Rng::new(1));
    let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    assert_eq!(stats.counts.iterations, 40_000);
    let lucky = search.estimates()[1];
    // HOP-UCT of a single chance: the mean of independent futures, within four standard errors.
    assert!((lucky.value.unwrap() - 0.3).abs() < 0.03, "{lucky:?}");
    let error = lucky.error.unwrap();
    assert!((error.value - (0.3f64 * 0.7 / 4000.0).sqrt()).abs() < 0.001, "{lucky:?}");
    assert_eq!(error.freedom, 3999);
}

#[test]
fn the_error_of_a_mean_is_its_standard_error() {
    let planner = plain(Settings::monte_carlo());
    let mut search = planner.search(&Coin, Root::Certain(None), Rng::new(1));
    run(&mut *search, 20_000);
    let lucky = search.estimates()[1];
    let expected = (0.3f64 * 0.7 / lucky.visits as f64).sqrt();
    let error = lucky.error.unwrap();
    assert!((error.value / expected - 1.0).abs() < 0.05, "{lucky:?}");
    assert_eq!(error.freedom, lucky.visits - 1);
    // The episodes of a tree that learns are not independent: their mean has no honest error.
    let mut learning = plain(Settings::default()).search(&Coin, Root::Certain(None), Rng::new(1));
    run(&mut *learning, 1_000);
    assert!(learning.estimates().iter().all(|estimate| estimate.error.is_none()));
}

#[test]
fn merged_nodes_are_the_states_of_each_depth() {
    let planner: Uct<_, ByKey> = Uct::new(Settings::default(), Rollout::default()).unwrap();
    let start = TicTacToe.start(&mut Rng::new(0));
    let mut search = planner.search(&TicTacToe, Root::Certain(start), Rng::new(1));
    run(&mut *search, 300_000);
    // 5478 states are reachable, and in tic-tac-toe the state tells the depth.
    let nodes = search.counts().nodes;
    assert!((2_000..=5_478).contains(&nodes), "{nodes}");
    let value = search.estimates().iter().map(|e| e.value.unwrap()).fold(f64::MIN, f64::max);
    assert!(value.abs() < 0.12, "tic-tac-toe is a draw: {value}");
}

#[test]
fn merging_and_max_backup_do_not_go_together() {
    for backup in [Backup::Max, Backup::Cautious { range: 1.0 }] {
        let settings = Settings { backup, ..Settings::default() };
        assert!(Uct::<_, ByKey>::new(settings, Rollout::default()).is_err());
        let tuned = Settings { selection: Selection::Tuned { c: 1.0 }, ..settings };
        assert!(Uct::<_, Separate>::new(tuned, Rollout::default()).is_err());
        assert!(Uct::<_, Separate>::new(settings, Rollout::default()).is_ok());
    }
}

#[test]
fn a_restarted_search_is_a_new_one() {
    let game = Sailing::new(4).unwrap();
    for settings in [
        Settings { stop_episodes: true, ..Settings::default() },
        Settings { trees: 3, iterations: Some(200), width: Some(2), ..Settings::default() },
        Settings::minimax_monte_carlo(),
    ] {
        let planner = plain(settings);
        let root = || Root::Certain(game.start(&mut Rng::new(5)));
        let mut fresh = planner.search(&game, root(), Rng::new(2));
        let mut used = planner.search(&game, root(), Rng::new(1));
        run(&mut *used, 400);
        assert!(used.restart(root(), Rng::new(2)));
        run(&mut *fresh, 500);
        run(&mut *used, 500);
        assert_eq!(fresh.estimates(), used.estimates());
        assert_eq!(fresh.counts().model_calls, used.counts().model_calls);
        assert_eq!(fresh.counts().nodes, used.counts().nodes);
    }
}

/// Plays the best move and compares the search moved on with the estimates it had before.
fn reuse<G: Game>(game: &G, planner: &dyn Planner<G>) {
    let mut state = game.start(&mut Rng::new(3));
    let mut search = planner.search(game, Root::Certain(state.clone()), Rng::new(4));
    run(&mut *search, 5_000);
    let best = search.best().unwrap();
    let before = search.estimates().into_iter().find(|e| e.action == best).unwrap();
    let step = game.step(&mut state, best, &mut Rng::new(5));
    assert!(search.advance(best, step.obs, Root::Certain(state.clone())));
    assert_eq!(search.counts().iterations, 0, "a new decision has its own budget");
    let after = search.estimates();
    let mut legal = Vec::new();
    game.actions(&state, &mut legal);
    assert_eq!(after.iter().map(|e| e.action).collect::<Vec<_>>(), legal);
    let kept: u64 = after.iter().map(|e| e.visits).sum();
    // All episodes through the move but the first, which only valued the new leaf; fewer where
    // chance led elsewhere.
    assert!(kept < before.visits && kept > before.visits / 20, "{kept} of {}", before.visits);
    run(&mut *search, 1_000);
    let grown: u64 = search.estimates().iter().map(|e| e.visits).sum();
    assert_eq!(grown, kept + 1_000);
}

#[test]
fn a_move_keeps_what_was_learnt_below_it() {
    reuse(&ConnectFour, &plain(Settings::default()));
    reuse(&Sailing::new(5).unwrap(), &plain(Settings::default()));
    let tuned = Settings { selection: Selection::Tuned { c: 1.0 }, ..Settings::default() };
    reuse(&ConnectFour, &plain(tuned));
    for backup in [Backup::Max, Backup::Cautious { range: 1.0 }] {
        reuse(&ConnectFour, &plain(Settings { backup, ..Settings::default() }));
    }
    let merged: Uct<_, ByKey> = Uct::new(Settings::default(), Rollout::default()).unwrap();
    reuse(&TicTacToe, &merged);
}

#[test]
fn what_cannot_be_kept_is_not() {
    let start = ConnectFour.start(&mut Rng::new(0));
    for settings in [
        Settings { width: Some(3), ..Settings::default() },
        Settings { trees: 2, iterations: Some(100), ..Settings::default() },
        Settings {
            selection: Selection::DepthDecayed { c: 1.0, horizon: 42 },
            ..Settings::default()
        },
    ] {
        let planner = plain(settings);
        let mut search = planner.search(&ConnectFour, Root::Certain(start), Rng::new(1));
        run(&mut *search, 150);
        let best = search.best().unwrap();
        let mut next = start;
        ConnectFour.step(&mut next, best, &mut Rng::new(0));
        assert!(!search.advance(best, (), Root::Certain(next)));
    }
}

#[test]
fn the_tiger_is_listened_for_and_the_belief_decides() {
    let game = Tiger::new(10, 0.95).unwrap();
    let selection = Selection::Ucb1 { c: 110.0 };
    let planner = plain(Settings { selection, ..Settings::default() });
    for seed in 0..5 {
        let state = game.start(&mut Rng::new(seed));
        let known = game.known(&state);
        let exact = game.optimal_values(&known);
        let root = Root::Belief(Box::new(Guess(known)));
        let mut search = planner.search(&game, root, Rng::new(seed));
        run(&mut *search, 100_000);
        let best = exact.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert_eq!(search.best(), Some(best.0), "not knowing, one listens");
        let found = search.estimates().into_iter().find(|e| e.action == best.0).unwrap();
        // UCT's mean includes exploration, so it lies below the optimum, but not far.
        let value = found.value.unwrap();
        assert!(value < best.1 + 0.5 && value > best.1 - 8.0, "{value} {}", best.1);
    }
}

#[test]
fn visits_and_values_are_both_recommended_from() {
    let planner = plain(Settings { recommend: Recommend::Visits, ..Settings::default() });
    let mut search = planner.search(&Coin, Root::Certain(None), Rng::new(1));
    run(&mut *search, 1_001);
    let estimates = search.estimates();
    let most = estimates.iter().max_by_key(|e| e.visits).unwrap();
    assert_eq!(search.best(), Some(most.action));
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    let planner = plain(Settings::default());
    let mut search = planner.search(&Coin, Root::Certain(Some(true)), Rng::new(1));
    let stats = search.run(&Budget::iterations(10), &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    assert_eq!(search.best(), None);
}

#[test]
fn nodes_and_edges_are_small() {
    assert_eq!(bytes_per_node_and_edge::<TicTacToe>(), (16, 24));
    assert_eq!(bytes_per_node_and_edge::<ConnectFour>(), (16, 24));
    assert_eq!(bytes_per_node_and_edge::<Sailing>(), (16, 24));
}

#[test]
fn memory_is_counted_and_limited() {
    let planner = plain(Settings::default());
    let start = ConnectFour.start(&mut Rng::new(0));
    let mut search = planner.search(&ConnectFour, Root::Certain(start), Rng::new(1));
    let budget = Budget::UNLIMITED.with_memory(20_000_000);
    let stats = search.run(&budget, &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Memory));
    assert!(stats.counts.bytes < 20_001_000, "{:?}", stats.counts);
    // What an earlier search has reserved does not count.
    let first = stats.counts;
    assert!(search.restart(Root::Certain(start), Rng::new(1)));
    assert_eq!(search.run(&budget, &Cancel::new()).counts, first);
}

/// A walk that never ends.
struct Endless;

impl Game for Endless {
    type State = ();
    type Action = ();
    type Obs = ();
    fn start(&self, _: &mut Rng) {}
    fn actions(&self, _: &(), out: &mut Vec<()>) {
        out.clear();
        out.push(());
    }
    fn step(&self, _: &mut (), _: (), _: &mut Rng) -> Step<()> {
        Step { reward: 1.0, obs: () }
    }
}

#[test]
fn an_episode_ends_even_if_the_game_does_not() {
    for settings in [Settings::default(), Settings::minimax_monte_carlo()] {
        let planner = plain(settings);
        let mut search = planner.search(&Endless, Root::Certain(()), Rng::new(1));
        run(&mut *search, 2);
        assert_eq!(search.counts().iterations, 2);
    }
}

#[test]
fn the_tree_can_be_looked_at() {
    // Sailing has several outcomes of an action: each is a way on.
    let lake = Sailing::new(5).unwrap();
    let start = lake.start(&mut Rng::new(1));
    let settings = Settings { selection: Selection::Ucb1 { c: 10.0 }, ..Settings::default() };
    let uct = plain(settings);
    let mut search = uct.search(&lake, Root::Certain(start), Rng::new(2));
    run(&mut *search, 3000);
    let branches = search.tree(2);
    let visits: u64 = branches.iter().map(|branch| branch.visits).sum();
    assert_eq!(visits, 3000);
    let estimates = search.estimates();
    let mut several = 0;
    for branch in &branches {
        let estimate = estimates.iter().find(|e| e.action == branch.action).unwrap();
        assert_eq!((estimate.value, estimate.visits), (Some(branch.value), branch.visits));
        several += usize::from(branch.after.len() > 1);
        for after in &branch.after {
            // An episode that comes here a second time takes an action.
            let below: u64 = after.branches.iter().map(|branch| branch.visits).sum();
            assert!(below < after.visits && after.visits <= branch.visits);
            assert!(
                after
                    .branches
                    .iter()
                    .all(|branch| branch.after.iter().all(|a| a.branches.is_empty()))
            );
        }
        assert!(branch.after.is_sorted_by_key(|after| std::cmp::Reverse(after.visits)));
    }
    assert!(several > 0 && branches.is_sorted_by_key(|branch| std::cmp::Reverse(branch.visits)));
    assert!(search.tree(0).is_empty());
}
