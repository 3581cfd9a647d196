//! Units that run on other machines: each machine has a [`Crew`], and one [`Ledger`] hands out
//! units and stores what comes back.
//!
//! A unit's streams come from its name, so it gives the same values wherever and however often it
//! is run: a unit that was lost is run again, and one that comes twice is stored once.

use std::collections::HashSet;
use std::ops::Range;
use std::time::Instant;

use patience_plan::Cancel;

use crate::error::{LabError, Result};
use crate::progress::{Progress, Tally, progress};
use crate::runner::{Experiment, Summary, check};
use crate::shard::Shard;
use crate::spec::Spec;
use crate::store::{Row, Store};
use crate::task::{Resolve, TaskError};

/// A finished unit on its way to the store.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The hash of its arm: both sides must mean the same.
    pub hash: u128,
    /// The unit.
    pub unit: u64,
    /// One number per column.
    pub values: Vec<f64>,
    /// How long it took.
    pub seconds: f64,
}

impl Done {
    /// As bytes, every bit kept.
    pub fn pack(all: &[Done]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for done in all {
            bytes.extend(done.hash.to_le_bytes());
            bytes.extend(done.unit.to_le_bytes());
            bytes.extend(done.seconds.to_le_bytes());
            bytes.extend((done.values.len() as u64).to_le_bytes());
            for value in &done.values {
                bytes.extend(value.to_le_bytes());
            }
        }
        bytes
    }

    /// Back from bytes; `None` if these bytes are not finished units.
    pub fn unpack(bytes: &[u8]) -> Option<Vec<Done>> {
        fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
            let (taken, after) = rest.split_first_chunk::<N>()?;
            *rest = after;
            Some(*taken)
        }
        let mut rest = bytes;
        let mut all = Vec::new();
        while !rest.is_empty() {
            let hash = u128::from_le_bytes(take(&mut rest)?);
            let unit = u64::from_le_bytes(take(&mut rest)?);
            let seconds = f64::from_le_bytes(take(&mut rest)?);
            let count = u64::from_le_bytes(take(&mut rest)?);
            // No more than there are bytes for, whatever the count says.
            let mut values = Vec::new();
            for _ in 0..count {
                values.push(f64::from_le_bytes(take(&mut rest)?));
            }
            all.push(Done { hash, unit, values, seconds });
        }
        Some(all)
    }
}

/// A range of (unit, arm) pairs, in the order in which one machine takes them: unit by unit, the
/// arms in turn. So the place of a pair is its unit times the number of arms, plus its arm.
pub type Places = Range<u64>;

/// Runs units of a spec on one machine.
#[derive(Debug)]
pub struct Crew(Experiment);

impl Crew {
    /// Makes the tasks of a spec.
    ///
    /// # Errors
    /// If the spec does not resolve.
    pub fn new(spec: Spec, resolve: &Resolve<'_>) -> Result<Crew> {
        check(&spec, resolve).map(Crew)
    }

    /// Runs the units of these [`Places`]. When `cancel` is raised it returns those that are
    /// finished.
    ///
    /// # Errors
    /// If there is no such unit; if a task fails or panics.
    pub fn run(&self, places: &[Places], cancel: &Cancel) -> Result<Vec<Done>> {
        let Experiment { spec, arms } = &self.0;
        let count = arms.len() as u64;
        let total = count * spec.units;
        if let Some(wrong) = places.iter().find(|places| places.end > total) {
            let (name, end) = (&spec.name, wrong.end);
            return Err(LabError::Usage(format!("{name} has {total} units, none at {end}")));
        }
        let mut all = Vec::new();
        for place in places.iter().cloned().flatten() {
            let (arm, number) = ((place % count) as usize, place / count);
            if cancel.is_cancelled() {
                break;
            }
            let begin = Instant::now();
            let values = match self.0.unit(arm, number, cancel) {
                Ok(values) => values,
                Err(TaskError::Interrupted) if cancel.is_cancelled() => break,
                Err(error) => return Err(self.0.fault(arm, number, error)),
            };
            let seconds = begin.elapsed().as_secs_f64();
            all.push(Done { hash: hash(&arms[arm].hash), unit: number, values, seconds });
        }
        Ok(all)
    }
}

/// An arm's hash as a number.
fn hash(text: &str) -> u128 {
    u128::from_str_radix(text, 16).unwrap_or(0)
}

/// Hands out the units of an experiment to other machines, and stores what comes back.
#[derive(Debug)]
pub struct Ledger {
    experiment: Experiment,
    numbers: Vec<i64>,
    stored: Vec<Vec<bool>>,
    tallies: Vec<Tally>,
    before: u64,
    begin: Instant,
    store: Store,
    /// The place that is handed out next.
    next: u64,
    /// For each arm, how many units came in and how many seconds they took.
    times: Vec<(f64, f64)>,
}

