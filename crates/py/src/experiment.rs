//! Experiments: specs, runs, reports and rows.

use std::path::{Path, PathBuf};

use numpy::PyArray1;
use patience::lab::{
    self, Experiment, ExportFormat, Progress, Reading, RunOptions, Shard, Spec, Store,
    StoredExperiment, did_you_mean,
};
use patience::registry;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList};

use crate::convert::{maybe_whole, some_threads, to_python, whole};
use crate::error::{Kind, input, lab as lab_error, raise};
use crate::interrupt::watched;
use crate::objects::Objects;

/// A spec as it travels: what it is called in messages, and its text.
pub(crate) fn spec(file: &str, text: &str, quick: bool, units: Option<u64>) -> PyResult<Spec> {
    let spec = Spec::parse(file, text, quick).map_err(lab_error)?;
    Ok(match units {
        Some(units) => spec.with_units(units),
        None => spec,
    })
}

/// The same, checked and ready to run.
fn experiment(
    file: &str,
    text: &str,
    quick: bool,
    units: Option<u64>,
    objects: &Objects,
) -> PyResult<Experiment> {
    let spec = spec(file, text, quick, units)?;
    objects.end(lab::check(&spec, &objects.resolve()).map_err(lab_error))
}

/// The names of the built-in specs.
#[pyfunction]
pub(crate) fn spec_names() -> Vec<&'static str> {
    registry().specs().map(|(name, _)| name).collect()
}

/// A spec's name for messages and its text: of a file, or a built-in one by name. It is read and
/// resolved, so that what is wrong is said now.
#[pyfunction]
pub(crate) fn read_spec<'py>(
    py: Python<'py>,
    given: &str,
    quick: bool,
    #[pyo3(from_py_with = maybe_whole)] units: Option<u64>,
) -> PyResult<Bound<'py, PyDict>> {
    let (file, text) = match registry().specs().find(|(name, _)| *name == given) {
        _ if Path::new(given).exists() => {
            let text = std::fs::read_to_string(given)
                .map_err(|error| input(format!("{given}: cannot read the spec: {error}")))?;
            (given.to_owned(), text)
        }
        Some((name, text)) => (format!("built-in {name}"), text.to_owned()),
        None => {
            let names = spec_names();
            let near = did_you_mean(given, names.iter().copied());
            let names = names.join(", ");
            let message =
                format!("{given}: there is no such file or spec{near} (built in: {names})");
            return Err(input(message));
        }
    };
    check_spec(py, &file, &text, quick, units, &PyDict::new(py))
}

/// What there is to know of a spec, once it was resolved; what is wrong with it is said now.
#[pyfunction]
pub(crate) fn check_spec<'py>(
    py: Python<'py>,
    file: &str,
    text: &str,
    quick: bool,
    #[pyo3(from_py_with = maybe_whole)] units: Option<u64>,
    objects: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let experiment = experiment(file, text, quick, units, &Objects::read(objects)?)?;
    let spec = experiment.spec();
    let about = PyDict::new(py);
    about.set_item("file", file)?;
    about.set_item("text", text)?;
    about.set_item("name", &spec.name)?;
    about.set_item("title", &spec.title)?;
    about.set_item("seed", spec.seed)?;
    about.set_item("units", spec.units)?;
    about.set_item("arms", spec.arms.iter().map(|arm| arm.name.as_str()).collect::<Vec<_>>())?;
    Ok(about)
}

/// Runs a spec, or what is left of it.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn experiment_run<'py>(
    py: Python<'py>,
    file: &str,
    text: &str,
    quick: bool,
    #[pyo3(from_py_with = maybe_whole)] units: Option<u64>,
    objects: &Bound<'py, PyDict>,
    store: PathBuf,
    #[pyo3(from_py_with = whole)] threads: u64,
    shard: Option<&str>,
    watch: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let threads = some_threads(threads)?;
    let shard: Shard = shard.map_or(Ok(Shard::WHOLE), str::parse).map_err(lab_error)?;
    let objects = Objects::read(objects)?;
    let summary = watched(py, watch, shown, |cancel, tell| {
        let experiment = experiment(file, text, quick, units, &objects)?;
        let mut store = Store::open(&store).map_err(lab_error)?;
        let options = RunOptions { threads, shard };
        objects.end(experiment.run(&mut store, &options, cancel, tell).map_err(lab_error))
    })?;
    to_python(py, &summary)
}

