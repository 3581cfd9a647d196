//! The search: sampled deals through the tree, each valued by the solver at a leaf.

use patience_model::{Game, Rng};
use patience_plan::Root;
use patience_plan::tree::ucb1_bias;

use super::super::Klondike;
use super::super::game::{Action, State, TakingBack};
use super::super::solver::class::send_home;
use super::super::solver::search::{Found, Hunt};
use super::super::solver::state::{Layout, State as Core};
use super::BestSettings;
use super::belief::Belief;
use super::sight::{Sight, face_down};
use super::tree::Tree;
use super::way::Ways;

/// Nodes with which a deal is solved once no card is unknown.
const EXACT: u64 = 100_000;
/// Nodes that may go into such solutions in one decision before they get no more than others.
const EXACT_IN_ALL: u64 = 10 * EXACT;

/// Nodes with which a move is looked at before it is sampled, if all moves are to be judged.
const FIRST_LOOK: u64 = 1_000;

/// A search of [`super::Best`].
#[derive(Debug)]
pub(super) struct BestSearch<'g> {
    pub(super) settings: BestSettings,
    pub(super) game: &'g Klondike,
    rng: Rng,
    /// The position at the root, with nothing known of what lies face down.
    pub(super) state: State,
    pub(super) sight: Sight,
    pub(super) tree: Tree,
    pub(super) root: u32,
    /// The game's actions at the root.
    pub(super) actions: Vec<Action>,
    /// By move of the root, the place of the action that leads to it.
    pub(super) leads: Vec<Option<usize>>,
    hunt: Hunt,
    pub(super) exact: Hunt,
    exact_nodes: u64,
    pub(super) belief: Belief,
    path: Vec<(u32, usize)>,
    pub(super) iterations: u64,
    pub(super) model_calls: u64,
}

pub(super) fn settle(layout: &Layout, core: &mut Core) {
    send_home(layout, core, false);
}

impl<'g> BestSearch<'g> {
    pub(super) fn new(
        settings: BestSettings,
        game: &'g Klondike,
        root: Root<Klondike>,
        mut rng: Rng,
    ) -> Self {
        let state = root.sample(game, &mut rng);
        let sight = Sight::new(&state, &mut rng);
        let mut search = BestSearch {
            settings,
            game,
            rng,
            state: state.opened(),
            sight,
            tree: Tree::default(),
            root: 0,
            actions: Vec::new(),
            leads: Vec::new(),
            hunt: Hunt::of(settings.nodes),
            exact: Hunt::of(EXACT),
            exact_nodes: 0,
            belief: Belief::default(),
            path: Vec::new(),
            iterations: 0,
            model_calls: 0,
        };
        search.begin(&state);
        search
    }

    /// Whether any card may come back from its foundation, as the tree and the solver take it.
    pub(super) fn any_back(&self) -> bool {
        self.game.taking_back() == TakingBack::Any
    }

    /// Starts anew.
    pub(super) fn start(&mut self, root: Root<Klondike>, rng: Rng) {
        self.rng = rng;
        self.tree.clear();
        self.belief.clear();
        self.follow(root);
    }

    /// Goes on from another root; what the tree knows of it is kept.
    pub(super) fn follow(&mut self, root: Root<Klondike>) {
        let state = root.sample(self.game, &mut self.rng);
        self.sight = Sight::new(&state, &mut self.rng);
        self.begin(&state);
    }

    /// Makes the node of what is seen the root.
    fn begin(&mut self, state: &State) {
        (self.iterations, self.model_calls, self.exact_nodes) = (0, 0, 0);
        self.state = state.opened();
        self.belief.begin();
        self.game.actions(state, &mut self.actions);
        let layout = self.sight.layout();
        let mut core = self.sight.core;
        settle(layout, &mut core);
        self.root = self.tree.node(layout, core);
        self.tree.expand(layout, self.root);
        if self.settings.samples.is_none() {
            self.tree.widen(layout, self.root);
        }
        let ways = Ways::from(layout, &self.sight.core);
        let edges = self.tree.nodes[self.root as usize].edges();
        let lead = |edge| ways.action(edge, &self.actions);
        self.leads = self.tree.edges[edges].iter().map(lead).collect();
        if !self.actions.is_empty() {
            self.settle_root();
            if self.settings.samples.is_none() {
                self.settle_moves();
            }
        }
    }

    /// What can be said of the moves that turn up no card, without samples: whether no face-down
    /// card can be turned up after them any more.
    fn settle_moves(&mut self) {
        let deal = self.sight.deal(0);
        let core = self.tree.nodes[self.root as usize].core;
        let mut look = Hunt::of(FIRST_LOOK);
        for edge in self.tree.nodes[self.root as usize].edges() {
            if self.tree.edges[edge].turns_up(&deal, &core) {
                continue;
            }
            let child = self.tree.child(&deal, self.root, edge, settle);
            let node = &mut self.tree.nodes[child as usize];
            if node.sure.is_none() && face_down(&node.core) > 1 {
                if look.run_to_reveal(self.sight.layout(), node.core) == Found::Lost {
                    node.sure = Some(false);
                }
                self.model_calls += look.nodes();
            }
        }
        self.tree.judge(self.root);
    }

