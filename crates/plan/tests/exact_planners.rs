//! Policy iteration and LRTDP against value iteration, recursion and the lake's own solver.

use patience_games::sailing::{Optimal, Sailing};
use patience_model::{Game, Keyed, Outcomes, Rng};
use patience_plan::{
    Budget, Cancel, Lrtdp, Planner, PolicyIteration, Root, Search, StopReason, ValueIteration, Zero,
};

use crate::tiny::Table;

fn complete<'g, G: Outcomes + Keyed>(
    game: &'g G,
    planner: &dyn Planner<G>,
) -> Box<dyn Search<G> + 'g> {
    let start = game.start(&mut Rng::new(1));
    let mut search = planner.search(game, Root::Certain(start), Rng::new(0));
    let stats = search.run(&Budget::iterations(1_000_000), &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    search
}

fn values<G: Game>(search: &dyn Search<G>) -> Vec<f64> {
    search.estimates().iter().map(|estimate| estimate.value.unwrap()).collect()
}

#[test]
fn policy_iteration_equals_the_values_found_by_hand() {
    let planner = PolicyIteration::new(1e-12).unwrap();
    let game = Table::gamble();
    let search = complete(&game, &planner);
    assert_eq!((values(&*search), search.best()), (vec![1.0, 2.0, 1.0], Some(1)));
    let game = Table::tenure();
    let search = complete(&game, &planner);
    assert!((values(&*search)[0] - 1.0 / 0.19).abs() < 1e-9);
    assert_eq!(search.best(), Some(0));
}

/// Against an opponent every policy is valued by the best reply.
#[test]
fn policy_iteration_is_minimax_for_two() {
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let game = Table::random(&mut rng, 6, 0.5);
        let search = complete(&game, &PolicyIteration::new(1e-12).unwrap());
        if let Some(best) = search.best() {
            let regret = (game.solve_action(0, best) - game.solve(0)).abs();
            assert!(regret < 1e-9, "{regret}");
        }
    }
}

/// Discounted rewards with initial values that are large enough: 2 a move at most, 20 in all.
#[test]
fn lrtdp_equals_recursion_if_initial_values_are_admissible() {
    #[derive(Clone, Copy)]
    struct Twenty;
    impl patience_plan::Evaluation<Table> for Twenty {
        fn value(&self, _: &Table, _: &usize) -> f64 {
            20.0
        }
    }
    for seed in 0..200 {
        let mut game = Table::random(&mut Rng::new(seed), 6, 0.9);
        game.minimising.clear();
        let search = complete(&game, &Lrtdp::new(1e-9, Twenty).unwrap());
        if let Some(best) = search.best() {
            let regret = game.solve(0) - game.solve_action(0, best);
            assert!(regret.abs() < 1e-6, "{seed}: {regret}");
        }
    }
}

/// A lake is a shortest-path problem: all three agree.
#[test]
fn all_agree_on_a_lake() {
    let lake = Sailing::new(6).unwrap();
    let value = complete(&lake, &ValueIteration::new(1e-9).unwrap());
    let policy = complete(&lake, &PolicyIteration::new(1e-9).unwrap());
    let lrtdp = complete(&lake, &Lrtdp::new(1e-9, Zero).unwrap());
    let best = values(&*value).iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let optimal = Optimal::solve(&lake);
    let start = lake.start(&mut Rng::new(1));
    assert!((best - optimal.value(&start)).abs() < 1e-5, "{best}");
    for (name, search) in [("policy iteration", &policy), ("LRTDP", &lrtdp)] {
        let found = values(&**search).iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!((found - best).abs() < 1e-5, "{name}: {found} {best}");
        assert_eq!(search.best(), value.best(), "{name}");
    }
    assert_eq!(policy.counts().nodes, value.counts().nodes);
    assert!(lrtdp.counts().nodes <= value.counts().nodes, "{:?}", lrtdp.counts());
}

/// What good play does not lead to is not listed: a dear action leads to a long chain.
#[test]
fn lrtdp_lists_only_what_good_play_leads_to() {
    let mut states = vec![vec![vec![(1.0, -1.0, 101)], vec![(1.0, -5.0, 1)]]];
    states.extend((1..101).map(|n| vec![vec![(1.0, -1.0, n + 1)]]));
    states.push(vec![]);
    let game = Table::new(1.0, states);
    let lrtdp = complete(&game, &Lrtdp::new(1e-9, Zero).unwrap());
    assert_eq!((lrtdp.best(), lrtdp.counts().nodes), (Some(0), 3));
    let value = complete(&game, &ValueIteration::new(1e-9).unwrap());
    assert_eq!((value.best(), value.counts().nodes), (Some(0), 102));
}
