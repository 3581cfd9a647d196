//! What a leaf of the tree is worth: a rollout or an evaluation function.

use patience_model::{Game, Rng};

use crate::Evaluation;

/// What a leaf's evaluation works with, reused from one episode to the next.
pub struct Workspace<G: Game> {
    /// The search's stream.
    pub rng: Rng,
    /// A buffer for legal actions.
    pub legal: Vec<G::Action>,
    /// Moves simulated so far; whoever calls [`Game::step`] counts here.
    pub model_calls: u64,
}

impl<G: Game> std::fmt::Debug for Workspace<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").field("model_calls", &self.model_calls).finish_non_exhaustive()
    }
}

/// Values the state at which an episode leaves the tree: `Evaluate` of the UCT paper's Figure 1.
pub trait Leaf<G: Game>: Clone + Send + Sync {
    /// The estimated discounted sum of rewards from this state on.
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64;
}

/// How a rollout chooses its moves. A value; a game may have several.
pub trait Policy<G: Game>: Clone + Send + Sync {
    /// An action, or `None` if the game is over.
    fn choose(&self, game: &G, state: &G::State, workspace: &mut Workspace<G>)
    -> Option<G::Action>;
}

/// Every legal action alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {
    #[inline]
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        workspace: &mut Workspace<G>,
    ) -> Option<G::Action> {
        game.actions(state, &mut workspace.legal);
        if workspace.legal.is_empty() {
            return None;
        }
        Some(workspace.rng.pick(&workspace.legal))
    }
}

/// Plays on by a policy to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rollout<P> {
    /// How moves are chosen.
    pub policy: P,
    /// After so many moves the rollout is cut and what was collected counts: a guard against
    /// games that need not end.
    pub limit: u32,
}

impl Default for Rollout<Uniform> {
    fn default() -> Self {
        Rollout { policy: Uniform, limit: 100_000 }
    }
}

impl<G: Game, P: Policy<G>> Leaf<G> for Rollout<P> {
    #[inline]
    fn evaluate(&self, game: &G, mut state: G::State, workspace: &mut Workspace<G>) -> f64 {
        let discount = game.discount();
        let (mut sum, mut weight) = (0.0, 1.0);
        for _ in 0..self.limit {
            let Some(action) = self.policy.choose(game, &state, workspace) else { break };
            workspace.model_calls += 1;
            let step = game.step(&mut state, action, &mut workspace.rng);
            sum += weight * step.reward;
            weight *= discount;
        }
        sum
    }
}

/// Values a leaf by an evaluation function; a game that is over is worth nothing more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluate<E>(pub E);

impl<G: Game, E: Evaluation<G> + Clone> Leaf<G> for Evaluate<E> {
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64 {
        game.actions(&state, &mut workspace.legal);
        if workspace.legal.is_empty() { 0.0 } else { self.0.value(game, &state) }
    }
}
