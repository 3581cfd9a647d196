//! Statistics: intervals for proportions and means, paired differences, crossings, slopes.
//!
//! Everything here is a plain function of its arguments: the same rows give the same bits.

mod bootstrap;
mod bounds;
mod crossing;
mod curve;
mod fit;
mod mean;
mod paired;
mod proportion;
mod rate;
mod ratio;

pub use bootstrap::Open;
pub(crate) use bounds::finite as bounds_finite;
pub use bounds::{Bounds, Estimate};
pub use crossing::{Crossing, crossing, crossings};
pub use curve::{Curve, Reached, crossing_point};
pub use fit::{Slope, slope};
pub use mean::{Moments, mean, student, student_p};
pub use paired::paired;
pub use proportion::{clopper_pearson, proportion, wilson, wilson_mean};
pub use rate::rate;
pub use ratio::{Ratio, crossing_ratio};

use crate::task::Kind;
use statrs::distribution::{ContinuousCDF, Normal};

/// The two-sided quantile of the normal distribution: 1.96 for 0.95.
pub fn normal_quantile(confidence: f64) -> f64 {
    match Normal::new(0.0, 1.0) {
        Ok(normal) => normal.inverse_cdf(0.5 + confidence / 2.0),
        Err(_) => f64::NAN,
    }
}

/// The estimate that belongs to a kind of column; `None` without values.
pub fn estimate(kind: Kind, values: &[f64]) -> Option<Estimate> {
    match kind {
        // Rows are checked before they are stored; if one is not 0 or 1 it is no proportion.
        Kind::Proportion => proportion(values).or_else(|| mean(values)),
        Kind::Rate => rate(values),
        Kind::Mean => mean(values),
    }
}
