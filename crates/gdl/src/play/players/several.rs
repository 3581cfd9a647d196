//! Search for games in which several roles decide: a tree for each of them.
//!
//! The authors of NORNS propose it in their section 6: an action-observation tree for every role,
//! each grown by the role's own rewards from the same sampled presents. A node is all that its role
//! has done and seen, so that no role's choice depends on what it cannot know. Where all moves are
//! seen this is decoupled UCT, the search of most players of GDL-I; a node is then a state, because how
//! it came about does not matter (transpositions).

use patience_model::Rng;
use patience_plan::tree::{Arena, Edge, ucb1_bias};
use patience_plan::{Counts, Estimate, ParameterError, Planner, Root, Search, Status, Stepped};
use rustc_hash::FxHashMap;

use super::proof::{Line, Proofs, Turn};
use crate::network::MAX_ROLES;
use crate::play::{GdlGame, GdlState, Move, World, fingerprint};

/// The planner: UCB1 for every role, each on its own tree.
///
/// **Guarantees.** Anytime; recommends legal moves only, chosen on what the role knows. With one
/// deciding role it is UCT. With several it does not converge to an equilibrium in general; in
/// turn-taking games that are seen by all it converges to the minimax move. Where two roles move in turn
/// and their goals add up to the same in all ends that were met, states are proven from the end backwards:
/// a proven state is not searched again, and a move that is proven to be worse than another is not
/// recommended.
#[derive(Clone, Copy, Debug)]
pub struct Several {
    c: f64,
    iterations: Option<u64>,
    limit: u32,
    transpositions: bool,
    proofs: bool,
}

impl Several {
    /// A planner with this exploration constant, this many iterations (`None`: as many as the budget
    /// allows), and this many moves after which one is cut off.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(c: f64, iterations: Option<u64>, limit: u32) -> Result<Self, ParameterError> {
        let expected = "a finite number that is not negative";
        ParameterError::check("c", c, |c| c.is_finite() && *c >= 0.0, expected)?;
        if let Some(n) = iterations {
            ParameterError::check("iterations", n, |&n| n > 0, "a whole number above 0")?;
        }
        Ok(Several { c, iterations, limit, transpositions: true, proofs: true })
    }

    /// The same with a node for every history, for comparison.
    pub fn without_transpositions(self) -> Self {
        Several { transpositions: false, ..self }
    }

    /// The same without proven values, for comparison.
    pub fn without_proofs(self) -> Self {
        Several { proofs: false, ..self }
    }
}

impl<W: World> Planner<GdlGame<W>> for Several {
    fn search<'g>(
        &self,
        game: &'g GdlGame<W>,
        root: Root<GdlGame<W>>,
        rng: Rng,
    ) -> Box<dyn Search<GdlGame<W>> + 'g> {
        Box::new(SeveralSearch::new(*self, game, root, rng))
    }

    fn ends(&self) -> bool {
        self.iterations.is_some()
    }

    fn advances(&self) -> bool {
        true
    }
}

/// Nodes beyond which trees do not grow: about a gigabyte.
const MOST_NODES: usize = 4_000_000;

/// A move of a role at a node of its tree.
#[derive(Clone, Copy, Debug)]
struct Choice {
    action: u32,
    /// Simulations in which the move was legal here: what a role knows does not always tell.
    available: u32,
    /// The goals of both roles after it, once they are proven.
    proven: Option<[u8; 2]>,
}

/// A choice that a simulation made.
#[derive(Clone, Copy, Debug)]
struct Decision {
    role: usize,
    node: u32,
    edge: u32,
    /// The goals of the best move of the node that is proven.
    fallback: Option<[u8; 2]>,
}

