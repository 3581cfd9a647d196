//! What a thread does of an expansion: everything but the putting of states.

use super::registry::{BitWriter, MAX_COST, Registry, StateId, hash};
use super::{Problem, memo::Memory};

/// A state that is to be put, unless one like it is put before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fresh {
    pub(super) hash: u64,
    /// How many of the words are its.
    pub(super) length: u32,
    pub(super) cost: u32,
    pub(super) estimate: u32,
}

/// A state that has been expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expanded {
    pub(super) id: StateId,
    /// The least of what it has to add to later layers.
    pub(super) later: u32,
    /// How many of the fresh states follow from it.
    pub(super) fresh: u32,
}

/// What a search looks for at present.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aim {
    pub(super) layer: u32,
    /// Paths must cost less.
    pub(super) upper: u32,
    /// The number of the batch.
    pub(super) batch: u32,
}

/// Expands states while others do the same: the registry is only read. What it finds stays here
/// until it is put, in the order of expansion.
#[derive(Debug)]
pub(super) struct Worker<P: Problem> {
    writer: BitWriter,
    followers: Vec<(P::State, u32)>,
    work: P::Work,
    /// The state from which the one expanded last was reached.
    before: Option<(StateId, P::State)>,
    memory: Memory,
    /// The batch that what follows was found in.
    pub(super) batch: u32,
    /// Which part of the batch what follows belongs to, and how many were expanded for it.
    pub(super) parts: Vec<(usize, usize)>,
    pub(super) expanded: Vec<Expanded>,
    pub(super) fresh: Vec<Fresh>,
    pub(super) words: Vec<u32>,
    /// The cheapest path to a goal, by the state before.
    pub(super) goals: Vec<(u32, StateId, P::State)>,
    /// How many states were generated.
    pub(super) generated: u64,
    /// Whether a path was too long to be held.
    pub(super) cut: bool,
}

impl<P: Problem> Default for Worker<P> {
    fn default() -> Self {
        Worker {
            writer: BitWriter::default(),
            followers: Vec::new(),
            work: P::Work::default(),
            before: None,
            memory: Memory::default(),
            batch: 0,
            parts: Vec::new(),
            expanded: Vec::new(),
            fresh: Vec::new(),
            words: Vec::new(),
            goals: Vec::new(),
            generated: 0,
            cut: false,
        }
    }
}

impl<P: Problem> Worker<P> {
    /// Turns to this batch; what was found in another has been put.
    pub(super) fn begin(&mut self, batch: u32) {
        if self.batch == batch {
            return;
        }
        self.batch = batch;
        self.parts.clear();
        self.expanded.clear();
        self.fresh.clear();
        self.words.clear();
        self.goals.clear();
        self.generated = 0;
        self.cut = false;
    }

    /// Expands a part of a batch.
    pub(super) fn part(
        &mut self,
        problem: &P,
        registry: &Registry,
        aim: Aim,
        part: usize,
        ids: &[StateId],
    ) {
        self.parts.push((part, ids.len()));
        for &id in ids {
            let cost = registry.cost(id);
            let state = problem.unpack(&mut registry.read(id));
            let before = registry.parent(id);
            if self.before.as_ref().map(|(id, _)| *id) != before {
                // Several states in a row were often reached from the same one.
                self.before = before.map(|id| (id, problem.unpack(&mut registry.read(id))));
            }
            let room = aim.layer - cost;
            let mut followers = std::mem::take(&mut self.followers);
            let before = self.before.as_ref().map(|(_, state)| state);
            let rest = problem.expand(&state, before, room, &mut self.work, &mut followers);
            let mut later = rest.map_or(u32::MAX, |rest| cost + rest);
            self.generated += followers.len() as u64;
            let before = self.fresh.len();
            for (state, more) in &followers {
                let least = self.meet(problem, registry, aim, id, state, cost + more);
                later = later.min(least.unwrap_or(u32::MAX));
            }
            self.followers = followers;
            let fresh = (self.fresh.len() - before) as u32;
            self.expanded.push(Expanded { id, later, fresh });
        }
    }

    /// A state has been reached at this cost. If it belongs to a later layer it is not held, and
    /// that layer is the answer.
    fn meet(
        &mut self,
        problem: &P,
        registry: &Registry,
        aim: Aim,
        parent: StateId,
        state: &P::State,
        cost: u32,
    ) -> Option<u32> {
        if cost >= MAX_COST {
            self.cut = true;
            return None;
        }
        if cost >= aim.upper {
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
        if registry.find(words, hash).is_some_and(|(_, before)| before <= cost) {
            return None;
        }
        let enough = aim.layer.saturating_sub(cost);
        let (estimate, before) = match self.memory.find(words, hash, enough) {
            Some(memo) => (u32::from(memo.estimate), memo.batch),
            None => {
                let estimate = problem.estimate_next(state, enough, &mut self.work)?;
                let batch = if cost + estimate <= aim.layer { aim.batch } else { 0 };
                self.memory.keep(words, hash, batch, enough, estimate);
                (estimate, 0)
            }
        };
        let wanted = cost + estimate <= aim.layer;
        if !wanted {
            return Some(cost + estimate).filter(|&least| least < aim.upper);
        }
        if before == aim.batch {
            // It was found in this batch, at this cost.
            return None;
        }
        self.words.extend_from_slice(words);
        let length = words.len() as u32;
        self.fresh.push(Fresh { hash, length, cost, estimate });
        None
    }
}
