//! Games in progress.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use patience::plan::{Budget, Stats, StopReason};
use patience::{Advice, AnyState, MoveAdvice};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::convert::to_python;
use crate::error::{Kind, call, input, raise, usage};
use crate::game::Game;
use crate::interrupt::Signals;

/// Where a game began.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Seed,
    Deal(u64),
    Text(String),
}

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
    game: Game,
    seed: u64,
    origin: Origin,
    inner: Mutex<Inner>,
}

#[derive(Clone, Debug)]
struct Inner {
    state: AnyState,
    /// The moves by their places among the legal ones: with them a copy elsewhere gets here too.
    history: Vec<u32>,
    observation: String,
}

impl State {
    pub(crate) fn new(game: Game, state: AnyState, seed: u64, origin: Origin) -> Self {
        let inner = Inner { state, history: Vec::new(), observation: String::new() };
        State { game, seed, origin, inner: Mutex::new(inner) }
    }

    /// A lock whose holder panicked still guards a whole state.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the state; a game written in Python may answer with an exception.
    fn ask<T>(&self, question: impl FnOnce(&AnyState) -> T) -> PyResult<T> {
        let answer = question(&self.lock().state);
        self.checked(answer)
    }

    fn checked<T>(&self, answer: T) -> PyResult<T> {
        self.game.faults.as_ref().map_or(Ok(()), |faults| faults.end())?;
        Ok(answer)
    }

    fn place(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
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
            if let Some(turn) = &turn {
                inner.history.push(place as u32);
                inner.observation.clone_from(&turn.observation);
            }
            turn
        };
        let turn = self.checked(turn)?.ok_or_else(|| input("this move is not legal"))?;
        py.import("patience.values")?.getattr("Turn")?.call1((turn.reward, turn.observation))
    }

    /// What the player saw of the last move; empty if there was nothing to see.
    #[getter]
    fn observation(&self) -> String {
        self.lock().observation.clone()
    }

    /// The position as the player may see it.
    #[getter]
    fn text(&self) -> PyResult<String> {
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
        self.lock().history.clone()
    }

    /// A copy that goes on like this one, chance included.
    fn copy(&self) -> State {
        let inner = Mutex::new(self.lock().clone());
        State { game: self.game.clone(), seed: self.seed, origin: self.origin.clone(), inner }
    }

    /// Thinks about the position; see `patience.advise`.
    #[pyo3(signature = (planner = None, *, iterations = None, model_calls = None, time = None,
        memory = None, seed = 0, watch = None))]
    #[allow(clippy::too_many_arguments)]
    fn advise<'py>(
        &self,
        py: Python<'py>,
        planner: Option<String>,
        iterations: Option<u64>,
        model_calls: Option<u64>,
        time: Option<f64>,
        memory: Option<u64>,
        seed: u64,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let planner = planner.unwrap_or_else(|| self.game.inner.planner().to_owned());
        let wrong_time = || usage("time takes a number of seconds above 0");
        let time = match time {
            Some(s) if s <= 0.0 => return Err(wrong_time()),
            Some(s) => Some(Duration::try_from_secs_f64(s).map_err(|_| wrong_time())?),
            None => None,
        };
        let limited = iterations.is_some() || model_calls.is_some() || time.is_some();
        let ends = self.game.inner.ends(&planner).map_err(call)?;
        // The same as the command's `hint`: a second, or a minute for a search that ends by itself.
        let standard = Duration::from_secs(if ends { 60 } else { 1 });
        let budget = Budget {
            iterations,
            model_calls,
            time: time.or((!limited).then_some(standard)),
            memory: Some(memory.unwrap_or(4_000_000_000)),
        };
        let state = self.lock().state.clone();
        let faults = self.game.faults.clone();
        let advice = py.detach(|| {
            let state = state; // A copy of its own, which goes where the closure goes.
            let mut signals = Signals::default();
            let cancel = signals.cancel.clone();
            if let Some(faults) = &faults {
                faults.cancels(&cancel);
            }
            let mut told = |advice: &Advice| {
                signals.look();
                if let Some(watch) = &watch {
                    let tell = Python::attach(|py| watch.call1(py, (of(py, advice)?,)).map(drop));
                    if let Err(error) = tell {
                        signals.raised(error);
                    }
                }
            };
            // Rules written in Python may contradict themselves, which a search cannot bear.
            let search = std::panic::AssertUnwindSafe(|| {
                state.advise(&planner, &budget, seed, &cancel, &mut told)
            });
            let advice = std::panic::catch_unwind(search);
            if let Some(faults) = &faults {
                faults.end()?;
            }
            signals.end()?;
            match advice {
                Ok(advice) => advice.map_err(call),
                Err(_) if faults.is_some() => Err(raise(
                    Kind::Input,
                    "the game contradicts itself: what `actions` gives must depend on the state \
                     alone, and `step` must leave the state that it is given as it is",
                )),
                Err(_) => Err(raise(Kind::Fault, "this is a bug in patience")),
            }
        })?;
        of(py, &advice)
    }

    fn __copy__(&self) -> State {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> State {
        self.copy()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("patience.values")?.getattr("restore_state")?;
        let (deal, text) = match &self.origin {
            Origin::Seed => (None, None),
            Origin::Deal(number) => (Some(*number), None),
            Origin::Text(text) => (None, Some(text.clone())),
        };
        let game = self.game.clone();
        let arguments = (game, self.seed, deal, text, self.history()).into_pyobject(py)?;
        PyTuple::new(py, [restore, arguments.into_any()])
    }

    fn __str__(&self) -> PyResult<String> {
        self.text()
    }

    fn __repr__(&self) -> String {
        let inner = self.lock();
        format!("<State of {} after {} moves>", self.game.inner, inner.state.moves())
    }
}

