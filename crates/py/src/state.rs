//! Games in progress.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use numpy::PyArray1;
use patience::plan::{Budget, Stats, StopReason};
use patience::{Advice, AnyState, Measure, MoveAdvice, Origin, Path};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::convert::{maybe_whole, seconds, to_python, whole};
use crate::error::{call, input, usage};
use crate::game::Game;
use crate::interrupt::watched;

/// A game in progress.
///
/// >>> import patience
/// >>> state = patience.game("tic-tac-toe").start()
/// >>> state.actions()[:3]
/// ['a3', 'b3', 'c3']
/// >>> state.step("b2").reward
/// 0.0
/// >>> state.is_over, state.moves
/// (False, 1)
#[pyclass(module = "patience", frozen)]
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) game: Game,
    inner: Mutex<Inner>,
}

#[derive(Clone, Debug)]
struct Inner {
    state: AnyState,
    /// With it a copy elsewhere gets here too.
    path: Path,
}

impl State {
    pub(crate) fn new(game: Game, state: AnyState, path: Path) -> Self {
        State { game, inner: Mutex::new(Inner { state, path }) }
    }

    /// The state at the end of a path.
    pub(crate) fn at(game: Game, path: Path) -> PyResult<Self> {
        let state = game.inner.follow(&path);
        if let Some(faults) = game.faults() {
            faults.end()?;
        }
        Ok(State::new(game, state.map_err(input)?, path))
    }

    pub(crate) fn path(&self) -> Path {
        self.lock().path.clone()
    }

    /// What arrays need.
    fn coded<T>(&self, answer: Option<T>) -> PyResult<T> {
        answer.ok_or_else(|| input(format!("{} cannot be put into arrays", self.game.inner)))
    }

    /// A lock whose holder panicked still guards a whole state.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy of the position, to be thought about.
    pub(crate) fn position(&self) -> AnyState {
        self.lock().state.clone()
    }

    /// Asks the state; a game written in Python may answer with an exception.
    fn ask<T>(&self, question: impl FnOnce(&AnyState) -> T) -> PyResult<T> {
        let answer = question(&self.lock().state);
        self.checked(answer)
    }

    fn checked<T>(&self, answer: T) -> PyResult<T> {
        self.game.faults().map_or(Ok(()), |faults| faults.end())?;
        Ok(answer)
    }

    pub(crate) fn place(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        let legal = self.ask(|state| state.actions())?;
        if let Ok(name) = action.extract::<String>() {
            return legal.iter().position(|known| *known == name).ok_or_else(|| {
                let near = patience::lab::did_you_mean(&name, legal.iter().map(String::as_str));
                input(format!("{name} is not a legal move{near} (there are: {})", legal.join(", ")))
            });
        }
        let place = action.extract::<i64>().map_err(|_| {
            usage("an action is its text, or its place in the list of the legal actions")
        })?;
        usize::try_from(place).ok().filter(|place| *place < legal.len()).ok_or_else(|| {
            input(format!("there are {} legal moves, none at place {place}", legal.len()))
        })
    }
}

#[pymethods]
impl State {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The legal actions in the game's notation and order; none if the game is over.
    fn actions(&self) -> PyResult<Vec<String>> {
        self.ask(|state| state.actions())
    }

