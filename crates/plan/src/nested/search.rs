//! The nested search, one base rollout per step.
//!
//! The paper's recursion (Listing 2) is kept as a stack of levels, so that a search can be stopped,
//! asked and run on after any rollout, however deeply it is nested.

use std::time::Instant;

use patience_model::{Game, Rng};

use super::BasePolicy;
use super::frame::{Frame, Place, Way, expand};
use super::settings::{Advance, Choice, Level, Limit, NestedSettings};
use super::solution::Solution;
use crate::tree::{Edge, ROOT};
use crate::{Counts, Estimate, Finding, Root, Search, Status, Stepped};

/// A nested Monte-Carlo tree search in progress.
pub struct NestedSearch<'g, G: Game, B: BasePolicy<G>> {
    game: &'g G,
    settings: NestedSettings,
    base: B,
    memory: B::Memory,
    root: G::State,
    rng: Rng,
    /// From level 1 up.
    frames: Vec<Frame<G>>,
    /// The level that plays next, as an index into `frames`.
    current: usize,
    /// Whether the highest level must be started.
    fresh: bool,
    legal: Vec<G::Action>,
    rollout: Vec<G::Action>,
    best: Option<Solution<G::Action>>,
    starts: u64,
    counts: Counts,
}

impl<G: Game, B: BasePolicy<G>> std::fmt::Debug for NestedSearch<'_, G, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NestedSearch")
            .field("settings", &self.settings)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl<'g, G: Game, B: BasePolicy<G>> NestedSearch<'g, G, B> {
    pub(super) fn new(
        settings: NestedSettings,
        base: B,
        game: &'g G,
        root: &Root<G>,
        mut rng: Rng,
    ) -> Self {
        let root = root.sample(game, &mut rng);
        let frame = |&level: &Level| Frame::new(level, &root);
        let frames: Vec<_> = settings.levels.iter().map(frame).collect();
        NestedSearch {
            current: frames.len() - 1,
            memory: base.begin(game, &root),
            game,
            settings,
            base,
            root,
            rng,
            frames,
            fresh: true,
            legal: Vec::new(),
            rollout: Vec::new(),
            best: None,
            starts: 0,
            counts: Counts::default(),
        }
    }

    /// Starts a search of this level from a place.
    fn start(&mut self, level: usize, place: Place<G::State>) {
        if level == 0 {
            self.memory = self.base.begin(self.game, &place.state);
        }
        let frame = &mut self.frames[level];
        self.counts.nodes += 1;
        frame.tree.clear();
        frame.node = frame.tree.add_node();
        frame.here = place;
        frame.made.clear();
        frame.best = f64::NEG_INFINITY;
        frame.best_moves.clear();
        self.decide(level);
        self.current = level;
    }

    /// Begins the decision at `here`.
    fn decide(&mut self, level: usize) {
        let frame = &mut self.frames[level];
        expand(&mut frame.tree, frame.node, self.game, &frame.here.state, &mut self.legal);
        let legal = u64::from(frame.tree.nodes[frame.node as usize].len());
        frame.done = 0;
        frame.goal = match frame.level.limit {
            Limit::Iterations(n) => Some(n),
            Limit::PerAction(n) => Some(u64::from(n) * legal),
            Limit::Time(_) => None,
        };
        if frame.goal.is_none() {
            frame.began = Instant::now();
        }
    }

    /// Selection and expansion: from `here` to a state that was not in the tree. Gives whether
    /// the game is over there.
    fn descend(&mut self, level: usize) -> bool {
        let frame = &mut self.frames[level];
        frame.path.clear();
        frame.moves.clear();
        frame.leaf.clone_from(&frame.here);
        let mut node = frame.node;
        loop {
            expand(&mut frame.tree, node, self.game, &frame.leaf.state, &mut self.legal);
            if frame.tree.visit(node).is_empty() {
                return true;
            }
            let (depth, rng) = (frame.path.len() as u32, &mut self.rng);
            let edge = frame.bandit.select(&mut frame.tree, node, depth, rng);
            let action = frame.tree.edges[edge as usize].own.action;
            let step = self.game.step(&mut frame.leaf.state, action, &mut self.rng);
            self.counts.model_calls += 1;
            frame.leaf.value += frame.leaf.weight * step.reward;
            frame.leaf.weight *= self.game.discount();
            frame.path.push(edge);
            frame.moves.push(action);
            let (below, added) = frame.below(edge);
            if added {
                frame.tree.visit(below);
                self.counts.nodes += 1;
                return false;
            }
            node = below;
        }
    }

    /// Takes in the result of the episode in hand, whose last part is `rest`. Gives whether this
    /// search of the level has ended.
    fn deliver(&mut self, level: usize, result: f64, rest: &[G::Action]) -> bool {
        let frame = &mut self.frames[level];
        for &edge in &frame.path {
            frame.tree.add(edge, result);
        }
        if result > frame.best {
            frame.best = result;
            frame.best_moves.clear();
            frame.best_moves.extend_from_slice(&frame.made);
            frame.best_moves.extend_from_slice(&frame.moves);
            frame.best_moves.extend_from_slice(rest);
        }
        frame.done += 1;
        let spent = match (frame.goal, frame.level.limit) {
            (Some(goal), _) => frame.done >= goal,
            (None, Limit::Time(time)) => frame.began.elapsed() >= time,
            (None, _) => true,
        };
        // An episode without a move: the game is over here, and nothing more can be found.
        let spent = spent || frame.path.is_empty();
        spent && !self.advance(level)
    }

    /// Makes the decision at `here`; `false` if the search ends with it.
    fn advance(&mut self, level: usize) -> bool {
        let frame = &mut self.frames[level];
        let Advance::ActionByAction { actions, choice } = frame.level.advance else {
            return false;
        };
        let chosen = match choice {
            Choice::MostSampled => frame.most_sampled(),
            Choice::BestSolution => frame.best_moves.get(frame.made.len()).copied(),
        };
        let Some(action) = chosen else { return false };
        let mut edges = frame.tree.nodes[frame.node as usize].edges();
        let chosen = |&edge: &usize| frame.tree.edges[edge].own.action == action;
        let Some(edge) = edges.find(chosen) else { return false };
        let step = self.game.step(&mut frame.here.state, action, &mut self.rng);
        self.counts.model_calls += 1;
        frame.here.value += frame.here.weight * step.reward;
        frame.here.weight *= self.game.discount();
        frame.made.push(action);
        frame.node = frame.below(edge as u32).0;
        if actions.is_some_and(|n| frame.made.len() >= n as usize) {
            return false;
        }
        self.decide(level);
        let frame = &self.frames[level];
        !frame.tree.nodes[frame.node as usize].is_empty()
    }

    /// Keeps a complete episode if it is the best of all: the episodes in hand of all levels
    /// above, and `rest`.
    fn keep(&mut self, level: usize, result: f64, rest: &[G::Action]) {
        if self.best.as_ref().is_some_and(|best| best.value >= result) {
            return;
        }
        let mut moves = Vec::new();
        for frame in self.frames[level..].iter().rev() {
            moves.extend_from_slice(&frame.made);
            moves.extend_from_slice(&frame.moves);
        }
        moves.extend_from_slice(rest);
        self.best = Some(Solution { value: result, moves });
    }

    fn bytes(&self) -> u64 {
        self.frames.iter().map(|frame| frame.tree.most_bytes()).sum::<u64>()
    }
}

