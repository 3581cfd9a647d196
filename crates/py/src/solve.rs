//! Whole deals and boards, of any game that has a solver: what `patience solve` and `patience verify`
//! do. Every solution was replayed by the game's validator before it is given.

use std::time::Duration;

use patience::lab::did_you_mean;
use patience::plan::Budget;
use patience::{AnyGame, AnyState, Call, Invalid, Objective, SolveError, Solved};
use pyo3::prelude::*;

use crate::convert::{deal_name, maybe_whole, seconds, to_python, whole};
use crate::error::{Kind, call, input, raise, usage};
use crate::game::played;
use crate::interrupt::watched;

/// Time for a search that would not end.
const STANDARD: Duration = Duration::from_secs(10);

/// Solves a deal or a position, by the solver named or the one that suits the game. Without a limit
/// a search that would not end by itself has 10 seconds.
#[pyfunction]
#[pyo3(signature = (game, deal, position, solver, seed, iterations, time, memory, watch = None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    game: &str,
    deal: Option<&Bound<'py, PyAny>>,
    position: Option<&str>,
    solver: Option<&str>,
    #[pyo3(from_py_with = whole)] seed: u64,
    #[pyo3(from_py_with = maybe_whole)] iterations: Option<u64>,
    time: Option<f64>,
    #[pyo3(from_py_with = whole)] memory: u64,
    watch: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let made = played(game, position)?;
    // The game's own solver is not for every variant of it.
    let usual =
        |solver: &str| Call::parse(solver).is_ok_and(|call| call.name() == made.info().solver);
    let solver = solver.filter(|solver| made.solver().is_some() || !usual(solver));
    let Some(solver) = solver.or(made.solver()) else {
        return Err(failure(SolveError::None(game.to_owned())));
    };
    let endless = made.solving(solver, &Budget::UNLIMITED).is_err();
    let time = seconds(time)?.or((iterations.is_none() && endless).then_some(STANDARD));
    let budget = Budget { iterations, model_calls: None, time, memory: Some(memory) };
    // A solver that is really wrong, and not only without end, is told of before the deal.
    made.solving(solver, &budget).map_err(call)?;
    let deal = deal.map(deal_name).transpose()?;
    let state = open(&made.table(), deal.as_deref(), position, seed)?;
    let solved = watched(py, watch, of, |cancel, tell| {
        let state = state; // A state of its own, which goes where the closure goes.
        let objective = state.objective();
        let named = |solved: Solved| {
            let deal = deal.clone().unwrap_or_default();
            Answer { solved: Solved { deal, ..solved }, objective }
        };
        let mut tell = |solved: &Solved| tell(&named(solved.clone()));
        let solved = state.solve(Some(solver), &budget, seed, cancel, &mut tell);
        solved.map(named).map_err(failure)
    })?;
    of(py, &solved)
}

/// Replays a solution by the game's validator, and says what it comes to: its score, or its length.
#[pyfunction]
#[pyo3(signature = (game, deal, position, solution))]
pub(crate) fn verify(
    py: Python<'_>,
    game: &str,
    deal: Option<&Bound<'_, PyAny>>,
    position: Option<&str>,
    solution: &str,
) -> PyResult<f64> {
    let made = played(game, position)?.table();
    let deal = deal.map(deal_name).transpose()?;
    let state = open(&made, deal.as_deref(), position, 0)?;
    // What follows a # in a line is no part of a solution.
    let said = |line: &str| line.split('#').next().unwrap_or_default().to_owned() + "\n";
    let text: String = solution.lines().map(said).collect();
    let by_score = state.objective() == Objective::Score;
    let checked = py.detach(|| {
        let state = state;
        state.verify(&text)
    });
    match checked {
        Ok(checked) if by_score || checked.reached => Ok(checked.value),
        Ok(checked) => {
            let length = checked.length;
            Err(input(format!("no solution: after {length} moves the goal is not reached")))
        }
        Err(Invalid::Step(why)) => Err(input(format!("no solution: {why}"))),
        Err(Invalid::Text(why)) => Err(input(why)),
    }
}

/// `; did you mean …?` if one of the names is near.
#[pyfunction]
pub(crate) fn near(given: &str, names: Vec<String>) -> String {
    did_you_mean(given, names.iter().map(String::as_str))
}

/// The state at a deal or a position.
fn open(
    game: &AnyGame,
    deal: Option<&str>,
    position: Option<&str>,
    seed: u64,
) -> PyResult<AnyState> {
    match (deal, position) {
        (Some(name), None) => game.deal(name, seed).map_err(input),
        (None, Some(text)) => game.read(text, seed).map_err(input),
        (None, None) => {
            Err(usage("which deal? Name one, such as 7 or 'seed:7', a seed, or a position"))
        }
        (Some(_), Some(_)) => Err(usage("give either a deal or a position, not both")),
    }
}

/// What was found, and by what it is judged.
struct Answer {
    solved: Solved,
    objective: Objective,
}

/// An answer as `patience.Solution`.
fn of<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyAny>> {
    let values = to_python(py, &answer.solved)?;
    let objective = match answer.objective {
        Objective::Score => "score",
        Objective::Length => "length",
        Objective::Win => "win",
    };
    values.set_item("objective", objective)?;
    py.import("patience.values")?.getattr("Solution")?.call_method1("of", (values,))
}

fn failure(error: SolveError) -> PyErr {
    match error {
        SolveError::Call(error) => call(error),
        SolveError::None(_) => usage(error),
        SolveError::Open(_) => input(error),
        SolveError::Fault(_) => raise(Kind::Fault, error),
    }
}
