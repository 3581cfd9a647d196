//! Rows for other programs.

use std::io::Write;
use std::str::FromStr;

use super::build::chosen;
use crate::error::{LabError, Result};
use crate::store::Reading;

/// A format that rows are exported in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// Comma-separated, one line per number: experiment, arm, unit, column, x, value.
    Csv,
    /// One JSON object per line and unit.
    JsonLines,
}

impl FromStr for ExportFormat {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "csv" => Ok(ExportFormat::Csv),
            "jsonl" => Ok(ExportFormat::JsonLines),
            _ => Err(LabError::Usage(format!("format {text:?}: expected csv or jsonl"))),
        }
    }
}

/// Writes the rows of experiments, by experiment, arm and unit: those of these names, or all.
/// Numbers are written so that they can be read back to the bit. Returns how many units.
pub fn export(
    reading: &Reading,
    names: &[String],
    format: ExportFormat,
    out: &mut dyn Write,
) -> Result<u64> {
    let fail = |e| LabError::io(reading.path(), "write the export", e);
    let mut count = 0;
    if format == ExportFormat::Csv {
        writeln!(out, "experiment,arm,unit,column,x,value").map_err(fail)?;
    }
    for experiment in chosen(reading, names)? {
        let spec = experiment.spec()?;
        for arm in &spec.arms {
            let Some(stored) = reading.arm(&spec.name, &arm.hash)? else { continue };
            for (unit, values) in reading.rows(&stored, spec.units)? {
                count += 1;
                match format {
                    ExportFormat::Csv => {
                        for (column, value) in stored.columns.iter().zip(&values) {
                            let x = column.x.map(|x| x.to_string()).unwrap_or_default();
                            writeln!(
                                out,
                                "{},{},{unit},{},{x},{value}",
                                cell(&spec.name),
                                cell(&arm.name),
                                cell(&column.name)
                            )
                            .map_err(fail)?;
                        }
                    }
                    ExportFormat::JsonLines => {
                        let columns: Vec<_> = stored
                            .columns
                            .iter()
                            .zip(&values)
                            .map(|(c, v)| {
                                serde_json::json!({ "name": c.name, "x": c.x, "value": v })
                            })
                            .collect();
                        let line = serde_json::json!({
                            "experiment": spec.name,
                            "arm": arm.name,
                            "hash": arm.hash,
                            "unit": unit,
                            "columns": columns,
                        });
                        writeln!(out, "{line}").map_err(fail)?;
                    }
                }
            }
        }
    }
    out.flush().map_err(fail)?;
    Ok(count)
}

/// A cell of a CSV file, quoted where it must be.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
