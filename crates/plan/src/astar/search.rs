//! The search: f-layers, partial expansion, batches.

use std::sync::Arc;

use super::bits::BitWriter;
use super::bucket_queue::BucketQueue;
use super::certificate::Certificate;
use super::layers::Scan;
use super::problem::{Finding, Problem};
use super::registry::{Entry, Registry, StateId};
use super::worker::Limits;
use super::worker_pool::{CHUNK, Shared, WorkerPool, Workers};
use crate::{Budget, Cancel, Counts, Stats, Status, Stepped, drive};

/// A* in progress, f-layer by f-layer, with partial expansion (Yoshizumi, Miura and Ishida 2000).
///
/// The f-limit rises from layer to layer of f = g + h. Of the successors of a state only those
/// within the limit are stored; a state with successors beyond it is *deferred*, and expanded again
/// in the layer of the next one. So only states with f ≤ the least cost are ever stored, whatever
/// is known of that cost beforehand, and there is no open list of the others. Within a layer the
/// states with the least h come first, in batches that grow with the search. The states of a batch
/// are expanded in parallel, and their successors are stored in the order of the batch.
///
/// Guarantees: complete and optimal for admissible estimates, consistent or not (a state to which a
/// cheaper path is found is reopened). Deterministic: path and counts are the same for any number
/// of threads. With a memory budget the search ends before it would exceed it, with the bounds
/// known by then; the estimate caches of the threads, an eighth of a megabyte each, are not
/// counted.
#[derive(Debug)]
pub struct AStar<P: Problem> {
    problem: Arc<P>,
    /// The registry, and the threads that read it.
    pool: Arc<WorkerPool<P>>,
    /// The open list of the layer, by estimate.
    open: BucketQueue,
    /// How many batches there were.
    batches: u32,
    /// The f-limit.
    layer: u32,
    /// The layers that were exhausted, with the states stored by then.
    layers: Vec<(u32, u64)>,
    /// The scan for states that were deferred to this layer.
    scan: Scan,
    /// The cost of the best path known, found here or given.
    upper: Option<u32>,
    /// The goal of that path and its parent, if it was found here.
    goal: Option<(Option<StateId>, P::State)>,
    lower: u32,
    counts: Counts,
    /// What may be spent in all.
    budget: Budget,
    /// A path was too long to be stored, so an empty open list proves nothing.
    overflow: bool,
    done: bool,
}

/// An upper bound on the states that one expansion adds, for the memory check.
const MAX_SUCCESSORS: usize = 1024;

/// The most states in a batch. Larger batches find the goal later in the last layer.
const MAX_BATCH: u64 = 2048;
/// A batch has one state for so many expansions so far.
const EXPANSIONS_PER_BATCHED: u64 = 1024;
/// Batches from this size on are worth waking other threads.
const SHARED_BATCH: usize = 64;

impl<P: Problem + Sync> AStar<P> {
    /// Starts a search. If a path of cost `upper` is known already, only cheaper ones are searched
    /// for.
    pub fn new(problem: impl Into<Arc<P>>, upper: Option<u32>) -> Self {
        let problem = problem.into();
        let start = problem.start();
        let estimate = problem.estimate(&start);
        let mut search = AStar {
            problem,
            pool: Arc::default(),
            open: BucketQueue::default(),
            batches: 0,
            layer: estimate.unwrap_or(0),
            layers: Vec::new(),
            scan: Scan::default(),
            upper,
            goal: None,
            lower: 0,
            counts: Counts::default(),
            budget: Budget::UNLIMITED,
            overflow: false,
            done: false,
        };
        search.open_start(start, estimate);
        search.refresh_bounds();
        search
    }

    /// The same search on so many threads; to be called before the first step.
    pub fn on_threads(mut self, threads: usize) -> Self {
        if let Some(pool) = Arc::get_mut(&mut self.pool) {
            *pool = std::mem::take(pool).with_threads(threads.max(1));
        }
        self
    }

    /// Puts the start on the open list.
    fn open_start(&mut self, start: P::State, estimate: Option<u32>) {
        self.counts.model_calls += 1;
        if self.upper == Some(0) {
            return;
        }
        if self.problem.is_goal(&start) {
            self.upper = Some(0);
            self.goal = Some((None, start));
        } else if let Some(estimate) = estimate {
            let pack = |bits: &mut BitWriter| self.problem.pack(&start, bits);
            let writer = &mut BitWriter::default();
            let registry = &mut self.pool.write().registry;
            if let Entry::New(id) = registry.insert(writer, None, 0, pack, || true) {
                self.open.push(0, estimate, id);
            }
        }
    }

