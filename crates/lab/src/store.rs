//! The store: one SQLite file that remembers every finished unit.
//!
//! It is in WAL mode, so reports can read while an experiment writes, and a kill at any moment
//! loses at most what was not committed. A file that is not a store of this version, or that is
//! damaged, is refused before anything could write to it; a row that is not as it was written is
//! refused wherever it is read, and so is an arm that has lost some ([`sums`]).

mod open;
mod read;
mod rescue;
mod sums;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, params};

pub use read::{Listing, Reading, StoredArm, StoredExperiment};
pub use rescue::{Lost, Rescued, rescue};
pub(crate) use sums::{Sum, add as add_sum, renew as renew_sums};

use crate::error::{LabError, Result};
use crate::hash::Seal;
use crate::lock::{Lock, beside};
use crate::spec::Spec;
use crate::task::Column;
use crate::versions::Versions;

/// A finished unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The arm's number in the store.
    pub arm: i64,
    /// The unit.
    pub unit: u64,
    /// One number per column of the arm.
    pub values: Vec<f64>,
    /// How long it took. Not a result: it differs from run to run.
    pub seconds: f64,
}

/// A store that is open for writing, by this process alone.
#[derive(Debug)]
pub struct Store {
    // In this order: the connection is closed before the lock is let go.
    reading: Reading,
    _lock: Lock,
}

impl Store {
    /// Opens a store, or creates it if there is no file or an empty one. A link is followed: one
    /// store has one writer, by whatever name.
    ///
    /// # Errors
    /// If another process writes to it; if the file is something else or damaged, in which case
    /// it is left as it is; if the log of a deleted store is still there; if it cannot be read or
    /// written.
    pub fn open(path: &Path) -> Result<Store> {
        let place = open::place(path)?;
        let path = place.as_path();
        // Before the lock, so that no lock file appears beside a foreign file.
        open::header(path)?;
        let lock = Lock::take(path)?;
        if open::header(path)? == open::Found::Nothing {
            open::create(path)?;
        }
        open::check(path)?;
        let writer = open::writer(path)?;
        let reading = Reading::over(place, writer)?.upgraded()?;
        // Experiments and arms are as they were written, before anything is recorded beside them.
        for experiment in reading.experiments()? {
            reading.arms(&experiment.name)?;
        }
        Ok(Store { reading, _lock: lock })
    }

    /// What is in it.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Its path: as given, or where the link leads.
    pub fn path(&self) -> &PathBuf {
        self.reading.path()
    }

    /// Limits the store to this many bytes, beyond which writing fails as if the disk were full.
    /// Holds while the store is open.
    pub fn limit_bytes(&self, bytes: u64) -> Result<()> {
        let write = |e| LabError::store(self.path(), "limit the store", e);
        let page: i64 =
            self.connection().query_row("PRAGMA page_size", [], |row| row.get(0)).map_err(write)?;
        let pages = (bytes / page.max(1) as u64).max(1);
        self.connection()
            .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
            .map_err(write)
    }

    fn connection(&self) -> &Connection {
        self.reading.connection()
    }

    /// Records an experiment and its arms, each with its versions and columns, and gives the arms'
    /// numbers in order. Arms that are known by their hash keep their rows.
    ///
    /// # Errors
    /// If an arm is known with other columns: then its rows came from another program.
    pub fn enrol(&mut self, spec: &Spec, arms: &[(&Versions, &[Column])]) -> Result<Vec<i64>> {
        let path = self.path().clone();
        // Any error in here rolls it all back.
        let write = |e| LabError::reading(&path, "record the experiment", e);
        let transaction = self.reading.connection_mut().transaction().map_err(write)?;
        transaction
            .execute(
                "INSERT INTO experiments (name, text, quick, units, program, created, updated)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
                 ON CONFLICT (name) DO UPDATE SET text = ?2, quick = ?3, units = ?4,
                 program = ?5, updated = ?6",
                params![
                    spec.name,
                    spec.text,
                    spec.quick,
                    spec.units as i64,
                    env!("CARGO_PKG_VERSION"),
                    now()
                ],
            )
            .map_err(write)?;
        transaction.execute_batch(open::VERSIONS).map_err(write)?;
        transaction
            .execute(
                "UPDATE versions SET current = 0
                 WHERE arm IN (SELECT id FROM arms WHERE experiment = ?1)",
                [&spec.name],
            )
            .map_err(write)?;
        let mut numbers = Vec::with_capacity(spec.arms.len());
        for (arm, (versions, columns)) in spec.arms.iter().zip(arms) {
            let columns = columns_text(columns)
                .map_err(|e| LabError::Usage(format!("arm `{}`: {e}", arm.name)))?;
            let hash = arm.hash(versions);
            let id =
                enrol_arm(&transaction, &spec.name, &hash, &arm.name, &columns).map_err(write)?;
            let id = id.ok_or_else(|| {
                LabError::Usage(format!(
                    "{}: arm `{}` has results with other columns, from another version of the \
                     program; use a new store",
                    path.display(),
                    arm.name
                ))
            })?;
            transaction
                .execute(
                    "INSERT INTO versions (arm, made_with, current) VALUES (?1, ?2, 1)
                     ON CONFLICT (arm) DO UPDATE SET current = 1",
                    params![id, versions.text()],
                )
                .map_err(write)?;
            numbers.push(id);
        }
        sums::renew(&transaction).map_err(write)?;
        transaction.commit().map_err(write)?;
        Ok(numbers)
    }

