//! The worker threads and the writer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Instant;

use patience_plan::{Cancel, Halt};

use super::check::Resolved;
use super::{Experiment, lock};
use crate::error::LabError;
use crate::progress::Tally;
use crate::shard::Shard;
use crate::store::{Row, Store};
use crate::task::{Streams, TaskError};

/// What all threads of a run share.
pub(super) struct Work<'a> {
    pub(super) experiment: &'a Experiment,
    pub(super) numbers: &'a [i64],
    pub(super) stored: &'a [Vec<bool>],
    pub(super) shard: Shard,
    pub(super) next: AtomicU64,
    pub(super) stop: AtomicBool,
    /// The cancel flag that tasks see: raised with the caller's, and by an error.
    pub(super) halt: Cancel,
    pub(super) fault: Mutex<Option<LabError>>,
}

impl Work<'_> {
    /// Ends the run: no further unit starts.
    pub(super) fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.halt.cancel();
    }

    /// Ends the run with an error; the first one counts.
    pub(super) fn fail(&self, error: LabError) {
        lock(&self.fault).get_or_insert(error);
        self.end();
    }

    /// The next (arm, unit) to do. The arms take turns, so that all grow together and pairs are
    /// complete early.
    fn next(&self) -> Option<(usize, u64)> {
        let arms = self.experiment.arms.len() as u64;
        while !self.stop.load(Ordering::Relaxed) {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            let (unit, arm) = (i / arms, (i % arms) as usize);
            if unit >= self.experiment.spec.units {
                return None;
            }
            if self.shard.has(unit)
                && !self.stored[arm].get(unit as usize).is_some_and(|done| *done)
            {
                return Some((arm, unit));
            }
        }
        None
    }

    /// A worker: takes units until there are none left.
    pub(super) fn run(&self, results: SyncSender<(usize, Row)>) {
        while let Some((arm, unit)) = self.next() {
            let begin = Instant::now();
            match self.experiment.unit(arm, unit, &self.halt) {
                Ok(values) => {
                    let seconds = begin.elapsed().as_secs_f64();
                    let row = Row { arm: self.numbers[arm], unit, values, seconds };
                    if results.send((arm, row)).is_err() {
                        return; // The writer gave up and has said why.
                    }
                }
                Err(TaskError::Interrupted) if self.halt.is_cancelled() => return,
                Err(error) => {
                    self.fail(self.experiment.fault(arm, unit, error));
                    return;
                }
            }
        }
    }

    /// The writer: commits all units that are waiting, together. So a slow unit is safe as soon as
    /// it is finished, and many quick ones share a commit.
    pub(super) fn write(
        &self,
        store: &mut Store,
        finished: Receiver<(usize, Row)>,
        tallies: &Mutex<Vec<Tally>>,
    ) {
        let mut rows = Vec::new();
        let mut arms = Vec::new();
        while let Ok(first) = finished.recv() {
            for (arm, row) in std::iter::once(first).chain(finished.try_iter().take(super::QUEUE)) {
                arms.push(arm);
                rows.push(row);
            }
            if let Err(error) = store.append(&rows) {
                self.fail(error);
                return;
            }
            let mut tallies = lock(tallies);
            for (arm, row) in arms.drain(..).zip(rows.drain(..)) {
                tallies[arm].add(&row.values);
            }
        }
    }
}

impl Experiment {
    /// The error of a unit that failed.
    pub(crate) fn fault(&self, arm: usize, unit: u64, error: TaskError) -> LabError {
        let message = match error {
            TaskError::Interrupted => {
                "the task says it was interrupted, but nobody interrupted it".to_owned()
            }
            TaskError::Failed(message) => message,
        };
        LabError::Task { arm: self.spec.arms[arm].name.clone(), unit, message }
    }

    /// Runs one unit and checks its values.
    pub(crate) fn unit(
        &self,
        arm: usize,
        unit: u64,
        cancel: &Cancel,
    ) -> Result<Vec<f64>, TaskError> {
        let Experiment { spec, arms } = self;
        let Resolved { task, columns, .. } = &arms[arm];
        let streams = Streams::new(spec.seed, &spec.name, &spec.arms[arm].name, unit);
        let halt = Halt::new(cancel, None);
        let values = catch_unwind(AssertUnwindSafe(|| task.run(unit, &streams, cancel)))
            .unwrap_or_else(|panic| Err(TaskError::Failed(panicked(&*panic))))?;
        if halt.struck() {
            // A move was not played to its end.
            return Err(TaskError::Interrupted);
        }
        if values.len() != columns.len() {
            return Err(TaskError::Failed(format!(
                "the task gave {} values for {} columns",
                values.len(),
                columns.len()
            )));
        }
        for (value, column) in values.iter().zip(columns) {
            if !column.kind.fits(*value) {
                let (name, expected) = (&column.name, column.kind.expected());
                return Err(TaskError::Failed(format!("`{name}` is {value}, not {expected}")));
            }
        }
        Ok(values)
    }
}

/// The message of a panic.
fn panicked(payload: &(dyn std::any::Any + Send)) -> String {
    let said = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    format!("the task panicked: {said}")
}
