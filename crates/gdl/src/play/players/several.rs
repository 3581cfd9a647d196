//! Search for games in which several roles decide: a tree for each of them.
//!
//! The authors of NORNS propose it in their section 6: an action-observation tree for every role,
//! each grown by the role's own rewards from the same sampled presents. A node is all that its role
//! has done and seen, so that no role's choice depends on what it cannot know. Where all moves are
//! seen this is decoupled UCT, the search of most players of GDL-I.

use patience_model::Rng;
use patience_plan::{Counts, Estimate, ParameterError, Planner, Root, Search, Status, Stepped};
use rustc_hash::FxHashMap;

use crate::network::MAX_ROLES;
use crate::play::{GdlGame, Move, World, fingerprint};

/// The planner: UCB1 for every role, each on its own tree.
///
/// **Guarantees.** Anytime; recommends legal moves only, chosen on what the role knows. With one
/// deciding role it is UCT. With several it does not converge to an equilibrium in general; in
/// turn-taking games that are seen by all it converges to the minimax move.
#[derive(Clone, Copy, Debug)]
pub struct Several {
    c: f64,
    simulations: Option<u64>,
    limit: u32,
}

impl Several {
    /// A planner with this exploration constant, this many simulations (`None`: as many as the budget
    /// allows), and this many moves after which a simulation is cut off.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(c: f64, simulations: Option<u64>, limit: u32) -> Result<Self, ParameterError> {
        let expected = "a finite number that is not negative";
        ParameterError::check("c", c, |c| c.is_finite() && *c >= 0.0, expected)?;
        if let Some(n) = simulations {
            ParameterError::check("simulations", n, |&n| n > 0, "a whole number above 0")?;
        }
        Ok(Several { c, simulations, limit })
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
        self.simulations.is_some()
    }

    fn advances(&self) -> bool {
        true
    }
}

/// Nodes beyond which trees do not grow: about a gigabyte.
const MOST_NODES: usize = 4_000_000;

#[derive(Clone, Debug, Default)]
struct Node {
    edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    action: u32,
    visits: u32,
    /// Simulations in which the move was legal here.
    available: u32,
    mean: f64,
}

