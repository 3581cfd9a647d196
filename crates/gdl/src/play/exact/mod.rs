//! The optimum, certified: expectimax over beliefs in which equal states are one.
//!
//! The belief-state tree of NORNS tells histories apart; what matters for the future is only which
//! states they led to and how likely each is. Merging them makes the games of the paper small:
//! after any questions, Numberguessing is an interval and a step.
//!
//! Moves with the most information gain are tried first, at first one of them from every belief, then
//! more ([`expectimax`]); a move is pruned as soon as it cannot be better than the best one found. So a
//! whole plan with its value is known early ([`Exact::bound`]), and where the highest goal can be reached
//! for certain, little more than one way to it is searched.

mod expectimax;
mod outlook;

use patience_model::{Game, Rng};
use patience_plan::Halt;
use rustc_hash::FxHashMap;

use crate::network::Network;
use crate::play::{GdlGame, GdlState, Move, Percepts, World};
use expectimax::{Bounds, Frame};
use outlook::{MOST_JOINTS, Weighted, key, reduced};

/// How long a match may be: the beliefs on the way are kept on a stack.
const MOST_MOVES: usize = 500;
/// What one move from one belief may cost, in bytes of positions, and what ordering all its moves may
/// cost: a second or so.
const MOST_BYTES: u64 = 1_000_000_000;
/// What one move may cost beside other work that cannot wait.
const FEW_BYTES: u64 = 20_000_000;

/// Why there is no certified optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExactError {
    /// More beliefs than allowed.
    #[error("more than {0} beliefs can be reached")]
    Beliefs(usize),
    /// The game is too long.
    #[error("the game can go on for more than {MOST_MOVES} moves")]
    Moves,
    /// Probabilities have denominators beyond 128 bits.
    #[error("the probabilities of states are fractions of more than 128 bits")]
    Fractions,
    /// The others have too many moves at once.
    #[error("the other roles have more than {MOST_JOINTS} joint moves")]
    Joints,
    /// What follows from the rules in some state is not known.
    #[error("the rules take too long in some state")]
    Unknown,
    /// A belief has too many states.
    #[error("beliefs have too many states")]
    States,
    /// What was seen cannot have been seen.
    #[error("no state agrees with what was seen")]
    Impossible,
    /// The rules are at fault: a role must know its legal moves.
    #[error("the legal moves depend on what the role cannot see")]
    Legal,
    /// A [`Halt`] of this thread has struck; it can go on later.
    #[error("it was stopped")]
    Stopped,
}

/// An exact solver for one deciding role, all others moving at random.
///
/// **Guarantee.** [`Exact::value`] is the expected reward of optimal play and [`Exact::best`] an
/// optimal move, up to the rounding of sums in 64-bit numbers; weights of states are exact.
#[derive(Clone, Debug)]
pub struct Exact<W: World = Network> {
    game: GdlGame<W>,
    /// What is known of each belief.
    known: FxHashMap<Box<[u64]>, Bounds>,
    /// Moves that are followed from each belief in this pass.
    width: usize,
    /// Words of all keys.
    key_words: usize,
    /// Beliefs that are being valued, each below a move of the one before.
    stack: Vec<Frame>,
    most: usize,
    most_bytes: u64,
    ceiling: f64,
    belief: Weighted,
    standing: GdlState<W::Position>,
    plays: u64,
}

impl<W: World> Exact<W> {
    /// A solver at the start of the game that may visit this many beliefs.
    pub fn new(game: GdlGame<W>, most: usize) -> Self {
        let standing = game.start(&mut Rng::new(0));
        Exact::from_state(game, standing, most)
    }

    /// A solver at a state that is known.
    pub fn from_state(game: GdlGame<W>, standing: GdlState<W::Position>, most: usize) -> Self {
        let belief = vec![(game.network().words(&standing.position).into(), 1)];
        Exact {
            ceiling: game.highest_reward(),
            game,
            known: FxHashMap::default(),
            width: 1,
            key_words: 0,
            stack: Vec::new(),
            most,
            most_bytes: MOST_BYTES,
            belief,
            standing,
            plays: 0,
        }
    }

