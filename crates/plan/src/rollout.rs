//! A rollout: a policy plays on to the end of the game.

use patience_model::{Game, Rng};

use crate::learning::Learnt;

/// What a rollout works with, reused from one to the next.
pub struct Workspace<G: Game> {
    /// The search's stream.
    pub rng: Rng,
    /// A buffer for legal actions.
    pub legal: Vec<G::Action>,
    /// Moves simulated so far; whoever calls [`Game::step`] counts here.
    pub model_calls: u64,
    /// Whether the moves of an episode are to be recorded.
    pub recording: bool,
    /// The moves of the episode so far, where they are recorded.
    pub moves: Vec<Played<G::Action>>,
    /// What rollouts have learnt in this search.
    pub learnt: Learnt<G::Action>,
}

/// A move of an episode: whether the opponent made it, and the action.
pub type Played<A> = (bool, A);

impl<G: Game> Workspace<G> {
    /// A workspace with this stream.
    pub fn new(rng: Rng) -> Self {
        let (legal, moves, learnt) = (Vec::new(), Vec::new(), Learnt::default());
        Workspace { rng, legal, model_calls: 0, recording: false, moves, learnt }
    }
}

impl<G: Game> std::fmt::Debug for Workspace<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").field("model_calls", &self.model_calls).finish_non_exhaustive()
    }
}

/// How a rollout chooses its moves. A value; a game may have several.
pub trait Policy<G: Game>: Clone + Send + Sync {
    /// An action, or `None` if the game is over.
    fn choose(&self, game: &G, state: &G::State, workspace: &mut Workspace<G>)
    -> Option<G::Action>;

    /// Whether it learns from whole episodes, whose moves are then recorded.
    fn learns(&self) -> bool {
        false
    }

    /// Learns from the episode whose moves are recorded, and which came to `value`.
    fn learn(&self, _workspace: &mut Workspace<G>, _value: f64) {}
}

/// Every legal action alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {
    // The innermost loop of most searches: a call would cost a tenth of a rollout.
    #[inline(always)]
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

impl<P> Rollout<P> {
    /// Plays on, tells of every move, and gives the discounted sum of rewards.
    #[inline]
    pub fn play<G: Game>(
        &self,
        game: &G,
        mut state: G::State,
        workspace: &mut Workspace<G>,
        mut played: impl FnMut(G::Action),
    ) -> f64
    where
        P: Policy<G>,
    {
        let discount = game.discount();
        let (mut sum, mut weight) = (0.0, 1.0);
        for _ in 0..self.limit {
            let Some(action) = self.policy.choose(game, &state, workspace) else { break };
            workspace.model_calls += 1;
            let step = game.step(&mut state, action, &mut workspace.rng);
            sum += weight * step.reward;
            weight *= discount;
            played(action);
        }
        sum
    }

    /// The same, with the moves recorded in the workspace.
    #[inline(never)]
    pub fn record<G: Game>(
        &self,
        game: &G,
        mut state: G::State,
        workspace: &mut Workspace<G>,
    ) -> f64
    where
        P: Policy<G>,
    {
        let discount = game.discount();
        let (mut sum, mut weight) = (0.0, 1.0);
        for _ in 0..self.limit {
            let Some(action) = self.policy.choose(game, &state, workspace) else { break };
            workspace.model_calls += 1;
            workspace.moves.push((game.minimising(&state), action));
            sum += weight * game.step(&mut state, action, &mut workspace.rng).reward;
            weight *= discount;
        }
        sum
    }
}
