//! A* over packed states (Hart, Nilsson and Raphael), as the FreeCell paper uses it: a registry
//! of packed states, a bucket queue of ids.

mod bucket_queue;
mod crew;
mod memo;
mod registry;
mod worker;

use std::sync::Arc;
use std::thread;

pub use bucket_queue::BucketQueue;
pub use registry::{BitReader, BitWriter, Entry, MAX_COST, Registry, StateId, Sweep};

use self::crew::{Closing, Crew, Desk, PART};
use self::worker::Aim;
use crate::{Budget, Cancel, Counts, Stats, Status, Stepped, drive};

/// A shortest-path problem: from a start to any goal, at the least cost.
pub trait Problem {
    /// A state.
    type State: Clone + Send;

    /// What is worked out for a state that is expanded, and used for those that follow from it. One
    /// is used for one problem only.
    type Work: Default + Send + std::fmt::Debug;

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

    /// [`Problem::successors`], where [`Problem::estimate_next`] is asked about them next.
    ///
    /// `before` is the state from which it was reached on the cheapest path known. What follows may
    /// be left out if it is reached as cheaply in another way that is not left out itself.
    fn expand(
        &self,
        state: &Self::State,
        _before: Option<&Self::State>,
        room: u32,
        _work: &mut Self::Work,
        out: &mut Vec<(Self::State, u32)>,
    ) -> Option<u32> {
        self.successors(state, room, out)
    }

    /// [`Problem::estimate_for`], for a state that follows from the one expanded last.
    fn estimate_next(
        &self,
        state: &Self::State,
        enough: u32,
        _work: &mut Self::Work,
    ) -> Option<u32> {
        self.estimate_for(state, enough)
    }
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
/// others. Within a layer the states that look nearest to a goal come first, in batches that grow
/// with the search: those of a batch are expanded side by side, and what follows from them is put
/// in their order.
///
/// Guarantees: complete and optimal for admissible estimates, consistent or not (a state to which
/// a cheaper way is found is opened again). Deterministic: path and counts are the same on any
/// number of threads. With a memory budget the search ends before it would hold more, with the
/// bounds known by then; what threads remember of late, an eighth of a megabyte each, is not counted.
#[derive(Debug)]
pub struct AStar<P: Problem> {
    problem: Arc<P>,
    /// The registry, and the threads that look at it.
    crew: Arc<Crew<P>>,
    /// States of the present layer that have not been expanded in it, by their estimates.
    open: BucketQueue,
    /// How many batches there were.
    batches: u32,
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
    /// What may be spent in all.
    budget: Budget,
    /// A path became longer than can be held, so that running out of states proves nothing.
    cut: bool,
    done: bool,
}

/// States that one expansion may add at most, as far as memory is concerned.
const AHEAD: usize = 1024;

/// The most states in a batch. Larger ones find the goal later in the last layer.
const BATCH: u64 = 2048;
/// Expansions so far for each state of a batch.
const EXPANSIONS_PER_BATCHED: u64 = 1024;
/// Batches from this size on are worth other threads.
const SHARED_BATCH: usize = 64;

impl<P: Problem + Sync> AStar<P> {
    /// Starts a search. If a path of cost `upper` is known already, only cheaper ones are looked
    /// for.
    pub fn new(problem: impl Into<Arc<P>>, upper: Option<u32>) -> Self {
        let problem = problem.into();
        let start = problem.start();
        let estimate = problem.estimate(&start);
        let mut search = AStar {
            problem,
            crew: Arc::default(),
            open: BucketQueue::default(),
            batches: 0,
            layer: estimate.unwrap_or(0),
            sweep: Sweep::default(),
            upper,
            goal: None,
            lower: 0,
            counts: Counts::default(),
            budget: Budget::UNLIMITED,
            cut: false,
            done: false,
        };
        search.begin(start, estimate);
        let crew = Arc::clone(&search.crew);
        search.look_at_bounds(&crew.write().registry);
        search
    }

    /// The same search on so many threads; to be asked for before it goes on.
    pub fn on_threads(mut self, threads: usize) -> Self {
        let helpers = threads.saturating_sub(1);
        if let Some(crew) = Arc::get_mut(&mut self.crew) {
            *crew = std::mem::take(crew).with_helpers(helpers);
        }
        self
    }

