//! A figure of a paper as rows: the units of an experiment, as its export has them.
//!
//! A batch holds some units of all arms. Its file depends on spec and versions alone, to the byte: times
//! are in the list of batches. Tables, intervals and rulings are never kept; they are made from a store
//! into which the rows are put back.

use std::path::Path;

use patience_lab::{
    self as lab, Crew, Done, ExperimentReport, Ledger, Reading, RunOptions, Spec, Store,
};
use patience_plan::Cancel;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::card::{self, Asked};
use super::dataset::{Batch, Dataset, hours};
use super::run::{Progress, Running};
use super::{DataError, clock, row};
use crate::{registry, resolve};

/// A line of a batch: the columns of `patience experiment export`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
struct Line {
    experiment: String,
    arm: String,
    unit: u64,
    column: String,
    x: Option<f64>,
    value: f64,
}

/// A unit of an arm with its values.
pub(super) struct Unit {
    /// The place of its arm in the spec.
    pub(super) arm: usize,
    pub(super) unit: u64,
    pub(super) values: Vec<f64>,
}

/// A store that is gone when it is dropped.
struct Temporary {
    folder: TempDir,
}

impl Temporary {
    fn new() -> Result<Temporary, DataError> {
        let place = std::env::temp_dir();
        let folder = TempDir::new().map_err(DataError::io(&place, "make a folder in it"))?;
        Ok(Temporary { folder })
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("store.db")
    }
}

impl Dataset {
    /// What its card says of an experiment, if it is about one.
    fn experiment_card(&self) -> Result<&card::Experiment, DataError> {
        match &self.card.asked {
            Asked::Experiment(card) => Ok(card),
            _ => Err(DataError::bad(&self.card_path(), "expected a result about an experiment")),
        }
    }

    /// The spec that its card names, with its units.
    pub(super) fn spec(&self) -> Result<Spec, DataError> {
        let card = self.experiment_card()?;
        let blame = |message: String| DataError::Call { path: self.card_path(), message };
        let spec = match Path::new(&card.spec).extension() {
            Some(_) => Spec::read(&self.folder().join(&card.spec), false)?,
            None => {
                let known = registry().specs().find(|(name, _)| *name == card.spec);
                let names = registry().specs().map(|(name, _)| name);
                let (name, text) = known.ok_or_else(|| {
                    let near = lab::did_you_mean(&card.spec, names);
                    blame(format!("there is no spec {}{near}", card.spec))
                })?;
                Spec::parse(&format!("built-in {name}"), text, false)?
            }
        };
        if spec.seed != card.seed {
            let (asked, has) = (card.seed, spec.seed);
            return Err(blame(format!("the seed is {asked} here and {has} in the spec")));
        }
        let units = card.units.unwrap_or(spec.units);
        Ok(spec.with_units(units))
    }

    /// The experiment, ready to run, with so many units.
    fn experiment(&self, units: u64) -> Result<lab::Experiment, DataError> {
        Ok(lab::check(&self.spec()?.with_units(units), &resolve(registry()))?)
    }

    /// The versions that its results would have now.
    pub(super) fn versions_now(&self) -> Result<String, DataError> {
        Ok(self.experiment(1)?.versions().to_string())
    }

    /// What the spec asks for, as a hash: another seed, arm, game, planner or task is another one.
    fn asked_for(spec: &Spec) -> String {
        let arms: Vec<String> = spec.arms.iter().map(lab::Arm::identity).collect();
        row::sha256(arms.join(" ").as_bytes())
    }

    /// The units of a batch, by arm and unit.
    ///
    /// # Errors
    /// If its file is not the one that was written, or is of another spec; if a line is missing or not
    /// where it is expected.
    pub(super) fn units(
        &self,
        experiment: &lab::Experiment,
        batch: &Batch,
    ) -> Result<Vec<Unit>, DataError> {
        let path = self.path_of(batch);
        let bad = |message: String| DataError::bad(&path, message);
        let spec = experiment.spec();
        if batch.asked.as_deref() != Some(&Dataset::asked_for(spec)) {
            let name = &spec.name;
            return Err(bad(format!("these rows are of another spec than {name} is now")));
        }
        let lines: Vec<Line> = row::read(&self.bytes(batch)?).map_err(bad)?;
        let mut lines = lines.into_iter();
        let mut units = Vec::new();
        for (arm, columns) in experiment.columns().into_iter().enumerate() {
            for unit in batch.first..=batch.last {
                let mut values = Vec::with_capacity(columns.len());
                for column in columns {
                    let line = lines.next();
                    let name = &spec.arms[arm].name;
                    let expected = line.as_ref().is_some_and(|line| {
                        line.experiment == spec.name
                            && (&line.arm, line.unit) == (name, unit)
                            && (&line.column, line.x) == (&column.name, column.x)
                    });
                    let Some(line) = line.filter(|_| expected) else {
                        let column = &column.name;
                        return Err(bad(format!(
                            "expected {column} of unit {unit} of arm `{name}` next"
                        )));
                    };
                    values.push(line.value);
                }
                units.push(Unit { arm, unit, values });
            }
        }
        match lines.next() {
            None => Ok(units),
            Some(line) => Err(bad(format!("unit {} of `{}` is one too many", line.unit, line.arm))),
        }
    }

