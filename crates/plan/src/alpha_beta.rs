//! Alpha-beta, counting the leaves that it looks at (section 3.1 of the UCT paper).

use std::cmp::Ordering;

use patience_model::{Rng, Undo};

use crate::{
    Counts, Estimate, Evaluation, ParameterError, Planner, Root, Search, Status, Stepped, Zero,
};

/// How [`AlphaBeta`] searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaBetaParameters {
    /// Moves to look ahead; `None` looks to the end of the game, which must come.
    pub depth: Option<u32>,
    /// The smallest and the largest sum of rewards that a game from the root can bring (0 and 1
    /// in P-games). A player who has found the best of these looks at no further move.
    pub bounds: Option<(f64, f64)>,
    /// Whether moves are tried in an order drawn from the stream rather than the game's.
    pub shuffle: bool,
}

impl Default for AlphaBetaParameters {
    fn default() -> Self {
        AlphaBetaParameters { depth: None, bounds: None, shuffle: true }
    }
}

/// Alpha-beta search of a deterministic game of two players.
///
/// Guarantees, once complete: the recommended action has exactly the minimax value, among all
/// plays to the depth limit with the evaluation function at its end. Before that it is a legal
/// action drawn at the start, each alike: the rule of the paper's Figure 2. Not anytime.
///
/// One step looks at one leaf, so iterations are leaves. Only one state and the moves of the
/// current line are held. The planner wants certainty: of a belief it takes one drawn state.
#[derive(Clone, Debug)]
pub struct AlphaBeta<E = Zero> {
    parameters: AlphaBetaParameters,
    evaluation: E,
}

impl<E> AlphaBeta<E> {
    /// A planner with this evaluation function at the depth limit.
    ///
    /// # Errors
    /// If the depth is 0, or the bounds are not two numbers in order.
    pub fn new(parameters: AlphaBetaParameters, evaluation: E) -> Result<Self, ParameterError> {
        if parameters.depth == Some(0) {
            return Err(ParameterError::new("depth", 0, "a whole number above 0"));
        }
        if let Some((low, high)) = parameters.bounds
            && low.partial_cmp(&high) != Some(Ordering::Less)
        {
            let given = format!("({low}, {high})");
            return Err(ParameterError::new("bounds", given, "the smaller number first"));
        }
        Ok(AlphaBeta { parameters, evaluation })
    }
}

impl<G: Undo, E: Evaluation<G> + Clone + 'static> Planner<G> for AlphaBeta<E> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, mut rng: Rng) -> Box<dyn Search<G> + 'g> {
        let state = root.sample(game, &mut rng);
        let mut actions = Vec::new();
        game.actions(&state, &mut actions);
        let (low, high) = self.parameters.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let mut search = AlphaBetaSearch {
            game,
            best: (!actions.is_empty()).then(|| rng.pick(&actions)),
            root: actions.iter().map(|&a| RootMove { action: a, value: None, leaves: 0 }).collect(),
            complete: actions.is_empty(),
            state,
            rng,
            evaluation: self.evaluation.clone(),
            depth: self.parameters.depth.unwrap_or(LONGEST) as usize,
            low,
            high,
            shuffle: self.parameters.shuffle,
            line: Vec::new(),
            moves: Vec::new(),
            buffer: actions,
            leaves: 0,
            model_calls: 0,
        };
        if !search.complete {
            search.enter(Window { alpha: low, beta: high }, 0.0, 1.0, None);
        }
        Box::new(search)
    }

    fn ends(&self) -> bool {
        true
    }
}

/// Results that both players can still hope for, as sums of rewards from the root.
#[derive(Clone, Copy)]
struct Window {
    /// What the maximising player has for sure.
    alpha: f64,
    /// What the minimising player has for sure.
    beta: f64,
}

/// A position on the current line.
struct Ply<T> {
    window: Window,
    /// The best value found here so far.
    best: f64,
    /// Discounted rewards on the way here, and the discount that the next reward gets.
    sum: f64,
    weight: f64,
    /// Where its moves begin in `moves`, and the one that comes next.
    first: usize,
    next: usize,
    end: usize,
    minimising: bool,
    /// Takes back the move that led here; `None` at the root.
    token: Option<T>,
}

struct RootMove<A> {
    action: A,
    value: Option<f64>,
    leaves: u64,
}

struct AlphaBetaSearch<'g, G: Undo, E> {
    game: &'g G,
    state: G::State,
    rng: Rng,
    evaluation: E,
    depth: usize,
    low: f64,
    high: f64,
    shuffle: bool,
    line: Vec<Ply<G::Token>>,
    moves: Vec<G::Action>,
    buffer: Vec<G::Action>,
    root: Vec<RootMove<G::Action>>,
    best: Option<G::Action>,
    complete: bool,
    leaves: u64,
    model_calls: u64,
}

/// Moves after which a line is cut if no depth is given: a guard against games that need not end.
const LONGEST: u32 = 100_000;

