//! Games by name.

use patience::{AnyGame, registry};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::batch::Batch;
use crate::convert::{deal_name, to_python, whole};
use crate::custom::Faults;
use crate::error::{call, input, usage};
use crate::state::{Origin, State};

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
    Ok(Game { inner: registry().game(text).map_err(call)?, made: Made::Rules })
}

/// The game that a string names as it lies on the table, by the parameters that the text of a position
/// tells of it where they are not given.
#[pyfunction]
#[pyo3(signature = (text, position = None))]
pub(crate) fn table(text: &str, position: Option<String>) -> PyResult<Game> {
    let inner = played(text, position.as_deref())?.table();
    Ok(Game { inner, made: Made::Table(position) })
}

/// The game that a string names, by the rules that people play by.
pub(crate) fn played(text: &str, position: Option<&str>) -> PyResult<AnyGame> {
    let made = match position {
        Some(position) => registry().played_from(text, position),
        None => registry().played(text),
    };
    made.map_err(call)
}

/// How a game was made, and can be made again.
#[derive(Clone, Debug)]
pub(crate) enum Made {
    /// From its name.
    Rules,
    /// As it lies on the table; a position may have told parameters.
    Table(Option<String>),
    /// It is written in Python, and its exceptions are kept here.
    Python(Faults),
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
    pub(crate) made: Made,
}

impl Game {
    /// Where a game that is written in Python keeps its exceptions.
    pub(crate) fn faults(&self) -> Option<&Faults> {
        match &self.made {
            Made::Python(faults) => Some(faults),
            Made::Rules | Made::Table(_) => None,
        }
    }

    fn checked<T>(&self, value: T) -> PyResult<T> {
        self.faults().map_or(Ok(()), Faults::end)?;
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

    /// The planners that can be used on it, or on its table.
    #[getter]
    fn planners(&self) -> Vec<&'static str> {
        self.inner.planners().iter().map(|info| info.name).collect()
    }

    /// The solvers that `patience.solve` takes for it.
    #[getter]
    fn solvers(&self) -> Vec<&'static str> {
        self.inner.table().solvers().iter().map(|info| info.name).collect()
    }

    /// The deal that is meant where neither a deal nor a seed is named.
    #[getter]
    fn first_deal(&self) -> &'static str {
        self.inner.info().first_deal()
    }

    /// A game begun. Without more, the deal of a seed, which is the command's `seed:7`. With `deal`,
    /// one by its name: `"seed:7"`, or a number such as 7, which is one of the game's own where it
    /// numbers its deals, and else a seed. With `position`, one from its text (`text` is an older name
    /// for that), for games that are read from text. The seed is also that of chance.
    ///
    /// >>> import patience
    /// >>> game = patience.game("freecell")
    /// >>> game.start(deal=1).text.splitlines()[0] != ""
    /// True
    /// >>> game.start(seed=7).text == game.start(deal="seed:7").text
    /// True
    #[pyo3(signature = (seed = 0, *, deal = None, position = None, text = None))]
    pub(crate) fn start(
        &self,
        #[pyo3(from_py_with = whole)] seed: u64,
        deal: Option<&Bound<'_, PyAny>>,
        position: Option<String>,
        text: Option<String>,
    ) -> PyResult<State> {
        let origin = match (deal, position.or(text)) {
            (None, None) => Origin::Seed,
            (Some(deal), None) => Origin::Deal(deal_name(deal)?),
            (None, Some(text)) => Origin::Text(text),
            (Some(_), Some(_)) => return Err(usage("give either a deal or a position, not both")),
        };
        let state = match &origin {
            Origin::Seed => self.inner.start(seed),
            Origin::Deal(name) => self.inner.deal(name, seed).map_err(input)?,
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
    fn batch(&self, #[pyo3(from_py_with = whole)] games: u64) -> PyResult<Batch> {
        const MOST: u64 = 10_000_000;
        if games == 0 || games > MOST {
            return Err(usage(format!("{games} games: expected 1 to {MOST}")));
        }
        match self.inner.batch(games as usize) {
            Some(batch) => Ok(Batch::new(batch)),
            None => Err(input(format!("{} cannot be put into arrays", self.inner))),
        }
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (maker, position) = match &self.made {
            Made::Rules => ("game", None),
            Made::Table(position) => ("table", Some(position.clone())),
            Made::Python(_) => {
                let message = "a game written in Python is not pickled: send the object itself";
                return Err(usage(message));
            }
        };
        let arguments: Vec<_> = std::iter::once(Some(self.name())).chain(position).collect();
        let maker = py.import("patience._native")?.getattr(maker)?;
        Ok((maker, PyTuple::new(py, arguments)?))
    }

    fn __repr__(&self) -> String {
        match &self.made {
            Made::Table(_) => format!("patience.table('{}')", self.inner),
            Made::Rules | Made::Python(_) => format!("Game('{}')", self.inner),
        }
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }
}
