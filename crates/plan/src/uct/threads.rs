//! Leaves valued by several threads: tree-parallel search in which one thread owns the tree.
//!
//! Most of an episode is its rollout. The thread that steps the search gathers a batch of leaves, hands
//! it to the pool, gathers the next one, helps with what is left of the first, and backs it up in order.
//! Every leaf has a random stream of its own, so the result is the same for any number of threads.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use patience_model::{Game, Rng};

use super::leaf::{Judged, Leaf, ListOutcomes};
use crate::rollout::Workspace;

/// Threads that value the leaves of one search.
pub trait Pool<G: Game> {
    /// Hands over leaves, each with a stream drawn from this one.
    fn submit(&self, leaves: Vec<Judged<G>>, rng: &mut Rng);

    /// Waits for all of them, and helps; adds the moves simulated.
    fn collect(&self, game: &G, model_calls: &mut u64) -> Vec<Judged<G>>;

    /// Calls `lead`, which steps the search, while the other threads wait for leaves.
    fn run_beside(&self, game: &G, lead: &mut dyn FnMut());
}

/// A leaf whose states are valued by so many threads, for searches with a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads<L> {
    /// What values a state.
    pub leaf: L,
    /// How many threads, with the one that owns the tree.
    pub threads: usize,
}

impl<G: Game + Sync + 'static, L: Leaf<G> + Clone + 'static> Leaf<G> for Threads<L>
where
    G::State: Send,
    G::Action: Send,
{
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64 {
        self.leaf.evaluate(game, state, workspace)
    }

    fn learns(&self) -> bool {
        self.leaf.learns()
    }

    fn learn(&self, workspace: &mut Workspace<G>, value: f64) {
        self.leaf.learn(workspace, value);
    }

    fn judges(&self) -> bool {
        self.leaf.judges()
    }

    fn judge(&self, game: &G, states: &mut [Judged<G>], workspace: &mut Workspace<G>) {
        self.leaf.judge(game, states, workspace);
    }

    fn outcomes(&self) -> Option<ListOutcomes<G>> {
        self.leaf.outcomes()
    }

    fn pool(&self) -> Option<Arc<dyn Pool<G>>> {
        let desk = Mutex::new(Desk::default());
        let (leaf, threads) = (self.leaf.clone(), self.threads);
        let (called, done) = (Condvar::new(), Condvar::new());
        Some(Arc::new(Workers { leaf, threads, desk, called, done, batches: AtomicU64::new(0) }))
    }
}

/// Leaves on their way.
struct Desk<G: Game> {
    /// To be valued: place, leaf, stream.
    jobs: Vec<(usize, Judged<G>, Rng)>,
    /// Valued.
    results: Vec<(usize, Judged<G>)>,
    /// How many there are in all.
    expected: usize,
    model_calls: u64,
    closed: bool,
}

impl<G: Game> Default for Desk<G> {
    fn default() -> Self {
        let (jobs, results) = (Vec::new(), Vec::new());
        Desk { jobs, results, expected: 0, model_calls: 0, closed: false }
    }
}

struct Workers<G: Game, L> {
    leaf: L,
    threads: usize,
    desk: Mutex<Desk<G>>,
    called: Condvar,
    done: Condvar,
    /// Counts batches, so that a thread can look for the next one without the lock.
    batches: AtomicU64,
}

/// Leaves that a thread takes at a time.
const CHUNK: usize = 4;
/// How often a thread looks for the next batch before it sleeps: a rollout takes microseconds, waking
/// up many of them.
const SPINS: u32 = 20_000;

impl<G: Game, L: Leaf<G>> Workers<G, L> {
    fn desk(&self) -> MutexGuard<'_, Desk<G>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Values leaves until none is left to take.
    fn work(&self, game: &G) {
        let mut workspace = Workspace::new(Rng::new(0));
        let mut chunk = Vec::new();
        loop {
            let mut desk = self.desk();
            desk.model_calls += std::mem::take(&mut workspace.model_calls);
            desk.results.extend(chunk.drain(..).map(|(place, judged, _)| (place, judged)));
            if desk.results.len() == desk.expected {
                self.done.notify_all();
            }
            let left = desk.jobs.len().saturating_sub(CHUNK);
            chunk.extend(desk.jobs.drain(left..));
            drop(desk);
            if chunk.is_empty() {
                return;
            }
            for (_, judged, rng) in &mut chunk {
                std::mem::swap(&mut workspace.rng, rng);
                self.leaf.judge(game, std::slice::from_mut(judged), &mut workspace);
            }
        }
    }

    /// Values leaves until the pool is closed.
    fn serve(&self, game: &G) {
        let mut last = 0;
        loop {
            let mut spins = 0;
            while self.batches.load(Ordering::Acquire) == last && spins < SPINS {
                std::hint::spin_loop();
                spins += 1;
            }
            let mut desk = self.desk();
            while desk.jobs.is_empty()
                && !desk.closed
                && self.batches.load(Ordering::Acquire) == last
            {
                desk = self.called.wait(desk).unwrap_or_else(PoisonError::into_inner);
            }
            if desk.closed {
                return;
            }
            last = self.batches.load(Ordering::Acquire);
            drop(desk);
            self.work(game);
        }
    }

    fn close(&self, closed: bool) {
        self.desk().closed = closed;
        self.batches.fetch_add(1, Ordering::Release);
        self.called.notify_all();
    }
}

/// Closes the pool when dropped, also after a panic.
struct Close<'p, G: Game, L: Leaf<G>>(&'p Workers<G, L>);

impl<G: Game, L: Leaf<G>> Drop for Close<'_, G, L> {
    fn drop(&mut self) {
        self.0.close(true);
    }
}

impl<G: Game + Sync, L: Leaf<G>> Pool<G> for Workers<G, L>
where
    G::State: Send,
    G::Action: Send,
{
    fn submit(&self, leaves: Vec<Judged<G>>, rng: &mut Rng) {
        let mut desk = self.desk();
        desk.expected = leaves.len();
        desk.results.clear();
        let jobs = leaves.into_iter().enumerate();
        desk.jobs.extend(jobs.map(|(place, leaf)| (place, leaf, Rng::new(rng.next_u64()))));
        // Taken from the end, so the first come first.
        desk.jobs.reverse();
        drop(desk);
        self.batches.fetch_add(1, Ordering::Release);
        self.called.notify_all();
    }

    fn collect(&self, game: &G, model_calls: &mut u64) -> Vec<Judged<G>> {
        self.work(game);
        let mut desk = self.desk();
        while desk.results.len() < desk.expected {
            desk = self.done.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
        *model_calls += std::mem::take(&mut desk.model_calls);
        desk.expected = 0;
        let mut results = std::mem::take(&mut desk.results);
        drop(desk);
        results.sort_by_key(|(place, _)| *place);
        results.into_iter().map(|(_, judged)| judged).collect()
    }

    fn run_beside(&self, game: &G, lead: &mut dyn FnMut()) {
        self.close(false);
        thread::scope(|scope| {
            let _close = Close(self);
            for _ in 1..self.threads {
                // If the system allows fewer threads, there are fewer.
                if thread::Builder::new().spawn_scoped(scope, || self.serve(game)).is_err() {
                    break;
                }
            }
            lead();
        });
    }
}

impl<G: Game, L> fmt::Debug for Workers<G, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").field("threads", &self.threads).finish_non_exhaustive()
    }
}
