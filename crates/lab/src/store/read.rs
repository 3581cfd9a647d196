//! What is in a store.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use serde::Serialize;

use super::sums::{self, Sum};
use super::{Row, open, unpack};
use crate::error::{LabError, Result};
use crate::hash::Seal;
use crate::spec::{Arm, Spec};
use crate::task::Column;
use crate::versions::{Versions, made_with};

/// A store that is open for reading; an experiment may be writing to it meanwhile.
#[derive(Debug)]
pub struct Reading {
    path: PathBuf,
    connection: Connection,
    /// Whether counts and sums are compared; stores of older programs have none.
    has_sums: bool,
}

/// An experiment as it was last run.
#[derive(Clone, Debug)]
pub struct StoredExperiment {
    /// Its name.
    pub name: String,
    /// The spec's text.
    pub text: String,
    /// Whether it was the quick version.
    pub quick: bool,
    /// The number of units asked for.
    pub units: u64,
    /// The version of the program.
    pub program: String,
    /// When it was first run, in seconds since 1970.
    pub created: i64,
    /// When it was last run, in seconds since 1970.
    pub updated: i64,
}

impl StoredExperiment {
    /// The spec, as it was run.
    pub fn spec(&self) -> Result<Spec> {
        Ok(Spec::parse(&format!("spec of {}", self.name), &self.text, self.quick)?
            .with_units(self.units))
    }
}

/// An arm and its columns.
#[derive(Clone, Debug)]
pub struct StoredArm {
    /// Its number in this store.
    pub id: i64,
    /// Its experiment.
    pub experiment: String,
    /// The hash of what its results depend on.
    pub hash: String,
    /// Its name.
    pub name: String,
    /// What its results were made with; `None` in an older store.
    pub versions: Option<Versions>,
    /// Whether the experiment was last run with these versions.
    pub current: bool,
    /// Its columns.
    pub columns: Vec<Column>,
    /// The columns as they are stored.
    pub(crate) columns_text: String,
}

impl StoredArm {
    /// The versions with which it is this arm of a spec; `None` if it is another arm.
    pub(crate) fn made_with(&self, arm: &Arm) -> Option<Versions> {
        made_with(arm, &self.hash, self.versions.as_ref())
    }

    /// Whether it is this arm of a spec, as it was last run.
    pub(crate) fn is(&self, arm: &Arm) -> bool {
        self.current && self.name == arm.name && self.made_with(arm).is_some()
    }

    /// What seals its rows.
    pub(crate) fn seal(&self) -> Seal {
        Seal::new(&self.hash, &self.columns_text)
    }
}

/// One experiment in the list of a store.
#[derive(Clone, Debug, Serialize)]
pub struct Listing {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Whether it is the quick version.
    pub quick: bool,
    /// How many arms it has.
    pub arms: u64,
    /// How many (arm, unit) pairs are done.
    pub done: u64,
    /// How many there are.
    pub total: u64,
    /// Rows that do not belong to the spec as it was last run: other arms, later units, other
    /// versions.
    pub other: u64,
    /// Seconds that threads spent on the units that are done.
    pub seconds: f64,
}

impl Reading {
    /// Opens a store for reading.
    pub fn open(path: &Path) -> Result<Reading> {
        let path = open::place(path)?;
        let connection = open::reader(&path)?;
        Reading::over(path, connection)
    }

    /// Opens a store for reading, and reads all of it once to see that it is not damaged. Nobody
    /// may be writing to it.
    pub fn open_checked(path: &Path) -> Result<Reading> {
        let reading = Reading::open(path)?;
        open::check(reading.path())?;
        Ok(reading)
    }

    pub(super) fn over(path: PathBuf, connection: Connection) -> Result<Reading> {
        // A header that says the older version does not hide sums that are there.
        let has_sums = open::header(&path)? == open::Found::Store
            || sums::are_there(&connection)
                .map_err(|e| LabError::reading(&path, "read the store", e))?;
        Ok(Reading { path, connection, has_sums })
    }

    /// Gives it sums, if it is a store of an older program.
    pub(super) fn upgraded(mut self) -> Result<Reading> {
        if !self.has_sums {
            sums::upgrade(&mut self, open::VERSION)?;
            self.has_sums = true;
        }
        Ok(self)
    }

    pub(super) fn has_sums(&self) -> bool {
        self.has_sums
    }

    /// Reads something as it is at one moment, though a run may be writing.
    fn at_once<T>(&self, read: impl FnOnce() -> Result<T>) -> Result<T> {
        let begun = self.connection.is_autocommit();
        let snapshot = begun.then(|| self.connection.unchecked_transaction()).transpose();
        let _snapshot = snapshot.map_err(|e| self.fail(e))?;
        read()
    }

