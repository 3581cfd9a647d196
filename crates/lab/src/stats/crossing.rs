//! Where a falling curve reaches a threshold and stays, with a bootstrap interval over units.

use patience_model::Rng;
use serde::Serialize;

use super::Bounds;
use super::bounds::finite;

/// The curves of all units of an arm at common checkpoints.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The checkpoints, growing and above 0.
    pub checkpoints: Vec<f64>,
    /// The units, in order.
    pub units: Vec<u64>,
    /// One value per unit and checkpoint, unit by unit.
    pub values: Vec<f64>,
}

/// Where the mean curve of an arm falls to a threshold and stays there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Crossing {
    /// The threshold.
    pub threshold: f64,
    /// Where it is reached; `None` if it is not reached within the checkpoints.
    pub at: Option<f64>,
    /// The 95% interval; its high end is unbounded (`null`) when the threshold was not reached
    /// in too many of the resamples, and it starts at the last checkpoint if in nearly all.
    pub at95: Bounds,
    /// The curve is at or below the threshold from its first checkpoint: the crossing is there
    /// or before.
    pub from_start: bool,
    /// The last checkpoint: "not reached within" this.
    #[serde(serialize_with = "finite")]
    pub last: f64,
}

/// Resamples of a bootstrap: enough for percentiles at 2.5% to be steady in two digits.
const RESAMPLES: usize = 1000;

/// Where a falling sequence of means reaches `threshold` and stays at or below it. Between the
/// checkpoints around it log x is taken as linear in log y, or in y where y or the threshold is 0
/// or less.
fn reached(checkpoints: &[f64], means: &[f64], threshold: f64) -> Option<f64> {
    let last_above = means.iter().rposition(|y| *y > threshold);
    let Some(i) = last_above else { return checkpoints.first().copied() };
    if i + 1 == means.len() {
        return None;
    }
    let (y0, y1) = (means[i], means[i + 1]);
    let (a, b, t) = if y1 > 0.0 && threshold > 0.0 {
        (y0.ln(), y1.ln(), threshold.ln())
    } else {
        (y0, y1, threshold)
    };
    let part = ((a - t) / (a - b)).clamp(0.0, 1.0);
    if part >= 1.0 {
        return Some(checkpoints[i + 1]); // Exactly, whatever logarithms make of it.
    }
    let (x0, x1) = (checkpoints[i].ln(), checkpoints[i + 1].ln());
    Some((x0 + part * (x1 - x0)).exp())
}

impl Curve {
    fn row(&self, unit: usize) -> &[f64] {
        let k = self.checkpoints.len();
        &self.values[unit * k..(unit + 1) * k]
    }

    /// The mean over units at each checkpoint, each unit counted as often as `weights` says.
    fn means(&self, weights: impl Iterator<Item = u32>, out: &mut [f64]) {
        out.fill(0.0);
        let mut total = 0.0;
        for (unit, weight) in weights.enumerate().filter(|(_, w)| *w > 0) {
            let weight = f64::from(weight);
            total += weight;
            for (sum, value) in out.iter_mut().zip(self.row(unit)) {
                *sum += weight * value;
            }
        }
        out.iter_mut().for_each(|sum| *sum /= total);
    }
}

/// Where the mean curve reaches a threshold and stays, and whether it is there from its first
/// checkpoint: what [`crossings`] says without the interval.
pub fn crossing_point(curve: &Curve, threshold: f64) -> (Option<f64>, bool) {
    if curve.units.is_empty() {
        return (None, false);
    }
    let mut means = vec![0.0; curve.checkpoints.len()];
    curve.means(std::iter::repeat_n(1, curve.units.len()), &mut means);
    let at = reached(&curve.checkpoints, &means, threshold);
    (at, means.iter().all(|y| *y <= threshold))
}

/// Draws as many units as there are, with replacement, and counts how often each came.
fn resample(rng: &mut Rng, weights: &mut [u32]) {
    weights.fill(0);
    for _ in 0..weights.len() {
        weights[rng.index(weights.len())] += 1;
    }
}

/// The crossings of several thresholds, from the same resamples. Empty curves cross nowhere.
pub fn crossings(curve: &Curve, thresholds: &[f64], rng: &mut Rng) -> Vec<Crossing> {
    let k = curve.checkpoints.len();
    let n = curve.units.len();
    let last = curve.checkpoints.last().copied().unwrap_or(f64::NAN);
    if n == 0 || k == 0 {
        return thresholds
            .iter()
            .map(|&threshold| Crossing {
                threshold,
                at: None,
                at95: Bounds::UNBOUNDED,
                from_start: false,
                last,
            })
            .collect();
    }
    let mut means = vec![0.0; k];
    let mut samples = vec![Vec::with_capacity(RESAMPLES); thresholds.len()];
    let mut weights = vec![0u32; n];
    for _ in 0..RESAMPLES {
        resample(rng, &mut weights);
        curve.means(weights.iter().copied(), &mut means);
        for (sample, &threshold) in samples.iter_mut().zip(thresholds) {
            let at = reached(&curve.checkpoints, &means, threshold);
            sample.push(at.unwrap_or(f64::INFINITY));
        }
    }
    samples
        .into_iter()
        .zip(thresholds)
        .map(|(sample, &threshold)| {
            let interval = percentiles(sample);
            let (at, from_start) = crossing_point(curve, threshold);
            let at95 = Bounds { low: interval.low.min(last), high: interval.high };
            Crossing { threshold, at, at95, from_start, last }
        })
        .collect()
}

/// The crossing of one threshold.
pub fn crossing(curve: &Curve, threshold: f64, rng: &mut Rng) -> Option<Crossing> {
    crossings(curve, &[threshold], rng).pop()
}