    /// The same in small steps: a belief with very many states is too large then.
    pub(crate) fn in_small_steps(self) -> Self {
        Exact { most_bytes: FEW_BYTES, ..self }
    }

    /// How many beliefs have been valued.
    pub fn beliefs(&self) -> usize {
        self.known.len()
    }

    /// How many moves were played to value them.
    pub fn plays(&self) -> u64 {
        self.plays
    }

    /// Bytes held, roughly: keys are the states of a belief with their weights.
    pub fn bytes(&self) -> u64 {
        self.key_words as u64 * 8 + self.known.len() as u64 * 40
    }

    /// The expected reward of optimal play from now on.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn value(&mut self) -> Result<f64, ExactError> {
        Ok(self.solve()?.0)
    }

    /// An optimal move; `None` if the game is over.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn best(&mut self) -> Result<Option<Move>, ExactError> {
        Ok(self.solve()?.1)
    }

    fn solve(&mut self) -> Result<(f64, Option<Move>), ExactError> {
        loop {
            if let Some(found) = self.work(u64::MAX)? {
                return Ok(found);
            }
            if Halt::is_near() {
                return Err(ExactError::Stopped);
            }
        }
    }

    /// Works on until this many moves have been played in all; returns the value and an optimal move
    /// once they are certain. Can be called again and again.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn work(&mut self, plays: u64) -> Result<Option<(f64, Option<Move>)>, ExactError> {
        loop {
            if self.stack.is_empty() {
                let belief = self.belief.clone();
                let key = key(&belief);
                if let Some(known) = self.known.get(&key) {
                    if known.is_certain() {
                        let action = (known.action != u32::MAX).then_some(Move(known.action));
                        return Ok(Some((known.lower, action)));
                    }
                    if known.width >= self.width {
                        self.width = known.width.saturating_mul(2);
                    }
                }
                self.enter(key, belief)?;
            }
            while !self.stack.is_empty() {
                if self.plays >= plays {
                    return Ok(None);
                }
                match self.step() {
                    // The step begins anew when there is time again.
                    Err(ExactError::Stopped) => return Ok(None),
                    stepped => stepped?,
                }
            }
        }
    }

    /// The best plan found so far: what it is worth at least, and its first move.
    pub fn bound(&self) -> Option<(f64, Move)> {
        let known = self.known.get(&key(&self.belief))?;
        (known.action != u32::MAX).then_some((known.lower, Move(known.action)))
    }

    /// The most promising move, while nothing better is known; `None` before moves were measured, and
    /// where they promise nothing.
    pub(crate) fn guess(&self) -> Option<Move> {
        let root = self.stack.first().filter(|root| root.is_measured())?;
        root.order.first().filter(|(promise, _)| *promise > 0.0).map(|&(_, action)| Move(action))
    }

    /// Forgets all beliefs that were valued, to make room.
    pub(crate) fn forget(&mut self) {
        self.stack.clear();
        (self.known, self.key_words, self.width) = (FxHashMap::default(), 0, 1);
    }

    /// The moves that are legal now, into `out`.
    pub fn moves(&mut self, out: &mut Vec<Move>) {
        let belief = self.belief.clone();
        out.clear();
        out.extend(self.legal(&belief).unwrap_or_default().into_iter().map(Move));
    }

    /// Goes on below a move that was played and what was seen of it.
    ///
    /// # Errors
    /// If that cannot have been seen.
    pub fn observe(&mut self, action: Move, seen: Percepts) -> Result<(), ExactError> {
        self.stack.clear();
        self.width = 1;
        let outlook = self.outlook(&self.belief.clone(), action.0)?;
        let branch = outlook.branches.into_iter().find(|(percepts, _)| *percepts == seen);
        self.belief = reduced(branch.ok_or(ExactError::Impossible)?.1);
        Ok(())
    }
}