    /// Sets the cost of a path that is known: from now on only cheaper ones are searched for.
    pub fn set_upper_bound(&mut self, upper: u32) {
        if self.upper.is_none_or(|known| upper < known) {
            (self.upper, self.goal) = (Some(upper), None);
            self.refresh_bounds();
        }
    }

    /// The problem.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// The worker threads, for a loop that steps this search as part of another one.
    pub fn workers(&self) -> Workers<P> {
        let (pool, problem) = (Arc::clone(&self.pool), Arc::clone(&self.problem));
        Workers::new(pool, problem, self.batches)
    }

    /// What is known by now.
    pub fn finding(&self) -> Finding {
        match self.upper {
            Some(upper) if self.lower >= upper => Finding::Optimal(upper),
            None if self.done && !self.overflow => Finding::Unsolvable,
            upper => Finding::Between { lower: self.lower, upper },
        }
    }

    /// What was stored, for a proof that is done; nothing while it is not.
    pub fn certificate(&self) -> Option<Certificate> {
        let proven = !matches!(self.finding(), Finding::Between { .. });
        let registry = &self.pool.read().registry;
        let last = (self.layer, registry.len() as u64);
        let layers = self.layers.iter().copied().chain([last]).collect();
        proven.then(|| Certificate { layers, sum: registry.sum() })
    }

    /// The states of the best path found here, from the start to a goal; `None` if none was
    /// found, or none better than the one known before.
    pub fn path(&self) -> Option<Vec<P::State>> {
        let (parent, goal) = self.goal.as_ref()?;
        let registry = &self.pool.read().registry;
        let ids = std::iter::successors(*parent, |&id| registry.parent(id));
        let mut path = vec![goal.clone()];
        path.extend(ids.map(|id| self.problem.unpack(&mut registry.read(id))));
        path.reverse();
        Some(path)
    }

    /// The next state to expand in the layer: from the open list, then the deferred ones.
    fn next(&mut self, registry: &mut Registry) -> Option<StateId> {
        if let Some((_, _, id)) = self.open.pop() {
            return Some(id);
        }
        registry.next_deferred(&mut self.scan, self.layer)
    }

    fn refresh_bounds(&mut self) {
        let pool = Arc::clone(&self.pool);
        self.update_bounds(&pool.write().registry);
    }

    /// Goes on to the next layer if this one is exhausted, and updates the lower bound.
    fn update_bounds(&mut self, registry: &Registry) {
        if self.upper.is_some_and(|upper| self.layer >= upper) {
            // All that is left costs at least as much as the best path known.
            self.done = true;
        } else if self.open.is_empty() && self.scan.is_over() {
            match registry.next_layer(self.layer) {
                Some(layer) => {
                    self.layers.push((self.layer, registry.len() as u64));
                    self.layer = layer;
                    self.scan = Scan::of(registry);
                    return self.update_bounds(registry);
                }
                None => self.done = true,
            }
        }
        self.lower = self.lower.max(self.layer);
        if let Some(upper) = self.upper.filter(|_| self.done && !self.overflow) {
            self.lower = upper;
        }
    }

    /// Expands a batch of at most so many states.
    fn expand(&mut self, most: u64) {
        let size = (self.counts.iterations / EXPANSIONS_PER_BATCHED).clamp(1, MAX_BATCH).min(most);
        let pool = Arc::clone(&self.pool);
        let mut shared = pool.write();
        let Shared { registry, batch, .. } = &mut *shared;
        batch.clear();
        while (batch.len() as u64) < size {
            let Some(id) = self.next(registry) else { break };
            batch.push(id);
        }
        let count = batch.len();
        self.counts.iterations += count as u64;
        self.batches = self.batches.wrapping_add(1).max(1);
        let upper = self.upper.unwrap_or(u32::MAX);
        shared.start_batch(Limits { layer: self.layer, upper, batch: self.batches });
        drop(shared);
        if count >= SHARED_BATCH && pool.threads() > 1 {
            pool.announce(Some(self.batches));
        }
        pool.work(0, &*self.problem);
        // This waits until all chunks that were taken are done.
        let mut shared = pool.write();
        self.merge(&pool, &mut shared);
        self.update_bounds(&shared.registry);
    }

