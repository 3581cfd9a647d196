//! Games written in Python: a class with a few methods is a game that every planner plays.
//!
//! Slow but right: each call goes to the interpreter. Rules cannot fail in Rust, so an exception is
//! kept, the search is ended, and then it is raised where the search was asked for.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use patience::lab::did_you_mean;
use patience::model::conformance;
use patience::model::{Game as Rules, Hidden, Keyed, Outcome, Outcomes, Rng, Step, Text};
use patience::plan::Cancel;
use patience::{AnyGame, Kit};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyFrozenSet, PySet, PyTuple};

use crate::convert::whole;
use crate::error::{input, usage};
use crate::game::{Game, Made};
use crate::rng;

/// The first exception of a game's methods, and what it ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Arc<Mutex<(Option<PyErr>, Option<Cancel>)>>);

impl Faults {
    fn lock(&self) -> std::sync::MutexGuard<'_, (Option<PyErr>, Option<Cancel>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An exception shall raise this flag.
    pub(crate) fn cancels(&self, cancel: &Cancel) {
        self.lock().1 = Some(cancel.clone());
    }

    fn note(&self, error: PyErr) {
        let mut kept = self.lock();
        if let Some(cancel) = &kept.1 {
            cancel.cancel();
        }
        kept.0.get_or_insert(error);
    }

    /// Whether these are the faults of the same game.
    pub(crate) fn is(&self, other: &Faults) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn any(&self) -> bool {
        self.lock().0.is_some()
    }

    /// Raises the exception, if there was one; then all is as if there had been none.
    pub(crate) fn end(&self) -> PyResult<()> {
        let mut kept = self.lock();
        kept.1 = None;
        kept.0.take().map_or(Ok(()), Err)
    }
}

/// Any object; `None` stands for one that could not be had.
#[derive(Clone)]
struct Object(Option<Arc<Py<PyAny>>>);

impl Object {
    fn new(object: Bound<'_, PyAny>) -> Self {
        Object(Some(Arc::new(object.unbind())))
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self
            .0
            .as_ref()
            .map(|object| Python::attach(|py| object.bind(py).repr().map(|text| text.to_string())));
        f.write_str(&shown.and_then(Result::ok).unwrap_or_else(|| "nothing".to_owned()))
    }
}

/// What an object looks like inside, to be compared.
fn picture<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    object.py().import("patience._picture")?.getattr("picture")?.call1((object,))
}

/// Whether two objects look the same inside: they need not say by `__eq__` that they are equal.
fn alike(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<bool> {
    picture(a)?.eq(picture(b)?)
}

/// Equal as Python says, or by what is inside.
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Python::attach(|py| {
                let (a, b) = (a.bind(py), b.bind(py));
                a.eq(b).unwrap_or(false) || alike(a, b).unwrap_or(false)
            }),
            (None, None) => true,
            _ => false,
        }
    }
}

/// Python's hashable objects by number: planners want actions and observations that are copied.
#[derive(Debug)]
struct Numbers {
    numbers: Py<PyDict>,
    objects: Vec<Py<PyAny>>,
}

impl Numbers {
    fn new(py: Python<'_>) -> Self {
        Numbers { numbers: PyDict::new(py).unbind(), objects: Vec::new() }
    }
}

/// A game whose rules are a Python object.
#[derive(Debug)]
struct PythonGame {
    object: Py<PyAny>,
    actions: Mutex<Numbers>,
    /// Observations and keys.
    others: Mutex<Numbers>,
    faults: Faults,
    /// Calls of `actions` and `step`, some of which are checked.
    calls: AtomicU64,
    discount: f64,
    minimises: bool,
    shows_states: bool,
    shows_actions: bool,
}

/// The number of an object; equal objects have the same.
fn number(py: Python<'_>, all: &Mutex<Numbers>, object: &Bound<'_, PyAny>) -> PyResult<u32> {
    // Waiting for the lock without the interpreter's: whoever has the one may need the other.
    let mut all = all.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
    let numbers = all.numbers.clone_ref(py).into_bound(py);
    if let Some(known) = numbers.get_item(object)? {
        return known.extract();
    }
    let next = u32::try_from(all.objects.len())
        .map_err(|_| input("a game cannot have so many different actions and observations"))?;
    numbers.set_item(object, next)?;
    all.objects.push(object.clone().unbind());
    Ok(next)
}

