//! What an edge learns from an episode, and what a node backs up.

use rustc_hash::FxHashMap;

use super::arena::{Arena, Edge, NONE};
use crate::StandardError;

/// What a node backs up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backup {
    /// The mean of the episodes that went through it.
    Mean,
    /// The value of its best action (worst for the opponent).
    Max,
    /// The most that one of its actions is surely worth, its value less `range`/√tries, or the mean
    /// over all actions where that is more. Max believes in the luckiest of hundreds of actions that
    /// were tried a few times each, and then all that leads there looks alike.
    Cautious {
        /// How far apart the sums of rewards can be.
        range: f64,
    },
    /// The power mean of the actions' values, weighed by tries (Dam, Maillard and Kaufmann 2024, with
    /// the polynomial bonus): the mean for `p` = 1, the maximum as `p` grows. Values are shifted and
    /// turned so that they are not negative: what lies outside of the range counts as its end.
    Power {
        /// The exponent, from 1 on.
        p: f64,
        /// The least that the rewards to come can sum to.
        low: f64,
        /// The most that they can sum to.
        high: f64,
    },
    /// The soft maximum τ·ln Σ exp(value/τ) over the actions that were tried (MENTS, Xiao et al. 2019).
    /// It converges to the optimum of rewards plus τ times the policy's entropy, not of rewards.
    Softmax {
        /// The temperature τ, in units of reward.
        temperature: f64,
    },
    /// The best action, as for [`Max`](Backup::Max), whose outcomes are weighed by their true
    /// probabilities among those seen so far (partial Bellman backup, Keller and Helmert 2013). Where
    /// outcomes can be listed.
    Bellman,
}

impl Backup {
    /// Whether a node's value is made of those of its actions.
    #[inline]
    pub(crate) fn of_actions(self) -> bool {
        !matches!(self, Backup::Mean)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Backup::Mean => "mean",
            Backup::Max => "max",
            Backup::Cautious { .. } => "cautious",
            Backup::Power { .. } => "power",
            Backup::Softmax { .. } => "softmax",
            Backup::Bellman => "bellman",
        }
    }
}

/// Moves a mean of `count` values, the last of which is this one; gives what the sum of squared
/// deviations grows by (Welford 1962).
#[inline]
fn welford(mean: &mut f64, count: f64, value: f64) -> f64 {
    let distance = value - *mean;
    *mean += distance / count;
    distance * (value - *mean)
}

/// A mean that grows value by value, and the sum of squared deviations from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Average {
    /// How many values there were.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// The sum of squared deviations.
    pub deviation: f64,
}

impl Average {
    /// Takes in a value.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.deviation += welford(&mut self.mean, self.count as f64, value);
    }

    /// The mean, if there is one.
    pub fn value(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The standard error of the mean, as if the values were independent of one another.
    pub fn standard_error(&self) -> Option<StandardError> {
        let freedom = self.count.checked_sub(1).filter(|&freedom| freedom > 0)?;
        let variance = self.deviation.max(0.0) / freedom as f64;
        Some(StandardError { value: (variance / self.count as f64).sqrt(), freedom })
    }
}

impl<E> Arena<E> {
    /// Takes in what an episode that took an edge came to; gives the edge.
    #[inline]
    pub fn add(&mut self, edge: u32, value: f64) -> &mut Edge<E> {
        let known = &mut self.edges[edge as usize];
        known.visits = known.visits.saturating_add(1);
        let growth = welford(&mut known.mean, f64::from(known.visits), value);
        if let Some(deviation) = self.deviations.get_mut(edge as usize) {
            *deviation += growth;
        }
        known
    }

    /// The average of the episodes that took an edge.
    pub fn average(&self, edge: usize) -> Option<Average> {
        let (known, &deviation) = (&self.edges[edge], self.deviations.get(edge)?);
        Some(Average { count: u64::from(known.visits), mean: known.mean, deviation })
    }
}

/// What a backup of the actions' values keeps of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Backed {
    /// What its actions come to, or the mean of its evaluations as long as it has none.
    value: f64,
    /// The mean reward on the way into it.
    reward: f64,
    /// Its part in the sum of the edge above.
    part: f64,
}

/// A backup rule, and what it keeps by node where a node's value is made of its actions'.
#[derive(Clone, Debug)]
pub(crate) struct Backups {
    rule: Backup,
    nodes: Vec<Backed>,
}

impl Backups {
    pub(crate) fn new(rule: Backup) -> Self {
        Backups { rule, nodes: Vec::new() }
    }

