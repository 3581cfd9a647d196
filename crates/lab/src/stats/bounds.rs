//! An estimate and its intervals.

use serde::{Serialize, Serializer};

/// A confidence interval. An end that the data do not bound is infinite (`null` in JSON).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// The lower end.
    #[serde(serialize_with = "finite")]
    pub low: f64,
    /// The upper end.
    #[serde(serialize_with = "finite")]
    pub high: f64,
}

/// JSON has no infinity.
pub(crate) fn finite<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() { serializer.serialize_f64(*value) } else { serializer.serialize_none() }
}

impl Bounds {
    /// Nothing is known.
    pub const UNBOUNDED: Bounds = Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Whether a value lies in it, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether two intervals have a value in common.
    pub fn overlaps(&self, other: &Bounds) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// A figure measured on some units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// How many units it is measured on; at least 1.
    pub units: u64,
    /// The figure.
    pub value: f64,
    /// Its 95% interval.
    pub at95: Bounds,
    /// Its 99% interval.
    pub at99: Bounds,
    /// Its standard error; `None` with one unit only.
    pub error: Option<f64>,
    /// All units had the same value: an interval of a mean then has no width, which says little.
    pub all_equal: bool,
}

impl Estimate {
    /// Its interval at 0.95 or 0.99.
    pub fn at(&self, confidence: f64) -> Bounds {
        if confidence > 0.97 { self.at99 } else { self.at95 }
    }
}
