//! What a search in progress answers: its counts, its estimates, its recommendation.

use patience_model::{Game, Rng};

use super::Recommend;
use super::episode::{Tally, UctSearch};
use super::leaf::Leaf;
use super::merge::Merge;
use crate::tree::{Average, NONE, ROOT};
use crate::{Branch, Counts, Estimate, Root, Search, Status, Stepped};

impl<G: Game, L: Leaf<G>, M: Merge<G>> UctSearch<'_, G, L, M> {
    /// The place of an action in the game's order.
    fn place(&self, action: G::Action) -> usize {
        let found = self.root_actions.iter().position(|&other| other == action);
        found.expect("a root action depends on what the player knows only")
    }

    /// Adds the root values of the tree in hand.
    fn tally(&self, tallies: &mut [Tally]) {
        let tree = &self.tree.arena;
        for edge in &tree.edges[tree.nodes[ROOT as usize].tried_edges()] {
            let tally = &mut tallies[self.place(edge.own.action)];
            tally.visits += u64::from(edge.visits);
            tally.trees.add(edge.mean);
        }
    }

    /// Closes the tree in hand.
    fn harvest(&mut self) {
        let mut tallies = std::mem::take(&mut self.tallies);
        self.tally(&mut tallies);
        self.tallies = tallies;
        self.finished_trees += 1;
        self.finished_nodes += self.tree.arena.nodes.len() as u64;
    }

    /// Whether the tree in hand is one that is not in the tallies yet.
    fn growing(&self) -> bool {
        self.finished_trees < self.settings.trees
    }

    fn is_complete(&self) -> bool {
        self.root_actions.is_empty() || !self.growing()
    }
}

impl<G: Game, L: Leaf<G>, M: Merge<G>> Stepped for UctSearch<'_, G, L, M> {
    fn step(&mut self) -> Status {
        if self.is_complete() {
            return Status::Complete;
        }
        self.episode();
        self.iterations += 1;
        self.tree_iterations += 1;
        if self.settings.iterations == Some(self.tree_iterations) {
            self.harvest();
            if !self.growing() {
                return Status::Complete;
            }
            self.plant();
        }
        Status::Running
    }

    fn counts(&self) -> Counts {
        let growing = if self.growing() { self.tree.arena.nodes.len() as u64 } else { 0 };
        Counts {
            iterations: self.iterations,
            model_calls: self.workspace.model_calls,
            nodes: self.finished_nodes + growing,
            bytes: self.tree.bytes() + M::bytes(&self.merged) + self.backups.bytes(),
        }
    }
}

impl<G: Game, L: Leaf<G>, M: Merge<G>> Search<G> for UctSearch<'_, G, L, M> {
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let mut tallies = self.tallies.clone();
        let mut errors = vec![None; tallies.len()];
        // A young tree would weigh as much as a finished one, so it counts only if it is the first.
        if self.finished_trees == 0 {
            self.tally(&mut tallies);
        }
        if self.settings.independent() && self.settings.trees == 1 {
            let tree = &self.tree.arena;
            for edge in tree.nodes[ROOT as usize].tried_edges() {
                let error = tree.average(edge).as_ref().and_then(Average::standard_error);
                errors[self.place(tree.edges[edge].own.action)] = error;
            }
        }
        let estimate = |(place, tally): (usize, &Tally)| {
            // Trees are independent, the episodes of a tree that learns are not.
            let error = tally.trees.standard_error().or(errors[place]);
            let value = tally.trees.value();
            Estimate::new(self.root_actions[place], value, tally.visits).with_error(error)
        };
        tallies.iter().enumerate().map(estimate).collect()
    }

    fn best(&self) -> Option<G::Action> {
        let root = self.tree.arena.nodes[ROOT as usize];
        let sign = if root.minimising() { -1.0 } else { 1.0 };
        let score = |estimate: &Estimate<G::Action>| {
            let value = estimate.value.map_or(f64::NEG_INFINITY, |value| sign * value);
            match self.settings.recommend {
                Recommend::Value => (value, 0),
                Recommend::Visits => (value, estimate.visits),
            }
        };
        // Of equals the first in the tree's order: that in which they were tried, which is random.
        let mut estimates = self.estimates();
        let order = self.tree.arena.edges_of(ROOT);
        let rank = |action| order.iter().position(|edge| edge.own.action == action);
        estimates.sort_by_cached_key(|estimate| rank(estimate.action));
        let mut best: Option<Estimate<G::Action>> = None;
        for estimate in estimates {
            let better = best.as_ref().is_none_or(|best| {
                let ((v, n), (w, m)) = (score(&estimate), score(best));
                n > m || (n == m && v > w)
            });
            if better {
                best = Some(estimate);
            }
        }
        best.map(|estimate| estimate.action)
    }

    fn tree(&self, depth: u32) -> Vec<Branch<G::Action, G::Obs>> {
        self.tree.branches(ROOT, depth, &self.bandit)
    }

    fn restart(&mut self, root: Root<G>, rng: Rng) -> bool {
        self.root = root;
        self.workspace.rng = rng;
        self.begin();
        true
    }

    fn advance(&mut self, action: G::Action, obs: G::Obs, root: Root<G>) -> bool {
        if !self.settings.advances() {
            return false;
        }
        let here = self.tree.arena.nodes[ROOT as usize];
        let played =
            here.tried_edges().find(|&edge| self.tree.arena.edges[edge].own.action == action);
        let child = played.map_or(NONE, |edge| self.tree.child(edge as u32, obs));
        if child == NONE {
            return false;
        }
        let subtree = self.tree.subtree(child);
        M::descend(&mut self.merged, &subtree.nodes);
        self.backups.moved(&subtree.nodes);
        self.tree = subtree.tree;
        self.root = root;
        if !self.tree.arena.nodes[ROOT as usize].is_expanded() {
            let state = self.root.sample(self.game, &mut self.workspace.rng);
            self.expand(ROOT, &state);
        }
        let state = self.root.sample(self.game, &mut self.workspace.rng);
        self.game.actions(&state, &mut self.workspace.legal);
        self.root_actions.clone_from(&self.workspace.legal);
        self.tallies = vec![Tally::default(); self.root_actions.len()];
        (self.iterations, self.tree_iterations, self.finished_trees) = (0, 0, 0);
        (self.finished_nodes, self.workspace.model_calls) = (0, 0);
        true
    }
}
