//! Sparse sampling against exact values.

use crate::tiny;

use patience_model::Rng;
use patience_plan::{Budget, Cancel, Evaluation, Planner, Root, Search, SparseSampling, Zero};
use tiny::Table;

fn complete<'g, E: Evaluation<Table> + Clone + 'static>(
    game: &'g Table,
    depth: u32,
    width: u32,
    evaluation: E,
    seed: u64,
) -> Box<dyn Search<Table> + 'g> {
    let planner = SparseSampling::new(depth, width, evaluation).unwrap();
    let mut search = planner.search(game, Root::Certain(0), Rng::new(seed));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    search
}

#[test]
fn deterministic_problems_are_solved_exactly_at_any_width() {
    let mut rng = Rng::new(2);
    for seed in 0..100 {
        let game = Table::random(&mut rng, 5, 0.5);
        for width in [1, 2] {
            let search = complete(&game, 5, width, Zero, seed);
            for estimate in search.estimates() {
                assert_eq!(estimate.value, Some(game.solve_action(0, estimate.action)));
                assert_eq!(estimate.visits, u64::from(width));
            }
            assert_eq!(search.best().is_none(), game.states[0].is_empty());
            if let Some(best) = search.best() {
                assert_eq!(game.solve_action(0, best), game.solve(0));
            }
        }
    }
}

#[test]
fn chance_is_averaged() {
    let game = Table::gamble();
    let search = complete(&game, 3, 400, Zero, 1);
    let values: Vec<f64> = search.estimates().iter().map(|e| e.value.unwrap()).collect();
    // The standard error of 400 draws of 0 or 6 is 0.15.
    assert!(values[0] == 1.0 && values[2] == 1.0 && (values[1] - 2.0).abs() < 0.6, "{values:?}");
    assert_eq!(search.best(), Some(1));
}

#[test]
fn every_action_is_sampled_width_times_at_every_state() {
    // Two actions that lead back: (2 · 3) + (2 · 3)² + (2 · 3)³ model calls.
    let loops = vec![vec![(1.0, 1.0, 0)], vec![(1.0, 0.0, 0)]];
    let game = Table::new(0.5, vec![loops]);
    let search = complete(&game, 3, 3, Zero, 1);
    assert_eq!(search.counts().model_calls, 6 + 36 + 216);
    assert_eq!(search.estimates()[0].value, Some(1.0 + 0.5 + 0.25));
    // With the state's true value at the horizon the look-ahead is exact.
    let search = complete(&game, 3, 3, |_: &Table, _: &usize| 2.0, 1);
    assert_eq!(search.estimates()[0].value, Some(2.0));
    assert_eq!(search.estimates()[1].value, Some(1.0));
}

#[test]
fn the_actions_take_turns_at_the_root() {
    let game = Table::gamble();
    let planner = SparseSampling::new(3, 50, Zero).unwrap();
    let mut search = planner.search(&game, Root::Certain(0), Rng::new(1));
    assert!(search.best().is_some());
    for _ in 0..1000 {
        search.step();
        let visits: Vec<u64> = search.estimates().iter().map(|e| e.visits).collect();
        assert!(visits[0] - visits[2] <= 1, "{visits:?}");
    }
}

#[test]
fn wrong_parameters_are_refused() {
    assert!(SparseSampling::new(0, 1, Zero).is_err());
    let error = SparseSampling::new(1, 0, Zero).unwrap_err();
    assert_eq!(error.to_string(), "width is 0, expected a whole number above 0");
}
