//! What a worker does of an expansion: everything but storing states.

use super::Problem;
use super::bits::BitWriter;
use super::estimate_cache::EstimateCache;
use super::registry::{MAX_COST, Registry, StateId, hash};

/// A generated state within the f-limit, to be stored unless it is there already.
#[derive(Clone, Copy, Debug)]
pub(super) struct Generated {
    pub(super) hash: u64,
    /// How many words it is packed into.
    pub(super) length: u32,
    pub(super) cost: u32,
    pub(super) estimate: u32,
}

/// A state that has been expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expanded {
    pub(super) id: StateId,
    /// The least f beyond the limit among its successors, or a lower bound on it.
    pub(super) next_layer: u32,
    /// How many of the generated states are its successors.
    pub(super) generated: u32,
}

/// The limits of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    /// The f-limit.
    pub(super) layer: u32,
    /// Paths must cost less.
    pub(super) upper: u32,
    /// The number of the batch.
    pub(super) batch: u32,
}

/// Expands states in parallel with others: it only reads the registry. What it generates stays here
/// until it is merged, in the order of the batch.
#[derive(Debug)]
pub(super) struct Worker<P: Problem> {
    writer: BitWriter,
    buffer: Vec<(P::State, u32)>,
    work: P::Work,
    /// The parent of the state expanded last.
    parent: Option<(StateId, P::State)>,
    cache: EstimateCache,
    /// The batch that all below belongs to.
    pub(super) batch: u32,
    /// The chunks taken: the number of each, and how many states it has.
    pub(super) chunks: Vec<(usize, usize)>,
    pub(super) expanded: Vec<Expanded>,
    pub(super) generated: Vec<Generated>,
    /// The packed states of all that were generated.
    pub(super) words: Vec<u32>,
    /// Goals with their costs and parents, ever cheaper.
    pub(super) goals: Vec<(u32, StateId, P::State)>,
    /// How many successors there were in all.
    pub(super) successors: u64,
    /// Whether a path was too long to be stored.
    pub(super) overflow: bool,
}

impl<P: Problem> Default for Worker<P> {
    fn default() -> Self {
        Worker {
            writer: BitWriter::default(),
            buffer: Vec::new(),
            work: P::Work::default(),
            parent: None,
            cache: EstimateCache::default(),
            batch: 0,
            chunks: Vec::new(),
            expanded: Vec::new(),
            generated: Vec::new(),
            words: Vec::new(),
            goals: Vec::new(),
            successors: 0,
            overflow: false,
        }
    }
}

impl<P: Problem> Worker<P> {
    /// Starts a batch; the one before has been merged.
    pub(super) fn start_batch(&mut self, batch: u32) {
        if self.batch == batch {
            return;
        }
        self.batch = batch;
        self.chunks.clear();
        self.expanded.clear();
        self.generated.clear();
        self.words.clear();
        self.goals.clear();
        self.successors = 0;
        self.overflow = false;
    }

    /// Expands a chunk of the batch.
    pub(super) fn expand_chunk(
        &mut self,
        problem: &P,
        registry: &Registry,
        limits: Limits,
        chunk: usize,
        ids: &[StateId],
    ) {
        self.chunks.push((chunk, ids.len()));
        for &id in ids {
            let cost = registry.cost(id);
            let state = problem.unpack(&mut registry.read(id));
            let parent = registry.parent(id);
            if self.parent.as_ref().map(|(id, _)| *id) != parent {
                // Several states in a row often have the same parent.
                self.parent = parent.map(|id| (id, problem.unpack(&mut registry.read(id))));
            }
            let limit = limits.layer - cost;
            let mut successors = std::mem::take(&mut self.buffer);
            let parent = self.parent.as_ref().map(|(_, state)| state);
            let pruned = problem.expand(&state, parent, limit, &mut self.work, &mut successors);
            let mut next_layer = pruned.map_or(u32::MAX, |least| cost + least);
            self.successors += successors.len() as u64;
            let before = self.generated.len();
            for (state, more) in &successors {
                let beyond = self.generate(problem, registry, limits, id, state, cost + more);
                next_layer = next_layer.min(beyond.unwrap_or(u32::MAX));
            }
            self.buffer = successors;
            let generated = (self.generated.len() - before) as u32;
            self.expanded.push(Expanded { id, next_layer, generated });
        }
    }

    /// Takes up a state that is reached at this cost. The answer is its f if that is beyond the
    /// limit: then it is not stored.
    fn generate(
        &mut self,
        problem: &P,
        registry: &Registry,
        limits: Limits,
        parent: StateId,
        state: &P::State,
        cost: u32,
    ) -> Option<u32> {
        if cost >= MAX_COST {
            self.overflow = true;
            return None;
        }
        if cost >= limits.upper {
            return None;
        }
        if problem.is_goal(state) {
            if self.goals.last().is_none_or(|goal| goal.0 > cost) {
                self.goals.push((cost, parent, state.clone()));
            }
            return None;
        }
        self.writer.clear();
        problem.pack(state, &mut self.writer);
        let words = self.writer.finish();
        let hash = hash(words);
        // Looking a state up is cheaper than its estimate.
        if registry.find(words, hash).is_some_and(|(_, known)| known <= cost) {
            return None;
        }
        let limit = limits.layer.saturating_sub(cost);
        let (estimate, seen_in) = match self.cache.find(words, hash, limit) {
            Some(cached) => (u32::from(cached.estimate), cached.batch),
            None => {
                let estimate = problem.estimate_successor(state, limit, &mut self.work)?;
                let batch = if cost + estimate <= limits.layer { limits.batch } else { 0 };
                self.cache.insert(words, hash, batch, limit, estimate);
                (estimate, 0)
            }
        };
        if cost + estimate > limits.layer {
            return Some(cost + estimate).filter(|&f| f < limits.upper);
        }
        if seen_in == limits.batch {
            // It was generated in this batch, at this cost.
            return None;
        }
        self.words.extend_from_slice(words);
        let length = words.len() as u32;
        self.generated.push(Generated { hash, length, cost, estimate });
        None
    }
}
