//! Intervals for proportions: Wilson's, and the exact one of Clopper and Pearson.

use statrs::distribution::{Beta, ContinuousCDF};

use super::{Bounds, Estimate, normal_quantile};

/// Wilson's score interval; [0, 1] without units.
pub fn wilson(successes: u64, units: u64, confidence: f64) -> Bounds {
    wilson_mean(successes as f64 / units.max(1) as f64, units, confidence)
}

/// Wilson's interval around a mean of values from 0 to 1. For other values than 0 and 1 it errs on
/// the wide side, because nothing in that range varies more than a coin with the same mean.
pub fn wilson_mean(mean: f64, units: u64, confidence: f64) -> Bounds {
    if units == 0 {
        return Bounds { low: 0.0, high: 1.0 };
    }
    let (n, z) = (units as f64, normal_quantile(confidence));
    let z2 = z * z;
    let centre = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let variance = (mean * (1.0 - mean)).max(0.0);
    let half = z / (1.0 + z2 / n) * (variance / n + z2 / (4.0 * n * n)).sqrt();
    // At 0 and at 1 the interval ends exactly there; rounding must not hide that.
    Bounds {
        low: if mean <= 0.0 { 0.0 } else { (centre - half).max(0.0) },
        high: if mean >= 1.0 { 1.0 } else { (centre + half).min(1.0) },
    }
}

/// The exact interval of Clopper and Pearson: its coverage is never below its confidence.
pub fn clopper_pearson(successes: u64, units: u64, confidence: f64) -> Bounds {
    let tail = (1.0 - confidence) / 2.0;
    let (k, n) = (successes as f64, units as f64);
    let quantile = |a: f64, b: f64, p: f64| Beta::new(a, b).map(|beta| beta.inverse_cdf(p));
    Bounds {
        low: if successes == 0 { 0.0 } else { quantile(k, n - k + 1.0, tail).unwrap_or(0.0) },
        high: if successes >= units {
            1.0
        } else {
            quantile(k + 1.0, n - k, 1.0 - tail).unwrap_or(1.0)
        },
    }
}

/// The proportion of ones among values of 0 and 1, with Wilson's intervals; `None` without
/// values, or if one is neither 0 nor 1.
pub fn proportion(values: &[f64]) -> Option<Estimate> {
    if values.is_empty() || values.iter().any(|v| *v != 0.0 && *v != 1.0) {
        return None;
    }
    let units = values.len() as u64;
    let successes = values.iter().filter(|v| **v == 1.0).count() as u64;
    let value = successes as f64 / units as f64;
    Some(Estimate {
        units,
        value,
        at95: wilson(successes, units, 0.95),
        at99: wilson(successes, units, 0.99),
        error: (units > 1).then(|| (value * (1.0 - value) / units as f64).sqrt()),
        all_equal: successes == 0 || successes == units,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(bounds: Bounds, low: f64, high: f64, by: f64) {
        assert!(
            (bounds.low - low).abs() < by && (bounds.high - high).abs() < by,
            "{bounds:?} is not [{low}, {high}]"
        );
    }

    /// Newcombe 1998 (Statistics in Medicine 17:857), table I, methods 3 and 5.
    #[test]
    fn newcombe_table_one() {
        near(wilson(81, 263, 0.95), 0.2553, 0.3662, 5e-5);
        near(wilson(15, 148, 0.95), 0.0624, 0.1605, 5e-5);
        near(wilson(0, 20, 0.95), 0.0, 0.1611, 5e-5);
        near(wilson(1, 29, 0.95), 0.0061, 0.1718, 5e-5);
        near(clopper_pearson(81, 263, 0.95), 0.2527, 0.3676, 5e-5);
        near(clopper_pearson(15, 148, 0.95), 0.0578, 0.1617, 5e-5);
        near(clopper_pearson(0, 20, 0.95), 0.0, 0.1684, 5e-5);
        near(clopper_pearson(1, 29, 0.95), 0.0009, 0.1776, 5e-5);
    }

    /// With no success the exact upper end is 1 − (α/2)^(1/n) in closed form.
    #[test]
    fn closed_form_at_the_ends() {
        for n in [1u64, 2, 10, 1000] {
            for confidence in [0.95, 0.99] {
                let high = 1.0 - ((1.0 - confidence) / 2.0_f64).powf(1.0 / n as f64);
                near(clopper_pearson(0, n, confidence), 0.0, high, 1e-9);
                near(clopper_pearson(n, n, confidence), 1.0 - high, 1.0, 1e-9);
            }
        }
    }

    #[test]
    fn degenerate_cases_are_defined() {
        assert_eq!(wilson(0, 0, 0.95), Bounds { low: 0.0, high: 1.0 });
        assert_eq!(clopper_pearson(0, 0, 0.95), Bounds { low: 0.0, high: 1.0 });
        assert_eq!(wilson(5, 5, 0.99).high, 1.0);
        assert_eq!(proportion(&[]), None);
        assert_eq!(proportion(&[0.0, 0.5]), None);
        let one = proportion(&[1.0]).unwrap();
        assert!(one.value == 1.0 && one.error.is_none() && one.at95.low > 0.0);
    }

    #[test]
    fn wider_at_99_and_exact_is_wider_than_wilson_in_the_middle() {
        let (a, b) = (wilson(40, 100, 0.95), wilson(40, 100, 0.99));
        assert!(b.low < a.low && a.high < b.high);
        let c = clopper_pearson(40, 100, 0.95);
        assert!(c.low < a.low && a.high < c.high);
    }
}
