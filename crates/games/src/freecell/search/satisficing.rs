//! Any solution, soon: greedy best-first search with restarts. An attempt that takes too long is
//! followed by one with other weights; first some quick attempts, then complete ones.

use patience_model::Rng;
use patience_plan::astar::{BitWriter, BucketQueue, Entry, Problem, Registry, StateId};
use patience_plan::{Budget, Counts, Finding, Planner, Root, Search, Status, Stepped};

use super::quick::{End, Quick};
use super::score::{LONG, QUICK, Weights};
use super::shortest::Shortest;
use crate::freecell::engine::{FreeCell, State};
use crate::freecell::heuristics::{Deadlock, Heuristic};
use crate::freecell::{Board, FreeCellTable, Step};

/// Expansions of the quick attempts, which come first, in turn.
const QUICK_LENGTHS: [u64; 4] = [400, 1300, 1300, 600];

/// Expansions of a complete attempt in the first round and in the second, and the factor from each
/// round to the next. Complete attempts use macro moves: fewer states with more successors each,
/// which pays where much or all of the state space is searched.
const FIRST_ROUND: u64 = 800;
const SECOND_ROUND: u64 = 40_000;
const ROUND_GROWTH: u64 = 4;

/// An upper bound on the states that one expansion adds, for the memory check.
const MAX_SUCCESSORS: usize = 1024;

/// Expansions of a complete attempt in one step.
const STEP: u64 = 256;

/// The planner for [`SatisficingSearch`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Satisficing;

impl Planner<FreeCellTable> for Satisficing {
    fn search<'g>(
        &self,
        game: &'g FreeCellTable,
        root: Root<FreeCellTable>,
        mut rng: Rng,
    ) -> Box<dyn Search<FreeCellTable> + 'g> {
        Box::new(SatisficingSearch::new(game, &root.sample(game, &mut rng)))
    }

    fn ends(&self) -> bool {
        true
    }
}

/// Searches for any solution of a board.
///
/// Guarantees: complete, since attempts grow without limit and the complete ones prune no state
/// that is needed; so the verdict that there is no solution is a proof by exhaustion.
/// Deterministic. `nodes` of the counts are the states held by the last attempt.
#[derive(Debug)]
pub struct SatisficingSearch<'g> {
    game: &'g FreeCell,
    problem: Shortest<'g>,
    phase: Phase<'g>,
    counts: Counts,
    budget: Budget,
    /// A solution, or `None` if it is proven that there is none.
    found: Option<Option<Vec<Step>>>,
}

#[derive(Debug)]
enum Phase<'g> {
    /// The quick attempts, and how many of them are over.
    Quick(Quick<'g>, usize),
    /// The complete attempts: the round, the weights, the attempt in progress, and the number of
    /// expansions at which it ends.
    Complete { round: u32, weights: usize, attempt: Box<Attempt>, until: u64 },
}

impl<'g> SatisficingSearch<'g> {
    /// A search from a board.
    pub fn new(table: &'g FreeCellTable, board: &Board) -> Self {
        let game = table.engine();
        let any = Heuristic::Deadlock(Deadlock::NONE);
        let problem = Shortest::new(game, board, any);
        let (counts, budget) = (Counts::default(), Budget::UNLIMITED);
        let phase = Phase::Quick(Quick::new(game), 0);
        SatisficingSearch { game, problem, phase, counts, budget, found: None }
    }

    /// The solution found, if there is one.
    pub(super) fn steps(&self) -> Option<&[Step]> {
        self.found.as_ref()?.as_deref()
    }

    /// Expansions left in the budget.
    fn left(&self) -> u64 {
        self.budget.iterations.map_or(u64::MAX, |n| n.saturating_sub(self.counts.iterations))
    }

    /// Starts the next complete attempt once the one before has had its expansions.
    fn next_attempt(&mut self) {
        match self.phase {
            Phase::Quick(_, number) if number == QUICK_LENGTHS.len() => self.start(0, 0),
            Phase::Complete { round, weights, until, .. } if self.counts.iterations >= until => {
                match weights + 1 < LONG.len() {
                    true => self.start(round, weights + 1),
                    false => self.start(round + 1, 0),
                }
            }
            _ => {}
        }
    }

    /// Starts a complete attempt.
    fn start(&mut self, round: u32, weights: usize) {
        let length = match round {
            0 => FIRST_ROUND,
            _ => SECOND_ROUND.saturating_mul(ROUND_GROWTH.saturating_pow(round - 1)),
        };
        let until = self.counts.iterations.saturating_add(length);
        let attempt = Box::new(Attempt::new(self.game, &self.problem, LONG[weights]));
        self.phase = Phase::Complete { round, weights, attempt, until };
    }
}

