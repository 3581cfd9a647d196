//! The record book: results at full size, kept as files that anyone can check and cite.
//!
//! A result is a folder: `card.toml` says what was asked, `batches.toml` what is there (files with their
//! SHA-256, versions, time), and each batch is a CSV file under zstd. A card asks for deals, with a row
//! per deal; for a figure of a paper, with a row per number, as an experiment's export has them; or for
//! how much each deal needs, which other results tell. [`run`](Dataset::run) goes on where the last batch
//! ended; [`verify`](Dataset::verify) replays every solution by the game's validator, recomputes every
//! table, and runs a sample again.

mod card;
mod clock;
mod dataset;
mod experiment;
mod fewest;
mod report;
mod row;
mod run;
mod summary;
mod verify;

use std::path::{Path, PathBuf};

pub use card::{Asked, Card, Deals, Experiment, Fewest, Step};
pub use dataset::{Batch, Dataset};
pub use fewest::{Needs, OpenNeed};
pub use report::report;
pub use row::{Row, sha256};
pub use run::{Progress, Running};
pub use summary::Summary;
pub use verify::{Checking, Found, Verified};

/// What is wrong with a result, or with what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file or folder cannot be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {message}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line where there is one.
        message: String,
    },
    /// The game, the solver or the spec of a card is wrong.
    #[error("{}: {message}", path.display())]
    Call {
        /// The card.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// An experiment's store cannot be made or read.
    #[error(transparent)]
    Store(#[from] patience_lab::LabError),
}

impl DataError {
    fn bad(path: &Path, message: impl Into<String>) -> Self {
        DataError::Bad { path: path.to_owned(), message: message.into() }
    }

    fn io<'p>(path: &'p Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self + 'p {
        move |source| DataError::Io { path: path.to_owned(), action, source }
    }
}

/// The results in a folder, by their names.
///
/// # Errors
/// If the folder cannot be read, or a card is wrong.
pub fn datasets(folder: &Path) -> Result<Vec<Dataset>, DataError> {
    let entries = std::fs::read_dir(folder).map_err(DataError::io(folder, "read the folder"))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(DataError::io(folder, "read the folder"))?.path();
        if path.join(dataset::CARD).is_file() {
            found.push(Dataset::open(&path)?);
        }
    }
    found.sort_by(|a, b| a.name().cmp(b.name()));
    Ok(found)
}
