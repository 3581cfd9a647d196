//! What a state is worth to a beam.

use std::fmt;

use patience_model::{Game, Rng};

use crate::Evaluation;
use crate::nested::BasePolicy;

/// Judges the states among which a beam chooses. A value; a game may have several.
pub trait Judge<G: Game>: Clone + Send + Sync {
    /// What is still to come from this state, as a number to compare states by. If a way to the
    /// end is found on the way, its moves are put into `moves` and what they bring is given too.
    fn judge(
        &self,
        game: &G,
        state: &G::State,
        rng: &mut Rng,
        moves: &mut Vec<G::Action>,
    ) -> Judgement;
}

/// What a judge says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The estimate of what is still to come.
    pub estimate: f64,
    /// What the moves bring that the judge has found, if it has.
    pub found: Option<f64>,
}

/// Judges by an evaluation function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluated<E>(pub E);

impl<G: Game, E: Evaluation<G> + Clone> Judge<G> for Evaluated<E> {
    fn judge(
        &self,
        game: &G,
        state: &G::State,
        _rng: &mut Rng,
        _moves: &mut Vec<G::Action>,
    ) -> Judgement {
        Judgement { estimate: self.0.value(game, state), found: None }
    }
}

/// Judges by the best of a few rollouts, each of which is a solution as well.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sampled<B> {
    /// How rollouts choose their moves.
    pub policy: B,
    /// How many rollouts there are for each state, at least 1.
    pub rollouts: u32,
}

impl<B: fmt::Debug> fmt::Debug for Sampled<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sampled({:?}, {})", self.policy, self.rollouts)
    }
}

impl<G: Game, B: BasePolicy<G>> Judge<G> for Sampled<B> {
    fn judge(
        &self,
        game: &G,
        state: &G::State,
        rng: &mut Rng,
        moves: &mut Vec<G::Action>,
    ) -> Judgement {
        let mut memory = self.policy.begin(game, state);
        let mut best = f64::NEG_INFINITY;
        let mut playing = Vec::new();
        for _ in 0..self.rollouts.max(1) {
            playing.clear();
            let value = self.policy.play(&mut memory, game, state.clone(), rng, &mut playing);
            self.policy.learn(&mut memory, value);
            if value > best {
                best = value;
                std::mem::swap(moves, &mut playing);
            }
        }
        Judgement { estimate: best, found: Some(best) }
    }
}
