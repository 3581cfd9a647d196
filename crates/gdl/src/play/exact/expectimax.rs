//! The stack of beliefs that are being valued, and one step of its work.
//!
//! The first pass follows one move from every belief, the most promising one: that is a plan for the
//! whole game, and its value a lower bound. Each further pass follows twice as many, until no move that
//! was left out can be better.

use patience_model::Rng;

use super::outlook::{Gain, Weighted, key, reduced};
use super::{Exact, ExactError, MOST_BYTES, MOST_MOVES};
use crate::play::World;

/// Values that differ by less are equal: sums are rounded.
const TIE: f64 = 1e-12;
/// So many moves of a belief are measured where measuring all would cost more than [`MEASURED`].
const SOME_MOVES: usize = 64;
/// So many states of it are played for that.
const SOME_STATES: usize = 64;
/// Moves played to measure all moves of a belief; beyond that some stand for all.
const MEASURED: usize = 16_384;
/// What the reward of a game that a move ends counts beside the information that it gains.
const REWARD: f64 = 2.0;

/// Moves that promise nothing and are followed in place of one.
const ALIKE: usize = 16;

/// What is known of a belief.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) lower: f64,
    pub(super) upper: f64,
    /// The move that gives `lower`; `u32::MAX` if the game is over.
    pub(super) action: u32,
    /// How many moves were followed there and below.
    pub(super) width: usize,
}

impl Bounds {
    pub(super) fn is_certain(&self) -> bool {
        self.upper <= self.lower + TIE
    }
}

/// A belief that is being valued.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    key: Box<[u64]>,
    belief: Weighted,
    /// The legal moves with how promising they are, the best first once they are measured, and the
    /// one that is next.
    pub(super) order: Vec<(f64, u32)>,
    next: usize,
    /// How many are measured, how many will be, and the moves that were played for it.
    measured: usize,
    to_measure: usize,
    measuring_plays: u64,
    /// What the measured ones lead to: two that lead to the same are one.
    outcomes: Vec<u128>,
    /// States that are played to measure; `None` for all.
    sample: Option<Weighted>,
    /// The best value so far, and its move.
    best: (f64, u32),
    /// What no move that was followed can exceed.
    upper: f64,
    /// Of the move in hand: bounds of what is valued, the share of what is not valued yet, what
    /// follows, and the share of the belief that is valued right now.
    lower_now: f64,
    upper_now: f64,
    open: f64,
    branches: Vec<(f64, Weighted)>,
    share: f64,
}

impl<W: World> Exact<W> {
    /// Begins to value a belief.
    pub(super) fn enter(&mut self, key: Box<[u64]>, belief: Weighted) -> Result<(), ExactError> {
        if self.stack.len() == MOST_MOVES {
            return Err(ExactError::Moves);
        }
        let legal = self.legal(&belief)?;
        let mut order: Vec<(f64, u32)> = legal.into_iter().map(|action| (-1.0, action)).collect();
        let (mut to_measure, mut sample) = (order.len(), None);
        if order.len().saturating_mul(belief.len()) > MEASURED {
            // Some moves, in random order so that it is no part of the rules that is left out; the
            // stream depends on the belief alone.
            let mut rng = Rng::numbered(belief.len() as u64, order.len() as u64);
            rng.shuffle(&mut order);
            to_measure = order.len().min(SOME_MOVES.max(MEASURED / belief.len().max(1)));
            if belief.len() > SOME_STATES {
                let place = |i: usize| i * belief.len() / SOME_STATES;
                let some = (0..SOME_STATES).map(|i| belief[place(i)].clone());
                sample = Some(some.collect());
            }
        }
        // A single move needs no order.
        let measured = if order.len() < 2 { to_measure } else { 0 };
        self.stack.push(Frame {
            key,
            belief,
            order,
            next: 0,
            measured,
            to_measure,
            measuring_plays: 0,
            outcomes: Vec::new(),
            sample,
            best: (0.0, u32::MAX),
            upper: 0.0,
            lower_now: 0.0,
            upper_now: 0.0,
            open: 0.0,
            branches: Vec::new(),
            share: 0.0,
        });
        Ok(())
    }

    /// Finds out how promising the next move of the belief on top is.
    fn measure(&mut self) -> Result<(), ExactError> {
        let Some(frame) = self.stack.last() else { return Ok(()) };
        let (place, before) = (frame.measured, self.plays);
        let states = frame.sample.as_ref().unwrap_or(&frame.belief).clone();
        let Gain { information, reward, outcome, tells_all } =
            self.gain(&states, frame.order[place].1)?;
        let (spent, cost) = (self.plays - before, self.game.network().cost());
        let ceiling = self.ceiling.max(TIE);
        let Some(frame) = self.stack.last_mut() else { return Ok(()) };
        frame.order[place].0 = information + REWARD * reward / ceiling;
        frame.outcomes.push(outcome);
        frame.measured += 1;
        frame.measuring_plays += spent;
        // Once a move reveals all that is hidden, no other can gain more, though it may end the game
        // well; and it must be worth it.
        let enough = tells_all && frame.sample.is_none() && frame.belief.len() > 1 && reward > 0.0;
        if enough || (frame.measuring_plays + spent).saturating_mul(cost) > MOST_BYTES {
            frame.to_measure = frame.measured;
        }
        if frame.measured == frame.to_measure {
            frame.sort();
        }
        Ok(())
    }

