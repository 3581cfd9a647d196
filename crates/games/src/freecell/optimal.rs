//! The shortest solution with its proof: first any solution, then A* below it.

use patience_model::Rng;
use patience_plan::astar::{AStar, Finding as Known};
use patience_plan::{
    Bounds, Budget, Cancel, Counts, Finding, Planner, Root, Search, Stats, Status, Stepped,
    Verdict, drive,
};

use super::heuristic::Heuristic;
use super::satisficing::SatisficingSearch;
use super::shortest::Shortest;
use super::{Board, FreeCellTable, Step};

/// The planner for [`OptimalSearch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optimal {
    /// What a solution costs at least.
    pub heuristic: Heuristic,
    /// Threads. Solution and counts are the same on any number of them, unless time ends the search.
    pub threads: usize,
}

impl Default for Optimal {
    fn default() -> Self {
        Optimal { heuristic: Heuristic::Best, threads: 1 }
    }
}

impl Planner<FreeCellTable> for Optimal {
    fn search<'g>(
        &self,
        game: &'g FreeCellTable,
        root: Root<FreeCellTable>,
        mut rng: Rng,
    ) -> Box<dyn Search<FreeCellTable> + 'g> {
        Box::new(OptimalSearch::new(game, &root.sample(game, &mut rng), *self))
    }

    fn ends(&self) -> bool {
        true
    }
}

/// Expansions that are spent on a first solution.
const FIRST_SOLUTION: u64 = 20_000;

/// Looks for a shortest solution in the game's metric.
///
/// Guarantees: [`Verdict::Optimal`] and [`Verdict::Unsolvable`] are proofs by exhaustion, for
/// admissible heuristics, which all of [`Heuristic`] are. A budget ends the search with the bounds
/// known by then.
#[derive(Debug)]
pub struct OptimalSearch<'g> {
    /// The search for any solution, until it has ended.
    first: Option<SatisficingSearch<'g>>,
    /// The solution that it found.
    known: Option<Vec<Step>>,
    /// It found that there is none.
    unsolvable: bool,
    search: AStar<Shortest<'g>>,
    /// What the first search took.
    before: Counts,
    budget: Budget,
}

impl<'g> OptimalSearch<'g> {
    /// A search from a board.
    pub fn new(table: &'g FreeCellTable, board: &Board, settings: Optimal) -> Self {
        let problem = Shortest::new(table.engine(), board, settings.heuristic);
        let mut search = OptimalSearch {
            first: Some(SatisficingSearch::new(table, board)),
            known: None,
            unsolvable: false,
            search: AStar::new(problem, None).on_threads(settings.threads),
            before: Counts::default(),
            budget: Budget::UNLIMITED,
        };
        search.within(&Budget::UNLIMITED);
        search
    }

    /// The length of the shortest solution lies between these.
    fn bounds(&self) -> Bounds {
        let (lower, upper) = match self.search.finding() {
            Known::Between { lower, upper } => (lower, upper),
            Known::Optimal(length) => (length, Some(length)),
            Known::Unsolvable => return Bounds::default(),
        };
        Bounds { lower: Some(f64::from(lower)), upper: upper.map(f64::from) }
    }
}

impl Stepped for OptimalSearch<'_> {
    fn step(&mut self) -> Status {
        let Some(first) = &mut self.first else {
            return if self.unsolvable { Status::Complete } else { self.search.step() };
        };
        let status = first.step();
        let counts = first.counts();
        self.before = Counts { nodes: 0, bytes: 0, ..counts };
        if status == Status::Running && counts.iterations < FIRST_SOLUTION {
            return Status::Running;
        }
        self.known = first.steps().map(<[Step]>::to_vec);
        self.unsolvable = first.finding().verdict == Verdict::Unsolvable;
        if self.unsolvable {
            self.before = counts;
        }
        self.first = None;
        if let Some(steps) = &self.known {
            self.search.know(steps.len() as u32);
        }
        let budget = self.budget;
        self.within(&budget);
        if self.unsolvable { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        if let Some(first) = &self.first {
            return first.counts();
        }
        let counts = match self.unsolvable {
            true => return self.before,
            false => self.search.counts(),
        };
        Counts {
            iterations: self.before.iterations + counts.iterations,
            model_calls: self.before.model_calls + counts.model_calls,
            ..counts
        }
    }

    fn within(&mut self, budget: &Budget) {
        self.budget = *budget;
        let cut = budget.iterations.map_or(FIRST_SOLUTION, |n| n.min(FIRST_SOLUTION));
        if let Some(first) = &mut self.first {
            first.within(&Budget { iterations: Some(cut), ..*budget });
        }
        let rest = |all: Option<u64>, spent: u64| all.map(|n| n.saturating_sub(spent));
        self.search.within(&Budget {
            iterations: rest(budget.iterations, self.before.iterations),
            model_calls: rest(budget.model_calls, self.before.model_calls),
            ..*budget
        });
    }

    fn drive(&mut self, budget: &Budget, cancel: &Cancel) -> Stats {
        self.search.helpers().beside(|| drive(self, budget, cancel))
    }
}

impl Search<FreeCellTable> for OptimalSearch<'_> {
    fn finding(&self) -> Finding<Step> {
        let found = self.search.finding();
        if self.unsolvable || found == Known::Unsolvable {
            return Finding::unsolvable();
        }
        let path = self.search.path();
        let steps = path.and_then(|path| self.search.problem().steps(&path));
        let Some(moves) = steps.or_else(|| self.known.clone()) else {
            return Finding { bounds: self.bounds(), ..Finding::default() };
        };
        let verdict = match found {
            Known::Optimal(_) => Verdict::Optimal,
            _ => Verdict::Solved,
        };
        let value = Some(moves.len() as f64);
        Finding { verdict, moves, value, bounds: self.bounds() }
    }
}
