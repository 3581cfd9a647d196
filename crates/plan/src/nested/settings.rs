//! What each level of a nested search does.

use std::time::Duration;

use crate::ParameterError;
use crate::tree::Untried;

/// How much one search of a level does before it decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many iterations.
    Iterations(u64),
    /// So many iterations for each action that is legal at the root.
    PerAction(u32),
    /// Iterations for so long. Results depend on the machine.
    Time(Duration),
}

/// Whether a search ends with its first decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// Global search: all iterations start at the root.
    Global,
    /// Action-by-action search: the limit is spent on each of the first `actions` moves of the
    /// episode (`None`: on all), and the search goes on below the action chosen.
    ActionByAction {
        /// After so many moves the search ends.
        actions: Option<u32>,
        /// Which action is taken.
        choice: Choice,
    },
}

/// Which action an action-by-action search takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The one tried most often, as MCTS traditionally does; of equals the one of higher value.
    MostSampled,
    /// The next of the best solution found so far.
    BestSolution,
}

/// The parameters of one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// How much a search of this level does.
    pub limit: Limit,
    /// The exploration factor C of UCB1-Tuned, in front of the root of ln n / n_a · min(1/4, V) as
    /// Auer, Cesa-Bianchi and Fischer have it. The paper prints 2 ln n there (equation 2c), by which
    /// its C would be this one divided by the square root of 2.
    pub c: f64,
    /// The range of results: they are divided by it where equation 2 wants them within [0, 1].
    /// With 1 they are taken as they are, and C is in points.
    pub scale: f64,
    /// Global or action by action.
    pub advance: Advance,
    /// The order of first tries.
    pub untried: Untried,
}

impl Level {
    /// Global search of so many iterations with exploration factor `c` on results of this range.
    pub fn global(iterations: u64, c: f64, scale: f64) -> Self {
        let (limit, untried) = (Limit::Iterations(iterations), Untried::Random);
        Level { limit, c, scale, advance: Advance::Global, untried }
    }

    /// A level of nested Monte-Carlo search (section 4): action by action, every legal action once,
    /// then the next action of the best solution.
    pub fn nmcs() -> Self {
        let choice = Choice::BestSolution;
        Level {
            limit: Limit::PerAction(1),
            c: 0.0,
            scale: 1.0,
            advance: Advance::ActionByAction { actions: None, choice },
            untried: Untried::InOrder,
        }
    }

    /// The same level, action by action.
    pub fn by_action(self, actions: Option<u32>, choice: Choice) -> Self {
        Level { advance: Advance::ActionByAction { actions, choice }, ..self }
    }

    fn check(&self) -> Result<(), ParameterError> {
        let above_0 = "a whole number above 0";
        match self.limit {
            Limit::Iterations(n) => {
                ParameterError::check("iterations", n, |&n| n > 0, above_0)?;
            }
            Limit::PerAction(n) => {
                ParameterError::check("per_action", n, |&n| n > 0, above_0)?;
            }
            Limit::Time(time) => {
                let seconds = time.as_secs_f64();
                ParameterError::check("time", seconds, |&t| t > 0.0, "a time above 0")?;
            }
        }
        if let Advance::ActionByAction { actions: Some(n), .. } = self.advance {
            ParameterError::check("actions", n, |&n| n > 0, above_0)?;
        }
        let expected = "a finite number that is not negative";
        ParameterError::check("c", self.c, |c| c.is_finite() && *c >= 0.0, expected)?;
        let expected = "a finite number above 0";
        ParameterError::check("scale", self.scale, |s| s.is_finite() && *s > 0.0, expected)?;
        Ok(())
    }
}

/// The parameters of a nested search.
#[derive(Clone, Debug, PartialEq)]
pub struct NestedSettings {
    /// Its levels, from level 1 up. One level is MCTS.
    pub levels: Vec<Level>,
    /// How many searches of the highest level are made, one after the other, each from nothing;
    /// `None`: as many as the budget allows. Several of level 1 are multi-start MCTS.
    pub starts: Option<u64>,
}

impl NestedSettings {
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        let levels = self.levels.len();
        ParameterError::check("levels", levels, |n| (1..=16).contains(n), "1 to 16 levels")?;
        if let Some(n) = self.starts {
            ParameterError::check("starts", n, |&n| n > 0, "a whole number above 0, or inf")?;
        }
        self.levels.iter().try_for_each(Level::check)
    }
}