    /// What can be said of the root without samples: with all cards known, who wins; else whether
    /// no face-down card can be turned up any more.
    fn settle_root(&mut self) {
        let node = &self.tree.nodes[self.root as usize];
        let core = node.core;
        if node.sure == Some(false) || self.won().is_some() {
            return;
        }
        if face_down(&core) > 1 {
            if self.exact.run_to_reveal(self.sight.layout(), core) == Found::Lost {
                self.tree.nodes[self.root as usize].sure = Some(false);
            }
            self.model_calls += self.exact.nodes();
            return;
        }
        let deal = self.sight.deal(0);
        let found = self.exact.run(&deal, core);
        self.model_calls += self.exact.nodes();
        match (found, self.exact.line().first()) {
            (Found::Won, Some(step)) => {
                let home = *step.way.last().unwrap_or(&core.home);
                if let Some(edge) = self.tree.find(self.root, home, step.card, step.target) {
                    let child = self.tree.child(&deal, self.root, edge, settle);
                    self.tree.nodes[child as usize].sure = Some(true);
                    self.tree.nodes[self.root as usize].sure = Some(true);
                }
            }
            (Found::Lost, _) => self.tree.nodes[self.root as usize].sure = Some(false),
            _ => {}
        }
    }

    /// A move of the root that surely wins, if the game offers a way to it.
    pub(super) fn won(&self) -> Option<usize> {
        let edges = self.tree.nodes[self.root as usize].edges();
        let mut offered = edges.zip(&self.leads).filter(|(_, lead)| lead.is_some());
        offered
            .find(|&(edge, _)| self.tree.sure(self.root, edge) == Some(true))
            .map(|(edge, _)| edge)
    }

    /// Whether further samples would change nothing: the decision, if there is a number of samples;
    /// what is thought of any move, if there is none.
    pub(super) fn is_complete(&self) -> bool {
        let node = &self.tree.nodes[self.root as usize];
        if self.actions.is_empty() || node.sure == Some(false) || self.belief.moves.is_some() {
            return true;
        }
        let Some(samples) = self.settings.samples else {
            return node.edges().all(|edge| self.tree.sure(self.root, edge).is_some());
        };
        let open = |&edge: &usize| self.tree.sure(self.root, edge) != Some(false);
        self.actions.len() == 1
            || self.won().is_some()
            || u64::from(node.visits) >= samples
            || node.edges().filter(open).nth(1).is_none()
    }

    /// Values a new node for a deal: once and for all if no card is unknown in it.
    fn value(&mut self, deal: &Layout, at: u32) -> f64 {
        let node = &mut self.tree.nodes[at as usize];
        let known = face_down(&node.core) <= 1;
        let exact = known && self.exact_nodes < EXACT_IN_ALL;
        let hunt = if exact { &mut self.exact } else { &mut self.hunt };
        let found = hunt.run(deal, node.core);
        self.model_calls += hunt.nodes();
        self.exact_nodes += if exact { hunt.nodes() } else { 0 };
        let won = match found {
            Found::Won => true,
            Found::Lost => false,
            Found::Stopped => return self.settings.unknown,
        };
        if known {
            node.sure = Some(won);
        }
        f64::from(u8::from(won))
    }

    /// The move to follow from a node, by the upper confidence bound.
    fn select(&self, at: u32) -> Option<usize> {
        let node = &self.tree.nodes[at as usize];
        let log = f64::from(node.visits.max(1)).ln();
        // Once it is known how to win, the others are looked at alike.
        let alike = at == self.root && self.won().is_some();
        let mut best = None;
        for edge in node.edges() {
            let sure = self.tree.sure(at, edge);
            if sure == Some(false) || (sure.is_some() && at == self.root) {
                continue;
            }
            let e = &self.tree.edges[edge];
            let bound = match e.visits {
                0 => f64::INFINITY,
                n if alike => -f64::from(n),
                n => e.mean() + ucb1_bias(self.settings.c, log, f64::from(n)),
            };
            if best.is_none_or(|(least, _)| bound > least) {
                best = Some((bound, edge));
            }
        }
        best.map(|(_, edge)| edge)
    }

    /// One deal through the tree.
    pub(super) fn sample(&mut self) {
        self.path.clear();
        let (mut at, mut deal) = (self.root, None);
        let value = loop {
            if let Some(won) = self.tree.nodes[at as usize].sure.filter(|_| at != self.root) {
                break f64::from(u8::from(won));
            }
            self.tree.expand(self.sight.layout(), at);
            let node = &self.tree.nodes[at as usize];
            // Where there is no choice there is nothing to learn: on to where there is one.
            if let Some(deal) = deal.as_ref().filter(|_| node.visits == 0 && node.edges().len() > 1)
            {
                break self.value(deal, at);
            }
            let Some(edge) = self.select(at) else { break 0.0 };
            // The n-th sample of every move of the root is the same deal, so that moves are
            // compared on the same deals.
            let number = u64::from(self.tree.edges[edge].visits);
            let deal = deal.get_or_insert_with(|| self.sight.deal(number));
            self.path.push((at, edge));
            at = self.tree.child(deal, at, edge, settle);
        };
        self.iterations += 1;
        self.tree.nodes[at as usize].visit();
        for i in (0..self.path.len()).rev() {
            let (at, edge) = self.path[i];
            self.tree.edges[edge].add(value);
            self.tree.nodes[at as usize].visit();
            self.tree.judge(at);
        }
    }
}
