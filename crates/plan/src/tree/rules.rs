//! The rules of selection as formulas: what an action scores.
//!
//! The bandit tabulates the rules that are a factor of the visits times one of the tries; a search
//! with priors, shared statistics or bounds asks for scores one by one. Rules that draw at random are
//! scores too: an action with the highest of value + temperature·Gumbel noise is one drawn in
//! proportion to exp(value/temperature) (Gumbel 1954), so every rule is "take the highest".

use std::sync::LazyLock;

use patience_model::Rng;

/// The rule by which an episode selects among the actions of a node. Unless a rule says otherwise,
/// actions that were never tried come first; `s` counts the tries of an action, `t` the visits of its
/// node.
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
    /// The polynomial bonus of Shah, Xie and Xu (2020, 2022): mean + `c`·t^¼/s^½. With it, and `c`
    /// large enough for the depth, the bias of the root's value is O(n^−½): the one rule here whose
    /// convergence in a tree is proven without the gap of the logarithmic bonus.
    Polynomial {
        /// The factor of the bonus.
        c: f64,
    },
    /// UCB1-Tuned (Auer, Cesa-Bianchi, Fischer 2002): mean + `c`·√(ln t / s · min(1/4, V)) with
    /// V = variance + √(2 ln t / s). For rewards within [0, 1]; has no proven regret bound.
    Tuned {
        /// The factor of the bias.
        c: f64,
    },
    /// UCB-V (Audibert, Munos and Szepesvári 2009): mean + √(2·`c`·V·ln t / s) + 3·`c`·b·ln t / s with
    /// the variance V and the range b. Logarithmic regret for a stationary bandit with `c` above 1,
    /// smaller than UCB1's where values vary little.
    UcbV {
        /// The factor ζ of ln t.
        c: f64,
        /// How far apart the sums of rewards can be.
        range: f64,
    },
    /// Thompson sampling with Gaussian posteriors (Agrawal and Goyal 2013): an action is taken with
    /// the probability that it is the best, drawn as mean + `c`·N(0, 1)/√(s + 1). Near-optimal regret
    /// for a stationary bandit with values within [0, `c`].
    Thompson {
        /// The standard deviation before the first try.
        c: f64,
    },
    /// PUCT of AlphaZero (Silver et al. 2018, after Rosin 2011): mean + `c`·P·√t/(1 + s) with the prior
    /// P. An action that was never tried has the mean of its node. No guarantee without priors above 0.
    Puct {
        /// The factor of the bonus.
        c: f64,
    },
    /// Boltzmann search (Painter et al. 2023): an action is drawn in proportion to
    /// exp(value/temperature), and with probability min(1, ε/ln(e + t)) each alike. With max backup it
    /// is BTS, whose simple regret falls exponentially; with softmax backup MENTS (Xiao et al. 2019),
    /// which converges to the optimum of rewards plus entropy instead.
    Boltzmann {
        /// In units of reward.
        temperature: f64,
        /// The share of uniform draws, which falls with the logarithm of visits.
        epsilon: f64,
    },
    /// Boltzmann search with decaying entropy, DENTS (Painter et al. 2023): as for Boltzmann, but values
    /// have β(t) times the entropy of the search below them added, with β(t) = `entropy`/ln(e + t). What
    /// is told upwards has no entropy in it, and what is added goes to 0: the simple regret falls
    /// exponentially, as that of BTS does, which it is with an `entropy` of 0.
    Dents {
        /// In units of reward.
        temperature: f64,
        /// The share of uniform draws, which falls with the logarithm of visits.
        epsilon: f64,
        /// The weight of entropy before the first visit, in units of reward per nat.
        entropy: f64,
    },
    /// KL-UCB for bounded values (Garivier and Cappé 2011): the largest q with s·kl(mean, q) ≤ `c`·ln t,
    /// where kl is the divergence of two coins and values are shares of the way from `low` to `high`.
    /// With c = 1 its regret in a stationary bandit is never above that of UCB1, and for coins the least
    /// possible as t grows; the more so the nearer means are to the ends of the range.
    KlUcb {
        /// The factor of ln t.
        c: f64,
        /// The least that the rewards to come can sum to.
        low: f64,
        /// The most that they can sum to.
        high: f64,
    },
    /// The improved policy of Gumbel AlphaZero (Danihelka et al. 2022, equation 14): the action that is
    /// furthest behind π′ = softmax(ln P + (50 + max s)·`scale`·q), with q scaled to [0, 1] and that of
    /// an untried action completed by the node's value. Deterministic; it improves on the prior policy
    /// in expectation if the values are right.
    Improved {
        /// The weight of values against priors; 0.1 in MuZero.
        scale: f64,
    },
    /// Every action alike: vanilla Monte-Carlo planning (section 2.1).
    Uniform,
}

