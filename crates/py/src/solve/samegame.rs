//! SameGame and its relatives.

use std::num::NonZeroUsize;

use patience::games::samegame::{
    Grid, Penalty, Rewards, Scoring, SolveOptions, solution_text, solve, verify,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::seconds;
use crate::error::{Kind, input, raise, usage};
use crate::interrupt::aside;

/// More threads than this are a slip.
const MOST_THREADS: usize = 1024;

/// Solves a board, or the one of a seed and size.
#[pyfunction]
#[pyo3(signature = (board, deal, size, rewards, penalty, rollouts, time, threads, seed))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn solve_samegame<'py>(
    py: Python<'py>,
    board: Option<&str>,
    deal: Option<u64>,
    size: (usize, usize, usize),
    rewards: &str,
    penalty: &str,
    rollouts: Option<u64>,
    time: Option<f64>,
    threads: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let grid = match (board, deal) {
        (Some(text), None) => text.parse::<Grid>().map_err(input)?,
        (None, Some(deal)) => {
            let (width, height, colours) = size;
            Grid::seeded(width, height, colours, deal).map_err(input)?
        }
        _ => return Err(usage("give either a board or the seed of one")),
    };
    let rewards: Rewards = rewards.parse().map_err(input)?;
    let penalty: Penalty = penalty.parse().map_err(input)?;
    let scoring = Scoring { rewards, penalty };
    let time = match seconds(time)? {
        None if rollouts.is_none() => SolveOptions::default().time,
        given => given,
    };
    if threads > MOST_THREADS {
        return Err(usage(format!("expected a number of threads up to {MOST_THREADS}")));
    }
    let threads = NonZeroUsize::new(threads);
    let options = SolveOptions { rollouts, time, threads, seed };
    let solved = aside(py, |cancel| solve(&grid, scoring, &options, cancel, &mut |_| ()))?;
    let solved = solved.map_err(input)?;
    let text = solution_text(&solved.solution);
    let verified = verify(&grid, scoring, &text).map_err(|fault| {
        raise(Kind::Fault, format!("a solution was found that does not stand: {fault}"))
    })?;
    if verified.score != solved.score {
        let message = format!("the score is {}, not {}", verified.score, solved.score);
        return Err(raise(Kind::Fault, message));
    }
    let result = PyDict::new(py);
    result.set_item("verdict", if solved.cleared { "cleared" } else { "solved" })?;
    result.set_item("length", solved.solution.len())?;
    result.set_item("solution", text)?;
    result.set_item("score", solved.score)?;
    let stats = PyDict::new(py);
    stats.set_item("iterations", solved.rollouts)?;
    stats.set_item("model_calls", 0)?;
    stats.set_item("nodes", 0)?;
    stats.set_item("bytes", 0)?;
    stats.set_item("seconds", solved.seconds)?;
    stats.set_item("stop", crate::convert::to_python(py, &solved.stop)?)?;
    result.set_item("stats", stats)?;
    Ok(result)
}
