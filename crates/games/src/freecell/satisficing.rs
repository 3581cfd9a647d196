//! Any solution, at once: greedy best-first search, begun anew with other weights when one does
//! not get there soon; first some quick attempts, then complete ones.

use std::time::Instant;

use patience_plan::astar::{BitWriter, BucketQueue, Entry, Problem, Registry, StateId};
use patience_plan::{Budget, Cancel, Counts, Stats, StopReason};

use super::deadlock::Deadlock;
use super::engine::FreeCell;
use super::heuristic::Heuristic;
use super::quick::{End, Quick};
use super::score::{LONG, QUICK, Weights};
use super::shortest::Shortest;
use super::state::State;
use super::{Board, Step};

/// What a search for any solution found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A solution, not always a short one.
    Solved(Vec<Step>),
    /// There is none: all that can be reached was looked at.
    Unsolvable,
    /// The budget was spent before.
    Unknown,
}

/// Expansions of the quick attempts, which are made first, in turn.
const QUICK_LENGTHS: [u64; 4] = [400, 1300, 1300, 600];

/// Expansions of a complete attempt in the first round, in the second, and how much longer those
/// of each next are. In these cards go into cells only where the next move needs it: there are fewer states,
/// with more ways on from each, which pays where much or all must be looked at.
const FIRST_ROUND: u64 = 800;
const SECOND_ROUND: u64 = 40_000;
const ROUND_GROWTH: u64 = 4;

/// States that one expansion may add at most, as far as memory is concerned.
const AHEAD: usize = 1024;

/// What ends a search from outside.
pub(super) struct Limits<'l> {
    budget: &'l Budget,
    cancel: &'l Cancel,
    begin: Instant,
}

impl Limits<'_> {
    /// Why the search must end, if it must, before it holds so many bytes.
    #[inline]
    pub(super) fn reached(&self, spent: &Counts, bytes: u64) -> Option<StopReason> {
        let budget = self.budget;
        if budget.iterations.is_some_and(|n| spent.iterations >= n) {
            return Some(StopReason::Iterations);
        }
        if budget.model_calls.is_some_and(|n| spent.model_calls >= n) {
            return Some(StopReason::ModelCalls);
        }
        if budget.memory.is_some_and(|n| bytes > n) {
            return Some(StopReason::Memory);
        }
        if spent.iterations.is_multiple_of(256) {
            if self.cancel.is_cancelled() {
                return Some(StopReason::Cancelled);
            }
            if budget.time.is_some_and(|t| self.begin.elapsed() >= t) {
                return Some(StopReason::Time);
            }
        }
        None
    }
}

/// Looks for any solution of a board.
///
/// Guarantees: complete, since attempts grow without end and none of the long ones drops a state
/// that could lead on; so the verdict that there is no solution is a proof by exhaustion.
/// Deterministic for budgets without time. `nodes` of the counts are the states of the last
/// attempt.
pub fn solve(game: &FreeCell, board: &Board, budget: &Budget, cancel: &Cancel) -> (Verdict, Stats) {
    let begin = Instant::now();
    let limits = Limits { budget, cancel, begin };
    let ended = |verdict, counts, stop| {
        let seconds = begin.elapsed().as_secs_f64();
        (verdict, Stats { counts, seconds, stop: Some(stop) })
    };
    let any = Heuristic::Deadlock(Deadlock::NONE);
    let problem = Shortest::new(game, board, any);
    let mut quick = Quick::new(game);
    for (weights, length) in QUICK.iter().zip(QUICK_LENGTHS) {
        match quick.attempt(&problem.start(), weights, length, &limits) {
            End::Solved(moves) => {
                let verdict = Verdict::Solved(problem.steps_of(&moves));
                return ended(verdict, quick.counts(), StopReason::Complete);
            }
            End::Over => {}
            // The complete search takes less memory.
            End::Stopped(StopReason::Memory) => break,
            End::Stopped(stop) => return ended(Verdict::Unknown, quick.counts(), stop),
        }
    }
    let mut spent = Counts { nodes: 0, bytes: 0, ..quick.counts() };
    drop(quick);
    for round in 0u32.. {
        let length = match round {
            0 => FIRST_ROUND,
            _ => SECOND_ROUND.saturating_mul(ROUND_GROWTH.saturating_pow(round - 1)),
        };
        for weights in LONG {
            let mut attempt = Attempt::new(game, &problem, weights, spent);
            let stop = attempt.run(spent.iterations.saturating_add(length), &limits);
            spent = attempt.counts();
            let Some(stop) = stop else { continue };
            let verdict = match attempt.path() {
                Some(path) => problem.steps(&path).map_or(Verdict::Unknown, Verdict::Solved),
                None if stop == StopReason::Complete => Verdict::Unsolvable,
                None => Verdict::Unknown,
            };
            return ended(verdict, spent, stop);
        }
    }
    unreachable!("rounds do not end")
}