/// What a rule sees of a node: worked out once for all of its actions.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Its visits before this one.
    visits: f64,
    /// Their logarithm.
    ln_visits: f64,
    /// What of the rule's bonus is the same for all actions.
    growth: f64,
    /// The power of an action's tries by which the bonus shrinks.
    power: f64,
    /// s^−½ for small s, where that is the power.
    roots: &'static [f64],
    /// 1, or −1 where the opponent moves.
    sign: f64,
}

impl At {
    /// What this rule sees of a node with so many visits before this one, so deep, of the player or (−1)
    /// the opponent.
    pub fn new(rule: Selection, visits: u32, depth: u32, sign: f64) -> Self {
        let visits = f64::from(visits);
        let ln_visits = if rule.wants_ln() { visits.max(1.0).ln() } else { 0.0 };
        let depth = f64::from(depth);
        let growth = match rule {
            Selection::Puct { .. } => visits.sqrt(),
            rule if rule.is_tabled() => rule.growth(visits, depth),
            _ => 0.0,
        };
        let power = rule.power(depth).1;
        let roots: &[f64] = if power == 0.5 { &ROOTS } else { &[] };
        At { visits, ln_visits, growth, power, roots, sign }
    }

    /// What an action scores that was tried so often, by a rule whose bonus is a factor of the visits times one
    /// of the tries.
    #[inline]
    pub(crate) fn tabled(&self, value: f64, tries: f64) -> f64 {
        // Tries are whole numbers.
        let shrunk = match self.roots.get(tries as usize) {
            Some(&root) => root,
            None => tries.powf(-self.power),
        };
        value + self.growth * shrunk
    }

    /// The node's visits before this one.
    pub fn visits(&self) -> f64 {
        self.visits
    }
}

/// What a rule sees of an action.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Its value in the eyes of the player to move; the urgency of one that was never tried.
    pub value: f64,
    /// Its tries.
    pub tries: f64,
    /// The variance of its values.
    pub variance: f64,
    /// How likely it seemed before the first try; those of a node sum to 1.
    pub prior: f64,
}

impl Selection {
    /// Whether it selects by variances.
    #[inline]
    pub fn wants_variance(self) -> bool {
        matches!(self, Selection::Tuned { .. } | Selection::UcbV { .. })
    }

    /// Whether a bias is a factor of the visits times one of the tries, and so can be tabulated.
    pub(crate) fn is_tabled(self) -> bool {
        use Selection::{DepthDecayed, Polynomial, Ucb1};
        matches!(self, Ucb1 { .. } | DepthDecayed { .. } | Polynomial { .. })
    }

    /// Whether the logarithm of a node's visits is in its scores.
    fn wants_ln(self) -> bool {
        matches!(self, Selection::Tuned { .. } | Selection::UcbV { .. } | Selection::KlUcb { .. })
    }

    /// How likely an action is drawn from all alike after so many visits, where that is so.
    pub(crate) fn uniform_share(self, visits: f64) -> Option<f64> {
        match self {
            Selection::Boltzmann { epsilon, .. } | Selection::Dents { epsilon, .. } => {
                Some(epsilon / (std::f64::consts::E + visits).ln())
            }
            _ => None,
        }
    }

    /// What a nat of entropy is worth after so many visits.
    pub(crate) fn entropy_weight(self, visits: f64) -> f64 {
        match self {
            Selection::Dents { entropy, .. } => entropy / (std::f64::consts::E + visits).ln(),
            _ => 0.0,
        }
    }

    /// The power of t or of ln t / s at a depth, and the factor.
    pub(super) fn power(self, depth: f64) -> (f64, f64) {
        match self {
            Selection::DepthDecayed { c, horizon } => {
                // With D = horizon − d left to play, (D+d)/(2D+d) = horizon/(2·horizon − d).
                let length = f64::from(horizon);
                (c, length / (2.0 * length - depth.min(length)))
            }
            Selection::Ucb1 { c } | Selection::Polynomial { c } => (c, 0.5),
            _ => (0.0, 0.5),
        }
    }

