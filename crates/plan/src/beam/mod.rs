//! Beam search: layer by layer, the best so many states of each.
//!
//! All children of the states of a layer are judged ([`Judge`]) by what was collected on the way
//! and what is estimated to come; the best `width` of them, each state once and by the way that has
//! collected most, are the next layer.
//! When a run has ended the next begins with a beam wider by `growth`, so the search is anytime.
//!
//! **Guarantees.** The best solution never gets worse, and replaying it brings its value. Memory is
//! bounded by the width: members and candidates of one layer, and 8 bytes or so per member of the
//! layers before. Deterministic for a given stream. A beam as wide as the largest layer has seen
//! every state; nothing is promised of a narrower one. For deterministic games.

mod judge;
mod search;

use patience_model::{Keyed, Rng};

pub use judge::{Evaluated, Judge, Judgement, Sampled};
pub use search::BeamSearch;

use crate::{ParameterError, Planner, Root, Search};

/// The parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamSettings {
    /// States kept of a layer in the first run.
    pub width: usize,
    /// The factor by which the width grows from run to run, at least 1.
    pub growth: f64,
    /// The width grows no further than this: it bounds the memory.
    pub widest: usize,
    /// How many runs there are; `None`: as many as the budget allows.
    pub runs: Option<u64>,
    /// Ranks are raised by random numbers of up to this, so that runs differ.
    pub noise: f64,
}

impl Default for BeamSettings {
    fn default() -> Self {
        BeamSettings { width: 100, growth: 2.0, widest: 100_000, runs: None, noise: 0.0 }
    }
}

/// The planner: parameters and the judge.
#[derive(Clone, Debug)]
pub struct Beam<J> {
    settings: BeamSettings,
    judge: J,
}

impl<J> Beam<J> {
    /// A planner with these parameters.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(settings: BeamSettings, judge: J) -> Result<Self, ParameterError> {
        let widths = "1 to 10 million";
        ParameterError::check("width", settings.width, |w| (1..=10_000_000).contains(w), widths)?;
        let expected = "at least the width and at most 10 million";
        let right = |w: &usize| (settings.width..=10_000_000).contains(w);
        ParameterError::check("widest", settings.widest, right, expected)?;
        let expected = "a finite number, at least 1";
        let right = |g: &f64| g.is_finite() && *g >= 1.0;
        ParameterError::check("growth", settings.growth, right, expected)?;
        let expected = "a finite number that is not negative";
        let right = |n: &f64| n.is_finite() && *n >= 0.0;
        ParameterError::check("noise", settings.noise, right, expected)?;
        if let Some(n) = settings.runs {
            ParameterError::check("runs", n, |&n| n > 0, "a whole number above 0, or inf")?;
        }
        Ok(Beam { settings, judge })
    }

    /// The parameters.
    pub fn settings(&self) -> &BeamSettings {
        &self.settings
    }

    /// Starts a search, by its own type.
    pub fn solver<'g, G: Keyed>(
        &self,
        game: &'g G,
        root: &Root<G>,
        rng: Rng,
    ) -> BeamSearch<'g, G, J>
    where
        J: Judge<G>,
    {
        BeamSearch::new(self.settings, self.judge.clone(), game, root, rng)
    }
}

impl<G: Keyed, J: Judge<G> + 'static> Planner<G> for Beam<J> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g> {
        Box::new(self.solver(game, &root, rng))
    }

    fn ends(&self) -> bool {
        self.settings.runs.is_some()
    }
}
