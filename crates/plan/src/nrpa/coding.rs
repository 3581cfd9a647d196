//! Codes of moves: by them what was learnt of a move in one state is used in others.

use std::fmt;

use patience_model::{Game, Rng};

use super::policy::exp;

/// A legal move with its code.
#[derive(Clone, Copy, Debug)]
pub struct CodedMove<A, M> {
    /// The move.
    pub action: A,
    /// What the coding must know to keep its list up to date.
    pub memo: M,
    /// The code, and once it is looked up the place where the policy keeps its weight; with the bias.
    pub(super) key: Key,
    /// The weight in the playout in hand; negative while it is not yet looked up.
    pub(super) weight: f32,
}

/// A code or its place in a policy, and exp(β), the factor that GNRPA's bias gives: in one word, because
/// they are copied at every step for every legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key(u64);

impl Key {
    #[inline]
    pub(super) fn new(place: u32, factor: f32) -> Self {
        Key(u64::from(place) | u64::from(factor.to_bits()) << 32)
    }

    #[inline]
    pub(super) fn place(self) -> u32 {
        self.0 as u32
    }

    #[inline]
    pub(super) fn factor(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }
}

/// exp(β): how much more often a move is played with this bias. Beyond ±40 as at ±40, which is as good
/// as always and never, and far from where floats end.
pub fn factor(bias: f32) -> f32 {
    exp(bias.clamp(-40.0, 40.0))
}

impl<A, M> CodedMove<A, M> {
    /// A move of this code. Codes should differ in all of their 64 bits.
    ///
    /// `bias` is GNRPA's β, the logit of the move before anything is learnt: 0 for plain NRPA. It
    /// must be the same wherever the code is the same.
    #[inline]
    pub fn new(action: A, code: u64, bias: f32, memo: M) -> Self {
        CodedMove::with_factor(action, code, factor(bias), memo)
    }

    /// The same for a bias whose [`factor`] is known: where few biases come again and again.
    #[inline]
    pub fn with_factor(action: A, code: u64, factor: f32, memo: M) -> Self {
        // Half of the bits are as good as all, and lists of moves are half as long.
        let code = (code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        CodedMove { action, memo, key: Key::new(code, factor), weight: -1.0 }
    }

    /// A hash of the code, as long as no search has looked it up.
    pub fn code(&self) -> u32 {
        self.key.place()
    }
}

/// How the moves of a game are coded. A value; a game may have several.
pub trait Coding<G: Game>: Clone + Send + Sync {
    /// What is kept with a move between steps; `()` if nothing.
    type Memo: Copy + Send;

    /// Replaces the contents of `moves` by the legal moves; none exactly if the game is over.
    fn list(&self, game: &G, state: &G::State, moves: &mut Vec<CodedMove<G::Action, Self::Memo>>);

    /// Plays one of the listed moves, brings the list up to date and gives the reward. Moves whose
    /// code is still the same may stay in the list as they are, so that nothing need be looked up
    /// for them again; all that are new come after them.
    fn play(
        &self,
        game: &G,
        state: &mut G::State,
        moves: &mut Vec<CodedMove<G::Action, Self::Memo>>,
        chosen: usize,
        rng: &mut Rng,
    ) -> f64 {
        let reward = game.step(state, moves[chosen].action, rng).reward;
        self.list(game, state, moves);
        reward
    }

    /// Called before each start of the highest level, counted from 0: the bias may differ from
    /// start to start.
    fn begin(&mut self, _game: &G, _root: &G::State, _start: u64) {}
}

/// A coding by a function of state and action, for any game.
pub struct CodedBy<G: Game>(pub fn(&G, &G::State, G::Action) -> u64);

impl<G: Game> Clone for CodedBy<G> {
    fn clone(&self) -> Self {
        CodedBy(self.0)
    }
}

impl<G: Game> fmt::Debug for CodedBy<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodedBy")
    }
}

impl<G: Game> Coding<G> for CodedBy<G> {
    type Memo = ();

    fn list(&self, game: &G, state: &G::State, moves: &mut Vec<CodedMove<G::Action, ()>>) {
        let mut legal = Vec::new();
        game.actions(state, &mut legal);
        moves.clear();
        moves.extend(
            legal.into_iter().map(|a| CodedMove::new(a, (self.0)(game, state, a), 0.0, ())),
        );
    }
}
