//! Rows for other programs.

use std::io::Write;
use std::str::FromStr;

use super::build::chosen;
use crate::error::{LabError, Result};
use crate::store::{Reading, StoredArm};

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
/// Numbers are written so that they can be read back to the bit. Each unit is written as it is
/// read, so memory does not grow with the store. Returns how many units.
///
/// # Errors
/// If rows are gone or damaged: before the first is written.
pub fn export(
    reading: &Reading,
    names: &[String],
    format: ExportFormat,
    out: &mut dyn Write,
) -> Result<u64> {
    let fail = |e| LabError::io(reading.path(), "write the export", e);
    let mut count = 0;
    for experiment in chosen(reading, names)? {
        for arm in reading.arms(&experiment.name)? {
            reading.each_result(&arm, 0, |_, _| Ok(()))?;
        }
    }
    if format == ExportFormat::Csv {
        writeln!(out, "experiment,arm,unit,column,x,value").map_err(fail)?;
    }
    for experiment in chosen(reading, names)? {
        let spec = experiment.spec()?;
        for arm in &spec.arms {
            let Some(stored) = reading.arm(&spec.name, arm)? else { continue };
            reading.each_result(&stored, spec.units, |unit, values| {
                count += 1;
                match format {
                    ExportFormat::Csv => csv(&spec.name, &stored, unit, &values, out),
                    ExportFormat::JsonLines => json(&spec.name, &stored, unit, &values, out),
                }
                .map_err(fail)
            })?;
        }
    }
    out.flush().map_err(fail)?;
    Ok(count)
}

fn csv(
    experiment: &str,
    arm: &StoredArm,
    unit: u64,
    values: &[f64],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let (experiment, name) = (cell(experiment), cell(&arm.name));
    for (column, value) in arm.columns.iter().zip(values) {
        let x = column.x.map(|x| x.to_string()).unwrap_or_default();
        writeln!(out, "{experiment},{name},{unit},{},{x},{value}", cell(&column.name))?;
    }
    Ok(())
}

fn json(
    experiment: &str,
    arm: &StoredArm,
    unit: u64,
    values: &[f64],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let columns: Vec<_> = arm
        .columns
        .iter()
        .zip(values)
        .map(|(c, v)| serde_json::json!({ "name": c.name, "x": c.x, "value": v }))
        .collect();
    let line = serde_json::json!({
        "experiment": experiment,
        "arm": arm.name,
        "hash": arm.hash,
        "unit": unit,
        "columns": columns,
    });
    writeln!(out, "{line}")
}

/// A cell of a CSV file, quoted where it must be.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
