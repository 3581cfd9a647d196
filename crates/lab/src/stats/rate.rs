//! Means of fractions: how often, per unit, something happened in several runs.

use super::{Estimate, mean, wilson_mean};

/// The mean of fractions from 0 to 1 with Wilson's intervals for as many units; `None` without
/// values.
///
/// Student's interval would be too narrow where nearly all units are 0: one unlucky tree among two
/// hundred says little about how many such trees there are.
pub fn rate(values: &[f64]) -> Option<Estimate> {
    let plain = mean(values)?;
    let bounds = |confidence| wilson_mean(plain.value, plain.units, confidence);
    Some(Estimate { at95: bounds(0.95), at99: bounds(0.99), ..plain })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{proportion, wilson};

    #[test]
    fn zeros_and_ones_are_a_proportion() {
        let values = [0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        let (a, b) = (rate(&values).unwrap().at95, proportion(&values).unwrap().at95);
        assert!((a.low - b.low).abs() < 1e-12 && (a.high - b.high).abs() < 1e-12, "{a:?} {b:?}");
        assert_eq!(rate(&[]), None);
    }

    #[test]
    fn nothing_seen_is_not_nothing_there() {
        let e = rate(&[0.0; 200]).unwrap();
        assert!(e.value == 0.0 && e.at95 == wilson(0, 200, 0.95) && e.at95.high > 0.018);
        assert!(rate(&[1.0; 200]).unwrap().at95.low < 0.982);
    }

    #[test]
    fn one_unlucky_unit_does_not_narrow_what_is_known() {
        let mut values = [0.0; 200];
        let none = rate(&values).unwrap().at95.high;
        values[7] = 0.1;
        assert!(rate(&values).unwrap().at95.high > none);
    }
}
