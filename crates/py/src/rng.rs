//! The random stream, for games written in Python.

use patience::model;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::convert::whole;
use crate::error::usage;

/// A random stream: xoshiro256++ seeded by name. The same name gives the same numbers on any
/// machine, for ever.
///
/// >>> import patience
/// >>> rng = patience.Rng(7, "game 12", "deal")
/// >>> rng.below(6) == patience.Rng(7, "game 12", "deal").below(6)
/// True
#[pyclass(module = "patience")]
#[derive(Debug)]
pub(crate) struct Rng(pub(crate) model::Rng);

#[pymethods]
impl Rng {
    #[new]
    #[pyo3(signature = (seed, *name))]
    fn new(#[pyo3(from_py_with = whole)] seed: u64, name: Vec<String>) -> Self {
        let name: Vec<&str> = name.iter().map(String::as_str).collect();
        Rng(model::Rng::named(seed, &name))
    }

    /// A whole number from 0 to n - 1, each alike.
    fn below(&mut self, #[pyo3(from_py_with = whole)] n: u64) -> PyResult<u64> {
        if n == 0 {
            return Err(usage("below(0): there is no number below 0"));
        }
        Ok(self.0.below(n))
    }

    /// A number in [0, 1).
    fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// True with this probability.
    fn chance(&mut self, probability: f64) -> bool {
        self.0.chance(probability)
    }

    /// One of the items of a sequence, each alike.
    fn pick<'py>(&mut self, items: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match items.len()? {
            0 => Err(usage("pick: there is nothing to pick from")),
            n => items.get_item(self.0.index(n)),
        }
    }

    /// Puts a list into random order, each order alike.
    fn shuffle(&mut self, items: &Bound<'_, PyList>) -> PyResult<()> {
        for i in (1..items.len()).rev() {
            let j = self.0.index(i + 1);
            let (a, b) = (items.get_item(i)?, items.get_item(j)?);
            items.set_item(i, b)?;
            items.set_item(j, a)?;
        }
        Ok(())
    }

    fn __repr__(&self) -> &'static str {
        "<patience.Rng>"
    }
}
