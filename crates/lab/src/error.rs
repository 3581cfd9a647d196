//! What can go wrong, and whose fault it is.

use std::path::{Path, PathBuf};

use crate::keys::SpecFault;

/// Whose fault an error is; a front end maps it to its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// The command was used wrongly: a store in use, a shard that does not exist.
    Usage,
    /// A file that was given is not what it should be: a spec or a store.
    BadInput,
    /// Something failed that should not have: disk, task.
    Fault,
}

/// An error of the laboratory.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// A spec is wrong, at this place.
    #[error("{file}{}: {fault}", fault.line().map(|l| format!(":{l}")).unwrap_or_default())]
    Spec {
        /// The spec's file.
        file: String,
        /// What is wrong with it.
        fault: SpecFault,
    },
    /// A file could not be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
    /// The file is not a store, or a damaged one, or one of another version. It was not touched.
    #[error("{}: {reason}; the file was left as it is", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        reason: String,
    },
    /// Another process writes to the store.
    #[error(
        "{}: another process is running on this store; wait for it, or use a store of its own and `merge` them",
        path.display()
    )]
    Busy {
        /// The store.
        path: PathBuf,
    },
    /// The store could not be read or written; what was stored before is kept.
    #[error("{}: cannot {action}: {source}{}", path.display(), hint(source))]
    Store {
        /// The store.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: rusqlite::Error,
    },
    /// Two stores have the same row with different values: different programs made them.
    #[error(
        "{}: unit {unit} of arm `{arm}` of `{experiment}` has other values than in {}; nothing was merged",
        from.display(), into.display()
    )]
    Conflict {
        /// The store merged into.
        into: PathBuf,
        /// The store with the other values.
        from: PathBuf,
        /// The experiment.
        experiment: String,
        /// The arm.
        arm: String,
        /// The unit.
        unit: u64,
    },
    /// There is no such experiment, shard or option.
    #[error("{0}")]
    Usage(String),
    /// A task failed or panicked; what was stored before is kept.
    #[error("arm `{arm}`, unit {unit}: {message}")]
    Task {
        /// The arm.
        arm: String,
        /// The unit.
        unit: u64,
        /// What went wrong.
        message: String,
    },
}

impl LabError {
    /// Whose fault it is.
    pub fn category(&self) -> Category {
        match self {
            LabError::Spec { .. } | LabError::Refused { .. } | LabError::Conflict { .. } => {
                Category::BadInput
            }
            LabError::Usage(_) | LabError::Busy { .. } => Category::Usage,
            LabError::Io { .. } | LabError::Store { .. } | LabError::Task { .. } => Category::Fault,
        }
    }

    pub(crate) fn io(path: &Path, action: &'static str, source: std::io::Error) -> Self {
        LabError::Io { path: path.to_owned(), action, source }
    }

    pub(crate) fn store(path: &Path, action: &'static str, source: rusqlite::Error) -> Self {
        LabError::Store { path: path.to_owned(), action, source }
    }

    /// An error of SQLite while nothing was written: damage is the fault of the file that was
    /// given, anything else is ours.
    pub(crate) fn reading(path: &Path, action: &'static str, source: rusqlite::Error) -> Self {
        if is_damage(&source) {
            return LabError::damaged(path, format!("this store is damaged ({source})"));
        }
        LabError::store(path, action, source)
    }

    /// A store that is not as it was written, and what can be done about it.
    pub(crate) fn damaged(path: &Path, what: impl std::fmt::Display) -> Self {
        let way = "`patience experiment rescue` copies what is whole into a new store, and `resume` \
                   there runs the rest again";
        LabError::refused(path, format!("{what}; {way}"))
    }

    pub(crate) fn refused(path: &Path, reason: impl Into<String>) -> Self {
        LabError::Refused { path: path.to_owned(), reason: reason.into() }
    }
}

/// Whether SQLite stumbled over the file's contents. Our statements fit our tables, so one that
/// does not compile, or a value of another type, is damage too.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{
        FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, SqlInputError,
        Utf8Error,
    };
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase, TooBig, Unknown};
    match error {
        Utf8Error(..)
        | FromSqlConversionFailure(..)
        | IntegralValueOutOfRange(..)
        | InvalidColumnType(..)
        | SqlInputError { .. } => true,
        other => matches!(
            other.sqlite_error_code(),
            Some(DatabaseCorrupt | NotADatabase | TooBig | Unknown)
        ),
    }
}

/// What a person can do about the most likely failures.
fn hint(error: &rusqlite::Error) -> &'static str {
    use rusqlite::ErrorCode::{DiskFull, ReadOnly};
    match error.sqlite_error_code() {
        Some(DiskFull) => " (make room and resume: everything stored so far is kept)",
        Some(ReadOnly) => " (the store is read-only: everything stored so far is kept)",
        _ => "",
    }
}

/// A result of the laboratory.
pub type Result<T> = std::result::Result<T, LabError>;
