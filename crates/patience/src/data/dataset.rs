//! A result: its card, and what there is of it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::DataError;
use super::card::{Asked, Card, Deals};
use super::row::{self, Row};

pub(super) const CARD: &str = "card.toml";
const BATCHES: &str = "batches.toml";

/// A file of rows.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Its name.
    pub file: String,
    /// Its first deal or unit.
    pub first: u64,
    /// Its last deal or unit.
    pub last: u64,
    /// The SHA-256 of the file.
    pub sha256: String,
    /// The versions of what its rows depend on.
    pub versions: String,
    /// Of an experiment: the hash of what the spec asked for, by which another one is noticed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// When it was finished.
    pub date: String,
    /// Hours of processor time.
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
    /// What there is, in the order of deals or units.
    pub batches: Vec<Batch>,
    /// `seed:`, or nothing where deals are numbers.
    prefix: &'static str,
    /// The first and the last deal or unit that were asked for.
    range: (u64, u64),
}

impl Dataset {
    /// Reads the card and the list of batches of a folder.
    ///
    /// # Errors
    /// If one of them cannot be read or is wrong.
    pub fn open(folder: &Path) -> Result<Dataset, DataError> {
        let path = folder.join(CARD);
        let card = Card::read(&path)?;
        let mut data = Dataset {
            folder: folder.to_owned(),
            card,
            batches: Vec::new(),
            prefix: "",
            range: (1, 0),
        };
        match &data.card.asked {
            Asked::Deals(deals) => {
                (data.prefix, data.range) =
                    deals.range().map_err(|message| DataError::bad(&path, message))?;
            }
            Asked::Experiment(_) => data.range = (0, data.spec()?.units - 1),
            Asked::Fewest(_) => return Ok(data),
        }
        let list = folder.join(BATCHES);
        if !list.exists() {
            return Ok(data);
        }
        let text = fs::read_to_string(&list).map_err(DataError::io(&list, "read it"))?;
        let batches: Batches =
            toml::from_str(&text).map_err(|error| DataError::bad(&list, error.to_string()))?;
        let (mut next, last) = data.range;
        for batch in &batches.batch {
            if batch.first != next || batch.last < batch.first || batch.last > last {
                let (a, b) = (batch.first, batch.last);
                let what = data.unit();
                let message =
                    format!("batch {a}..{b} where one from {what} {next} on was expected");
                return Err(DataError::bad(&list, message));
            }
            next = batch.last + 1;
        }
        data.batches = batches.batch;
        Ok(data)
    }

    /// The name of its folder.
    pub fn name(&self) -> &str {
        self.folder.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Its folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The card's path, for messages.
    pub(super) fn card_path(&self) -> PathBuf {
        self.folder.join(CARD)
    }

    /// The path of a batch.
    pub(super) fn path_of(&self, batch: &Batch) -> PathBuf {
        self.folder.join(&batch.file)
    }

    /// What is counted: `deal` or `unit`.
    pub fn unit(&self) -> &'static str {
        match self.card.asked {
            Asked::Experiment(_) => "unit",
            _ => "deal",
        }
    }

    /// What its card says of deals, if it is about deals.
    pub(super) fn deals(&self) -> Result<&Deals, DataError> {
        match &self.card.asked {
            Asked::Deals(deals) => Ok(deals),
            _ => Err(DataError::bad(&self.card_path(), "expected a result about deals")),
        }
    }

    /// The name of a deal.
    pub(super) fn deal(&self, number: u64) -> String {
        format!("{}{number}", self.prefix)
    }

    /// How many deals or units were asked for.
    pub fn asked(&self) -> u64 {
        self.range.1 + 1 - self.range.0
    }

    /// How many deals or units there are.
    pub fn done(&self) -> u64 {
        self.next() - self.range.0
    }

    /// The first deal or unit that is not there.
    pub(super) fn next(&self) -> u64 {
        self.batches.last().map_or(self.range.0, |batch| batch.last + 1)
    }

    /// The last deal or unit that was asked for.
    pub(super) fn last(&self) -> u64 {
        self.range.1
    }

    /// Hours of processor time in all.
    pub fn hours(&self) -> f64 {
        self.batches.iter().fold(0.0, |sum, batch| sum + batch.hours)
    }

    /// The file of a batch, as it was written.
    ///
    /// # Errors
    /// If its file is not the one that was written.
    pub(super) fn bytes(&self, batch: &Batch) -> Result<Vec<u8>, DataError> {
        let path = self.path_of(batch);
        let bytes = fs::read(&path).map_err(DataError::io(&path, "read it"))?;
        let sum = row::sha256(&bytes);
        if sum != batch.sha256 {
            let message = format!("its SHA-256 is {sum}, not {} as in {BATCHES}", batch.sha256);
            return Err(DataError::bad(&path, message));
        }
        Ok(bytes)
    }

    /// The rows of a batch of deals.
    ///
    /// # Errors
    /// If its file is not the one that was written, or rows are missing in it.
    pub fn rows(&self, batch: &Batch) -> Result<Vec<Row>, DataError> {
        self.deals()?;
        let path = self.path_of(batch);
        let rows: Vec<Row> =
            row::read(&self.bytes(batch)?).map_err(|message| DataError::bad(&path, message))?;
        let expected: Vec<String> =
            (batch.first..=batch.last).map(|number| self.deal(number)).collect();
        if !rows.iter().map(|row| &row.deal).eq(&expected) {
            let (first, last) = (batch.first, batch.last);
            return Err(DataError::bad(&path, format!("its deals are not {first} to {last}")));
        }
        Ok(rows)
    }

    /// All rows there are of a result about deals.
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

    /// The name of the file of a batch.
    pub(super) fn file(first: u64, last: u64) -> String {
        format!("rows-{first:08}-{last:08}.csv.zst")
    }
}

/// Writes a file whole or not at all.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), DataError> {
    let part = path.with_extension("part");
    fs::write(&part, bytes).map_err(DataError::io(&part, "write it"))?;
    fs::rename(&part, path).map_err(DataError::io(path, "write it"))
}

/// Hours, to a ten-thousandth.
pub(super) fn hours(seconds: f64) -> f64 {
    (seconds / 3600.0 * 1e4).round() / 1e4
}