/// The most units of a chunk, however quick they are.
const LARGEST_CHUNK: usize = 200_000;

impl Ledger {
    /// Opens an experiment in a store, exactly as a run would begin.
    ///
    /// # Errors
    /// If a stored row is damaged, or the store cannot be written.
    pub fn open(experiment: Experiment, mut store: Store) -> Result<Ledger> {
        let (stored, tallies) = experiment.account(&store, Shard::WHOLE)?;
        let numbers = experiment.enrol(&mut store)?;
        let before = progress(&tallies, 0, 0, std::time::Duration::ZERO).done;
        let begin = Instant::now();
        let times = vec![(0.0, 0.0); numbers.len()];
        let next = 0;
        Ok(Ledger { experiment, numbers, stored, tallies, before, begin, store, next, times })
    }

    /// The spec.
    pub fn spec(&self) -> &Spec {
        &self.experiment.spec
    }

    /// The next units to hand out: about so many seconds of work, judging by the units of their
    /// arms that came in; one unit while there are none. Each unit is handed out once, and none
    /// that is stored; empty when all have been.
    pub fn chunk(&mut self, seconds: f64) -> Vec<Places> {
        let (mut chunk, mut count, mut expected) = (Vec::<Places>::new(), 0, 0.0);
        let arms = self.numbers.len() as u64;
        while self.next < self.total() && count < LARGEST_CHUNK {
            let (arm, unit) = ((self.next % arms) as usize, self.next / arms);
            if !self.is_stored(arm, unit) {
                let (units, sum) = self.times[arm];
                expected += if units > 0.0 { sum / units } else { seconds };
                if count > 0 && expected > seconds {
                    break;
                }
                count += 1;
                match chunk.last_mut() {
                    Some(last) if last.end == self.next => last.end += 1,
                    _ => chunk.push(self.next..self.next + 1),
                }
            }
            self.next += 1;
        }
        chunk
    }

    fn is_stored(&self, arm: usize, unit: u64) -> bool {
        self.stored[arm].get(unit as usize).is_some_and(|done| *done)
    }

    /// Stores finished units in one transaction, and returns how many of them were new. What is
    /// already stored stays as it is, so a unit may come twice.
    ///
    /// # Errors
    /// If a unit does not belong to this spec, or its values are impossible; if the store cannot be
    /// written. Then none of them is stored.
    pub fn take(&mut self, all: &[Done]) -> Result<u64> {
        let mut rows = Vec::new();
        let mut arms = Vec::new();
        let mut met = HashSet::new();
        for done in all {
            let arm = self.arm(done)?;
            if met.insert((arm, done.unit)) && !self.is_stored(arm, done.unit) {
                let Done { unit, values, seconds, .. } = done.clone();
                rows.push(Row { arm: self.numbers[arm], unit, values, seconds });
                arms.push(arm);
            }
        }
        if rows.is_empty() {
            return Ok(0);
        }
        self.store.append(&rows)?;
        for (arm, row) in arms.into_iter().zip(&rows) {
            let place = row.unit as usize;
            if self.stored[arm].len() <= place {
                self.stored[arm].resize(place + 1, false);
            }
            self.stored[arm][place] = true;
            self.tallies[arm].add(&row.values);
            let (units, seconds) = &mut self.times[arm];
            *units += 1.0;
            *seconds += row.seconds;
        }
        Ok(rows.len() as u64)
    }

    /// Checks a finished unit, and returns the index of its arm.
    fn arm(&self, done: &Done) -> Result<usize> {
        let Experiment { spec, arms } = &self.experiment;
        let found = arms.iter().position(|arm| hash(&arm.hash) == done.hash);
        let Some(arm) = found else {
            let message = format!(
                "unit {} came from an arm that {} does not have: another version of the program \
                 runs there, or its files are others",
                done.unit, spec.name
            );
            return Err(LabError::Usage(message));
        };
        let columns = &arms[arm].columns;
        let fits = done.values.len() == columns.len()
            && columns.iter().zip(&done.values).all(|(column, value)| column.kind.fits(*value))
            && done.unit < spec.units
            && done.seconds.is_finite();
        if !fits {
            let message = "these values are not a possible result of this unit".to_owned();
            let arm = spec.arms[arm].name.clone();
            return Err(LabError::Task { arm, unit: done.unit, message });
        }
        Ok(arm)
    }

    /// Units in all.
    fn total(&self) -> u64 {
        self.spec().units * self.numbers.len() as u64
    }

    /// How far it is, and the estimates so far.
    pub fn progress(&self) -> Progress {
        progress(&self.tallies, self.before, self.total(), self.begin.elapsed())
    }

    /// How it ended.
    pub fn summary(&self) -> Summary {
        let last = self.progress();
        Summary {
            experiment: self.spec().name.clone(),
            before: self.before,
            ran: last.ran,
            total: last.total,
            complete: last.done == last.total,
            seconds: last.seconds,
        }
    }
}
