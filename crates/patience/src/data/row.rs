//! A row of a result, and how rows are written.

use patience_catalogue::Solved;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
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
    /// Seconds that it took; of no importance, and different every time.
    pub seconds: f64,
    /// What its proof leaves to be compared.
    pub certificate: Option<String>,
    /// The solution in the game's notation.
    pub solution: Option<String>,
}

impl Row {
    pub(super) fn of(deal: &str, solved: &Solved, solutions: bool) -> Row {
        let counts = solved.stats.counts;
        Row {
            deal: deal.to_owned(),
            verdict: solved.verdict.to_string(),
            value: solved.value,
            length: solved.length,
            iterations: counts.iterations,
            nodes: counts.nodes,
            bytes: counts.bytes,
            seconds: (solved.stats.seconds * 1e3).round() / 1e3,
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
}

/// Rows as CSV under zstd.
pub(super) fn write(rows: &[Row]) -> Result<Vec<u8>, csv::Error> {
    let mut text = csv::Writer::from_writer(Vec::new());
    for row in rows {
        text.serialize(row)?;
    }
    let text = text.into_inner().map_err(|error| error.into_error())?;
    Ok(compress_to_vec(&text[..], CompressionLevel::Fastest))
}

/// Rows from CSV under zstd; what is wrong is told with its line.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Row>, String> {
    let text = StreamingDecoder::new(bytes).map_err(|error| error.to_string())?;
    let rows = csv::Reader::from_reader(text).into_deserialize();
    rows.map(|row| row.map_err(|error| error.to_string())).collect()
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