    /// Its path: as given, or where the link leads.
    pub fn path(&self) -> &PathBuf {
        &self.path
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    pub(super) fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }

    pub(super) fn fail(&self, e: rusqlite::Error) -> LabError {
        LabError::reading(&self.path, "read the store", e)
    }

    /// The experiments, by name.
    ///
    /// # Errors
    /// If one is gone, or is not as it was written.
    pub fn experiments(&self) -> Result<Vec<StoredExperiment>> {
        self.at_once(|| {
            let all = Reading::all_experiments(&self.connection).map_err(|e| self.fail(e))?;
            self.compare_experiments(&all)?;
            Ok(all)
        })
    }

    /// The experiments as they are there.
    pub(super) fn all_experiments(
        connection: &Connection,
    ) -> rusqlite::Result<Vec<StoredExperiment>> {
        connection
            .prepare(
                "SELECT name, text, quick, units, program, created, updated
                 FROM experiments ORDER BY name",
            )?
            .query_map([], |row| {
                Ok(StoredExperiment {
                    name: row.get(0)?,
                    text: row.get(1)?,
                    quick: row.get(2)?,
                    units: row.get::<_, i64>(3)?.max(0) as u64,
                    program: row.get(4)?,
                    created: row.get(5)?,
                    updated: row.get(6)?,
                })
            })?
            .collect()
    }

    /// The arms of an experiment, in the order in which they were first run.
    ///
    /// # Errors
    /// If one is gone, or is not as it was written.
    pub fn arms(&self, experiment: &str) -> Result<Vec<StoredArm>> {
        self.at_once(|| {
            self.compare_arms(experiment)?;
            self.all_arms(experiment)
        })
    }

