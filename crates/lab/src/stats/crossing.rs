//! Where a falling curve reaches a threshold and stays, with a bootstrap interval over units.

use patience_model::Rng;
use serde::Serialize;

use super::bootstrap::{Open, RESAMPLES, nothing_known, percentiles, resample};
use super::bounds::finite;
use super::curve::{crossing_point, reached};
use super::{Bounds, Curve, Reached};

/// Where the mean curve of an arm falls to a threshold and stays there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Crossing {
    /// The threshold.
    pub threshold: f64,
    /// Where it is reached; `None` if it is not reached within the checkpoints.
    pub at: Option<f64>,
    /// The 95% interval. Its low end is 0 when too many of the resamples are there from their
    /// first checkpoint, since they say only "there or before". Its high end is unbounded
    /// (`null`) when the threshold was not reached in too many of the resamples, and where
    /// resamples cannot tell (see `open`); the low end is the last checkpoint if the threshold
    /// was not reached in nearly all.
    pub at95: Bounds,
    /// The curve is at or below the threshold from its first checkpoint: the crossing is there
    /// or before.
    pub from_start: bool,
    /// The last checkpoint: "not reached within" this.
    #[serde(serialize_with = "finite")]
    pub last: f64,
    /// Why the interval is wider than the resamples; `None` if it is theirs.
    pub open: Option<Open>,
}

/// The crossings of several thresholds, from the same resamples. Empty curves cross nowhere.
pub fn crossings(curve: &Curve, thresholds: &[f64], rng: &mut Rng) -> Vec<Crossing> {
    let last = curve.checkpoints.last().copied().unwrap_or(f64::NAN);
    let found: Vec<Option<Reached>> =
        thresholds.iter().map(|threshold| crossing_point(curve, *threshold)).collect();
    let crossing = |i: usize, at95, open| Crossing {
        threshold: thresholds[i],
        at: found[i].and_then(Reached::at),
        at95,
        from_start: matches!(found[i], Some(Reached::Before(_))),
        last,
        open,
    };
    if curve.is_empty() {
        return (0..thresholds.len()).map(|i| crossing(i, Bounds::UNBOUNDED, None)).collect();
    }
    if let Some(why) = nothing_known(&[curve]) {
        let any = Bounds { low: 0.0, high: f64::INFINITY };
        return (0..thresholds.len()).map(|i| crossing(i, any, Some(why))).collect();
    }
    let mut means = vec![0.0; curve.checkpoints.len()];
    let mut lows = vec![Vec::with_capacity(RESAMPLES); thresholds.len()];
    let mut highs = lows.clone();
    let mut weights = vec![0u32; curve.units.len()];
    for _ in 0..RESAMPLES {
        resample(rng, &mut weights);
        curve.means(weights.iter().copied(), &mut means);
        for (i, &threshold) in thresholds.iter().enumerate() {
            let one = reached(&curve.checkpoints, &means, threshold).bounds();
            lows[i].push(one.low);
            highs[i].push(one.high);
        }
    }
    let samples = lows.into_iter().zip(highs).enumerate();
    samples
        .map(|(i, (lows, highs))| {
            let mut at95 = percentiles(lows, highs);
            let mut open = None;
            if at95.high.is_finite() && curve.bottoms_at(thresholds[i]) {
                at95.high = f64::INFINITY;
                open = Some(Open::LeastValue);
            }
            crossing(i, at95, open)
        })
        .collect()
}

/// The crossing of one threshold.
pub fn crossing(curve: &Curve, threshold: f64, rng: &mut Rng) -> Option<Crossing> {
    crossings(curve, &[threshold], rng).pop()
}

#[cfg(test)]
mod tests {
    use super::super::curve::curve;
    use super::*;

