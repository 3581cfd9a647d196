//! A bandit that learns which of a few choices is best: UCB1-Tuned.

use patience_model::Rng;
use patience_plan::tree::{Average, tuned_bias};

/// What a few choices came to. Choices that were never made come first, in random order.
///
/// Results may have any range: they are taken relative to the smallest and largest seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Bandit {
    choices: Vec<Average>,
    c: f64,
    made: u64,
    low: f64,
    high: f64,
    chosen: usize,
}

impl Bandit {
    /// A bandit with so many choices and this exploration factor.
    pub fn new(choices: usize, c: f64) -> Self {
        Bandit {
            choices: vec![Average::default(); choices],
            c,
            made: 0,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            chosen: 0,
        }
    }

    /// What to choose next.
    pub fn choose(&mut self, rng: &mut Rng) -> usize {
        let numbered = self.choices.iter().enumerate();
        let mut untried = numbered.filter(|(_, tried)| tried.count == 0).map(|(choice, _)| choice);
        let left = untried.clone().count();
        if left > 0 {
            self.chosen = untried.nth(rng.index(left)).expect("one of those left");
            return self.chosen;
        }
        let range = if self.high > self.low { self.high - self.low } else { 1.0 };
        let log = (self.made as f64).ln();
        let mut best = f64::NEG_INFINITY;
        for (choice, tried) in self.choices.iter().enumerate() {
            let made = tried.count as f64;
            let variance = tried.deviation / (made * range * range);
            let value = tried.mean + tuned_bias(self.c * range, log, made, variance);
            if value > best {
                (best, self.chosen) = (value, choice);
            }
        }
        self.chosen
    }

    /// Takes in the result of the last choice.
    pub fn learn(&mut self, result: f64) {
        let Some(chosen) = self.choices.get_mut(self.chosen) else { return };
        self.made += 1;
        chosen.add(result);
        self.low = self.low.min(result);
        self.high = self.high.max(result);
    }

    /// How often each choice was made, and its mean result.
    pub fn tallies(&self) -> impl Iterator<Item = (u64, f64)> {
        self.choices.iter().map(|choice| (choice.count, choice.mean))
    }
}