    /// Puts all rows into a store.
    fn fill(&self, store: Store) -> Result<(), DataError> {
        let experiment = self.experiment(self.asked())?;
        let hashes: Vec<u128> = experiment
            .hashes()
            .iter()
            .map(|hash| u128::from_str_radix(hash, 16).unwrap_or(0))
            .collect();
        let mut batches = Vec::new();
        for batch in &self.batches {
            batches.push((batch, self.units(&experiment, batch)?));
        }
        let mut ledger = Ledger::open(experiment, store)?;
        for (batch, units) in batches {
            let done: Vec<Done> = units
                .into_iter()
                .map(|Unit { arm, unit, values }| Done {
                    hash: hashes[arm],
                    unit,
                    values,
                    seconds: 0.0,
                })
                .collect();
            // A value that a column cannot have is refused here.
            ledger
                .take(&done)
                .map_err(|error| DataError::bad(&self.path_of(batch), error.to_string()))?;
        }
        Ok(())
    }

    /// The report that the rows give: tables, intervals, what was published beside them, rulings.
    pub(super) fn reported(&self) -> Result<ExperimentReport, DataError> {
        let temporary = Temporary::new()?;
        self.fill(Store::open(&temporary.path())?)?;
        let report = lab::report(&Reading::open(&temporary.path())?, &[])?;
        let mut reports = report.experiments.into_iter();
        reports.next().ok_or_else(|| DataError::bad(&self.card_path(), "the spec has no report"))
    }

    /// Runs one unit of one arm again.
    pub(super) fn unit_again(
        crew: &Crew,
        arms: usize,
        unit: &Unit,
        cancel: &Cancel,
    ) -> Result<Option<Vec<f64>>, DataError> {
        let place = unit.unit * arms as u64 + unit.arm as u64;
        let done = crew.run(std::slice::from_ref(&(place..place + 1)), cancel)?;
        Ok(done.into_iter().next().map(|done| done.values))
    }

    /// What runs units again.
    pub(super) fn crew(&self) -> Result<(lab::Experiment, Crew), DataError> {
        let spec = self.spec()?;
        Ok((self.experiment(self.asked())?, Crew::new(spec, &resolve(registry()))?))
    }

    pub(super) fn run_experiment(
        &mut self,
        running: &Running<'_>,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<(), DataError> {
        // Rows of other versions and new ones must not come to one table, nor into one store.
        let now = self.versions_now()?;
        if let Some(batch) = self.batches.iter().find(|batch| batch.versions != now) {
            let then = &batch.versions;
            let message =
                format!("made by {then}, and the program has {now}: nothing can be added");
            return Err(DataError::bad(&self.path_of(batch), message));
        }
        let temporary = Temporary::new()?;
        let path = running.store.clone().unwrap_or_else(|| temporary.path());
        self.fill(Store::open(&path)?)?;
        let size = self.experiment_card()?.batch;
        let options = RunOptions { threads: running.threads, ..RunOptions::default() };
        while self.next() <= self.last() && !running.cancel.is_cancelled() {
            let first = self.next();
            let last = self.last().min(first + size - 1);
            let experiment = self.experiment(last + 1)?;
            let arms = experiment.spec().arms.len() as u64;
            let begin = clock::process();
            let mut store = Store::open(&path)?;
            // What other runs have left in the store took its time too.
            let before = stored_seconds(store.reading(), &experiment, first)?;
            experiment.run(&mut store, &options, running.cancel, &mut |progress| {
                let in_hand = progress.done / arms - first.min(progress.done / arms);
                watch(Progress { done: self.done(), in_hand, asked: self.asked() });
            })?;
            drop(store);
            let lines = whole(&Reading::open(&path)?, &experiment, first)?;
            let Some(last) = lines.last().map(|line| line.unit) else { break };
            let bytes = row::write(&lines).map_err(|error| {
                DataError::bad(&self.card_path(), format!("rows cannot be written: {error}"))
            })?;
            let batch = Batch {
                file: Dataset::file(first, last),
                first,
                last,
                sha256: row::sha256(&bytes),
                versions: experiment.versions().to_string(),
                asked: Some(Dataset::asked_for(experiment.spec())),
                date: running.date.clone(),
                hours: hours(before + clock::process() - begin),
            };
            self.add(batch, &bytes)?;
        }
        Ok(())
    }
}

/// How long the stored units took that are in no batch yet.
fn stored_seconds(
    reading: &Reading,
    experiment: &lab::Experiment,
    first: u64,
) -> Result<f64, DataError> {
    let spec = experiment.spec();
    let mut seconds = 0.0;
    for arm in &spec.arms {
        let Some(stored) = reading.arm(&spec.name, arm)? else { continue };
        reading.each_row(&stored, spec.units, |row| {
            seconds += if row.unit >= first { row.seconds } else { 0.0 };
            Ok(())
        })?;
    }
    Ok(seconds)
}

/// The lines of the units from `first` on, as long as every arm has them.
fn whole(
    reading: &Reading,
    experiment: &lab::Experiment,
    first: u64,
) -> Result<Vec<Line>, DataError> {
    let spec = experiment.spec();
    let mut all = Vec::new();
    let mut end = u64::MAX;
    for (arm, columns) in spec.arms.iter().zip(experiment.columns()) {
        let mut next = first;
        let mut lines = Vec::new();
        if let Some(stored) = reading.arm(&spec.name, arm)? {
            reading.each_result(&stored, spec.units, |unit, values| {
                if unit == next {
                    next += 1;
                    lines.extend(columns.iter().zip(values).map(|(column, value)| Line {
                        experiment: spec.name.clone(),
                        arm: arm.name.clone(),
                        unit,
                        column: column.name.clone(),
                        x: column.x,
                        value,
                    }));
                }
                Ok(())
            })?;
        }
        end = end.min(next);
        all.push(lines);
    }
    Ok(all.into_iter().flatten().filter(|line| line.unit < end).collect())
}