    #[test]
    fn intervals_hold_the_estimate_and_say_when_not_reached() {
        let mut units = vec![[1.0, 0.1, 0.0]; 40];
        units.extend(vec![[1.0, 0.9, 0.0]; 40]);
        let c = crossing(&curve(&units), 0.4, &mut Rng::new(1)).unwrap();
        assert!(c.at95.low < c.at.unwrap() && c.at.unwrap() < c.at95.high);
        assert!(c.at95.high.is_finite() && c.open.is_none());
        // One unit in forty never gets there: the zero threshold is out of reach for most
        // resamples, not for all.
        units[0][2] = 1.0;
        let c = crossing(&curve(&units), 0.0, &mut Rng::new(1)).unwrap();
        assert_eq!(c.at, None);
        assert_eq!((c.at95.high, c.open), (f64::INFINITY, None));
        assert!(c.at95.low <= 100.0 && c.last == 100.0);
        // The same stream gives the same bits.
        assert_eq!(crossing(&curve(&units), 0.0, &mut Rng::new(1)).unwrap(), c);
    }

    /// The mean of n exponential-like steps has a known spread: the bootstrap's interval covers
    /// the truth about as often as it says.
    #[test]
    fn coverage_is_about_right() {
        let mut rng = Rng::new(9);
        let trials = 200;
        let mut covered = 0;
        for _ in 0..trials {
            // Each unit falls from 1 to u at x = 10, u uniform: the mean there is 1/2.
            let units: Vec<_> = (0..60).map(|_| [1.0, rng.unit(), 0.0]).collect();
            let c = crossing(&curve(&units), 0.25, &mut rng).unwrap();
            // Linear in y because the last value is 0: x = 10 · 10^((m − t)/m) with m = 1/2.
            let truth = 10.0 * 10.0_f64.powf(0.5);
            covered += u32::from(c.at95.contains(truth));
        }
        assert!((176..=199).contains(&covered), "{covered} of {trials}");
    }

    /// Below the threshold from the first checkpoint: there or before, not exactly there.
    #[test]
    fn from_the_start_is_no_exact_place() {
        let units: Vec<_> = (0..20).map(|i| [0.01 * f64::from(i % 3), 0.0, 0.0]).collect();
        let c = crossing(&curve(&units), 0.1, &mut Rng::new(1)).unwrap();
        assert_eq!((c.at, c.from_start, c.open), (Some(1.0), true, None));
        assert_eq!(c.at95, Bounds { low: 0.0, high: 1.0 });
        // About half of the resamples are there from the start: the interval is from 0.
        let units: Vec<_> = (0..20).map(|i| [0.2 * f64::from(i % 2), 0.0, 0.0]).collect();
        let c = crossing(&curve(&units), 0.1, &mut Rng::new(1)).unwrap();
        assert!(c.at95.low == 0.0 && c.at95.high > 1.0, "{c:?}");
    }

    /// Resamples of units that are all 0 from some checkpoint on are 0 there too.
    #[test]
    fn the_high_end_at_zero_is_open() {
        let units: Vec<_> = (0..40).map(|i| [1.0, f64::from(i % 2), 0.0]).collect();
        let c = crossing(&curve(&units), 0.0, &mut Rng::new(1)).unwrap();
        assert_eq!((c.at, c.open), (Some(100.0), Some(Open::LeastValue)));
        assert_eq!(c.at95, Bounds { low: 100.0, high: f64::INFINITY });
        // Where values go below 0 the threshold 0 is one like any other.
        let units: Vec<_> = (0..40).map(|i| [1.0, f64::from(i % 2), -0.5]).collect();
        let c = crossing(&curve(&units), 0.0, &mut Rng::new(1)).unwrap();
        assert!(c.at95.high.is_finite() && c.open.is_none(), "{c:?}");
    }

    #[test]
    fn too_few_or_equal_units_have_no_interval() {
        let any = Bounds { low: 0.0, high: f64::INFINITY };
        let units: Vec<_> = (0..5).map(|i| [1.0, 0.1 * f64::from(i), 0.0]).collect();
        let c = crossing(&curve(&units), 0.1, &mut Rng::new(1)).unwrap();
        assert_eq!((c.at95, c.open), (any, Some(Open::FewUnits)));
        assert!(c.at.is_some());
        let c = crossing(&curve(&[[1.0, 0.3, 0.1]; 50]), 0.2, &mut Rng::new(1)).unwrap();
        assert_eq!((c.at95, c.open), (any, Some(Open::AllEqual)));
        let none = crossing(&curve(&[]), 0.2, &mut Rng::new(1)).unwrap();
        assert_eq!((none.at, none.at95, none.open), (None, Bounds::UNBOUNDED, None));
    }
}
