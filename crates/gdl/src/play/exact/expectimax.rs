//! The stack of beliefs that are being valued, and one step of its work.

use super::outlook::{Weighted, key, reduced};
use super::{Exact, ExactError, MOST_BYTES, MOST_MOVES};
use crate::play::World;

/// Values that differ by less are equal: sums are rounded.
const TIE: f64 = 1e-12;

/// A belief that is being valued.
#[derive(Clone, Debug)]
pub(super) struct Frame {
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
    /// Begins to value a belief.
    pub(super) fn enter(&mut self, key: Box<[u64]>, belief: Weighted) -> Result<(), ExactError> {
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
    pub(super) fn step(&mut self) -> Result<(), ExactError> {
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
