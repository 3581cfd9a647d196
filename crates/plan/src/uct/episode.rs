//! A search in progress: episodes that run down the tree, value a leaf and come back up.

use std::sync::Arc;

use patience_model::{Game, Rng};

use super::Settings;
use super::leaf::Leaf;
use super::merge::Merge;
use super::tree::Tree;
use crate::Root;
use crate::rollout::Workspace;
use crate::tree::{Average, Backups, Bandit, NONE, ROOT};

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

/// What the finished trees say of a root action.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) visits: u64,
    /// Of its values in the trees that tried it.
    pub(super) trees: Average,
}

/// A UCT search in progress. See [`Uct`](super::Uct).
pub struct UctSearch<'g, G: Game, L, M: Merge<G>> {
    pub(super) settings: Settings,
    pub(super) game: &'g G,
    pub(super) leaf: L,
    pub(super) root: Root<G>,
    pub(super) bandit: Arc<Bandit>,
    pub(super) workspace: Workspace<G>,
    pub(super) tree: Tree<G>,
    pub(super) merged: M::Table,
    /// Fixes this tree's sampled outcomes where the width is limited.
    pub(super) noise: u64,
    pub(super) backups: Backups,
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
        bandit: Arc<Bandit>,
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
            bandit,
            workspace: Workspace { rng, legal: Vec::new(), model_calls: 0 },
            tree: Tree::new(),
            merged: M::Table::default(),
            noise: 0,
            backups: Backups::new(settings.backup),
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
        self.root_actions.extend(self.tree.arena.edges.iter().map(|edge| edge.own.action));
        self.tallies.clear();
        self.tallies.resize(self.root_actions.len(), Tally::default());
        (self.iterations, self.finished_trees, self.finished_nodes) = (0, 0, 0);
        self.workspace.model_calls = 0;
    }

    /// Starts a tree.
    pub(super) fn plant(&mut self) {
        self.tree.clear();
        M::clear(&mut self.merged);
        self.backups.clear();
        self.tree_iterations = 0;
        self.noise = self.workspace.rng.next_u64();
        let state = self.root.sample(self.game, &mut self.workspace.rng);
        self.expand(ROOT, &state);
    }

    pub(super) fn expand(&mut self, node: u32, state: &G::State) {
        self.game.actions(state, &mut self.workspace.legal);
        self.tree.expand(node, &self.workspace.legal, self.game.minimising(state));
        // Where episodes are independent the root's actions have standard errors.
        if self.bandit.wants_deviations() || (node == ROOT && self.settings.independent()) {
            self.tree.arena.keep_deviations();
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
            let mut here = self.tree.arena.visit(node);
            if here.visits == 1 && depth > 0 && added == may_add {
                break self.value_leaf(node, state);
            }
            if !here.is_expanded() {
                self.expand(node, &state);
                here = self.tree.arena.nodes[node as usize];
            }
            if here.is_empty() || depth == LONGEST {
                break 0.0;
            }
            if self.settings.stop_episodes && depth > 0 {
                // 1/N_s(t), counting this visit: a new node always stops the episode.
                if self.workspace.rng.below(u64::from(here.visits)) == 0 {
                    break self.value_leaf(node, state);
                }
            }
            let (tree, rng) = (&mut self.tree.arena, &mut self.workspace.rng);
            let edge = self.bandit.select(tree, node, depth, rng);
            let (reward, obs) = self.play(&mut state, edge);
            depth += 1;
            let mut child = self.tree.child(edge, obs);
            if child == NONE && added < may_add {
                let before = self.tree.arena.nodes.len();
                child = self.add_child(edge, obs, &state, depth);
                added += (self.tree.arena.nodes.len() - before) as u32;
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
            let tree = &mut self.tree.arena;
            let known = self.backups.update(tree, edge, child, reward, value, discount);
            self.bandit.note(known, depth);
            self.backups.close(tree, node);
        }
    }

    /// Values the state of a leaf that is in the tree.
    fn value_leaf(&mut self, node: u32, state: G::State) -> f64 {
        let value = self.leaf.evaluate(self.game, state, &mut self.workspace);
        self.backups.leaf(&self.tree.arena, node, value);
        value
    }

    /// Plays an edge's action. With a limited width (Klondike paper, Algorithm 1) the first w
    /// outcomes are sampled and later one of them is met again: the noise of outcome i of an edge
    /// is a stream of its own, so nothing has to be stored.
    #[inline]
    fn play(&mut self, state: &mut G::State, edge: u32) -> (f64, G::Obs) {
        self.workspace.model_calls += 1;
        let known = &self.tree.arena.edges[edge as usize];
        let rng = &mut self.workspace.rng;
        let step = match self.settings.width {
            None => self.game.step(state, known.own.action, rng),
            Some(width) => {
                let outcome = if known.visits < width {
                    known.visits
                } else {
                    rng.below(u64::from(width)) as u32
                };
                let part = u64::from(edge) << 32 | u64::from(outcome);
                self.game.step(state, known.own.action, &mut Rng::numbered(self.noise, part))
            }
        };
        (step.reward, step.obs)
    }

    #[inline]
    fn add_child(&mut self, edge: u32, obs: G::Obs, state: &G::State, depth: u32) -> u32 {
        let tree = &mut self.tree;
        let child = M::node(&mut self.merged, self.game, state, depth, || tree.arena.add_node());
        tree.link(edge, obs, child);
        self.backups.grow(self.tree.arena.nodes.len());
        child
    }
}
