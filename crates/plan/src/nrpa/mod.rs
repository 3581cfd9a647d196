//! Nested rollout policy adaptation (Rosin 2011), with a bias (GNRPA, Cazenave 2020).
//!
//! A playout of level 0 chooses moves with probability proportional to exp(w + β), w being the
//! weight of the move's code and β its bias ([`Coding`]). A call of level n makes a number of calls
//! of level n − 1, each from a copy of its own policy, and after each moves its policy towards the
//! best sequence that it has seen.
//!
//! **Stabilised.** Level 1 may make several playouts before it adapts to its best sequence.
//! **Limited repetition.** A call may end before its iterations are used up once its best sequence
//! has come again so many times: its policy has settled. **Starts.** When the highest level has
//! ended, it starts anew with an untrained policy.
//!
//! **Guarantees.** Anytime: the best solution never gets worse, and replaying it brings its value.
//! Deterministic for a given stream. Memory is fixed: a policy is a table of 2^`table_bits` weights
//! and codes that fall on one place share a weight. For deterministic games.

mod coding;
mod policy;
mod search;

use patience_model::{Game, Rng};

pub use coding::{CodedBy, CodedMove, Coding, factor};
pub use search::NrpaSearch;

use crate::{ParameterError, Planner, Root, Search};

/// The parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NrpaSettings {
    /// The highest level.
    pub level: u32,
    /// Iterations of a call of each level.
    pub iterations: u32,
    /// Playouts of level 1 before each adaptation to the best of them: 1 is plain NRPA, more is
    /// stabilised NRPA (Cazenave, Sevestre and Toulemont 2020), which settles later and adapts less.
    pub playouts: u32,
    /// How far a policy is moved.
    pub alpha: f32,
    /// A call ends when its best sequence has come again so often; `None`: never before its time.
    pub repetitions: Option<u32>,
    /// How often the highest level starts; `None`: as often as the budget allows.
    pub starts: Option<u64>,
    /// The logarithm of the number of weights of a policy.
    pub table_bits: u32,
    /// A playout is cut after so many moves: a guard against games that need not end.
    pub longest: u32,
}

impl Default for NrpaSettings {
    /// Rosin's: 100 iterations per level, α = 1; level 3.
    fn default() -> Self {
        NrpaSettings {
            level: 3,
            iterations: 100,
            playouts: 1,
            alpha: 1.0,
            repetitions: None,
            starts: None,
            table_bits: 16,
            longest: 100_000,
        }
    }
}

/// The planner: parameters and how moves are coded.
#[derive(Clone, Debug)]
pub struct Nrpa<C> {
    settings: NrpaSettings,
    coding: C,
}

impl<C> Nrpa<C> {
    /// A planner with these parameters.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(settings: NrpaSettings, coding: C) -> Result<Self, ParameterError> {
        let above_0 = "a whole number above 0";
        ParameterError::check("level", settings.level, |n| (1..=8).contains(n), "1 to 8")?;
        ParameterError::check("iterations", settings.iterations, |&n| n > 0, above_0)?;
        ParameterError::check("playouts", settings.playouts, |&n| n > 0, above_0)?;
        let expected = "a number above 0, at most 100";
        ParameterError::check("alpha", settings.alpha, |&a| a > 0.0 && a <= 100.0, expected)?;
        if let Some(n) = settings.repetitions {
            ParameterError::check("repetitions", n, |&n| n > 0, above_0)?;
        }
        if let Some(n) = settings.starts {
            ParameterError::check("starts", n, |&n| n > 0, above_0)?;
        }
        let bits = settings.table_bits;
        ParameterError::check("table_bits", bits, |n| (4..=28).contains(n), "4 to 28")?;
        ParameterError::check("longest", settings.longest, |&n| n > 0, above_0)?;
        Ok(Nrpa { settings, coding })
    }

    /// The parameters.
    pub fn settings(&self) -> &NrpaSettings {
        &self.settings
    }

    /// Starts a search, by its own type.
    pub fn solver<'g, G: Game>(&self, game: &'g G, root: &Root<G>, rng: Rng) -> NrpaSearch<'g, G, C>
    where
        C: Coding<G>,
    {
        NrpaSearch::new(self.settings, self.coding.clone(), game, root, rng)
    }
}

impl<G: Game, C: Coding<G> + 'static> Planner<G> for Nrpa<C> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g> {
        Box::new(self.solver(game, &root, rng))
    }

    fn ends(&self) -> bool {
        self.settings.starts.is_some()
    }
}