/// The object of a number.
fn object<'py>(py: Python<'py>, all: &Mutex<Numbers>, number: u32) -> Option<Bound<'py, PyAny>> {
    let all = all.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
    all.objects.get(number as usize).map(|object| object.bind(py).clone())
}

impl PythonGame {
    /// Asks the Python object; an exception is kept, and the answer is `or`.
    fn ask<T>(&self, or: T, question: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        if self.faults.any() {
            return or;
        }
        let answer = Python::attach(|py| question(self.object.bind(py)));
        answer.unwrap_or_else(|error| {
            self.faults.note(error);
            or
        })
    }

    /// Whether this call is one of those that are checked: the first ones, and then one in 64, so that
    /// the checks cost little.
    fn checks(&self) -> bool {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        call < 200 || call.is_multiple_of(64)
    }

    /// The actions that the Python object gives, by their numbers.
    fn listed(&self, game: &Bound<'_, PyAny>, state: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let py = game.py();
        let given = game.call_method1("actions", (state,))?;
        if given.is_instance_of::<PySet>() || given.is_instance_of::<PyFrozenSet>() {
            return Err(input("actions gives a set, which has no order: give a list"));
        }
        let mut listed = Vec::new();
        for action in given.try_iter()? {
            let action = action?;
            let next = number(py, &self.actions, &action)?;
            if listed.contains(&next) {
                return Err(input(format!("actions gives {action} twice")));
            }
            listed.push(next);
        }
        Ok(listed)
    }

    /// Calls with a stream that goes on here with what was drawn from it there.
    fn with_stream<T>(
        &self,
        rng: &mut Rng,
        or: T,
        question: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, rng::Rng>) -> PyResult<T>,
    ) -> T {
        self.ask(or, |object| {
            let stream = Bound::new(object.py(), rng::Rng(rng.clone()))?;
            let answer = question(object, &stream);
            rng.clone_from(&stream.borrow().0);
            answer
        })
    }

    /// What a step gave: a state, a reward, and perhaps an observation.
    fn turn(&self, given: &Bound<'_, PyAny>) -> PyResult<(Object, Step<u32>)> {
        let wrong = || input("step must give (state, reward) or (state, reward, observation)");
        let parts = given.cast::<PyTuple>().map_err(|_| wrong())?;
        if !(2..=3).contains(&parts.len()) {
            return Err(wrong());
        }
        let reward: f64 = parts.get_item(1)?.extract()?;
        if !reward.is_finite() {
            return Err(input(format!("a reward is {reward}, expected a finite number")));
        }
        let seen = match parts.len() {
            3 => parts.get_item(2)?,
            _ => given.py().None().into_bound(given.py()),
        };
        let obs = number(given.py(), &self.others, &seen)?;
        Ok((Object::new(parts.get_item(0)?), Step { reward, obs }))
    }
}

/// A state as an argument.
fn known<'py>(py: Python<'py>, state: &Object) -> Option<Bound<'py, PyAny>> {
    state.0.as_ref().map(|object| object.bind(py).clone())
}

impl Rules for PythonGame {
    type State = Object;
    type Action = u32;
    type Obs = u32;

    fn start(&self, rng: &mut Rng) -> Object {
        self.with_stream(rng, Object(None), |game, stream| {
            Ok(Object::new(game.call_method1("start", (stream,))?))
        })
    }

    fn actions(&self, state: &Object, out: &mut Vec<u32>) {
        out.clear();
        let listed = self.ask(Vec::new(), |game| {
            let py = game.py();
            let Some(state) = known(py, state) else { return Ok(Vec::new()) };
            let listed = self.listed(game, &state)?;
            if self.checks() && self.listed(game, &state)? != listed {
                return Err(input(format!(
                    "actions gives other actions, or another order, when it is asked again about \
                     the same state: {}",
                    state.repr()?
                )));
            }
            Ok(listed)
        });
        out.extend(listed);
    }

