//! What a search in progress answers: its counts, its estimates, its recommendation.

use patience_model::{Game, Rng};

use super::episode::{Tally, UctSearch};
use super::leaf::{Judged, Leaf};
use super::merge::Merge;
use super::settings::{Range, Recommend, RootRule};
use super::tree::Way;
use crate::search::share_of_visits;
use crate::tree::{Arena, Average, NONE, ROOT, Selection};
use crate::{
    Branch, Budget, Cancel, Counts, Estimate, Root, Search, Stats, Status, Stepped, drive,
};

/// What trees say together of each action.
pub(super) fn estimates_of<A: Copy>(actions: &[A], tallies: &[Tally]) -> Vec<Estimate<A>> {
    let estimate = |(&action, tally): (&A, &Tally)| {
        // Trees are independent, the episodes of a tree that learns are not.
        let error = tally.trees.standard_error();
        Estimate::new(action, tally.trees.value(), tally.visits).with_error(error)
    };
    actions.iter().zip(tallies).map(estimate).collect()
}

/// The recommended action by the values of all trees, of which this is the last.
pub(super) fn best_of<A: Copy + PartialEq, O>(
    mut estimates: Vec<Estimate<A>>,
    last: &Arena<Way<A, O>>,
    recommend: Recommend,
) -> Option<A> {
    let sign = last.nodes[ROOT as usize].sign();
    let score = |estimate: &Estimate<A>| {
        let value = estimate.value.map_or(f64::NEG_INFINITY, |value| sign * value);
        let visits = if recommend == Recommend::Visits { estimate.visits } else { 0 };
        (visits, value)
    };
    // Of equals the first in the order in which the last tree tried them, which is random.
    let order = last.edges_of(ROOT);
    let rank = |action| order.iter().position(|edge| edge.own.action == action);
    estimates.sort_by_cached_key(|estimate| rank(estimate.action));
    let mut best: Option<&Estimate<A>> = None;
    for estimate in &estimates {
        if best.is_none_or(|best| score(estimate) > score(best)) {
            best = Some(estimate);
        }
    }
    best.map(|estimate| estimate.action)
}

impl<G: Game, L: Leaf<G>, M: Merge<G>> UctSearch<'_, G, L, M> {
    /// The place of an action in the game's order.
    fn place(&self, action: G::Action) -> usize {
        let found = self.root_actions.iter().position(|&other| other == action);
        found.expect("a root action depends on what the player knows only")
    }

    /// Adds the root values of the tree in hand.
    pub(super) fn tally(&self, tallies: &mut [Tally]) {
        let tree = &self.tree.arena;
        let tried = &tree.edges[tree.nodes[ROOT as usize].tried_edges()];
        for edge in tried.iter().filter(|edge| edge.visits > 0) {
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
        self.root_actions.is_empty()
            || !self.growing()
            || (!self.plain && self.proven(ROOT).is_some())
    }

    /// After an episode: whether there is more to find out. A tree that has had its episodes gives way to
    /// the next one.
    #[inline(always)]
    fn close(&mut self) -> Status {
        if !self.plain && self.proven(ROOT).is_some() {
            return Status::Complete;
        }
        if self.settings.iterations == Some(self.tree_iterations) {
            self.harvest();
            if !self.growing() {
                return Status::Complete;
            }
            self.plant();
        }
        Status::Running
    }

    /// Plans the race at the root, if there is one, for the episodes that are left.
    pub(super) fn plan_race(&mut self) {
        if let Some(race) = &mut self.extras.race {
            let most = [self.flights.flush_at, self.settings.iterations].into_iter().flatten();
            race.plan(most.min().map(|most| most.saturating_sub(self.iterations)));
        }
    }

    /// What is proven of a root action: the ends between which its value lies, where one is known.
    fn proven_bounds(&self, edge: usize) -> Option<Range> {
        self.settings.prove?;
        let Range { low, high } = self.extras.proof.edge(edge);
        (low.is_finite() || high.is_finite()).then_some(Range { low, high })
    }

    /// What a root action is judged by, in the eyes of the player to move: actions that others are
    /// proven to be at least as good as come last, those out of the race before them.
    fn judgement(&self, edge: usize) -> (bool, bool, u32, f64) {
        let tree = &self.tree.arena;
        let (root, known) = (tree.nodes[ROOT as usize], &tree.edges[edge]);
        let sign = root.sign();
        let dominated = self.settings.prove.is_some() && {
            let surely = self.extras.proof.surely(tree, ROOT);
            self.extras.proof.is_dominated(edge, sign, surely)
        };
        if let Some(race) = &self.extras.race {
            let runner = race.running().find(|runner| runner.0 == edge as u32);
            let score = runner.map(|(edge, head_start)| self.race_score(edge, head_start));
            let runs = score.is_some() && known.visits > 0;
            return (!dominated, runs, 0, score.unwrap_or(f64::NEG_INFINITY));
        }
        let exact = self.proven_bounds(edge).filter(|range| range.low == range.high);
        let value = match exact {
            Some(range) => sign * range.low,
            None if known.visits == 0 => f64::NEG_INFINITY,
            None => sign * known.mean,
        };
        match self.settings.recommend {
            Recommend::Value => (!dominated, true, 0, value),
            // What is proven to be best need not be tried often.
            Recommend::Visits => {
                let proven = exact.is_some() && self.proven(ROOT).is_some();
                (!dominated, proven, known.visits, value)
            }
            Recommend::LowerBound => {
                let error = tree.average(edge).as_ref().and_then(Average::standard_error);
                let value = match (exact, error) {
                    (Some(_), _) => value,
                    (None, Some(error)) => value - 1.96 * error.value,
                    (None, None) => f64::NEG_INFINITY,
                };
                (!dominated, true, 0, value)
            }
        }
    }
}

