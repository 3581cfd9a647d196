//! A shortest solution with its proof: can it be won, then a short way, then the shortest.

use std::sync::Arc;

use patience_model::Rng;
use patience_plan::astar::{AStar, Finding as AStarFinding};
use patience_plan::{
    Bounds, Budget, Cancel, Counts, Finding, Planner, Root, Search, Stats, Status, Stepped,
    Verdict, drive,
};

use super::problem::{Shortest, Weighted};
use crate::klondike::solver::{Thoughtful, ThoughtfulSearch};
use crate::klondike::{KlondikeTable, Move, length};

/// The planner for [`OptimalSearch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optimal {
    /// Threads. Solution and counts are the same for any number, unless time ends the search.
    pub threads: usize,
}

impl Default for Optimal {
    fn default() -> Self {
        Optimal { threads: 1 }
    }
}

impl Planner<KlondikeTable> for Optimal {
    /// Where there is nothing to solve, which [`Shortest::new`] tells, nothing is found.
    fn search<'g>(
        &self,
        game: &'g KlondikeTable,
        root: Root<KlondikeTable>,
        mut rng: Rng,
    ) -> Box<dyn Search<KlondikeTable> + 'g> {
        Box::new(OptimalSearch::new(game, root.sample(game, &mut rng), *self))
    }

    fn ends(&self) -> bool {
        true
    }

    /// The lower bound at the start.
    fn figures(&self) -> &'static [&'static str] {
        &["estimate"]
    }
}

/// How much estimates weigh in the search for a short solution, and the states it expands at most.
const WEIGHT: u32 = 2;
const SHORT: u64 = 100_000;

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Any,
    Short,
    Shortest,
    Over,
}

/// Searches for a shortest solution.
///
/// Guarantees: [`Verdict::Optimal`] and [`Verdict::Unsolvable`] are proofs, by exhaustion. A budget ends
/// the search with the best solution and the bounds known by then.
#[derive(Debug)]
pub struct OptimalSearch<'g> {
    phase: Phase,
    any: ThoughtfulSearch<'g>,
    short: AStar<Weighted>,
    shortest: AStar<Shortest>,
    problem: Arc<Shortest>,
    /// The best solution of the first two.
    known: Option<Vec<Move>>,
    estimate: Option<u32>,
    /// What they spent.
    spent: Counts,
    budget: Budget,
}

impl<'g> OptimalSearch<'g> {
    /// A search from a position.
    pub fn new(
        table: &'g KlondikeTable,
        start: crate::klondike::Position,
        settings: Optimal,
    ) -> Self {
        let rules = table.rules();
        let any = ThoughtfulSearch::new(table, start.clone(), Thoughtful::default());
        let (phase, start) = match any {
            Ok(_) => (Phase::Any, start),
            // Nothing to search.
            Err(_) => (Phase::Over, crate::klondike::Position::default()),
        };
        let any = any.unwrap_or_else(|_| ThoughtfulSearch::idle(table, Thoughtful::default()));
        let problem = Arc::new(Shortest::checked(rules, &start));
        let weighted = Weighted { problem: Arc::clone(&problem), weight: WEIGHT };
        let estimate = (phase == Phase::Any).then(|| problem.least()).flatten();
        OptimalSearch {
            phase,
            any,
            short: AStar::new(weighted, None),
            shortest: AStar::new(Arc::clone(&problem), None).on_threads(settings.threads),
            problem,
            known: None,
            estimate,
            spent: Counts::default(),
            budget: Budget::UNLIMITED,
        }
    }

    fn length(&self) -> Option<u32> {
        self.known.as_deref().map(|moves| length(moves) as u32)
    }

    /// Goes on to the next search, after what this one spent.
    fn go_on(&mut self, to: Phase, counts: Counts) {
        self.spent.iterations += counts.iterations;
        self.spent.model_calls += counts.model_calls;
        self.phase = to;
        if let Some(length) = self.length() {
            self.shortest.set_upper_bound(length);
        }
        let budget = self.budget;
        self.within(&budget);
    }

