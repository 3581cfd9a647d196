//! What a leaf of the tree is worth: a rollout or an evaluation function; and what else a search may
//! want to know of a state.

use std::sync::Arc;

use patience_model::{Game, Outcome, Outcomes};

use super::threads::Pool;
use crate::Evaluation;
use crate::rollout::{Policy, Rollout, Workspace};

/// How the outcomes of an action are listed.
pub type ListOutcomes<G> = fn(
    &G,
    &<G as Game>::State,
    <G as Game>::Action,
    &mut Vec<Outcome<<G as Game>::State, <G as Game>::Obs>>,
);

/// A state to be judged, and what is thought of it.
#[derive(Clone, Debug)]
pub struct Judged<G: Game> {
    /// The state.
    pub state: G::State,
    /// Its legal actions, of which there are some.
    pub legal: Vec<G::Action>,
    /// The estimated discounted sum of rewards from it on.
    pub value: f64,
    /// How likely each legal action seems; none where nothing is known.
    pub priors: Vec<f32>,
}

/// Values the state at which an episode leaves the tree: `Evaluate` of the UCT paper's Figure 1.
pub trait Leaf<G: Game>: Send + Sync {
    /// The estimated discounted sum of rewards from this state on.
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64;

    /// Whether it learns from the moves of whole episodes, which are then recorded.
    fn learns(&self) -> bool {
        false
    }

    /// Learns from the episode whose moves are recorded, and which came to `value`.
    fn learn(&self, _workspace: &mut Workspace<G>, _value: f64) {}

    /// Whether it has priors, or values many states better at once: then it is asked to judge. What it says
    /// of a state must not depend on chance, nor on the states beside it.
    fn judges(&self) -> bool {
        false
    }

    /// Whether whoever steps the search judges its leaves: it waits until they are, see
    /// [`Search::asked`](crate::Search::asked).
    fn waits(&self) -> bool {
        false
    }

    /// Values several states at once, with priors of their actions.
    fn judge(&self, game: &G, states: &mut [Judged<G>], workspace: &mut Workspace<G>) {
        for judged in states {
            judged.value = self.evaluate(game, judged.state.clone(), workspace);
        }
    }

    /// How outcomes are listed, for proofs and Bellman backups.
    fn outcomes(&self) -> Option<ListOutcomes<G>> {
        None
    }

    /// The threads that value leaves for one search with a batch, if there are any.
    fn pool(&self) -> Option<Arc<dyn Pool<G>>> {
        None
    }
}

impl<G: Game, P: Policy<G>> Leaf<G> for Rollout<P> {
    #[inline]
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64 {
        if workspace.recording {
            self.record(game, state, workspace)
        } else {
            self.play(game, state, workspace, |_| ())
        }
    }

    fn learns(&self) -> bool {
        self.policy.learns()
    }

    fn learn(&self, workspace: &mut Workspace<G>, value: f64) {
        self.policy.learn(workspace, value);
    }
}

/// Any of them: the search is compiled once for all.
impl<G: Game> Leaf<G> for Arc<dyn Leaf<G>> {
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64 {
        (**self).evaluate(game, state, workspace)
    }

    fn learns(&self) -> bool {
        (**self).learns()
    }

    fn learn(&self, workspace: &mut Workspace<G>, value: f64) {
        (**self).learn(workspace, value);
    }

    fn judges(&self) -> bool {
        (**self).judges()
    }

    fn waits(&self) -> bool {
        (**self).waits()
    }

    fn judge(&self, game: &G, states: &mut [Judged<G>], workspace: &mut Workspace<G>) {
        (**self).judge(game, states, workspace);
    }

    fn outcomes(&self) -> Option<ListOutcomes<G>> {
        (**self).outcomes()
    }

    fn pool(&self) -> Option<Arc<dyn Pool<G>>> {
        (**self).pool()
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

/// The same leaf for a game whose outcomes can be listed: proofs and Bellman backups need that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listed<L>(pub L);

impl<G: Outcomes, L: Leaf<G>> Leaf<G> for Listed<L> {
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64 {
        self.0.evaluate(game, state, workspace)
    }

    fn learns(&self) -> bool {
        self.0.learns()
    }

    fn learn(&self, workspace: &mut Workspace<G>, value: f64) {
        self.0.learn(workspace, value);
    }

    fn judges(&self) -> bool {
        self.0.judges()
    }

    fn waits(&self) -> bool {
        self.0.waits()
    }

    fn judge(&self, game: &G, states: &mut [Judged<G>], workspace: &mut Workspace<G>) {
        self.0.judge(game, states, workspace);
    }

    fn outcomes(&self) -> Option<ListOutcomes<G>> {
        Some(G::outcomes)
    }

    fn pool(&self) -> Option<Arc<dyn Pool<G>>> {
        self.0.pool()
    }
}
