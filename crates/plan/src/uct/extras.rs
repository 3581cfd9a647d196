//! What a search keeps beside the tree, for ingredients that need more than plain UCT does. A plain
//! search never touches it.

use patience_model::{Game, Outcome};
use rustc_hash::FxHashMap;

use super::amaf::Amaf;
use super::entropy::Entropy;
use super::episode::UctSearch;
use super::halving::Halving;
use super::leaf::{Leaf, ListOutcomes};
use super::merge::Merge;
use super::proof::{Proof, Row};
use super::settings::{RootRule, Settings, Widening};
use super::tree::table_bytes;
use crate::Root;
use crate::tree::{Backup, NONE, ROOT, Selection, gumbel};

/// An outcome that is kept by widening.
struct Kept<G: Game> {
    obs: G::Obs,
    reward: f64,
    state: G::State,
    /// How often chance gave it.
    met: u64,
}

pub(super) struct Extras<G: Game> {
    /// How outcomes are listed, where they are.
    list: Option<ListOutcomes<G>>,
    outcomes: Vec<Outcome<G::State, G::Obs>>,
    pub(super) proof: Proof<G::Obs>,
    pub(super) amaf: Amaf<G::Action>,
    /// Of the search policy below nodes and edges.
    pub(super) entropy: Entropy,
    /// The node whose shared statistics are used: the last that was visited often enough.
    pub(super) reference: u32,
    /// The race of the root's actions.
    pub(super) race: Option<Halving>,
    kept: FxHashMap<u32, Vec<Kept<G>>>,
    /// How many outcomes are kept.
    kept_outcomes: usize,
    /// Episodes under way by edge.
    pub(super) flying: Vec<u32>,
    /// By depth, what a node of the episode is worth by a proven action that was passed over.
    pub(super) instead: Vec<(u32, f64)>,
    /// A buffer for policies.
    pub(super) policy: Vec<f64>,
}

impl<G: Game> Extras<G> {
    pub(super) fn new(settings: &Settings, list: Option<ListOutcomes<G>>) -> Self {
        Extras {
            list: list.filter(|_| settings.lists()),
            outcomes: Vec::new(),
            proof: Proof::new(settings.prove),
            amaf: Amaf::default(),
            entropy: Entropy::default(),
            reference: ROOT,
            race: None,
            kept: FxHashMap::default(),
            kept_outcomes: 0,
            flying: Vec::new(),
            instead: Vec::new(),
            policy: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.proof.clear();
        self.amaf.clear();
        self.entropy.clear();
        self.kept.clear();
        self.kept_outcomes = 0;
        self.flying.clear();
        self.race = None;
    }

    /// What the node at this depth is worth instead of what the episode came to, if a proven action was
    /// passed over there.
    pub(super) fn taken_instead(&mut self, depth: u32) -> Option<f64> {
        self.instead.pop_if(|(at, _)| *at == depth).map(|(_, value)| value)
    }

    pub(super) fn bytes(&self) -> u64 {
        let kept = (self.kept_outcomes * size_of::<Kept<G>>()) as u64
            + table_bytes::<u32, Vec<Kept<G>>>(self.kept.len());
        let flying = (self.flying.len() * size_of::<u32>()) as u64;
        self.proof.bytes() + self.amaf.bytes() + self.entropy.bytes() + kept + flying
    }
}

impl<G: Game, L: Leaf<G>, M: Merge<G>> UctSearch<'_, G, L, M> {
    /// A node has got its edges.
    pub(super) fn expanded(&mut self, node: u32) {
        if self.settings.lists() {
            self.extras.proof.grow(&self.tree.arena);
            if self.tree.arena.nodes[node as usize].is_empty() {
                self.extras.proof.is_over(node);
            }
        }
        if self.settings.batch > 1 || self.waits {
            self.extras.flying.resize(self.tree.arena.edges.len(), 0);
        }
    }

    /// The root has got its edges: its actions line up for the race, if there is one.
    pub(super) fn line_up(&mut self) {
        let arena = &mut self.tree.arena;
        let root = arena.nodes[ROOT as usize];
        let rng = &mut self.workspace.rng;
        let (most, noise) = match self.settings.root {
            RootRule::AsBelow => return,
            RootRule::Halving => (usize::MAX, false),
            RootRule::Gumbel { considered, .. } => (considered as usize, true),
        };
        let even = (1.0 / f64::from(root.len().max(1))).ln();
        let runners = root.edges().map(|edge| {
            let logit = arena.prior(edge).map_or(even, f64::ln);
            // Where the prior plays no part the order of the race does not matter.
            (edge as u32, if noise { gumbel(rng) + logit } else { rng.unit() })
        });
        let mut race = Halving::new(runners, most);
        race.plan(self.settings.iterations);
        self.extras.race = Some(race);
        // Each edge of the race keeps its place.
        arena.nodes[ROOT as usize].tried = root.len();
    }

