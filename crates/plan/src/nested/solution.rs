//! What a search for a whole solution has found.

use patience_model::{Game, Rng};

use crate::{Estimate, Planner, Root, Search};

/// A sequence of moves from the root to the end of the game, and what it brings.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<A> {
    /// The discounted sum of rewards.
    pub value: f64,
    /// The moves.
    pub moves: Vec<A>,
}

impl<A: Copy + Eq> Solution<A> {
    /// Estimates of actions; where none has a value, the first move of the solution has the one that
    /// it brings.
    pub(crate) fn known(best: Option<&Self>, mut estimates: Vec<Estimate<A>>) -> Vec<Estimate<A>> {
        if estimates.iter().all(|estimate| estimate.value.is_none())
            && let Some(best) = best
            && let Some(first) = best.moves.first()
            && let Some(estimate) = estimates.iter_mut().find(|e| e.action == *first)
        {
            estimate.value = Some(best.value);
        }
        estimates
    }
}

/// A search that keeps the best solution it has found, to be asked for at any time.
///
/// For deterministic games: replaying the moves from the root brings the value.
pub trait Solver<G: Game>: Search<G> {
    /// The best solution so far; `None` before the first episode has ended.
    fn solution(&self) -> Option<&Solution<G::Action>>;
}

/// A planner whose searches keep the best solution that they have found.
pub trait Solves<G: Game>: Planner<G> {
    /// Starts a search that can be asked for its solution. All its randomness comes from `rng`.
    fn solve<'g>(&self, game: &'g G, root: &Root<G>, rng: Rng) -> Box<dyn Solver<G> + 'g>;
}