impl<G: Game, B: BasePolicy<G>> NestedSearch<'_, G, B> {
    /// The best solution so far; `None` before the first episode has ended.
    pub fn solution(&self) -> Option<&Solution<G::Action>> {
        self.best.as_ref()
    }
}

impl<G: Game, B: BasePolicy<G>> Stepped for NestedSearch<'_, G, B> {
    /// One base rollout, and all that follows from it on the levels above.
    fn step(&mut self) -> Status {
        if self.fresh {
            if self.settings.starts.is_some_and(|n| self.starts >= n) {
                return Status::Complete;
            }
            self.fresh = false;
            self.starts += 1;
            let top = self.frames.len() - 1;
            self.start(top, Place { state: self.root.clone(), value: 0.0, weight: 1.0 });
        }
        let mut rollout = std::mem::take(&mut self.rollout);
        rollout.clear();
        // Down to level 1, each search starting the next below at its leaf; a game that is over
        // needs no search.
        let mut result = loop {
            let level = self.current;
            let over = self.descend(level);
            let leaf = &self.frames[level].leaf;
            if over {
                break leaf.value;
            }
            if level == 0 {
                let (state, value, weight) = (leaf.state.clone(), leaf.value, leaf.weight);
                let rng = &mut self.rng;
                let rest = self.base.play(&mut self.memory, self.game, state, rng, &mut rollout);
                self.counts.model_calls += rollout.len() as u64;
                let result = value + weight * rest;
                self.base.learn(&mut self.memory, result);
                break result;
            }
            let place = leaf.clone();
            self.start(level - 1, place);
        };
        self.keep(self.current, result, &rollout);
        // Up again: what a search found is the result of the episode above it.
        let mut rest = rollout;
        while self.deliver(self.current, result, &rest) {
            let frame = &mut self.frames[self.current];
            result = frame.best;
            rest.clone_from(&frame.best_moves);
            self.current += 1;
            if self.current == self.frames.len() {
                self.current -= 1;
                self.fresh = true;
                break;
            }
        }
        self.rollout = rest;
        self.counts.iterations += 1;
        self.counts.bytes = self.bytes();
        let ended = self.fresh && self.settings.starts.is_some_and(|n| self.starts >= n);
        if ended { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<G: Game, B: BasePolicy<G>> Search<G> for NestedSearch<'_, G, B> {
    /// Those of the highest level's search in hand (or last ended), at the root.
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let mut legal = Vec::new();
        self.game.actions(&self.root, &mut legal);
        let tree = self.frames.last().filter(|_| self.starts > 0).map(|frame| &frame.tree);
        let estimate = |action| {
            let unknown = Estimate::untried(action);
            let Some(tree) = tree else { return unknown };
            let tried = |e: &&Edge<Way<G::Action>>| e.own.action == action && e.visits > 0;
            let Some(edge) = tree.edges_of(ROOT).iter().find(tried) else { return unknown };
            let visits = u64::from(edge.visits);
            Estimate::new(action, Some(edge.mean), visits)
        };
        Solution::known(self.best.as_ref(), legal.into_iter().map(estimate).collect())
    }

    fn finding(&self) -> Finding<G::Action> {
        Solution::finding(self.best.as_ref())
    }

    /// The first move of the best solution.
    fn best(&self) -> Option<G::Action> {
        match &self.best {
            Some(best) => best.moves.first().copied(),
            None => {
                let mut legal = Vec::new();
                self.game.actions(&self.root, &mut legal);
                legal.first().copied()
            }
        }
    }
}