/// The crossing of `a` divided by the one of `b`, with its 95% interval, resampling units that
/// both have together. The ratio is `None` if either is not reached; ends are unbounded where the
/// resamples leave them open.
pub fn crossing_ratio(
    a: &Curve,
    b: &Curve,
    threshold: f64,
    rng: &mut Rng,
) -> (Option<f64>, Bounds) {
    let (a, b) = (common(a, &b.units), common(b, &a.units));
    let n = a.units.len();
    if n == 0 || a.checkpoints.is_empty() || b.checkpoints.is_empty() {
        return (None, Bounds::UNBOUNDED);
    }
    let mut scratch = (vec![0.0; a.checkpoints.len()], vec![0.0; b.checkpoints.len()]);
    let mut ratio = |weights: &[u32]| {
        a.means(weights.iter().copied(), &mut scratch.0);
        b.means(weights.iter().copied(), &mut scratch.1);
        let over = reached(&a.checkpoints, &scratch.0, threshold);
        let under = reached(&b.checkpoints, &scratch.1, threshold);
        (over, under)
    };
    let estimate = match ratio(&vec![1; n]) {
        (Some(x), Some(y)) => Some(x / y),
        _ => None,
    };
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    let mut weights = vec![0; n];
    for _ in 0..RESAMPLES {
        resample(rng, &mut weights);
        // What is not reached lies somewhere beyond the last checkpoint.
        let (low, high) = match ratio(&weights) {
            (Some(x), Some(y)) => (x / y, x / y),
            (None, Some(y)) => (a.checkpoints[a.checkpoints.len() - 1] / y, f64::INFINITY),
            (Some(x), None) => (0.0, x / b.checkpoints[b.checkpoints.len() - 1]),
            (None, None) => (0.0, f64::INFINITY),
        };
        lows.push(low);
        highs.push(high);
    }
    (estimate, Bounds { low: percentiles(lows).low, high: percentiles(highs).high })
}

/// The part of a curve on these units, which are in order.
fn common(curve: &Curve, units: &[u64]) -> Curve {
    let kept: Vec<usize> =
        (0..curve.units.len()).filter(|i| units.binary_search(&curve.units[*i]).is_ok()).collect();
    Curve {
        checkpoints: curve.checkpoints.clone(),
        units: kept.iter().map(|i| curve.units[*i]).collect(),
        values: kept.iter().flat_map(|i| curve.row(*i).iter().copied()).collect(),
    }
}

/// The 2.5% and 97.5% percentiles.
fn percentiles(mut sample: Vec<f64>) -> Bounds {
    sample.sort_by(f64::total_cmp);
    let n = sample.len();
    let tail = n / 40;
    Bounds { low: sample[tail], high: sample[n - 1 - tail] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_checkpoints_power_laws_are_met_exactly() {
        // y = 1 / x: the threshold 0.05 is met at 20.
        let x = [1.0, 10.0, 100.0];
        let y = [1.0, 0.1, 0.01];
        assert!((reached(&x, &y, 0.05).unwrap() - 20.0).abs() < 1e-9);
        assert!((reached(&x, &y, 0.1).unwrap() - 10.0).abs() < 1e-9);
    }

    #[test]
    fn it_must_stay_below() {
        let x = [1.0, 2.0, 4.0, 8.0, 16.0];
        assert_eq!(reached(&x, &[0.5, 0.0, 0.5, 0.0, 0.0], 0.0), Some(8.0));
        assert_eq!(reached(&x, &[0.5, 0.0, 0.0, 0.0, 0.1], 0.0), None);
        assert_eq!(reached(&x, &[0.0; 5], 0.0), Some(1.0));
    }

    fn curve(units: &[[f64; 3]]) -> Curve {
        Curve {
            checkpoints: vec![1.0, 10.0, 100.0],
            units: (0..units.len() as u64).collect(),
            values: units.concat(),
        }
    }

    #[test]
    fn intervals_hold_the_estimate_and_say_when_not_reached() {
        let mut units = vec![[1.0, 0.1, 0.0]; 40];
        units.extend(vec![[1.0, 0.9, 0.0]; 40]);
        let c = crossing(&curve(&units), 0.4, &mut Rng::new(1)).unwrap();
        assert!(c.at95.low < c.at.unwrap() && c.at.unwrap() < c.at95.high);
        // One unit in forty never gets there: the zero threshold is out of reach for most
        // resamples, not for all.
        units[0][2] = 1.0;
        let c = crossing(&curve(&units), 0.0, &mut Rng::new(1)).unwrap();
        assert_eq!(c.at, None);
        assert_eq!(c.at95.high, f64::INFINITY);
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

    #[test]
    fn ratios() {
        let slow = curve(&vec![[1.0, 0.5, 0.0]; 9]);
        let fast = curve(&vec![[0.5, 0.0, 0.0]; 9]);
        let (ratio, bounds) = crossing_ratio(&fast, &slow, 0.0, &mut Rng::new(3));
        assert_eq!(ratio.map(|r| (r * 1e9).round()), Some(1e8));
        assert!((bounds.low - 0.1).abs() < 1e-12 && (bounds.high - 0.1).abs() < 1e-12);
        let never = curve(&vec![[1.0, 1.0, 1.0]; 9]);
        let (ratio, bounds) = crossing_ratio(&never, &fast, 0.0, &mut Rng::new(3));
        assert!(ratio.is_none() && (bounds.low - 10.0).abs() < 1e-9);
        assert_eq!(bounds.high, f64::INFINITY);
    }
}