    /// The arms of an experiment as they are there.
    pub(super) fn all_arms(&self, experiment: &str) -> Result<Vec<StoredArm>> {
        let read = || {
            let known = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'versions'";
            let (columns, join) = match self.connection.prepare(known)?.exists([])? {
                true => ("made_with, ifnull(current, 0)", "LEFT JOIN versions ON arm = id"),
                false => ("NULL, 0", ""),
            };
            self.connection
                .prepare(&format!(
                    "SELECT id, hash, name, columns, {columns} FROM arms {join}
                     WHERE experiment = ?1 ORDER BY id"
                ))?
                .query_map([experiment], |row| {
                    let (columns, versions): (String, Option<String>) = (row.get(3)?, row.get(4)?);
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, columns, versions, row.get(5)?))
                })?
                .collect::<rusqlite::Result<Vec<_>>>()
        };
        let damaged = |what: &str, e: serde_json::Error| {
            LabError::damaged(&self.path, format!("damaged {what} ({e})"))
        };
        read()
            .map_err(|e| self.fail(e))?
            .into_iter()
            .map(|(id, hash, name, columns_text, versions, current)| {
                let columns =
                    serde_json::from_str(&columns_text).map_err(|e| damaged("columns", e))?;
                let versions = versions.map(|text| serde_json::from_str(&text)).transpose();
                let versions = versions.map_err(|e| damaged("versions", e))?;
                let experiment = experiment.to_owned();
                Ok(StoredArm {
                    id,
                    experiment,
                    hash,
                    name,
                    versions,
                    current,
                    columns,
                    columns_text,
                })
            })
            .collect()
    }

    /// An arm of a spec, as the experiment was last run.
    pub fn arm(&self, experiment: &str, arm: &Arm) -> Result<Option<StoredArm>> {
        Ok(self.arms(experiment)?.into_iter().find(|stored| stored.is(arm)))
    }

    /// The results of an arm, by unit, for units below `units`.
    pub fn rows(&self, arm: &StoredArm, units: u64) -> Result<Vec<(u64, Vec<f64>)>> {
        let mut rows = Vec::new();
        self.each_result(arm, units, |unit, values| {
            rows.push((unit, values));
            Ok(())
        })?;
        Ok(rows)
    }

    /// Calls `take` with unit and values of each result of an arm, by unit, for units below
    /// `units`. No more than one is in memory.
    pub fn each_result(
        &self,
        arm: &StoredArm,
        units: u64,
        mut take: impl FnMut(u64, Vec<f64>) -> Result<()>,
    ) -> Result<()> {
        self.each_row(arm, units, |row| take(row.unit, row.values))
    }

    /// Calls `take` with each row of an arm, by unit, for units below `units`.
    ///
    /// # Errors
    /// At the first row that changed since it was written: it is named, and `take` never sees it.
    /// At the end, if rows are gone.
    pub fn each_row(
        &self,
        arm: &StoredArm,
        units: u64,
        mut take: impl FnMut(Row) -> Result<()>,
    ) -> Result<()> {
        self.at_once(|| {
            let found = self.read_rows(arm, |row| match row.unit < units {
                true => take(row),
                false => Ok(()),
            })?;
            self.compare_rows(arm, found)
        })
    }

    /// How many rows an arm has, and the sum of their checksums, once each was checked.
    pub(super) fn sum_up(&self, arm: &StoredArm) -> Result<Sum> {
        self.read_rows(arm, |_| Ok(()))
    }

    /// Calls `take` with each row of an arm, and sums them up.
    fn read_rows(&self, arm: &StoredArm, mut take: impl FnMut(Row) -> Result<()>) -> Result<Sum> {
        let seal = arm.seal();
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT unit, value, seconds, seal FROM results WHERE arm = ?1 ORDER BY unit",
            )
            .map_err(|e| self.fail(e))?;
        let mut rows = statement.query(params![arm.id]).map_err(|e| self.fail(e))?;
        let (mut last, mut sum) = (-1, Sum::default());
        while let Some(row) = rows.next().map_err(|e| self.fail(e))? {
            let unit: i64 = row.get(0).map_err(|e| self.fail(e))?;
            let damaged = |why: String| {
                let name = &arm.name;
                let what = format!("unit {unit} of arm `{name}` is damaged ({why})");
                LabError::damaged(&self.path, what)
            };
            // A damaged key is out of order, and might count a unit twice.
            if unit <= last {
                return Err(damaged("out of order".to_owned()));
            }
            last = unit;
            let (row, checksum) =
                whole(row, arm, &seal).map_err(|e| self.fail(e))?.map_err(damaged)?;
            sum.add(checksum);
            take(row)?;
        }
        Ok(sum)
    }

    /// Reads every row of every arm once.
    ///
    /// # Errors
    /// If one is gone, or is not as it was written.
    pub fn check_rows(&self) -> Result<()> {
        for experiment in self.experiments()? {
            for arm in self.arms(&experiment.name)? {
                self.each_row(&arm, u64::MAX, |_| Ok(()))?;
            }
        }
        Ok(())
    }

    /// The experiments with their progress.
    pub fn list(&self) -> Result<Vec<Listing>> {
        let mut list = Vec::new();
        for experiment in self.experiments()? {
            let spec = experiment.spec()?;
            let (mut done, mut seconds, mut all) = (0, 0.0, 0);
            for arm in self.arms(&experiment.name)? {
                let known = spec.arms.iter().any(|a| arm.is(a));
                // Row by row, not by SQLite's count, so that a damaged one is found.
                self.each_row(&arm, u64::MAX, |row| {
                    all += 1;
                    if known && row.unit < spec.units {
                        done += 1;
                        seconds += row.seconds;
                    }
                    Ok(())
                })?;
            }
            list.push(Listing {
                title: spec.title,
                quick: experiment.quick,
                arms: spec.arms.len() as u64,
                done,
                total: spec.units * spec.arms.len() as u64,
                other: all - done,
                seconds,
                name: experiment.name,
            });
        }
        Ok(list)
    }
}

/// A row of the results with its checksum, or what is wrong with it.
#[allow(clippy::type_complexity)]
pub(super) fn whole(
    row: &rusqlite::Row<'_>,
    arm: &StoredArm,
    seal: &Seal,
) -> rusqlite::Result<std::result::Result<(Row, i64), String>> {
    let (unit, seconds): (i64, f64) = (row.get(0)?, row.get(2)?);
    let stored: i64 = row.get(3)?;
    let bytes = row.get_ref(1)?.as_blob()?;
    if unit < 0 || seal.row(unit as u64, bytes, seconds) != stored {
        return Ok(Err("wrong checksum".to_owned()));
    }
    let Some(values) = unpack(bytes, arm.columns.len()) else {
        return Ok(Err("another number of values".to_owned()));
    };
    for (value, column) in values.iter().zip(&arm.columns) {
        if !column.kind.fits(*value) {
            let (name, expected) = (&column.name, column.kind.expected());
            return Ok(Err(format!("`{name}` is {value}, not {expected}")));
        }
    }
    Ok(Ok((Row { arm: arm.id, unit: unit as u64, values, seconds }, stored)))
}