    /// Appends finished units in one transaction: all of them, or none and an error. A unit that
    /// is there already stays as it is.
    pub fn append(&mut self, rows: &[Row]) -> Result<()> {
        let path = self.path().clone();
        let write = |e| LabError::store(&path, "store results", e);
        let transaction = self.reading.connection_mut().transaction().map_err(write)?;
        {
            let mut seals: HashMap<i64, (Seal, Sum)> = HashMap::new();
            let mut insert = transaction
                .prepare_cached(
                    "INSERT INTO results (arm, unit, value, seconds, seal)
                     VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (arm, unit) DO NOTHING",
                )
                .map_err(write)?;
            for row in rows {
                let (seal, added) = match seals.entry(row.arm) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => {
                        let seal = seal_of(&transaction, row.arm).map_err(write)?;
                        new.insert((seal, Sum::default()))
                    }
                };
                let value = pack(&row.values);
                let sealed = seal.row(row.unit, &value, row.seconds);
                let new = insert
                    .execute(params![row.arm, row.unit as i64, value, row.seconds, sealed])
                    .map_err(write)?;
                if new > 0 {
                    added.add(sealed);
                }
            }
            for (arm, (_, added)) in seals {
                sums::add(&transaction, arm, added).map_err(write)?;
            }
        }
        transaction.commit().map_err(write)
    }

    /// Removes a store that the caller has just created and not used. The lock is held until the
    /// files are gone.
    pub(crate) fn discard(self) {
        let Store { reading, _lock } = self;
        let path = reading.path().clone();
        drop(reading);
        for suffix in ["-wal", "-shm", ""] {
            // What cannot be removed is an empty store, which does no harm.
            let _ = std::fs::remove_file(beside(&path, suffix));
        }
    }

    pub(crate) fn connection_mut(&mut self) -> &mut Connection {
        self.reading.connection_mut()
    }
}

/// Columns as they are stored.
pub(crate) fn columns_text(columns: &[Column]) -> serde_json::Result<String> {
    serde_json::to_string(columns)
}

/// What seals the rows of an arm.
fn seal_of(connection: &Connection, arm: i64) -> rusqlite::Result<Seal> {
    connection.query_row("SELECT hash, columns FROM arms WHERE id = ?1", [arm], |row| {
        Ok(Seal::new(&row.get::<_, String>(0)?, &row.get::<_, String>(1)?))
    })
}

/// Finds or creates an arm; `None` if it exists with other columns.
pub(crate) fn enrol_arm(
    connection: &Connection,
    experiment: &str,
    hash: &str,
    name: &str,
    columns: &str,
) -> rusqlite::Result<Option<i64>> {
    connection.execute(
        "INSERT INTO arms (experiment, hash, name, columns) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (experiment, hash) DO NOTHING",
        params![experiment, hash, name, columns],
    )?;
    connection.query_row(
        "SELECT id, columns FROM arms WHERE experiment = ?1 AND hash = ?2",
        params![experiment, hash],
        |row| {
            let known: String = row.get(1)?;
            Ok(if known == columns { Some(row.get(0)?) } else { None })
        },
    )
}

/// Records the versions of an arm that comes from another store. It is current here if it was
/// there, unless this store has the arm in another version.
pub(crate) fn keep_versions(
    connection: &Connection,
    experiment: &str,
    id: i64,
    arm: &StoredArm,
) -> rusqlite::Result<()> {
    let Some(versions) = &arm.versions else { return Ok(()) };
    connection.execute_batch(open::VERSIONS)?;
    connection.execute(
        "INSERT INTO versions (arm, made_with, current)
         SELECT ?1, ?2, ?3 AND NOT EXISTS (
             SELECT 1 FROM versions JOIN arms ON arms.id = versions.arm
             WHERE current = 1 AND experiment = ?4 AND name = ?5
         )
         ON CONFLICT (arm) DO NOTHING",
        params![id, versions.text(), arm.current, experiment, arm.name],
    )?;
    Ok(())
}

/// Numbers as bytes, little-endian: every bit is kept.
pub(crate) fn pack(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// The numbers back; `None` if these are not `count` numbers.
pub(crate) fn unpack(bytes: &[u8], count: usize) -> Option<Vec<f64>> {
    let (words, rest) = bytes.as_chunks::<8>();
    (rest.is_empty() && words.len() == count)
        .then(|| words.iter().map(|word| f64::from_le_bytes(*word)).collect())
}

/// Seconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64)
}
