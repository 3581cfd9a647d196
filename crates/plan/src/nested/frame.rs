//! One level of a nested search: its tree, the decision and the episode in hand.

use std::time::Instant;

use patience_model::Game;

use super::settings::Level;
use crate::tree::{Arena, Bandit, NONE, ROOT};

/// A state on the way, and what led to it: rewards are counted from the root of the whole search,
/// so results of all levels can be compared as they are.
#[derive(Clone, Debug)]
pub(super) struct Place<S> {
    pub(super) state: S,
    pub(super) value: f64,
    pub(super) weight: f64,
}

/// An action, and the node below it: in a deterministic game it is always the same.
#[derive(Clone, Copy)]
pub(super) struct Way<A> {
    pub(super) action: A,
    pub(super) child: u32,
}

/// One level's search. Its tree is reused from search to search: a nested search makes thousands of
/// small trees in the memory of one (nested MCTS paper, section 5).
pub(super) struct Frame<G: Game> {
    pub(super) level: Level,
    pub(super) bandit: Bandit,
    pub(super) tree: Arena<Way<G::Action>>,
    /// Where the current decision is made.
    pub(super) here: Place<G::State>,
    pub(super) node: u32,
    /// Moves from where this search began to `here`.
    pub(super) made: Vec<G::Action>,
    /// The episode in hand: edges and moves from `here` to the leaf.
    pub(super) path: Vec<u32>,
    pub(super) moves: Vec<G::Action>,
    pub(super) leaf: Place<G::State>,
    /// The best solution of this search, from where it began.
    pub(super) best: f64,
    pub(super) best_moves: Vec<G::Action>,
    /// Iterations of the current decision, and how many it has; `None` for a limit of time.
    pub(super) done: u64,
    pub(super) goal: Option<u64>,
    pub(super) began: Instant,
}

/// Gives a node its edges, if it has not got them.
pub(super) fn expand<G: Game>(
    tree: &mut Arena<Way<G::Action>>,
    node: u32,
    game: &G,
    state: &G::State,
    legal: &mut Vec<G::Action>,
) {
    if !tree.nodes[node as usize].is_expanded() {
        game.actions(state, legal);
        tree.expand(node, legal.iter().map(|&action| Way { action, child: NONE }), false);
        tree.keep_deviations();
    }
}

impl<G: Game> Frame<G> {
    pub(super) fn new(level: Level, root: &G::State) -> Self {
        let place = || Place { state: root.clone(), value: 0.0, weight: 1.0 };
        Frame {
            level,
            bandit: Bandit::tuned(level.c, level.scale, level.untried),
            tree: Arena::default(),
            here: place(),
            node: ROOT,
            made: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
            leaf: place(),
            best: f64::NEG_INFINITY,
            best_moves: Vec::new(),
            done: 0,
            goal: None,
            began: Instant::now(),
        }
    }

    /// The node below an edge, and whether it was only just added.
    pub(super) fn below(&mut self, edge: u32) -> (u32, bool) {
        let child = self.tree.edges[edge as usize].own.child;
        if child != NONE {
            return (child, false);
        }
        let added = self.tree.add_node();
        self.tree.edges[edge as usize].own.child = added;
        (added, true)
    }

    /// The action at `here` that was tried most often; of equals the one of higher value.
    pub(super) fn most_sampled(&self) -> Option<G::Action> {
        let edges = self.tree.edges_of(self.node).iter();
        let most = edges.max_by(|a, b| a.visits.cmp(&b.visits).then(a.mean.total_cmp(&b.mean)));
        most.map(|edge| edge.own.action)
    }
}
