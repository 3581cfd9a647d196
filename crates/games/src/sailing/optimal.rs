//! V* of sailing by value iteration.

use patience_model::{Game, Keyed};

use super::rules::{Sailing, State};
use super::wind::{Direction, Tack, delay, leg, winds_after};

/// The optimal value function of a lake, in rewards: minus the expected minutes to the goal.
#[derive(Clone, Debug)]
pub struct Optimal {
    lake: Sailing,
    /// By key.
    values: Vec<f64>,
}

/// How far values may be from the limit of the iteration.
const TOLERANCE: f64 = 1e-9;

impl Optimal {
    /// Solves a lake by value iteration in place (Gauss–Seidel), to within 1e-9.
    ///
    /// Sweeps go away from the goal and then back, so that a value learnt at one end reaches the
    /// other within a sweep. Values start at 0, which none lies above, and so only fall.
    pub fn solve(lake: &Sailing) -> Self {
        let mut sweeper = Sweeper::new(lake);
        let places = lake.states() / STATES_PER_PLACE;
        loop {
            let mut change = 0.0f64;
            for place in (0..places).rev().chain(0..places) {
                change = change.max(sweeper.visit(place));
            }
            // If no visit changed a value by more than c, backing one up once more changes it by
            // 2c at most, and on the way to the goal that can come true once per leg. A leg takes
            // a minute or more, so the way has no more legs than minutes.
            let minutes = sweeper.values.iter().fold(0.0f64, |m, v| m.max(-v));
            if 2.0 * change * minutes <= TOLERANCE / 2.0 {
                return Optimal { lake: *lake, values: sweeper.values };
            }
        }
    }

    /// The lake that was solved.
    pub fn lake(&self) -> &Sailing {
        &self.lake
    }

    /// V* of a state of this lake.
    #[inline]
    pub fn value(&self, state: &State) -> f64 {
        self.values[self.lake.key(state) as usize]
    }

    /// Q* of a legal action.
    pub fn action_value(&self, state: &State, action: Direction) -> f64 {
        let after = self.lake.sail(state, action);
        let rest: f64 = winds_after(state.wind())
            .iter()
            .map(|&(wind, tenths)| f64::from(tenths) * self.value(&State { wind, ..after }))
            .sum();
        rest / 10.0 - self.lake.minutes(state, action)
    }

    /// Replaces the contents of `out` by all legal actions with their Q*.
    pub fn action_values(&self, state: &State, out: &mut Vec<(Direction, f64)>) {
        let mut actions = Vec::with_capacity(8);
        self.lake.actions(state, &mut actions);
        out.clear();
        out.extend(actions.iter().map(|&a| (a, self.action_value(state, a))));
    }
}

/// States that differ in wind and tack only.
const STATES_PER_PLACE: usize = 24;

/// Value iteration, one way point at a time.
struct Sweeper<'l> {
    lake: &'l Sailing,
    /// By key.
    values: Vec<f64>,
    /// By key: the value that is expected when the wind is about to change. A leg ends in such a
    /// state, and taking the mean once per state instead of once per leg saves most of the work.
    expected: Vec<f64>,
}

impl<'l> Sweeper<'l> {
    fn new(lake: &'l Sailing) -> Self {
        let zeros = vec![0.0; lake.states()];
        Sweeper { lake, values: zeros.clone(), expected: zeros }
    }

    /// Backs up the states of one way point; gives the largest change. No leg stays where it
    /// begins, so their order among themselves does not matter.
    fn visit(&mut self, place: usize) -> f64 {
        let first = place * STATES_PER_PLACE;
        let Some(here) = self.lake.state(first as u32) else { return 0.0 };
        if self.lake.is_goal(&here) {
            return 0.0;
        }
        let mut change = 0.0f64;
        for wind in Direction::ALL {
            let mut best = [f64::NEG_INFINITY; 3];
            let state = State { wind, ..here };
            let mut headings = self.lake.headings(&state);
            while headings != 0 {
                let heading = Direction::ALL[headings.trailing_zeros() as usize & 7];
                headings &= headings - 1;
                let (minutes, tack) = leg(wind, heading);
                let after = self.lake.key(&self.lake.sail(&state, heading));
                let value = self.expected[after as usize] - minutes;
                for (best, before) in best.iter_mut().zip(Tack::ALL) {
                    *best = best.max(value - delay(before, tack));
                }
            }
            let values = &mut self.values[first + wind as usize * 3..][..3];
            for (old, new) in values.iter_mut().zip(best) {
                change = change.max((*old - new).abs());
                *old = new;
            }
        }
        for wind in Direction::ALL {
            for tack in 0..3 {
                let sum: f64 = winds_after(wind)
                    .iter()
                    .map(|&(w, tenths)| {
                        f64::from(tenths) * self.values[first + w as usize * 3 + tack]
                    })
                    .sum();
                self.expected[first + wind as usize * 3 + tack] = sum / 10.0;
            }
        }
        change
    }
}
