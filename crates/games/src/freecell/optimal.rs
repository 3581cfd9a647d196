//! The shortest solution with its proof: first any solution, then A* below it.

use std::time::{Duration, Instant};

use patience_plan::astar::{AStar, Finding};
use patience_plan::{Budget, Cancel, Stats, StopReason};

use super::engine::FreeCell;
use super::heuristic::Heuristic;
use super::satisficing::{self, Verdict};
use super::shortest::Shortest;
use super::{Board, Step};

/// What is known of the length of the shortest solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// No solution is shorter.
    pub lower: u32,
    /// A solution of this length is known.
    pub upper: Option<u32>,
}

/// What the search for a shortest solution found.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// The solution is a shortest one: all that could be shorter was looked at.
    Optimal(Vec<Step>),
    /// A solution; whether there is a shorter one is open. None is shorter than the bound.
    Solved(Vec<Step>, Bounds),
    /// There is no solution: all that can be reached was looked at.
    Unsolvable,
    /// No solution is known by now; none is shorter than the bound.
    Unknown(Bounds),
}

/// What is told while the search goes on.
#[derive(Clone, Copy, Debug)]
pub enum News<'n> {
    /// The first solution, as soon as there is one.
    First(&'n [Step]),
    /// The closing gap, about ten times a second.
    Gap(&'n Stats, Bounds),
}

/// Expansions that are spent on a first solution.
const FIRST_SOLUTION: u64 = 20_000;

/// Looks for a shortest solution in the game's metric. `watch` hears the [`News`].
///
/// Guarantees: [`Shown::Optimal`] and [`Shown::Unsolvable`] are proofs by exhaustion, for
/// admissible heuristics, which all of [`Heuristic`] are. A budget ends the search with the bounds
/// known by then.
pub fn optimal(
    game: &FreeCell,
    board: &Board,
    heuristic: Heuristic,
    budget: &Budget,
    cancel: &Cancel,
    watch: &mut dyn FnMut(News<'_>),
) -> (Shown, Stats) {
    optimal_on(1, game, board, heuristic, budget, cancel, watch)
}

/// [`optimal`] on so many threads. Solution and counts are the same on any number of them, unless
/// time ends the search.
pub fn optimal_on(
    threads: usize,
    game: &FreeCell,
    board: &Board,
    heuristic: Heuristic,
    budget: &Budget,
    cancel: &Cancel,
    watch: &mut dyn FnMut(News<'_>),
) -> (Shown, Stats) {
    let begin = Instant::now();
    let cut = budget.iterations.map_or(FIRST_SOLUTION, |n| n.min(FIRST_SOLUTION));
    let first = Budget { iterations: Some(cut), ..*budget };
    let (verdict, mut stats) = satisficing::solve(game, board, &first, cancel);
    let known = match verdict {
        Verdict::Unsolvable => return (Shown::Unsolvable, stats),
        Verdict::Solved(steps) => Some(steps),
        Verdict::Unknown => None,
    };
    let problem = Shortest::new(game, board, heuristic);
    let mut search =
        AStar::new(&problem, known.as_ref().map(|steps| steps.len() as u32)).on_threads(threads);
    if let Some(steps) = &known {
        watch(News::First(steps));
    }
    watch(News::Gap(&stats, bounds(search.finding())));
    let spent = begin.elapsed();
    let rest = Budget {
        time: budget.time.map(|t| t.checked_sub(spent).unwrap_or(Duration::ZERO)),
        ..*budget
    };
    if cancel.is_cancelled() {
        stats.stop = Some(StopReason::Cancelled);
    } else {
        let before = stats.counts;
        stats = search.run(&rest, cancel, &mut |stats, finding| {
            watch(News::Gap(stats, bounds(finding)));
        });
        stats.counts.iterations += before.iterations;
        stats.counts.model_calls += before.model_calls;
    }
    stats.seconds = begin.elapsed().as_secs_f64();
    let steps = search.path().and_then(|path| problem.steps(&path)).or(known);
    let shown = match (search.finding(), steps) {
        (Finding::Unsolvable, _) => Shown::Unsolvable,
        (Finding::Optimal(_), Some(steps)) => Shown::Optimal(steps),
        (finding, Some(steps)) => Shown::Solved(steps, bounds(finding)),
        (finding, None) => Shown::Unknown(bounds(finding)),
    };
    (shown, stats)
}

fn bounds(finding: Finding) -> Bounds {
    match finding {
        Finding::Between { lower, upper } => Bounds { lower, upper },
        Finding::Optimal(length) => Bounds { lower: length, upper: Some(length) },
        Finding::Unsolvable => Bounds { lower: u32::MAX, upper: None },
    }
}
