//! A* over packed states (Hart, Nilsson and Raphael), as the FreeCell paper uses it: a registry
//! of packed states, a bucket queue of ids.

mod bucket_queue;
mod registry;

use std::time::Instant;

pub use bucket_queue::BucketQueue;
pub use registry::{BitReader, BitWriter, Entry, MAX_COST, Registry, StateId, Sweep};

use crate::{Budget, Cancel, Counts, Stats, StopReason};

/// A shortest-path problem: from a start to any goal, at the least cost.
pub trait Problem {
    /// A state.
    type State: Clone;

    /// Where the path begins.
    fn start(&self) -> Self::State;

    /// Writes the state as bits: the same bits exactly for states that are the same problem.
    fn pack(&self, state: &Self::State, bits: &mut BitWriter);

    /// A state that is packed like this.
    fn unpack(&self, bits: &mut BitReader<'_>) -> Self::State;

    /// Whether the path may end here.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// What the rest of the path costs at least: never more than the truth (admissible), and 0
    /// at a goal. `None` if no path to a goal is left.
    fn estimate(&self, state: &Self::State) -> Option<u32>;

    /// The same where it matters only whether it is more than `enough`: admissible, and more than
    /// `enough` if [`Problem::estimate`] is.
    fn estimate_for(&self, state: &Self::State, _enough: u32) -> Option<u32> {
        self.estimate(state)
    }

    /// Replaces the contents of `out` by the states that follow and what the way to each costs.
    ///
    /// Those for which cost and estimate together come to more than `room` may be left out; the
    /// least that any of them comes to, or less, is the answer. They are asked for again when
    /// there is more room.
    fn successors(
        &self,
        state: &Self::State,
        room: u32,
        out: &mut Vec<(Self::State, u32)>,
    ) -> Option<u32>;
}

/// What A* has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The least cost lies between these bounds, both included; no path need exist if there is no
    /// upper bound.
    Between {
        /// No path costs less.
        lower: u32,
        /// A path of this cost is known.
        upper: Option<u32>,
    },
    /// This is the least cost: no path costs less, and one of this cost is known.
    Optimal(u32),
    /// There is no path to a goal.
    Unsolvable,
}

/// A* in progress, layer by layer of f = g + h with partial expansion (Yoshizumi, Miura and Ishida
/// 2000): of the states that follow only those of the present layer are held, and a state is
/// expanded again when the layer of the next ones comes. So what is held are the states with
/// f ≤ the least cost, whatever is known of that cost beforehand, and there is no queue of the
/// others. Within a layer the state that looks nearest to a goal comes first.
///
/// Guarantees: complete and optimal for admissible estimates, consistent or not (a state to which
/// a cheaper way is found is opened again). Deterministic. With a memory budget the search ends
/// before it would hold more, with the bounds known by then.
#[derive(Debug)]
pub struct AStar<'p, P: Problem> {
    problem: &'p P,
    registry: Registry,
    /// States of the present layer that have not been expanded in it, by their estimates.
    open: BucketQueue,
    writer: BitWriter,
    followers: Vec<(P::State, u32)>,
    /// The present layer.
    layer: u32,
    /// Where older states are looked for that have something to add to this layer.
    sweep: Sweep,
    /// The cost of the best path known, found here or given.
    upper: Option<u32>,
    /// The last state of that path and the one before it, if it was found here.
    goal: Option<(Option<StateId>, P::State)>,
    lower: u32,
    counts: Counts,
    /// A path became longer than can be held, so that running out of states proves nothing.
    cut: bool,
    done: bool,
}

/// States that one expansion may add at most, as far as memory is concerned.
const AHEAD: usize = 1024;

impl<'p, P: Problem> AStar<'p, P> {
    /// Starts a search. If a path of cost `upper` is known already, only cheaper ones are looked
    /// for.
    pub fn new(problem: &'p P, upper: Option<u32>) -> Self {
        let start = problem.start();
        let estimate = problem.estimate(&start);
        let mut search = AStar {
            problem,
            registry: Registry::default(),
            open: BucketQueue::default(),
            writer: BitWriter::default(),
            followers: Vec::new(),
            layer: estimate.unwrap_or(0),
            sweep: Sweep::default(),
            upper,
            goal: None,
            lower: 0,
            counts: Counts::default(),
            cut: false,
            done: false,
        };
        search.meet(&start, None, 0);
        search.look_at_bounds();
        search
    }

    /// What is known by now.
    pub fn finding(&self) -> Finding {
        match self.upper {
            Some(upper) if self.lower >= upper => Finding::Optimal(upper),
            None if self.done && !self.cut => Finding::Unsolvable,
            upper => Finding::Between { lower: self.lower, upper },
        }
    }

    /// What has been spent; `nodes` are the states held, `model_calls` the states generated,
    /// `iterations` those expanded.
    pub fn counts(&self) -> Counts {
        Counts {
            nodes: self.registry.len() as u64,
            bytes: self.registry.bytes() + self.open.bytes(),
            ..self.counts
        }
    }

