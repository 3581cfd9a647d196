//! What a result is about, and what there is of it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::DataError;
use super::row::{self, Row};

pub(super) const CARD: &str = "card.toml";
const BATCHES: &str = "batches.toml";

/// What was asked: written by hand, before the run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// What it is, in a line.
    pub title: String,
    /// The game, as a string.
    pub game: String,
    /// The solver, as a string.
    pub solver: String,
    /// The deals: `1..32000` or `seed:1..1000000`.
    pub deals: String,
    /// The seed of the solver's streams.
    #[serde(default = "one")]
    pub seed: u64,
    /// Deals in a batch.
    pub batch: u64,
    /// Memory for one deal, in bytes; without it as much as it takes.
    pub memory: Option<u64>,
    /// Whether solutions are kept.
    #[serde(default = "yes")]
    pub solutions: bool,
    /// What others have published, and what else a reader must know.
    #[serde(default)]
    pub notes: String,
}

fn one() -> u64 {
    1
}

fn yes() -> bool {
    true
}

/// A file of rows.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Its name.
    pub file: String,
    /// Its first deal.
    pub first: u64,
    /// Its last deal.
    pub last: u64,
    /// The SHA-256 of the file.
    pub sha256: String,
    /// The versions of what its rows depend on.
    pub versions: String,
    /// When it was finished.
    pub date: String,
    /// Hours on one thread.
    pub hours: f64,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Batches {
    #[serde(default)]
    batch: Vec<Batch>,
}

/// A result: its card and its batches.
#[derive(Clone, Debug)]
pub struct Dataset {
    folder: PathBuf,
    /// What was asked.
    pub card: Card,
    /// What there is, in the order of deals.
    pub batches: Vec<Batch>,
    /// `seed:`, or nothing where deals are numbers.
    pub(super) prefix: String,
    /// The first and the last deal that were asked for.
    pub(super) deals: (u64, u64),
}

impl Dataset {
    /// Reads the card and the list of batches of a folder.
    ///
    /// # Errors
    /// If one of them cannot be read or is wrong.
    pub fn open(folder: &Path) -> Result<Dataset, DataError> {
        let path = folder.join(CARD);
        let card: Card = read(&path)?;
        let (prefix, range) = match card.deals.strip_prefix("seed:") {
            Some(range) => ("seed:", range),
            None => ("", card.deals.as_str()),
        };
        let ends = range.split_once("..").unwrap_or((range, range));
        let (Ok(first), Ok(last)) = (ends.0.parse::<u64>(), ends.1.parse::<u64>()) else {
            let message =
                format!("deals: `{}` is no range such as 1..100 or seed:1..100", card.deals);
            return Err(DataError::bad(&path, message));
        };
        if first > last || card.batch == 0 {
            return Err(DataError::bad(
                &path,
                "the range of deals and the batch must not be empty",
            ));
        }
        let list = folder.join(BATCHES);
        let batches: Batches = if list.exists() { read(&list)? } else { Batches::default() };
        let mut next = first;
        for batch in &batches.batch {
            if batch.first != next || batch.last < batch.first || batch.last > last {
                let (a, b) = (batch.first, batch.last);
                let message = format!("batch {a}..{b} where one from deal {next} on was expected");
                return Err(DataError::bad(&list, message));
            }
            next = batch.last + 1;
        }
        let prefix = prefix.to_owned();
        let (folder, deals) = (folder.to_owned(), (first, last));
        Ok(Dataset { folder, card, batches: batches.batch, prefix, deals })
    }

    /// The name of its folder.
    pub fn name(&self) -> &str {
        self.folder.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// The card's path, for messages.
    pub(super) fn card_path(&self) -> PathBuf {
        self.folder.join(CARD)
    }

    /// The path of a batch.
    pub(super) fn path_of(&self, batch: &Batch) -> PathBuf {
        self.folder.join(&batch.file)
    }

    /// How many deals were asked for, and how many there are.
    pub fn asked(&self) -> u64 {
        self.deals.1 - self.deals.0 + 1
    }

    /// How many deals there are.
    pub fn done(&self) -> u64 {
        self.next() - self.deals.0
    }

    /// The first deal that is not there.
    pub(super) fn next(&self) -> u64 {
        self.batches.last().map_or(self.deals.0, |batch| batch.last + 1)
    }

    /// The rows of a batch.
    ///
    /// # Errors
    /// If its file is not the one that was written, or rows are missing in it.
    pub fn rows(&self, batch: &Batch) -> Result<Vec<Row>, DataError> {
        let path = self.path_of(batch);
        let bytes = fs::read(&path).map_err(DataError::io(&path, "read it"))?;
        let sum = row::sha256(&bytes);
        if sum != batch.sha256 {
            let message = format!("its SHA-256 is {sum}, not {} as in {BATCHES}", batch.sha256);
            return Err(DataError::bad(&path, message));
        }
        let rows = row::read(&bytes).map_err(|message| DataError::bad(&path, message))?;
        let expected = (batch.first..=batch.last).map(|deal| format!("{}{deal}", self.prefix));
        if !rows.iter().map(|row| &row.deal).eq(expected.collect::<Vec<_>>().iter()) {
            let (first, last) = (batch.first, batch.last);
            return Err(DataError::bad(&path, format!("its deals are not {first} to {last}")));
        }
        Ok(rows)
    }

    /// All rows there are.
    ///
    /// # Errors
    /// As [`Dataset::rows`].
    pub fn all_rows(&self) -> Result<Vec<Row>, DataError> {
        let mut all = Vec::new();
        for batch in &self.batches {
            all.extend(self.rows(batch)?);
        }
        Ok(all)
    }

    /// Adds a batch: its file first, then the list that names it, so that a list never names what is
    /// not there.
    pub(super) fn add(&mut self, batch: Batch, bytes: &[u8]) -> Result<(), DataError> {
        replace(&self.path_of(&batch), bytes)?;
        self.batches.push(batch);
        let list = Batches { batch: self.batches.clone() };
        let path = self.folder.join(BATCHES);
        let text =
            toml::to_string(&list).map_err(|error| DataError::bad(&path, error.to_string()))?;
        replace(&path, text.as_bytes())
    }
}

/// Writes a file whole or not at all.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), DataError> {
    let part = path.with_extension("part");
    fs::write(&part, bytes).map_err(DataError::io(&part, "write it"))?;
    fs::rename(&part, path).map_err(DataError::io(path, "write it"))
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, DataError> {
    let text = fs::read_to_string(path).map_err(DataError::io(path, "read it"))?;
    toml::from_str(&text).map_err(|error| DataError::bad(path, error.to_string()))
}
