//! Value iteration against values found by hand, by recursion, and by the lake's own solver.

use crate::tiny;

use patience_games::sailing::{Optimal, Sailing};
use patience_model::{Game, Keyed, Outcomes, Rng};
use patience_plan::{
    Budget, Cancel, Root, Search, Status, Stepped, StopReason, ValueIteration, ValueIterationSearch,
};
use tiny::Table;

fn complete<G: Outcomes + Keyed>(game: &G, epsilon: f64) -> ValueIterationSearch<'_, G> {
    let start = game.start(&mut Rng::new(1));
    let planner = ValueIteration::new(epsilon).unwrap();
    let mut search = planner.start(game, Root::Certain(start), Rng::new(0));
    let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    assert!(search.residual() < epsilon);
    search
}

#[test]
fn equals_the_values_found_by_hand() {
    let game = Table::gamble();
    let search = complete(&game, 1e-12);
    assert_eq!([0, 1, 2, 3].map(|s| search.value(&s).unwrap()), [2.0, 6.0, 6.0, 0.0]);
    assert_eq!(search.value(&4), None);
    assert_eq!(search.values().count(), 4);
    let values: Vec<f64> = search.estimates().iter().map(|e| e.value.unwrap()).collect();
    assert_eq!(values, [1.0, 2.0, 1.0]);
    assert_eq!(search.best(), Some(1));

    let game = Table::tenure();
    let search = complete(&game, 1e-12);
    assert!((search.value(&0).unwrap() - 1.0 / 0.19).abs() < 1e-10);
    assert_eq!(search.best(), Some(0));
}

#[test]
fn the_error_is_within_the_stated_bound() {
    let game = Table::new(0.9, vec![vec![vec![(1.0, 1.0, 0)]]]);
    for epsilon in [1.0, 0.1, 0.001] {
        let value = complete(&game, epsilon).value(&0).unwrap();
        let error = 10.0 - value;
        assert!(error > 0.0 && error <= epsilon * 0.9 / 0.1 + 1e-12, "{epsilon}: {error}");
    }
}

#[test]
fn two_players_are_minimax() {
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let game = Table::random(&mut rng, 6, 0.5);
        let search = complete(&game, 1e-12);
        assert_eq!(search.value(&0), Some(game.solve(0)));
        if let Some(best) = search.best() {
            assert_eq!(game.solve_action(0, best), game.solve(0));
        }
    }
}

#[test]
fn equals_the_solver_of_the_lake() {
    for size in [2, 3, 6] {
        let lake = Sailing::new(size).unwrap();
        let optimal = Optimal::solve(&lake);
        let search = complete(&lake, 1e-11);
        let mut states = 0;
        for (&key, value) in search.values() {
            let exact = optimal.value(&lake.state(key).unwrap());
            assert!((value - exact).abs() < 1e-8, "{size}, {key}: {value} against {exact}");
            states += 1;
        }
        assert!(states > lake.states() / 2, "{states} states reached");
        let start = lake.start(&mut Rng::new(1));
        for estimate in search.estimates() {
            let exact = optimal.action_value(&start, estimate.action);
            assert!((estimate.value.unwrap() - exact).abs() < 1e-8);
        }
    }
}

#[test]
fn listing_the_states_keeps_to_the_budget() {
    let lake = Sailing::new(200).unwrap();
    let start = lake.start(&mut Rng::new(1));
    let planner = ValueIteration::new(1e-6).unwrap();
    let mut search = planner.start(&lake, Root::Certain(start), Rng::new(0));
    assert!(search.best().is_some(), "there is a move before the first sweep");
    let budget = Budget::UNLIMITED.with_memory(1 << 20);
    let stats = search.run(&budget, &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Memory));
    assert!(stats.counts.bytes < 3 << 20, "{stats:?}");
    let cancel = Cancel::new();
    cancel.cancel();
    let stats = search.run(&Budget::UNLIMITED, &cancel);
    assert_eq!(stats.stop, Some(StopReason::Cancelled));
}

#[test]
fn a_finished_game_is_complete_at_once() {
    let game = Table::new(1.0, vec![vec![]]);
    let planner = ValueIteration::new(0.1).unwrap();
    let mut search = planner.start(&game, Root::Certain(0), Rng::new(0));
    assert_eq!((search.step(), search.best()), (Status::Complete, None));
    assert_eq!(search.value(&0), Some(0.0));
    assert!(ValueIteration::new(0.0).is_err() && ValueIteration::new(f64::NAN).is_err());
}
