//! A search in progress: episodes that run down the tree, value a leaf and come back up.

use std::sync::Arc;

use patience_model::{Game, Rng};

use super::leaf::{Leaf, Workspace};
use super::merge::Merge;
use super::selection::{Bias, tuned_bias};
use super::tree::{NONE, ROOT, Tree};
use super::{Backup, Selection, Settings};
use crate::Root;

/// Moves after which an episode is cut within the tree and what was collected counts: a guard
/// against games that need not end, like [`Rollout::limit`](super::Rollout).
const LONGEST: u32 = 100_000;

/// One move of an episode.
pub(super) struct Move {
    node: u32,
    edge: u32,
    child: u32,
    reward: f64,
}

/// What a backup of the actions' values keeps of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Backed {
    /// What its actions come to, or the mean of its evaluations as long as it has none.
    pub(super) value: f64,
    /// The mean reward on the way into it.
    pub(super) reward: f64,
    /// Its part in the sum of the edge above.
    pub(super) part: f64,
}

/// What the finished trees say of a root action.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) visits: u64,
    /// Trees that tried it, the mean of its values in them and their squared deviations.
    pub(super) trees: u32,
    pub(super) mean: f64,
    pub(super) deviation: f64,
}

/// A UCT search in progress. See [`Uct`](super::Uct).
pub struct UctSearch<'g, G: Game, L, M: Merge<G>> {
    pub(super) settings: Settings,
    pub(super) game: &'g G,
    pub(super) leaf: L,
    pub(super) root: Root<G>,
    pub(super) bias: Arc<Bias>,
    pub(super) workspace: Workspace<G>,
    pub(super) tree: Tree<G>,
    pub(super) merged: M::Table,
    /// Fixes this tree's sampled outcomes where the width is limited.
    pub(super) noise: u64,
    /// Sums of squared deviations of edges: of all for UCB1-Tuned, of the root's where episodes are
    /// independent, else of none.
    pub(super) deviations: Vec<f64>,
    /// By node, where a backup is made of the actions' values.
    pub(super) backed: Vec<Backed>,
    pub(super) path: Vec<Move>,
    pub(super) root_actions: Vec<G::Action>,
    pub(super) tallies: Vec<Tally>,
    pub(super) finished_trees: u32,
    pub(super) finished_nodes: u64,
    pub(super) tree_iterations: u64,
    pub(super) iterations: u64,
}

