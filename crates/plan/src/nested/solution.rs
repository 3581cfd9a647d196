//! What a search for a whole solution has found.

use crate::{Estimate, Finding};

/// A sequence of moves from the root to the end of the game, and what it brings.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<A> {
    /// The discounted sum of rewards.
    pub value: f64,
    /// The moves.
    pub moves: Vec<A>,
}

impl<A: Copy + Eq> Solution<A> {
    /// The best solution so far as a search's finding.
    pub(crate) fn finding(best: Option<&Self>) -> Finding<A> {
        best.map_or_else(Finding::default, |best| Finding::solved(best.moves.clone(), best.value))
    }

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