    /// The states of the best path found here, from the start to a goal; `None` if none was
    /// found, or none better than the one known before.
    pub fn path(&self) -> Option<Vec<P::State>> {
        let (before, last) = self.goal.as_ref()?;
        let ids = std::iter::successors(*before, |&id| self.registry.parent(id));
        let mut path = vec![last.clone()];
        path.extend(ids.map(|id| self.problem.unpack(&mut self.registry.read(id))));
        path.reverse();
        Some(path)
    }

    /// A state has been reached at this cost. If it belongs to a later layer it is not held, and
    /// that layer is the answer.
    fn meet(&mut self, state: &P::State, parent: Option<StateId>, cost: u32) -> Option<u32> {
        self.counts.model_calls += 1;
        if cost >= MAX_COST {
            self.cut = true;
            return None;
        }
        let upper = self.upper.unwrap_or(u32::MAX);
        if cost >= upper {
            return None;
        }
        let problem = self.problem;
        if problem.is_goal(state) {
            self.upper = Some(cost);
            self.goal = Some((parent, state.clone()));
            return None;
        }
        // Looking a state up is cheaper than its estimate.
        let layer = self.layer;
        let mut known = None;
        let pack = |bits: &mut BitWriter| problem.pack(state, bits);
        let entry = self.registry.enter(&mut self.writer, parent, cost, pack, || {
            known = problem.estimate_for(state, layer.saturating_sub(cost));
            known.is_some_and(|h| cost + h <= layer)
        });
        let id = match entry {
            Entry::New(id) => id,
            Entry::Refused => return known.map(|h| cost + h).filter(|&f| f < upper),
            Entry::Known(_, before) if before <= cost => return None,
            Entry::Known(id, _) => {
                known = problem.estimate_for(state, layer.saturating_sub(cost));
                let parent = parent?;
                self.registry.reach(id, parent, cost);
                id
            }
        };
        self.open.push(0, known?, id);
        None
    }

    /// The next state to expand in the present layer.
    fn next(&mut self) -> Option<StateId> {
        if let Some((_, _, id)) = self.open.pop() {
            return Some(id);
        }
        self.registry.find_waiting(&mut self.sweep, self.layer)
    }

    fn look_at_bounds(&mut self) {
        if self.upper.is_some_and(|upper| self.layer >= upper) {
            // All that is left costs as much as the best path known: it is the least.
            self.done = true;
        } else if self.open.is_empty() && self.sweep.is_over() {
            match self.registry.next_layer(self.layer) {
                Some(layer) => {
                    self.layer = layer;
                    self.sweep = Sweep::over(&self.registry);
                    return self.look_at_bounds();
                }
                None => self.done = true,
            }
        }
        self.lower = self.lower.max(self.layer);
        if let Some(upper) = self.upper.filter(|_| self.done && !self.cut) {
            self.lower = upper;
        }
    }

    /// Expands one state; `true` once there is nothing more to find out.
    pub fn step(&mut self) -> bool {
        if self.done {
            return true;
        }
        if let Some(id) = self.next() {
            self.counts.iterations += 1;
            let cost = self.registry.cost(id);
            let state = self.problem.unpack(&mut self.registry.read(id));
            let mut followers = std::mem::take(&mut self.followers);
            let room = self.layer - cost;
            let left_out = self.problem.successors(&state, room, &mut followers);
            let mut later = left_out.map_or(u32::MAX, |rest| cost + rest);
            for (state, more) in &followers {
                later = later.min(self.meet(state, Some(id), cost + more).unwrap_or(u32::MAX));
            }
            self.followers = followers;
            let wanted = later < self.upper.unwrap_or(u32::MAX);
            self.registry.wait(id, wanted.then_some(later), self.layer);
        }
        self.look_at_bounds();
        self.done
    }

    /// Expands states until all is known, the budget is spent or `cancel` is raised. `watch` is
    /// called about ten times a second.
    pub fn run(
        &mut self,
        budget: &Budget,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Stats, Finding),
    ) -> Stats {
        let begin = Instant::now();
        let mut last_watch = begin;
        let stop = loop {
            let counts = self.counts();
            let ahead = self.registry.growth(AHEAD) + self.open.growth(AHEAD);
            if self.done {
                break StopReason::Complete;
            }
            if budget.iterations.is_some_and(|n| counts.iterations >= n) {
                break StopReason::Iterations;
            }
            if budget.model_calls.is_some_and(|n| counts.model_calls >= n) {
                break StopReason::ModelCalls;
            }
            if budget.memory.is_some_and(|n| counts.bytes + ahead > n)
                || self.registry.is_exhausted(AHEAD)
            {
                break StopReason::Memory;
            }
            if counts.iterations.is_multiple_of(256) {
                if cancel.is_cancelled() {
                    break StopReason::Cancelled;
                }
                let now = Instant::now();
                if budget.time.is_some_and(|t| now.duration_since(begin) >= t) {
                    break StopReason::Time;
                }
                if now.duration_since(last_watch).as_millis() >= 100 {
                    last_watch = now;
                    let seconds = now.duration_since(begin).as_secs_f64();
                    watch(&Stats { counts, seconds, stop: None }, self.finding());
                }
            }
            self.step();
        };
        let seconds = begin.elapsed().as_secs_f64();
        Stats { counts: self.counts(), seconds, stop: Some(stop) }
    }
}