    fn begin(&mut self, start: P::State, estimate: Option<u32>) {
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
            let registry = &mut self.crew.write().registry;
            if let Entry::New(id) = registry.enter(writer, None, 0, pack, || true) {
                self.open.push(0, estimate, id);
            }
        }
    }

    /// A path of this cost is known by now: only cheaper ones are looked for.
    pub fn know(&mut self, upper: u32) {
        if self.upper.is_none_or(|known| upper < known) {
            (self.upper, self.goal) = (Some(upper), None);
            let crew = Arc::clone(&self.crew);
            self.look_at_bounds(&crew.write().registry);
        }
    }

    /// The problem.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// The other threads, for whoever steps this search in a loop of its own.
    pub fn helpers(&self) -> Helpers<P> {
        let (crew, problem) = (Arc::clone(&self.crew), Arc::clone(&self.problem));
        Helpers { crew, problem, batch: self.batches }
    }

    /// What is known by now.
    pub fn finding(&self) -> Finding {
        match self.upper {
            Some(upper) if self.lower >= upper => Finding::Optimal(upper),
            None if self.done && !self.cut => Finding::Unsolvable,
            upper => Finding::Between { lower: self.lower, upper },
        }
    }

    /// The states of the best path found here, from the start to a goal; `None` if none was
    /// found, or none better than the one known before.
    pub fn path(&self) -> Option<Vec<P::State>> {
        let (before, last) = self.goal.as_ref()?;
        let registry = &self.crew.read().registry;
        let ids = std::iter::successors(*before, |&id| registry.parent(id));
        let mut path = vec![last.clone()];
        path.extend(ids.map(|id| self.problem.unpack(&mut registry.read(id))));
        path.reverse();
        Some(path)
    }

    /// The next state to expand in the present layer.
    fn next(&mut self, registry: &mut Registry) -> Option<StateId> {
        if let Some((_, _, id)) = self.open.pop() {
            return Some(id);
        }
        registry.find_waiting(&mut self.sweep, self.layer)
    }

    fn look_at_bounds(&mut self, registry: &Registry) {
        if self.upper.is_some_and(|upper| self.layer >= upper) {
            // All that is left costs as much as the best path known: it is the least.
            self.done = true;
        } else if self.open.is_empty() && self.sweep.is_over() {
            match registry.next_layer(self.layer) {
                Some(layer) => {
                    self.layer = layer;
                    self.sweep = Sweep::over(registry);
                    return self.look_at_bounds(registry);
                }
                None => self.done = true,
            }
        }
        self.lower = self.lower.max(self.layer);
        if let Some(upper) = self.upper.filter(|_| self.done && !self.cut) {
            self.lower = upper;
        }
    }

    /// Expands a batch of at most so many states.
    fn expand(&mut self, most: u64) {
        let size = (self.counts.iterations / EXPANSIONS_PER_BATCHED).clamp(1, BATCH).min(most);
        let crew = Arc::clone(&self.crew);
        let mut desk = crew.write();
        let Desk { registry, batch, .. } = &mut *desk;
        batch.clear();
        while (batch.len() as u64) < size {
            let Some(id) = self.next(registry) else { break };
            batch.push(id);
        }
        let count = batch.len();
        self.counts.iterations += count as u64;
        self.batches = self.batches.wrapping_add(1).max(1);
        let upper = self.upper.unwrap_or(u32::MAX);
        Crew::<P>::begin(&mut desk, Aim { layer: self.layer, upper, batch: self.batches });
        drop(desk);
        if count >= SHARED_BATCH && crew.helpers() > 0 {
            crew.call(Some(self.batches));
        }
        crew.work(0, &*self.problem);
        // This waits until all that was taken is done.
        let mut desk = crew.write();
        self.put(&crew, &mut desk);
        self.look_at_bounds(&desk.registry);
    }