    /// Takes an action, given by its text or its place in the list of the legal ones, and gives what
    /// it brought: the reward, and what the player saw.
    fn step<'py>(
        &self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place(action)?;
        let turn = {
            let mut inner = self.lock();
            let turn = inner.state.step(place);
            if turn.is_some() {
                inner.path.moves.push(place as u32);
            }
            turn
        };
        let turn = self.checked(turn)?.ok_or_else(|| input("this move is not legal"))?;
        py.import("patience.values")?.getattr("Turn")?.call1((turn.reward, turn.observation))
    }

    /// What the player saw of the last move; empty if there was nothing to see.
    #[getter]
    fn observation(&self) -> String {
        self.lock().state.seen().to_owned()
    }

    /// The position as the player may see it.
    #[getter]
    pub(crate) fn text(&self) -> PyResult<String> {
        self.ask(|state| state.text())
    }

    /// The state's key, equal for states in which the game goes on alike; `None` for games without.
    #[getter]
    fn key(&self) -> PyResult<Option<u64>> {
        self.ask(|state| state.key())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        self.ask(|state| state.is_over())
    }

    /// Whether the minimising player is to move.
    #[getter]
    fn minimising(&self) -> PyResult<bool> {
        self.ask(|state| state.minimising())
    }

    /// The discounted sum of the rewards so far.
    #[getter]
    fn result(&self) -> f64 {
        self.lock().state.result()
    }

    /// How many moves were made.
    #[getter]
    fn moves(&self) -> u64 {
        self.lock().state.moves()
    }

    /// The moves so far, by their places among the legal ones.
    #[getter]
    fn history(&self) -> Vec<u32> {
        self.lock().path.moves.clone()
    }

    /// What the player knows as an array of whole numbers, for games that have that; `game.layout` says
    /// what is in it.
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let seen = self.coded(self.lock().state.observed())?;
        Ok(PyArray1::from_vec(py, seen))
    }

    /// Which moves are legal, by their fixed numbers.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let layout = self.coded(self.game.inner.layout())?;
        let mut mask = vec![false; layout.moves];
        for number in self.numbers()? {
            mask[number] = true;
        }
        Ok(PyArray1::from_vec(py, mask))
    }

    /// The fixed numbers of the legal actions, in the order of `actions()`.
    #[getter]
    fn numbers(&self) -> PyResult<Vec<usize>> {
        self.coded(self.lock().state.numbers())
    }

    /// The fixed number of a legal action.
    fn number(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        let place = self.place(action)?;
        Ok(self.numbers()?[place])
    }

    /// The legal action of a fixed number.
    fn action(&self, #[pyo3(from_py_with = whole)] number: u64) -> PyResult<String> {
        let numbers = self.numbers()?;
        let place = numbers.iter().position(|&known| known as u64 == number);
        let wrong =
            || input(format!("no legal move has the number {number} (there are: {numbers:?})"));
        let place = place.ok_or_else(wrong)?;
        Ok(self.ask(|state| state.actions())?.swap_remove(place))
    }

    /// What lies on the table, to be drawn: its `kind` with its parts.
    #[getter]
    fn scene<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.ask(|state| state.scene())?)
    }

    /// A copy that goes on like this one, chance included.
    fn copy(&self) -> State {
        State { game: self.game.clone(), inner: Mutex::new(self.lock().clone()) }
    }

    /// Thinks about the position; see `patience.advise`.
    #[pyo3(signature = (planner = None, *, iterations = None, model_calls = None, time = None,
        memory = None, seed = 0, watch = None))]
    #[allow(clippy::too_many_arguments)]
    fn advise<'py>(
        &self,
        py: Python<'py>,
        planner: Option<String>,
        #[pyo3(from_py_with = maybe_whole)] iterations: Option<u64>,
        #[pyo3(from_py_with = maybe_whole)] model_calls: Option<u64>,
        time: Option<f64>,
        #[pyo3(from_py_with = maybe_whole)] memory: Option<u64>,
        #[pyo3(from_py_with = whole)] seed: u64,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let planner = planner.unwrap_or_else(|| self.game.inner.planner().to_owned());
        let time = seconds(time)?;
        let limited = iterations.is_some() || model_calls.is_some() || time.is_some();
        let ends = self.game.inner.ends(&planner).map_err(call)?;
        let state = self.lock().state.clone();
        let steps = state.measure_of(&planner).map_err(call)? == Measure::StepsToGo;
        // The same as the command's `hint`: a search that tells the steps to go knows much soon.
        let standard = Duration::from_secs(match (ends, steps) {
            (true, true) => 5,
            (true, false) => 60,
            (false, _) => 1,
        });
        let budget = Budget {
            iterations,
            model_calls,
            time: time.or((!limited).then_some(standard)),
            memory: Some(memory.unwrap_or(4_000_000_000)),
        };
        let faults = self.game.faults().cloned();
        let advice = watched(py, watch, of, |cancel, tell| {
            let state = state; // A copy of its own, which goes where the closure goes.
            let mut search = || state.advise(&planner, &budget, seed, cancel, tell).map_err(call);
            let Some(faults) = faults else { return search() };
            faults.cancels(cancel);
            // Rules written in Python may contradict themselves, which a search cannot bear.
            let advice = catch_unwind(AssertUnwindSafe(search));
            faults.end()?;
            advice.unwrap_or_else(|_| {
                Err(input(
                    "the game contradicts itself: what `actions` gives must depend on the state \
                     alone, and `step` must leave the state that it is given as it is",
                ))
            })
        })?;
        of(py, &advice)
    }

    fn __copy__(&self) -> State {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> State {
        self.copy()
    }

    /// Equal states are of the same game, which goes on alike from both whatever went before, chance
    /// aside; games without keys are compared by where they began and the moves since.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<State>() else { return Ok(false) };
        let other = other.get();
        if std::ptr::eq(self, other) {
            return Ok(true);
        }
        if self.game != other.game {
            return Ok(false);
        }
        // A copy: two locks at once might wait for each other.
        let there = other.lock().clone();
        let here = self.lock();
        let alike = here.state.goes_on_like(&there.state);
        let alike = alike.unwrap_or_else(|| here.path == there.path);
        drop(here);
        self.checked(alike)
    }

    fn __hash__(&self) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        match self.key()? {
            Some(key) => key.hash(&mut hasher),
            None => self.lock().path.hash(&mut hasher),
        }
        Ok(hasher.finish())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let follow = py.import("patience._native")?.getattr("follow")?;
        let arguments = (self.game.clone(), parts(self.path())).into_pyobject(py)?;
        PyTuple::new(py, [follow, arguments.into_any()])
    }

    fn __str__(&self) -> PyResult<String> {
        self.text()
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("patience._html")?.getattr("scene")?.call1((self.scene(py)?,))
    }

    fn __repr__(&self) -> String {
        let inner = self.lock();
        format!("<State of {} after {} moves>", self.game.inner, inner.state.moves())
    }
}

