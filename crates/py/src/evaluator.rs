//! Searches whose leaves a Python function judges: a network, or whatever knows states as arrays.
//!
//! The function is called on the thread that asked for the search, with the interpreter's lock, about the
//! leaves of all searches at once; in between the lock is let go.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use patience::plan::{Budget, Cancel, Evaluator, Judgements, States};
use patience::{Asked, search_together};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyTuple};

use crate::convert::{seconds, to_python, whole};
use crate::error::{call, input, usage};
use crate::interrupt::watched;
use crate::state::{State, of};

/// A Python function that is asked.
struct Function {
    function: Py<PyAny>,
    /// The first exception, which ends the search.
    raised: Mutex<Option<PyErr>>,
    cancel: Cancel,
    /// How long it was at work.
    outside: Mutex<Duration>,
}

/// The shape and the kind of numbers that are wanted of an array.
struct Wanted<'w> {
    what: &'w str,
    shape: &'w [usize],
}

impl Wanted<'_> {
    /// What was given, as an array of such numbers in one block of memory.
    fn read<'py>(&self, given: &Bound<'py, PyAny>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
        let numpy = given.py().import("numpy")?;
        let array = numpy.call_method1("asarray", (given,))?;
        let letter: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        let what = self.what;
        if !"fiub".contains(&letter) {
            let dtype = array.getattr("dtype")?;
            return Err(input(format!(
                "the evaluator gave {what} of the type {dtype}, expected numbers"
            )));
        }
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        if shape != self.shape {
            let (shape, expected) =
                (PyTuple::new(given.py(), shape)?, PyTuple::new(given.py(), self.shape)?);
            return Err(input(format!(
                "the evaluator gave {what} of the shape {shape}, expected {expected}"
            )));
        }
        numpy.call_method1("ascontiguousarray", (array, kind))
    }
}

impl Function {
    fn new(function: Py<PyAny>, cancel: &Cancel) -> Self {
        let (raised, outside) = (Mutex::new(None), Mutex::new(Duration::ZERO));
        Function { function, raised, cancel: cancel.clone(), outside }
    }

    fn ask(&self, py: Python<'_>, states: States<'_>, judgements: Judgements<'_>) -> PyResult<()> {
        let count = states.count;
        let (width, moves) = (states.observations.len() / count, states.legal.len() / count);
        let observations = PyArray1::from_slice(py, states.observations).reshape([count, width])?;
        let legal = PyArray1::from_iter(py, states.legal.iter().map(|&legal| legal != 0));
        let masks = legal.reshape([count, moves])?;
        let begin = Instant::now();
        let given = self.function.call1(py, (observations, masks));
        *self.outside.lock().unwrap_or_else(PoisonError::into_inner) += begin.elapsed();
        let given = given?.into_bound(py);
        let pair: (Bound<'_, PyAny>, Bound<'_, PyAny>) = given.extract().map_err(|_| {
            let kind = given.get_type();
            input(format!("the evaluator gave {kind}, expected a pair (priors, values)"))
        })?;
        let priors = Wanted { what: "priors", shape: &[count, moves] }.read(&pair.0, "float32")?;
        let values = Wanted { what: "values", shape: &[count] }.read(&pair.1, "float64")?;
        let priors: PyReadonlyArray2<'_, f32> = priors.extract()?;
        let values: PyReadonlyArray1<'_, f64> = values.extract()?;
        let (priors, values) = (priors.as_slice()?, values.as_slice()?);
        for (row, &value) in values.iter().enumerate() {
            if !value.is_finite() {
                return Err(input(format!(
                    "the evaluator gave the value {value} in row {row}, expected a finite number"
                )));
            }
            // It speaks for the player to move, and here the first player is spoken for.
            judgements.values[row] = if states.minimising[row] { -value } else { value };
            let mut sum = 0.0;
            let places = row * moves..(row + 1) * moves;
            let legal = &states.legal[places.clone()];
            let logits = judgements.logits[places.clone()].iter_mut();
            for (number, (&prior, logit)) in priors[places].iter().zip(logits).enumerate() {
                if legal[number] == 0 {
                    continue;
                }
                if !(prior.is_finite() && prior >= 0.0) {
                    return Err(input(format!(
                        "the evaluator gave the prior {prior} to move {number} in row {row}, \
                         expected a finite number from 0 on"
                    )));
                }
                sum += f64::from(prior);
                *logit = prior.ln();
            }
            if sum == 0.0 {
                return Err(input(format!(
                    "the evaluator gave the prior 0 to all legal moves in row {row}"
                )));
            }
        }
        Ok(())
    }

    /// Raises the exception, if there was one.
    fn end(&self) -> PyResult<()> {
        let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.map_or(Ok(()), Err)
    }
}

