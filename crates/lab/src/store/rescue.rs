//! Copies what is whole in a damaged store, so that only the rest must be run again.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::params;
use serde::Serialize;

use super::read::{Reading, StoredArm, StoredExperiment, whole};
use super::{Row, Store, enrol_arm, keep_versions, sums};
use crate::error::{LabError, Result};
use crate::lock::Lock;
use crate::spec::Spec;

/// What a rescue copied, and what it could not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rescued {
    /// Rows that are whole, and were copied.
    pub kept: u64,
    /// What is gone.
    pub lost: Vec<Lost>,
}

/// Something that a damaged store has lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// The experiment.
    pub experiment: String,
    /// The arm; `None` if the spec is gone, and with it everything.
    pub arm: Option<String>,
    /// How many units; `None` if nobody knows.
    pub units: Option<u64>,
}

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Lost { experiment, arm, units } = self;
        let Some(arm) = arm else {
            return write!(f, "the spec of `{experiment}` is damaged: give it again with --spec");
        };
        match units {
            None => write!(f, "arm `{arm}` of `{experiment}`: perhaps some units are gone"),
            Some(1) => write!(f, "arm `{arm}` of `{experiment}`: 1 unit is gone"),
            Some(units) => write!(f, "arm `{arm}` of `{experiment}`: {units} units are gone"),
        }
    }
}

/// Copies the rows of a damaged store that are whole into a new one. The damaged store stays as it
/// is. What is lost is named; a run of the new store runs it again. An experiment whose spec is
/// damaged is taken with the spec of its name in `specs`, or left out.
///
/// # Errors
/// If the new store exists; if the damaged one is in use, or cannot be read at all.
pub fn rescue(from: &Path, into: &Path, specs: &[Spec]) -> Result<Rescued> {
    if std::fs::symlink_metadata(into).is_ok() {
        let message = format!("{}: this exists; rescue into a new store", into.display());
        return Err(LabError::Usage(message));
    }
    let source = Reading::open(from)?;
    let _lock = match Lock::take(source.path()) {
        Ok(lock) => Some(lock),
        Err(LabError::Io { .. }) => None, // A read-only folder has no writer.
        Err(busy) => return Err(busy),
    };
    let experiments = Reading::all_experiments(source.connection()).map_err(|e| source.fail(e))?;
    let mut store = Store::open(into)?;
    let copied = copy(&source, &experiments, specs, &mut store);
    if copied.is_err() {
        store.discard();
    }
    copied
}

fn copy(
    source: &Reading,
    experiments: &[StoredExperiment],
    specs: &[Spec],
    store: &mut Store,
) -> Result<Rescued> {
    let mut rescued = Rescued::default();
    for stored in experiments {
        let given = specs.iter().find(|spec| spec.name == stored.name);
        let is_whole = source.is_whole(stored) && stored.spec().is_ok();
        let text = match given {
            Some(spec) => spec.text.as_str(),
            None if is_whole => stored.text.as_str(),
            None => {
                let experiment = stored.name.clone();
                rescued.lost.push(Lost { experiment, arm: None, units: None });
                continue;
            }
        };
        let units = given.filter(|_| !is_whole).map_or(stored.units, |spec| spec.units);
        let quick = given.map_or(stored.quick, |spec| spec.quick);
        let stored = StoredExperiment { text: text.to_owned(), units, quick, ..stored.clone() };
        let Ok(arms) = source.all_arms(&stored.name) else {
            rescued.lost.push(Lost { experiment: stored.name, arm: None, units: None });
            continue;
        };
        let mut hashes = Vec::new();
        for arm in &arms {
            let rows = source.whole_rows(arm);
            let before = source.stored_rows(arm);
            write(store, &stored, arm, &rows)?;
            rescued.kept += rows.len() as u64;
            let gone = before.map(|before| before.saturating_sub(rows.len() as u64));
            if gone != Some(0) {
                let (experiment, name) = (stored.name.clone(), Some(arm.name.clone()));
                rescued.lost.push(Lost { experiment, arm: name, units: gone });
            }
            hashes.push(arm.hash.clone());
        }
        for (name, units) in source.arms_without(&stored.name, &hashes) {
            let experiment = stored.name.clone();
            rescued.lost.push(Lost { experiment, arm: Some(name), units: Some(units) });
        }
    }
    for name in source.experiments_without(experiments) {
        rescued.lost.push(Lost { experiment: name, arm: None, units: None });
    }
    Ok(rescued)
}

/// Records an arm and its rows.
fn write(
    store: &mut Store,
    experiment: &StoredExperiment,
    arm: &StoredArm,
    rows: &[Row],
) -> Result<()> {
    let path = store.path().clone();
    let write = |e| LabError::reading(&path, "store what is whole", e);
    let transaction = store.connection_mut().transaction().map_err(write)?;
    crate::merge::keep_experiment(&transaction, experiment).map_err(write)?;
    let id = enrol_arm(&transaction, &experiment.name, &arm.hash, &arm.name, &arm.columns_text)
        .map_err(write)?;
    if let Some(id) = id {
        keep_versions(&transaction, &experiment.name, id, arm).map_err(write)?;
    }
    sums::renew(&transaction).map_err(write)?;
    transaction.commit().map_err(write)?;
    let Some(id) = id else { return Ok(()) }; // An arm that damage made double.
    let rows: Vec<Row> = rows.iter().map(|row| Row { arm: id, ..row.clone() }).collect();
    store.append(&rows)
}

impl Reading {
    /// The rows of an arm that are as they were written, read around damaged pages.
    fn whole_rows(&self, arm: &StoredArm) -> Vec<Row> {
        let seal = arm.seal();
        let mut rows = BTreeMap::new();
        let mut read = |tail: &str, from: i64| -> bool {
            let sql =
                format!("SELECT unit, value, seconds, seal FROM results WHERE arm = ?1 {tail}");
            let Ok(mut statement) = self.connection().prepare_cached(&sql) else { return false };
            let Ok(mut found) = statement.query(params![arm.id, from]) else { return false };
            loop {
                match found.next() {
                    Ok(Some(row)) => {
                        if let Ok(Ok((row, _))) = whole(row, arm, &seal) {
                            rows.insert(row.unit, row);
                        }
                    }
                    Ok(None) => return true,
                    Err(_) => return false,
                }
            }
        };
        let forwards = read("AND unit >= ?2 ORDER BY unit", 0);
        if !forwards {
            read("AND unit >= ?2 ORDER BY unit DESC", 0);
            // The page that stopped both lies between. SQLite finds single rows beside it.
            let most = self.stored_rows(arm).unwrap_or(0).min(10_000_000) as i64;
            for unit in 0..most {
                read("AND unit = ?2", unit);
            }
        }
        rows.into_values().collect()
    }
}
