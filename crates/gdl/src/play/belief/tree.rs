//! Monte-Carlo belief-state tree search (section 3.2.2, Algorithm 1).

use std::sync::Arc;

use patience_model::{Game, Rng};
use patience_plan::Halt;

use super::Weights;
use super::joints::Joints;
use super::layers::Layers;
use crate::engine::RunError;
use crate::network::Network;
use crate::play::{GdlGame, GdlState, Move, Percepts, World};

/// What a node of the tree remembers: how it is reached, and the state if it was visited.
#[derive(Clone, Debug)]
struct Past {
    /// The moves of all roles that lead here.
    joint: Box<[u32]>,
    /// The words of the state, once it has been found to agree with what was seen.
    state: Option<Box<[u64]>>,
    /// What each role knows there, see [`GdlState`].
    views: Vec<u64>,
    expanded: bool,
}

/// A tree of more nodes is left for [`Layers`].
const MOST_NODES: usize = 1_000_000;
/// So is one with more joint moves in a turn.
const MOST_JOINTS: usize = 4_096;
/// Histories that are tried for one draw, before others are merged by where they lead.
const MOST_TRIES: u64 = 20_000;

/// The histories that may have led to the present, with their probabilities.
///
/// **Guarantee.** Every drawn state agrees with the player's own moves and percepts, and states
/// are drawn with the probability of their histories among those not yet found impossible: in the
/// limit, with the belief of the underlying POMDP (section 4). Where histories are too many for a tree
/// (a million nodes, 4096 joint moves in a turn, 20,000 tries for one draw) states are kept instead of
/// histories, at first all of them and then some that stand for all. If none of those agrees with what
/// is seen, the past is searched for others; if none is found, those are drawn with which the fewest
/// percepts disagree ([`BeliefTree::is_astray`]), until what is seen later sets it right.
#[derive(Clone, Debug)]
pub struct BeliefTree<W: World = Network> {
    game: GdlGame<W>,
    weights: Weights,
    /// The root stands above the initial state.
    pasts: Vec<Past>,
    history: Vec<(Move, Percepts)>,
    standing: GdlState<W::Position>,
    most_tries: u64,
    /// What stands in for the tree once histories are too many.
    layers: Option<Box<Layers<W>>>,
    /// Why nothing can be drawn, once that is known.
    lost: Option<BeliefError>,
}

/// How a descent ended.
enum Found {
    /// At a history that agrees.
    Agrees,
    /// At one that does not.
    Differs,
    /// At a turn with too many joint moves.
    TooMany,
}

/// Why there is no state that agrees with what was seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BeliefError {
    /// There is none: what is said to be seen cannot have been.
    #[error("nothing that can have happened in {moves} moves agrees with what was seen")]
    Impossible {
        /// The moves so far.
        moves: usize,
    },
    /// The engine was stopped.
    #[error(transparent)]
    Run(RunError),
}

impl<W: World> BeliefTree<W> {
    /// The belief before the first move.
    pub fn new(game: GdlGame<W>) -> Self {
        let standing = game.start(&mut Rng::new(0));
        let mut weights = Weights::new();
        weights.add(0, 1.0);
        let new = |state, views| Past { joint: Box::default(), state, views, expanded: false };
        let words = game.network().words(&standing.position).into();
        let pasts = vec![new(None, Vec::new()), new(Some(words), standing.views.clone())];
        let (history, most_tries, layers, lost) = (Vec::new(), MOST_TRIES, None, None);
        BeliefTree { game, weights, pasts, history, standing, most_tries, layers, lost }
    }

    /// The same with another bound on the histories that are tried for one draw before the tree is
    /// left.
    pub fn with_tries(self, most_tries: u64) -> Self {
        BeliefTree { most_tries: most_tries.max(1), ..self }
    }

    /// Why nothing can be drawn, if that is known.
    pub fn lost(&self) -> Option<&BeliefError> {
        self.lost.as_ref()
    }

    /// Whether nothing that was found the last time agrees with all that was seen.
    pub fn is_astray(&self) -> bool {
        self.lost.is_some() || self.layers.as_ref().is_some_and(|layers| layers.is_astray())
    }

    /// Adds the move that was played and what was seen of it.
    pub fn observe(&mut self, action: Move, seen: Percepts) {
        self.history.push((action, seen));
    }

    /// Takes back the last of these, which is found not to have happened.
    pub fn take_back(&mut self) {
        self.history.pop();
        self.lost = None;
        // States of the last turn are only there once they are found to agree.
        if self.layers.is_none() {
            let (game, history) = (self.game.clone(), std::mem::take(&mut self.history));
            *self = BeliefTree { history, ..BeliefTree::new(game).with_tries(self.most_tries) };
        }
    }

    /// The moves played and what was seen; `None` if they are too many to be followed all.
    pub fn history(&self) -> Option<&[(Move, Percepts)]> {
        self.layers.is_none().then_some(&self.history)
    }

    /// How many nodes the tree has, or how many states there are where it was left.
    pub fn nodes(&self) -> usize {
        self.layers.as_ref().map_or(self.weights.len(), |layers| layers.states())
    }

