//! Any solution, at once: greedy best-first search, begun anew with other weights when one does
//! not get there soon.

use std::time::Instant;

use patience_plan::astar::{BitWriter, BucketQueue, Entry, Problem, Registry, StateId};
use patience_plan::{Budget, Cancel, Counts, Stats, StopReason};

use super::deadlock::Deadlock;
use super::engine::FreeCell;
use super::heuristic::Heuristic;
use super::shortest::Shortest;
use super::state::{NONE, State};
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

/// How much each thing counts that is in the way of a solution.
#[derive(Clone, Copy, Debug)]
struct Weights {
    /// The estimate h2.
    estimate: u32,
    /// Cells that are taken.
    cells: u32,
    /// Columns that are not empty.
    columns: u32,
    /// Cards over the next card of each suit.
    over_next: u32,
}

/// Tried in turn. Picked by hand from some twenty settings by how many of the first 200 or 400
/// deals each solved alone within a thousand expansions; the first solved 340 of 400.
const ATTEMPTS: [Weights; 5] = [
    Weights { estimate: 4, cells: 3, columns: 3, over_next: 1 },
    Weights { estimate: 4, cells: 2, columns: 2, over_next: 1 },
    Weights { estimate: 2, cells: 1, columns: 3, over_next: 1 },
    Weights { estimate: 1, cells: 2, columns: 2, over_next: 0 },
    Weights { estimate: 2, cells: 1, columns: 1, over_next: 1 },
];

/// Expansions of an attempt in the first round, in the second, and how much longer those of each
/// next are. From the second round on cards go into cells only where the next move needs it: there
/// are fewer states, with more ways on from each, which pays where much or all must be looked at.
const FIRST_ROUND: u64 = 500;
const SECOND_ROUND: u64 = 40_000;
const ROUND_GROWTH: u64 = 4;

/// States that one expansion may add at most, as far as memory is concerned.
const AHEAD: usize = 256;

/// Looks for any solution of a board.
///
/// Guarantees: complete, since attempts grow without end and none drops a state that could lead
/// on; so the verdict that there is no solution is a proof by exhaustion. Deterministic for
/// budgets without time. `nodes` of the counts are the states of the last attempt.
pub fn solve(game: &FreeCell, board: &Board, budget: &Budget, cancel: &Cancel) -> (Verdict, Stats) {
    let begin = Instant::now();
    let any = Heuristic::Deadlock(Deadlock::NONE);
    let late = Shortest::new(game, board, any);
    let at_once = late.clone().without_late_moves();
    let mut spent = Counts::default();
    for round in 0u32.. {
        let (problem, length) = match round {
            0 => (&at_once, FIRST_ROUND),
            _ => (&late, SECOND_ROUND.saturating_mul(ROUND_GROWTH.saturating_pow(round - 1))),
        };
        for weights in ATTEMPTS {
            let mut attempt = Attempt::new(game, problem, weights, spent);
            let stop = attempt.run(spent.iterations.saturating_add(length), budget, cancel, begin);
            spent = attempt.counts();
            let Some(stop) = stop else { continue };
            let verdict = match attempt.path() {
                Some(path) => problem.steps(&path).map_or(Verdict::Unknown, Verdict::Solved),
                None if stop == StopReason::Complete => Verdict::Unsolvable,
                None => Verdict::Unknown,
            };
            let seconds = begin.elapsed().as_secs_f64();
            return (verdict, Stats { counts: spent, seconds, stop: Some(stop) });
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
            self.queue.push(self.in_the_way(state), 0, id);
            if state.is_solved(self.game.rules()) {
                self.goal = Some(id);
            }
        }
    }

    /// Why the attempt is over; `None` if only its own length is.
    fn run(
        &mut self,
        until: u64,
        budget: &Budget,
        cancel: &Cancel,
        begin: Instant,
    ) -> Option<StopReason> {
        let mut followers = Vec::new();
        while self.goal.is_none() {
            let ahead = self.registry.growth(AHEAD) + self.queue.growth(AHEAD);
            let bytes = self.registry.bytes() + self.queue.bytes() + ahead;
            if budget.iterations.is_some_and(|n| self.counts.iterations >= n) {
                return Some(StopReason::Iterations);
            }
            if budget.model_calls.is_some_and(|n| self.counts.model_calls >= n) {
                return Some(StopReason::ModelCalls);
            }
            if budget.memory.is_some_and(|n| bytes > n) || self.registry.is_exhausted(AHEAD) {
                return Some(StopReason::Memory);
            }
            if self.counts.iterations.is_multiple_of(256) {
                if cancel.is_cancelled() {
                    return Some(StopReason::Cancelled);
                }
                if budget.time.is_some_and(|t| begin.elapsed() >= t) {
                    return Some(StopReason::Time);
                }
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

    /// What is left to do and what is in the way, against the room there is to do it in.
    fn in_the_way(&self, state: &State) -> u32 {
        let rules = self.game.rules();
        let columns = &state.tops[..usize::from(rules.columns)];
        let filled = columns.iter().filter(|&&top| top != NONE).count() as u32;
        let mut next = 0u64;
        for (suit, &home) in state.home.iter().enumerate().filter(|(_, h)| **h < rules.ranks) {
            next |= 1 << (4 * usize::from(home) + suit);
        }
        let mut over_next = 0;
        for &top in columns {
            for (depth, card) in (0..).zip(state.column(top)) {
                if next >> card & 1 == 1 {
                    over_next += depth;
                }
            }
        }
        self.weights.estimate * Deadlock::TWO.estimate(self.game, state)
            + self.weights.cells * state.cells.count_ones()
            + self.weights.columns * filled
            + self.weights.over_next * over_next
    }
}
