//! The solvers of FreeCell and what they report.

use patience_games::FreeCell;
use patience_games::freecell::{
    Deadlock, Heuristic, Shown, State, Step, Verdict, optimal as shortest, solve, validator,
};
use patience_lab::{Column, TaskError};
use patience_model::Rng;
use patience_plan::{Budget, Cancel};

use super::heuristic;
use crate::call::{Arguments, CallError, Param};
use crate::registry::PlannerInfo;
use crate::solver::Solver;

/// Solvers of FreeCell.
pub(in crate::registry) const SOLVERS: &[PlannerInfo] = &[
    PlannerInfo {
        name: "optimal",
        summary: "a shortest solution with its proof: any solution first, then A* below it",
        guarantee: "the length is the least there is, or unsolvable is proven, by exhaustion",
        paper: "Paul and Helmert 2016",
        needs: "",
        hidden: false,
        iteration: "expanded state",
        games: &["freecell"],
        parameters: &[
            Param { name: "heuristic", default: "best", meaning: "best, or the paper's h0 … h4" },
            Param {
                name: "expansions",
                default: "inf",
                meaning: "states to expand at most; then the bounds by then count",
            },
            Param {
                name: "memory",
                default: "4000",
                meaning: "megabytes that the search may hold; a deal that needs more is not proven",
            },
            Param {
                name: "spread",
                default: "false",
                meaning: "true: also columns for the distributions of lengths and of effort",
            },
        ],
    },
    PlannerInfo {
        name: "satisficing",
        summary: "any solution at once: greedy search, begun anew with other weights",
        guarantee: "complete; unsolvable is proven by exhaustion; lengths are not the least",
        paper: "the upper bound before A*; not in Paul and Helmert 2016",
        needs: "",
        hidden: false,
        iteration: "expanded state",
        games: &["freecell"],
        parameters: &[Param {
            name: "expansions",
            default: "inf",
            meaning: "states to expand at most",
        }],
    },
];

/// Where the distribution of lengths is looked at, and that of expanded states.
const LENGTHS: std::ops::RangeInclusive<u32> = 60..=100;
const EFFORTS: [f64; 17] =
    [1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8];

struct Optimal {
    heuristic: Heuristic,
    budget: Budget,
    spread: bool,
}

pub(super) fn optimal(
    _game: &FreeCell,
    arguments: &Arguments<'_>,
) -> Result<Box<dyn Solver<FreeCell>>, CallError> {
    let megabytes = arguments.whole("memory")?.unwrap_or(4000);
    Ok(Box::new(Optimal {
        heuristic: heuristic(arguments)?,
        budget: Budget {
            iterations: arguments.whole_or_inf("expansions")?.flatten(),
            memory: Some(megabytes.saturating_mul(1_000_000)),
            ..Budget::UNLIMITED
        },
        spread: arguments.flag("spread")?.unwrap_or(false),
    }))
}

impl Solver<FreeCell> for Optimal {
    /// `proven`: the verdict is certain. `length`: of the best solution, 0 without one.
    /// `h2`, `estimate`: the paper's heuristic and the one used, at the start. `states`: those held.
    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![
            Column::mean("length"),
            Column::proportion("proven"),
            Column::mean("lower_bound"),
            Column::mean("h2"),
            Column::mean("estimate"),
            Column::mean("states"),
            Column::mean("evaluated"),
            Column::mean("expanded"),
            Column::mean("bytes_per_state"),
        ];
        if self.spread {
            let at_most = |name, x| Column::proportion(name).at(x);
            columns.extend(LENGTHS.map(|x| at_most("length at most", f64::from(x))));
            columns.extend(EFFORTS.map(|x| at_most("states at most", x)));
        }
        columns
    }

    fn solve(
        &self,
        game: &FreeCell,
        state: &State,
        _rng: Rng,
        cancel: &Cancel,
    ) -> Result<Vec<f64>, TaskError> {
        let board = state.board(game.rules());
        let (shown, stats) =
            shortest(game, &board, self.heuristic, &self.budget, cancel, &mut |_| {});
        if cancel.is_cancelled() {
            return Err(TaskError::Interrupted);
        }
        let (steps, proven, lower) = match &shown {
            Shown::Optimal(steps) => (steps.as_slice(), true, steps.len() as u32),
            Shown::Solved(steps, bounds) => (steps.as_slice(), false, bounds.lower),
            Shown::Unsolvable => (&[][..], true, 0),
            Shown::Unknown(bounds) => (&[][..], false, bounds.lower),
        };
        let length = checked(game, state, steps)?;
        let counts = stats.counts;
        let states = counts.nodes as f64;
        let mut values = vec![
            length,
            f64::from(u8::from(proven)),
            f64::from(lower),
            f64::from(Deadlock::TWO.estimate(game, state)),
            f64::from(self.heuristic.estimate(game, state)),
            states,
            counts.model_calls as f64,
            counts.iterations as f64,
            counts.bytes as f64 / states.max(1.0),
        ];
        if self.spread {
            values.extend(LENGTHS.map(|x| f64::from(u8::from(length <= f64::from(x)))));
            values.extend(EFFORTS.map(|x| f64::from(u8::from(states <= x))));
        }
        Ok(values)
    }
}

struct Satisficing {
    budget: Budget,
}

pub(super) fn satisficing(
    _game: &FreeCell,
    arguments: &Arguments<'_>,
) -> Result<Box<dyn Solver<FreeCell>>, CallError> {
    let iterations = arguments.whole_or_inf("expansions")?.flatten();
    Ok(Box::new(Satisficing { budget: Budget { iterations, ..Budget::UNLIMITED } }))
}

impl Solver<FreeCell> for Satisficing {
    /// `decided`: solved, or proven to have no solution. `length`: 0 without a solution.
    fn columns(&self) -> Vec<Column> {
        vec![
            Column::proportion("solved"),
            Column::proportion("decided"),
            Column::mean("length"),
            Column::mean("expanded"),
        ]
    }

    fn solve(
        &self,
        game: &FreeCell,
        state: &State,
        _rng: Rng,
        cancel: &Cancel,
    ) -> Result<Vec<f64>, TaskError> {
        let board = state.board(game.rules());
        let (verdict, stats) = solve(game, &board, &self.budget, cancel);
        if cancel.is_cancelled() {
            return Err(TaskError::Interrupted);
        }
        let (solved, decided, length) = match &verdict {
            Verdict::Solved(steps) => (1.0, 1.0, checked(game, state, steps)?),
            Verdict::Unsolvable => (0.0, 1.0, 0.0),
            Verdict::Unknown => (0.0, 0.0, 0.0),
        };
        Ok(vec![solved, decided, length, stats.counts.iterations as f64])
    }
}

/// The length of a solution, once the validator has replayed it; 0 for none.
fn checked(game: &FreeCell, state: &State, steps: &[Step]) -> Result<f64, TaskError> {
    let board = state.board(game.rules());
    if steps.is_empty() && !board.is_solved(game.rules()) {
        return Ok(0.0);
    }
    validator::verify(game.rules(), game.metric(), &board, steps)
        .map(f64::from)
        .map_err(|error| TaskError::Failed(format!("the solution does not hold: {error}")))
}
