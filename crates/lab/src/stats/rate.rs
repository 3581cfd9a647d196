//! Means of fractions: how often, per unit, something happened in several runs.

use super::{Bounds, Estimate, clopper_pearson, mean};

/// The mean of fractions from 0 to 1 with Student's intervals, kept within [0, 1].
///
/// If all units have 0 Student's interval has no width, which would be more than is known. Then
/// the upper end is the exact bound on how many units could have anything else: a unit adds at
/// most 1 to the mean. The same for all at 1. `None` without values.
pub fn rate(values: &[f64]) -> Option<Estimate> {
    let plain = mean(values)?;
    let units = plain.units;
    let bounds = |student: Bounds, confidence: f64| {
        if plain.all_equal && plain.value == 0.0 {
            clopper_pearson(0, units, confidence)
        } else if plain.all_equal && plain.value == 1.0 {
            clopper_pearson(units, units, confidence)
        } else {
            Bounds { low: student.low.max(0.0), high: student.high.min(1.0) }
        }
    };
    Some(Estimate { at95: bounds(plain.at95, 0.95), at99: bounds(plain.at99, 0.99), ..plain })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_within_zero_and_one() {
        let e = rate(&[0.0, 0.0, 0.3]).unwrap();
        assert!(e.at95.low == 0.0 && e.at95.high < 1.0 && (e.value - 0.1).abs() < 1e-12);
        assert_eq!(rate(&[0.5]).unwrap().at95, Bounds { low: 0.0, high: 1.0 });
        assert_eq!(rate(&[]), None);
    }

    #[test]
    fn nothing_seen_is_not_nothing_there() {
        let e = rate(&[0.0; 200]).unwrap();
        assert!(e.value == 0.0 && e.at95.low == 0.0);
        assert!((e.at95.high - 0.018275).abs() < 1e-6, "{:?}", e.at95);
        assert!(rate(&[1.0; 200]).unwrap().at95.low < 1.0);
    }
}
