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

    /// Estimates of actions: the first move of the solution is worth at least what that brings.
    pub(crate) fn known(best: Option<&Self>, mut estimates: Vec<Estimate<A>>) -> Vec<Estimate<A>> {
        if let Some(best) = best
            && let Some(first) = best.moves.first()
            && let Some(estimate) = estimates.iter_mut().find(|e| e.action == *first)
        {
            estimate.value = Some(estimate.value.map_or(best.value, |mean| mean.max(best.value)));
        }
        estimates
    }
}