    fn step(&self, state: &mut Object, action: u32, rng: &mut Rng) -> Step<u32> {
        let nothing = (Object(None), Step { reward: 0.0, obs: u32::MAX });
        let (next, step) = self.with_stream(rng, nothing, |game, stream| {
            let py = game.py();
            let state = known(py, state);
            let action = object(py, &self.actions, action);
            let before = match &state {
                Some(state) if self.checks() => Some((state.repr()?, picture(state)?)),
                _ => None,
            };
            let given = game.call_method1("step", (&state, &action, stream))?;
            if let (Some((shown, before)), Some(state)) = (before, &state)
                && !picture(state)?.eq(before)?
            {
                return Err(input(format!(
                    "step changes the state that it is given ({shown}): it must give a new one"
                )));
            }
            self.turn(&given)
        });
        *state = next;
        step
    }

    fn discount(&self) -> f64 {
        self.discount
    }

    fn minimising(&self, state: &Object) -> bool {
        self.minimises
            && self.ask(false, |game| {
                game.call_method1("minimising", (known(game.py(), state),))?.is_truthy()
            })
    }
}

impl Text for PythonGame {
    fn state_text(&self, state: &Object) -> String {
        self.ask(String::new(), |game| {
            let state = known(game.py(), state);
            match (self.shows_states, state) {
                (true, state) => game.call_method1("text", (state,))?.extract(),
                (false, Some(state)) => Ok(state.str()?.to_string()),
                (false, None) => Ok(String::new()),
            }
        })
    }

    fn action_text(&self, state: &Object, action: u32) -> String {
        self.ask(String::new(), |game| {
            let py = game.py();
            let action = object(py, &self.actions, action);
            match (self.shows_actions, action) {
                (true, action) => {
                    game.call_method1("action_text", (known(py, state), action))?.extract()
                }
                (false, Some(action)) => Ok(action.str()?.to_string()),
                (false, None) => Ok(String::new()),
            }
        })
    }
}

impl Keyed for PythonGame {
    type Key = u32;

    fn key(&self, state: &Object) -> u32 {
        self.ask(u32::MAX, |game| {
            let py = game.py();
            let key = game.call_method1("key", (known(py, state),))?;
            number(py, &self.others, &key)
        })
    }
}

impl Outcomes for PythonGame {
    fn outcomes(&self, state: &Object, action: u32, out: &mut Vec<Outcome<Object, u32>>) {
        out.clear();
        let listed = self.ask(Vec::new(), |game| {
            let py = game.py();
            let shown = object(py, &self.actions, action);
            let arguments = (known(py, state), &shown);
            let (mut listed, mut sum) = (Vec::new(), 0.0);
            for outcome in game.call_method1("outcomes", arguments)?.try_iter()? {
                let outcome = outcome?;
                let wrong =
                    || input("outcomes must give pairs of a probability and what step gives");
                let (probability, given): (f64, Bound<'_, PyAny>) =
                    outcome.extract().map_err(|_: PyErr| wrong())?;
                if !(probability.is_finite() && probability > 0.0) {
                    let wrong = format!("outcomes gives the probability {probability}");
                    return Err(input(wrong + ": expected a number above 0"));
                }
                sum += probability;
                let (state, step) = self.turn(&given)?;
                listed.push(Outcome { probability, state, step });
            }
            // As many roundings as anybody's outcomes come to.
            if (sum - 1.0).abs() > 1e-6 {
                let action = shown.map_or_else(String::new, |action| action.to_string());
                return Err(input(format!(
                    "outcomes gives probabilities for {action} that sum to {sum}, expected 1"
                )));
            }
            Ok(listed)
        });
        out.extend(listed);
    }
}

impl Hidden for PythonGame {
    type Known = Object;

    fn known(&self, state: &Object) -> Object {
        self.ask(Object(None), |game| {
            Ok(Object::new(game.call_method1("known", (known(game.py(), state),))?))
        })
    }

