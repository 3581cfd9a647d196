//! A search as a value that is stepped, and the planner that starts it.

use std::time::{Duration, Instant};

use patience_model::{Game, Rng};

use crate::uct::Judged;
use crate::{Branch, Budget, Cancel, Counts, Estimate, Finding, Halt, Root, Stats, StopReason};

/// Whether a search can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is more to find out.
    Running,
    /// Further steps would change nothing.
    Complete,
    /// The next step could take more memory than there is.
    Full,
}

/// Work in progress: a value that is stepped, asked, and stepped again.
pub trait Stepped {
    /// One iteration: an episode, a leaf, a sweep, some expansions. Does nothing once complete.
    fn step(&mut self) -> Status;

    /// What has been spent so far; must be cheap.
    fn counts(&self) -> Counts;

    /// What may be spent in all, told before the work is run: a search that does much in one step
    /// keeps within it, and one that plans its phases plans them for it.
    fn within(&mut self, _budget: &Budget) {}

    /// Runs until the budget is spent, the work is complete or `cancel` is raised. The counts are
    /// those since it was started, so it can be run on with a larger budget.
    fn run(&mut self, budget: &Budget, cancel: &Cancel) -> Stats {
        self.within(budget);
        self.drive(budget, cancel)
    }

    /// Runs without a word on what may be spent in all: [`watched`] drives slice by slice.
    ///
    /// This is a provided method so that the innermost loop is compiled for each search: types are
    /// erased around it, not inside it. A search with threads of its own starts them around [`drive`].
    fn drive(&mut self, budget: &Budget, cancel: &Cancel) -> Stats {
        drive(self, budget, cancel)
    }
}

/// A search: planning, hinting, solving and proving are all searches.
///
/// What a search knows of the actions at its root is in its [`estimates`](Search::estimates), what it
/// knows of the position as a whole in its [`finding`](Search::finding); a search that has nothing to
/// say of either leaves it out.
pub trait Search<G: Game>: Stepped {
    /// What is thought of each action at the root, in the game's order.
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        Vec::new()
    }

    /// The recommended action; `None` if the game is over at the root.
    fn best(&self) -> Option<G::Action> {
        self.finding().moves.first().copied()
    }

    /// Why the recommended action is preferred, where its value alone does not say: it may be the
    /// best though another looks better so far.
    fn reason(&self) -> Option<&'static str> {
        None
    }

    /// What is known of the position as a whole: a solution, its value, proven bounds.
    fn finding(&self) -> Finding<G::Action> {
        Finding::default()
    }

    /// Figures of the search's own, such as its first estimate, by the names that its planner gives.
    fn figures(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// What a proof leaves to be compared with the same proof made again; nothing where the search
    /// proves nothing, or has not done so yet.
    fn certificate(&self) -> Option<String> {
        None
    }

    /// The policy that the search has come to: how likely it would take each action at the root, in the
    /// order of the estimates. By visits, unless it knows better.
    fn policy(&self) -> Vec<f64> {
        share_of_visits(&self.estimates())
    }

    /// The leaves that whoever steps the search must judge before it can go on: where there are some,
    /// a step does nothing. Only of a search whose leaf [`waits`](crate::uct::Leaf::waits).
    fn asked(&mut self) -> &mut [Judged<G>] {
        &mut []
    }

    /// Goes on with what was thought of those leaves.
    fn answered(&mut self) {}

    /// The first levels of the tree in hand, so many actions deep, to be looked at; nothing if the
    /// search keeps none.
    fn tree(&self, _depth: u32) -> Vec<Branch<G::Action, G::Obs>> {
        Vec::new()
    }

    /// Starts anew from another root, in the memory of the old search, exactly as a new search
    /// would. `false` if it cannot: then a new search must be started.
    fn restart(&mut self, _root: Root<G>, _rng: Rng) -> bool {
        false
    }

    /// Moves the root below a move that was played, keeping what was learnt there. `false` if
    /// nothing could be kept and the search must be started anew.
    fn advance(&mut self, _action: G::Action, _obs: G::Obs, _root: Root<G>) -> bool {
        false
    }
}

/// What share of the visits each action had; each alike before the first.
pub(crate) fn share_of_visits<A>(estimates: &[Estimate<A>]) -> Vec<f64> {
    let sum: u64 = estimates.iter().map(|estimate| estimate.visits).sum();
    let share = |estimate: &Estimate<A>| match sum {
        0 => 1.0 / estimates.len() as f64,
        sum => estimate.visits as f64 / sum as f64,
    };
    estimates.iter().map(share).collect()
}