/// A search in progress.
pub struct SeveralSearch<'g, W: World> {
    settings: Several,
    game: &'g GdlGame<W>,
    root: Root<GdlGame<W>>,
    rng: Rng,
    nodes: Vec<Node>,
    /// Nodes by role and what the role has done and seen.
    table: FxHashMap<(u32, u64), u32>,
    /// Where all moves are seen: what everybody has seen before the root.
    base: u64,
    deciding: Vec<usize>,
    root_actions: Vec<Move>,
    root_node: u32,
    path: Vec<(usize, u32, u32)>,
    legal: Vec<u32>,
    edges: u64,
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
            nodes: Vec::new(),
            table: FxHashMap::default(),
            base: 0,
            deciding: (0..game.role_count()).filter(|&role| !world.is_chance(role)).collect(),
            root_actions: Vec::new(),
            root_node: 0,
            path: Vec::new(),
            legal: Vec::new(),
            edges: 0,
            iterations: 0,
            model_calls: 0,
        };
        search.stand();
        search
    }

    /// Finds out where the root is.
    fn stand(&mut self) {
        let state = self.root.sample(self.game, &mut self.rng);
        patience_model::Game::actions(self.game, &state, &mut self.root_actions);
        let view = state.views.get(self.game.role()).copied().unwrap_or(self.base);
        self.root_node = self.node(self.game.role(), view);
        (self.iterations, self.model_calls) = (0, 0);
    }

    /// The node of what a role knows, made if it is new.
    fn node(&mut self, role: usize, view: u64) -> u32 {
        let nodes = &mut self.nodes;
        *self.table.entry((role as u32, view)).or_insert_with(|| {
            nodes.push(Node::default());
            nodes.len() as u32 - 1
        })
    }

    /// One simulation: every role chooses on its own tree until it leaves it, then at random.
    fn simulate(&mut self) {
        let game = self.game;
        let world = game.network();
        let mut state = self.root.sample(game, &mut self.rng);
        let roles = game.role_count();
        let mut views = [0u64; MAX_ROLES];
        for (role, view) in views[..roles].iter_mut().enumerate() {
            *view = state.views.get(role).copied().unwrap_or(self.base);
        }
        // Whether each role is still on its tree; chance has none.
        let mut inside = [false; MAX_ROLES];
        self.deciding.iter().for_each(|&role| inside[role] = true);
        let mut joint = [0u32; MAX_ROLES];
        self.path.clear();
        for _ in 0..self.settings.limit {
            if !game.goes_on(&state) {
                break;
            }
            for role in 0..roles {
                joint[role] = match inside[role] {
                    true => self.choose(&state.position, role, views[role], &mut inside[role]),
                    false => world.random_move(&state, role, &mut self.rng).unwrap_or(0),
                };
            }
            self.model_calls += 1;
            if inside[..roles].iter().any(|&inside| inside) {
                game.play(&mut state, &joint[..roles]);
                if game.has_views() {
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
        for &(role, node, edge) in &self.path {
            let value = game.reward_of(&state.position, role);
            let edge = &mut self.nodes[node as usize].edges[edge as usize];
            edge.visits += 1;
            edge.mean += (value - edge.mean) / f64::from(edge.visits);
        }
    }

    /// Chooses a role's move by UCB1 at its node; a node that is new is the last on its tree.
    fn choose(&mut self, position: &W::Position, role: usize, view: u64, inside: &mut bool) -> u32 {
        let world = self.game.network();
        world.legal(position, role, &mut self.legal);
        if let [only] = self.legal[..] {
            return only;
        }
        let before = self.nodes.len();
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
        *inside = self.nodes.len() == before;
        let edges = &mut self.nodes[node as usize].edges;
        let (mut best, mut fresh) = ((f64::NEG_INFINITY, 0), 0u64);
        for (place, &action) in self.legal.iter().enumerate() {
            // Legal moves nearly always come in the same order; else they are looked for.
            let found = match edges.get(place) {
                Some(edge) if edge.action == action => Some(place),
                _ => edges.iter().position(|edge| edge.action == action),
            };
            let index = found.unwrap_or_else(|| {
                self.edges += 1;
                edges.push(Edge { action, visits: 0, available: 0, mean: 0.0 });
                edges.len() - 1
            });
            let edge = &mut edges[index];
            edge.available += 1;
            if edge.visits == 0 {
                // Moves that were never tried come first, in random order.
                fresh += 1;
                if self.rng.below(fresh) == 0 {
                    best = (f64::INFINITY, index);
                }
            } else if fresh == 0 {
                let ratio = f64::from(edge.available).ln() / f64::from(edge.visits);
                let score = edge.mean + self.settings.c * ratio.sqrt();
                if score > best.0 {
                    best = (score, index);
                }
            }
        }
        self.path.push((role, node, best.1 as u32));
        self.nodes[node as usize].edges[best.1].action
    }
}

/// What is known after something more was seen.
fn on(view: u64, seen: u128) -> u64 {
    fingerprint([view, seen as u64, (seen >> 64) as u64].into_iter()) as u64
}

impl<W: World> Stepped for SeveralSearch<'_, W> {
    fn step(&mut self) -> Status {
        if self.root_actions.is_empty() || self.settings.simulations == Some(self.iterations) {
            return Status::Complete;
        }
        self.simulate();
        self.iterations += 1;
        match self.settings.simulations == Some(self.iterations) {
            true => Status::Complete,
            false => Status::Running,
        }
    }

    fn counts(&self) -> Counts {
        let nodes = self.nodes.len() as u64;
        let bytes = nodes * (size_of::<Node>() as u64 + 32) + self.edges * size_of::<Edge>() as u64;
        let (iterations, model_calls) = (self.iterations, self.model_calls);
        Counts { iterations, model_calls, nodes, bytes }
    }
}

impl<W: World> Search<GdlGame<W>> for SeveralSearch<'_, W> {
    fn estimates(&self) -> Vec<Estimate<Move>> {
        let edges = &self.nodes[self.root_node as usize].edges;
        let estimate = |&action: &Move| {
            let edge = edges.iter().find(|edge| edge.action == action.0 && edge.visits > 0);
            let visits = edge.map_or(0, |edge| u64::from(edge.visits));
            Estimate::new(action, edge.map(|edge| edge.mean), visits)
        };
        self.root_actions.iter().map(estimate).collect()
    }

    /// The move tried most often; of equals the one of higher value.
    fn best(&self) -> Option<Move> {
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
        self.nodes.clear();
        self.table.clear();
        (self.base, self.edges) = (0, 0);
        self.stand();
        true
    }

    fn advance(&mut self, _: Move, obs: crate::Percepts, root: Root<GdlGame<W>>) -> bool {
        if self.nodes.len() > MOST_NODES / 2 {
            self.nodes.clear();
            self.table.clear();
            self.edges = 0;
        }
        self.root = root;
        self.base = on(self.base, obs.0);
        self.stand();
        true
    }
}