impl Stepped for SatisficingSearch<'_> {
    fn step(&mut self) -> Status {
        if self.found.is_some() {
            return Status::Complete;
        }
        self.next_attempt();
        let (left, memory) = (self.left(), self.budget.memory);
        match &mut self.phase {
            Phase::Quick(quick, number) => {
                let length = QUICK_LENGTHS[*number].min(left);
                let end = quick.attempt(&self.problem.start(), &QUICK[*number], length, memory);
                self.counts = quick.counts();
                match end {
                    End::Solved(moves) => self.found = Some(Some(self.problem.steps_of(&moves))),
                    End::Over => *number += 1,
                    // The complete attempts take less memory.
                    End::Full => *number = QUICK_LENGTHS.len(),
                }
            }
            Phase::Complete { attempt, until, .. } => {
                let most = (self.counts.iterations + STEP.min(left)).min(*until);
                match attempt.run(self.game, &self.problem, most, memory, &mut self.counts) {
                    Status::Complete => {
                        let path = attempt.path(&self.problem);
                        let steps = path.map(|path| self.problem.steps(&path));
                        // A path without steps would be a fault; it must not pass for a proof.
                        if steps == Some(None) {
                            return Status::Full;
                        }
                        self.found = Some(steps.flatten());
                    }
                    Status::Full => return Status::Full,
                    Status::Running => {}
                }
            }
        }
        if self.found.is_some() { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        match &self.phase {
            Phase::Quick(quick, _) => quick.counts(),
            Phase::Complete { attempt, .. } => {
                Counts { nodes: attempt.nodes(), bytes: attempt.bytes(), ..self.counts }
            }
        }
    }

    fn within(&mut self, budget: &Budget) {
        self.budget = *budget;
    }
}

impl Search<FreeCellTable> for SatisficingSearch<'_> {
    fn finding(&self) -> Finding<Step> {
        match &self.found {
            Some(Some(steps)) => Finding::solved(steps.clone(), steps.len() as f64),
            Some(None) => Finding::unsolvable(),
            None => Finding::default(),
        }
    }
}

/// One complete greedy best-first search.
#[derive(Debug)]
struct Attempt {
    weights: Weights,
    /// The states generated so far: open and closed.
    registry: Registry,
    open: BucketQueue,
    writer: BitWriter,
    goal: Option<StateId>,
}

impl Attempt {
    fn new(game: &FreeCell, problem: &Shortest<'_>, weights: Weights) -> Self {
        let mut attempt = Attempt {
            weights,
            registry: Registry::default(),
            open: BucketQueue::default(),
            writer: BitWriter::default(),
            goal: None,
        };
        attempt.generate(game, problem, &problem.start(), None, 0);
        attempt
    }

    fn nodes(&self) -> u64 {
        self.registry.len() as u64
    }

    fn bytes(&self) -> u64 {
        self.registry.bytes() + self.open.bytes()
    }

    /// Adds a generated state to the open list, unless it was generated before.
    fn generate(
        &mut self,
        game: &FreeCell,
        problem: &Shortest<'_>,
        state: &State,
        parent: Option<StateId>,
        cost: u32,
    ) {
        let pack = |bits: &mut BitWriter| problem.pack(state, bits);
        let entry = self.registry.insert(&mut self.writer, parent, cost, pack, || true);
        if let Entry::New(id) = entry {
            self.open.push(self.weights.score(game, state, cost), 0, id);
            if state.is_solved(game.rules()) {
                self.goal = Some(id);
            }
        }
    }

    /// Expands states until a goal is found, none is left, or there were `until` expansions in all.
    fn run(
        &mut self,
        game: &FreeCell,
        problem: &Shortest<'_>,
        until: u64,
        memory: Option<u64>,
        counts: &mut Counts,
    ) -> Status {
        let mut successors = Vec::new();
        while self.goal.is_none() {
            let growth = self.registry.growth(MAX_SUCCESSORS) + self.open.growth(MAX_SUCCESSORS);
            let full = memory.is_some_and(|n| self.bytes() + growth > n);
            if full || self.registry.is_exhausted(MAX_SUCCESSORS) {
                return Status::Full;
            }
            if counts.iterations >= until {
                return Status::Running;
            }
            let Some((_, _, id)) = self.open.pop() else { break };
            counts.iterations += 1;
            let cost = self.registry.cost(id);
            let state = problem.unpack(&mut self.registry.read(id));
            problem.successors(&state, u32::MAX, &mut successors);
            counts.model_calls += successors.len() as u64;
            for (next, more) in &successors {
                self.generate(game, problem, next, Some(id), cost + more);
            }
        }
        Status::Complete
    }

    fn path(&self, problem: &Shortest<'_>) -> Option<Vec<State>> {
        let ids = std::iter::successors(Some(self.goal?), |&id| self.registry.parent(id));
        let mut path: Vec<State> =
            ids.map(|id| problem.unpack(&mut self.registry.read(id))).collect();
        path.reverse();
        Some(path)
    }
}