/// The one loop that knows budget, clock, memory and cancellation: steps until the budget is spent,
/// the work is complete or `cancel` is raised. A move that takes too long is ended by a [`Halt`], and
/// the search with it.
pub fn drive<S: Stepped + ?Sized>(search: &mut S, budget: &Budget, cancel: &Cancel) -> Stats {
    let mut steps = |count: u64, halt: &Halt| steps(search, budget, count, halt);
    let (stop, seconds) = timed(&mut steps, budget.time, cancel);
    Stats { counts: search.counts(), seconds, stop: Some(stop) }
}

/// At most so many steps; `None` if there may be more of them. Only this is compiled for each search.
fn steps<S: Stepped + ?Sized>(
    search: &mut S,
    budget: &Budget,
    mut count: u64,
    halt: &Halt,
) -> Option<StopReason> {
    loop {
        let counts = search.counts();
        if budget.iterations.is_some_and(|n| counts.iterations >= n) {
            return Some(StopReason::Iterations);
        }
        if budget.model_calls.is_some_and(|n| counts.model_calls >= n) {
            return Some(StopReason::ModelCalls);
        }
        if budget.memory.is_some_and(|n| counts.bytes >= n) {
            return Some(StopReason::Memory);
        }
        if count == 0 || halt.struck() {
            return None;
        }
        count -= 1;
        match search.step() {
            Status::Running => {}
            Status::Complete => return Some(StopReason::Complete),
            Status::Full => return Some(StopReason::Memory),
        }
    }
}

/// Steps until there is a reason to stop, and looks at the clock between them: about once a
/// millisecond, however short they are. With the seconds that it took.
fn timed(
    steps: &mut dyn FnMut(u64, &Halt) -> Option<StopReason>,
    time: Option<Duration>,
    cancel: &Cancel,
) -> (StopReason, f64) {
    let begin = Instant::now();
    // One move may take longer than the search may.
    let halt = Halt::new(cancel, time.and_then(|t| begin.checked_add(t)));
    let (mut stride, mut last) = (1_u64, begin);
    let mut count = 0;
    let stop = loop {
        if let Some(stop) = steps(count, &halt) {
            break stop;
        }
        if cancel.is_cancelled() {
            break StopReason::Cancelled;
        }
        let now = Instant::now();
        if time.is_some_and(|t| now.duration_since(begin) >= t) {
            break StopReason::Time;
        }
        if count > 0 {
            match now.duration_since(last).as_micros() {
                ..500 => stride = (stride * 2).min(1 << 20),
                2001.. => stride = (stride / 2).max(1),
                _ => {}
            }
        }
        (last, count) = (now, stride);
    };
    (stop, begin.elapsed().as_secs_f64())
}

/// Who watches is told this often.
const EVERY: Duration = Duration::from_millis(100);
/// And the first time so soon: people wait for it.
const SOON: Duration = Duration::from_millis(40);

/// Runs a search like [`Stepped::run`], and shows it to `watch` about ten times a second.
pub fn watched<G: Game>(
    search: &mut dyn Search<G>,
    budget: &Budget,
    cancel: &Cancel,
    watch: &mut dyn FnMut(&dyn Search<G>, &Stats),
) -> Stats {
    search.within(budget);
    let begin = Instant::now();
    let mut every = SOON;
    loop {
        let left = budget.time.map_or(every, |time| time.saturating_sub(begin.elapsed()));
        let slice = Budget { time: Some(left.min(every)), ..*budget };
        every = EVERY;
        let mut stats = search.drive(&slice, cancel);
        stats.seconds = begin.elapsed().as_secs_f64();
        let spent = budget.time.is_some_and(|time| begin.elapsed() >= time);
        if stats.stop != Some(StopReason::Time) || spent {
            return stats;
        }
        stats.stop = None;
        watch(search, &stats);
    }
}

/// A planner: parameters from which searches are started.
pub trait Planner<G: Game>: Send + Sync {
    /// Starts a search. All its randomness comes from `rng`.
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g>;

    /// Whether its searches end by themselves; others must be given a budget.
    fn ends(&self) -> bool;

    /// The names of the figures that its searches give.
    fn figures(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether its searches can [`advance`](Search::advance) below a move.
    fn advances(&self) -> bool {
        false
    }
}
