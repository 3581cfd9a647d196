//! Games by name.

use std::hash::{DefaultHasher, Hash, Hasher};

use patience::{AnyGame, Origin, Path, chance_of, registry};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::batch::Batch;
use crate::convert::{deal_name, maybe_whole, some_threads, to_python, whole};
use crate::custom::Faults;
use crate::error::{call, input, usage};
use crate::state::State;

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

/// The same rules by the same name; games written in Python are equal if they are one.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        let made = match (&self.made, &other.made) {
            (Made::Rules, Made::Rules) => true,
            (Made::Table(a), Made::Table(b)) => a == b,
            (Made::Python(a), Made::Python(b)) => a.is(b),
            _ => false,
        };
        made && self.name() == other.name()
    }
}

impl Game {
    /// Where a game that is written in Python keeps its exceptions.
    pub(crate) fn faults(&self) -> Option<&Faults> {
        match &self.made {
            Made::Python(faults) => Some(faults),
            Made::Rules | Made::Table(_) => None,
        }
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

    /// What is in the arrays of the game: the parts of an observation, how many moves there can be, and
    /// what their numbers say. `None` for a game that cannot be put into arrays.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.inner.layout())
    }

    /// A game begun. Without more, the deal of a seed, which is the command's `seed:7`. With `deal`,
    /// one by its name: `"seed:7"`, or a number such as 7, which is one of the game's own where it
    /// numbers its deals, and else a seed. With `position`, one from its text (`text` is an older name
    /// for that), for games that are read from text. The seed is also that of chance; without one it is
    /// the number in the deal's name.
    ///
    /// >>> import patience
    /// >>> game = patience.game("freecell")
    /// >>> game.start(deal=1).text.splitlines()[0] != ""
    /// True
    /// >>> game.start(seed=7).text == game.start(deal="seed:7").text
    /// True
    #[pyo3(signature = (seed = None, *, deal = None, position = None, text = None))]
    pub(crate) fn start(
        &self,
        #[pyo3(from_py_with = maybe_whole)] seed: Option<u64>,
        deal: Option<&Bound<'_, PyAny>>,
        position: Option<String>,
        text: Option<String>,
    ) -> PyResult<State> {
        let path = match (deal, position.or(text)) {
            (None, None) => Path::of(seed.unwrap_or(0)),
            (Some(deal), None) => {
                let name = deal_name(deal)?;
                let seed = seed.unwrap_or_else(|| chance_of(&name));
                self.inner.path_from(&name, seed).map_err(input)?
            }
            (None, Some(text)) => {
                Path { origin: Origin::Text(text), ..Path::of(seed.unwrap_or(0)) }
            }
            (Some(_), Some(_)) => return Err(usage("give either a deal or a position, not both")),
        };
        State::at(self.clone(), path)
    }

    /// Says what is wrong with a planner's string for this game, by an exception; if nothing is,
    /// whether its searches end by themselves.
    fn check(&self, planner: &str) -> PyResult<bool> {
        self.inner.ends(planner).map_err(call)
    }

    /// So many games side by side on arrays, stepped by so many threads. The games are the same on any
    /// number of them.
    #[pyo3(signature = (games, threads = 1))]
    fn batch(
        &self,
        #[pyo3(from_py_with = whole)] games: u64,
        #[pyo3(from_py_with = whole)] threads: u64,
    ) -> PyResult<Batch> {
        const MOST: u64 = 10_000_000;
        if games == 0 || games > MOST {
            return Err(usage(format!("{games} games: expected 1 to {MOST}")));
        }
        if threads == 0 {
            return Err(usage("0 threads: expected 1 or more"));
        }
        Batch::new(self.clone(), games as usize, some_threads(threads)?)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| self == other.get())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.name().hash(&mut hasher);
        hasher.finish()
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

    pub(crate) fn __repr__(&self) -> String {
        match &self.made {
            Made::Table(_) => format!("patience.table('{}')", self.inner),
            Made::Rules | Made::Python(_) => format!("Game('{}')", self.inner),
        }
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }
}