    /// Puts what the batch found, in its order.
    fn put(&mut self, crew: &Crew<P>, desk: &mut Desk) {
        let mut workers = crew.workers(desk);
        let Desk { registry, batch, .. } = desk;
        // How far each worker's parts, expanded states, fresh ones and words have been put.
        let mut put = vec![[0; 4]; workers.len()];
        for part in 0..batch.len().div_ceil(PART) {
            let there = |n: &usize| workers[*n].parts.get(put[*n][0]).is_some_and(|p| p.0 == part);
            let n = (0..workers.len()).find(there).expect("each part was taken by one");
            let (worker, [parts, expanded, fresh, words]) = (&workers[n], &mut put[n]);
            let count = worker.parts[*parts].1;
            *parts += 1;
            for done in &worker.expanded[*expanded..*expanded + count] {
                for met in &worker.fresh[*fresh..*fresh + done.fresh as usize] {
                    let length = met.length as usize;
                    let state = &worker.words[*words..*words + length];
                    *words += length;
                    let id = match registry.find(state, met.hash) {
                        None => registry.put(state, met.hash, Some(done.id), met.cost),
                        Some((_, before)) if before <= met.cost => continue,
                        Some((id, _)) => {
                            registry.reach(id, done.id, met.cost);
                            id
                        }
                    };
                    self.open.push(0, met.estimate, id);
                }
                *fresh += done.fresh as usize;
                let wanted = done.later < self.upper.unwrap_or(u32::MAX);
                registry.wait(done.id, wanted.then_some(done.later), self.layer);
            }
            *expanded += count;
        }
        // Of several goals the cheapest, and of these the one that was met first.
        let place = |id: StateId| batch.iter().position(|&there| there == id);
        let goals = workers.iter_mut().flat_map(|worker| worker.goals.drain(..));
        if let Some((cost, parent, state)) = goals.min_by_key(|goal| (goal.0, place(goal.1)))
            && self.upper.is_none_or(|upper| cost < upper)
        {
            self.upper = Some(cost);
            self.goal = Some((Some(parent), state));
        }
        self.counts.model_calls += workers.iter().map(|worker| worker.generated).sum::<u64>();
        self.cut |= workers.iter().any(|worker| worker.cut);
    }

    /// Whether a batch of so many states could take more memory than there is.
    fn is_too_much(&self, memory: Option<u64>, bytes: u64, batch: u64) -> bool {
        let states = AHEAD * batch as usize;
        let queue = || self.open.growth_within(states, self.layer as usize + 1);
        let registry = &self.crew.read().registry;
        memory.is_some_and(|n| bytes + registry.growth(states) + queue() > n)
            || registry.is_exhausted(states)
    }

    /// The states that the next batch may have: as many as iterations, model calls and memory allow.
    fn most(&self) -> u64 {
        let mut most = BATCH;
        if let Some(n) = self.budget.iterations {
            most = most.min(n.saturating_sub(self.counts.iterations).max(1));
        }
        if self.budget.model_calls.is_some() {
            most = 1;
        }
        let bytes = self.counts().bytes;
        while most > 0 && self.is_too_much(self.budget.memory, bytes, most) {
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
        match self.most() {
            0 => return Status::Full,
            most => self.expand(most),
        }
        if self.done { Status::Complete } else { Status::Running }
    }

    /// `nodes` are the states held, `model_calls` the states generated, `iterations` those expanded.
    fn counts(&self) -> Counts {
        let registry = &self.crew.read().registry;
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
        self.helpers().beside(|| drive(self, budget, cancel))
    }
}

/// The other threads of a search: they stand ready while [`Helpers::beside`] works.
#[derive(Debug)]
pub struct Helpers<P: Problem> {
    crew: Arc<Crew<P>>,
    problem: Arc<P>,
    batch: u32,
}

impl<P: Problem + Sync> Helpers<P> {
    /// Does something while the other threads stand ready.
    pub fn beside<R>(self, work: impl FnOnce() -> R) -> R {
        let Helpers { crew, problem, batch } = self;
        crew.call(Some(batch));
        thread::scope(|scope| {
            let _closing = Closing(&crew);
            for number in 1..=crew.helpers() {
                let (crew, problem) = (&crew, &*problem);
                let help = move || crew.help(number, problem);
                // A system that allows fewer threads gets fewer.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            work()
        })
    }
}
