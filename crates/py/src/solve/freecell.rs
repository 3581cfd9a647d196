//! FreeCell and its relatives.

use patience::games::freecell::{
    self, Board, Bounds, Deadlock, FreeCell, Metric, Rules, Shown, Step, Verdict, notation,
    validator,
};
use patience::lab::did_you_mean;
use patience::plan::{Budget, Stats};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::seconds;
use crate::convert::to_python;
use crate::error::{Kind, input, raise, usage};
use crate::interrupt::aside;

/// What was found.
struct Found {
    verdict: &'static str,
    steps: Option<Vec<Step>>,
    lower: Option<u32>,
    stats: Stats,
}

/// Solves a deal or a board; `optimal` asks for a shortest solution with its proof.
#[pyfunction]
#[pyo3(signature = (deal, board, rules, metric, optimal, time, memory))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn solve_freecell<'py>(
    py: Python<'py>,
    deal: Option<u64>,
    board: Option<&str>,
    rules: &str,
    metric: &str,
    optimal: bool,
    time: Option<f64>,
    memory: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let names = Rules::PRESETS.iter().map(|(name, _)| *name);
    let rules = Rules::named(rules).ok_or_else(|| {
        let near = did_you_mean(rules, names.clone());
        let names = names.collect::<Vec<_>>().join(", ");
        input(format!("there are no rules {rules}{near} (there are: {names})"))
    })?;
    let names = Metric::ALL.iter().map(|metric| metric.name());
    let metric = Metric::named(metric).ok_or_else(|| {
        let near = did_you_mean(metric, names.clone());
        let names = names.collect::<Vec<_>>().join(", ");
        input(format!("there is no metric {metric}{near} (there are: {names})"))
    })?;
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
                freecell::optimal(&game, &board, Deadlock::TWO, &budget, cancel, &mut |_, _| ());
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
