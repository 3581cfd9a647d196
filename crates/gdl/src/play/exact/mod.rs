//! The optimum, certified: expectimax over beliefs in which equal states are one.
//!
//! The belief-state tree of NORNS tells histories apart; what matters for the future is only which
//! states they led to and how likely each is. Merging them makes the games of the paper small:
//! after any questions, Numberguessing is an interval and a step.
//!
//! Moves with the most information gain are tried first, and a move is pruned as soon as it cannot be
//! better than the best one found: where the highest goal can be reached for certain, little more
//! than one way to it is searched.

mod outlook;

use patience_model::{Game, Rng};
use patience_plan::Halt;
use rustc_hash::FxHashMap;

use crate::network::Network;
use crate::play::{GdlGame, Move, Percepts, Standing, World};
use outlook::{MOST_JOINTS, Weighted, key, reduced};

/// How long a match may be: the beliefs on the way are kept on a stack.
const MOST_MOVES: usize = 500;
/// What one move from one belief may cost, in bytes of positions, and what ordering all its moves may
/// cost: a second or so.
const MOST_BYTES: u64 = 1_000_000_000;
/// What one move may cost beside other work that cannot wait.
const FEW_BYTES: u64 = 20_000_000;
/// Values that differ by less are equal: sums are rounded.
const TIE: f64 = 1e-12;

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
    /// The value of each belief, and the move that gives it.
    known: FxHashMap<Box<[u64]>, (f64, u32)>,
    /// Words of all keys.
    key_words: usize,
    /// Beliefs that are being valued, each below a move of the one before.
    stack: Vec<Frame>,
    most: usize,
    most_bytes: u64,
    ceiling: f64,
    belief: Weighted,
    standing: Standing<W::Position>,
    plays: u64,
}

/// A belief that is being valued.
#[derive(Clone, Debug)]
struct Frame {
    key: Box<[u64]>,
    belief: Weighted,
    /// The legal moves with their information gains, the highest first once all are known, and the
    /// one that is next.
    order: Vec<(f64, u32)>,
    next: usize,
    /// How many information gains are known, and the moves that were played to find them.
    measured: usize,
    measuring_plays: u64,
    best: (f64, u32),
    /// Of the move in hand: the value so far, the share of what is not valued yet, what follows,
    /// and the share of the belief that is valued right now.
    value: f64,
    open: f64,
    branches: Vec<(f64, Weighted)>,
    share: f64,
}

impl<W: World> Exact<W> {
    /// A solver at the start of the game that may visit this many beliefs.
    pub fn new(game: GdlGame<W>, most: usize) -> Self {
        let standing = game.start(&mut Rng::new(0));
        Exact::from_state(game, standing, most)
    }

