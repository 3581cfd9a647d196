//! A belief tree that a search draws from while the player keeps it.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use patience_model::{Game, Rng};
use patience_plan::Belief;

use super::{BeliefError, BeliefTree};
use crate::network::Network;
use crate::play::{GdlGame, GdlState, Move, Percepts, World};

/// A belief tree that a search draws from while the player keeps it; its clones are one tree.
#[derive(Debug)]
pub struct SharedBelief<W: World = Network>(Arc<Mutex<BeliefTree<W>>>);

impl<W: World> Clone for SharedBelief<W> {
    fn clone(&self) -> Self {
        SharedBelief(Arc::clone(&self.0))
    }
}

impl<W: World> SharedBelief<W> {
    /// Shares a tree.
    pub fn new(tree: BeliefTree<W>) -> Self {
        SharedBelief(Arc::new(Mutex::new(tree)))
    }

    fn tree(&self) -> MutexGuard<'_, BeliefTree<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the move that was played and what was seen of it.
    pub fn observe(&self, action: Move, seen: Percepts) {
        self.tree().observe(action, seen);
    }

    /// Draws a state.
    ///
    /// # Errors
    /// As for [`BeliefTree::sample`].
    pub fn sample(&self, rng: &mut Rng) -> Result<GdlState<W::Position>, BeliefError> {
        self.tree().sample(rng)
    }

    /// Why nothing can be drawn, if that is known.
    pub fn lost(&self) -> Option<BeliefError> {
        self.tree().lost().cloned()
    }

    /// As for [`BeliefTree::is_astray`].
    pub fn is_astray(&self) -> bool {
        self.tree().is_astray()
    }

    /// The moves played and what was seen, if they are all known.
    pub fn history(&self) -> Option<Vec<(Move, Percepts)>> {
        self.tree().history().map(<[_]>::to_vec)
    }
}

impl<W: World> Belief<GdlGame<W>> for SharedBelief<W> {
    /// The initial state stands in where no state is found that agrees with the history:
    /// [`SharedBelief::lost`] says why.
    fn sample(&self, game: &GdlGame<W>, rng: &mut Rng) -> GdlState<W::Position> {
        SharedBelief::sample(self, rng).unwrap_or_else(|_| game.start(rng))
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