    /// What grows with the visits of a node in the bias of a tabulated rule.
    pub(super) fn growth(self, visits: f64, depth: f64) -> f64 {
        let (c, p) = self.power(depth);
        match self {
            Selection::Polynomial { .. } => c * visits.powf(0.25),
            _ => c * visits.ln().powf(p),
        }
    }

    /// What an action scores; the highest is taken. An action that was never tried scores its urgency
    /// where the bonus would be infinite.
    pub fn score(self, at: &At, seen: &Seen, rng: &mut Rng) -> f64 {
        let &Seen { value, tries, variance, prior } = seen;
        match self {
            Selection::Puct { c } => value + c * prior * at.growth / (1.0 + tries),
            Selection::Thompson { c } => value + c * normal(rng) / (tries + 1.0).sqrt(),
            Selection::Boltzmann { temperature, .. } | Selection::Dents { temperature, .. } => {
                value + temperature * gumbel(rng)
            }
            Selection::Uniform => rng.unit(),
            _ if tries == 0.0 => value,
            Selection::Tuned { c } => value + tuned_bias(c, at.ln_visits, tries, variance),
            Selection::KlUcb { c, low, high } => {
                let (base, width) = (if at.sign > 0.0 { low } else { -high }, high - low);
                base + width * kl_ucb((value - base) / width, c * at.ln_visits / tries)
            }
            Selection::UcbV { c, range } => {
                let ratio = c * at.ln_visits / tries;
                value + (2.0 * variance * ratio).sqrt() + 3.0 * range * ratio
            }
            _ => at.tabled(value, tries),
        }
    }
}

/// s^−½, looked up, because it is asked for every action of every node.
static ROOTS: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..4096_u32).map(|s| f64::from(s).powf(-0.5)).collect());

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

/// The divergence of a coin that shows 1 with probability `p` from one that does with `q`, both within
/// [0, 1].
fn kl(p: f64, q: f64) -> f64 {
    let term = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
    term(p, q) + term(1.0 - p, 1.0 - q)
}

/// The largest q within [0, 1] whose divergence from the mean is at most `budget`, by bisection. A mean
/// outside of [0, 1] counts as the end there.
fn kl_ucb(mean: f64, budget: f64) -> f64 {
    let mean = mean.clamp(0.0, 1.0);
    // By Pinsker's inequality the bound of UCB1 is above it.
    let (mut low, mut high) = (mean, (mean + (budget / 2.0).sqrt()).min(1.0));
    if kl(mean, high) <= budget {
        return high;
    }
    while high - low > 1e-9 {
        let middle = low.midpoint(high);
        if kl(mean, middle) <= budget { low = middle } else { high = middle }
    }
    low
}

/// A draw from the standard Gumbel distribution.
pub fn gumbel(rng: &mut Rng) -> f64 {
    -(-open_unit(rng).ln()).ln()
}

/// A draw from the standard normal distribution (Box and Muller 1958).
pub fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * open_unit(rng).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