struct Attempt<'p> {
    game: &'p FreeCell,
    problem: &'p Shortest<'p>,
    weights: Weights,
    registry: Registry,
    queue: BucketQueue,
    writer: BitWriter,
    goal: Option<StateId>,
    counts: Counts,
}

impl<'p> Attempt<'p> {
    fn new(
        game: &'p FreeCell,
        problem: &'p Shortest<'p>,
        weights: Weights,
        counts: Counts,
    ) -> Self {
        let mut attempt = Attempt {
            game,
            problem,
            weights,
            registry: Registry::default(),
            queue: BucketQueue::default(),
            writer: BitWriter::default(),
            goal: None,
            counts,
        };
        attempt.meet(&problem.start(), None, 0);
        attempt
    }

    fn counts(&self) -> Counts {
        Counts {
            nodes: self.registry.len() as u64,
            bytes: self.registry.bytes() + self.queue.bytes(),
            ..self.counts
        }
    }

    fn meet(&mut self, state: &State, parent: Option<StateId>, cost: u32) {
        let pack = |bits: &mut BitWriter| self.problem.pack(state, bits);
        let entry = self.registry.enter(&mut self.writer, parent, cost, pack, || true);
        if let Entry::New(id) = entry {
            self.queue.push(self.weights.score(self.game, state, cost), 0, id);
            if state.is_solved(self.game.rules()) {
                self.goal = Some(id);
            }
        }
    }

    /// Why the attempt is over; `None` if only its own length is.
    fn run(&mut self, until: u64, limits: &Limits<'_>) -> Option<StopReason> {
        let mut followers = Vec::new();
        while self.goal.is_none() {
            let ahead = self.registry.growth(AHEAD) + self.queue.growth(AHEAD);
            let bytes = self.registry.bytes() + self.queue.bytes() + ahead;
            if let Some(stop) = limits.reached(&self.counts, bytes) {
                return Some(stop);
            }
            if self.registry.is_exhausted(AHEAD) {
                return Some(StopReason::Memory);
            }
            if self.counts.iterations >= until {
                return None;
            }
            let Some((_, _, id)) = self.queue.pop() else { break };
            self.counts.iterations += 1;
            let cost = self.registry.cost(id);
            let state = self.problem.unpack(&mut self.registry.read(id));
            self.problem.successors(&state, u32::MAX, &mut followers);
            self.counts.model_calls += followers.len() as u64;
            for (next, more) in &followers {
                self.meet(next, Some(id), cost + more);
            }
        }
        Some(StopReason::Complete)
    }

    fn path(&self) -> Option<Vec<State>> {
        let ids = std::iter::successors(Some(self.goal?), |&id| self.registry.parent(id));
        let mut path: Vec<State> =
            ids.map(|id| self.problem.unpack(&mut self.registry.read(id))).collect();
        path.reverse();
        Some(path)
    }
}
