//! Units run elsewhere: a crew on each worker, a ledger with the driver.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use patience::lab::{self, Done, Places, Store};
use patience::plan::Cancel;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::convert::{maybe_whole, to_python};
use crate::error::{input, lab as lab_error};
use crate::experiment::spec;
use crate::interrupt::aside;
use crate::objects::Objects;

/// Runs units of a spec on a worker.
#[pyclass(module = "patience._native", frozen)]
#[derive(Debug)]
pub(crate) struct Crew(lab::Crew, Objects);

#[pymethods]
impl Crew {
    #[new]
    fn new(
        py: Python<'_>,
        file: &str,
        text: &str,
        quick: bool,
        #[pyo3(from_py_with = maybe_whole)] units: Option<u64>,
        objects: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let spec = spec(file, text, quick, units)?;
        let objects = Objects::read(objects)?;
        py.detach(|| {
            let crew = lab::Crew::new(spec, &objects.resolve()).map_err(lab_error);
            Ok(Crew(objects.end(crew)?, objects))
        })
    }

    /// Runs the units of these ranges of places and gives the results as bytes. On a worker Ctrl-C is nobody's:
    /// with `signals` it ends the chunk.
    #[pyo3(signature = (places, signals = false))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        places: Vec<(u64, u64)>,
        signals: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let places: Vec<Places> = places.into_iter().map(|(first, end)| first..end).collect();
        let done = match signals {
            true => aside(py, |cancel| self.0.run(&places, cancel))?,
            false => py.detach(|| self.0.run(&places, &Cancel::new())),
        };
        Ok(PyBytes::new(py, &Done::pack(&self.1.end(done.map_err(lab_error))?)))
    }
}

/// Keeps the account of a spec in a store.
#[pyclass(module = "patience._native", frozen)]
#[derive(Debug)]
pub(crate) struct Ledger(Mutex<Option<lab::Ledger>>);

impl Ledger {
    fn lock(&self) -> MutexGuard<'_, Option<lab::Ledger>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open<T>(&self, act: impl FnOnce(&mut lab::Ledger) -> PyResult<T>) -> PyResult<T> {
        match &mut *self.lock() {
            Some(ledger) => act(ledger),
            None => Err(input("the store was closed")),
        }
    }
}

#[pymethods]
impl Ledger {
    #[new]
    fn new(
        py: Python<'_>,
        file: &str,
        text: &str,
        quick: bool,
        #[pyo3(from_py_with = maybe_whole)] units: Option<u64>,
        objects: &Bound<'_, PyDict>,
        store: PathBuf,
    ) -> PyResult<Self> {
        let spec = spec(file, text, quick, units)?;
        let objects = Objects::read(objects)?;
        py.detach(|| {
            let experiment = lab::check(&spec, &objects.resolve()).map_err(lab_error)?;
            let store = Store::open(&store).map_err(lab_error)?;
            let ledger = lab::Ledger::open(experiment, store).map_err(lab_error)?;
            Ok(Ledger(Mutex::new(Some(ledger))))
        })
    }

    /// The next units to hand out, about so many seconds of work: ranges of places.
    fn chunk(&self, seconds: f64) -> PyResult<Vec<(u64, u64)>> {
        self.open(|ledger| {
            Ok(ledger.chunk(seconds).into_iter().map(|p| (p.start, p.end)).collect())
        })
    }

    /// Stores results and says how many of them were new.
    fn take(&self, py: Python<'_>, done: &[u8]) -> PyResult<u64> {
        let done = Done::unpack(done).ok_or_else(|| input("these bytes are no results"))?;
        py.detach(|| self.open(|ledger| ledger.take(&done).map_err(lab_error)))
    }

    /// How far it is.
    fn progress<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.open(|ledger| to_python(py, &ledger.progress()))
    }

    /// How it ended.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.open(|ledger| to_python(py, &ledger.summary()))
    }

    /// Closes the store.
    fn close(&self) {
        *self.lock() = None;
    }
}
