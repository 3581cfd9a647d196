//! Exact values of small games, by value iteration.

use patience_model::{Keyed, Outcomes, Rng};
use patience_plan::{Budget, Cancel, Root, Search, Stepped, ValueIteration};

/// The value of every action in a state, from the table of all states that follow.
pub(crate) fn values<G: Outcomes + Keyed>(game: &G, state: &G::State) -> Vec<(G::Action, f64)> {
    let planner = ValueIteration::new(1e-12).expect("a number above 0");
    let mut search = planner.start(game, Root::Certain(state.clone()), Rng::new(0));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    let estimates = search.estimates().into_iter();
    estimates.filter_map(|estimate| Some((estimate.action, estimate.value?))).collect()
}