    /// A solver at a state that is known.
    pub fn from_state(game: GdlGame<W>, standing: Standing<W::Position>, most: usize) -> Self {
        let belief = vec![(game.network().words(&standing.position).into(), 1)];
        Exact {
            ceiling: game.highest_reward(),
            game,
            known: FxHashMap::default(),
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
        if self.stack.is_empty() {
            let belief = self.belief.clone();
            let key = key(&belief);
            if let Some(&(value, action)) = self.known.get(&key) {
                let action = (action != u32::MAX).then_some(Move(action));
                return Ok(Some((value, action)));
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
        // What was asked for is known now.
        self.work(plays.saturating_add(1))
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
        let outlook = self.outlook(&self.belief.clone(), action.0)?;
        let branch = outlook.branches.into_iter().find(|(percepts, _)| *percepts == seen);
        self.belief = reduced(branch.ok_or(ExactError::Impossible)?.1);
        Ok(())
    }

    /// Begins to value a belief.
    fn enter(&mut self, key: Box<[u64]>, belief: Weighted) -> Result<(), ExactError> {
        if self.stack.len() == MOST_MOVES {
            return Err(ExactError::Moves);
        }
        let legal = self.legal(&belief)?;
        // Where nothing is hidden no move gains information.
        let measured = if belief.len() < 2 { legal.len() } else { 0 };
        let order = legal.into_iter().map(|action| (0.0, action)).collect();
        self.stack.push(Frame {
            key,
            belief,
            order,
            next: 0,
            measured,
            measuring_plays: 0,
            best: (0.0, u32::MAX),
            value: 0.0,
            open: 0.0,
            branches: Vec::new(),
            share: 0.0,
        });
        Ok(())
    }

    /// Finds the information gain of the next move of the belief on top.
    fn measure_gain(&mut self) -> Result<(), ExactError> {
        let Some(frame) = self.stack.last() else { return Ok(()) };
        let (belief, place, before) = (frame.belief.clone(), frame.measured, self.plays);
        let (gain, all) = self.information_gain(&belief, frame.order[place].1)?;
        let (spent, cost) = (self.plays - before, self.game.network().cost());
        let Some(frame) = self.stack.last_mut() else { return Ok(()) };
        frame.order[place].0 = gain;
        frame.measured += 1;
        frame.measuring_plays += spent;
        // Once a move reveals all that is hidden, no other can gain more; and it must be worth it.
        if all || (frame.measuring_plays + spent).saturating_mul(cost) > MOST_BYTES {
            frame.measured = frame.order.len();
        }
        if frame.measured == frame.order.len() {
            // Stable: of moves with equal gain the first stays first.
            frame.order.sort_by(|a, b| b.0.total_cmp(&a.0));
        }
        Ok(())
    }

    /// One move from one belief, or one belief that is known.
    fn step(&mut self) -> Result<(), ExactError> {
        let Some(frame) = self.stack.last_mut() else { return Ok(()) };
        if frame.measured < frame.order.len() {
            return self.measure_gain();
        }
        // A move that cannot be better any more is pruned.
        if frame.best.1 != u32::MAX && frame.value + frame.open * self.ceiling <= frame.best.0 + TIE
        {
            frame.branches.clear();
        }
        if let Some((share, branch)) = frame.branches.pop() {
            let key = key(&branch);
            frame.share = share;
            match self.known.get(&key) {
                Some(&(value, _)) => frame.take(value),
                None => self.enter(key, branch)?,
            }
            return Ok(());
        }
        if frame.next > 0 {
            // All that follows the move in hand is valued, or it was pruned.
            let value = frame.value;
            if frame.open <= TIE && (frame.best.1 == u32::MAX || value > frame.best.0 + TIE) {
                frame.best = (value, frame.order[frame.next - 1].1);
            }
        }
        // Nothing is worth more than the highest goal.
        if frame.next == frame.order.len() || frame.best.0 >= self.ceiling - TIE && frame.next > 0 {
            return self.leave();
        }
        let (belief, (_, action)) = (frame.belief.clone(), frame.order[frame.next]);
        let outlook = self.outlook(&belief, action)?;
        let total = outlook.total as f64;
        let Some(frame) = self.stack.last_mut() else { return Ok(()) };
        frame.next += 1;
        frame.value = outlook.ended / total;
        frame.open = 0.0;
        for (_, branch) in outlook.branches {
            let share = branch.iter().map(|(_, w)| *w as f64).sum::<f64>() / total;
            frame.open += share;
            frame.branches.push((share, reduced(branch)));
        }
        // The likeliest comes first: it decides soonest whether the move is pruned.
        frame.branches.sort_by(|a, b| a.0.total_cmp(&b.0));
        if frame.branches.is_empty() {
            frame.open = 0.0;
        }
        Ok(())
    }

    /// The belief on top is valued.
    fn leave(&mut self) -> Result<(), ExactError> {
        let Some(frame) = self.stack.pop() else { return Ok(()) };
        if self.known.len() >= self.most {
            self.stack.clear();
            return Err(ExactError::Beliefs(self.most));
        }
        self.key_words += frame.key.len();
        self.known.insert(frame.key, frame.best);
        if let Some(above) = self.stack.last_mut() {
            above.take(frame.best.0);
        }
        Ok(())
    }
}

impl Frame {
    /// Takes in the value of what is being valued below.
    fn take(&mut self, value: f64) {
        self.value += self.share * value;
        self.open = if self.branches.is_empty() { 0.0 } else { self.open - self.share };
    }
}