/// A search in progress.
pub struct SeveralSearch<'g, W: World> {
    settings: Several,
    game: &'g GdlGame<W>,
    root: Root<GdlGame<W>>,
    rng: Rng,
    /// The trees of all roles.
    tree: Arena<Choice>,
    /// Nodes by role and what the role has done and seen.
    table: FxHashMap<(u32, u64), u32>,
    /// Without transpositions, where all moves are seen: what everybody has seen before the root.
    base: u64,
    /// Whether nodes are states.
    merges: bool,
    deciding: Vec<usize>,
    root_actions: Vec<Move>,
    root_node: u32,
    path: Vec<Decision>,
    /// States that are proven; `None` where nothing is.
    proofs: Option<Proofs>,
    /// The states of this simulation, from the root, as long as some role is on its tree.
    line: Vec<Line>,
    /// Whether the last move of this simulation was made from the last state of the line.
    ended_on_line: bool,
    root_view: u64,
    legal: Vec<u32>,
    iterations: u64,
    model_calls: u64,
}

impl<W: World> std::fmt::Debug for SeveralSearch<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SeveralSearch").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl<'g, W: World> SeveralSearch<'g, W> {
    fn new(
        settings: Several,
        game: &'g GdlGame<W>,
        root: Root<GdlGame<W>>,
        rng: Rng,
    ) -> SeveralSearch<'g, W> {
        let world = game.network();
        let mut search = SeveralSearch {
            settings,
            game,
            root,
            rng,
            tree: Arena::default(),
            table: FxHashMap::default(),
            base: 0,
            merges: settings.transpositions && game.sees_all(),
            deciding: (0..game.role_count()).filter(|&role| !world.is_chance(role)).collect(),
            root_actions: Vec::new(),
            root_node: 0,
            path: Vec::new(),
            proofs: None,
            line: Vec::new(),
            ended_on_line: false,
            root_view: 0,
            legal: Vec::new(),
            iterations: 0,
            model_calls: 0,
        };
        if settings.proofs && search.merges && search.deciding.len() == 2 {
            search.proofs = Some(Proofs::new([0, 1].map(|role| world.highest_goal(role))));
        }
        search.stand();
        search
    }

    /// Whether nothing is left to be found out.
    fn is_proven(&self) -> bool {
        self.proofs.as_ref().is_some_and(|proofs| proofs.of(self.root_view).is_some())
    }

    /// What a move at a node is worth to a role.
    fn worth(&self, edge: &Edge<Choice>, role: usize) -> f64 {
        let proven = edge.own.proven.filter(|_| self.proofs.is_some());
        proven.map_or(edge.mean, |goals| f64::from(goals[role.min(1)]) / 100.0)
    }

    /// Finds out where the root is.
    fn stand(&mut self) {
        let state = self.root.sample(self.game, &mut self.rng);
        patience_model::Game::actions(self.game, &state, &mut self.root_actions);
        let view = self.view(&state, self.game.role());
        self.root_view = view;
        self.root_node = self.node(self.game.role(), view);
        (self.iterations, self.model_calls) = (0, 0);
    }

    fn forget(&mut self) {
        self.tree.clear();
        self.table.clear();
        if let Some(proofs) = &mut self.proofs {
            proofs.clear();
        }
    }

    /// What a role knows at the root.
    fn view(&self, state: &GdlState<W::Position>, role: usize) -> u64 {
        match self.merges {
            true => self.state_view(state),
            false => state.views.get(role).copied().unwrap_or(self.base),
        }
    }

    /// What everybody knows who knows the state.
    fn state_view(&self, state: &GdlState<W::Position>) -> u64 {
        fingerprint(self.game.network().words(&state.position).iter().copied()) as u64
    }

    /// The node of what a role knows, made if it is new.
    fn node(&mut self, role: usize, view: u64) -> u32 {
        let tree = &mut self.tree;
        *self.table.entry((role as u32, view)).or_insert_with(|| tree.add_node())
    }

    /// One simulation: every role chooses on its own tree until it leaves it, then at random.
    fn simulate(&mut self) {
        let game = self.game;
        let world = game.network();
        let mut state = self.root.sample(game, &mut self.rng);
        let roles = game.role_count();
        let mut views = [0u64; MAX_ROLES];
        for (role, view) in views[..roles].iter_mut().enumerate() {
            *view = self.view(&state, role);
        }
        // Whether each role is still on its tree; chance has none.
        let mut inside = [false; MAX_ROLES];
        self.deciding.iter().for_each(|&role| inside[role] = true);
        let mut joint = [0u32; MAX_ROLES];
        self.path.clear();
        self.line.clear();
        self.ended_on_line = false;
        // The goals that this simulation comes to, where they are proven on the way.
        let mut proven = None;
        for _ in 0..self.settings.limit {
            let on_tree = inside[..roles].iter().any(|&inside| inside);
            if on_tree && let Some(proofs) = &self.proofs {
                proven = proofs.of(views[0]);
                if proven.is_some() {
                    break;
                }
            }
            if !game.goes_on(&state) {
                break;
            }
            self.ended_on_line = on_tree;
            let before = self.path.len();
            let mut free = 0;
            for role in 0..roles {
                joint[role] = match inside[role] {
                    true => {
                        let number =
                            self.choose(&state.position, role, views[role], &mut inside[role]);
                        free += usize::from(self.legal.len() > 1);
                        number
                    }
                    false => {
                        // Who has left the tree chooses where the tree does not see it.
                        free += 2;
                        world.random_move(&state, role, &mut self.rng).unwrap_or(0)
                    }
                };
            }
            if on_tree && self.proofs.is_some() {
                let turn = match (free, self.path.get(before)) {
                    (0, None) => Turn::Nobody,
                    (1, Some(&Decision { role, node, edge, .. }))
                        if self.path.len() == before + 1 =>
                    {
                        Turn::Of { role, node, edge }
                    }
                    _ => Turn::Unknown,
                };
                self.line.push(Line { view: views[0], turn });
            }
            self.model_calls += 1;
            if inside[..roles].iter().any(|&inside| inside) {
                game.play(&mut state, &joint[..roles]);
                if self.merges {
                    views[..roles].fill(self.state_view(&state));
                } else if game.has_views() {
                    views[..roles].copy_from_slice(&state.views);
                } else {
                    let seen = game.seen_moves(&joint[..roles]).0;
                    for view in &mut views[..roles] {
                        *view = on(*view, seen);
                    }
                }
            } else {
                world.play(&mut state.position, &joint[..roles]);
            }
        }
        let mut values = [0.0; MAX_ROLES];
        for &role in &self.deciding {
            values[role] = match proven {
                Some(goals) => f64::from(goals[role]) / 100.0,
                None => game.reward_of(&state.position, role),
            };
        }
        for &Decision { role, node, edge, fallback } in self.path.iter().rev() {
            self.tree.add(self.tree.nodes[node as usize].first + edge, values[role]);
            // Who tries out what is not proven has what is proven at least.
            if let Some(goals) = fallback.map(|goals| goals.map(|goal| f64::from(goal) / 100.0))
                && goals[role] > values[role]
            {
                values[..2].copy_from_slice(&goals);
            }
        }
        if !self.line.is_empty() {
            self.prove(&state, proven);
        }
    }

    /// Proves the states of this simulation from its end backwards, as far as that goes.
    fn prove(&mut self, state: &GdlState<W::Position>, proven: Option<[u8; 2]>) {
        let world = self.game.network();
        let Some(proofs) = &mut self.proofs else { return };
        let mut value = proven;
        // Only if the last state of the line is the one before the end is the end known to follow it.
        if value.is_none() && self.ended_on_line && world.terminal(&state.position) {
            let goal = |role| world.goal(&state.position, role);
            value = goal(0).zip(goal(1)).map(|(first, second)| [first, second]);
            if value.is_some_and(|goals| !proofs.adds_up(goals)) {
                // The roles do not only take from each other: nothing is proven by what one prefers.
                self.proofs = None;
                return;
            }
        }
        for &Line { view, turn } in self.line.iter().rev() {
            let Some(goals) = value else { return };
            value = match turn {
                Turn::Unknown => None,
                Turn::Nobody => Some(goals),
                Turn::Of { role, node, edge } => {
                    let first = self.tree.nodes[node as usize].first;
                    self.tree.edges[(first + edge) as usize].own.proven = Some(goals);
                    let edges = self.tree.edges_of(node).iter().map(|edge| edge.own.proven);
                    proofs.best(role, goals, edges)
                }
            };
            if let Some(goals) = value {
                proofs.keep(view, goals);
            }
        }
    }

    /// Chooses a role's move by UCB1 at its node; a node that is new is the last on its tree.
    fn choose(&mut self, position: &W::Position, role: usize, view: u64, inside: &mut bool) -> u32 {
        let world = self.game.network();
        world.legal(position, role, &mut self.legal);
        if let [only] = self.legal[..] {
            return only;
        }
        let before = self.tree.nodes.len();
        let node = match before < MOST_NODES {
            true => self.node(role, view),
            false => match self.table.get(&(role as u32, view)) {
                Some(&node) => node,
                None => {
                    *inside = false;
                    return self.rng.pick(&self.legal);
                }
            },
        };
        *inside = self.tree.nodes.len() == before;
        if !self.tree.nodes[node as usize].is_expanded() {
            let choice = |&action: &u32| Choice { action, available: 0, proven: None };
            self.tree.expand(node, self.legal.iter().map(choice), false);
        }
        let (mut best, mut fresh) = ((f64::NEG_INFINITY, 0), 0u64);
        // The best of the moves that are proven.
        let mut proven: Option<(usize, [u8; 2])> = None;
        for (place, &action) in self.legal.iter().enumerate() {
            // Legal moves nearly always come in the same order; else they are looked for.
            let edges = self.tree.edges_of(node);
            let found = match edges.get(place) {
                Some(edge) if edge.own.action == action => Some(place),
                _ => edges.iter().position(|edge| edge.own.action == action),
            };
            let index = found.unwrap_or(edges.len());
            if found.is_none() {
                self.tree.widen(node, Choice { action, available: 0, proven: None });
            }
            let first = self.tree.nodes[node as usize].first as usize;
            let edge = &mut self.tree.edges[first + index];
            edge.own.available += 1;
            if edge.visits == 0 {
                // Moves that were never tried come first, in random order.
                fresh += 1;
                if self.rng.below(fresh) == 0 {
                    best = (f64::INFINITY, index);
                }
            } else if let Some(goals) = edge.own.proven.filter(|_| self.proofs.is_some()) {
                // Nothing more is to be learnt there.
                if proven.is_none_or(|(_, best)| goals[role.min(1)] > best[role.min(1)]) {
                    proven = Some((index, goals));
                }
            } else if fresh == 0 {
                let ln_available = f64::from(edge.own.available).ln();
                let bias = ucb1_bias(self.settings.c, ln_available, f64::from(edge.visits));
                let score = edge.mean + bias;
                if score > best.0 {
                    best = (score, index);
                }
            }
        }
        if best.0 == f64::NEG_INFINITY
            && let Some((index, _)) = proven
        {
            best.1 = index;
        }
        let fallback = proven.map(|(_, goals)| goals);
        self.path.push(Decision { role, node, edge: best.1 as u32, fallback });
        self.tree.edges_of(node)[best.1].own.action
    }
}

