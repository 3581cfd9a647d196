//! What a unit of work is. The lab runs tasks and knows no game.

use patience_model::Rng;
use patience_plan::Cancel;
use serde::{Deserialize, Serialize};

use crate::keys::SpecFault;
use crate::spec::{Arm, Spec};

/// What kind of number a column holds; it decides the interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// 0 or 1 per unit: Wilson's interval.
    Proportion,
    /// A fraction from 0 to 1 per unit, such as the failures among several runs on one tree:
    /// Wilson's interval around the mean, which errs on the wide side.
    Rate,
    /// Any finite number per unit: Student's interval of the mean.
    Mean,
}

impl Kind {
    /// Whether a unit can have this number.
    pub(crate) fn fits(self, value: f64) -> bool {
        match self {
            Kind::Proportion => value == 0.0 || value == 1.0,
            Kind::Rate => (0.0..=1.0).contains(&value),
            Kind::Mean => value.is_finite(),
        }
    }

    /// What a unit can have, in words.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Kind::Proportion => "0 or 1",
            Kind::Rate => "from 0 to 1",
            Kind::Mean => "a finite number",
        }
    }
}

/// One number that is measured per unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name. The columns of a curve share one name and differ in `x`.
    pub name: String,
    /// What kind of number it is.
    pub kind: Kind,
    /// The checkpoint at which it is measured, for curves.
    pub x: Option<f64>,
}

impl Column {
    /// A column of 0 or 1 per unit.
    pub fn proportion(name: impl Into<String>) -> Self {
        Column { name: name.into(), kind: Kind::Proportion, x: None }
    }

    /// A column of fractions from 0 to 1.
    pub fn rate(name: impl Into<String>) -> Self {
        Column { name: name.into(), kind: Kind::Rate, x: None }
    }

    /// A column of numbers that are averaged.
    pub fn mean(name: impl Into<String>) -> Self {
        Column { name: name.into(), kind: Kind::Mean, x: None }
    }

    /// The same at a checkpoint of a curve.
    pub fn at(self, x: f64) -> Self {
        Column { x: Some(x), ..self }
    }
}

/// What the units of an arm do.
pub trait Task: Send + Sync {
    /// The numbers that a unit gives, in order; a task always has the same columns. The first is
    /// the headline that progress shows, or the last of its curve.
    fn columns(&self) -> Vec<Column>;

    /// What its results depend on beyond the spec, each with its version, such as the game and
    /// the planner. Raise a version when results change: rows from before then no longer count.
    fn depends(&self) -> Vec<(String, u32)> {
        Vec::new()
    }

    /// Runs a unit: one finite number per column. Deterministic in task, unit and streams. When
    /// `cancel` is raised it may end with [`TaskError::Interrupted`]; then nothing is stored.
    fn run(&self, unit: u64, streams: &Streams, cancel: &Cancel) -> Result<Vec<f64>, TaskError>;
}

/// Why a unit has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    /// It was asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// It failed; this ends the run.
    #[error("{0}")]
    Failed(String),
}

/// The random streams of one unit.
#[derive(Clone, Copy, Debug)]
pub struct Streams<'a> {
    seed: u64,
    experiment: &'a str,
    arm: &'a str,
    unit: u64,
}

impl<'a> Streams<'a> {
    /// The streams of a unit of an arm of an experiment.
    pub fn new(seed: u64, experiment: &'a str, arm: &'a str, unit: u64) -> Self {
        Streams { seed, experiment, arm, unit }
    }

    /// A stream that all arms share in this unit, so that they can be compared in pairs: the deal,
    /// the tree.
    pub fn shared(&self, purpose: &str) -> Rng {
        self.named("", purpose)
    }

    /// A stream of this arm alone: the planner's random choices.
    pub fn own(&self, purpose: &str) -> Rng {
        self.named(self.arm, purpose)
    }

    fn named(&self, arm: &str, purpose: &str) -> Rng {
        Rng::named(self.seed, &[self.experiment, arm, &self.unit.to_string(), purpose])
    }
}

/// Makes the task of an arm, or says what is wrong with the spec. The arm's keys are in
/// [`Arm::task`]; a [`Reader`](crate::Reader) called `task` checks them with line numbers.
pub type Resolve<'a> = dyn Fn(&Spec, &Arm) -> Result<Box<dyn Task>, SpecFault> + Sync + 'a;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_streams_are_shared_and_own_ones_are_not() {
        let a = Streams::new(1, "e", "a", 7);
        let b = Streams::new(1, "e", "b", 7);
        assert_eq!(a.shared("deal"), b.shared("deal"));
        assert_ne!(a.own("planner"), b.own("planner"));
        assert_ne!(a.shared("deal"), a.shared("wind"));
        assert_ne!(a.shared("deal"), Streams::new(1, "e", "a", 8).shared("deal"));
        assert_ne!(a.shared("deal"), Streams::new(2, "e", "a", 7).shared("deal"));
        assert_eq!(a.own("planner"), Rng::named(1, &["e", "a", "7", "planner"]));
    }
}
