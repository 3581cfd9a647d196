//! Falling curves, and where they reach a threshold and stay.

use serde::Serialize;

use super::Bounds;

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

/// Where a curve falls to a threshold and stays at or below it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// Somewhere up to the first checkpoint, which is this: the curve is there from its start.
    Before(f64),
    /// Here, between two checkpoints or at one.
    At(f64),
    /// Somewhere after the last checkpoint, which is this, or never.
    Beyond(f64),
}

impl Reached {
    /// The place that stands for it, at the latest; `None` if it is not reached.
    pub fn at(self) -> Option<f64> {
        match self {
            Reached::Before(x) | Reached::At(x) => Some(x),
            Reached::Beyond(_) => None,
        }
    }

    /// All that the checkpoints say of the place. Only its low end 0 is never the place itself.
    pub fn bounds(self) -> Bounds {
        match self {
            Reached::Before(x) => Bounds { low: 0.0, high: x },
            Reached::At(x) => Bounds { low: x, high: x },
            Reached::Beyond(x) => Bounds { low: x, high: f64::INFINITY },
        }
    }
}

/// Where a falling sequence of means reaches `threshold` and stays at or below it. Between the
/// checkpoints around it log x is taken as linear in log y, or in y where y or the threshold is 0
/// or less. There is at least one checkpoint.
pub(super) fn reached(checkpoints: &[f64], means: &[f64], threshold: f64) -> Reached {
    let last_above = means.iter().rposition(|y| *y > threshold);
    let Some(i) = last_above else { return Reached::Before(checkpoints[0]) };
    if i + 1 == means.len() {
        return Reached::Beyond(checkpoints[i]);
    }
    let (y0, y1) = (means[i], means[i + 1]);
    let (a, b, t) = if y1 > 0.0 && threshold > 0.0 {
        (y0.ln(), y1.ln(), threshold.ln())
    } else {
        (y0, y1, threshold)
    };
    let part = ((a - t) / (a - b)).clamp(0.0, 1.0);
    if part >= 1.0 {
        return Reached::At(checkpoints[i + 1]); // Exactly, whatever logarithms make of it.
    }
    let (x0, x1) = (checkpoints[i].ln(), checkpoints[i + 1].ln());
    Reached::At((x0 + part * (x1 - x0)).exp())
}

/// Where the mean curve reaches a threshold and stays; `None` without units or checkpoints.
pub fn crossing_point(curve: &Curve, threshold: f64) -> Option<Reached> {
    if curve.is_empty() {
        return None;
    }
    let mut means = vec![0.0; curve.checkpoints.len()];
    curve.means(std::iter::repeat_n(1, curve.units.len()), &mut means);
    Some(reached(&curve.checkpoints, &means, threshold))
}

impl Curve {
    fn row(&self, unit: usize) -> &[f64] {
        let k = self.checkpoints.len();
        &self.values[unit * k..(unit + 1) * k]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.units.is_empty() || self.checkpoints.is_empty()
    }

    /// Whether all units have the same curve.
    pub(super) fn all_equal(&self) -> bool {
        (1..self.units.len()).all(|unit| self.row(unit) == self.row(0))
    }

    /// Whether no unit is ever below the threshold, as with a rate and 0. Then the mean is there
    /// only where every unit is, so no choice of units gets there later than all of them.
    pub(super) fn bottoms_at(&self, threshold: f64) -> bool {
        self.values.iter().all(|value| *value >= threshold)
    }

    /// The mean over units at each checkpoint, each unit counted as often as `weights` says.
    pub(super) fn means(&self, weights: impl Iterator<Item = u32>, out: &mut [f64]) {
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

    /// The part on these units, which are in order.
    pub(super) fn common(&self, units: &[u64]) -> Curve {
        let kept: Vec<usize> = (0..self.units.len())
            .filter(|i| units.binary_search(&self.units[*i]).is_ok())
            .collect();
        Curve {
            checkpoints: self.checkpoints.clone(),
            units: kept.iter().map(|i| self.units[*i]).collect(),
            values: kept.iter().flat_map(|i| self.row(*i).iter().copied()).collect(),
        }
    }
}

/// Curves with the checkpoints 1, 10 and 100, for tests.
#[cfg(test)]
pub(super) fn curve(units: &[[f64; 3]]) -> Curve {
    Curve {
        checkpoints: vec![1.0, 10.0, 100.0],
        units: (0..units.len() as u64).collect(),
        values: units.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_checkpoints_power_laws_are_met_exactly() {
        // y = 1 / x: the threshold 0.05 is met at 20.
        let x = [1.0, 10.0, 100.0];
        let y = [1.0, 0.1, 0.01];
        assert!((reached(&x, &y, 0.05).at().unwrap() - 20.0).abs() < 1e-9);
        assert!((reached(&x, &y, 0.1).at().unwrap() - 10.0).abs() < 1e-9);
    }

    #[test]
    fn it_must_stay_below() {
        let x = [1.0, 2.0, 4.0, 8.0, 16.0];
        assert_eq!(reached(&x, &[0.5, 0.0, 0.5, 0.0, 0.0], 0.0), Reached::At(8.0));
        assert_eq!(reached(&x, &[0.5, 0.0, 0.0, 0.0, 0.1], 0.0), Reached::Beyond(16.0));
        assert_eq!(reached(&x, &[0.0; 5], 0.0), Reached::Before(1.0));
    }

    #[test]
    fn what_no_unit_is_below() {
        assert!(curve(&[[1.0, 0.5, 0.0]]).bottoms_at(0.0));
        assert!(!curve(&[[1.0, 0.5, 0.0]]).bottoms_at(0.1));
        assert!(!curve(&[[1.0, 0.5, -0.1]]).bottoms_at(0.0));
    }
}
