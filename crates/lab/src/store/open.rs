//! Opens stores, and never harms a file that is not one.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::{LabError, Result};
use crate::lock::beside;
use crate::store::sums::SUMS;

/// "Ptnc": how SQLite and `file` tell our stores from other databases.
const APPLICATION: u32 = 0x5074_6e63;
/// The version of the tables below and of their sums.
pub(super) const VERSION: u32 = 3;
/// The version without sums, which is read, and gets them when somebody writes to it.
const WITHOUT_SUMS: u32 = 2;

const TABLES: &str = "
CREATE TABLE experiments (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    quick INTEGER NOT NULL,
    units INTEGER NOT NULL,
    program TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) STRICT;
CREATE TABLE arms (
    id INTEGER PRIMARY KEY,
    experiment TEXT NOT NULL REFERENCES experiments (name),
    hash TEXT NOT NULL,
    name TEXT NOT NULL,
    columns TEXT NOT NULL,
    UNIQUE (experiment, hash)
) STRICT;
CREATE TABLE results (
    arm INTEGER NOT NULL REFERENCES arms (id),
    unit INTEGER NOT NULL,
    value BLOB NOT NULL,
    seconds REAL NOT NULL,
    seal INTEGER NOT NULL,
    PRIMARY KEY (arm, unit)
) STRICT, WITHOUT ROWID;
";

/// What an arm's results were made with, as JSON, and whether the last run was with these versions.
/// Older stores do not have this table; they get it when an experiment is next recorded in them.
pub(super) const VERSIONS: &str = "
CREATE TABLE IF NOT EXISTS versions (
    arm INTEGER PRIMARY KEY REFERENCES arms (id),
    made_with TEXT NOT NULL,
    current INTEGER NOT NULL
) STRICT;
";

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No file, or an empty one.
    Nothing,
    /// The header of a store of this version.
    Store,
    /// The header of a store of the version before, without sums.
    Older,
}

/// Where a store really is. SQLite keeps its log beside the file that a link leads to, so our lock
/// must lie there too: otherwise two names allow two writers. A path that is not a link stays as it
/// is (links among its folders lead to the same neighbours).
pub(super) fn place(path: &Path) -> Result<PathBuf> {
    let is_link = std::fs::symlink_metadata(path).is_ok_and(|m| m.file_type().is_symlink());
    if !is_link {
        return Ok(path.to_owned());
    }
    path.canonicalize()
        .map_err(|e| LabError::refused(path, format!("this is a link that leads to no file ({e})")))
}

/// Reads the file's first bytes, which SQLite's file format defines, without SQLite: this cannot
/// change anything.
pub(super) fn header(path: &Path) -> Result<Found> {
    let read = |e| LabError::io(path, "read the store", e);
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(e) => return Err(read(e)),
    };
    if file.metadata().map_err(read)?.is_dir() {
        return Err(LabError::refused(path, "this is a directory, not a store"));
    }
    let mut bytes = Vec::new();
    file.by_ref().take(100).read_to_end(&mut bytes).map_err(read)?;
    if bytes.is_empty() {
        return Ok(Found::Nothing);
    }
    if bytes.len() < 100 || !bytes.starts_with(b"SQLite format 3\0") {
        return Err(LabError::refused(path, "this is not a store: not even a SQLite file"));
    }
    let word =
        |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let (version, application) = (word(60), word(68));
    if application != APPLICATION {
        return Err(LabError::refused(path, "this is a SQLite file of another program"));
    }
    match version {
        VERSION => Ok(Found::Store),
        WITHOUT_SUMS => Ok(Found::Older),
        _ => {
            let reason =
                format!("this store has version {version}; this program reads version {VERSION}");
            Err(LabError::refused(path, reason))
        }
    }
}