/// What is known after something more was seen.
fn on(view: u64, seen: u128) -> u64 {
    fingerprint([view, seen as u64, (seen >> 64) as u64].into_iter()) as u64
}

impl<W: World> SeveralSearch<'_, W> {
    /// The move to make where some are proven; `None` where that is decided by visits. Of moves that are
    /// not proven the one tried most often stands for all.
    fn proven_best(&self) -> Option<Option<Move>> {
        self.proofs.as_ref()?;
        let root = self.tree.nodes[self.root_node as usize];
        if !root.is_expanded() {
            return None;
        }
        let role = self.game.role();
        let edges = self.tree.edges_of(self.root_node);
        let worth = |edge: &Edge<Choice>| self.worth(edge, role);
        let best = |a: &Edge<Choice>, b: &Edge<Choice>| {
            worth(a).total_cmp(&worth(b)).then(a.visits.cmp(&b.visits))
        };
        let proven =
            edges.iter().filter(|edge| edge.own.proven.is_some()).max_by(|a, b| best(a, b))?;
        let open = edges.iter().filter(|edge| edge.own.proven.is_none() && edge.visits > 0);
        let open = open.max_by_key(|edge| edge.visits);
        let chosen = match open {
            Some(open) if worth(open) > worth(proven) || worth(proven) <= 0.0 => open,
            _ => proven,
        };
        let legal = |&&action: &&Move| action.0 == chosen.own.action;
        Some(self.root_actions.iter().find(legal).copied())
    }
}

