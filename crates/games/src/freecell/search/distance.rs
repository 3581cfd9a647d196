//! Hints: the distance to the end after every move, between proven bounds.
//!
//! 1. The heuristic h2 gives a lower bound for every move at once.
//! 2. A satisficing search after each move gives an upper bound, or proves that the move loses.
//! 3. A* from the position raises the lower bound until the best move is proven (Paul and Helmert
//!    2016).
//!
//! The searches take turns, so that there is an answer at any time.

use patience_model::Rng;
use patience_plan::astar::{AStar, Finding as AStarFinding};
use patience_plan::{
    Bounds, Budget, Counts, Estimate, Finding, Planner, Root, Search, Status, Stepped, Verdict,
};

use super::satisficing::SatisficingSearch;
use super::shortest::Shortest;
use crate::freecell::engine::State;
use crate::freecell::heuristics::{Deadlock, Heuristic};
use crate::freecell::{Board, FreeCellTable, Step, validator};

/// The planner whose values are distances: the steps to the end, the move included.
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

/// Of five expansions, the satisficing searches have three and A* two.
const SATISFICING_SHARE: u64 = 3;
const ASTAR_SHARE: u64 = 2;
/// If there is no solution after so many expansions, A* starts without an upper bound.
const ASTAR_START: u64 = 50_000;

/// A move at the root.
struct RootMove<'g> {
    step: Step,
    /// A lower bound on its distance.
    low: u32,
    /// The shortest solution known after it.
    best: Option<Vec<Step>>,
    loses: bool,
    /// The search for a solution after it, until it ends.
    search: Option<SatisficingSearch<'g>>,
    expansions: u64,
}

impl RootMove<'_> {
    fn high(&self) -> Option<u32> {
        self.best.as_ref().map(|steps| 1 + steps.len() as u32)
    }

    /// Takes over a solution if it is the shortest so far.
    fn improve(&mut self, steps: &[Step]) {
        if self.best.as_ref().is_none_or(|best| steps.len() < best.len()) {
            self.best = Some(steps.to_vec());
        }
    }

    fn rank(&self) -> (bool, u32, u32) {
        (self.loses, self.high().unwrap_or(u32::MAX), self.low)
    }
}

struct DistanceSearch<'g> {
    table: &'g FreeCellTable,
    board: Board,
    moves: Vec<RootMove<'g>>,
    /// The move whose turn is next.
    next: usize,
    astar: Option<AStar<Shortest<'g>>>,
    /// A lower bound on the distance of the position.
    lower: u32,
    unsolvable: bool,
    done: bool,
    /// What the searches that have ended spent.
    ended: Counts,
    budget: Budget,
}

impl<'g> DistanceSearch<'g> {
    fn new(table: &'g FreeCellTable, board: Board) -> Self {
        let root_move = |step: Step| {
            let mut after = board.clone();
            validator::make(&mut after, &step);
            let low = 1 + Deadlock::TWO.estimate(table.engine(), &State::of(&after));
            let search = Some(SatisficingSearch::new(table, &after));
            RootMove { step, low, best: None, loses: false, search, expansions: 0 }
        };
        let moves: Vec<_> = table.steps(&board).into_iter().map(root_move).collect();
        let done = moves.is_empty();
        let unsolvable = done && !board.is_solved(table.rules());
        DistanceSearch {
            table,
            board,
            moves,
            next: 0,
            astar: None,
            lower: 0,
            unsolvable,
            done,
            ended: Counts::default(),
            budget: Budget::UNLIMITED,
        }
    }

