//! Nested rollouts as a solver.

use patience_games::klondike::{Deal, Ending, Klondike, NestedRollout, Rules, State};
use patience_model::{Game, Rng};
use patience_plan::{Budget, Cancel, Planner, Root, Search, StopReason, Verdict};

fn dealt(game: &Klondike, seed: u64) -> State {
    game.deal(&Deal::seeded(game.rules(), seed)).unwrap()
}

fn solve(search: &mut dyn Search<Klondike>) -> (bool, u64) {
    let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    (search.finding().verdict == Verdict::Solved, stats.counts.nodes)
}

/// Pinned: deals won of those of seeds 1 to 60, and the successors valued.
#[test]
fn what_it_takes_stays_what_it_is() {
    let game = Klondike::new(Rules::default()).unwrap();
    let of = |planner: NestedRollout| {
        let (mut won, mut nodes) = (0, 0);
        for seed in 1..=60 {
            let state = dealt(&game, seed);
            // Every other one is drawn anew.
            let state = if seed % 2 == 0 { game.open(&state) } else { state };
            let root = Root::Certain(state);
            let (wins, took) = solve(&mut *planner.search(&game, root, Rng::new(seed)));
            (won, nodes) = (won + u32::from(wins), nodes + took);
        }
        (won, nodes)
    };
    assert_eq!(of(NestedRollout::new(0).unwrap()), (4, 6_522));
    assert_eq!(of(NestedRollout::new(1).unwrap()), (36, 239_724));
    assert_eq!(of(NestedRollout::two_stages(0, 1).unwrap()), (32, 183_335));
    assert_eq!(of(NestedRollout::two_stages(1, 0).unwrap()), (35, 261_187));
}

/// A solution is a game: its moves are legal, and the last one wins.
#[test]
fn a_win_is_a_win() {
    for ending in [Ending::Greedy, Ending::Home] {
        let game = Klondike::new(Rules::default()).unwrap().with_ending(ending);
        let planner = NestedRollout::new(1).unwrap();
        let (mut won, mut actions) = (0, Vec::new());
        for seed in 1..=40 {
            let mut state = dealt(&game, seed);
            let mut search = planner.search(&game, Root::Certain(state), Rng::new(0));
            let (wins, _) = solve(&mut *search);
            let found = search.finding();
            assert_eq!(found.moves.is_empty(), !wins);
            assert_eq!(found.value, wins.then_some(found.moves.len() as f64));
            assert!(search.best().is_some());
            for action in found.moves {
                game.actions(&state, &mut actions);
                assert!(actions.contains(&action), "seed {seed}: {action:?} of {actions:?}");
                game.step(&mut state, action, &mut Rng::new(0));
            }
            assert_eq!(game.is_won(&state), wins, "seed {seed}");
            won += u32::from(wins);
        }
        assert!((5..35).contains(&won), "{won} of 40");
    }
}

#[test]
fn an_interrupted_search_goes_on_as_if_it_had_not_been() {
    let game = Klondike::new(Rules::default()).unwrap();
    let planner = NestedRollout::two_stages(1, 0).unwrap();
    let begin =
        |seed| planner.search(&game, Root::Certain(game.open(&dealt(&game, seed))), Rng::new(seed));
    let mut again = begin(1);
    for seed in 1..=20 {
        let (mut whole, mut search) = (begin(seed), begin(seed));
        solve(&mut *whole);
        for most in (1..).map(|n| 5 * n) {
            let stats = search.run(&Budget::iterations(most), &Cancel::new());
            if stats.stop == Some(StopReason::Complete) {
                break;
            }
            assert_eq!(stats.counts.iterations, most);
        }
        let root = Root::Certain(game.open(&dealt(&game, seed)));
        assert!(again.restart(root, Rng::new(seed)));
        solve(&mut *again);
        for other in [&search, &again] {
            assert_eq!(other.finding(), whole.finding(), "seed {seed}");
            assert_eq!(other.counts(), whole.counts(), "seed {seed}");
            assert_eq!(other.best(), whole.best(), "seed {seed}");
        }
    }
}