    fn step_any(&mut self) -> Status {
        if self.any.step() == Status::Running {
            return Status::Running;
        }
        let counts = self.any.counts();
        let Finding { verdict, moves, .. } = self.any.finding();
        self.known = (verdict == Verdict::Solved).then_some(moves);
        if verdict == Verdict::Unsolvable {
            self.phase = Phase::Over;
            return Status::Complete;
        }
        self.go_on(Phase::Short, counts);
        Status::Running
    }

    fn step_short(&mut self) -> Status {
        let status = self.short.step();
        let counts = self.short.counts();
        let found = match self.short.finding() {
            AStarFinding::Between { upper, .. } => upper,
            AStarFinding::Optimal(length) => Some(length),
            AStarFinding::Unsolvable => None,
        };
        if status == Status::Running && found.is_none() && counts.iterations < SHORT {
            return Status::Running;
        }
        let path = self.short.path().zip(found);
        let moves = path.and_then(|(path, cost)| self.problem.moves(&path, cost).ok());
        if let Some(moves) = moves
            && self.length().is_none_or(|known| (length(&moves) as u32) < known)
        {
            self.known = Some(moves);
        }
        // Its memory is given back.
        let weighted = Weighted { problem: Arc::clone(&self.problem), weight: WEIGHT };
        self.short = AStar::new(weighted, Some(0));
        self.go_on(Phase::Shortest, counts);
        Status::Running
    }
}

impl Stepped for OptimalSearch<'_> {
    fn step(&mut self) -> Status {
        match self.phase {
            Phase::Any => self.step_any(),
            Phase::Short => self.step_short(),
            Phase::Shortest => self.shortest.step(),
            Phase::Over => Status::Complete,
        }
    }

    fn counts(&self) -> Counts {
        let counts = match self.phase {
            Phase::Any | Phase::Over => self.any.counts(),
            Phase::Short => self.short.counts(),
            Phase::Shortest => self.shortest.counts(),
        };
        Counts {
            iterations: self.spent.iterations + counts.iterations,
            model_calls: self.spent.model_calls + counts.model_calls,
            ..counts
        }
    }

    fn within(&mut self, budget: &Budget) {
        self.budget = *budget;
        let left = |all: Option<u64>, spent: u64| all.map(|n| n.saturating_sub(spent));
        let budget = Budget {
            iterations: left(budget.iterations, self.spent.iterations),
            model_calls: left(budget.model_calls, self.spent.model_calls),
            ..*budget
        };
        self.any.within(&budget);
        self.short.within(&budget);
        self.shortest.within(&budget);
    }

    fn drive(&mut self, budget: &Budget, cancel: &Cancel) -> Stats {
        self.shortest.workers().run_beside(|| drive(self, budget, cancel))
    }
}

impl Search<KlondikeTable> for OptimalSearch<'_> {
    fn figures(&self) -> Vec<(&'static str, f64)> {
        vec![("estimate", self.estimate.map_or(f64::NAN, f64::from))]
    }

    fn certificate(&self) -> Option<String> {
        let certificate = self.shortest.certificate().filter(|_| self.phase == Phase::Shortest)?;
        Some(certificate.to_string())
    }

    fn finding(&self) -> Finding<Move> {
        if self.phase == Phase::Over {
            return self.any.finding();
        }
        let found = self.shortest.finding();
        let (lower, upper) = match found {
            AStarFinding::Between { lower, upper } => (lower, upper),
            AStarFinding::Optimal(length) => (length, Some(length)),
            AStarFinding::Unsolvable => return Finding::unsolvable(),
        };
        let bounds = Bounds { lower: Some(lower.into()), upper: upper.map(f64::from) };
        let path = self.shortest.path().zip(upper);
        let moves = path.and_then(|(path, cost)| self.problem.moves(&path, cost).ok());
        let Some(moves) = moves.or_else(|| self.known.clone()) else {
            return Finding { bounds, ..Finding::default() };
        };
        let value = length(&moves) as f64;
        let optimal = matches!(found, AStarFinding::Optimal(least) if f64::from(least) == value);
        let verdict = if optimal { Verdict::Optimal } else { Verdict::Solved };
        Finding { verdict, moves, value: Some(value), bounds }
    }
}
