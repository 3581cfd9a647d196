//! Level 0: a policy that plays to the end of the game and remembers its moves.

use patience_model::{Game, Rng};

use crate::rollout::{Policy, Rollout, Workspace};

/// A base rollout policy. A value; a game may have several, made for its own fast engine.
pub trait BasePolicy<G: Game>: Clone + Send + Sync {
    /// What the policy learns within one search of level 1: nothing, or a bandit's tallies.
    type Memory: Clone + Send;

    /// The memory with which a search from this state begins.
    fn begin(&self, game: &G, state: &G::State) -> Self::Memory;

    /// Plays to the end, adds the moves to `moves`, and gives the discounted sum of their rewards.
    fn play(
        &self,
        memory: &mut Self::Memory,
        game: &G,
        state: G::State,
        rng: &mut Rng,
        moves: &mut Vec<G::Action>,
    ) -> f64;

    /// Takes in what the whole episode came to whose last part was just played.
    #[inline]
    fn learn(&self, _memory: &mut Self::Memory, _result: f64) {}
}

/// Any policy is a base policy, one move at a time.
impl<G: Game, P: Policy<G>> BasePolicy<G> for Rollout<P>
where
    G::Action: Send,
{
    type Memory = Vec<G::Action>;

    fn begin(&self, _game: &G, _state: &G::State) -> Vec<G::Action> {
        Vec::new()
    }

    #[inline]
    fn play(
        &self,
        legal: &mut Vec<G::Action>,
        game: &G,
        state: G::State,
        rng: &mut Rng,
        moves: &mut Vec<G::Action>,
    ) -> f64 {
        // The workspace owns a stream and a buffer: they are lent for the length of the rollout.
        let buffer = std::mem::take(legal);
        let mut workspace = Workspace { legal: buffer, ..Workspace::new(rng.clone()) };
        let sum = Rollout::play(self, game, state, &mut workspace, |action| moves.push(action));
        *rng = workspace.rng;
        *legal = workspace.legal;
        sum
    }
}
