//! What a search in progress answers: its counts, its estimates, its recommendation.

use patience_model::{Game, Rng};

use super::Recommend;
use super::episode::{Backed, Tally, UctSearch};
use super::leaf::Leaf;
use super::merge::Merge;
use super::tree::{NONE, ROOT};
use crate::{Branch, Counts, Estimate, Root, Search, StandardError, Status, Stepped};

impl<G: Game, L: Leaf<G>, M: Merge<G>> UctSearch<'_, G, L, M> {
    /// The place of an action in the game's order.
    fn place(&self, action: G::Action) -> usize {
        let found = self.root_actions.iter().position(|&other| other == action);
        found.expect("a root action depends on what the player knows only")
    }

    /// Adds the root values of the tree in hand.
    fn tally(&self, tallies: &mut [Tally]) {
        for edge in &self.tree.edges[self.tree.nodes[ROOT as usize].tried_edges()] {
            let tally = &mut tallies[self.place(edge.action)];
            tally.visits += u64::from(edge.visits);
            tally.trees += 1;
            let before = edge.mean - tally.mean;
            tally.mean += before / f64::from(tally.trees);
            tally.deviation += before * (edge.mean - tally.mean);
        }
    }

    /// Closes the tree in hand.
    fn harvest(&mut self) {
        let mut tallies = std::mem::take(&mut self.tallies);
        self.tally(&mut tallies);
        self.tallies = tallies;
        self.finished_trees += 1;
        self.finished_nodes += self.tree.nodes.len() as u64;
    }

    /// Whether the tree in hand is one that is not in the tallies yet.
    fn growing(&self) -> bool {
        self.finished_trees < self.settings.trees
    }

    fn is_complete(&self) -> bool {
        self.root_actions.is_empty() || !self.growing()
    }
}

/// The error of a mean of `samples` with this sum of squared deviations.
fn standard_error(deviation: f64, samples: u64) -> Option<StandardError> {
    let freedom = samples.checked_sub(1).filter(|&freedom| freedom > 0)?;
    let variance = deviation.max(0.0) / freedom as f64;
    Some(StandardError { value: (variance / samples as f64).sqrt(), freedom })
}

impl<G: Game, L: Leaf<G>, M: Merge<G>> Stepped for UctSearch<'_, G, L, M> {
    fn step(&mut self) -> Status {
        if self.is_complete() {
            return Status::Complete;
        }
        self.episode();
        self.iterations += 1;
        self.tree_iterations += 1;
        if self.settings.trajectories == Some(self.tree_iterations) {
            self.harvest();
            if !self.growing() {
                return Status::Complete;
            }
            self.plant();
        }
        Status::Running
    }

    fn counts(&self) -> Counts {
        let side =
            self.deviations.len() * size_of::<f64>() + self.backed.len() * size_of::<Backed>();
        let growing = if self.growing() { self.tree.nodes.len() as u64 } else { 0 };
        Counts {
            iterations: self.iterations,
            model_calls: self.workspace.model_calls,
            nodes: self.finished_nodes + growing,
            bytes: self.tree.bytes() + M::bytes(&self.merged) + side as u64,
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
            for index in self.tree.nodes[ROOT as usize].tried_edges() {
                let edge = &self.tree.edges[index];
                let deviation = self.deviations.get(index);
                errors[self.place(edge.action)] =
                    deviation.and_then(|&d| standard_error(d, u64::from(edge.visits)));
            }
        }
        let estimate = |(place, tally): (usize, &Tally)| {
            let value = (tally.trees > 0).then_some(tally.mean);
            // Trees are independent, the episodes of a tree that learns are not.
            let error = standard_error(tally.deviation, u64::from(tally.trees)).or(errors[place]);
            Estimate::new(self.root_actions[place], value, tally.visits).with_error(error)
        };
        tallies.iter().enumerate().map(estimate).collect()
    }

    fn best(&self) -> Option<G::Action> {
        let root = self.tree.nodes[ROOT as usize];
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
        let order = &self.tree.edges[root.first as usize..][..root.len() as usize];
        let rank = |action| order.iter().position(|edge| edge.action == action);
        estimates.sort_by_key(|estimate| rank(estimate.action));
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
        self.tree.branches(ROOT, depth)
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
        let here = self.tree.nodes[ROOT as usize];
        let played = here.tried_edges().find(|&edge| self.tree.edges[edge].action == action);
        let child = played.map_or(NONE, |edge| self.tree.child(edge as u32, obs));
        if child == NONE {
            return false;
        }
        let subtree = self.tree.subtree(child);
        M::descend(&mut self.merged, &subtree.nodes);
        let kept = |old: &u32| self.deviations.get(*old as usize).copied();
        // Where only the old root's deviations were kept, those of the new one are not known.
        self.deviations = subtree.edges.iter().map_while(kept).collect();
        if self.settings.backup.of_actions() {
            let mut backed = vec![Backed::default(); subtree.tree.nodes.len()];
            for (&old, &new) in &subtree.nodes {
                backed[new as usize] = self.backed[old as usize];
            }
            self.backed = backed;
        }
        self.tree = subtree.tree;
        self.root = root;
        if !self.tree.nodes[ROOT as usize].is_expanded() {
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
