//! Leaves valued by several threads: tree-parallel search in which one thread owns the tree.
//!
//! Most of an episode is its rollout. The thread that steps the search gathers a batch of leaves, hands
//! it to the pool, gathers the next one, helps with what is left of the first, and backs it up in order.
//! Every leaf has a random stream of its own, and one that judges must say the same of a state whatever
//! stands beside it, so the result is the same for any number of threads.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use patience_model::{Game, Rng};

use super::leaf::{Judged, Leaf, ListOutcomes};
use crate::rollout::Workspace;

/// Threads that value the leaves of one search.
pub trait Pool<G: Game>: Send + Sync {
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
    /// To be valued, each with its stream: the last of the batch first.
    jobs: Vec<(Judged<G>, Rng)>,
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

/// The most rollouts that a thread takes at a time: so many that the lock does not matter, so few that no
/// thread waits long for the last of them.
const CHUNK: usize = 16;
/// How often a thread looks for the next batch before it sleeps: a rollout takes microseconds, waking
/// up many of them.
const SPINS: u32 = 20_000;

impl<G: Game, L: Leaf<G>> Workers<G, L> {
    fn desk(&self) -> MutexGuard<'_, Desk<G>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many leaves of a batch a thread takes at a time. An evaluator is asked of as many at once as can
    /// be, so each thread has one share of the batch.
    fn chunk(&self, batch: usize) -> usize {
        match self.leaf.judges() {
            true => batch.div_ceil(self.threads.max(1)).max(1),
            false => batch.div_ceil(2 * self.threads.max(1)).clamp(1, CHUNK),
        }
    }

    /// Values leaves until none is left to take.
    fn work(&self, game: &G) {
        let mut workspace = Workspace::new(Rng::new(0));
        let (mut chunk, mut streams) = (Vec::new(), Vec::new());
        // Where those taken stood among the jobs.
        let mut first = 0;
        loop {
            let mut desk = self.desk();
            desk.model_calls += std::mem::take(&mut workspace.model_calls);
            let last = desk.expected;
            let leaves = chunk.drain(..).enumerate();
            desk.results.extend(leaves.map(|(i, leaf)| (last - 1 - first - i, leaf)));
            if desk.results.len() == desk.expected {
                self.done.notify_all();
            }
            first = desk.jobs.len().saturating_sub(self.chunk(desk.expected));
            streams.clear();
            for (leaf, stream) in desk.jobs.drain(first..) {
                chunk.push(leaf);
                streams.push(stream);
            }
            drop(desk);
            if chunk.is_empty() {
                return;
            }
            if self.leaf.judges() {
                workspace.rng = streams.swap_remove(0);
                self.leaf.judge(game, &mut chunk, &mut workspace);
                continue;
            }
            for (leaf, stream) in chunk.iter_mut().zip(&mut streams) {
                std::mem::swap(&mut workspace.rng, stream);
                self.leaf.judge(game, std::slice::from_mut(leaf), &mut workspace);
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
        let jobs = leaves.into_iter().map(|leaf| (leaf, Rng::new(rng.next_u64())));
        desk.jobs.extend(jobs);
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
