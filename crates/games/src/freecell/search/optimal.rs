//! A shortest solution with its proof: first any solution, then A* for a shorter one.

use patience_model::Rng;
use patience_plan::astar::{AStar, Finding as AStarFinding};
use patience_plan::{
    Bounds, Budget, Cancel, Counts, Finding, Planner, Root, Search, Stats, Status, Stepped,
    Verdict, drive,
};

use super::satisficing::SatisficingSearch;
use super::shortest::Shortest;
use crate::freecell::{Board, Deadlock, FreeCellTable, Heuristic, State, Step};

/// The planner for [`OptimalSearch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optimal {
    /// The lower bound that guides A*.
    pub heuristic: Heuristic,
    /// Threads. Solution and counts are the same for any number, unless time ends the search.
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

    /// The paper's heuristic h2, and the one used, at the start.
    fn figures(&self) -> &'static [&'static str] {
        &["h2", "estimate"]
    }
}

/// The most expansions spent on a first solution.
const FIRST_SOLUTION: u64 = 20_000;

/// Searches for a shortest solution in the game's metric.
///
/// Guarantees: [`Verdict::Optimal`] and [`Verdict::Unsolvable`] are proofs by exhaustion, since
/// every [`Heuristic`] is admissible. A budget ends the search with the bounds known by then.
#[derive(Debug)]
pub struct OptimalSearch<'g> {
    /// The search for a first solution, until it ends.
    first: Option<SatisficingSearch<'g>>,
    /// The solution that it found.
    first_solution: Option<Vec<Step>>,
    /// It proved that there is none.
    unsolvable: bool,
    astar: AStar<Shortest<'g>>,
    figures: [f64; 2],
    /// What the first search spent.
    first_counts: Counts,
    budget: Budget,
}

impl<'g> OptimalSearch<'g> {
    /// A search from a board.
    pub fn new(table: &'g FreeCellTable, board: &Board, settings: Optimal) -> Self {
        let problem = Shortest::new(table.engine(), board, settings.heuristic);
        let state = State::of(board);
        let h2 = Deadlock::TWO.estimate(table.engine(), &state);
        let estimate = settings.heuristic.estimate(table.engine(), &state);
        let mut search = OptimalSearch {
            first: Some(SatisficingSearch::new(table, board)),
            first_solution: None,
            unsolvable: false,
            astar: AStar::new(problem, None).on_threads(settings.threads),
            figures: [f64::from(h2), f64::from(estimate)],
            first_counts: Counts::default(),
            budget: Budget::UNLIMITED,
        };
        search.within(&Budget::UNLIMITED);
        search
    }

    /// Bounds on the length of a shortest solution.
    fn bounds(&self) -> Bounds {
        let (lower, upper) = match self.astar.finding() {
            AStarFinding::Between { lower, upper } => (lower, upper),
            AStarFinding::Optimal(length) => (length, Some(length)),
            AStarFinding::Unsolvable => return Bounds::default(),
        };
        Bounds { lower: Some(f64::from(lower)), upper: upper.map(f64::from) }
    }
}

impl Stepped for OptimalSearch<'_> {
    fn step(&mut self) -> Status {
        let Some(first) = &mut self.first else {
            return if self.unsolvable { Status::Complete } else { self.astar.step() };
        };
        let status = first.step();
        let counts = first.counts();
        self.first_counts = Counts { nodes: 0, bytes: 0, ..counts };
        if status == Status::Running && counts.iterations < FIRST_SOLUTION {
            return Status::Running;
        }
        self.first_solution = first.steps().map(<[Step]>::to_vec);
        self.unsolvable = first.finding().verdict == Verdict::Unsolvable;
        if self.unsolvable {
            self.first_counts = counts;
        }
        self.first = None;
        if let Some(steps) = &self.first_solution {
            self.astar.set_upper_bound(steps.len() as u32);
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
            true => return self.first_counts,
            false => self.astar.counts(),
        };
        Counts {
            iterations: self.first_counts.iterations + counts.iterations,
            model_calls: self.first_counts.model_calls + counts.model_calls,
            ..counts
        }
    }

    fn within(&mut self, budget: &Budget) {
        self.budget = *budget;
        let cut = budget.iterations.map_or(FIRST_SOLUTION, |n| n.min(FIRST_SOLUTION));
        if let Some(first) = &mut self.first {
            first.within(&Budget { iterations: Some(cut), ..*budget });
        }
        let left = |all: Option<u64>, spent: u64| all.map(|n| n.saturating_sub(spent));
        self.astar.within(&Budget {
            iterations: left(budget.iterations, self.first_counts.iterations),
            model_calls: left(budget.model_calls, self.first_counts.model_calls),
            ..*budget
        });
    }

    fn drive(&mut self, budget: &Budget, cancel: &Cancel) -> Stats {
        self.astar.workers().run_beside(|| drive(self, budget, cancel))
    }
}

impl Search<FreeCellTable> for OptimalSearch<'_> {
    fn figures(&self) -> Vec<(&'static str, f64)> {
        vec![("h2", self.figures[0]), ("estimate", self.figures[1])]
    }

    fn certificate(&self) -> Option<String> {
        let certificate = self.astar.certificate().filter(|_| self.first.is_none())?;
        Some(certificate.to_string())
    }

    fn finding(&self) -> Finding<Step> {
        let found = self.astar.finding();
        if self.unsolvable || found == AStarFinding::Unsolvable {
            return Finding::unsolvable();
        }
        let path = self.astar.path();
        let steps = path.and_then(|path| self.astar.problem().steps(&path));
        let Some(moves) = steps.or_else(|| self.first_solution.clone()) else {
            return Finding { bounds: self.bounds(), ..Finding::default() };
        };
        let verdict = match found {
            AStarFinding::Optimal(_) => Verdict::Optimal,
            _ => Verdict::Solved,
        };
        let value = Some(moves.len() as f64);
        Finding { verdict, moves, value, bounds: self.bounds() }
    }
}
