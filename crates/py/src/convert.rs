//! Values that can be serialized, as Python's own: dictionaries, lists, strings and numbers; and what
//! callers give, as ours.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use serde::Serialize;
use serde_json::Value;

use crate::error::{Kind, raise, usage};

/// A value as Python's own; numbers keep every bit.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    value: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(value).map_err(|error| raise(Kind::Fault, error))?;
    object(py, &value)
}

fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(whole), _, _) => whole.into_pyobject(py)?.into_any(),
            (_, Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (_, _, number) => number.unwrap_or(f64::NAN).into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(object(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (key, item) in entries {
                dict.set_item(key, object(py, item)?)?;
            }
            dict.into_any()
        }
    })
}

/// Seconds that were asked for.
pub(crate) fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    let wrong = || usage("time takes a number of seconds above 0");
    match time {
        Some(s) if s <= 0.0 => Err(wrong()),
        Some(s) => Duration::try_from_secs_f64(s).map(Some).map_err(|_| wrong()),
        None => Ok(None),
    }
}

/// A whole number from 0 on: an argument that is none is told so, in our words.
pub(crate) fn whole(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    let wrong = || usage(format!("{number} is not a whole number from 0 to {}", u64::MAX));
    match number.cast::<PyBool>() {
        Ok(_) => Err(wrong()),
        Err(_) => number.extract().map_err(|_| wrong()),
    }
}

/// The same, or `None`.
pub(crate) fn maybe_whole(number: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if number.is_none() { Ok(None) } else { whole(number).map(Some) }
}

/// Threads, as many as a machine may have; 0 where that is a choice of its own.
pub(crate) fn some_threads(threads: u64) -> PyResult<usize> {
    const MOST: u64 = 1024;
    match usize::try_from(threads) {
        Ok(number) if threads <= MOST => Ok(number),
        _ => Err(usage(format!("{threads} threads: expected at most {MOST}"))),
    }
}

/// The name of a deal: a string such as `seed:7`, or a number, however long.
pub(crate) fn deal_name(deal: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(name) = deal.cast::<PyString>() {
        return name.extract();
    }
    let number = match deal.cast::<PyBool>() {
        Ok(_) => None,
        Err(_) => deal.call_method0("__index__").ok(),
    };
    let wrong = || usage("a deal is a number such as 7, or a string such as 'seed:7'");
    Ok(number.ok_or_else(wrong)?.str()?.to_string())
}
