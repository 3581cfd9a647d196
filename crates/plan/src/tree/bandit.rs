//! Which action an episode tries next: the bandit at every node.

use std::sync::OnceLock;

use patience_model::Rng;

use super::arena::{Arena, Edge};
use super::curve::Curve;

/// The rule by which an episode selects among the actions of a node. Actions that were never tried
/// come first; `s` counts the tries of an action, `t` the visits of its node.
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

impl Selection {
    /// The factor of the bias, and the power of ln t / s at a depth.
    fn bias(self, depth: f64) -> (f64, f64) {
        match self {
            Selection::DepthDecayed { c, horizon } => {
                // With D = horizon − d left to play, (D+d)/(2D+d) = horizon/(2·horizon − d).
                let length = f64::from(horizon);
                (c, length / (2.0 * length - depth))
            }
            Selection::Ucb1 { c } | Selection::Tuned { c } => (c, 0.5),
            Selection::Uniform => (0.0, 0.5),
        }
    }
}

/// The bias of UCB1 from the logarithm of a node's visits and an action's tries.
#[inline]
pub fn ucb1_bias(c: f64, ln_visits: f64, tries: f64) -> f64 {
    c * (ln_visits / tries).sqrt()
}

/// The bias of UCB1-Tuned, which wants the variance of an action's values too.
#[inline]
pub fn tuned_bias(c: f64, ln_visits: f64, tries: f64, variance: f64) -> f64 {
    let ratio = ln_visits / tries;
    c * (ratio * (variance + (2.0 * ratio).sqrt()).min(0.25)).sqrt()
}

/// In which order the actions of a node are tried for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untried {
    /// At random.
    Random,
    /// As the game lists them.
    InOrder,
}

/// A rule, ready to select.
///
/// But for UCB1-Tuned a bias is a factor that grows with `t` times one that shrinks with `s`: both
/// are tabulated, the latter is kept with the edge, and selecting costs one multiplication per
/// action.
#[derive(Clone, Debug)]
pub struct Bandit {
    rule: Selection,
    untried: Untried,
    /// Of results, where the rule wants them within [0, 1].
    range: f64,
    /// By depth (one row if the exponent is the same everywhere): c·(ln t)^p and s^−p. A row is
    /// made when an episode first comes so deep.
    rows: Vec<OnceLock<(Curve, Curve)>>,
}

impl Bandit {
    /// A bandit with this rule.
    pub fn new(rule: Selection) -> Self {
        let rows = match rule {
            Selection::Ucb1 { .. } => 1,
            Selection::DepthDecayed { horizon, .. } => horizon as usize + 1,
            Selection::Tuned { .. } | Selection::Uniform => 0,
        };
        Bandit { rule, untried: Untried::Random, range: 1.0, rows: vec![OnceLock::new(); rows] }
    }

    /// UCB1-Tuned for results that are so far apart at most, with this order of first tries.
    pub fn tuned(c: f64, range: f64, untried: Untried) -> Self {
        Bandit { range, untried, ..Bandit::new(Selection::Tuned { c }) }
    }

    /// Whether it selects by the deviations of edges.
    #[inline]
    pub fn wants_deviations(&self) -> bool {
        matches!(self.rule, Selection::Tuned { .. })
    }

    #[inline]
    fn row(&self, depth: u32) -> Option<&(Curve, Curve)> {
        let depth = (depth as usize).min(self.rows.len().wrapping_sub(1));
        self.rows.get(depth).map(|row| row.get_or_init(|| self.curves(depth)))
    }

    #[cold]
    fn curves(&self, depth: usize) -> (Curve, Curve) {
        let (c, p) = self.rule.bias(depth as f64);
        (Curve::new(|t| c * t.ln().powf(p)), Curve::new(|s| s.powf(-p)))
    }

    /// Selects an edge of an expanded node, which has some; the visit for which it does is counted.
    #[inline]
    pub fn select<E>(&self, tree: &mut Arena<E>, node: u32, depth: u32, rng: &mut Rng) -> u32 {
        let here = tree.nodes[node as usize];
        if self.rule == Selection::Uniform {
            let offset = rng.below(u64::from(here.len())) as u32;
            return if offset < here.tried {
                here.first + offset
            } else {
                tree.try_edge(node, offset)
            };
        }
        if here.tried < here.len() {
            let offset = match self.untried {
                Untried::Random => rng.below(u64::from(here.len() - here.tried)) as u32,
                Untried::InOrder => 0,
            };
            return tree.try_edge(node, here.tried + offset);
        }
        let visits = here.visits - 1;
        // The opponent wants small values: section 3.1's negamax-style selection.
        let sign = if here.minimising() { -1.0 } else { 1.0 };
        let edges = &tree.edges[here.tried_edges()];
        let mut best = (f64::NEG_INFINITY, 0);
        if let Selection::Tuned { c } = self.rule {
            let ln_visits = f64::from(visits).ln();
            let (c, unit) = (c * self.range, 1.0 / (self.range * self.range));
            let deviations = &tree.deviations[here.tried_edges()];
            for (i, (edge, deviation)) in edges.iter().zip(deviations).enumerate() {
                let tries = f64::from(edge.visits);
                let bias = tuned_bias(c, ln_visits, tries, deviation * unit / tries);
                let score = sign * edge.mean + bias;
                if score > best.0 {
                    best = (score, i);
                }
            }
        } else {
            let growth = self.row(depth).map_or(0.0, |row| row.0.at(visits));
            for (i, edge) in edges.iter().enumerate() {
                let score = sign * edge.mean + f64::from(growth * edge.spread);
                if score > best.0 {
                    best = (score, i);
                }
            }
        }
        here.first + best.1 as u32
    }

