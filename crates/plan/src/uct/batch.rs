//! Many episodes under way at once: leaves are gathered from one tree and valued together.
//!
//! An episode under way counts as a try of every action it took, worth the action's value less the
//! virtual loss (0: WU-UCT, Liu et al. 2020), so that the next ones spread out. Leaves are backed up in
//! the order in which they were reached: a result depends on the size of the batch, never on threads.

use patience_model::Game;

use super::episode::{Move, Reached, UctSearch};
use super::leaf::{Judged, Leaf};
use super::merge::Merge;
use crate::tree::{NONE, ROOT};

/// An episode under way.
pub(super) struct Flight {
    path: Vec<Move>,
    /// The leaf; [`NONE`] beyond the last node.
    leaf: u32,
}

/// Episodes under way, and the leaves that they reached.
pub(super) struct Flights<G: Game> {
    gathered: Vec<Flight>,
    leaves: Vec<Judged<G>>,
    /// Those whose leaves are being valued by other threads.
    waiting: Vec<Flight>,
    /// Paths of earlier episodes, for their memory.
    spare: Vec<Vec<Move>>,
    /// After so many episodes none is left under way.
    pub(super) flush_at: Option<u64>,
    /// Whether the leaves are to be judged by whoever steps the search.
    asked: bool,
}

impl<G: Game> Default for Flights<G> {
    fn default() -> Self {
        Flights {
            gathered: Vec::new(),
            leaves: Vec::new(),
            waiting: Vec::new(),
            spare: Vec::new(),
            flush_at: None,
            asked: false,
        }
    }
}

impl<G: Game> Flights<G> {
    /// Forgets those under way.
    pub(super) fn clear(&mut self) {
        self.gathered.clear();
        self.leaves.clear();
        self.waiting.clear();
        self.asked = false;
    }

    /// Whether there are leaves that whoever steps the search must judge.
    pub(super) fn are_asked(&self) -> bool {
        self.asked
    }

    /// Those leaves; a game may be over in some of them.
    pub(super) fn asked(&mut self) -> &mut [Judged<G>] {
        if self.asked { &mut self.leaves } else { &mut [] }
    }
}

impl<G: Game, L: Leaf<G>, M: Merge<G>> UctSearch<'_, G, L, M> {
    /// Sends one more episode down the tree, and values the leaves once there are enough.
    pub(super) fn launch(&mut self) {
        self.path = self.flights.spare.pop().unwrap_or_default();
        self.path.clear();
        match self.descend::<false>() {
            Reached::Known(value) => {
                self.ascend::<false>(value);
                self.flights.spare.push(std::mem::take(&mut self.path));
            }
            Reached::Leaf(leaf, state) => {
                for step in &self.path {
                    self.extras.flying[step.edge as usize] += 1;
                }
                let mut legal = Vec::new();
                if self.leaf.judges() {
                    if leaf != NONE && !self.tree.arena.nodes[leaf as usize].is_expanded() {
                        self.expand(leaf, &state);
                    }
                    self.game.actions(&state, &mut legal);
                }
                let path = std::mem::take(&mut self.path);
                self.flights.gathered.push(Flight { path, leaf });
                self.flights.leaves.push(Judged { state, legal, value: 0.0, priors: Vec::new() });
            }
        }
        let full = self.flights.gathered.len() >= self.settings.batch as usize;
        let flush = [self.flights.flush_at, self.settings.iterations];
        // The episode in hand is counted after this.
        if flush[0] == Some(self.iterations + 1) || flush[1] == Some(self.tree_iterations + 1) {
            self.hand_over();
            self.land();
        } else if full {
            self.hand_over();
        }
    }

    /// Has the gathered leaves valued: by other threads while more are gathered, or at once.
    fn hand_over(&mut self) {
        let mut leaves = std::mem::take(&mut self.flights.leaves);
        if self.waits {
            std::mem::swap(&mut self.flights.waiting, &mut self.flights.gathered);
            self.flights.asked = leaves.iter().any(|judged| !judged.legal.is_empty());
            self.flights.leaves = leaves;
            if !self.flights.asked {
                self.take_answers();
            }
        } else if let Some(pool) = self.pool.clone() {
            self.land();
            pool.submit(leaves, &mut self.workspace.rng);
            std::mem::swap(&mut self.flights.waiting, &mut self.flights.gathered);
        } else {
            self.leaf.judge(self.game, &mut leaves, &mut self.workspace);
            std::mem::swap(&mut self.flights.waiting, &mut self.flights.gathered);
            self.back_up(&mut leaves);
            leaves.clear();
            self.flights.leaves = leaves;
        }
    }

    /// Has the root judged by whoever steps the search, before its first episode.
    pub(super) fn ask_of_root(&mut self, state: G::State) {
        self.expand(ROOT, &state);
        let legal = self.tree.arena.edges_of(ROOT).iter().map(|edge| edge.own.action).collect();
        self.flights.gathered.push(Flight { path: Vec::new(), leaf: ROOT });
        self.flights.leaves.push(Judged { state, legal, value: 0.0, priors: Vec::new() });
        self.hand_over();
    }

    /// Backs up the leaves that whoever steps the search has judged.
    pub(super) fn take_answers(&mut self) {
        self.flights.asked = false;
        let mut leaves = std::mem::take(&mut self.flights.leaves);
        if let [Flight { leaf: ROOT, .. }] = self.flights.waiting[..] {
            self.flights.waiting.clear();
            self.keep_priors(ROOT, &leaves[0]);
            self.line_up();
            // The budget was told before there was anybody to race.
            self.plan_race();
        } else {
            self.back_up(&mut leaves);
        }
        leaves.clear();
        self.flights.leaves = leaves;
    }

    /// Waits for the leaves that other threads value, and backs them up.
    fn land(&mut self) {
        if self.flights.waiting.is_empty() {
            return;
        }
        if let Some(pool) = self.pool.clone() {
            let mut leaves = pool.collect(self.game, &mut self.workspace.model_calls);
            self.back_up(&mut leaves);
        }
    }

    fn back_up(&mut self, leaves: &mut [Judged<G>]) {
        let mut waiting = std::mem::take(&mut self.flights.waiting);
        for (Flight { path, leaf }, judged) in waiting.drain(..).zip(leaves) {
            for step in &path {
                self.extras.flying[step.edge as usize] -= 1;
            }
            if leaf != NONE {
                self.keep_priors(leaf, judged);
                self.backups.leaf(&self.tree.arena, leaf, judged.value);
            }
            self.path = path;
            self.ascend::<false>(judged.value);
            self.flights.spare.push(std::mem::take(&mut self.path));
        }
        self.flights.waiting = waiting;
    }

    /// Keeps priors of a node, some of whose actions other episodes may have tried meanwhile.
    fn keep_priors(&mut self, leaf: u32, judged: &Judged<G>) {
        if judged.priors.len() != judged.legal.len() || judged.priors.is_empty() {
            return;
        }
        let edges = self.tree.arena.edges_of(leaf).iter();
        let prior = |action: G::Action| {
            let place = judged.legal.iter().position(|&other| other == action);
            place.map_or(0.0, |place| judged.priors[place])
        };
        let priors: Vec<f32> = edges.map(|edge| prior(edge.own.action)).collect();
        self.take_priors(leaf, &priors);
    }
}
