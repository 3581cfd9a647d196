//! Works through the (arm, unit) pairs of an experiment.

mod check;
mod work;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use patience_plan::Cancel;
use serde::Serialize;

pub use check::{Experiment, check};

use crate::error::{LabError, Result};
use crate::progress::{Progress, Tally, progress};
use crate::shard::Shard;
use crate::spec::{Arm, Spec};
use crate::store::{Row, Store, columns_text};
use crate::task::Resolve;
use check::Resolved;
use work::Work;

/// How a run is done; none of it changes a result.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Worker threads; 0 is one per core.
    pub threads: usize,
    /// The part of the units to do.
    pub shard: Shard,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { threads: 0, shard: Shard::WHOLE }
    }
}

impl RunOptions {
    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n.min(1024),
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The experiment.
    pub experiment: String,
    /// Units that earlier runs had stored.
    pub before: u64,
    /// Units that this run stored.
    pub ran: u64,
    /// Units in all, of this shard.
    pub total: u64,
    /// Whether all are done.
    pub complete: bool,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// How often progress is shown, and how soon a raised flag is seen.
const BEAT: Duration = Duration::from_millis(100);
/// Finished units that may wait for the disk. Workers wait when it is full, so that memory stays
/// bounded.
const QUEUE: usize = 8192;

/// Checks a spec and runs it: [`check`], then [`Experiment::run`].
pub fn run(
    spec: &Spec,
    resolve: &Resolve<'_>,
    store: &mut Store,
    options: &RunOptions,
    cancel: &Cancel,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Summary> {
    check(spec, resolve)?.run(store, options, cancel, watch)
}

impl Experiment {
    /// Runs an experiment, or what is left of it, and stores each unit as it is finished.
    ///
    /// Units that are stored already are skipped, so a run that was interrupted or killed goes on
    /// where it stopped. All arms grow together, unit by unit. When `cancel` is raised, units in
    /// flight are dropped or finish, everything finished is stored, and the summary says that it
    /// is not complete; if it is raised before the run, no unit is run. `watch` is called about
    /// ten times a second and once at the end.
    ///
    /// # Errors
    /// If a stored row is damaged, in which case the store is left as it is; if a task fails or
    /// panics; if the store cannot be written. What was stored stays, and the run can be resumed.
    pub fn run(
        &self,
        store: &mut Store,
        options: &RunOptions,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Summary> {
        let Experiment { spec, .. } = self;
        let (stored, tallies) = self.account(store, options.shard)?;
        let numbers = self.enrol(store)?;
        let total = options.shard.count(spec.units) * spec.arms.len() as u64;
        let before = progress(&tallies, 0, total, Duration::ZERO).done;
        let work = Work {
            experiment: self,
            numbers: &numbers,
            stored: &stored,
            shard: options.shard,
            next: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            halt: Cancel::new(),
            fault: Mutex::new(None),
        };
        if cancel.is_cancelled() {
            work.end(); // Now, not at the first beat: a short run would be over by then.
        }
        let path = store.path().clone();
        let tallies = Mutex::new(tallies);
        let begin = Instant::now();
        let threads = options.threads().min((total - before).max(1) as usize);
        std::thread::scope(|scope| {
            let (results, finished) = mpsc::sync_channel::<(usize, Row)>(QUEUE);
            // Nothing is ever sent on it: it hangs up when the writer is done.
            let (writing, written) = mpsc::channel::<()>();
            for i in 0..threads {
                let results = results.clone();
                let started = std::thread::Builder::new().spawn_scoped(scope, || work.run(results));
                // A system that allows fewer threads gets fewer.
                if let Err(e) = started {
                    if i == 0 {
                        work.fail(LabError::io(&path, "start a thread", e));
                    }
                    break;
                }
            }
            drop(results);
            scope.spawn(|| {
                let _writing = writing;
                work.write(store, finished, &tallies);
            });
            while let Err(mpsc::RecvTimeoutError::Timeout) = written.recv_timeout(BEAT) {
                if cancel.is_cancelled() {
                    work.end();
                }
                let now = progress(&lock(&tallies), before, total, begin.elapsed());
                watch(&now);
            }
        });
        let last = progress(&lock(&tallies), before, total, begin.elapsed());
        watch(&last);
        if let Some(fault) = lock(&work.fault).take() {
            return Err(fault);
        }
        Ok(Summary {
            experiment: spec.name.clone(),
            before,
            ran: last.ran,
            total,
            complete: last.done == total,
            seconds: last.seconds,
        })
    }

    /// Which units of each arm are stored, and the tallies of those in this shard.
    ///
    /// # Errors
    /// If a stored row is damaged. Nothing is written, so the store stays as it is.
    pub(crate) fn account(
        &self,
        store: &Store,
        shard: Shard,
    ) -> Result<(Vec<Vec<bool>>, Vec<Tally>)> {
        let Experiment { spec, arms } = self;
        let tally = |(arm, own): (&Arm, &Resolved)| Tally::new(&arm.name, &own.columns);
        let mut tallies: Vec<Tally> = spec.arms.iter().zip(arms).map(tally).collect();
        // Only as long as what is stored: many more units may have been asked for.
        let mut stored = vec![Vec::new(); spec.arms.len()];
        for known in store.reading().arms(&spec.name)? {
            let Some(arm) = arms.iter().position(|a| a.hash == known.hash) else { continue };
            if !columns_text(&arms[arm].columns).is_ok_and(|text| text == known.columns_text) {
                continue; // Enrolling will report it.
            }
            store.reading().each_row(&known, spec.units, |row| {
                let unit_index = row.unit as usize;
                if stored[arm].len() <= unit_index {
                    stored[arm].resize(unit_index + 1, false);
                }
                stored[arm][unit_index] = true;
                if shard.has(row.unit) {
                    tallies[arm].add(&row.values);
                }
                Ok(())
            })?;
        }
        Ok((stored, tallies))
    }
}

/// A lock whose holder panicked still guards plain data.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