fn shown<'py>(py: Python<'py>, progress: &Progress) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, progress)
}

/// The results of a spec in a store that another version of the program made, in words: a run leaves
/// them as they are and does not count them. None if there is no store.
#[pyfunction]
pub(crate) fn outdated(
    py: Python<'_>,
    file: &str,
    text: &str,
    quick: bool,
    #[pyo3(from_py_with = maybe_whole)] units: Option<u64>,
    objects: &Bound<'_, PyDict>,
    store: PathBuf,
) -> PyResult<Vec<String>> {
    if !store.exists() {
        return Ok(Vec::new());
    }
    let objects = Objects::read(objects)?;
    py.detach(|| {
        let experiment = experiment(file, text, quick, units, &objects)?;
        let found = experiment.outdated(&reading(&store)?).map_err(lab_error)?;
        Ok(found.iter().map(ToString::to_string).collect())
    })
}

fn reading(store: &Path) -> PyResult<Reading> {
    Reading::open(store).map_err(lab_error)
}

/// The report on a store: tables, intervals, verdicts.
#[pyfunction]
pub(crate) fn report<'py>(
    py: Python<'py>,
    store: PathBuf,
    names: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let report = py.detach(|| lab::report(&reading(&store)?, &names).map_err(lab_error))?;
    to_python(py, &report)
}

/// The report as one self-contained HTML page.
#[pyfunction]
pub(crate) fn html(py: Python<'_>, store: PathBuf, names: Vec<String>) -> PyResult<String> {
    py.detach(|| Ok(lab::html(&lab::report(&reading(&store)?, &names).map_err(lab_error)?)))
}

/// The plots of a report as SVG, by name.
#[pyfunction]
pub(crate) fn svgs(
    py: Python<'_>,
    store: PathBuf,
    names: Vec<String>,
) -> PyResult<Vec<(String, String)>> {
    py.detach(|| {
        let report = lab::report(&reading(&store)?, &names).map_err(lab_error)?;
        Ok(lab::figures(&report).into_iter().map(|(name, svg)| (name.to_string(), svg)).collect())
    })
}

/// The experiments of a store with their progress.
#[pyfunction]
pub(crate) fn list_store(py: Python<'_>, store: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let list = py.detach(|| reading(&store)?.list().map_err(lab_error))?;
    to_python(py, &list)
}

/// The experiments of a store as they were last run: each with its spec's text, whether it was the quick
/// version, its units, and the program that ran it.
#[pyfunction]
pub(crate) fn stored_specs<'py>(
    py: Python<'py>,
    store: PathBuf,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let stored = py.detach(|| reading(&store)?.experiments().map_err(lab_error))?;
    let told = |experiment: StoredExperiment| {
        let told = PyDict::new(py);
        let spec = experiment.spec().map_err(lab_error)?;
        told.set_item("name", experiment.name)?;
        told.set_item("title", spec.title)?;
        told.set_item("seed", spec.seed)?;
        let arms: Vec<String> = spec.arms.into_iter().map(|arm| arm.name).collect();
        told.set_item("arms", arms)?;
        told.set_item("text", experiment.text)?;
        told.set_item("quick", experiment.quick)?;
        told.set_item("units", experiment.units)?;
        told.set_item("program", experiment.program)?;
        told.set_item("updated", experiment.updated)?;
        Ok(told)
    };
    stored.into_iter().map(told).collect()
}

/// Takes over the results of other stores.
#[pyfunction]
pub(crate) fn merge_stores<'py>(
    py: Python<'py>,
    into: PathBuf,
    from: Vec<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    let merged = py.detach(|| lab::merge_into(&into, &from).map_err(lab_error))?;
    to_python(py, &merged)
}

