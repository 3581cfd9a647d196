//! A search in progress: episodes that run down the tree, value a leaf and come back up.

use std::sync::Arc;

use patience_model::{Game, Rng};

use super::Settings;
use super::batch::Flights;
use super::extras::Extras;
use super::leaf::{Judged, Leaf};
use super::merge::Merge;
use super::threads::Pool;
use super::tree::Tree;
use crate::Root;
use crate::rollout::Workspace;
use crate::tree::{Average, Backups, Bandit, NONE, ROOT};

/// Moves after which an episode is cut within the tree and what was collected counts: a guard
/// against games that need not end, like [`Rollout::limit`](super::Rollout).
const LONGEST: u32 = 100_000;

/// One move of an episode.
pub(super) struct Move {
    pub(super) node: u32,
    pub(super) edge: u32,
    child: u32,
    reward: f64,
}

/// Where an episode left the tree.
pub(super) enum Reached<G: Game> {
    /// At a node whose value is known: the game is over, or it is proven.
    Known(f64),
    /// At a node, or beyond the last one if there is [`NONE`], to be valued.
    Leaf(u32, G::State),
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
    /// Whether the ingredients need nothing beside the tree.
    pub(super) plain: bool,
    /// Whether whoever steps the search judges its leaves.
    pub(super) waits: bool,
    pub(super) extras: Box<Extras<G>>,
    /// Episodes under way, where there are several.
    pub(super) flights: Flights<G>,
    pub(super) pool: Option<Arc<dyn Pool<G>>>,
    pub(super) workspace: Workspace<G>,
    pub(super) tree: Tree<G>,
    pub(super) merged: M::Table,
    /// Names the streams of trees, where there are several.
    forest: u64,
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
        let list = leaf.outcomes();
        assert!(
            list.is_some() || !settings.lists(),
            "the leaf of a listing planner lists outcomes"
        );
        let learns = leaf.learns() && settings.batch > 1;
        assert!(!learns, "a leaf that learns follows one episode at a time");
        let mut workspace = Workspace::new(rng);
        workspace.recording = leaf.learns() || settings.rave.is_some();
        let mut search = UctSearch {
            settings,
            game,
            plain: settings.is_plain() && !workspace.recording && !leaf.judges(),
            waits: leaf.waits(),
            extras: Box::new(Extras::new(&settings, list)),
            flights: Flights::default(),
            pool: if settings.batch > 1 { leaf.pool() } else { None },
            leaf,
            root,
            bandit,
            workspace,
            tree: Tree::new(),
            merged: M::Table::default(),
            forest: 0,
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
        if self.settings.trees > 1 {
            self.forest = self.workspace.rng.next_u64();
        }
        self.finished_trees = 0;
        self.plant();
        self.root_actions.clear();
        self.root_actions.extend(self.tree.arena.edges.iter().map(|edge| edge.own.action));
        self.tallies.clear();
        self.tallies.resize(self.root_actions.len(), Tally::default());
        (self.iterations, self.finished_nodes) = (0, 0);
        self.workspace.model_calls = 0;
    }

    /// Starts a tree.
    pub(super) fn plant(&mut self) {
        self.tree.clear();
        M::clear(&mut self.merged);
        self.backups.clear();
        self.extras.clear();
        self.flights.clear();
        self.workspace.learnt.clear();
        self.tree_iterations = 0;
        if self.settings.trees > 1 {
            // A stream of its own, so that trees can be grown anywhere.
            let number = u64::from(self.finished_trees);
            self.workspace.rng = Rng::numbered(self.forest, number);
        }
        self.noise = self.workspace.rng.next_u64();
        let state = self.root.sample(self.game, &mut self.workspace.rng);
        if self.settings.across_depths {
            M::node(&mut self.merged, self.game, &state, 0, || ROOT);
        }
        if self.waits {
            return self.ask_of_root(state);
        }
        if self.leaf.judges() {
            self.judge_leaf(ROOT, state);
        } else {
            self.expand(ROOT, &state);
        }
        self.line_up();
    }

    pub(super) fn expand(&mut self, node: u32, state: &G::State) {
        self.game.actions(state, &mut self.workspace.legal);
        self.tree.expand(node, &self.workspace.legal, self.game.minimising(state));
        // Where episodes are independent the root's actions have standard errors.
        if self.bandit.wants_deviations() || (node == ROOT && self.settings.root_deviations()) {
            self.tree.arena.keep_deviations();
        }
        if !self.plain {
            self.expanded(node);
        }
    }

    /// One episode: function `search` of the paper's Figure 1, as two loops. They are compiled twice, so
    /// that a plain search asks for no other ingredient.
    #[inline]
    pub(super) fn episode(&mut self) {
        if self.plain { self.run_down_and_up::<true>() } else { self.run_down_and_up::<false>() }
    }

    #[inline(always)]
    fn run_down_and_up<const PLAIN: bool>(&mut self) {
        self.path.clear();
        let value = match self.descend::<PLAIN>() {
            Reached::Known(value) => value,
            Reached::Leaf(NONE, state) => self.leaf.evaluate(self.game, state, &mut self.workspace),
            Reached::Leaf(leaf, state) => self.value_leaf::<PLAIN>(leaf, state),
        };
        self.ascend::<PLAIN>(value);
    }