impl<G: Game, L, M: Merge<G>> std::fmt::Debug for UctSearch<'_, G, L, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UctSearch").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl<'g, G: Game, L: Leaf<G>, M: Merge<G>> UctSearch<'g, G, L, M> {
    /// Starts a search.
    pub(super) fn new(
        settings: Settings,
        bias: Arc<Bias>,
        leaf: L,
        game: &'g G,
        root: Root<G>,
        rng: Rng,
    ) -> Self {
        let mut search = UctSearch {
            settings,
            game,
            leaf,
            root,
            bias,
            workspace: Workspace { rng, legal: Vec::new(), model_calls: 0 },
            tree: Tree::new(),
            merged: M::Table::default(),
            noise: 0,
            deviations: Vec::new(),
            backed: Vec::new(),
            path: Vec::new(),
            root_actions: Vec::new(),
            tallies: Vec::new(),
            finished_trees: 0,
            finished_nodes: 0,
            tree_iterations: 0,
            iterations: 0,
        };
        search.begin();
        search
    }

    /// Plants the first tree.
    pub(super) fn begin(&mut self) {
        self.plant();
        self.root_actions.clear();
        self.root_actions.extend(self.tree.edges.iter().map(|edge| edge.action));
        self.tallies.clear();
        self.tallies.resize(self.root_actions.len(), Tally::default());
        (self.iterations, self.finished_trees, self.finished_nodes) = (0, 0, 0);
        self.workspace.model_calls = 0;
    }

    /// Starts a tree.
    pub(super) fn plant(&mut self) {
        self.tree.clear();
        M::clear(&mut self.merged);
        self.deviations.clear();
        self.backed.clear();
        self.backed.push(Backed::default());
        self.tree_iterations = 0;
        self.noise = self.workspace.rng.next_u64();
        let state = self.root.sample(self.game, &mut self.workspace.rng);
        self.expand(ROOT, &state);
    }

    pub(super) fn expand(&mut self, node: u32, state: &G::State) {
        self.game.actions(state, &mut self.workspace.legal);
        self.tree.expand(node, &self.workspace.legal, self.game.minimising(state));
        let tuned = matches!(self.settings.selection, Selection::Tuned { .. });
        if tuned || (node == ROOT && self.settings.independent()) {
            self.deviations.resize(self.tree.edges.len(), 0.0);
        }
    }

    /// One episode: function `search` of the paper's Figure 1, as a loop.
    pub(super) fn episode(&mut self) {
        let game = self.game;
        let mut state = self.root.sample(game, &mut self.workspace.rng);
        let (mut node, mut depth, mut added) = (ROOT, 0, 0);
        let may_add = self.settings.expand.unwrap_or(u32::MAX);
        self.path.clear();
        let mut value = loop {
            let here = &mut self.tree.nodes[node as usize];
            here.visits = here.visits.saturating_add(1);
            let visits = here.visits;
            if visits == 1 && depth > 0 && added == may_add {
                break self.value_leaf(node, state);
            }
            if !here.is_expanded() {
                self.expand(node, &state);
            }
            if self.tree.nodes[node as usize].len() == 0 || depth == LONGEST {
                break 0.0;
            }
            if self.settings.stop_episodes && depth > 0 {
                // 1/N_s(t), counting this visit: a new node always stops the episode.
                if self.workspace.rng.below(u64::from(visits)) == 0 {
                    break self.value_leaf(node, state);
                }
            }
            let edge = self.select(node, visits - 1, depth);
            let (reward, obs) = self.play(&mut state, edge);
            depth += 1;
            let mut child = self.tree.child(edge, obs);
            if child == NONE && added < may_add {
                let before = self.tree.nodes.len();
                child = self.add_child(edge, obs, &state, depth);
                added += (self.tree.nodes.len() - before) as u32;
            }
            self.path.push(Move { node, edge, child, reward });
            if child == NONE {
                break self.leaf.evaluate(game, state, &mut self.workspace);
            }
            node = child;
        };
        let discount = game.discount();
        while let Some(Move { node, edge, child, reward }) = self.path.pop() {
            value = reward + discount * value;
            depth -= 1;
            self.update(edge, child, reward, value, depth);
            if self.settings.backup.of_actions() {
                self.backed[node as usize].value = self.value_of_actions(node);
            }
        }
    }

    /// Values the state of a leaf; a leaf keeps the mean until it has actions.
    fn value_leaf(&mut self, node: u32, state: G::State) -> f64 {
        let value = self.leaf.evaluate(self.game, state, &mut self.workspace);
        if self.settings.backup.of_actions() && self.tree.nodes[node as usize].tried == 0 {
            let mean = &mut self.backed[node as usize].value;
            *mean += (value - *mean) / f64::from(self.tree.nodes[node as usize].visits);
        }
        value
    }

    /// Selects an edge of an expanded node that was visited `visits` times before.
    #[inline]
    fn select(&mut self, node: u32, visits: u32, depth: u32) -> u32 {
        let here = self.tree.nodes[node as usize];
        if self.settings.selection == Selection::Uniform {
            let offset = self.workspace.rng.below(u64::from(here.len())) as u32;
            return if offset < here.tried {
                here.first + offset
            } else {
                self.tree.try_edge(node, offset)
            };
        }
        if here.tried < here.len() {
            let untried = u64::from(here.len() - here.tried);
            let offset = here.tried + self.workspace.rng.below(untried) as u32;
            return self.tree.try_edge(node, offset);
        }
        // The opponent wants small values: section 3.1's negamax-style selection.
        let sign = if here.minimising() { -1.0 } else { 1.0 };
        let edges = &self.tree.edges[here.tried_edges()];
        let mut best = (f64::NEG_INFINITY, 0);
        if let Selection::Tuned { c } = self.settings.selection {
            let ln_visits = f64::from(visits).ln();
            let deviations = &self.deviations[here.tried_edges()];
            for (i, (edge, deviation)) in edges.iter().zip(deviations).enumerate() {
                let tries = f64::from(edge.visits);
                let bias = tuned_bias(c, ln_visits, tries, deviation / tries);
                let score = sign * edge.mean + bias;
                if score > best.0 {
                    best = (score, i);
                }
            }
        } else {
            let growth = self.bias.growth(visits, depth);
            for (i, edge) in edges.iter().enumerate() {
                let score = sign * edge.mean + f64::from(growth * edge.spread);
                if score > best.0 {
                    best = (score, i);
                }
            }
        }
        here.first + best.1 as u32
    }

    /// Plays an edge's action. With a limited width (Klondike paper, Algorithm 1) the first w
    /// outcomes are sampled and later one of them is met again: the noise of outcome i of an edge
    /// is a stream of its own, so nothing has to be stored.
    #[inline]
    fn play(&mut self, state: &mut G::State, edge: u32) -> (f64, G::Obs) {
        self.workspace.model_calls += 1;
        let known = &self.tree.edges[edge as usize];
        let rng = &mut self.workspace.rng;
        let step = match self.settings.width {
            None => self.game.step(state, known.action, rng),
            Some(width) => {
                let outcome = if known.visits < width {
                    known.visits
                } else {
                    rng.below(u64::from(width)) as u32
                };
                let part = u64::from(edge) << 32 | u64::from(outcome);
                self.game.step(state, known.action, &mut Rng::numbered(self.noise, part))
            }
        };
        (step.reward, step.obs)
    }

    #[inline]
    fn add_child(&mut self, edge: u32, obs: G::Obs, state: &G::State, depth: u32) -> u32 {
        let tree = &mut self.tree;
        let child = M::node(&mut self.merged, self.game, state, depth, || tree.add_node());
        tree.link(edge, obs, child);
        if self.settings.backup.of_actions() {
            self.backed.resize(self.tree.nodes.len(), Backed::default());
        }
        child
    }

    /// `UpdateValue` of Figure 1.
    #[inline]
    fn update(&mut self, edge: u32, child: u32, reward: f64, value: f64, depth: u32) {
        let known = &mut self.tree.edges[edge as usize];
        known.visits = known.visits.saturating_add(1);
        known.spread = self.bias.spread(known.visits, depth);
        let before = known.mean;
        let tries = f64::from(known.visits);
        if self.settings.backup.of_actions() && child != NONE {
            let visits = self.tree.nodes[child as usize].visits;
            let backed = &mut self.backed[child as usize];
            backed.reward += (reward - backed.reward) / f64::from(visits);
            let worth = backed.reward + self.game.discount() * backed.value;
            let part = f64::from(visits) * worth;
            // With one outcome the value is exact, so that equal moves stay equal.
            known.mean = if visits == known.visits {
                worth
            } else {
                (before * (tries - 1.0) + part - backed.part) / tries
            };
            backed.part = part;
        } else {
            known.mean += (value - before) / tries;
        }
        if let Some(deviation) = self.deviations.get_mut(edge as usize) {
            *deviation += (value - before) * (value - known.mean);
        }
    }

    /// What a node's actions come to.
    fn value_of_actions(&self, node: u32) -> f64 {
        let here = &self.tree.nodes[node as usize];
        let edges = &self.tree.edges[here.tried_edges()];
        // The opponent wants small values.
        let sign = if here.minimising() { -1.0 } else { 1.0 };
        let range = match self.settings.backup {
            Backup::Cautious { range } => range,
            _ => {
                let means = edges.iter().map(|edge| sign * edge.mean);
                return sign * means.fold(f64::NEG_INFINITY, f64::max);
            }
        };
        let (mut surely, mut sum, mut tries) = (f64::NEG_INFINITY, 0.0, 0.0);
        for edge in edges {
            let (value, visits) = (sign * edge.mean, f64::from(edge.visits));
            surely = surely.max(value - range / visits.sqrt());
            sum += visits * value;
            tries += visits;
        }
        sign * surely.max(sum / tries)
    }
}