    /// One move from one belief, or one belief that is known.
    pub(super) fn step(&mut self) -> Result<(), ExactError> {
        let Some(frame) = self.stack.last_mut() else { return Ok(()) };
        if frame.measured < frame.to_measure {
            return self.measure();
        }
        // A move that cannot be better any more is pruned.
        let most = frame.upper_now + frame.open * self.ceiling;
        if frame.best.1 != u32::MAX && most <= frame.best.0 + TIE {
            frame.branches.clear();
        }
        if let Some((share, branch)) = frame.branches.pop() {
            let key = key(&branch);
            frame.share = share;
            match self.known.get(&key) {
                Some(known) if known.is_certain() || known.width >= self.width => frame.take(known),
                _ => self.enter(key, branch)?,
            }
            return Ok(());
        }
        if frame.next > 0 {
            // All that follows the move in hand is valued, or it was pruned.
            frame.upper = frame.upper.max(most);
            let value = frame.lower_now;
            if frame.open <= TIE && (frame.best.1 == u32::MAX || value > frame.best.0 + TIE) {
                frame.best = (value, frame.order[frame.next - 1].1);
            }
        }
        // Nothing is worth more than the highest goal.
        let highest = frame.best.0 >= self.ceiling - TIE && frame.next > 0;
        if frame.next == frame.limit(self.width) || highest {
            return self.leave(highest);
        }
        let (belief, (_, action)) = (frame.belief.clone(), frame.order[frame.next]);
        let outlook = self.outlook(&belief, action)?;
        let total = outlook.total as f64;
        let Some(frame) = self.stack.last_mut() else { return Ok(()) };
        frame.next += 1;
        frame.lower_now = outlook.ended / total;
        frame.upper_now = frame.lower_now;
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

    /// The belief on top is valued, as far as it goes.
    fn leave(&mut self, highest: bool) -> Result<(), ExactError> {
        let Some(frame) = self.stack.pop() else { return Ok(()) };
        if self.known.len() >= self.most && !self.known.contains_key(&frame.key) {
            self.stack.clear();
            return Err(ExactError::Beliefs(self.most));
        }
        let (lower, action) = frame.best;
        let upper = match highest || frame.next == frame.order.len() {
            true if highest => lower,
            true => frame.upper.max(lower),
            false => self.ceiling,
        };
        let bounds = Bounds { lower, upper, action, width: self.width };
        let words = frame.key.len();
        if self.known.insert(frame.key, bounds).is_none() {
            self.key_words += words;
        }
        if let Some(above) = self.stack.last_mut() {
            above.take(&bounds);
        }
        Ok(())
    }
}

impl Frame {
    /// Takes in what is known of the belief below.
    fn take(&mut self, known: &Bounds) {
        self.lower_now += self.share * known.lower;
        self.upper_now += self.share * known.upper;
        self.open = if self.branches.is_empty() { 0.0 } else { self.open - self.share };
    }

    /// Puts the measured moves in order; of those that lead to the same, where all states were played,
    /// the first stands for all.
    fn sort(&mut self) {
        if self.sample.is_none() {
            let mut met = rustc_hash::FxHashSet::default();
            let mut place = 0;
            let outcomes = &self.outcomes;
            self.order.retain(|_| {
                place += 1;
                outcomes.get(place - 1).is_none_or(|&outcome| met.insert(outcome))
            });
            (self.measured, self.to_measure) = (0, 0);
        } else {
            self.measured = self.to_measure;
        }
        self.outcomes = Vec::new();
        self.sample = None;
        // Stable: of equally promising moves the first stays first.
        self.order.sort_by(|a, b| b.0.total_cmp(&a.0));
    }

    /// How many moves are followed: so many, and more where those that are left promise nothing, for
    /// then none of them comes before the others.
    fn limit(&self, width: usize) -> usize {
        let limit = self.order.len().min(width);
        match self.order[..limit].last() {
            Some((promise, _)) if *promise <= 0.0 => {
                self.order.len().min(width.saturating_mul(ALIKE))
            }
            _ => limit,
        }
    }

    /// Whether the moves are in order.
    pub(super) fn is_measured(&self) -> bool {
        self.measured >= self.to_measure
    }
}