    /// Stores what the workers generated, in the order of the batch.
    fn merge(&mut self, pool: &WorkerPool<P>, shared: &mut Shared) {
        let mut workers = pool.workers(shared);
        let Shared { registry, batch, .. } = shared;
        // How many of each worker's chunks, expanded states, generated states and words are merged.
        let mut merged = vec![[0; 4]; workers.len()];
        for chunk in 0..batch.len().div_ceil(CHUNK) {
            let is_next =
                |n: &usize| workers[*n].chunks.get(merged[*n][0]).is_some_and(|c| c.0 == chunk);
            let n = (0..workers.len()).find(is_next).expect("one worker took the chunk");
            let (worker, [chunks, expanded, generated, words]) = (&workers[n], &mut merged[n]);
            let count = worker.chunks[*chunks].1;
            *chunks += 1;
            for parent in &worker.expanded[*expanded..*expanded + count] {
                let successors = parent.generated as usize;
                for state in &worker.generated[*generated..*generated + successors] {
                    let length = state.length as usize;
                    let packed = &worker.words[*words..*words + length];
                    *words += length;
                    let id = match registry.find(packed, state.hash) {
                        None => {
                            registry.insert_new(packed, state.hash, Some(parent.id), state.cost)
                        }
                        Some((_, cost)) if cost <= state.cost => continue,
                        Some((id, _)) => {
                            registry.reopen(id, parent.id, state.cost);
                            id
                        }
                    };
                    self.open.push(0, state.estimate, id);
                }
                *generated += successors;
                let is_useful = parent.next_layer < self.upper.unwrap_or(u32::MAX);
                registry.defer(parent.id, is_useful.then_some(parent.next_layer), self.layer);
            }
            *expanded += count;
        }
        // The cheapest goal, and of several the one generated first.
        let place = |id: StateId| batch.iter().position(|&other| other == id);
        let goals = workers.iter_mut().flat_map(|worker| worker.goals.drain(..));
        if let Some((cost, parent, state)) = goals.min_by_key(|goal| (goal.0, place(goal.1)))
            && self.upper.is_none_or(|upper| cost < upper)
        {
            self.upper = Some(cost);
            self.goal = Some((Some(parent), state));
        }
        self.counts.model_calls += workers.iter().map(|worker| worker.successors).sum::<u64>();
        self.overflow |= workers.iter().any(|worker| worker.overflow);
    }

    /// Whether expanding a batch of so many states could exceed the memory.
    fn exceeds_memory(&self, memory: Option<u64>, bytes: u64, batch: u64) -> bool {
        let states = MAX_SUCCESSORS * batch as usize;
        let open = || self.open.growth_within(states, self.layer as usize + 1);
        let registry = &self.pool.read().registry;
        memory.is_some_and(|n| bytes + registry.growth(states) + open() > n)
            || registry.is_exhausted(states)
    }

    /// The most states that the budget allows in the next batch.
    fn batch_limit(&self) -> u64 {
        let mut most = MAX_BATCH;
        if let Some(n) = self.budget.iterations {
            most = most.min(n.saturating_sub(self.counts.iterations).max(1));
        }
        if self.budget.model_calls.is_some() {
            most = 1;
        }
        let bytes = self.counts().bytes;
        while most > 0 && self.exceeds_memory(self.budget.memory, bytes, most) {
            most /= 2;
        }
        most
    }
}

impl<P: Problem + Sync> Stepped for AStar<P> {
    /// Expands a batch of states.
    fn step(&mut self) -> Status {
        if self.done {
            return Status::Complete;
        }
        match self.batch_limit() {
            0 => return Status::Full,
            most => self.expand(most),
        }
        if self.done { Status::Complete } else { Status::Running }
    }

    /// `iterations` are the states expanded, `model_calls` those generated, `nodes` those stored.
    fn counts(&self) -> Counts {
        let registry = &self.pool.read().registry;
        Counts {
            nodes: registry.len() as u64,
            bytes: registry.bytes() + self.open.bytes(),
            ..self.counts
        }
    }

    fn within(&mut self, budget: &Budget) {
        self.budget = *budget;
    }

    fn drive(&mut self, budget: &Budget, cancel: &Cancel) -> Stats {
        self.workers().run_beside(|| drive(self, budget, cancel))
    }
}