    /// Runs down the tree to where the episode leaves it.
    #[inline(always)]
    pub(super) fn descend<const PLAIN: bool>(&mut self) -> Reached<G> {
        let game = self.game;
        let mut state = self.root.sample(game, &mut self.workspace.rng);
        let (mut node, mut depth, mut added) = (ROOT, 0, 0);
        let may_add = self.settings.expand.unwrap_or(u32::MAX);
        if !PLAIN {
            self.workspace.moves.clear();
            self.extras.reference = ROOT;
            self.extras.instead.clear();
        }
        loop {
            let mut here = self.tree.arena.visit(node);
            if here.visits == 1 && depth > 0 && added == may_add {
                return Reached::Leaf(node, state);
            }
            if !here.is_expanded() {
                self.expand(node, &state);
                here = self.tree.arena.nodes[node as usize];
            }
            if here.is_empty() || depth == LONGEST {
                return Reached::Known(0.0);
            }
            if !PLAIN
                && depth > 0
                && let Some(value) = self.proven(node)
            {
                return Reached::Known(value);
            }
            if self.settings.stop_episodes && depth > 0 {
                // 1/N_s(t), counting this visit: a new node always stops the episode.
                if self.workspace.rng.below(u64::from(here.visits)) == 0 {
                    return Reached::Leaf(node, state);
                }
            }
            let (edge, (reward, obs)) = if PLAIN {
                let (tree, rng) = (&mut self.tree.arena, &mut self.workspace.rng);
                let edge = self.bandit.select(tree, node, depth, rng);
                (edge, self.play(&mut state, edge))
            } else {
                let edge = self.choose(node, depth);
                if self.workspace.recording {
                    let action = self.tree.arena.edges[edge as usize].own.action;
                    self.workspace.moves.push((here.minimising(), action));
                }
                (edge, self.play_extra(&mut state, edge))
            };
            depth += 1;
            let mut child = self.tree.child(edge, obs);
            if child == NONE && added < may_add {
                let before = self.tree.arena.nodes.len();
                let at = if self.settings.across_depths { 0 } else { depth };
                child = self.add_child(edge, obs, &state, at);
                added += (self.tree.arena.nodes.len() - before) as u32;
            }
            self.path.push(Move { node, edge, child, reward });
            if !PLAIN && self.settings.across_depths && self.is_on_path(child) {
                return Reached::Leaf(NONE, state);
            }
            if child == NONE {
                return Reached::Leaf(NONE, state);
            }
            node = child;
        }
    }

    /// Goes back up with what the episode came to where it left the tree.
    #[inline(always)]
    pub(super) fn ascend<const PLAIN: bool>(&mut self, mut value: f64) {
        let discount = self.game.discount();
        let mut depth = self.path.len() as u32;
        if !PLAIN && self.settings.rave.is_some() {
            let in_tree = self.path.len().min(self.workspace.moves.len());
            self.extras.amaf.begin(&self.workspace.moves[in_tree..]);
        }
        while let Some(Move { node, edge, child, reward }) = self.path.pop() {
            value = reward + discount * value;
            depth -= 1;
            let tree = &mut self.tree.arena;
            let known = self.backups.update(tree, edge, child, reward, value, discount);
            self.bandit.note(known, depth);
            if !PLAIN {
                self.learn(node, edge, child, value);
            }
            self.backups.close(&self.tree.arena, node);
            if !PLAIN {
                value = self.extras.taken_instead(depth).unwrap_or(value);
            }
        }
        if !PLAIN && self.workspace.recording {
            self.leaf.learn(&mut self.workspace, value);
        }
    }

    /// Whether the episode came through a node before.
    fn is_on_path(&self, node: u32) -> bool {
        self.path.iter().any(|step| step.node == node)
    }

    /// Values the state of a leaf that is in the tree.
    #[inline(always)]
    fn value_leaf<const PLAIN: bool>(&mut self, node: u32, state: G::State) -> f64 {
        let value = if !PLAIN && self.leaf.judges() {
            self.judge_leaf(node, state)
        } else {
            self.leaf.evaluate(self.game, state, &mut self.workspace)
        };
        self.backups.leaf(&self.tree.arena, node, value);
        value
    }

    /// Values the state of a leaf together with priors of its actions, which it gets at once.
    fn judge_leaf(&mut self, node: u32, state: G::State) -> f64 {
        if !self.tree.arena.nodes[node as usize].is_expanded() {
            self.expand(node, &state);
        }
        let legal: Vec<G::Action> = {
            let edges = self.tree.arena.edges_of(node);
            edges.iter().map(|edge| edge.own.action).collect()
        };
        if legal.is_empty() {
            return 0.0;
        }
        let mut judged = [Judged { state, legal, value: 0.0, priors: Vec::new() }];
        self.leaf.judge(self.game, &mut judged, &mut self.workspace);
        let [judged] = judged;
        self.take_priors(node, &judged.priors);
        judged.value
    }

    /// Keeps the priors of a node's actions, none of which was tried.
    pub(super) fn take_priors(&mut self, node: u32, priors: &[f32]) {
        if priors.len() == self.tree.arena.edges_of(node).len() {
            self.tree.arena.set_priors(node, priors);
        }
    }

    /// Plays an edge's action. With a limited width (Klondike paper, Algorithm 1) the first w
    /// outcomes are sampled and later one of them is met again: the noise of outcome i of an edge
    /// is a stream of its own, so nothing has to be stored.
    #[inline(always)]
    pub(super) fn play(&mut self, state: &mut G::State, edge: u32) -> (f64, G::Obs) {
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
        if !self.plain {
            self.linked(edge, obs, child, state);
        }
        child
    }
}