/// Moves after which a step returns without having met a leaf, so that a game without end can
/// still be cancelled.
const PATIENCE: u32 = 1 << 16;

impl<G: Undo, E: Evaluation<G>> AlphaBetaSearch<'_, G, E> {
    /// Puts the current position, whose actions are in `buffer`, on the line.
    fn enter(&mut self, window: Window, sum: f64, weight: f64, token: Option<G::Token>) {
        if self.shuffle {
            self.rng.shuffle(&mut self.buffer);
        }
        let minimising = self.game.minimising(&self.state);
        let first = self.moves.len();
        self.moves.extend_from_slice(&self.buffer);
        let best = if minimising { f64::INFINITY } else { f64::NEG_INFINITY };
        let end = self.moves.len();
        self.line.push(Ply {
            window,
            best,
            sum,
            weight,
            first,
            next: first,
            end,
            minimising,
            token,
        });
    }

    /// Hands a value up the line, as far as positions are done with it.
    fn back_up(&mut self, mut value: f64) {
        while let Some(ply) = self.line.last_mut() {
            let at_root = ply.token.is_none();
            let tried = self.moves[ply.next - 1];
            let before = ply.window;
            let better = if ply.minimising { value < ply.best } else { value > ply.best };
            if better {
                ply.best = value;
                if ply.minimising {
                    ply.window.beta = before.beta.min(value);
                } else {
                    ply.window.alpha = before.alpha.max(value);
                }
            }
            let done = ply.next == ply.end || ply.window.alpha >= ply.window.beta;
            if at_root {
                // Outside the window a value is a bound only, unless nothing lies beyond it.
                let inside = before.alpha < value && value < before.beta;
                let exact = inside || value <= self.low || value >= self.high;
                if let Some(entry) = self.root.iter_mut().find(|e| e.action == tried) {
                    entry.value = exact.then_some(value);
                }
            }
            if !done {
                return;
            }
            value = ply.best;
            if at_root {
                self.complete = true;
                self.best = self.best_at_root(value);
                return;
            }
            self.moves.truncate(ply.first);
            if let Some(token) = self.line.pop().and_then(|ply| ply.token) {
                self.game.undo(&mut self.state, token);
            }
        }
    }

    /// The first move in the order of the search that has this value.
    fn best_at_root(&self, value: f64) -> Option<G::Action> {
        let known =
            |a: &&G::Action| self.root.iter().any(|e| e.action == **a && e.value == Some(value));
        self.moves.iter().find(known).copied().or(self.best)
    }
}

impl<G: Undo, E: Evaluation<G>> Stepped for AlphaBetaSearch<'_, G, E> {
    fn step(&mut self) -> Status {
        for _ in 0..PATIENCE {
            let Some(ply) = self.line.last_mut().filter(|_| !self.complete) else {
                return Status::Complete;
            };
            let action = self.moves[ply.next];
            ply.next += 1;
            let (window, sum, weight) = (ply.window, ply.sum, ply.weight);
            let (step, token) = self.game.apply(&mut self.state, action, &mut self.rng);
            self.model_calls += 1;
            // Values are sums from the root, so that a window holds at every depth and rounding
            // cannot make two paths to the same sum differ.
            let sum = sum + weight * step.reward;
            let weight = weight * self.game.discount();
            self.game.actions(&self.state, &mut self.buffer);
            let over = self.buffer.is_empty();
            if !over && self.line.len() < self.depth {
                self.enter(window, sum, weight, Some(token));
                continue;
            }
            let rest =
                if over { 0.0 } else { weight * self.evaluation.value(self.game, &self.state) };
            self.game.undo(&mut self.state, token);
            self.leaves += 1;
            let root_move = self.moves[self.line[0].next - 1];
            if let Some(entry) = self.root.iter_mut().find(|e| e.action == root_move) {
                entry.leaves += 1;
            }
            self.back_up(sum + rest);
            return if self.complete { Status::Complete } else { Status::Running };
        }
        Status::Running
    }

    fn counts(&self) -> Counts {
        let bytes = self.line.capacity() * size_of::<Ply<G::Token>>()
            + (self.moves.capacity() + self.buffer.capacity()) * size_of::<G::Action>()
            + self.root.capacity() * size_of::<RootMove<G::Action>>();
        Counts {
            iterations: self.leaves,
            model_calls: self.model_calls,
            nodes: self.line.len() as u64,
            bytes: bytes as u64,
        }
    }
}

impl<G: Undo, E: Evaluation<G>> Search<G> for AlphaBetaSearch<'_, G, E> {
    /// Values are exact where given; a move that was only shown to be no better has none. Visits
    /// are leaves.
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let estimate = |e: &RootMove<G::Action>| Estimate::new(e.action, e.value, e.leaves);
        self.root.iter().map(estimate).collect()
    }

    fn best(&self) -> Option<G::Action> {
        self.best
    }
}
