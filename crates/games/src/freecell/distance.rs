//! Hints: how many steps every move leaves to go, between proven bounds.
//!
//! 1. The estimate h2 bounds every move's distance from below at once.
//! 2. A solution after each move bounds it from above; what cannot be solved is proven to lose.
//! 3. A* on the position raises the lower bound until the best is proven (Paul and Helmert 2016).
//!
//! The two searches take turns, so that there is something to tell at any time.

use patience_model::Rng;
use patience_plan::astar::{AStar, Finding as Known};
use patience_plan::{
    Bounds, Budget, Counts, Estimate, Finding, Planner, Root, Search, Status, Stepped, Verdict,
};

use super::deadlock::Deadlock;
use super::heuristic::Heuristic;
use super::satisficing::SatisficingSearch;
use super::shortest::Shortest;
use super::state::State;
use super::{Board, FreeCellTable, Step, validator};

/// The planner that tells the steps to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distance;

impl Planner<FreeCellTable> for Distance {
    fn search<'g>(
        &self,
        game: &'g FreeCellTable,
        root: Root<FreeCellTable>,
        mut rng: Rng,
    ) -> Box<dyn Search<FreeCellTable> + 'g> {
        Box::new(DistanceSearch::new(game, root.sample(game, &mut rng)))
    }

    fn ends(&self) -> bool {
        true
    }
}

/// Of five expansions, looks at single moves have three and the proof two.
const LOOKS: u64 = 3;
const PROOF: u64 = 2;
/// Expansions of looks without any solution, after which the proof begins all the same.
const PATIENCE: u64 = 50_000;

/// One move at the root.
struct Tried<'g> {
    step: Step,
    /// No solution after it is shorter, the move included.
    low: u32,
    /// The shortest one known.
    best: Option<Vec<Step>>,
    loses: bool,
    /// The look for a solution after it, until it has ended.
    look: Option<SatisficingSearch<'g>>,
    visits: u64,
}

impl Tried<'_> {
    fn high(&self) -> Option<u32> {
        self.best.as_ref().map(|steps| 1 + steps.len() as u32)
    }

    fn rank(&self) -> (bool, u32, u32) {
        (self.loses, self.high().unwrap_or(u32::MAX), self.low)
    }
}

struct DistanceSearch<'g> {
    table: &'g FreeCellTable,
    board: Board,
    moves: Vec<Tried<'g>>,
    /// Whose turn it is.
    next: usize,
    proof: Option<AStar<Shortest<'g>>>,
    /// No solution of the position is shorter.
    lower: u32,
    unsolvable: bool,
    done: bool,
    /// Of looks that have ended.
    spent: Counts,
    budget: Budget,
}

impl<'g> DistanceSearch<'g> {
    fn new(table: &'g FreeCellTable, board: Board) -> Self {
        let tried = |step: Step| {
            let mut after = board.clone();
            validator::make(&mut after, &step);
            let low = 1 + Deadlock::TWO.estimate(table.engine(), &State::of(&after));
            let look = Some(SatisficingSearch::new(table, &after));
            Tried { step, low, best: None, loses: false, look, visits: 0 }
        };
        let moves: Vec<_> = table.steps(&board).into_iter().map(tried).collect();
        let done = moves.is_empty();
        let unsolvable = done && !board.is_solved(table.rules());
        DistanceSearch {
            table,
            board,
            moves,
            next: 0,
            proof: None,
            lower: 0,
            unsolvable,
            done,
            spent: Counts::default(),
            budget: Budget::UNLIMITED,
        }
    }

