//! How far a run is, and the estimates so far.

use std::time::Duration;

use serde::Serialize;

use crate::stats::{Bounds, Moments, student, wilson_mean};
use crate::task::{Column, Kind};

/// How far an experiment is.
#[derive(Clone, Debug, Serialize)]
pub struct Progress {
    /// Units stored, including those of earlier runs.
    pub done: u64,
    /// All units of this shard.
    pub total: u64,
    /// Units stored by this run.
    pub ran: u64,
    /// Seconds since this run started.
    pub seconds: f64,
    /// Units per second of this run.
    pub rate: f64,
    /// Seconds that the rest will take at this rate; `None` while no unit is finished.
    pub remaining: Option<f64>,
    /// What is known of each arm so far.
    pub arms: Vec<ArmProgress>,
}

/// What is known of an arm so far: the headline column, which is the first, at the last of its
/// checkpoints.
#[derive(Clone, Debug, Serialize)]
pub struct ArmProgress {
    /// The arm.
    pub name: String,
    /// The headline column.
    pub column: String,
    /// Its checkpoint, for a curve.
    pub x: Option<f64>,
    /// Units so far.
    pub units: u64,
    /// The estimate so far.
    pub value: Option<f64>,
    /// Its 95% interval.
    pub at95: Option<Bounds>,
}

/// The headline column: the last one with the first one's name.
pub(crate) fn headline(columns: &[Column]) -> usize {
    let first = columns.first().map(|c| &c.name);
    columns.iter().rposition(|c| Some(&c.name) == first).unwrap_or(0)
}

/// Counts one arm.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    name: String,
    column: Column,
    headline: usize,
    moments: Moments,
}

impl Tally {
    pub(crate) fn new(name: &str, columns: &[Column]) -> Tally {
        let headline = headline(columns);
        Tally {
            name: name.to_owned(),
            column: columns[headline].clone(),
            headline,
            moments: Moments::default(),
        }
    }

    pub(crate) fn add(&mut self, values: &[f64]) {
        self.moments.add(values[self.headline]);
    }

    fn shown(&self) -> ArmProgress {
        let n = self.moments.units;
        let at95 = match self.column.kind {
            _ if n == 0 => None,
            Kind::Proportion | Kind::Rate => Some(wilson_mean(self.moments.mean, n, 0.95)),
            Kind::Mean => self.moments.error().map(|error| {
                let half = student(n - 1, 0.95) * error;
                Bounds { low: self.moments.mean - half, high: self.moments.mean + half }
            }),
        };
        ArmProgress {
            name: self.name.clone(),
            column: self.column.name.clone(),
            x: self.column.x,
            units: n,
            value: (n > 0).then_some(self.moments.mean),
            at95,
        }
    }
}

/// Adds up the tallies of all arms.
pub(crate) fn progress(tallies: &[Tally], before: u64, total: u64, elapsed: Duration) -> Progress {
    let done: u64 = tallies.iter().map(|t| t.moments.units).sum();
    let ran = done - before;
    let seconds = elapsed.as_secs_f64();
    let rate = if seconds > 0.0 { ran as f64 / seconds } else { 0.0 };
    Progress {
        done,
        total,
        ran,
        seconds,
        rate,
        remaining: (ran > 0).then(|| total.saturating_sub(done) as f64 / rate.max(1e-9)),
        arms: tallies.iter().map(Tally::shown).collect(),
    }
}
