//! FreeCell and its relatives.

use patience::games::freecell::{
    self, Board, Bounds, FreeCell, Heuristic, Metric, Shown, Step, Verdict, notation, validator,
};
use patience::lab::did_you_mean;
use patience::plan::{Budget, Stats};
use patience::{freecell_metric, freecell_rules};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::seconds;
use crate::convert::to_python;
use crate::error::{Kind, call, input, raise, usage};
use crate::interrupt::aside;

/// What was found.
struct Found {
    verdict: &'static str,
    steps: Option<Vec<Step>>,
    lower: Option<u32>,
    stats: Stats,
}

/// The error that there is nothing of this name.
fn unknown(what: &str, given: &str, names: &[&str]) -> PyErr {
    let near = did_you_mean(given, names.iter().copied());
    input(format!("there is no {what} {given}{near} (there are: {})", names.join(", ")))
}

/// Solves a deal or a board; `optimal` asks for a shortest solution with its proof.
#[pyfunction]
#[pyo3(signature = (deal, board, rules, metric, optimal, heuristic, time, memory))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn solve_freecell<'py>(
    py: Python<'py>,
    deal: Option<u64>,
    board: Option<&str>,
    rules: &str,
    metric: Option<&str>,
    optimal: bool,
    heuristic: &str,
    time: Option<f64>,
    memory: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let rules = freecell_rules(rules).map_err(call)?;
    let metric = match metric {
        None => freecell_metric(&rules),
        Some(name) => {
            let names = Metric::ALL.map(Metric::name);
            Metric::named(name).ok_or_else(|| unknown("metric", name, &names))?
        }
    };
    let heuristic = Heuristic::named(heuristic)
        .ok_or_else(|| unknown("heuristic", heuristic, &Heuristic::NAMES))?;
    let game = FreeCell::new(rules, metric).map_err(input)?;
    let board = match (deal, board) {
        (Some(number), None) => Board::deal(&rules, number).map_err(input)?,
        (None, Some(text)) => Board::read(&rules, text).map_err(input)?,
        _ => return Err(usage("give either a deal's number or a board")),
    };
    let budget = Budget { time: seconds(time)?, ..Budget::UNLIMITED }.with_memory(memory);
    let found = aside(py, |cancel| {
        if optimal {
            let (shown, stats) =
                freecell::optimal(&game, &board, heuristic, &budget, cancel, &mut |_| ());
            let (verdict, steps, lower) = match shown {
                Shown::Optimal(steps) => ("optimal", Some(steps), None),
                Shown::Solved(steps, Bounds { lower, .. }) => ("solved", Some(steps), Some(lower)),
                Shown::Unsolvable => ("unsolvable", None, None),
                Shown::Unknown(Bounds { lower, .. }) => ("unknown", None, Some(lower)),
            };
            Found { verdict, steps, lower, stats }
        } else {
            let (verdict, stats) = freecell::solve(&game, &board, &budget, cancel);
            let (verdict, steps) = match verdict {
                Verdict::Solved(steps) => ("solved", Some(steps)),
                Verdict::Unsolvable => ("unsolvable", None),
                Verdict::Unknown => ("unknown", None),
            };
            Found { verdict, steps, lower: None, stats }
        }
    })?;
    let result = PyDict::new(py);
    result.set_item("verdict", found.verdict)?;
    result.set_item("stats", to_python(py, &found.stats)?)?;
    let mut lower = found.lower;
    if let Some(steps) = &found.steps {
        let length = validator::verify(&rules, metric, &board, steps).map_err(|fault| {
            raise(Kind::Fault, format!("a solution was found that does not stand: {fault}"))
        })?;
        if found.verdict == "optimal" {
            lower = Some(length as u32);
        }
        result.set_item("length", length)?;
        result.set_item("solution", notation::standard(&rules, metric, &board, steps))?;
    }
    result.set_item("lower_bound", lower)?;
    Ok(result)
}