/// A path as it is pickled.
pub(crate) type Parts = (u64, u64, Option<String>, Option<String>, Vec<u32>);

pub(crate) fn parts(path: Path) -> Parts {
    let (deal, text) = match path.origin {
        Origin::Seed => (None, None),
        Origin::Deal(name) => (Some(name), None),
        Origin::Text(text) => (None, Some(text)),
    };
    (path.seed, path.number, deal, text, path.moves)
}

pub(crate) fn path((seed, number, deal, text, moves): Parts) -> Path {
    let origin = match (deal, text) {
        (Some(name), _) => Origin::Deal(name),
        (None, Some(text)) => Origin::Text(text),
        (None, None) => Origin::Seed,
    };
    Path { seed, number, origin, moves }
}

/// The state at the end of a path: what pickle calls.
#[pyfunction]
#[pyo3(name = "follow")]
pub(crate) fn follow(game: &Game, way: Parts) -> PyResult<State> {
    State::at(game.clone(), path(way))
}

/// An advice as `patience.Advice`.
pub(crate) fn of<'py>(py: Python<'py>, advice: &Advice) -> PyResult<Bound<'py, PyAny>> {
    let values = to_python(py, advice)?;
    values.set_item("minimising", advice.minimising)?;
    py.import("patience.values")?.getattr("Advice")?.call_method1("of", (values,))
}

/// The seed of a tree of a root-parallel search.
#[pyfunction]
pub(crate) fn tree_seed(
    #[pyo3(from_py_with = whole)] seed: u64,
    #[pyo3(from_py_with = whole)] tree: u64,
) -> u64 {
    patience::tree_seed(seed, tree)
}

/// What the trees of one decision say together.
#[pyfunction]
pub(crate) fn merge_trees<'py>(
    py: Python<'py>,
    trees: Vec<Bound<'py, PyAny>>,
    #[pyo3(from_py_with = whole)] seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let trees = trees.iter().map(back).collect::<PyResult<Vec<Advice>>>()?;
    let minimising = trees.first().is_some_and(|tree| tree.minimising);
    of(py, &patience::merge_trees(&trees, seed, minimising).map_err(usage)?)
}

/// An attribute of an object.
fn get<'py, T>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<T>
where
    T: FromPyObjectOwned<'py>,
{
    object.getattr(name)?.extract().map_err(Into::into)
}

/// An advice from a `patience.Advice`.
fn back(advice: &Bound<'_, PyAny>) -> PyResult<Advice> {
    let moves = advice.getattr("moves")?.try_iter()?.map(|item| {
        let item = item?;
        Ok(MoveAdvice {
            action: get(&item, "action")?,
            moves: get(&item, "moves")?,
            label: get(&item, "label")?,
            value: get(&item, "value")?,
            low: get(&item, "low")?,
            high: get(&item, "high")?,
            visits: get(&item, "visits")?,
            samples: get(&item, "samples")?,
            sure: get(&item, "sure")?,
            loses: get(&item, "loses")?,
            again: get(&item, "again")?,
        })
    });
    let measure = match get::<String>(advice, "measure")?.as_str() {
        "win_probability" => Measure::WinProbability,
        "steps_to_go" => Measure::StepsToGo,
        "score" => Measure::Score,
        _ => Measure::Value,
    };
    let stats = advice.getattr("stats")?;
    let stop = match get::<Option<String>>(&stats, "stop")?.as_deref() {
        Some("complete") => Some(StopReason::Complete),
        Some("iterations") => Some(StopReason::Iterations),
        Some("model_calls") => Some(StopReason::ModelCalls),
        Some("time") => Some(StopReason::Time),
        Some("memory") => Some(StopReason::Memory),
        Some("cancelled") => Some(StopReason::Cancelled),
        _ => None,
    };
    Ok(Advice {
        game: get(advice, "game")?,
        planner: get(advice, "planner")?,
        seed: get(advice, "seed")?,
        position: get(advice, "position")?,
        measure,
        best: get(advice, "best")?,
        why: get(advice, "why")?,
        moves: moves.collect::<PyResult<Vec<_>>>()?,
        lost: get(advice, "lost")?,
        minimising: get(advice, "minimising")?,
        stats: Stats {
            counts: patience::plan::Counts {
                iterations: get(&stats, "iterations")?,
                model_calls: get(&stats, "model_calls")?,
                nodes: get(&stats, "nodes")?,
                bytes: get(&stats, "bytes")?,
            },
            seconds: get(&stats, "seconds")?,
            stop,
        },
    })
}
