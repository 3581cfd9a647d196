//! Threads that expand a batch together.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{
    Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};

use super::Problem;
use super::registry::{Registry, StateId};
use super::worker::{Aim, Worker};

/// How many states a thread takes at a time.
pub(super) const PART: usize = 8;

/// What all threads look at. It changes between batches only.
#[derive(Debug, Default)]
pub(super) struct Desk {
    pub(super) registry: Registry,
    /// The states that are expanded side by side.
    pub(super) batch: Vec<StateId>,
    pub(super) aim: Aim,
    /// Parts of the batch that were taken.
    taken: AtomicUsize,
}

/// Threads that wait to be called for a batch. Nobody waits for one that comes too late: what it
/// would have done is done by others.
pub(super) struct Crew<P: Problem> {
    desk: RwLock<Desk>,
    /// One for each thread; locked only by who reads the desk, or may write to it.
    workers: Vec<Mutex<Worker<P>>>,
    /// The batch that is to be expanded, as long as there are any.
    call: Mutex<Option<u32>>,
    called: Condvar,
}

impl<P: Problem> fmt::Debug for Crew<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew").field("desk", &self.desk).finish_non_exhaustive()
    }
}

impl<P: Problem> Default for Crew<P> {
    fn default() -> Self {
        Crew {
            desk: RwLock::default(),
            workers: vec![Mutex::default()],
            call: Mutex::new(None),
            called: Condvar::new(),
        }
    }
}

impl<P: Problem> Crew<P> {
    /// A crew of so many more.
    pub(super) fn with_helpers(mut self, helpers: usize) -> Self {
        self.workers.resize_with(1 + helpers, Mutex::default);
        self
    }

    /// How many there are besides the one who leads.
    pub(super) fn helpers(&self) -> usize {
        self.workers.len() - 1
    }

    /// The desk, to look at.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Desk> {
        self.desk.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The desk, to change it, once nobody looks at it.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Desk> {
        self.desk.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those who worked on the batch. The desk must have been taken to change it.
    pub(super) fn workers(&self, desk: &Desk) -> Vec<MutexGuard<'_, Worker<P>>> {
        let workers = self.workers.iter().map(|w| w.lock().unwrap_or_else(PoisonError::into_inner));
        workers.filter(|worker| worker.batch == desk.aim.batch).collect()
    }

    /// Puts down that the batch on the desk is new.
    pub(super) fn begin(desk: &mut Desk, aim: Aim) {
        desk.aim = aim;
        *desk.taken.get_mut() = 0;
    }

    /// Takes parts of the batch until none is left.
    pub(super) fn work(&self, number: usize, problem: &P) {
        let desk = self.read();
        let mut worker = self.workers[number].lock().unwrap_or_else(PoisonError::into_inner);
        worker.begin(desk.aim.batch);
        loop {
            let part = desk.taken.fetch_add(1, Ordering::Relaxed);
            let from = part.saturating_mul(PART).min(desk.batch.len());
            let ids = &desk.batch[from..(from + PART).min(desk.batch.len())];
            if ids.is_empty() {
                break;
            }
            worker.part(problem, &desk.registry, desk.aim, part, ids);
        }
    }

    /// Calls for the present batch, or tells that there are no more.
    pub(super) fn call(&self, batch: Option<u32>) {
        *self.call.lock().unwrap_or_else(PoisonError::into_inner) = batch;
        self.called.notify_all();
    }

    /// Works whenever it is called, until there is nothing more to do.
    pub(super) fn help(&self, number: usize, problem: &P) {
        let mut last = None;
        loop {
            let mut call = self.call.lock().unwrap_or_else(PoisonError::into_inner);
            while call.is_some() && *call == last {
                call = self.called.wait(call).unwrap_or_else(PoisonError::into_inner);
            }
            last = *call;
            drop(call);
            if last.is_none() {
                return;
            }
            self.work(number, problem);
        }
    }
}

/// Sends the helpers home, whatever happens.
pub(super) struct Closing<'c, P: Problem>(pub(super) &'c Crew<P>);

impl<P: Problem> Drop for Closing<'_, P> {
    fn drop(&mut self) {
        self.0.call(None);
    }
}
