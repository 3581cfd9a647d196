//! Monte-Carlo belief-state tree search (section 3.2.2, Algorithm 1).

use std::sync::{Arc, Mutex, PoisonError};

use patience_model::{Game, Rng};
use patience_plan::Belief;

use super::Weights;
use crate::game::{GdlGame, Move, Percepts};
use crate::network::Position;

/// What a node of the tree remembers: how it is reached, and the state if it was visited.
#[derive(Clone, Debug)]
struct Past {
    /// The moves of all roles that lead here.
    joint: Box<[u32]>,
    /// The words of the state, once it has been found to agree with what was seen.
    state: Option<Box<[u64]>>,
    expanded: bool,
}

/// The histories that may have led to the present, with their probabilities.
///
/// **Guarantee.** Every drawn state agrees with the player's own moves and percepts, and states
/// are drawn with the probability of their histories among those not yet found impossible: in the
/// limit, with the belief of the underlying POMDP (section 4).
#[derive(Clone, Debug)]
pub struct BeliefTree {
    game: GdlGame,
    weights: Weights,
    pasts: Vec<Past>,
    history: Vec<(Move, Percepts)>,
    position: Position,
}

impl BeliefTree {
    /// The belief before the first move.
    pub fn new(game: GdlGame) -> Self {
        let position = game.network().position();
        let state = position.state(game.network()).into();
        let root = Past { joint: Box::default(), state: Some(state), expanded: false };
        BeliefTree {
            game,
            weights: Weights::new(),
            pasts: vec![root],
            history: Vec::new(),
            position,
        }
    }

    /// Adds the move that was played and what was seen of it.
    pub fn observe(&mut self, action: Move, seen: Percepts) {
        self.history.push((action, seen));
    }

    /// The moves played and what was seen.
    pub fn history(&self) -> &[(Move, Percepts)] {
        &self.history
    }

    /// How many nodes the tree has.
    pub fn nodes(&self) -> usize {
        self.weights.len()
    }

    /// Draws a state that agrees with the history; `None` if there is none.
    pub fn sample(&mut self, rng: &mut Rng) -> Option<Position> {
        let mut path = Vec::with_capacity(self.history.len() + 1);
        loop {
            path.clear();
            path.push(0);
            if self.descend(&mut path, rng) {
                let last = *path.last()?;
                let state = self.pasts[last as usize].state.as_deref()?;
                self.position.load(self.game.network(), state);
                return Some(self.position.clone());
            }
            if !self.weights.remove(&path) {
                return None;
            }
        }
    }

    /// Goes down by the probabilities; `false` at a history that does not agree, which ends `path`.
    fn descend(&mut self, path: &mut Vec<u32>, rng: &mut Rng) -> bool {
        let mut node = 0;
        for depth in 0..self.history.len() {
            if !self.pasts[node as usize].expanded {
                self.expand(node, self.history[depth].0);
            }
            let Some(child) = self.choose(node, rng) else { return false };
            path.push(child);
            if self.pasts[child as usize].state.is_none() && !self.visit(node, child, depth) {
                return false;
            }
            node = child;
        }
        true
    }

    fn choose(&self, node: u32, rng: &mut Rng) -> Option<u32> {
        let children = self.weights.children(node);
        let mut left = rng.unit();
        for &(child, probability) in children {
            left -= probability;
            if left < 0.0 {
                return Some(child);
            }
        }
        // Rounding may leave a little: the last child takes it.
        children.last().map(|&(child, _)| child)
    }

    /// Adds a child for each combination of the other roles' legal moves, each alike.
    fn expand(&mut self, node: u32, own: Move) {
        self.pasts[node as usize].expanded = true;
        let network = Arc::clone(self.game.network());
        let Some(state) = self.pasts[node as usize].state.clone() else { return };
        self.position.load(&network, &state);
        if self.position.terminal(&network) {
            return;
        }
        let mut joints: Vec<Vec<u32>> = vec![Vec::new()];
        for role in 0..network.role_count() {
            let mut moves = Vec::new();
            crate::network::for_each_bit(self.position.legal(&network, role), |i| {
                moves.push(i as u32);
            });
            if role == self.game.role() {
                // The player knows what it did; where it was not legal, it did not happen.
                moves.retain(|&m| m == own.0);
            }
            joints = joints
                .iter()
                .flat_map(|joint| moves.iter().map(move |&m| [&joint[..], &[m]].concat()))
                .collect();
        }
        let probability = 1.0 / joints.len().max(1) as f64;
        for joint in joints {
            self.weights.add(node, probability);
            self.pasts.push(Past { joint: joint.into(), state: None, expanded: false });
        }
    }

    /// Plays to a child; `false` if something else was seen there.
    fn visit(&mut self, node: u32, child: u32, depth: usize) -> bool {
        let Some(state) = self.pasts[node as usize].state.clone() else { return false };
        let network = Arc::clone(self.game.network());
        self.position.load(&network, &state);
        let joint = self.pasts[child as usize].joint.clone();
        let seen = self.game.play(&mut self.position, &joint);
        // The match goes on, so the game was not over before the last move.
        let over = depth + 1 < self.history.len() && self.position.terminal(&network);
        if seen != self.history[depth].1 || over {
            return false;
        }
        self.pasts[child as usize].state = Some(self.position.state(&network).into());
        true
    }
}

/// A belief tree that a search draws from while the player keeps it.
#[derive(Clone, Debug)]
pub struct SharedBelief(Arc<Mutex<BeliefTree>>);

impl SharedBelief {
    /// Shares a tree.
    pub fn new(tree: BeliefTree) -> Self {
        SharedBelief(Arc::new(Mutex::new(tree)))
    }

    /// Adds the move that was played and what was seen of it.
    pub fn observe(&self, action: Move, seen: Percepts) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).observe(action, seen);
    }

    /// Draws a state; `None` if none agrees with the history.
    pub fn sample(&self, rng: &mut Rng) -> Option<Position> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).sample(rng)
    }
}

impl Belief<GdlGame> for SharedBelief {
    /// The initial state stands in where no state agrees with the history: that happens only
    /// when the percepts given do not come from this game.
    fn sample(&self, game: &GdlGame, rng: &mut Rng) -> Position {
        SharedBelief::sample(self, rng).unwrap_or_else(|| game.start(rng))
    }
}
