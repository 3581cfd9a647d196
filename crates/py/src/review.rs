//! What the moves of a game cost: what `patience review` does.

use patience::plan::Budget;
use patience::{Review, Reviewing, Setup, Table, registry};
use pyo3::prelude::*;

use crate::convert::{maybe_whole, seconds, to_python, whole};
use crate::error::input;
use crate::interrupt::watched;

/// Reviews the game of a link of the page, or of the text of a saved game.
#[pyfunction]
#[pyo3(signature = (game, planner, iterations, time, proof, reveal, seed))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn review<'py>(
    py: Python<'py>,
    game: &str,
    planner: Option<String>,
    #[pyo3(from_py_with = maybe_whole)] iterations: Option<u64>,
    time: Option<f64>,
    #[pyo3(from_py_with = maybe_whole)] proof: Option<u64>,
    reveal: bool,
    #[pyo3(from_py_with = whole)] seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let read = if game.contains("#/") { Setup::from_link(game) } else { Setup::from_saved(game) };
    let (setup, moves) = read.map_err(input)?;
    let table = Table::open(registry(), &setup, &moves).map_err(input)?;
    let time = seconds(time)?;
    let proof = proof.map(|n| Budget { iterations: Some(n), ..Budget::UNLIMITED });
    let budget = Budget { iterations, time, ..Budget::UNLIMITED };
    let how = Reviewing { planner, budget, proof, reveal, seed };
    let review = watched(py, None, said, |cancel, tell| {
        let table = table; // A table of its own, which goes where the closure goes.
        table.review(&how, cancel, tell).map_err(input)
    })?;
    said(py, &review)
}

fn said<'py>(py: Python<'py>, review: &Review) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, review)
}