    /// For a tree of nothing but a root.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Backed::default());
    }

    /// For a tree that has grown to so many nodes.
    #[inline]
    pub(crate) fn grow(&mut self, nodes: usize) {
        if self.rule.of_actions() {
            self.nodes.resize(nodes, Backed::default());
        }
    }

    /// For a tree that was cut from a larger one: where each of its nodes went.
    pub(crate) fn moved(&mut self, nodes: &FxHashMap<u32, u32>) {
        if self.rule.of_actions() {
            let mut moved = vec![Backed::default(); nodes.len()];
            for (&old, &new) in nodes {
                moved[new as usize] = self.nodes[old as usize];
            }
            self.nodes = moved;
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.nodes.len() * size_of::<Backed>()) as u64
    }

    /// A leaf was valued: it keeps the mean until it has actions.
    #[inline]
    pub(crate) fn leaf<E>(&mut self, tree: &Arena<E>, leaf: u32, value: f64) {
        let node = &tree.nodes[leaf as usize];
        if self.rule.of_actions() && node.tried == 0 {
            let mean = &mut self.nodes[leaf as usize].value;
            *mean += (value - *mean) / f64::from(node.visits);
        }
    }

    /// `UpdateValue` of the UCT paper's Figure 1: an episode took an edge of `node` to `child`, had
    /// this reward on the way, and came to `value` with it. Gives the edge.
    #[inline]
    pub(crate) fn update<'t, E>(
        &mut self,
        tree: &'t mut Arena<E>,
        edge: u32,
        child: u32,
        reward: f64,
        value: f64,
        discount: f64,
    ) -> &'t mut Edge<E> {
        if !self.rule.of_actions() || child == NONE {
            return tree.add(edge, value);
        }
        let known = &mut tree.edges[edge as usize];
        known.visits = known.visits.saturating_add(1);
        let tries = f64::from(known.visits);
        let visits = tree.nodes[child as usize].visits;
        let backed = &mut self.nodes[child as usize];
        backed.reward += (reward - backed.reward) / f64::from(visits);
        let worth = backed.reward + discount * backed.value;
        let part = f64::from(visits) * worth;
        // With one outcome the value is exact, so that equal moves stay equal.
        known.mean = if visits == known.visits {
            worth
        } else {
            (known.mean * (tries - 1.0) + part - backed.part) / tries
        };
        backed.part = part;
        known
    }

    /// All edges of an episode below a node and the one out of it are updated.
    #[inline(always)]
    pub(crate) fn close<E>(&mut self, tree: &Arena<E>, node: u32) {
        if self.rule.of_actions() {
            self.nodes[node as usize].value = self.value_of_actions(tree, node);
        }
    }

    /// What a node's actions come to.
    #[inline(never)]
    fn value_of_actions<E>(&self, tree: &Arena<E>, node: u32) -> f64 {
        let here = &tree.nodes[node as usize];
        let edges = &tree.edges[here.tried_edges()];
        // The opponent wants small values.
        let sign = here.sign();
        let edges = edges.iter().filter(|edge| edge.visits > 0);
        let values = edges.map(|edge| (sign * edge.mean, f64::from(edge.visits)));
        let most = || values.clone().map(|(value, _)| value).fold(f64::NEG_INFINITY, f64::max);
        match self.rule {
            Backup::Mean | Backup::Max | Backup::Bellman => sign * most(),
            Backup::Cautious { range } => {
                let surely = values.clone().map(|(value, tries)| value - range / tries.sqrt());
                let surely = surely.fold(f64::NEG_INFINITY, f64::max);
                sign * surely.max(weighed(values))
            }
            Backup::Power { p, low, high } => {
                let (base, width) = (if sign > 0.0 { low } else { -high }, high - low);
                let power = |(value, tries): (f64, f64)| {
                    (((value - base) / width).clamp(0.0, 1.0).powf(p), tries)
                };
                sign * (base + width * weighed(values.map(power)).powf(1.0 / p))
            }
            Backup::Softmax { temperature } => {
                // Relative to the largest value no exponent overflows.
                let top = most();
                let sum: f64 = values.map(|(value, _)| ((value - top) / temperature).exp()).sum();
                sign * (top + temperature * sum.ln())
            }
        }
    }

    /// What a node backs up, where that is made of its actions' values.
    pub(crate) fn value(&self, node: u32) -> f64 {
        self.nodes[node as usize].value
    }
}

/// The mean of values by their tries.
fn weighed(values: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, tries) = values.fold((0.0, 0.0), |(sum, tries), (v, n)| (sum + n * v, tries + n));
    sum / tries
}
