//! What a store must hold: how many experiments, arms and rows there are, and the sums of their
//! checksums.
//!
//! A row's checksum protects its values. Only this protects their number: SQLite reads a page with
//! a damaged count of cells as a page with fewer rows, and says nothing.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::read::{Reading, StoredArm, StoredExperiment};
use crate::error::{LabError, Result};
use crate::hash::checksum;

/// Each line sums up one part of the store: of the store itself (experiment `''`) its experiments;
/// of an experiment its spec and its arms; of an arm, named by its hash, its rows.
pub(super) const SUMS: &str = "
CREATE TABLE IF NOT EXISTS sums (
    experiment TEXT NOT NULL,
    part TEXT NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    seal INTEGER NOT NULL,
    PRIMARY KEY (experiment, part)
) STRICT, WITHOUT ROWID;
";

const EXPERIMENTS: &str = "experiments";
const SPEC: &str = "spec";
const ARMS: &str = "arms";

/// How many things there are, and the sum of their checksums, which wraps around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) count: i64,
    pub(crate) sum: i64,
}

impl Sum {
    pub(crate) fn add(&mut self, checksum: i64) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(checksum);
    }

    fn of(checksums: impl IntoIterator<Item = i64>) -> Sum {
        let mut sum = Sum::default();
        checksums.into_iter().for_each(|checksum| sum.add(checksum));
        sum
    }
}

/// A line of the table.
struct Line {
    experiment: String,
    part: String,
    name: String,
    sum: Sum,
}

impl Line {
    fn new(experiment: &str, part: &str, name: &str, sum: Sum) -> Line {
        let [experiment, part, name] = [experiment, part, name].map(str::to_owned);
        Line { experiment, part, name, sum }
    }

    /// The line's own checksum.
    fn seal(&self) -> i64 {
        let Sum { count, sum } = self.sum;
        let numbers = format!("{count} {sum}");
        checksum([self.experiment.as_str(), &self.part, &self.name, &numbers])
    }

    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let Line { experiment, part, name, sum } = self;
        connection
            .prepare_cached("INSERT OR REPLACE INTO sums VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
            .execute(params![experiment, part, name, sum.count, sum.sum, self.seal()])
            .map(drop)
    }

    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<(Line, i64)> {
        let sum = Sum { count: row.get(3)?, sum: row.get(4)? };
        let line = Line { experiment: row.get(0)?, part: row.get(1)?, name: row.get(2)?, sum };
        Ok((line, row.get(5)?))
    }
}

const COLUMNS: &str = "SELECT experiment, part, name, count, sum, seal FROM sums";

/// One line, as it was written; `None` if there is none.
fn line(
    connection: &Connection,
    experiment: &str,
    part: &str,
) -> rusqlite::Result<Option<(Line, i64)>> {
    connection
        .prepare_cached(&format!("{COLUMNS} WHERE experiment = ?1 AND part = ?2"))?
        .query_row([experiment, part], Line::read)
        .optional()
}

