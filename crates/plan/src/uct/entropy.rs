//! The entropy of the search policy below every node and action, for DENTS (Painter et al. 2023,
//! section 4): H(s) = entropy of the policy at s + Σ π(a)·H(s, a), and H(s, a) the mean of the nodes
//! after it by their visits. Actions that were never tried have no part in it yet.

use crate::tree::{Arena, NONE, Selection};

/// What is kept of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Of {
    /// The entropy from it on, in nats.
    entropy: f64,
    /// Its part in the sum of the edge above.
    part: f64,
}

#[derive(Debug, Default)]
pub(super) struct Entropy {
    nodes: Vec<Of>,
    edges: Vec<f64>,
    policy: Vec<f64>,
}

impl Entropy {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.nodes.len() * size_of::<Of>() + self.edges.len() * size_of::<f64>()) as u64
    }

    /// The entropy of what comes after an action.
    pub(super) fn of_edge(&self, edge: usize) -> f64 {
        self.edges.get(edge).copied().unwrap_or(0.0)
    }

    /// An episode took an edge of `node` to `child`, which is up to date.
    pub(super) fn update<E>(
        &mut self,
        tree: &Arena<E>,
        node: u32,
        edge: u32,
        child: u32,
        rule: Selection,
    ) {
        let Selection::Dents { temperature, .. } = rule else { return };
        self.nodes.resize(tree.nodes.len(), Of::default());
        self.edges.resize(tree.edges.len(), 0.0);
        let tries = f64::from(tree.edges[edge as usize].visits.max(1));
        let kept = &mut self.edges[edge as usize];
        let mut sum = *kept * (tries - 1.0);
        if child != NONE {
            let below = &mut self.nodes[child as usize];
            let part = f64::from(tree.nodes[child as usize].visits) * below.entropy;
            sum += part - below.part;
            below.part = part;
        }
        *kept = sum / tries;

        let here = &tree.nodes[node as usize];
        let weight = rule.entropy_weight(f64::from(here.visits));
        let uniform = rule.uniform_share(f64::from(here.visits)).unwrap_or(0.0).min(1.0);
        let tried = || here.tried_edges().filter(|&edge| tree.edges[edge].visits > 0);
        let score = |edge: usize| here.sign() * tree.edges[edge].mean + weight * self.edges[edge];
        let top = tried().map(score).fold(f64::NEG_INFINITY, f64::max);
        self.policy.clear();
        self.policy.extend(tried().map(|edge| ((score(edge) - top) / temperature).exp()));
        let (all, even) = (self.policy.iter().sum::<f64>(), 1.0 / self.policy.len() as f64);
        let below = |(edge, share): (usize, &f64)| {
            let chance = (1.0 - uniform) * share / all + uniform * even;
            chance * (self.edges[edge] - if chance > 0.0 { chance.ln() } else { 0.0 })
        };
        self.nodes[node as usize].entropy = tried().zip(&self.policy).map(below).sum();
    }
}