    fn looks(&self) -> impl Iterator<Item = &SatisficingSearch<'g>> {
        self.moves.iter().filter_map(|tried| tried.look.as_ref())
    }

    fn looked(&self) -> u64 {
        self.spent.iterations + self.looks().map(|look| look.counts().iterations).sum::<u64>()
    }

    fn best_known(&self) -> Option<u32> {
        self.moves.iter().filter_map(Tried::high).min()
    }

    /// Steps the look of the next move that has one.
    fn look(&mut self) {
        let count = self.moves.len();
        let places = (0..count).map(|n| (self.next + n) % count);
        let mut open = places.filter(|&n| self.moves[n].look.is_some());
        let Some(place) = open.next() else { return };
        self.next = (place + 1) % count;
        // Looks have half of the memory, and each its part of it.
        let memory = self.budget.memory.map(|n| n / 2 / count as u64);
        let tried = &mut self.moves[place];
        let Some(look) = &mut tried.look else { return };
        look.within(&Budget { memory, ..Budget::UNLIMITED });
        let status = look.step();
        let counts = look.counts();
        tried.visits = counts.iterations;
        if status == Status::Running {
            return;
        }
        tried.best = look.steps().map(<[Step]>::to_vec);
        tried.loses = look.finding().verdict == Verdict::Unsolvable;
        tried.look = None;
        self.spent.iterations += counts.iterations;
        self.spent.model_calls += counts.model_calls;
        let upper = self.best_known();
        if let (Some(proof), Some(upper)) = (&mut self.proof, upper) {
            proof.know(upper);
        }
    }

    /// Steps the proof.
    fn prove(&mut self) -> Status {
        let (table, upper) = (self.table, self.best_known());
        let proof = self.proof.get_or_insert_with(|| {
            AStar::new(Shortest::new(table.engine(), &self.board, Heuristic::Best), upper)
        });
        proof.within(&Budget { memory: self.budget.memory.map(|n| n / 2), ..Budget::UNLIMITED });
        let status = proof.step();
        let found = proof.finding();
        match found {
            Known::Between { lower, .. } => self.lower = self.lower.max(lower),
            Known::Optimal(length) => self.lower = length,
            Known::Unsolvable => self.unsolvable = true,
        }
        if status != Status::Running {
            let path = proof.path().and_then(|path| proof.problem().steps(&path));
            if let Some((first, rest)) = path.as_deref().and_then(<[Step]>::split_first) {
                let better = |tried: &Tried<'_>| {
                    tried.best.as_ref().is_none_or(|best| rest.len() < best.len())
                };
                let tried = self.moves.iter_mut().find(|tried| tried.step == *first);
                if let Some(tried) = tried.filter(|tried| better(tried)) {
                    tried.best = Some(rest.to_vec());
                }
            }
        }
        status
    }
}

impl Stepped for DistanceSearch<'_> {
    fn step(&mut self) -> Status {
        if self.done {
            return Status::Complete;
        }
        let looking = self.looks().next().is_some();
        let looked = self.looked();
        let proved = self.proof.as_ref().map_or(0, |proof| proof.counts().iterations);
        let begun = self.best_known().is_some() || looked >= PATIENCE || !looking;
        if looking && (!begun || looked * PROOF <= proved * LOOKS) {
            self.look();
        } else if self.moves.iter().all(|tried| tried.loses) {
            (self.unsolvable, self.done) = (true, true);
        } else {
            match self.prove() {
                Status::Running => {}
                // What is left is to learn how good the other moves are.
                Status::Complete => self.done = self.unsolvable || !looking,
                Status::Full if looking => self.look(),
                Status::Full => return Status::Full,
            }
            let proven = self.best_known().is_some_and(|best| best <= self.lower);
            if proven && looking {
                self.look();
            }
        }
        if self.done { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        let mut counts = self.spent;
        let proof = self.proof.as_ref().map(AStar::counts);
        for own in self.looks().map(Stepped::counts).chain(proof) {
            counts.iterations += own.iterations;
            counts.model_calls += own.model_calls;
            counts.nodes += own.nodes;
            counts.bytes += own.bytes;
        }
        counts
    }

    fn within(&mut self, budget: &Budget) {
        self.budget = *budget;
    }
}

impl Search<FreeCellTable> for DistanceSearch<'_> {
    /// The steps to go, the move included; infinite after a move that loses.
    fn estimates(&self) -> Vec<Estimate<Step>> {
        let estimate = |tried: &Tried<'_>| {
            if tried.loses || self.unsolvable {
                let lost = Estimate::new(tried.step, Some(f64::INFINITY), tried.visits);
                return Estimate { proven: true, ..lost };
            }
            let (low, high) = (tried.low.max(self.lower), tried.high());
            Estimate {
                low: Some(f64::from(low)),
                high: high.map(f64::from),
                proven: high == Some(low),
                ..Estimate::new(tried.step, high.map(f64::from), tried.visits)
            }
        };
        self.moves.iter().map(estimate).collect()
    }

    fn best(&self) -> Option<Step> {
        self.moves.iter().min_by_key(|tried| tried.rank()).map(|tried| tried.step)
    }

    fn finding(&self) -> Finding<Step> {
        if self.unsolvable {
            return Finding::unsolvable();
        }
        let lower = (self.lower > 0).then_some(f64::from(self.lower));
        let best = self.moves.iter().min_by_key(|tried| tried.rank());
        let Some((best, rest)) = best.and_then(|best| Some((best, best.best.as_ref()?))) else {
            return Finding { bounds: Bounds { lower, upper: None }, ..Finding::default() };
        };
        let mut moves = vec![best.step];
        moves.extend(rest);
        let length = moves.len() as f64;
        let verdict = if lower == Some(length) { Verdict::Optimal } else { Verdict::Solved };
        let bounds = Bounds { lower, upper: Some(length) };
        Finding { verdict, moves, value: Some(length), bounds }
    }
}