impl<G: Game, L: Leaf<G>, M: Merge<G>> Stepped for UctSearch<'_, G, L, M> {
    fn step(&mut self) -> Status {
        if self.flights.are_asked() {
            return Status::Running;
        }
        if self.is_complete() {
            return Status::Complete;
        }
        if self.settings.batch == 1 && !self.waits {
            self.episode();
        } else {
            self.launch();
        }
        self.iterations += 1;
        self.tree_iterations += 1;
        if self.flights.are_asked() { Status::Running } else { self.close() }
    }

    fn within(&mut self, budget: &Budget) {
        self.flights.flush_at = budget.iterations;
        self.plan_race();
    }

    fn drive(&mut self, budget: &Budget, cancel: &Cancel) -> Stats {
        let Some(pool) = self.pool.clone() else { return drive(self, budget, cancel) };
        let (game, mut stats) = (self.game, None);
        pool.run_beside(game, &mut || stats = Some(drive(self, budget, cancel)));
        stats.expect("whoever leads is called")
    }

    fn counts(&self) -> Counts {
        let growing = if self.growing() { self.tree.arena.nodes.len() as u64 } else { 0 };
        let beside =
            if self.plain { 0 } else { self.extras.bytes() + self.workspace.learnt.bytes() };
        Counts {
            iterations: self.iterations,
            model_calls: self.workspace.model_calls,
            nodes: self.finished_nodes + growing,
            bytes: self.tree.bytes() + M::bytes(&self.merged) + self.backups.bytes() + beside,
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
        let mut estimates = estimates_of(&self.root_actions, &tallies);
        for (estimate, error) in estimates.iter_mut().zip(errors) {
            estimate.error = estimate.error.or(error);
        }
        if self.settings.prove.is_some() {
            for edge in self.tree.arena.nodes[ROOT as usize].tried_edges() {
                let Some(Range { low, high }) = self.proven_bounds(edge) else { continue };
                let estimate = &mut estimates[self.place(self.tree.arena.edges[edge].own.action)];
                estimate.low = low.is_finite().then_some(low);
                estimate.high = high.is_finite().then_some(high);
                if low == high {
                    (estimate.value, estimate.proven) = (Some(low), true);
                }
            }
        }
        estimates
    }

    fn best(&self) -> Option<G::Action> {
        // Of equals the first in the tree's order: that in which they were tried, which is random.
        let (arena, mut best) = (&self.tree.arena, None);
        if self.settings.trees > 1 {
            return best_of(self.estimates(), arena, self.settings.recommend);
        }
        for edge in arena.nodes[ROOT as usize].edges() {
            let own = self.judgement(edge);
            if best.is_none_or(|(judgement, _)| own > judgement) {
                best = Some((own, edge));
            }
        }
        best.map(|(_, edge)| arena.edges[edge].own.action)
    }

    fn policy(&self) -> Vec<f64> {
        let scale = match (self.settings.root, self.settings.selection) {
            (RootRule::Gumbel { scale, .. }, _) | (_, Selection::Improved { scale }) => scale,
            _ => return share_of_visits(&self.estimates()),
        };
        let root = self.tree.arena.nodes[ROOT as usize];
        let mut improved = Vec::new();
        self.improved_policy(root, scale, root.len(), &mut improved);
        let mut policy = vec![0.0; improved.len()];
        for (edge, share) in self.tree.arena.edges_of(ROOT).iter().zip(improved) {
            policy[self.place(edge.own.action)] = share;
        }
        policy
    }

    fn asked(&mut self) -> &mut [Judged<G>] {
        self.flights.asked()
    }

    fn answered(&mut self) {
        if self.flights.are_asked() {
            self.take_answers();
            self.close();
        }
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