/// Adds rows to the sum of an arm. The caller holds a transaction.
pub(crate) fn add(connection: &Connection, arm: i64, added: Sum) -> rusqlite::Result<()> {
    let (experiment, hash, name): (String, String, String) = connection
        .prepare_cached("SELECT experiment, hash, name FROM arms WHERE id = ?1")?
        .query_row([arm], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let known = line(connection, &experiment, &hash)?.map_or(Sum::default(), |(line, _)| line.sum);
    let (count, sum) = (known.count + added.count, known.sum.wrapping_add(added.sum));
    Line::new(&experiment, &hash, &name, Sum { count, sum }).write(connection)
}

/// Sums up experiments, specs and arms anew, after some were recorded; an arm that is new has no
/// rows. The caller holds a transaction, and has checked the store before.
pub(crate) fn renew(connection: &Connection) -> rusqlite::Result<()> {
    let experiments = Reading::all_experiments(connection)?;
    let fingerprints = experiments.iter().map(of_experiment);
    Line::new("", EXPERIMENTS, "", Sum::of(fingerprints)).write(connection)?;
    for experiment in &experiments {
        let name = &experiment.name;
        Line::new(name, SPEC, "", Sum::of([of_experiment(experiment)])).write(connection)?;
        let arms = arms(connection, name)?;
        let fingerprints = Sum::of(arms.iter().map(|arm| arm.2));
        Line::new(name, ARMS, "", fingerprints).write(connection)?;
        for (hash, arm, _) in &arms {
            if line(connection, name, hash)?.is_none() {
                Line::new(name, hash, arm, Sum::default()).write(connection)?;
            }
        }
    }
    Ok(())
}

fn of_experiment(e: &StoredExperiment) -> i64 {
    let [quick, units] = [u64::from(e.quick), e.units].map(|n| n.to_string());
    let [created, updated] = [e.created, e.updated].map(|n| n.to_string());
    checksum([e.name.as_str(), &e.text, &quick, &units, &e.program, &created, &updated])
}

/// Hash, name and checksum of the arms of an experiment, their versions included.
fn arms(connection: &Connection, experiment: &str) -> rusqlite::Result<Vec<(String, String, i64)>> {
    connection
        .prepare_cached(
            "SELECT id, hash, name, columns, made_with, current
             FROM arms LEFT JOIN versions ON arm = id WHERE experiment = ?1 ORDER BY id",
        )?
        .query_map([experiment], |row| {
            let (id, current): (i64, Option<i64>) = (row.get(0)?, row.get(5)?);
            let (hash, name): (String, String) = (row.get(1)?, row.get(2)?);
            let (columns, made_with): (String, Option<String>) = (row.get(3)?, row.get(4)?);
            let own = format!("{id} {current:?} {}", made_with.is_some());
            let made_with = made_with.unwrap_or_default();
            let sum = checksum([own.as_str(), experiment, &hash, &name, &columns, &made_with]);
            Ok((hash, name, sum))
        })?
        .collect()
}

/// Whether a store has sums. Those of older programs have none until somebody writes to them.
pub(super) fn are_there(connection: &Connection) -> rusqlite::Result<bool> {
    connection
        .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'sums'")?
        .exists([])
}

/// Gives a store of an older program its sums, once each of its rows was read.
pub(super) fn upgrade(reading: &mut Reading, version: u32) -> Result<()> {
    let path = reading.path().clone();
    let write = |e| LabError::reading(&path, "write the store's sums", e);
    let mut all = HashMap::new();
    for experiment in reading.experiments()? {
        for arm in reading.arms(&experiment.name)? {
            all.insert(arm.id, reading.sum_up(&arm)?);
        }
    }
    let transaction = reading.connection_mut().transaction().map_err(write)?;
    transaction.execute_batch(super::open::VERSIONS).map_err(write)?;
    transaction.execute_batch(SUMS).map_err(write)?;
    for (arm, sum) in all {
        add(&transaction, arm, sum).map_err(write)?;
    }
    renew(&transaction).map_err(write)?;
    transaction.pragma_update(None, "user_version", version).map_err(write)?;
    transaction.commit().map_err(write)
}

impl Reading {
    fn sum_of(&self, experiment: &str, part: &str) -> Result<Line> {
        let damaged = |why: &str| LabError::damaged(self.path(), format!("its sums {why}"));
        let found = line(self.connection(), experiment, part).map_err(|e| self.fail(e))?;
        match found {
            None => Err(damaged("are gone")),
            Some((line, seal)) if line.seal() != seal => Err(damaged("do not fit their checksum")),
            Some((line, _)) => Ok(line),
        }
    }

    /// The names of those whose sums are there: experiments, or the arms of one.
    fn summed(&self, experiment: Option<&str>) -> Result<Vec<(String, String)>> {
        let read = || {
            self.connection()
                .prepare(COLUMNS)?
                .query_map([], |row| Line::read(row).map(|(line, _)| line))?
                .collect::<rusqlite::Result<Vec<Line>>>()
        };
        let lines = read().map_err(|e| self.fail(e))?.into_iter();
        Ok(match experiment {
            None => lines.filter(|l| l.part == SPEC).map(|l| (l.experiment, l.name)).collect(),
            Some(experiment) => lines
                .filter(|l| l.experiment == experiment && ![SPEC, ARMS].contains(&l.part.as_str()))
                .map(|l| (l.part, l.name))
                .collect(),
        })
    }

    /// Compares all experiments with their sums.
    pub(super) fn compare_experiments(&self, all: &[StoredExperiment]) -> Result<()> {
        if !self.has_sums() {
            return Ok(());
        }
        for experiment in all {
            let stored = self.sum_of(&experiment.name, SPEC)?.sum;
            if stored != Sum::of([of_experiment(experiment)]) {
                let what = format!("the spec of `{}` is damaged", experiment.name);
                return Err(LabError::damaged(self.path(), what));
            }
        }
        let stored = self.sum_of("", EXPERIMENTS)?.sum;
        if stored == Sum::of(all.iter().map(of_experiment)) {
            return Ok(());
        }
        let gone = self.experiments_without(all);
        let what = match gone.is_empty() {
            true => format!("{} experiments were stored, {} are there", stored.count, all.len()),
            false => format!("what is gone: experiment `{}`", gone.join("`, `")),
        };
        Err(LabError::damaged(self.path(), what))
    }

    /// Whether the spec of an experiment is as it was written, as far as anybody knows.
    pub(super) fn is_whole(&self, experiment: &StoredExperiment) -> bool {
        let own = Sum::of([of_experiment(experiment)]);
        !self.has_sums() || self.sum_of(&experiment.name, SPEC).is_ok_and(|line| line.sum == own)
    }

    /// How many rows an arm had; `None` if nobody knows.
    pub(super) fn stored_rows(&self, arm: &StoredArm) -> Option<u64> {
        let known = self.has_sums().then(|| self.sum_of(&arm.experiment, &arm.hash).ok())??;
        u64::try_from(known.sum.count).ok()
    }

    /// The arms of an experiment that are summed up and not among these hashes, with their rows.
    pub(super) fn arms_without(&self, experiment: &str, hashes: &[String]) -> Vec<(String, u64)> {
        let gone = self.summed(Some(experiment)).unwrap_or_default().into_iter();
        let gone = gone.filter(|(hash, _)| !hashes.contains(hash));
        let count = |hash: &str| self.sum_of(experiment, hash).map_or(0, |line| line.sum.count);
        gone.map(|(hash, name)| (name, count(&hash).max(0) as u64)).collect()
    }

    /// The experiments that are summed up and not among these.
    pub(super) fn experiments_without(&self, all: &[StoredExperiment]) -> Vec<String> {
        let known = self.summed(None).unwrap_or_default().into_iter().map(|known| known.0);
        known.filter(|name| !all.iter().any(|experiment| experiment.name == *name)).collect()
    }

    /// Compares the arms of an experiment with their sums.
    pub(super) fn compare_arms(&self, experiment: &str) -> Result<()> {
        if !self.has_sums() {
            return Ok(());
        }
        let all = arms(self.connection(), experiment).map_err(|e| self.fail(e))?;
        let known = line(self.connection(), experiment, ARMS).map_err(|e| self.fail(e))?;
        if all.is_empty() && known.is_none() {
            return Ok(()); // An experiment that is not there.
        }
        let stored = self.sum_of(experiment, ARMS)?.sum;
        if stored == Sum::of(all.iter().map(|arm| arm.2)) {
            return Ok(());
        }
        let mut gone = self.summed(Some(experiment))?;
        gone.retain(|(hash, _)| !all.iter().any(|arm| arm.0 == *hash));
        let gone: Vec<String> = gone.into_iter().map(|(_, name)| name).collect();
        let what = match gone.is_empty() {
            true => format!("the arms of `{experiment}` are damaged"),
            false => format!("what is gone: arm `{}` of `{experiment}`", gone.join("`, `")),
        };
        Err(LabError::damaged(self.path(), what))
    }

    /// Compares the rows of an arm with their sum, and names those that are gone.
    pub(super) fn compare_rows(&self, arm: &StoredArm, found: Sum) -> Result<()> {
        if !self.has_sums() {
            return Ok(());
        }
        let line = self.sum_of(&arm.experiment, &arm.hash)?;
        if line.sum == found {
            return Ok(());
        }
        let (stored, there) = (line.sum.count, found.count);
        let units = self.units(arm)?;
        let which = gone(&units, stored - there);
        let name = format!("arm `{}` of `{}`", arm.name, arm.experiment);
        let what = match stored - there {
            1.. => format!("{} of {stored} units of {name} are gone{which}", stored - there),
            _ => format!("{there} units of {name} are there, {stored} were stored"),
        };
        Err(LabError::damaged(self.path(), what))
    }

    fn units(&self, arm: &StoredArm) -> Result<Vec<u64>> {
        let read = || {
            self.connection()
                .prepare("SELECT unit FROM results WHERE arm = ?1 ORDER BY unit")?
                .query_map([arm.id], |row| row.get::<_, i64>(0).map(|unit| unit.max(0) as u64))?
                .collect::<rusqlite::Result<Vec<u64>>>()
        };
        read().map_err(|e| self.fail(e))
    }
}

/// Which units are gone, where that is sure: a run that is complete has all from 0 on.
fn gone(there: &[u64], count: i64) -> String {
    let stored = there.len() as u64 + count.max(0) as u64;
    if there.last().is_some_and(|last| *last >= stored) {
        return String::new(); // The run had gaps of its own.
    }
    let mut ranges = Vec::new();
    let mut next = 0;
    for unit in there.iter().copied().chain([stored]) {
        if unit > next {
            let last = unit - 1;
            ranges.push(if last > next { format!("{next} to {last}") } else { last.to_string() });
        }
        next = unit + 1;
    }
    const SHOWN: usize = 5;
    if ranges.len() > SHOWN {
        ranges.truncate(SHOWN);
        ranges.push("…".to_owned());
    }
    format!(" (probably {})", ranges.join(", "))
}
