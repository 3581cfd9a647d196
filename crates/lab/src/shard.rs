//! Working on parts of an experiment apart, and bringing the parts together.

use std::path::Path;
use std::str::FromStr;

use rusqlite::{OptionalExtension, params};
use serde::Serialize;

use crate::error::{LabError, Result};
use crate::lock::Lock;
use crate::store::{Reading, Store, StoredArm, StoredExperiment, enrol_arm};

/// One of `of` parts of the units, numbered from 0: those whose number leaves `index` when
/// divided by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// All units.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Part `index` of `of` parts.
    pub fn new(index: u64, of: u64) -> Result<Shard> {
        if index < of {
            return Ok(Shard { index, of });
        }
        Err(LabError::Usage(format!(
            "shard {index}/{of}: expected i/n with i from 0 to n − 1, such as 0/4"
        )))
    }

    /// How many of the units below `units` belong to this part.
    pub fn count(&self, units: u64) -> u64 {
        units.saturating_sub(self.index).div_ceil(self.of)
    }

    /// Whether a unit belongs to this part.
    pub fn has(&self, unit: u64) -> bool {
        unit % self.of == self.index
    }
}

impl FromStr for Shard {
    type Err = LabError;

    /// Reads `i/n`.
    fn from_str(text: &str) -> Result<Shard> {
        let parts = text.split_once('/').map(|(i, n)| (i.trim().parse(), n.trim().parse()));
        match parts {
            Some((Ok(index), Ok(of))) => Shard::new(index, of),
            _ => Err(LabError::Usage(format!("shard {text:?}: expected i/n, such as 0/4"))),
        }
    }
}

/// What a merge brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Merged {
    /// Rows taken over.
    pub added: u64,
    /// Rows that were there already, with the same values.
    pub same: u64,
}

/// Takes over all rows of other stores. Each source is taken whole or not at all.
///
/// # Errors
/// If a row is in both with different values; if a source is not a store. The sources before it
/// stay merged, and the store is as it was before the one that failed.
pub fn merge(into: &mut Store, sources: &[impl AsRef<Path>]) -> Result<Merged> {
    let mut merged = Merged::default();
    for source in sources {
        let one = merge_one(into, source.as_ref())?;
        merged.added += one.added;
        merged.same += one.same;
    }
    Ok(merged)
}

fn merge_one(into: &mut Store, source: &Path) -> Result<Merged> {
    let path = into.path().clone();
    if let (Ok(a), Ok(b)) = (path.canonicalize(), source.canonicalize())
        && a == b
    {
        let message = format!("{}: a store cannot be merged into itself", path.display());
        return Err(LabError::Usage(message));
    }
    let (from, _lock) = open_source(source)?;
    let write = |e| LabError::store(&path, "merge", e);
    let transaction = into.connection_mut().transaction().map_err(write)?;
    let mut merged = Merged::default();
    for experiment in from.experiments()? {
        keep_experiment(&transaction, &experiment).map_err(write)?;
        for arm in from.arms(&experiment.name)? {
            let id = enrol_arm(&transaction, &experiment.name, &arm.hash, &arm.name, &arm.columns)
                .map_err(write)?;
            let conflict = |unit| LabError::Conflict {
                into: path.clone(),
                from: source.to_owned(),
                experiment: experiment.name.clone(),
                arm: arm.name.clone(),
                unit,
            };
            let id = id.ok_or_else(|| {
                LabError::Usage(format!(
                    "{}: arm `{}` of `{}` has other columns than in {}; nothing was taken over",
                    source.display(),
                    arm.name,
                    experiment.name,
                    path.display()
                ))
            })?;
            merge_arm(&transaction, &from, &arm, id, &mut merged, &write, &conflict)?;
        }
    }
    transaction.commit().map_err(write)?;
    Ok(merged)
}

/// Opens a source and keeps others from writing to it meanwhile. A source in a place that cannot
/// be written has no writer.
fn open_source(path: &Path) -> Result<(Reading, Option<Lock>)> {
    // A foreign file does not even get a neighbour; a link's lock is where the store is.
    let place = Reading::open(path)?.path().clone();
    let lock = match Lock::take(&place) {
        Ok(lock) => Some(lock),
        Err(LabError::Io { .. }) => None,
        Err(busy) => return Err(busy),
    };
    Ok((Reading::open_checked(&place)?, lock))
}

fn merge_arm(
    transaction: &rusqlite::Connection,
    from: &Reading,
    arm: &StoredArm,
    id: i64,
    merged: &mut Merged,
    write: &dyn Fn(rusqlite::Error) -> LabError,
    conflict: &dyn Fn(u64) -> LabError,
) -> Result<()> {
    let mut find = transaction
        .prepare_cached("SELECT value FROM results WHERE arm = ?1 AND unit = ?2")
        .map_err(write)?;
    let mut insert = transaction
        .prepare_cached("INSERT INTO results (arm, unit, value, seconds) VALUES (?1, ?2, ?3, ?4)")
        .map_err(write)?;
    from.each_row(arm.id, u64::MAX, |unit, value, seconds| {
        let known: Option<Vec<u8>> =
            find.query_row(params![id, unit as i64], |row| row.get(0)).optional().map_err(write)?;
        match known {
            None => {
                insert.execute(params![id, unit as i64, value, seconds]).map_err(write)?;
                merged.added += 1;
            }
            Some(known) if known == value => merged.same += 1,
            Some(_) => return Err(conflict(unit)),
        }
        Ok(())
    })
}

/// An experiment that is known stays as it was last run here.
fn keep_experiment(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_part_the_units() {
        let shards: Vec<Shard> = (0..3).map(|i| Shard::new(i, 3).unwrap()).collect();
        for unit in 0..100 {
            assert_eq!(shards.iter().filter(|s| s.has(unit)).count(), 1);
        }
        for units in 0..10 {
            for shard in &shards {
                let counted = (0..units).filter(|u| shard.has(*u)).count() as u64;
                assert_eq!(shard.count(units), counted);
            }
        }
        assert!("1/4".parse::<Shard>().is_ok());
        for wrong in ["4/4", "0/0", "1", "a/b", "-1/3", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