/// The rows of a store as CSV or JSON lines.
#[pyfunction]
pub(crate) fn export_text(
    py: Python<'_>,
    store: PathBuf,
    names: Vec<String>,
    format: &str,
) -> PyResult<String> {
    let format: ExportFormat = format.parse().map_err(lab_error)?;
    py.detach(|| {
        let mut out = Vec::new();
        lab::export(&reading(&store)?, &names, format, &mut out).map_err(lab_error)?;
        String::from_utf8(out).map_err(|error| raise(Kind::Fault, error))
    })
}

/// The rows of an experiment as columns, one number per row: `arm`, `unit`, `column`, `x`, `value`, and
/// the `seconds` of the unit. Names come as a list of their words and an array of places in it, numbers as
/// arrays. `arms` says of each arm what it is, with the numbers and the words of its sweep.
#[pyfunction]
pub(crate) fn rows<'py>(
    py: Python<'py>,
    store: PathBuf,
    name: String,
) -> PyResult<Bound<'py, PyDict>> {
    let mut words: (Vec<String>, Vec<String>) = Default::default();
    let (mut arms, mut columns) = (Vec::<i32>::new(), Vec::<i32>::new());
    let (mut units, mut xs, mut values) = (Vec::<i64>::new(), Vec::new(), Vec::new());
    let (mut seconds, mut about) = (Vec::<f64>::new(), Vec::new());
    py.detach(|| -> PyResult<()> {
        let reading = reading(&store)?;
        let all = reading.experiments().map_err(lab_error)?;
        let Some(found) = all.iter().find(|experiment| experiment.name == name) else {
            let near = did_you_mean(&name, all.iter().map(|e| e.name.as_str()));
            return Err(input(format!("there is no experiment {name} in the store{near}")));
        };
        let spec = found.spec().map_err(lab_error)?;
        for arm in &spec.arms {
            let place = words.0.len() as i32;
            words.0.push(arm.name.clone());
            let stored = reading.arm(&spec.name, arm).map_err(lab_error)?;
            let hash = stored.as_ref().map_or(String::new(), |stored| stored.hash.clone());
            about.push((arm.clone(), hash));
            let Some(stored) = stored else { continue };
            let mut places = Vec::new();
            for column in &stored.columns {
                let known = words.1.iter().position(|word| *word == column.name);
                places.push(known.unwrap_or_else(|| {
                    words.1.push(column.name.clone());
                    words.1.len() - 1
                }) as i32);
            }
            let each = reading.each_row(&stored, spec.units, |row| {
                for ((value, column), place_of_column) in
                    row.values.iter().zip(&stored.columns).zip(&places)
                {
                    arms.push(place);
                    units.push(row.unit as i64);
                    seconds.push(row.seconds);
                    columns.push(*place_of_column);
                    xs.push(column.x.unwrap_or(f64::NAN));
                    values.push(*value);
                }
                Ok(())
            });
            each.map_err(lab_error)?;
        }
        Ok(())
    })?;
    let result = PyDict::new(py);
    result.set_item("arm_names", PyList::new(py, words.0)?)?;
    result.set_item("column_names", PyList::new(py, words.1)?)?;
    result.set_item("arm", PyArray1::from_vec(py, arms))?;
    result.set_item("unit", PyArray1::from_vec(py, units))?;
    result.set_item("column", PyArray1::from_vec(py, columns))?;
    result.set_item("x", PyArray1::from_vec(py, xs))?;
    result.set_item("value", PyArray1::from_vec(py, values))?;
    result.set_item("seconds", PyArray1::from_vec(py, seconds))?;
    let about = about.into_iter().map(|(arm, hash)| {
        let told = PyDict::new(py);
        told.set_item("game", arm.game)?;
        told.set_item("planner", arm.planner)?;
        told.set_item("hash", hash)?;
        let sweep = arm.variables.into_py_dict(py)?;
        for (variable, word) in arm.words {
            sweep.set_item(variable, word)?;
        }
        told.set_item("sweep", sweep)?;
        Ok(told)
    });
    result.set_item("arms", about.collect::<PyResult<Vec<_>>>()?)?;
    Ok(result)
}
