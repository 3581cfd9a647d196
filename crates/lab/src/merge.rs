//! Merges stores whose units were run separately.

use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension, params};
use serde::Serialize;

use crate::error::{LabError, Result};
use crate::lock::Lock;
use crate::store::{
    Reading, Store, StoredArm, StoredExperiment, Sum, add_sum, enrol_arm, keep_versions, pack,
    renew_sums,
};

/// What a merge did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Merged {
    /// Rows that were added.
    pub added: u64,
    /// Rows that were there already, with the same values.
    pub same: u64,
}

/// Adds all rows of other stores; after an error, none. A source that is given twice is read once.
///
/// # Errors
/// If a source is not there, is not a store, is damaged or in use; if a row is in two of the
/// stores with different values.
pub fn merge(into: &mut Store, sources: &[impl AsRef<Path>]) -> Result<Merged> {
    let sources = Source::all(into.path(), sources)?;
    take_all(into, &sources)
}

/// The same into the store at a path, which is created if there is none. All sources are checked
/// first, and a merge that fails leaves no new store behind.
///
/// # Errors
/// Those of [`merge`] and of [`Store::open`].
pub fn merge_into(path: &Path, sources: &[impl AsRef<Path>]) -> Result<Merged> {
    let sources = Source::all(path, sources)?;
    let is_new = std::fs::symlink_metadata(path).is_err();
    let mut store = Store::open(path)?;
    let merged = take_all(&mut store, &sources);
    if merged.is_err() && is_new {
        store.discard();
    }
    merged
}

/// A store that is merged into another. It is locked meanwhile, unless its folder is read-only:
/// then it has no writer.
struct Source {
    given: PathBuf,
    reading: Reading,
    _lock: Option<Lock>,
}

impl Source {
    /// Opens and checks all sources, down to each row.
    fn all(into: &Path, paths: &[impl AsRef<Path>]) -> Result<Vec<Source>> {
        let mut sources: Vec<Source> = Vec::new();
        for path in paths.iter().map(AsRef::as_ref) {
            if same_file(into, path) {
                let message = format!("{}: a store cannot be merged into itself", into.display());
                return Err(LabError::Usage(message));
            }
            if !sources.iter().any(|known| same_file(&known.given, path)) {
                sources.push(Source::open(path)?);
            }
        }
        for source in &sources {
            source.reading.check_rows()?;
        }
        Ok(sources)
    }

    fn open(path: &Path) -> Result<Source> {
        // No lock file appears beside a foreign file; a link's lock is where the store is.
        let place = Reading::open(path)?.path().clone();
        let lock = match Lock::take(&place) {
            Ok(lock) => Some(lock),
            Err(LabError::Io { .. }) => None,
            Err(busy) => return Err(busy),
        };
        let reading = Reading::open_checked(&place)?;
        Ok(Source { given: path.to_owned(), reading, _lock: lock })
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn take_all(into: &mut Store, sources: &[Source]) -> Result<Merged> {
    let path = into.path().clone();
    into.reading().check_rows()?;
    // Any error in here rolls it all back.
    let write = |e| LabError::reading(&path, "merge", e);
    let transaction = into.connection_mut().transaction().map_err(write)?;
    let mut merged = Merged::default();
    for source in sources {
        take(&transaction, &path, source, &mut merged)?;
    }
    renew_sums(&transaction).map_err(write)?;
    transaction.commit().map_err(write)?;
    Ok(merged)
}

fn take(
    transaction: &rusqlite::Connection,
    path: &Path,
    source: &Source,
    merged: &mut Merged,
) -> Result<()> {
    let write = |e| LabError::reading(path, "merge", e);
    for experiment in source.reading.experiments()? {
        keep_experiment(transaction, &experiment).map_err(write)?;
        for arm in source.reading.arms(&experiment.name)? {
            let id =
                enrol_arm(transaction, &experiment.name, &arm.hash, &arm.name, &arm.columns_text)
                    .map_err(write)?;
            let id = id.ok_or_else(|| {
                LabError::Usage(format!(
                    "{}: arm `{}` of `{}` has other columns than in {}; nothing was merged",
                    source.given.display(),
                    arm.name,
                    experiment.name,
                    path.display()
                ))
            })?;
            keep_versions(transaction, &experiment.name, id, &arm).map_err(write)?;
            let conflict = |unit| LabError::Conflict {
                into: path.to_owned(),
                from: source.given.clone(),
                experiment: experiment.name.clone(),
                arm: arm.name.clone(),
                unit,
            };
            take_arm(transaction, &source.reading, &arm, id, merged, &write, &conflict)?;
        }
    }
    Ok(())
}

fn take_arm(
    transaction: &rusqlite::Connection,
    from: &Reading,
    arm: &StoredArm,
    id: i64,
    merged: &mut Merged,
    write: &dyn Fn(rusqlite::Error) -> LabError,
    conflict: &dyn Fn(u64) -> LabError,
) -> Result<()> {
    // The arm has the same hash and columns in both stores, so its rows have the same checksums.
    let seal = arm.seal();
    let mut find = transaction
        .prepare_cached("SELECT value FROM results WHERE arm = ?1 AND unit = ?2")
        .map_err(write)?;
    let mut insert = transaction
        .prepare_cached(
            "INSERT INTO results (arm, unit, value, seconds, seal) VALUES (?1, ?2, ?3, ?4, ?5)",
        )
        .map_err(write)?;
    let mut added = Sum::default();
    from.each_row(arm, u64::MAX, |row| {
        let (unit, value) = (row.unit as i64, pack(&row.values));
        let known: Option<Vec<u8>> =
            find.query_row(params![id, unit], |row| row.get(0)).optional().map_err(write)?;
        match known {
            None => {
                let sealed = seal.row(row.unit, &value, row.seconds);
                insert.execute(params![id, unit, value, row.seconds, sealed]).map_err(write)?;
                added.add(sealed);
                merged.added += 1;
            }
            Some(known) if known == value => merged.same += 1,
            Some(_) => return Err(conflict(row.unit)),
        }
        Ok(())
    })?;
    add_sum(transaction, id, added).map_err(write)
}

/// An experiment that is here already stays as it was last run here.
pub(crate) fn keep_experiment(
    connection: &rusqlite::Connection,
    e: &StoredExperiment,
) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO experiments (name, text, quick, units, program, created, updated)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (name) DO NOTHING",
        params![e.name, e.text, e.quick, e.units as i64, e.program, e.created, e.updated],
    )?;
    Ok(())
}