    fn draw(&self, knowledge: &Object, rng: &mut Rng) -> Object {
        self.with_stream(rng, Object(None), |game, stream| {
            let knowledge = known(game.py(), knowledge);
            Ok(Object::new(game.call_method1("draw", (knowledge, stream))?))
        })
    }
}

/// What a game must have.
const REQUIRED: [&str; 3] = ["start", "actions", "step"];

/// What a game may have beside what it must have.
const OPTIONAL: [&str; 8] =
    ["discount", "minimising", "text", "action_text", "key", "outcomes", "known", "draw"];

/// Whether an object has a method.
fn has(object: &Bound<'_, PyAny>, method: &str) -> PyResult<bool> {
    let found = object.getattr_opt(method)?;
    Ok(found.is_some_and(|found| found.is_callable()))
}

/// Refuses a member whose name is nearly that of one that the game could have: it would be ignored.
fn refuse_misspelt(object: &Bound<'_, PyAny>) -> PyResult<()> {
    let mut missing = Vec::new();
    for name in OPTIONAL {
        if object.getattr_opt(name)?.is_none() {
            missing.push(name);
        }
    }
    for name in object.dir()?.iter() {
        let name: String = name.extract()?;
        if name.starts_with('_')
            || REQUIRED.contains(&name.as_str())
            || OPTIONAL.contains(&name.as_str())
        {
            continue;
        }
        let near = did_you_mean(&name, missing.iter().copied());
        if !near.is_empty() {
            return Err(usage(format!(
                "a game has no member {name}{near} (if it is one of your own, let it begin with _)"
            )));
        }
    }
    Ok(())
}

/// The rules that a Python object has.
fn rules(object: &Bound<'_, PyAny>) -> PyResult<PythonGame> {
    let py = object.py();
    for method in REQUIRED {
        if !has(object, method)? {
            return Err(usage(format!(
                "a game needs the methods start(rng), actions(state) and step(state, action, rng); \
                 this one has no {method}"
            )));
        }
    }
    refuse_misspelt(object)?;
    let discount = match object.getattr_opt("discount")? {
        Some(discount) => discount.extract()?,
        None => 1.0,
    };
    if !(0.0..=1.0).contains(&discount) {
        return Err(usage(format!("discount is {discount}, expected a number from 0 to 1")));
    }
    if has(object, "outcomes")? && !has(object, "key")? {
        return Err(usage("a game with outcomes(state, action) needs key(state) too"));
    }
    if has(object, "known")? != has(object, "draw")? {
        return Err(usage("known(state) and draw(known, rng) go together"));
    }
    Ok(PythonGame {
        object: object.clone().unbind(),
        actions: Mutex::new(Numbers::new(py)),
        others: Mutex::new(Numbers::new(py)),
        faults: Faults::default(),
        calls: AtomicU64::new(0),
        discount,
        minimises: has(object, "minimising")?,
        shows_states: has(object, "text")?,
        shows_actions: has(object, "action_text")?,
    })
}

/// A game of a Python object, by this name.
#[pyfunction]
pub(crate) fn python_game(object: &Bound<'_, PyAny>, name: String) -> PyResult<Game> {
    let game = rules(object)?;
    let faults = game.faults.clone();
    let mut kit = Kit::new(game).text();
    if has(object, "key")? {
        kit = kit.keyed();
    }
    if has(object, "outcomes")? {
        kit = kit.outcomes();
    }
    if has(object, "known")? {
        kit = kit.hidden();
    }
    let inner = AnyGame::from(kit).called(name);
    Ok(Game { inner, made: Made::Python(faults) })
}

/// Puts a game of a Python object through the conformance suite, with all that it has: how many games were
/// played, how many of them ended, how many moves they had, and how many comparisons were made.
#[pyfunction]
pub(crate) fn check_game(
    object: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = whole)] seed: u64,
    #[pyo3(from_py_with = whole)] games: u64,
    #[pyo3(from_py_with = whole)] limit: u64,
    endless: bool,
) -> PyResult<(u64, u64, u64, u64)> {
    let game = rules(object)?;
    let mut suite = conformance::of(&game).seed(seed).games(games).limit(limit).samples(500);
    if endless {
        suite = suite.endless();
    }
    if has(object, "key")? {
        suite = suite.keyed();
    }
    if has(object, "outcomes")? {
        suite = suite.outcomes();
    }
    if has(object, "known")? {
        suite = suite.hidden();
    }
    let found = catch_unwind(AssertUnwindSafe(|| suite.run()));
    game.faults.end()?;
    match found {
        Ok(Ok(report)) => Ok((report.games, report.ended, report.moves, report.comparisons)),
        Ok(Err(violation)) => Err(input(violation)),
        Err(_) => Err(input("the game contradicts itself")),
    }
}
