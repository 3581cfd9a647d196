//! Klondike with all cards known.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use patience::games::klondike::solver::{Solver, SolverOptions, Verdict};
use patience::games::klondike::{Deal, DealNumber, Position, Rules, format, replay};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::seconds;
use crate::error::{Kind, input, raise, usage};
use crate::interrupt::aside;

/// Solves the deal of a seed or of a canonical number, or a position.
#[pyfunction]
#[pyo3(signature = (seed, deal, position, draw, take_back, nodes, time, memory))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn solve_klondike<'py>(
    py: Python<'py>,
    seed: Option<u64>,
    deal: Option<&str>,
    position: Option<&str>,
    draw: u32,
    take_back: bool,
    nodes: Option<u64>,
    time: Option<f64>,
    memory: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let rules = Rules::draw(draw).map_err(input)?;
    let start = match (seed, deal, position) {
        (Some(seed), None, None) => Position::deal(&rules, &Deal::seeded(&rules, seed)),
        (None, Some(number), None) => {
            let number: DealNumber = number.parse().map_err(input)?;
            Position::deal(&rules, &Deal::numbered(number))
        }
        (None, None, Some(text)) => format::read(&rules, text).map_err(input)?,
        _ => return Err(usage("give a seed, a deal's number or a position, and only one of them")),
    };
    let options =
        SolverOptions { nodes, memory, worrying_back: take_back, ..SolverOptions::default() };
    let mut solver = Solver::new(rules, options).map_err(input)?;
    let limit = seconds(time)?;
    let begin = Instant::now();
    let (solution, late) = aside(py, |cancel| {
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // The solver has no clock of its own.
            if let Some(limit) = limit {
                let done = &done;
                scope.spawn(move || {
                    while begin.elapsed() < limit && !done.load(Ordering::Relaxed) {
                        let left = limit.saturating_sub(begin.elapsed());
                        std::thread::park_timeout(left.min(std::time::Duration::from_millis(20)));
                    }
                    if !done.load(Ordering::Relaxed) {
                        cancel.cancel();
                    }
                });
            }
            let solution = solver.solve(&start, cancel);
            done.store(true, Ordering::Relaxed);
            (solution, cancel.is_cancelled())
        })
    })?;
    let solution = solution.map_err(input)?;
    let result = PyDict::new(py);
    let verdict = match solution.verdict {
        Verdict::Won => "won",
        Verdict::Lost => "lost",
        Verdict::Unknown => "unknown",
    };
    result.set_item("verdict", verdict)?;
    if solution.verdict == Verdict::Won {
        let end = replay(&rules, &start, &solution.moves);
        if !end.as_ref().is_ok_and(|end| end.is_won(&rules)) {
            return Err(raise(Kind::Fault, "a solution was found that does not stand"));
        }
        let moves: Vec<String> = solution.moves.iter().map(ToString::to_string).collect();
        result.set_item("length", moves.len())?;
        result.set_item("solution", moves.join(" "))?;
    }
    let stats = PyDict::new(py);
    stats.set_item("iterations", solution.nodes)?;
    stats.set_item("model_calls", 0)?;
    stats.set_item("nodes", solution.nodes)?;
    stats.set_item("bytes", solution.bytes)?;
    stats.set_item("seconds", begin.elapsed().as_secs_f64())?;
    let stop = match (solution.verdict, late) {
        (Verdict::Unknown, true) => "time",
        (Verdict::Unknown, false) => "iterations",
        _ => "complete",
    };
    stats.set_item("stop", stop)?;
    result.set_item("stats", stats)?;
    Ok(result)
}