impl Evaluator for Function {
    fn evaluate(&self, states: States<'_>, judgements: Judgements<'_>) {
        if let Err(error) = Python::attach(|py| self.ask(py, states, judgements)) {
            self.cancel.cancel();
            self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

/// What the searches of several positions came to, as arrays with one row per position and one column per
/// number of a move; `searched[i]` is the advice on position i.
#[pyclass(module = "patience", frozen)]
#[derive(Debug)]
pub(crate) struct Searched {
    inner: Vec<patience::Searched>,
    asked: Asked,
    outside: f64,
}

impl Searched {
    fn rows<'py, T, U>(
        &self,
        py: Python<'py>,
        row: impl Fn(&patience::Searched) -> &[T],
        entry: impl Fn(&T) -> U,
    ) -> PyResult<Bound<'py, PyAny>>
    where
        U: numpy::Element,
    {
        let width = self.inner.first().map_or(0, |searched| row(searched).len());
        let all: Vec<U> =
            self.inner.iter().flat_map(|searched| row(searched).iter().map(&entry)).collect();
        Ok(PyArray1::from_vec(py, all).reshape([self.inner.len(), width])?.into_any())
    }
}

#[pymethods]
impl Searched {
    /// What the evaluator is shown of the positions; 0 where the game is over.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |searched| &searched.shown.0, |&seen| seen)
    }

    /// Which moves are legal.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |searched| &searched.shown.1, |&legal| legal != 0)
    }

    /// How often each move was tried.
    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |searched| &searched.visits, |&visits| visits as i64)
    }

    /// The policies that the searches have come to, for a network to learn: shares of the visits, or with
    /// Gumbel's root the improved policy. They sum to 1; all are 0 where the game is over.
    #[getter]
    fn policies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |searched| &searched.policy, |&share| share)
    }

    /// What the positions are worth to whoever is to move there: the means of all episodes.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        PyArray1::from_iter(py, self.inner.iter().map(|searched| searched.value)).into_any()
    }

    /// The numbers of the recommended moves; -1 where the game is over.
    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let number = |best: Option<usize>| best.map_or(-1, |best| best as i64);
        PyArray1::from_iter(py, self.inner.iter().map(|searched| number(searched.best))).into_any()
    }

    /// How often the evaluator was called.
    #[getter]
    fn calls(&self) -> u64 {
        self.asked.calls
    }

    /// About how many states it was asked, in all.
    #[getter]
    fn evaluations(&self) -> u64 {
        self.asked.evaluations
    }

    /// Seconds that all took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.asked.seconds
    }

    /// Seconds of them within the evaluator.
    #[getter]
    fn outside(&self) -> f64 {
        self.outside
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let all = self.inner.iter().map(|searched| of(py, &searched.advice));
        PyList::new(py, all.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, place: isize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.inner.len();
        let from_begin = if place < 0 { place + count as isize } else { place };
        match usize::try_from(from_begin).ok().and_then(|place| self.inner.get(place)) {
            Some(searched) => of(py, &searched.advice),
            None => {
                let message =
                    format!("{count} positions were searched, none has the place {place}");
                Err(pyo3::exceptions::PyIndexError::new_err(message))
            }
        }
    }

    fn __repr__(&self) -> String {
        let Asked { evaluations, calls, .. } = self.asked;
        let count = self.inner.len();
        format!("<Searched: {count} positions, {evaluations} evaluations in {calls} calls>")
    }
}

fn shown<'py>(py: Python<'py>, asked: &Asked) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, asked)
}

/// Searches positions by `uct` with these parameters; the evaluator judges the leaves of all.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn search_evaluated(
    py: Python<'_>,
    states: Vec<Bound<'_, State>>,
    seeds: Vec<Bound<'_, PyAny>>,
    planner: String,
    evaluator: Bound<'_, PyAny>,
    time: Option<f64>,
    #[pyo3(from_py_with = whole)] memory: u64,
    watch: Option<Py<PyAny>>,
) -> PyResult<Searched> {
    if !evaluator.is_callable() {
        return Err(usage(format!("the evaluator is {}, expected a function", evaluator.repr()?)));
    }
    let seeds = seeds.iter().map(whole).collect::<PyResult<Vec<u64>>>()?;
    if seeds.len() != states.len() {
        return Err(usage(format!("{} seeds for {} states", seeds.len(), states.len())));
    }
    let states: Vec<_> = states.iter().map(|state| state.get().position()).collect();
    let evaluator = evaluator.unbind();
    let budget = Budget { time: seconds(time)?, memory: Some(memory), ..Budget::UNLIMITED };
    watched(py, watch, shown, |cancel, tell| {
        let states = states; // Copies of their own, which go where the closure goes.
        let function = Function::new(evaluator, cancel);
        let mut tell = |asked: &Asked| tell(asked);
        let found =
            search_together(&states, &seeds, &planner, &budget, cancel, &function, &mut tell);
        function.end()?;
        let (inner, asked) = found.map_err(call)?;
        let outside = function.outside.lock().unwrap_or_else(PoisonError::into_inner).as_secs_f64();
        Ok(Searched { inner, asked, outside })
    })
}
