//! Games by name.

use std::sync::LazyLock;

use patience::{AnyGame, Registry};
use pyo3::prelude::*;

use crate::batch::Batch;
use crate::convert::to_python;
use crate::custom::Faults;
use crate::error::{call, input, usage};
use crate::state::{Origin, State};

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// The games and planners that can be named.
pub(crate) fn registry() -> &'static Registry {
    &REGISTRY
}

/// What games there are.
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &registry().games().collect::<Vec<_>>())
}

/// What planners there are.
#[pyfunction]
pub(crate) fn planners(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &registry().planners().collect::<Vec<_>>())
}

/// What solvers there are.
#[pyfunction]
pub(crate) fn solvers(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &registry().solvers().collect::<Vec<_>>())
}

/// The game that a string names.
#[pyfunction]
pub(crate) fn game(text: &str) -> PyResult<Game> {
    Ok(Game { inner: registry().game(text).map_err(call)?, faults: None })
}

/// A game: rules with their parameters.
///
/// >>> import patience
/// >>> game = patience.game("klondike", draw=1)
/// >>> game
/// Game('klondike(draw=1)')
/// >>> state = game.start(seed=7)
/// >>> len(state.actions()) > 0
/// True
#[pyclass(module = "patience", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) inner: AnyGame,
    /// Where a game that is written in Python keeps its exceptions.
    pub(crate) faults: Option<Faults>,
}

impl Game {
    pub(crate) fn is_python(&self) -> bool {
        self.faults.is_some()
    }

    fn checked<T>(&self, value: T) -> PyResult<T> {
        self.faults.as_ref().map_or(Ok(()), Faults::end)?;
        Ok(value)
    }
}

#[pymethods]
impl Game {
    /// The game as a string, such as `klondike(draw=1)`.
    #[getter]
    fn name(&self) -> String {
        self.inner.to_string()
    }

    /// What the game can do beside being played, such as `key`, `undo` or `arrays`.
    #[getter]
    fn capabilities(&self) -> Vec<&'static str> {
        self.inner.capabilities().to_vec()
    }

    /// A planner that plays it sensibly.
    #[getter]
    fn planner(&self) -> &'static str {
        self.inner.planner()
    }

    /// A game begun. Without more, the deal of a seed; with `deal`, the deal of that number, for
    /// games that number their deals; with `text`, a position, for games that are read from text.
    /// The seed is also that of chance.
    ///
    /// >>> import patience
    /// >>> patience.game("freecell").start(deal=1).text.splitlines()[0] != ""
    /// True
    #[pyo3(signature = (seed = 0, *, deal = None, text = None))]
    pub(crate) fn start(
        &self,
        seed: u64,
        deal: Option<u64>,
        text: Option<String>,
    ) -> PyResult<State> {
        let origin = match (deal, text) {
            (None, None) => Origin::Seed,
            (Some(number), None) => Origin::Deal(number),
            (None, Some(text)) => Origin::Text(text),
            (Some(_), Some(_)) => return Err(usage("give either a deal or a text, not both")),
        };
        let state = match &origin {
            Origin::Seed => self.inner.start(seed),
            Origin::Deal(number) => self.inner.numbered(*number, seed).map_err(input)?,
            Origin::Text(text) => self.inner.read(text, seed).map_err(input)?,
        };
        self.checked(State::new(self.clone(), state, seed, origin))
    }

    /// Says what is wrong with a planner's string for this game, by an exception; if nothing is,
    /// whether its searches end by themselves.
    fn check(&self, planner: &str) -> PyResult<bool> {
        self.inner.ends(planner).map_err(call)
    }

    /// So many games side by side on arrays.
    fn batch(&self, games: usize) -> PyResult<Batch> {
        const MOST: usize = 10_000_000;
        if games == 0 || games > MOST {
            return Err(usage(format!("{games} games: expected 1 to {MOST}")));
        }
        match self.inner.batch(games) {
            Some(batch) => Ok(Batch::new(batch)),
            None => Err(input(format!("{} cannot be put into arrays", self.inner))),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        if self.is_python() {
            let message = "a game written in Python is not pickled: send the object itself";
            return Err(usage(message));
        }
        Ok((py.import("patience._native")?.getattr("game")?, (self.name(),)))
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.inner)
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }
}