/// A number within (0, 1].
fn open_unit(rng: &mut Rng) -> f64 {
    1.0 - rng.unit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(value: f64, tries: f64, variance: f64, prior: f64) -> Seen {
        Seen { value, tries, variance, prior }
    }

    fn score(rule: Selection, visits: u32, seen: Seen) -> f64 {
        rule.score(&At::new(rule, visits, 0, 1.0), &seen, &mut Rng::new(1))
    }

    /// By hand: 100 visits, 16 tries, value ½.
    #[test]
    fn scores_are_those_worked_out_by_hand() {
        let at = |rule| score(rule, 100, seen(0.5, 16.0, 0.09, 0.25));
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        let ln = 100f64.ln();
        near(at(Selection::Ucb1 { c: 2.0 }), 0.5 + 2.0 * (ln / 16.0).sqrt());
        near(at(Selection::Polynomial { c: 2.0 }), 0.5 + 2.0 * 100f64.sqrt().sqrt() / 4.0);
        near(at(Selection::Puct { c: 2.0 }), 0.5 + 2.0 * 0.25 * 10.0 / 17.0);
        let v = Selection::UcbV { c: 1.2, range: 1.0 };
        let ratio = 1.2 * ln / 16.0;
        near(at(v), 0.5 + (2.0 * 0.09 * ratio).sqrt() + 3.0 * ratio);
        near(at(Selection::DepthDecayed { c: 1.0, horizon: 4 }), 0.5 + (ln / 16.0).sqrt());
        // What was never tried scores its urgency, with its prior where there is one.
        near(score(Selection::Ucb1 { c: 2.0 }, 100, seen(0.3, 0.0, 0.0, 0.25)), 0.3);
        near(score(Selection::Puct { c: 2.0 }, 100, seen(0.3, 0.0, 0.0, 0.25)), 5.3);
    }

    /// A coin that never showed 1 in s tries: kl(0, q) = −ln(1 − q), so q = 1 − t^(−c/s). A coin that
    /// always did can have no more. In between what is found has the divergence that may be had, and
    /// lies below UCB1's bound.
    #[test]
    fn kl_ucb_is_the_largest_mean_that_is_not_refuted() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-8, "{a} {b}");
        let rule = Selection::KlUcb { c: 1.0, low: 0.0, high: 1.0 };
        near(score(rule, 100, seen(0.0, 16.0, 0.0, 0.0)), 1.0 - 100f64.powf(-1.0 / 16.0));
        near(score(rule, 100, seen(1.0, 16.0, 0.0, 0.0)), 1.0);
        for (mean, tries) in [(0.1, 3.0), (0.5, 16.0), (0.9, 70.0), (0.3, 99.0)] {
            let bound = score(rule, 100, seen(mean, tries, 0.0, 0.0));
            let found =
                mean * (mean / bound).ln() + (1.0 - mean) * ((1.0 - mean) / (1.0 - bound)).ln();
            assert!((tries * found - 100f64.ln()).abs() < 1e-5, "{found}");
            assert!(bound > mean && bound < mean + (100f64.ln() / (2.0 * tries)).sqrt());
        }
        // The same bound on a scale of another range; the opponent's values are turned.
        let scaled = Selection::KlUcb { c: 1.0, low: -30.0, high: 10.0 };
        let unit = score(rule, 100, seen(0.25, 16.0, 0.0, 0.0));
        near(score(scaled, 100, seen(-20.0, 16.0, 0.0, 0.0)), -30.0 + 40.0 * unit);
        let opponent = At::new(scaled, 100, 0, -1.0);
        let turned = scaled.score(&opponent, &seen(0.0, 16.0, 0.0, 0.0), &mut Rng::new(1));
        near(turned, -10.0 + 40.0 * unit);
    }

    #[test]
    fn the_highest_with_gumbel_noise_is_a_boltzmann_draw() {
        // exp(ln 6) : exp(ln 3) : exp(0) = 6 : 3 : 1, at temperature 2.
        let rule = Selection::Boltzmann { temperature: 2.0, epsilon: 0.0 };
        let values = [2.0 * 6f64.ln(), 2.0 * 3f64.ln(), 0.0];
        let (mut counts, mut rng, at) = ([0.0_f64; 3], Rng::new(7), At::new(rule, 9, 0, 1.0));
        for _ in 0..20_000 {
            let scores = values.map(|v| rule.score(&at, &seen(v, 1.0, 0.0, 0.0), &mut rng));
            counts[(0..3).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap()] += 1.0;
        }
        // Within four standard errors of a share of one half.
        for (count, share) in counts.iter().zip([0.6, 0.3, 0.1]) {
            assert!((count / 20_000.0 - share).abs() < 0.015, "{counts:?}");
        }
    }

    #[test]
    fn thompson_draws_have_the_posterior_mean_and_deviation() {
        let rule = Selection::Thompson { c: 3.0 };
        let (mut rng, at) = (Rng::new(3), At::new(rule, 9, 0, 1.0));
        let draws = (0..40_000).map(|_| rule.score(&at, &seen(1.0, 8.0, 0.0, 0.0), &mut rng));
        let (mut sum, mut squares) = (0.0, 0.0);
        for draw in draws {
            sum += draw;
            squares += (draw - 1.0) * (draw - 1.0);
        }
        assert!((sum / 40_000.0 - 1.0).abs() < 0.02, "{sum}");
        assert!((squares / 40_000.0 - 1.0).abs() < 0.03, "{squares}");
    }
}
