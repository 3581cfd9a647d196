//! Boltzmann exploration: better actions more often, none never.

use patience_model::Rng;

/// Draws an index with probability proportional to exp(value / temperature).
///
/// Values go in best-is-largest; an infinite temperature makes all alike. `weights` is a buffer.
/// Where a value is not a number the last index may be drawn.
pub(crate) fn boltzmann(
    values: &[f64],
    temperature: f64,
    weights: &mut Vec<f64>,
    rng: &mut Rng,
) -> usize {
    // Relative to the largest value no exponent overflows, and the sum is at least 1.
    let top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    weights.clear();
    weights.extend(values.iter().map(|value| ((value - top) / temperature).exp()));
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    for (i, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return i;
        }
    }
    values.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frequencies(values: &[f64], temperature: f64) -> Vec<f64> {
        let mut rng = Rng::new(5);
        let mut counts = vec![0.0; values.len()];
        for _ in 0..20_000 {
            counts[boltzmann(values, temperature, &mut Vec::new(), &mut rng)] += 1.0;
        }
        counts.iter().map(|n| n / 20_000.0).collect()
    }

    #[test]
    fn probabilities_follow_the_exponential() {
        // exp(ln 6) : exp(ln 3) : exp(0) = 6 : 3 : 1
        let f = frequencies(&[1000.0 + 6f64.ln(), 1000.0 + 3f64.ln(), 1000.0], 1.0);
        for (f, p) in f.iter().zip([0.6, 0.3, 0.1]) {
            assert!((f - p).abs() < 0.015, "{f} against {p}");
        }
    }

    #[test]
    fn extreme_temperatures_are_greedy_and_uniform() {
        assert_eq!(frequencies(&[0.0, 700.0, 3.0], 1e-9), [0.0, 1.0, 0.0]);
        let f = frequencies(&[0.0, 700.0], f64::INFINITY);
        assert!((f[0] - 0.5).abs() < 0.02, "{f:?}");
    }
}