    /// Plays an edge's action, and keeps what ingredients need of it.
    #[inline(never)]
    pub(super) fn play_extra(&mut self, state: &mut G::State, edge: u32) -> (f64, G::Obs) {
        if let Some(list) = self.extras.list
            && !self.extras.proof.is_listed(edge)
        {
            let action = self.tree.arena.edges[edge as usize].own.action;
            list(self.game, state, action, &mut self.extras.outcomes);
            self.workspace.model_calls += 1;
            let rows = self.extras.outcomes.drain(..).map(|outcome| Row {
                probability: outcome.probability,
                reward: outcome.step.reward,
                obs: outcome.step.obs,
                child: NONE,
            });
            self.extras.proof.list(edge, rows);
        }
        match self.settings.widen_outcomes {
            Some(widening) => self.play_widened(state, edge, widening),
            None => self.play(state, edge),
        }
    }

    /// Double progressive widening (Couëtoux et al. 2011): a new outcome if there may be one more, else
    /// one of those kept, as often as chance gave it. To be met again does not count: what came early
    /// would grow on itself.
    ///
    /// Of a belief it is the observation that is kept, and with it what the player then knows (PFT-DPW,
    /// Sunberg and Kochenderfer 2018, the belief exact): the state after it is drawn from that anew, and the
    /// reward is that of the state before.
    fn play_widened(&mut self, state: &mut G::State, edge: u32, w: Widening) -> (f64, G::Obs) {
        let tries = self.tree.arena.edges[edge as usize].visits.saturating_add(1);
        let known = self.extras.kept.entry(edge).or_default();
        if known.len() >= w.at(tries) as usize {
            let met: u64 = known.iter().map(|kept| kept.met).sum();
            let mut left = self.workspace.rng.below(met);
            let drawn = known.iter().position(|kept| {
                let here = left < kept.met;
                left = left.saturating_sub(kept.met);
                here
            });
            let drawn = drawn.expect("a draw below the sum lies in one of its parts");
            let Root::Belief(belief) = &self.root else {
                let kept = &known[drawn];
                state.clone_from(&kept.state);
                return (kept.reward, kept.obs);
            };
            let rng = &mut self.workspace.rng;
            if let Some(after) = belief.redraw(self.game, &known[drawn].state, rng) {
                let obs = known[drawn].obs;
                let (reward, _) = self.play(state, edge);
                *state = after;
                return (reward, obs);
            }
        }
        let (reward, obs) = self.play(state, edge);
        let known = self.extras.kept.entry(edge).or_default();
        match known.iter_mut().find(|kept| kept.obs == obs) {
            Some(kept) => kept.met += 1,
            None => {
                known.push(Kept { obs, reward, state: state.clone(), met: 1 });
                self.extras.kept_outcomes += 1;
            }
        }
        (reward, obs)
    }

    /// An edge led to a node for the first time.
    pub(super) fn linked(&mut self, edge: u32, obs: G::Obs, child: u32, state: &G::State) {
        if self.settings.lists() {
            let proof = &mut self.extras.proof;
            proof.grow(&self.tree.arena);
            proof.link(edge, obs, child);
            if self.settings.prove.is_some() {
                self.game.actions(state, &mut self.workspace.legal);
                if self.workspace.legal.is_empty() {
                    proof.is_over(child);
                }
            }
        }
    }

    /// The exact value of a node, where it is proven.
    pub(super) fn proven(&self, node: u32) -> Option<f64> {
        self.settings.prove.and_then(|_| self.extras.proof.value(node))
    }

    /// An episode went back over an edge that is updated: what else is learnt from it.
    pub(super) fn learn(&mut self, node: u32, edge: u32, child: u32, value: f64) {
        let discount = self.game.discount();
        let arena = &mut self.tree.arena;
        if self.settings.backup == Backup::Bellman {
            let rows = self.extras.proof.rows(edge).iter().filter(|row| row.child != NONE);
            let (mut sum, mut seen) = (0.0, 0.0);
            for row in rows {
                let worth = row.reward + discount * self.backups.value(row.child);
                sum += row.probability * worth;
                seen += row.probability;
            }
            if seen > 0.0 {
                arena.edges[edge as usize].mean = sum / seen;
            }
        }
        if self.settings.prove.is_some() {
            self.extras.proof.update(arena, node, edge, discount);
        }
        if matches!(self.settings.selection, Selection::Dents { .. }) {
            self.extras.entropy.update(arena, node, edge, child, self.settings.selection);
        }
        if self.settings.rave.is_some() {
            let played =
                (arena.nodes[node as usize].minimising(), arena.edges[edge as usize].own.action);
            self.extras.amaf.add(node, played, value);
        }
    }
}
