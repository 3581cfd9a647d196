//! Which action an episode tries next: the bandit rule at every node.

use std::sync::OnceLock;

/// The rule by which an episode selects among the actions of a node. Actions that were never tried
/// come first, in random order; `s` counts the tries of an action, `t` the visits of its node.
///
/// The bias of every rule is a factor that grows with `t` times a factor that shrinks with `s`, so
/// the latter is kept with the edge and selecting costs one multiplication per action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
    /// UCB1 (UCT paper, equations 1 and 2): mean + `c`·√(ln t / s). The paper's UCB1 has c = √2;
    /// the Klondike paper uses c = 1. Where rewards are not within [0, 1], `c` must be multiplied
    /// by their range: by the horizon in Theorem 6, by 10 in section 3.2.
    Ucb1 {
        /// The factor of the bias.
        c: f64,
    },
    /// The bias of section 3.1 for deterministic games, which decays with depth d:
    /// mean + `c`·(ln t / s)^((D+d)/(2D+d)), where D is the estimated game length from the node on.
    /// The exponent grows from 1/2 at the root to 1 at the end of the game.
    DepthDecayed {
        /// The factor of the bias; 1 in the paper.
        c: f64,
        /// The estimated length of the game from the root.
        horizon: u32,
    },
    /// UCB1-Tuned (Auer, Cesa-Bianchi, Fischer 2002): mean + `c`·√(ln t / s · min(1/4, V)) with
    /// V = variance + √(2 ln t / s). For rewards within [0, 1]; has no proven regret bound.
    Tuned {
        /// The factor of the bias.
        c: f64,
    },
    /// Every action alike: vanilla Monte-Carlo planning (section 2.1).
    Uniform,
}

/// The two factors of a rule's bias, tabulated.
#[derive(Clone, Debug)]
pub(crate) struct Bias {
    rule: Selection,
    /// By depth (one row if the exponent is the same everywhere): c·(ln t)^p and s^−p. A row is
    /// made when an episode first comes so deep.
    rows: Vec<OnceLock<(Curve, Curve)>>,
}

impl Bias {
    pub(crate) fn new(rule: Selection) -> Self {
        let rows = match rule {
            Selection::Ucb1 { .. } => 1,
            Selection::DepthDecayed { horizon, .. } => horizon as usize + 1,
            Selection::Tuned { .. } | Selection::Uniform => 0,
        };
        Bias { rule, rows: vec![OnceLock::new(); rows] }
    }

    #[inline]
    fn row(&self, depth: u32) -> Option<&(Curve, Curve)> {
        let depth = (depth as usize).min(self.rows.len().wrapping_sub(1));
        self.rows.get(depth).map(|row| row.get_or_init(|| self.curves(depth)))
    }

    #[cold]
    fn curves(&self, depth: usize) -> (Curve, Curve) {
        let (c, p) = match self.rule {
            Selection::DepthDecayed { c, horizon } => {
                // With D = horizon − d left to play, (D+d)/(2D+d) = horizon/(2·horizon − d).
                let length = f64::from(horizon);
                (c, length / (2.0 * length - depth as f64))
            }
            Selection::Ucb1 { c } | Selection::Tuned { c } => (c, 0.5),
            Selection::Uniform => (0.0, 0.5),
        };
        (Curve::new(|t| c * t.ln().powf(p)), Curve::new(|s| s.powf(-p)))
    }

    /// The factor that grows with the visits of a node.
    #[inline]
    pub(crate) fn growth(&self, visits: u32, depth: u32) -> f32 {
        self.row(depth).map_or(0.0, |row| row.0.at(visits))
    }

    /// The factor that shrinks with the tries of an action.
    #[inline]
    pub(crate) fn spread(&self, tries: u32, depth: u32) -> f32 {
        self.row(depth).map_or(0.0, |row| row.1.at(tries))
    }
}

/// A smooth function of a count, looked up: exact (as a 32-bit float) below 2¹⁰, interpolated
/// above with a relative error below 2·10⁻⁵. Logarithms and powers would take a third of the time
/// of a search.
#[derive(Clone, Debug)]
struct Curve {
    exact: Box<[f32]>,
    /// Values at 2⁷ points per doubling from 2¹⁰ on.
    points: Box<[f32]>,
}

const EXACT_BITS: u32 = 10;
const POINT_BITS: u32 = 7;

impl Curve {
    fn new(f: impl Fn(f64) -> f64) -> Self {
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
    fn at(&self, n: u32) -> f32 {
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

/// The bias of UCB1-Tuned from an action's tries and variance.
#[inline]
pub(crate) fn tuned_bias(c: f64, ln_visits: f64, tries: f64, variance: f64) -> f64 {
    let ratio = ln_visits / tries;
    c * (ratio * (variance + (2.0 * ratio).sqrt()).min(0.25)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bias(rule: Selection, visits: u32, tries: u32, depth: u32) -> f64 {
        let bias = Bias::new(rule);
        f64::from(bias.growth(visits, depth)) * f64::from(bias.spread(tries, depth))
    }

    #[test]
    fn ucb1_is_equation_2_of_the_paper() {
        for (t, s) in [(2, 1), (100, 7), (1023, 1023), (1024, 3), (5_000_000, 70_000)] {
            let expected = (2.0 * f64::from(t).ln() / f64::from(s)).sqrt();
            let got = bias(Selection::Ucb1 { c: 2f64.sqrt() }, t, s, 3);
            assert!((got / expected - 1.0).abs() < 4e-5, "{t} {s}: {got} {expected}");
        }
    }

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

    #[test]
    fn the_depth_decayed_exponent_goes_from_a_half_to_one() {
        let rule = Selection::DepthDecayed { c: 1.0, horizon: 20 };
        for depth in [0, 1, 10, 19, 20] {
            let left = f64::from(20 - depth);
            let d = f64::from(depth);
            let expected = (900f64.ln() / 40.0).powf((left + d) / (2.0 * left + d));
            let got = bias(rule, 900, 40, depth);
            assert!((got / expected - 1.0).abs() < 4e-5, "{depth}: {got} {expected}");
        }
        // Beyond the estimated end the exponent stays at 1.
        assert_eq!(bias(rule, 900, 40, 20), bias(rule, 900, 40, 33));
    }

    #[test]
    fn tuned_never_exceeds_the_variance_of_a_coin() {
        assert_eq!(tuned_bias(1.0, 4.0, 2.0, 0.9), (2.0f64 * 0.25).sqrt());
        let quiet = tuned_bias(1.0, 4.0, 4000.0, 0.01);
        assert!((quiet - (0.001f64 * (0.01 + 0.002f64.sqrt())).sqrt()).abs() < 1e-12);
    }
}