    /// What is added to the value of a tried edge when its node is next selected from; `None` where the
    /// rule adds nothing. For those who look: selecting uses tables.
    pub fn bonus<E>(&self, tree: &Arena<E>, node: u32, edge: usize, depth: u32) -> Option<f64> {
        let ln_visits = f64::from(tree.nodes[node as usize].visits.max(1)).ln();
        let tries = f64::from(tree.edges[edge].visits.max(1));
        match self.rule {
            Selection::Uniform => None,
            Selection::Tuned { c } => {
                let unit = 1.0 / (self.range * self.range);
                let variance = tree.deviations.get(edge).copied().unwrap_or(0.0) * unit / tries;
                Some(tuned_bias(c * self.range, ln_visits, tries, variance))
            }
            Selection::Ucb1 { .. } | Selection::DepthDecayed { .. } => {
                let deepest = self.rows.len().saturating_sub(1) as f64;
                let (c, power) = self.rule.bias(f64::from(depth).min(deepest));
                Some(c * (ln_visits / tries).powf(power))
            }
        }
    }

    /// Keeps with an edge what its bias shrinks to by its visits.
    #[inline]
    pub fn note<E>(&self, edge: &mut Edge<E>, depth: u32) {
        edge.spread = self.row(depth).map_or(0.0, |row| row.1.at(edge.visits));
    }
}

#[cfg(test)]
mod tests {
    use super::super::arena::ROOT;
    use super::*;

    fn bias(rule: Selection, visits: u32, tries: u32, depth: u32) -> f64 {
        let bandit = Bandit::new(rule);
        let (growth, spread) = bandit.row(depth).unwrap();
        f64::from(growth.at(visits)) * f64::from(spread.at(tries))
    }

    #[test]
    fn ucb1_is_equation_2_of_the_paper() {
        for (t, s) in [(2, 1), (100, 7), (1023, 1023), (1024, 3), (5_000_000, 70_000)] {
            let expected = (2.0 * f64::from(t).ln() / f64::from(s)).sqrt();
            let exact = ucb1_bias(2f64.sqrt(), f64::from(t).ln(), f64::from(s));
            assert!((exact / expected - 1.0).abs() < 1e-12, "{t} {s}: {exact} {expected}");
            let got = bias(Selection::Ucb1 { c: 2f64.sqrt() }, t, s, 3);
            assert!((got / expected - 1.0).abs() < 4e-5, "{t} {s}: {got} {expected}");
        }
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

    /// The action that is chosen after these results of actions 0 and 1, both multiplied by `range`.
    fn chosen(results: [&[f64]; 2], c: f64, range: f64) -> u8 {
        let bandit = Bandit::tuned(c, range, Untried::InOrder);
        let (mut tree, mut rng, mut edge) = (Arena::default(), Rng::new(0), 0);
        tree.add_node();
        tree.expand(ROOT, [0_u8, 1].into_iter(), false);
        tree.keep_deviations();
        for results in results {
            for (place, result) in results.iter().enumerate() {
                tree.visit(ROOT);
                if place == 0 {
                    edge = bandit.select(&mut tree, ROOT, 0, &mut rng);
                }
                tree.add(edge, result * range);
            }
        }
        tree.visit(ROOT);
        edge = bandit.select(&mut tree, ROOT, 0, &mut rng);
        tree.edges[edge as usize].own
    }

    /// n = 6, ln n = 1.79176. Action 0: mean 0.5, 1.79176 / 2 = 0.89588, V = 0.09 + 1.33857, so
    /// 1/4 counts: 0.5 + C √(0.89588 / 4) = 0.5 + 0.47325 C. Action 1: mean 0.6, 1.79176 / 4 =
    /// 0.44794, V = 0.94651: 0.6 + 0.33464 C. They are equal at C = 0.1 / 0.13861 = 0.7214; with
    /// 2 ln n in front it would be 0.5101.
    #[test]
    fn few_visits_are_weighed_as_worked_out_by_hand() {
        let results: [&[f64]; 2] = [&[0.2, 0.8], &[0.6; 4]];
        for range in [1.0, 1000.0] {
            assert_eq!(chosen(results, 0.720, range), 1);
            assert_eq!(chosen(results, 0.723, range), 0);
        }
    }

    /// n = 2000, ln n = 7.60090, over 1000 visits 0.0076009. Action 0 always brings the same: V =
    /// √(2 · 0.0076009) = 0.12330, bonus √(0.0076009 · 0.12330) = 0.03061. Action 1 brings 0 or 1:
    /// V is above 1/4, bonus √(0.0076009 / 4) = 0.04359. The difference is 0.01298.
    #[test]
    fn what_varies_is_explored_more() {
        let varied: Vec<f64> = (0..1000).map(|n| f64::from(n % 2)).collect();
        for range in [1.0, 1000.0] {
            assert_eq!(chosen([&[0.5129; 1000], &varied], 1.0, range), 1);
            assert_eq!(chosen([&[0.5131; 1000], &varied], 1.0, range), 0);
        }
    }
}
