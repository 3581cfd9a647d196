//! What goes on where a belief tree ends: default policies.

use std::sync::Arc;

use patience_model::{Game, Hidden};

/// A default policy: how the player goes on where the tree ends. What it comes to is the lower bound.
pub trait DefaultPolicy<G: Game>: Send + Sync {
    /// The action in a state, which must follow from what the player knows there; where it is not legal each
    /// action is taken alike. `None`: there is no such policy, and the one action is taken again and again
    /// that is best from the root on.
    fn action(&self, game: &G, state: &G::State) -> Option<G::Action>;
}

/// No policy but the one action that is best again and again, or each alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeat;

impl<G: Game> DefaultPolicy<G> for Repeat {
    fn action(&self, _game: &G, _state: &G::State) -> Option<G::Action> {
        None
    }
}

/// A policy by what the player knows.
#[derive(Clone, Copy, Debug)]
pub struct ByKnown<F>(pub F);

impl<G, F> DefaultPolicy<G> for ByKnown<F>
where
    G: Hidden,
    F: Fn(&G, &G::Known) -> G::Action + Send + Sync,
{
    fn action(&self, game: &G, state: &G::State) -> Option<G::Action> {
        Some(self.0(game, &game.known(state)))
    }
}

impl<G: Game> DefaultPolicy<G> for Arc<dyn DefaultPolicy<G>> {
    fn action(&self, game: &G, state: &G::State) -> Option<G::Action> {
        (**self).action(game, state)
    }
}
