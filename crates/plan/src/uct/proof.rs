//! Proven values: bounds at nodes, with chance and for both players.
//!
//! Score-bounded Monte-Carlo tree search (Cazenave and Saffidine 2010), with the bounds of a chance
//! node the expectation of those of its outcomes. A node is proven when its bounds meet: an episode
//! that comes there takes the exact value and goes no further. An action that others are proven to
//! be at least as good as is no longer tried and never recommended. Where the bandit would try an action
//! that is proven, its value is taken at once and told upwards, and the episode goes on with another
//! action for the sake of its proof.
//!
//! Guaranteed: the value of a node lies within its bounds, for games whose observations determine the
//! state. Where the game is finite the root is proven after finitely many episodes, because a node that
//! is visited often enough has all actions tried and all outcomes seen.

use super::settings::Range;
use crate::tree::{Arena, NONE};

/// An outcome of an action, as the game lists it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<O> {
    pub(super) probability: f64,
    pub(super) reward: f64,
    pub(super) obs: O,
    /// The node there; [`NONE`] as long as no episode came there.
    pub(super) child: u32,
}

/// The outcomes of edges that were tried, and what is proven.
#[derive(Debug)]
pub(super) struct Proof<O> {
    /// Where the rows of an edge are; empty of one that was never tried.
    spans: Vec<(u32, u32)>,
    rows: Vec<Row<O>>,
    /// By node, whether proven or not.
    nodes: Vec<Range>,
    /// By edge.
    edges: Vec<Range>,
    /// What is known of a node of which nothing is proven.
    unknown: Range,
}

impl<O: Copy + Eq> Proof<O> {
    /// Bounds that start out like this; infinite ones prove by exhaustion alone.
    pub(super) fn new(unknown: Option<Range>) -> Self {
        let unknown = unknown.unwrap_or(Range { low: f64::NEG_INFINITY, high: f64::INFINITY });
        let (spans, rows, nodes, edges) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Proof { spans, rows, nodes, edges, unknown }
    }

    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.rows.clear();
        self.nodes.clear();
        self.edges.clear();
    }

    /// For a tree that has grown.
    pub(super) fn grow<E>(&mut self, tree: &Arena<E>) {
        self.nodes.resize(tree.nodes.len(), self.unknown);
        self.edges.resize(tree.edges.len(), self.unknown);
        self.spans.resize(tree.edges.len(), (0, 0));
    }

    /// Whether an edge's outcomes are listed.
    pub(super) fn is_listed(&self, edge: u32) -> bool {
        self.spans[edge as usize].1 > 0
    }

    /// Lists the outcomes of an edge.
    pub(super) fn list(&mut self, edge: u32, rows: impl Iterator<Item = Row<O>>) {
        let first = self.rows.len() as u32;
        self.rows.extend(rows);
        self.spans[edge as usize] = (first, self.rows.len() as u32 - first);
    }

    /// The outcomes of an edge.
    pub(super) fn rows(&self, edge: u32) -> &[Row<O>] {
        let (first, len) = self.spans[edge as usize];
        &self.rows[first as usize..(first + len) as usize]
    }

    /// An outcome led to a node.
    pub(super) fn link(&mut self, edge: u32, obs: O, child: u32) {
        let (first, len) = self.spans[edge as usize];
        let rows = &mut self.rows[first as usize..(first + len) as usize];
        if let Some(row) = rows.iter_mut().find(|row| row.obs == obs) {
            row.child = child;
        }
    }

    /// The game is over at a node.
    pub(super) fn is_over(&mut self, node: u32) {
        self.nodes[node as usize] = Range { low: 0.0, high: 0.0 };
    }

    /// The bounds of a node.
    pub(super) fn node(&self, node: u32) -> Range {
        self.nodes[node as usize]
    }

    /// The bounds of an edge.
    pub(super) fn edge(&self, edge: usize) -> Range {
        self.edges[edge]
    }

    /// The exact value of an edge, once proven.
    pub(super) fn exact(&self, edge: usize) -> Option<f64> {
        let Range { low, high } = self.edges[edge];
        (low == high).then_some(low)
    }

    /// The exact value of a node, once proven.
    pub(super) fn value(&self, node: u32) -> Option<f64> {
        let Range { low, high } = self.nodes[node as usize];
        (low == high).then_some(low)
    }

    /// An episode went back over an edge: bounds of the edge, then of its node.
    pub(super) fn update<E>(&mut self, tree: &Arena<E>, node: u32, edge: u32, discount: f64) {
        let mut sum = Range { low: 0.0, high: 0.0 };
        for row in self.rows(edge) {
            let after = if row.child == NONE { self.unknown } else { self.node(row.child) };
            // A discount of 0 times an infinite bound would be no number.
            let part = |bound: f64| if discount == 0.0 { 0.0 } else { discount * bound };
            sum.low += row.probability * (row.reward + part(after.low));
            sum.high += row.probability * (row.reward + part(after.high));
        }
        // A sum of probabilities is 1 but for rounding: one outcome is exact.
        self.edges[edge as usize] = sum;
        let here = &tree.nodes[node as usize];
        let edges = &self.edges[here.edges()];
        let lows = edges.iter().map(|edge| edge.low);
        let highs = edges.iter().map(|edge| edge.high);
        self.nodes[node as usize] = if here.minimising() {
            let (low, high) =
                (lows.fold(f64::INFINITY, f64::min), highs.fold(f64::INFINITY, f64::min));
            Range { low, high }
        } else {
            let low = lows.fold(f64::NEG_INFINITY, f64::max);
            Range { low, high: highs.fold(f64::NEG_INFINITY, f64::max) }
        };
    }

    /// What is surely reached at a node, and the most that an action which reaches it may bring, both in
    /// the eyes of the player to move.
    pub(super) fn surely<E>(&self, tree: &Arena<E>, node: u32) -> (f64, f64) {
        let here = &tree.nodes[node as usize];
        let bounds = || self.edges[here.edges()].iter().map(|range| turned(*range, here.sign()));
        let low = bounds().map(|range| range.low).fold(f64::NEG_INFINITY, f64::max);
        let reaches = bounds().filter(|range| range.low == low);
        (low, reaches.map(|range| range.high).fold(f64::NEG_INFINITY, f64::max))
    }

    /// Whether another action is proven to be at least as good as this one, and may be better.
    pub(super) fn is_dominated(&self, edge: usize, sign: f64, (low, high): (f64, f64)) -> bool {
        let own = turned(self.edges[edge], sign);
        own.high < low || (own.high == low && (own.low < low || high > low))
    }

    pub(super) fn bytes(&self) -> u64 {
        let rows =
            self.rows.len() * size_of::<Row<O>>() + self.spans.len() * size_of::<(u32, u32)>();
        (rows + (self.nodes.len() + self.edges.len()) * size_of::<Range>()) as u64
    }
}

/// Bounds in the eyes of a player.
pub(super) fn turned(range: Range, sign: f64) -> Range {
    if sign > 0.0 { range } else { Range { low: -range.high, high: -range.low } }
}