impl<W: World> Stepped for SeveralSearch<'_, W> {
    fn step(&mut self) -> Status {
        let enough = self.settings.iterations == Some(self.iterations);
        if self.root_actions.is_empty() || enough || self.is_proven() {
            return Status::Complete;
        }
        self.simulate();
        self.iterations += 1;
        match self.settings.iterations == Some(self.iterations) || self.is_proven() {
            true => Status::Complete,
            false => Status::Running,
        }
    }

    fn counts(&self) -> Counts {
        let nodes = self.tree.nodes.len() as u64;
        // The table has about 32 bytes for each.
        let bytes = self.tree.bytes() + 32 * nodes;
        let (iterations, model_calls) = (self.iterations, self.model_calls);
        Counts { iterations, model_calls, nodes, bytes }
    }
}

impl<W: World> Search<GdlGame<W>> for SeveralSearch<'_, W> {
    fn estimates(&self) -> Vec<Estimate<Move>> {
        let root = self.tree.nodes[self.root_node as usize];
        let edges = if root.is_expanded() { self.tree.edges_of(self.root_node) } else { &[] };
        let estimate = |&action: &Move| {
            let edge = edges.iter().find(|edge| edge.own.action == action.0 && edge.visits > 0);
            let visits = edge.map_or(0, |edge| u64::from(edge.visits));
            Estimate::new(action, edge.map(|edge| self.worth(edge, self.game.role())), visits)
        };
        self.root_actions.iter().map(estimate).collect()
    }

    /// The move tried most often; of equals the one of higher value. One that is proven counts by what it
    /// is worth: it is recommended if nothing else promises more, and else it is not.
    fn best(&self) -> Option<Move> {
        if let Some(best) = self.proven_best() {
            return best;
        }
        let worth = |e: &Estimate<Move>| (e.visits, e.value.unwrap_or(f64::NEG_INFINITY));
        let mut best: Option<Estimate<Move>> = None;
        for estimate in self.estimates() {
            if best.as_ref().is_none_or(|best| worth(&estimate) > worth(best)) {
                best = Some(estimate);
            }
        }
        best.map(|estimate| estimate.action)
    }

    fn restart(&mut self, root: Root<GdlGame<W>>, rng: Rng) -> bool {
        (self.root, self.rng) = (root, rng);
        self.forget();
        self.base = 0;
        self.stand();
        true
    }

    fn advance(&mut self, _: Move, obs: crate::Percepts, root: Root<GdlGame<W>>) -> bool {
        if self.tree.nodes.len() > MOST_NODES / 2 {
            self.forget();
        }
        self.root = root;
        self.base = on(self.base, obs.0);
        self.stand();
        true
    }
}
