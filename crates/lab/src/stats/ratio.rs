//! How much earlier one curve reaches a threshold than another.

use patience_model::Rng;

use super::bootstrap::{Open, RESAMPLES, nothing_known, percentiles, resample};
use super::curve::{crossing_point, reached};
use super::{Bounds, Curve, Reached};

/// The crossing of one curve divided by that of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The ratio; `None` if either is not reached, or if both are there from their first
    /// checkpoints. If one is, this is the most (`over`) or the least (`under`) that it can be.
    pub value: Option<f64>,
    /// Its 95% interval.
    pub at95: Bounds,
    /// Where the numerator's curve gets there; `None` without common units.
    pub over: Option<Reached>,
    /// Where the denominator's curve does.
    pub under: Option<Reached>,
    /// Why the interval is wider than the resamples; `None` if it is theirs.
    pub open: Option<Open>,
}

/// The crossing of `a` divided by the one of `b`, with its 95% interval, resampling units that
/// both have together. Ends are unbounded (or 0) where the resamples leave them open.
pub fn crossing_ratio(a: &Curve, b: &Curve, threshold: f64, rng: &mut Rng) -> Ratio {
    let (a, b) = (a.common(&b.units), b.common(&a.units));
    let (over, under) = (crossing_point(&a, threshold), crossing_point(&b, threshold));
    let ratio = |at95, open| Ratio { value: value(over, under), at95, over, under, open };
    if a.is_empty() || b.is_empty() {
        return ratio(Bounds::UNBOUNDED, None);
    }
    if let Some(why) = nothing_known(&[&a, &b]) {
        return ratio(Bounds { low: 0.0, high: f64::INFINITY }, Some(why));
    }
    let (mut above, mut below) = (vec![0.0; a.checkpoints.len()], vec![0.0; b.checkpoints.len()]);
    let (mut lows, mut highs) = (Vec::with_capacity(RESAMPLES), Vec::with_capacity(RESAMPLES));
    let mut weights = vec![0; a.units.len()];
    for _ in 0..RESAMPLES {
        resample(rng, &mut weights);
        a.means(weights.iter().copied(), &mut above);
        b.means(weights.iter().copied(), &mut below);
        let over = reached(&a.checkpoints, &above, threshold).bounds();
        let under = reached(&b.checkpoints, &below, threshold).bounds();
        // Never 0/0 nor ∞/∞: a low end is finite, a high end above 0.
        lows.push(over.low / under.high);
        highs.push(over.high / under.low);
    }
    let mut at95 = percentiles(lows, highs);
    let mut open = None;
    if at95.high.is_finite() && a.bottoms_at(threshold) {
        at95.high = f64::INFINITY;
        open = Some(Open::LeastValue);
    }
    if at95.low > 0.0 && b.bottoms_at(threshold) {
        at95.low = 0.0;
        open = Some(Open::LeastValue);
    }
    ratio(at95, open)
}

fn value(over: Option<Reached>, under: Option<Reached>) -> Option<f64> {
    match (over?, under?) {
        (Reached::Before(_), Reached::Before(_)) => None,
        (over, under) => Some(over.at()? / under.at()?),
    }
}

#[cfg(test)]
mod tests {
    use super::super::curve::curve;
    use super::*;

    /// Units that differ a little, so that resampling them says something.
    fn around(middle: [f64; 3]) -> Curve {
        let units: Vec<_> =
            (0..30).map(|i| middle.map(|y| y * (1.0 + 0.1 * f64::from(i % 3 - 1)))).collect();
        curve(&units)
    }

    #[test]
    fn where_both_get_there() {
        let (slow, fast) = (around([1.0, 0.5, 0.1]), around([0.5, 0.1, 0.05]));
        let r = crossing_ratio(&fast, &slow, 0.2, &mut Rng::new(3));
        let (value, at95) = (r.value.unwrap(), r.at95);
        assert!(at95.low <= value && value <= at95.high && at95.high < 0.2, "{r:?}");
        assert!(at95.low > 0.05 && at95.low < at95.high && r.open.is_none());
        let back = crossing_ratio(&slow, &fast, 0.2, &mut Rng::new(3));
        assert!((back.at95.high - 1.0 / at95.low).abs() < 1e-9);
    }

    #[test]
    fn where_one_does_not() {
        let (never, fast) = (around([1.0, 1.0, 1.0]), around([0.5, 0.1, 0.05]));
        let r = crossing_ratio(&never, &fast, 0.1001, &mut Rng::new(3));
        assert!(r.value.is_none() && r.at95.low > 5.0 && r.at95.high == f64::INFINITY, "{r:?}");
        let r = crossing_ratio(&fast, &never, 0.1001, &mut Rng::new(3));
        assert!(r.value.is_none() && r.at95.low == 0.0 && r.at95.high < 0.2, "{r:?}");
    }

    /// "There or before" bounds the place from above only.
    #[test]
    fn where_they_are_there_from_the_start() {
        let (early, late) = (around([0.05, 0.01, 0.0]), around([1.0, 0.5, 0.1]));
        let both = crossing_ratio(&early, &early, 0.1, &mut Rng::new(3));
        assert_eq!(both.value, None);
        assert_eq!(both.at95, Bounds { low: 0.0, high: f64::INFINITY });
        assert_eq!((both.over, both.under), (Some(Reached::Before(1.0)), both.over));
        // At most 1 over what is about 46.
        let above = crossing_ratio(&early, &late, 0.2, &mut Rng::new(3));
        assert!(above.at95.low == 0.0 && above.at95.high < 0.04, "{above:?}");
        let below = crossing_ratio(&late, &early, 0.2, &mut Rng::new(3));
        assert!(below.at95.low > 25.0 && below.at95.high == f64::INFINITY, "{below:?}");
    }

    /// Where no value is below the threshold nothing is known of how late it may be.
    #[test]
    fn at_zero() {
        let (fast, slow) = (around([0.5, 0.0, 0.0]), around([1.0, 0.5, 0.0]));
        let r = crossing_ratio(&fast, &slow, 0.0, &mut Rng::new(3));
        assert!((r.value.unwrap() - 0.1).abs() < 1e-12);
        assert_eq!(r.at95, Bounds { low: 0.0, high: f64::INFINITY });
        assert_eq!(r.open, Some(Open::LeastValue));
    }

    #[test]
    fn on_too_few_or_equal_units() {
        let equal = curve(&[[1.0, 0.5, 0.1]; 9]);
        let r = crossing_ratio(&equal, &equal, 0.2, &mut Rng::new(3));
        assert_eq!((r.value, r.open), (Some(1.0), Some(Open::AllEqual)));
        assert_eq!(r.at95, Bounds { low: 0.0, high: f64::INFINITY });
        // Five units in common, however many each has.
        let mut other = around([1.0, 0.5, 0.1]);
        other.units = (25..55).collect();
        let r = crossing_ratio(&around([1.0, 0.5, 0.1]), &other, 0.2, &mut Rng::new(3));
        assert_eq!(r.open, Some(Open::FewUnits));
        other.units = (30..60).collect();
        let r = crossing_ratio(&around([1.0, 0.5, 0.1]), &other, 0.2, &mut Rng::new(3));
        assert_eq!((r.value, r.at95, r.over), (None, Bounds::UNBOUNDED, None));
    }
}
