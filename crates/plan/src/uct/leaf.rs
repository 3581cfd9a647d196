//! What a leaf of the tree is worth: a rollout or an evaluation function.

use std::sync::Arc;

use patience_model::Game;

use crate::Evaluation;
use crate::rollout::{Policy, Rollout, Workspace};

/// Values the state at which an episode leaves the tree: `Evaluate` of the UCT paper's Figure 1.
pub trait Leaf<G: Game>: Send + Sync {
    /// The estimated discounted sum of rewards from this state on.
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64;
}

impl<G: Game, P: Policy<G>> Leaf<G> for Rollout<P> {
    #[inline]
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64 {
        self.play(game, state, workspace, |_| ())
    }
}

/// Any of them: the search is compiled once for all.
impl<G: Game> Leaf<G> for Arc<dyn Leaf<G>> {
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64 {
        (**self).evaluate(game, state, workspace)
    }
}

/// Values a leaf by an evaluation function; a game that is over is worth nothing more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluate<E>(pub E);

impl<G: Game, E: Evaluation<G>> Leaf<G> for Evaluate<E> {
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64 {
        game.actions(&state, &mut workspace.legal);
        if workspace.legal.is_empty() { 0.0 } else { self.0.value(game, &state) }
    }
}
