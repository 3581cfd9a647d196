//! A row of a result, and how rows are written.

use patience_catalogue::Solved;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What was found of one deal.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Row {
    /// The deal.
    pub deal: String,
    /// `optimal`, `solved`, `unsolvable` or `unknown`.
    pub verdict: String,
    /// What the solution comes to: its score or its length.
    pub value: Option<f64>,
    /// How many moves the solution has.
    pub length: Option<usize>,
    /// Iterations of the solver.
    pub iterations: u64,
    /// States that it held.
    pub nodes: u64,
    /// Bytes that it held.
    pub bytes: u64,
    /// Seconds of processor time that it took; of no importance, and different every time.
    pub seconds: f64,
    /// What its proof leaves to be compared.
    pub certificate: Option<String>,
    /// The solution in the game's notation.
    pub solution: Option<String>,
}

impl Row {
    pub(super) fn of(deal: &str, solved: &Solved, solutions: bool, seconds: f64) -> Row {
        let counts = solved.stats.counts;
        Row {
            deal: deal.to_owned(),
            verdict: solved.verdict.to_string(),
            value: solved.value,
            length: solved.length,
            iterations: counts.iterations,
            nodes: counts.nodes,
            bytes: counts.bytes,
            seconds: (seconds * 1e3).round() / 1e3,
            certificate: solved.certificate.clone(),
            solution: solved.solution.clone().filter(|_| solutions),
        }
    }

    /// Whether another run found the same.
    pub(super) fn same(&self, other: &Row) -> bool {
        let Row { bytes, seconds, .. } = *self;
        let solution = self.solution.clone().and(other.solution.clone());
        let mine =
            Row { solution: self.solution.clone().filter(|_| solution.is_some()), ..self.clone() };
        mine == Row { bytes, seconds, solution, ..other.clone() }
    }

    /// Whether what another version found does not contradict it: what was proven stands, and what one
    /// has solved the other does not call unsolvable.
    pub(super) fn agrees(&self, other: &Row) -> bool {
        let solved = |row: &Row| matches!(row.verdict.as_str(), "optimal" | "solved");
        match (self.verdict.as_str(), other.verdict.as_str()) {
            ("optimal", "optimal") => self.value == other.value,
            ("unsolvable", _) => !solved(other),
            (_, "unsolvable") => !solved(self),
            _ => true,
        }
    }

    /// Whether its columns belong together, before anything is replayed.
    pub(super) fn check(&self, solutions: bool) -> Result<(), String> {
        let there = [self.value.is_some(), self.length.is_some(), self.solution.is_some()];
        let expected = match self.verdict.as_str() {
            "optimal" | "solved" => [true, true, solutions],
            "unsolvable" | "unknown" => [false; 3],
            other => return Err(format!("there is no verdict {other:?}")),
        };
        for (name, (there, expected)) in
            ["value", "length", "solution"].into_iter().zip(there.into_iter().zip(expected))
        {
            if there != expected {
                let verdict = &self.verdict;
                let has = if there { "has a" } else { "has no" };
                return Err(format!("it is {verdict}, and {has} {name}"));
            }
        }
        self.certificate.as_ref().map_or(Ok(()), |text| self.check_certificate(text))
    }

    /// A certificate counts what was stored: it grows from layer to layer, up to the states and to the
    /// value of its row.
    fn check_certificate(&self, text: &str) -> Result<(), String> {
        let wrong = || format!("its certificate `{text}` is none of this search");
        let (layers, sum) = text.rsplit_once(' ').ok_or_else(wrong)?;
        let sum = sum.strip_prefix("sum:").ok_or_else(wrong)?;
        if sum.len() != 32 || u128::from_str_radix(sum, 16).is_err() {
            return Err(wrong());
        }
        let mut last = (0, 0);
        for layer in layers.split(' ') {
            let (f, count) = layer.split_once(':').ok_or_else(wrong)?;
            let next: (u64, u64) =
                (f.parse().map_err(|_| wrong())?, count.parse().map_err(|_| wrong())?);
            if next.0 <= last.0 || next.1 < last.1 {
                return Err(wrong());
            }
            last = next;
        }
        let value = self.value.map_or(last.0, |value| value as u64);
        if last == (value, self.nodes) { Ok(()) } else { Err(wrong()) }
    }
}

/// Rows as CSV under zstd.
pub(super) fn write<R: Serialize>(rows: &[R]) -> Result<Vec<u8>, csv::Error> {
    let mut text = csv::Writer::from_writer(Vec::new());
    for row in rows {
        text.serialize(row)?;
    }
    let text = text.into_inner().map_err(|error| error.into_error())?;
    Ok(compress_to_vec(&text[..], CompressionLevel::Fastest))
}

/// Rows from CSV under zstd; what is wrong is told with its line.
pub(super) fn read<R: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<R>, String> {
    let text = StreamingDecoder::new(bytes).map_err(|error| error.to_string())?;
    let rows = csv::Reader::from_reader(text).into_deserialize();
    rows.map(|row| row.map_err(|error| error.to_string())).collect()
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
