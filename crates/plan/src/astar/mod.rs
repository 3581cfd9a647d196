//! A* over packed states (Hart, Nilsson and Raphael), as the FreeCell paper uses it: a registry
//! of packed states, a bucket queue of ids.

mod bucket_queue;
mod registry;

use std::time::Instant;

pub use bucket_queue::BucketQueue;
pub use registry::{BitReader, BitWriter, Entry, MAX_COST, Registry, StateId};

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

    /// Replaces the contents of `out` by the states that follow and what the way to each costs.
    fn successors(&self, state: &Self::State, out: &mut Vec<(Self::State, u32)>);
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

/// A* in progress.
///
/// Guarantees: complete and optimal for admissible estimates, consistent or not (a state to which
/// a cheaper way is found is opened again). Deterministic. With a memory budget the search ends
/// before it would hold more, with the bounds known by then.
#[derive(Debug)]
pub struct AStar<'p, P: Problem> {
    problem: &'p P,
    registry: Registry,
    queue: BucketQueue,
    writer: BitWriter,
    followers: Vec<(P::State, u32)>,
    /// The cost of the best path known, found here or given.
    upper: Option<u32>,
    goal: Option<StateId>,
    lower: u32,
    counts: Counts,
    /// A path became longer than can be held, so that running out of states proves nothing.
    cut: bool,
    done: bool,
}

/// States that one expansion may add at most, as far as memory is concerned.
const AHEAD: usize = 256;

impl<'p, P: Problem> AStar<'p, P> {
    /// Starts a search. If a path of cost `upper` is known already, only cheaper ones are looked
    /// for.
    pub fn new(problem: &'p P, upper: Option<u32>) -> Self {
        let mut search = AStar {
            problem,
            registry: Registry::default(),
            queue: BucketQueue::default(),
            writer: BitWriter::default(),
            followers: Vec::new(),
            upper,
            goal: None,
            lower: 0,
            counts: Counts::default(),
            cut: false,
            done: false,
        };
        let start = problem.start();
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
            bytes: self.registry.bytes() + self.queue.bytes(),
            ..self.counts
        }
    }

    /// The states of the best path found here, from the start to a goal; `None` if none was
    /// found, or none better than the one known before.
    pub fn path(&self) -> Option<Vec<P::State>> {
        let last = self.goal?;
        let ids = std::iter::successors(Some(last), |&id| self.registry.parent(id));
        let mut path: Vec<P::State> =
            ids.map(|id| self.problem.unpack(&mut self.registry.read(id))).collect();
        path.reverse();
        Some(path)
    }

    /// A state has been reached at this cost.
    fn meet(&mut self, state: &P::State, parent: Option<StateId>, cost: u32) {
        self.counts.model_calls += 1;
        if cost >= MAX_COST {
            self.cut = true;
            return;
        }
        if self.upper.is_some_and(|upper| cost >= upper) {
            return;
        }
        let problem = self.problem;
        // Only what can still become a cheaper path is worth its memory; and looking a state up
        // is cheaper than its estimate.
        let upper = self.upper.unwrap_or(u32::MAX);
        let estimate = || problem.estimate(state).filter(|h| cost + h < upper);
        let mut known = None;
        let pack = |bits: &mut BitWriter| problem.pack(state, bits);
        let entry = self.registry.enter(&mut self.writer, parent, cost, pack, || {
            known = estimate();
            known.is_some()
        });
        let id = match entry {
            Entry::New(id) => id,
            Entry::Refused => return,
            Entry::Known(_, before) if before <= cost => return,
            Entry::Known(id, _) => {
                known = estimate();
                let Some(parent) = parent.filter(|_| known.is_some()) else { return };
                self.registry.reach(id, parent, cost);
                id
            }
        };
        let Some(estimate) = known else { return };
        if problem.is_goal(state) {
            self.upper = Some(cost);
            self.goal = Some(id);
        } else {
            self.queue.push(cost + estimate, estimate, id);
        }
    }

    fn look_at_bounds(&mut self) {
        match self.queue.lowest() {
            Some(f) if self.upper.is_none_or(|upper| f < upper) => self.lower = self.lower.max(f),
            _ => {
                // All that is left costs as much as the best path known: it is the least.
                self.done = true;
                if let Some(upper) = self.upper.filter(|_| !self.cut) {
                    self.lower = upper;
                }
            }
        }
    }

    /// Expands one state; `true` once there is nothing more to find out.
    pub fn step(&mut self) -> bool {
        if self.done {
            return true;
        }
        while let Some((f, estimate, id)) = self.queue.pop() {
            // A cheaper way here was found, or it was expanded, since this entry was made.
            if self.registry.cost(id) != f - estimate || !self.registry.close(id) {
                continue;
            }
            self.counts.iterations += 1;
            let state = self.problem.unpack(&mut self.registry.read(id));
            let mut followers = std::mem::take(&mut self.followers);
            self.problem.successors(&state, &mut followers);
            for (state, cost) in &followers {
                self.meet(state, Some(id), f - estimate + cost);
            }
            self.followers = followers;
            break;
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
            let ahead = self.registry.growth(AHEAD) + self.queue.growth(AHEAD);
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
