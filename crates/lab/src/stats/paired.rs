//! Differences between two arms on the same units.

use super::{Estimate, Moments, mean};

/// The mean of `a − b` over the units that both have, with Student's intervals. Units that share
/// their deal vary together, so this is sharper than comparing two means. Both must be in the
/// order of units; `None` if they have no unit in common.
pub fn paired(a: &[(u64, f64)], b: &[(u64, f64)]) -> Option<Estimate> {
    let mut moments = Moments::default();
    let (mut i, mut j) = (0, 0);
    let mut first = None;
    let mut all_equal = true;
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                let difference = a[i].1 - b[j].1;
                all_equal &= *first.get_or_insert(difference) == difference;
                moments.add(difference);
                i += 1;
                j += 1;
            }
        }
    }
    mean::estimate(&moments, all_equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two columns of Student's data; see the test of means for the source.
    #[test]
    fn students_sleep() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let numbered = |v: &[f64]| (0..).zip(v.iter().copied()).collect::<Vec<_>>();
        let e = paired(&numbered(&second), &numbered(&first)).unwrap();
        assert!((e.value - 1.58).abs() < 1e-12);
        assert!((e.at95.low - 0.7001).abs() < 1e-4 && (e.at95.high - 2.4599).abs() < 1e-4);
        // t = 4.0621 with 9 degrees of freedom.
        assert!((super::mean::student_p(&e).unwrap() - 0.002833).abs() < 1e-6);
    }

    #[test]
    fn only_common_units_count() {
        let a = [(0, 5.0), (2, 1.0), (3, 2.0), (9, 7.0)];
        let b = [(1, 0.0), (2, 0.0), (3, 0.0)];
        let e = paired(&a, &b).unwrap();
        assert!(e.units == 2 && e.value == 1.5);
        assert_eq!(paired(&a, &[]), None);
        assert!(paired(&a, &a).unwrap().all_equal);
    }
}