    /// The satisficing searches in progress.
    fn searches(&self) -> impl Iterator<Item = &SatisficingSearch<'g>> {
        self.moves.iter().filter_map(|m| m.search.as_ref())
    }

    /// The expansions of all satisficing searches.
    fn satisficing_expansions(&self) -> u64 {
        let running = self.searches().map(|search| search.counts().iterations);
        self.ended.iterations + running.sum::<u64>()
    }

    /// An upper bound on the distance of the position.
    fn upper(&self) -> Option<u32> {
        self.moves.iter().filter_map(RootMove::high).min()
    }

    /// Steps the search of the next move that has one.
    fn step_satisficing(&mut self) {
        let count = self.moves.len();
        let places = (0..count).map(|n| (self.next + n) % count);
        let mut running = places.filter(|&n| self.moves[n].search.is_some());
        let Some(place) = running.next() else { return };
        self.next = (place + 1) % count;
        // These searches share half of the memory.
        let memory = self.budget.memory.map(|n| n / 2 / count as u64);
        let root_move = &mut self.moves[place];
        let Some(search) = &mut root_move.search else { return };
        search.within(&Budget { memory, ..Budget::UNLIMITED });
        let status = search.step();
        let counts = search.counts();
        root_move.expansions = counts.iterations;
        if status == Status::Running {
            return;
        }
        let found = search.finding();
        root_move.search = None;
        root_move.loses = found.verdict == Verdict::Unsolvable;
        if found.verdict == Verdict::Solved {
            root_move.improve(&found.moves);
        }
        self.ended.iterations += counts.iterations;
        self.ended.model_calls += counts.model_calls;
        let upper = self.upper();
        if let (Some(astar), Some(upper)) = (&mut self.astar, upper) {
            astar.set_upper_bound(upper);
        }
    }

    /// Steps A*.
    fn step_astar(&mut self) -> Status {
        let (table, upper) = (self.table, self.upper());
        let astar = self.astar.get_or_insert_with(|| {
            AStar::new(Shortest::new(table.engine(), &self.board, Heuristic::Best), upper)
        });
        astar.within(&Budget { memory: self.budget.memory.map(|n| n / 2), ..Budget::UNLIMITED });
        let status = astar.step();
        match astar.finding() {
            AStarFinding::Between { lower, .. } => self.lower = self.lower.max(lower),
            AStarFinding::Optimal(length) => self.lower = length,
            AStarFinding::Unsolvable => self.unsolvable = true,
        }
        if status != Status::Running {
            let path = astar.path().and_then(|path| astar.problem().steps(&path));
            if let Some((first, rest)) = path.as_deref().and_then(<[Step]>::split_first)
                && let Some(root_move) = self.moves.iter_mut().find(|m| m.step == *first)
            {
                root_move.improve(rest);
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
        let running = self.searches().next().is_some();
        let satisficing = self.satisficing_expansions();
        let astar = self.astar.as_ref().map_or(0, |astar| astar.counts().iterations);
        let astar_started = self.upper().is_some() || satisficing >= ASTAR_START || !running;
        let is_behind = satisficing * ASTAR_SHARE <= astar * SATISFICING_SHARE;
        if running && (!astar_started || is_behind) {
            self.step_satisficing();
        } else if self.moves.iter().all(|m| m.loses) {
            (self.unsolvable, self.done) = (true, true);
        } else {
            match self.step_astar() {
                Status::Running => {}
                // The distances of the other moves are left.
                Status::Complete => self.done = self.unsolvable || !running,
                Status::Full if running => self.step_satisficing(),
                Status::Full => return Status::Full,
            }
            let proven = self.upper().is_some_and(|upper| upper <= self.lower);
            if proven && running {
                self.step_satisficing();
            }
        }
        if self.done { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        let mut counts = self.ended;
        let astar = self.astar.as_ref().map(AStar::counts);
        for one in self.searches().map(Stepped::counts).chain(astar) {
            counts.iterations += one.iterations;
            counts.model_calls += one.model_calls;
            counts.nodes += one.nodes;
            counts.bytes += one.bytes;
        }
        counts
    }

    fn within(&mut self, budget: &Budget) {
        self.budget = *budget;
    }
}

impl Search<FreeCellTable> for DistanceSearch<'_> {
    /// The distance, the move included; infinite for a move that loses.
    fn estimates(&self) -> Vec<Estimate<Step>> {
        let estimate = |m: &RootMove<'_>| {
            if m.loses || self.unsolvable {
                let lost = Estimate::new(m.step, Some(f64::INFINITY), m.expansions);
                return Estimate { proven: true, ..lost };
            }
            let (low, high) = (m.low.max(self.lower), m.high());
            Estimate {
                low: Some(f64::from(low)),
                high: high.map(f64::from),
                proven: high == Some(low),
                ..Estimate::new(m.step, high.map(f64::from), m.expansions)
            }
        };
        self.moves.iter().map(estimate).collect()
    }

    fn best(&self) -> Option<Step> {
        self.moves.iter().min_by_key(|m| m.rank()).map(|m| m.step)
    }

    fn finding(&self) -> Finding<Step> {
        if self.unsolvable {
            return Finding::unsolvable();
        }
        if self.moves.is_empty() {
            return Finding::reached();
        }
        let lower = (self.lower > 0).then_some(f64::from(self.lower));
        let best = self.moves.iter().min_by_key(|m| m.rank());
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
