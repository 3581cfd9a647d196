//! A bandit that learns which of a few choices is best: UCB1-Tuned.

use patience_model::Rng;
use patience_plan::tree::tuned_bias;

/// Tallies of a few choices. Choices that were never made come first, in random order.
///
/// Results may have any range: they are taken relative to the smallest and largest seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Bandit {
    tallies: Vec<Tally>,
    c: f64,
    made: f64,
    low: f64,
    high: f64,
    chosen: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    made: f64,
    mean: f64,
    /// Sum of squared distances from the mean.
    squares: f64,
}

impl Bandit {
    /// A bandit with so many choices and this exploration factor.
    pub fn new(choices: usize, c: f64) -> Self {
        Bandit {
            tallies: vec![Tally::default(); choices],
            c,
            made: 0.0,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            chosen: 0,
        }
    }

    /// What to choose next.
    pub fn choose(&mut self, rng: &mut Rng) -> usize {
        let untried = self.tallies.iter().filter(|tally| tally.made == 0.0).count();
        if untried > 0 {
            let mut nth = rng.index(untried);
            for (choice, tally) in self.tallies.iter().enumerate() {
                if tally.made == 0.0 {
                    if nth == 0 {
                        self.chosen = choice;
                        return choice;
                    }
                    nth -= 1;
                }
            }
        }
        let range = if self.high > self.low { self.high - self.low } else { 1.0 };
        let log = self.made.ln();
        let mut best = f64::NEG_INFINITY;
        for (choice, tally) in self.tallies.iter().enumerate() {
            let variance = tally.squares / (tally.made * range * range);
            let value = tally.mean + tuned_bias(self.c * range, log, tally.made, variance);
            if value > best {
                (best, self.chosen) = (value, choice);
            }
        }
        self.chosen
    }

    /// Takes in the result of the last choice.
    pub fn learn(&mut self, result: f64) {
        let Some(tally) = self.tallies.get_mut(self.chosen) else { return };
        self.made += 1.0;
        tally.made += 1.0;
        let distance = result - tally.mean;
        tally.mean += distance / tally.made;
        tally.squares += distance * (result - tally.mean);
        self.low = self.low.min(result);
        self.high = self.high.max(result);
    }

    /// How often each choice was made, and its mean result.
    pub fn tallies(&self) -> impl Iterator<Item = (u64, f64)> {
        self.tallies.iter().map(|tally| (tally.made as u64, tally.mean))
    }
}
