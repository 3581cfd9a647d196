//! Arms of experiments whose game or planner is a Python object, by the names that they have in the spec.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use patience::lab::{Column, Resolve, SpecFault, Streams, Task, TaskError};
use patience::plan::Cancel;
use patience::{AnyState, Decides, Origin, Path, model, registry, resolve, task_of};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::custom::{Faults, python_game};
use crate::error::input;
use crate::game::{Game, Made};
use crate::rng::Rng;
use crate::state::State;

/// The first exception of an object's methods, which is raised where the run was asked for.
type Raised = Arc<Mutex<Option<PyErr>>>;

fn lock(raised: &Raised) -> MutexGuard<'_, Option<PyErr>> {
    raised.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an exception, and gives what the lab is told of it.
fn keep(raised: &mut Option<PyErr>, error: PyErr) -> String {
    let told = error.to_string();
    raised.get_or_insert(error);
    told
}

/// Objects by the names that they have in a spec.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    games: HashMap<String, Game>,
    planners: HashMap<String, Arc<Py<PyAny>>>,
    raised: Raised,
}

impl Objects {
    /// Objects with the methods of a game are games, others must be functions that decide.
    pub(crate) fn read(objects: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut read = Objects::default();
        for (name, object) in objects {
            let name: String = name.extract()?;
            if object.hasattr("start")? && object.hasattr("step")? {
                read.games.insert(name.clone(), python_game(&object, name)?);
            } else if object.is_callable() {
                read.planners.insert(name, Arc::new(object.unbind()));
            } else {
                let kind = object.get_type();
                return Err(input(format!(
                    "{kind} is neither a game (start, actions, step) nor a planner (a function of a \
                     state and a random stream)"
                )));
            }
        }
        Ok(read)
    }

    /// Makes the tasks of arms, those with objects too.
    pub(crate) fn resolve(&self) -> Box<Resolve<'_>> {
        let named = resolve(registry());
        Box::new(move |spec, arm| {
            let (own, decides) = (self.games.get(&arm.game), self.planners.get(&arm.planner));
            if own.is_none() && decides.is_none() {
                return named(spec, arm);
            }
            let game = match own {
                Some(game) => game.clone(),
                None => {
                    let made = registry().game(&arm.game);
                    let inner = made.map_err(|e| SpecFault::new("game", e.to_string()))?;
                    Game { inner, made: Made::Rules }
                }
            };
            let decides = decides.map(|object| {
                let (object, raised) = (Arc::clone(object), Arc::clone(&self.raised));
                Arc::new(Planner { object, game: game.clone(), raised }) as Arc<dyn Decides>
            });
            let task = task_of(&game.inner, arm, decides)?;
            let faults = game.faults().cloned();
            Ok(Box::new(Guarded { task, faults, raised: Arc::clone(&self.raised) })
                as Box<dyn Task>)
        })
    }

    /// What a run came to; an exception of an object comes before what the lab says of it.
    pub(crate) fn end<T>(&self, result: PyResult<T>) -> PyResult<T> {
        match lock(&self.raised).take() {
            Some(error) => Err(error),
            None => result,
        }
    }
}

/// A function that decides moves.
struct Planner {
    object: Arc<Py<PyAny>>,
    game: Game,
    raised: Raised,
}

impl Decides for Planner {
    fn decide(&self, state: &AnyState, rng: model::Rng) -> Result<usize, String> {
        let decided = Python::attach(|py| {
            // Of the run it is known where it stands, and not by which moves it came there.
            let path = Path { origin: Origin::Text(state.text()), ..Path::default() };
            let position = State::new(self.game.clone(), state.clone(), path);
            let position = Bound::new(py, position)?;
            let action = self.object.bind(py).call1((&position, Bound::new(py, Rng(rng))?))?;
            position.get().place(&action)
        });
        decided.map_err(|error| keep(&mut lock(&self.raised), error))
    }
}

/// A task of which a Python object may raise an exception.
struct Guarded {
    task: Box<dyn Task>,
    faults: Option<Faults>,
    raised: Raised,
}

impl Task for Guarded {
    fn columns(&self) -> Vec<Column> {
        self.task.columns()
    }

    fn depends(&self) -> Vec<(String, u32)> {
        self.task.depends()
    }

    fn run(&self, unit: u64, streams: &Streams, cancel: &Cancel) -> Result<Vec<f64>, TaskError> {
        // Rules written in Python may contradict themselves, which a search cannot bear.
        let result = catch_unwind(AssertUnwindSafe(|| self.task.run(unit, streams, cancel)));
        // A fault ends all units under way: what they came to since is no result.
        let mut raised = lock(&self.raised);
        if let Some(Err(error)) = self.faults.as_ref().map(Faults::end) {
            keep(&mut raised, error);
        }
        if let Some(error) = &*raised {
            return Err(TaskError::Failed(error.to_string()));
        }
        drop(raised);
        result.unwrap_or_else(|_| {
            Err(TaskError::Failed("the game contradicts itself: see patience.check".to_owned()))
        })
    }
}
