//! Functions of counts, looked up: logarithms and powers would take a third of the time of a search.

/// A smooth function of a count, looked up: exact (as a 32-bit float) below 2¹⁰, interpolated
/// above with a relative error below 2·10⁻⁵.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    exact: Box<[f32]>,
    /// Values at 2⁷ points per doubling from 2¹⁰ on.
    points: Box<[f32]>,
}

const EXACT_BITS: u32 = 10;
const POINT_BITS: u32 = 7;

impl Curve {
    pub(super) fn new(f: impl Fn(f64) -> f64) -> Self {
        let per_octave = 1 << POINT_BITS;
        let points = (0..=(32 - EXACT_BITS) * per_octave).map(|i| {
            let (octave, part) = (EXACT_BITS + i / per_octave, i % per_octave);
            f((1.0 + f64::from(part) / f64::from(per_octave)) * 2f64.powi(octave as i32)) as f32
        });
        Curve {
            exact: (0..1 << EXACT_BITS).map(|n: u32| f(f64::from(n.max(1))) as f32).collect(),
            points: points.collect(),
        }
    }

    #[inline]
    pub(super) fn at(&self, n: u32) -> f32 {
        if let Some(&value) = self.exact.get(n as usize) {
            return value;
        }
        let octave = 31 - n.leading_zeros();
        let below = octave - POINT_BITS;
        // The leading bit of n >> below counts one octave too many.
        let point =
            ((n >> below) + ((octave - EXACT_BITS) << POINT_BITS)) as usize - (1 << POINT_BITS);
        let part = (n & ((1 << below) - 1)) as f32 / (1u32 << below) as f32;
        let (left, right) = (self.points[point], self.points[point + 1]);
        left + (right - left) * part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_within_its_error_everywhere() {
        let f = |n: f64| n.powf(-1.0);
        let curve = Curve::new(f);
        for n in (1..5000).chain((12..32).flat_map(|k| [1u32 << k, (1 << k) - 1, 3 << (k - 2)])) {
            let error = f64::from(curve.at(n)) / f(f64::from(n)) - 1.0;
            assert!(error.abs() < 2e-5, "{n}: {error}");
        }
        assert!(curve.at(u32::MAX) > 0.0);
    }
}
