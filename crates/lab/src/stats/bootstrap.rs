//! Resampling units with replacement (Efron 1979, The Annals of Statistics 7:1), and where it tells
//! us nothing.

use patience_model::Rng;
use serde::Serialize;

use super::{Bounds, Curve};

/// Resamples of a bootstrap: enough for percentiles at 2.5% to be steady in two digits.
pub(super) const RESAMPLES: usize = 1000;

/// The fewest units that are resampled. An interval of a bootstrap lies within what single units
/// gave, and even the whole span of n values holds the median of what they were drawn from with
/// 1 − 2^(1−n) only: 0.9375 for 5, 0.969 for 6.
const FEWEST_UNITS: usize = 6;

/// Why the interval of a bootstrap is left open where its percentiles would be too sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Open {
    /// Fewer than 6 units.
    FewUnits,
    /// All units have the same curve, so that resampling them changes nothing.
    AllEqual,
    /// No unit is ever below the threshold, as with a rate and 0: no resample can get there later
    /// than all units together, while other units might.
    LeastValue,
}

impl std::fmt::Display for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Open::FewUnits => write!(f, "fewer than {FEWEST_UNITS} units: no interval"),
            Open::AllEqual => f.pad("all units equal: no interval"),
            Open::LeastValue => f.pad("left open: no value is below the threshold"),
        }
    }
}

/// Why resampling the units of these curves, which are the same, gives no interval at all; `None`
/// if it does.
pub(super) fn nothing_known(curves: &[&Curve]) -> Option<Open> {
    if curves.iter().any(|c| c.units.len() < FEWEST_UNITS) {
        Some(Open::FewUnits)
    } else if curves.iter().all(|c| c.all_equal()) {
        Some(Open::AllEqual)
    } else {
        None
    }
}

/// Draws as many units as there are, with replacement, and counts how often each came.
pub(super) fn resample(rng: &mut Rng, weights: &mut [u32]) {
    weights.fill(0);
    for _ in 0..weights.len() {
        weights[rng.index(weights.len())] += 1;
    }
}

/// From the 2.5% percentile of what resamples are at least to the 97.5% percentile of what they are
/// at most.
pub(super) fn percentiles(mut lows: Vec<f64>, mut highs: Vec<f64>) -> Bounds {
    lows.sort_by(f64::total_cmp);
    highs.sort_by(f64::total_cmp);
    Bounds { low: lows[lows.len() / 40], high: highs[highs.len() - 1 - highs.len() / 40] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 95% lie within: of 1000 resamples 25 are below and 25 above.
    #[test]
    fn percentiles_leave_out_a_fortieth_at_each_end() {
        let ranks = |order: &dyn Fn(u32) -> u32| -> Vec<f64> {
            (0..1000).map(|n| f64::from(order(n))).collect()
        };
        let (rising, mixed) = (ranks(&|n| n), ranks(&|n| n * 7 % 1000));
        let bounds = percentiles(mixed.clone(), rising.clone());
        assert_eq!((bounds.low, bounds.high), (25.0, 974.0));
        let above = rising.iter().map(|x| x + 0.5).collect();
        let bounds = percentiles(mixed, above);
        assert_eq!((bounds.low, bounds.high), (25.0, 974.5));
    }
}
