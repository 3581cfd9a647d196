//! Which action an episode tries next: the bandit at every node.

use std::sync::OnceLock;

use patience_model::Rng;

use super::arena::{Arena, Edge};
use super::curve::Curve;
use super::rules::{At, Seen, Selection, tuned_bias};

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
/// A tabulated bias is a factor that grows with `t` times one that shrinks with `s`: the latter is
/// kept with the edge, and selecting costs one multiplication per action.
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
            Selection::DepthDecayed { horizon, .. } => horizon as usize + 1,
            _ => usize::from(rule.is_tabled()),
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
        self.rule.wants_variance()
    }

    #[inline]
    fn row(&self, depth: u32) -> Option<&(Curve, Curve)> {
        let depth = (depth as usize).min(self.rows.len().wrapping_sub(1));
        self.rows.get(depth).map(|row| row.get_or_init(|| self.curves(depth)))
    }

    #[cold]
    fn curves(&self, depth: usize) -> (Curve, Curve) {
        let (rule, depth) = (self.rule, depth as f64);
        let p = rule.power(depth).1;
        (Curve::new(|t| rule.growth(t, depth)), Curve::new(|s| s.powf(-p)))
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
        let sign = here.sign();
        let edges = &tree.edges[here.tried_edges()];
        let mut best = (f64::NEG_INFINITY, 0);
        if let Some((growth, _)) = self.row(depth) {
            let growth = growth.at(visits);
            for (i, edge) in edges.iter().enumerate() {
                let score = sign * edge.mean + f64::from(growth * edge.spread);
                if score > best.0 {
                    best = (score, i);
                }
            }
        } else if let Selection::Tuned { c } = self.rule {
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
            return self.scored(tree, node, depth, rng);
        }
        here.first + best.1 as u32
    }

    /// What is added to the value of a tried edge when its node is next selected from; `None` where the
    /// rule adds nothing, or draws at random. For those who look: selecting uses tables.
    pub fn bonus<E>(&self, tree: &Arena<E>, node: u32, edge: usize, depth: u32) -> Option<f64> {
        let here = &tree.nodes[node as usize];
        let at = At::new(self.rule, here.visits.max(1), depth, here.sign());
        let tries = f64::from(tree.edges[edge].visits.max(1));
        let variance = tree.deviations.get(edge).copied().unwrap_or(0.0) / tries;
        match self.rule {
            Selection::Uniform
            | Selection::Thompson { .. }
            | Selection::Boltzmann { .. }
            | Selection::Dents { .. }
            | Selection::Improved { .. } => None,
            Selection::Tuned { c } => {
                let unit = 1.0 / (self.range * self.range);
                let ln_visits = f64::from(here.visits.max(1)).ln();
                Some(tuned_bias(c * self.range, ln_visits, tries, variance * unit))
            }
            Selection::KlUcb { .. } => {
                let value = here.sign() * tree.edges[edge].mean;
                let seen = Seen { value, tries, variance, prior: 0.0 };
                Some(self.rule.score(&at, &seen, &mut Rng::new(0)) - value)
            }
            _ => {
                let prior = tree.prior(edge).unwrap_or(1.0 / f64::from(here.len().max(1)));
                let seen = Seen { value: 0.0, tries, variance, prior };
                // None of these rules draws.
                Some(self.rule.score(&at, &seen, &mut Rng::new(0)))
            }
        }
    }

    /// Selects by a rule without a table among edges that were all tried.
    #[cold]
    fn scored<E>(&self, tree: &Arena<E>, node: u32, depth: u32, rng: &mut Rng) -> u32 {
        let here = tree.nodes[node as usize];
        let sign = here.sign();
        let at = At::new(self.rule, here.visits - 1, depth, sign);
        let prior = 1.0 / f64::from(here.len());
        let score = |edge: usize, rng: &mut Rng| {
            let (known, tries) = (&tree.edges[edge], f64::from(tree.edges[edge].visits));
            let variance = tree.deviations.get(edge).map_or(0.0, |sum| sum / tries);
            self.rule.score(&at, &Seen { value: sign * known.mean, tries, variance, prior }, rng)
        };
        if let Some(share) = self.rule.uniform_share(at.visits())
            && rng.chance(share)
        {
            return here.first + rng.below(u64::from(here.len())) as u32;
        }
        let mut best = (f64::NEG_INFINITY, here.first);
        for edge in here.tried_edges() {
            let score = score(edge, rng);
            if score > best.0 {
                best = (score, edge as u32);
            }
        }
        best.1
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
    use super::super::rules::ucb1_bias;
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
