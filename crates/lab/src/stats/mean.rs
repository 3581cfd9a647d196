//! Means with Student's interval.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{Bounds, Estimate};

/// Number, mean and variance of some values, taken in one at a time (Welford's method).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// How many.
    pub units: u64,
    /// Their mean.
    pub mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.units += 1;
        let delta = value - self.mean;
        self.mean += delta / self.units as f64;
        self.squares += delta * (value - self.mean);
    }

    /// The unbiased variance; `None` for fewer than two values.
    pub fn variance(&self) -> Option<f64> {
        (self.units > 1).then(|| (self.squares / (self.units - 1) as f64).max(0.0))
    }

    /// The standard error of the mean; `None` for fewer than two values.
    pub fn error(&self) -> Option<f64> {
        self.variance().map(|v| (v / self.units as f64).sqrt())
    }
}

/// The two-sided quantile of Student's distribution: 2.262 for 9 degrees of freedom and 0.95.
pub fn student(freedom: u64, confidence: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom as f64) {
        Ok(t) => t.inverse_cdf(0.5 + confidence / 2.0),
        Err(_) => f64::INFINITY,
    }
}

/// How likely a mean this far from 0 would be if the true one were 0: Student's test, two-sided.
/// `None` for fewer than two values, or if they are all equal.
pub fn student_p(estimate: &Estimate) -> Option<f64> {
    let error = estimate.error.filter(|&error| error > 0.0)?;
    let t = StudentsT::new(0.0, 1.0, (estimate.units - 1) as f64).ok()?;
    Some(2.0 * t.cdf(-(estimate.value / error).abs()))
}

/// The mean of some values with Student's intervals; `None` without values. One value alone has
/// an unbounded interval; equal values have one without width, marked [`Estimate::all_equal`].
pub fn mean(values: &[f64]) -> Option<Estimate> {
    let mut moments = Moments::default();
    values.iter().for_each(|v| moments.add(*v));
    estimate(&moments, values.windows(2).all(|w| w[0] == w[1]))
}

pub(super) fn estimate(moments: &Moments, all_equal: bool) -> Option<Estimate> {
    if moments.units == 0 {
        return None;
    }
    let error = moments.error().map(|e| if all_equal { 0.0 } else { e });
    let bounds = |confidence| match error {
        None => Bounds::UNBOUNDED,
        Some(error) => {
            let half = student(moments.units - 1, confidence) * error;
            Bounds { low: moments.mean - half, high: moments.mean + half }
        }
    };
    Some(Estimate {
        units: moments.units,
        value: moments.mean,
        at95: bounds(0.95),
        at99: bounds(0.99),
        error,
        all_equal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table that every textbook has.
    #[test]
    fn student_table() {
        for (freedom, at95, at99) in [
            (1, 12.706, 63.657),
            (2, 4.303, 9.925),
            (5, 2.571, 4.032),
            (9, 2.262, 3.250),
            (30, 2.042, 2.750),
            (120, 1.980, 2.617),
            (1_000_000, 1.960, 2.576),
        ] {
            assert!((student(freedom, 0.95) - at95).abs() < 6e-4, "{freedom}");
            assert!((student(freedom, 0.99) - at99).abs() < 6e-4, "{freedom}");
        }
    }

    /// Student's own data of 1908 (Biometrika 6:1, Cushny and Peebles): the difference of two
    /// soporifics on ten patients, mean 1.58, standard deviation 1.23 with n − 1, t = 4.06.
    #[test]
    fn students_sleep() {
        let gain = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let e = mean(&gain).unwrap();
        assert!((e.value - 1.58).abs() < 1e-12);
        assert!((e.value / e.error.unwrap() - 4.0621).abs() < 1e-4);
        assert!((e.at95.low - 0.7001).abs() < 1e-4 && (e.at95.high - 2.4599).abs() < 1e-4);
        // t at 99% with 9 degrees of freedom is 3.2498.
        assert!((e.at99.low - 0.3159).abs() < 1e-3 && (e.at99.high - 2.8441).abs() < 1e-3);
    }

    #[test]
    fn degenerate_cases_are_defined() {
        assert_eq!(mean(&[]), None);
        let one = mean(&[3.0]).unwrap();
        assert!(one.value == 3.0 && one.at95 == Bounds::UNBOUNDED && one.error.is_none());
        let same = mean(&[0.1; 7]).unwrap();
        assert!(same.all_equal && same.at99.low == same.at99.high);
        assert!(!mean(&[0.1, 0.2]).unwrap().all_equal);
    }
}
