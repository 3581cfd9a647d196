//! The worker pool: threads that expand a batch together.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{
    Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};
use std::thread;

use super::Problem;
use super::registry::{Registry, StateId};
use super::worker::{Limits, Worker};

/// How many states a worker takes at a time.
pub(super) const CHUNK: usize = 8;

/// What all threads read. It changes between batches only.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) registry: Registry,
    /// The states to expand.
    pub(super) batch: Vec<StateId>,
    limits: Limits,
    /// Chunks of the batch that were taken.
    taken: AtomicUsize,
}

impl Shared {
    /// Starts the batch that has been filled in.
    pub(super) fn start_batch(&mut self, limits: Limits) {
        self.limits = limits;
        *self.taken.get_mut() = 0;
    }
}

/// Threads that wait for batches. The search does not wait for a thread that wakes up late: the
/// others do its work.
pub(super) struct WorkerPool<P: Problem> {
    shared: RwLock<Shared>,
    /// One for each thread; locked only while `shared` is locked too.
    workers: Vec<Mutex<Worker<P>>>,
    /// The batch to be expanded; `None` to shut down.
    announced: Mutex<Option<u32>>,
    changed: Condvar,
}

impl<P: Problem> fmt::Debug for WorkerPool<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerPool").field("shared", &self.shared).finish_non_exhaustive()
    }
}

impl<P: Problem> Default for WorkerPool<P> {
    fn default() -> Self {
        WorkerPool {
            shared: RwLock::default(),
            workers: vec![Mutex::default()],
            announced: Mutex::new(None),
            changed: Condvar::new(),
        }
    }
}

impl<P: Problem> WorkerPool<P> {
    /// The same pool for so many threads.
    pub(super) fn with_threads(mut self, threads: usize) -> Self {
        self.workers.resize_with(threads, Mutex::default);
        self
    }

    /// How many threads there are, with the one that leads the search.
    pub(super) fn threads(&self) -> usize {
        self.workers.len()
    }

    /// The shared data, to read.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Shared> {
        self.shared.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The shared data, to change, once nobody reads it.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Shared> {
        self.shared.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The workers that took part in the batch. The shared data must be locked for writing.
    pub(super) fn workers(&self, shared: &Shared) -> Vec<MutexGuard<'_, Worker<P>>> {
        let workers = self.workers.iter().map(|w| w.lock().unwrap_or_else(PoisonError::into_inner));
        workers.filter(|worker| worker.batch == shared.limits.batch).collect()
    }

    /// Expands chunks of the batch until none is left.
    pub(super) fn work(&self, number: usize, problem: &P) {
        let shared = self.read();
        let mut worker = self.workers[number].lock().unwrap_or_else(PoisonError::into_inner);
        worker.start_batch(shared.limits.batch);
        loop {
            let chunk = shared.taken.fetch_add(1, Ordering::Relaxed);
            let from = chunk.saturating_mul(CHUNK).min(shared.batch.len());
            let ids = &shared.batch[from..(from + CHUNK).min(shared.batch.len())];
            if ids.is_empty() {
                break;
            }
            worker.expand_chunk(problem, &shared.registry, shared.limits, chunk, ids);
        }
    }

    /// Announces the current batch, or the shutdown.
    pub(super) fn announce(&self, batch: Option<u32>) {
        *self.announced.lock().unwrap_or_else(PoisonError::into_inner) = batch;
        self.changed.notify_all();
    }

    /// Works on every batch that is announced, until the shutdown.
    fn serve(&self, number: usize, problem: &P) {
        let mut last = None;
        loop {
            let mut announced = self.announced.lock().unwrap_or_else(PoisonError::into_inner);
            while announced.is_some() && *announced == last {
                announced = self.changed.wait(announced).unwrap_or_else(PoisonError::into_inner);
            }
            last = *announced;
            drop(announced);
            if last.is_none() {
                return;
            }
            self.work(number, problem);
        }
    }
}

/// Shuts the pool down when dropped, also after a panic.
struct Shutdown<'p, P: Problem>(&'p WorkerPool<P>);

impl<P: Problem> Drop for Shutdown<'_, P> {
    fn drop(&mut self) {
        self.0.announce(None);
    }
}

/// The worker threads of a search, besides the one that steps it.
#[derive(Debug)]
pub struct Workers<P: Problem> {
    pool: Arc<WorkerPool<P>>,
    problem: Arc<P>,
    batch: u32,
}

impl<P: Problem + Sync> Workers<P> {
    pub(super) fn new(pool: Arc<WorkerPool<P>>, problem: Arc<P>, batch: u32) -> Self {
        Workers { pool, problem, batch }
    }

    /// Calls `lead`, which steps the search, while the other threads wait for batches.
    pub fn run_beside<R>(self, lead: impl FnOnce() -> R) -> R {
        let Workers { pool, problem, batch } = self;
        pool.announce(Some(batch));
        thread::scope(|scope| {
            let _shutdown = Shutdown(&pool);
            for number in 1..pool.threads() {
                let (pool, problem) = (&pool, &*problem);
                let serve = move || pool.serve(number, problem);
                // If the system allows fewer threads, there are fewer.
                if thread::Builder::new().spawn_scoped(scope, serve).is_err() {
                    break;
                }
            }
            lead()
        })
    }
}