/// Makes an empty store beside its place and then moves it there, so that a kill leaves either no
/// store or a good one. The caller holds the lock.
///
/// A log without its store is refused: SQLite would replay it into the new one, and results that
/// somebody deleted would come back.
pub(super) fn create(path: &Path) -> Result<()> {
    for suffix in ["-wal", "-shm"] {
        let log = beside(path, suffix);
        if std::fs::symlink_metadata(&log).is_ok() {
            let reason = format!(
                "this belongs to a store that is gone, and would be taken for part of a new one; \
                 delete it, or restore {}",
                path.display()
            );
            return Err(LabError::refused(&log, reason));
        }
    }
    let draft = beside(path, ".creating");
    let neighbours = ["-journal", "-wal", "-shm"].map(|suffix| beside(&draft, suffix));
    for leftover in neighbours.iter().chain([&draft]) {
        match std::fs::remove_file(leftover) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                return Err(LabError::io(leftover, "remove what a killed process left", e));
            }
            _ => {}
        }
    }
    let build = || -> rusqlite::Result<()> {
        let connection = Connection::open(&draft)?;
        connection.execute_batch(&format!(
            "BEGIN; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; \
             {TABLES} {VERSIONS} {SUMS}"
        ))?;
        super::sums::renew(&connection)?;
        connection.execute_batch("COMMIT; PRAGMA journal_mode = WAL;")?;
        connection.close().map_err(|(_, e)| e)
    };
    build().map_err(|e| LabError::store(path, "create the store", e))?;
    std::fs::rename(&draft, path).map_err(|e| LabError::io(path, "create the store", e))
}

/// Reads the whole store once, read-only, and refuses it if SQLite finds it damaged: pages, the
/// order of rows, and indices that miss one. The caller holds the lock, so nobody writes meanwhile.
pub(super) fn check(path: &Path) -> Result<()> {
    // If the log is empty, the file alone is the store; read like this, it gets no neighbours.
    let log = std::fs::metadata(beside(path, "-wal")).map_or(0, |m| m.len());
    let found = if log == 0 { immutable(path) } else { read_only(path) };
    let verdict = found
        .and_then(|c| c.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0)));
    match verdict {
        Ok(word) if word == "ok" => Ok(()),
        Ok(word) => Err(LabError::damaged(path, format!("this store is damaged ({word})"))),
        Err(e) => Err(LabError::damaged(path, format!("this store is damaged ({e})"))),
    }
}

/// A connection that writes.
pub(super) fn writer(path: &Path) -> Result<Connection> {
    let open = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        // FULL: what is committed survives a power failure too. Group commit makes it cheap.
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;",
        )?;
        Ok(connection)
    };
    open().map_err(|e| LabError::reading(path, "open the store for writing", e))
}

/// A connection that reads, while another process may write.
pub(super) fn reader(path: &Path) -> Result<Connection> {
    if header(path)? == Found::Nothing {
        return Err(LabError::io(
            path,
            "read the store",
            std::io::Error::new(std::io::ErrorKind::NotFound, "there is no store"),
        ));
    }
    let probe = |c: Connection| -> rusqlite::Result<Connection> {
        c.busy_timeout(Duration::from_secs(10))?;
        c.query_row("SELECT count(*) FROM experiments", [], |_| Ok(()))?;
        Ok(c)
    };
    match read_only(path).and_then(probe) {
        Ok(connection) => Ok(connection),
        // In a directory that cannot be written SQLite cannot share the log; if there is no log
        // the file alone is the store.
        Err(e)
            if matches!(
                e.sqlite_error_code(),
                Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)
            ) && !beside(path, "-wal").exists() =>
        {
            immutable(path)
                .and_then(probe)
                .map_err(|e| LabError::reading(path, "read the store", e))
        }
        Err(e) => Err(LabError::reading(path, "read the store", e)),
    }
}

fn read_only(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags)
}

/// Reads the file alone: no locks, no log, no neighbours.
fn immutable(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let mut uri = OsString::from("file:");
    // In a URI these characters have a meaning of their own.
    match path.to_str() {
        Some(text) => {
            uri.push(text.replace('%', "%25").replace('?', "%3f").replace('#', "%23"));
        }
        None => return read_only(path),
    }
    uri.push("?immutable=1");
    Connection::open_with_flags(PathBuf::from(uri), flags)
}
