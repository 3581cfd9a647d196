//! Published figures, as the paper states them.

use serde::Serialize;

use crate::keys::SpecFault;
use crate::reader::Reader;
use crate::template::{self, Binding};

/// A figure from the paper about one column of an arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Published {
    /// The column; `None` is the first.
    pub column: Option<String>,
    /// The checkpoint of a curve; `None` is the last.
    pub at: Option<f64>,
    /// The figure.
    pub value: f64,
    /// The interval stated with it.
    pub interval: Option<(f64, f64)>,
    /// The confidence of that interval; 0.95 unless stated.
    pub confidence: f64,
    /// How many units it was measured on.
    pub units: Option<u64>,
}

/// Reads `published`: one table, or a list of them.
pub(super) fn read_all(
    reader: &mut Reader<'_>,
    binding: &Binding,
) -> Result<Vec<Published>, SpecFault> {
    let tables = reader.tables("published")?;
    let keys = ["column", "at", "value", "plus_minus", "low", "high", "confidence", "units"];
    tables
        .into_iter()
        .map(|table| read(&mut Reader::new(table, "published").knows(&keys)?, binding))
        .collect()
}

fn read(reader: &mut Reader<'_>, binding: &Binding) -> Result<Published, SpecFault> {
    let any = f64::NEG_INFINITY..=f64::INFINITY;
    let column = reader.text("column")?;
    let column = match column {
        None => None,
        Some(c) => Some(template::expand(&c, binding).map_err(|m| reader.fault("column", m))?),
    };
    let at = reader.number("at", any.clone())?;
    let value = reader.number("value", any.clone())?;
    let plus_minus = reader.number("plus_minus", 0.0..=f64::INFINITY)?;
    let low = reader.number("low", any.clone())?;
    let high = reader.number("high", any)?;
    let confidence = reader.number("confidence", 0.5..=0.9999)?;
    let units = reader.integer("units", 1..=i64::MAX)?;
    let value = reader.need("value", value)?;
    let interval = match (plus_minus, low, high) {
        (None, None, None) => None,
        (Some(h), None, None) => Some((value - h, value + h)),
        (None, Some(low), Some(high)) if low <= value && value <= high => Some((low, high)),
        (None, Some(_), Some(_)) => {
            return Err(reader.fault("low", "expected low ≤ value ≤ high"));
        }
        _ => {
            return Err(reader.fault("value", "expected either plus_minus, or both low and high"));
        }
    };
    Ok(Published {
        column,
        at,
        value,
        interval,
        confidence: confidence.unwrap_or(0.95),
        units: units.map(|u| u as u64),
    })
}