/// An advice as `patience.Advice`.
fn of<'py>(py: Python<'py>, advice: &Advice) -> PyResult<Bound<'py, PyAny>> {
    let values = to_python(py, advice)?;
    py.import("patience.values")?.getattr("Advice")?.call_method1("of", (values,))
}

/// The seed of a tree of a root-parallel search.
#[pyfunction]
pub(crate) fn tree_seed(seed: u64, tree: u64) -> u64 {
    patience::tree_seed(seed, tree)
}

/// What the trees of one decision say together.
#[pyfunction]
pub(crate) fn merge_trees<'py>(
    py: Python<'py>,
    trees: Vec<Bound<'py, PyAny>>,
    seed: u64,
    minimising: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let trees = trees.iter().map(back).collect::<PyResult<Vec<Advice>>>()?;
    of(py, &patience::merge_trees(&trees, seed, minimising).map_err(usage)?)
}

/// An advice from a `patience.Advice`.
fn back(advice: &Bound<'_, PyAny>) -> PyResult<Advice> {
    let moves = advice.getattr("moves")?.try_iter()?.map(|item| {
        let item = item?;
        Ok(MoveAdvice {
            action: item.getattr("action")?.extract()?,
            value: item.getattr("value")?.extract()?,
            low: item.getattr("low")?.extract()?,
            high: item.getattr("high")?.extract()?,
            visits: item.getattr("visits")?.extract()?,
            samples: item.getattr("samples")?.extract()?,
            sure: item.getattr("sure")?.extract()?,
        })
    });
    let stats = advice.getattr("stats")?;
    let stop = match stats.getattr("stop")?.extract::<Option<String>>()?.as_deref() {
        Some("complete") => Some(StopReason::Complete),
        Some("iterations") => Some(StopReason::Iterations),
        Some("model_calls") => Some(StopReason::ModelCalls),
        Some("time") => Some(StopReason::Time),
        Some("memory") => Some(StopReason::Memory),
        Some("cancelled") => Some(StopReason::Cancelled),
        _ => None,
    };
    Ok(Advice {
        game: advice.getattr("game")?.extract()?,
        planner: advice.getattr("planner")?.extract()?,
        seed: advice.getattr("seed")?.extract()?,
        position: advice.getattr("position")?.extract()?,
        best: advice.getattr("best")?.extract()?,
        moves: moves.collect::<PyResult<Vec<_>>>()?,
        stats: Stats {
            counts: patience::plan::Counts {
                iterations: stats.getattr("iterations")?.extract()?,
                model_calls: stats.getattr("model_calls")?.extract()?,
                nodes: stats.getattr("nodes")?.extract()?,
                bytes: stats.getattr("bytes")?.extract()?,
            },
            seconds: stats.getattr("seconds")?.extract()?,
            stop,
        },
    })
}