    /// Draws a state that agrees with the history, or, where none is found, nearly does.
    ///
    /// # Errors
    /// If there can be none, or if a [`Halt`] of this thread strikes; after that the belief is as it
    /// was.
    pub fn sample(&mut self, rng: &mut Rng) -> Result<GdlState<W::Position>, BeliefError> {
        if let Some(lost) = &self.lost {
            return Err(lost.clone());
        }
        if self.layers.is_none() {
            match self.draw(rng)? {
                Some(drawn) => self.enter(drawn)?,
                None => {
                    self.layers = Some(Box::new(Layers::new(self.game.clone())));
                    (self.weights, self.pasts) = (Weights::new(), Vec::new());
                }
            }
        }
        if let Some(layers) = &mut self.layers {
            match layers.follow(&self.history, rng) {
                Ok(()) => layers.draw(&mut self.standing, rng),
                Err(error @ BeliefError::Impossible { .. }) => return Err(self.lose(error)),
                Err(error) => return Err(error),
            }
            self.known()?;
        }
        Ok(self.standing.clone())
    }

    /// Draws a leaf that agrees with the history; `None` if histories are too many.
    fn draw(&mut self, rng: &mut Rng) -> Result<Option<usize>, BeliefError> {
        let mut path = Vec::with_capacity(self.history.len() + 2);
        let mut tries = 0;
        loop {
            if tries == self.most_tries || self.pasts.len() > MOST_NODES {
                return Ok(None);
            }
            path.clear();
            path.push(0);
            match self.descend(&mut path, rng)? {
                Found::Agrees => return Ok(path.last().map(|&last| last as usize)),
                Found::TooMany => return Ok(None),
                Found::Differs => {}
            }
            let moves = self.history.len();
            if path.len() < 2 || !self.weights.remove(&path) {
                return Err(self.lose(BeliefError::Impossible { moves }));
            }
            tries += 1;
            if tries % 16 == 0 && Halt::is_due() {
                return Err(BeliefError::Run(RunError::Stopped { during: None }));
            }
        }
    }

    /// Notes that there is no hope.
    fn lose(&mut self, error: BeliefError) -> BeliefError {
        self.lost = Some(error.clone());
        error
    }

    /// Goes down by the probabilities; a history that does not agree ends `path`.
    fn descend(&mut self, path: &mut Vec<u32>, rng: &mut Rng) -> Result<Found, BeliefError> {
        let Some(mut node) = self.choose(0, rng) else { return Ok(Found::Differs) };
        path.push(node);
        for depth in 0..self.history.len() {
            if !self.pasts[node as usize].expanded && !self.expand(node, self.history[depth].0)? {
                return Ok(Found::TooMany);
            }
            let Some(child) = self.choose(node, rng) else { return Ok(Found::Differs) };
            path.push(child);
            if self.pasts[child as usize].state.is_none() && !self.visit(node, child, depth)? {
                return Ok(Found::Differs);
            }
            node = child;
        }
        Ok(Found::Agrees)
    }

    fn choose(&self, node: u32, rng: &mut Rng) -> Option<u32> {
        let children = self.weights.children(node);
        if let [(only, _)] = children {
            return Some(*only);
        }
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

    /// Makes the state of a node the one at hand.
    fn enter(&mut self, node: usize) -> Result<(), BeliefError> {
        let past = &self.pasts[node];
        if let Some(state) = &past.state {
            self.game.network().load(&mut self.standing.position, state);
            self.standing.views.clone_from(&past.views);
        }
        self.known()
    }

    /// Whether the state at hand was evaluated to the end: else it says nothing.
    fn known(&self) -> Result<(), BeliefError> {
        match self.game.network().fault(&self.standing.position) {
            None => Ok(()),
            Some(error) => Err(BeliefError::Run(error.clone())),
        }
    }

    /// Adds a child for each combination of the other roles' legal moves, all equally likely; `false`
    /// if they are too many.
    fn expand(&mut self, node: u32, own: Move) -> Result<bool, BeliefError> {
        self.enter(node as usize)?;
        let mut joints = Joints::default();
        joints.read(&self.game, &self.standing.position, own);
        // Where the player's own move was not legal, it did not happen.
        let possible =
            joints.own_is_legal && !self.game.network().terminal(&self.standing.position);
        let count = if possible { joints.count() } else { 0 };
        if count > MOST_JOINTS {
            return Ok(false);
        }
        self.pasts[node as usize].expanded = true;
        let mut joint = Vec::new();
        for number in 0..count {
            joints.nth(number, &mut joint);
            self.weights.add(node, 1.0 / count as f64);
            let joint = joint[..].into();
            self.pasts.push(Past { joint, state: None, views: Vec::new(), expanded: false });
        }
        Ok(true)
    }

    /// Plays to a child; `false` if something else was seen there.
    fn visit(&mut self, node: u32, child: u32, depth: usize) -> Result<bool, BeliefError> {
        self.enter(node as usize)?;
        let world = Arc::clone(self.game.network());
        let joint = self.pasts[child as usize].joint.clone();
        let seen = self.game.play(&mut self.standing, &joint);
        self.known()?;
        // The match goes on, so the game was not over before the last move.
        let over = depth + 1 < self.history.len() && world.terminal(&self.standing.position);
        if seen != self.history[depth].1 || over {
            return Ok(false);
        }
        let past = &mut self.pasts[child as usize];
        past.state = Some(world.words(&self.standing.position).into());
        past.views.clone_from(&self.standing.views);
        Ok(true)
    }
}
