//! Monte-Carlo belief-state tree search (section 3.2.2, Algorithm 1).

use std::sync::Arc;

use patience_model::{Game, Rng};
use patience_plan::Halt;

use super::Weights;
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

/// A tree of more nodes is replaced by [`PARTICLES`] states drawn from it.
const MOST_NODES: usize = 1_000_000;
/// States that stand for a tree which has grown too large.
const PARTICLES: usize = 2_000;
/// More joint moves than this are not all tried: a random part of them stands for all.
const MOST_JOINTS: usize = 4_096;

/// Histories that are tried for one draw.
const MOST_TRIES: u64 = 1_000_000;

/// The histories that may have led to the present, with their probabilities.
///
/// **Guarantee.** Every drawn state agrees with the player's own moves and percepts, and states
/// are drawn with the probability of their histories among those not yet found impossible: in the
/// limit, with the belief of the underlying POMDP (section 4). This holds as long as the tree stays
/// below a million nodes and no move of the others has more than 4096 combinations; beyond that the
/// belief is sampled from, and may become empty although something was possible.
#[derive(Clone, Debug)]
pub struct BeliefTree<W: World = Network> {
    game: GdlGame<W>,
    weights: Weights,
    /// The root stands above all starts: the initial state, or the states of an earlier tree.
    pasts: Vec<Past>,
    /// What happened since those starts.
    history: Vec<(Move, Percepts)>,
    /// How many moves lie before them.
    forgotten: usize,
    standing: GdlState<W::Position>,
    most_tries: u64,
    /// Whether all that the others can have done is followed.
    complete: bool,
    /// Why nothing can be drawn, once that is known.
    lost: Option<BeliefError>,
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
    /// None was found.
    #[error("none of {tries} histories of {moves} moves that were tried agrees with what was seen")]
    Tries {
        /// How many were tried.
        tries: u64,
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
        let mut tree = BeliefTree {
            game,
            weights: Weights::new(),
            pasts: Vec::new(),
            history: Vec::new(),
            forgotten: 0,
            standing,
            most_tries: MOST_TRIES,
            complete: true,
            lost: None,
        };
        let words = tree.game.network().words(&tree.standing.position).into();
        tree.plant(vec![(words, tree.standing.views.clone())]);
        tree
    }

    /// The same with another bound on the histories that are tried for one draw.
    pub fn with_tries(self, most_tries: u64) -> Self {
        BeliefTree { most_tries: most_tries.max(1), ..self }
    }

    /// Why nothing can be drawn, if that is known; not where the belief is only sampled from, see
    /// above.
    pub fn lost(&self) -> Option<&BeliefError> {
        self.lost.as_ref().filter(|_| self.complete)
    }

    /// Whether nothing was found the last time: there may be something all the same where the belief
    /// is only sampled from.
    pub fn is_astray(&self) -> bool {
        self.lost.is_some()
    }

    /// Starts anew from these states, all equally likely.
    fn plant(&mut self, starts: Vec<(Box<[u64]>, Vec<u64>)>) {
        self.weights = Weights::new();
        self.pasts.clear();
        let new = |state, views| Past { joint: Box::default(), state, views, expanded: false };
        self.pasts.push(new(None, Vec::new()));
        let probability = 1.0 / starts.len().max(1) as f64;
        for (state, views) in starts {
            self.weights.add(0, probability);
            self.pasts.push(new(Some(state), views));
        }
        let moves = std::mem::take(&mut self.history).len();
        self.complete &= moves == 0;
        self.forgotten += moves;
    }

    /// Adds the move that was played and what was seen of it.
    pub fn observe(&mut self, action: Move, seen: Percepts) {
        self.history.push((action, seen));
        // What was too much to try may be less now; what cannot be stays so.
        self.lost = self.lost.take().filter(|lost| matches!(lost, BeliefError::Impossible { .. }));
    }

    /// The moves played and what was seen; `None` if the tree has grown too large to know them all.
    pub fn history(&self) -> Option<&[(Move, Percepts)]> {
        (self.forgotten == 0).then_some(&self.history)
    }

    /// How many nodes the tree has.
    pub fn nodes(&self) -> usize {
        self.weights.len()
    }

    /// Draws a state that agrees with the history.
    ///
    /// # Errors
    /// If there is none, if none was found in a million tries, or if a [`Halt`] of this thread
    /// strikes; after that the belief is as it was.
    pub fn sample(&mut self, rng: &mut Rng) -> Result<GdlState<W::Position>, BeliefError> {
        if self.pasts.len() > MOST_NODES {
            let mut starts = Vec::with_capacity(PARTICLES);
            for _ in 0..PARTICLES {
                let past = self.draw(rng)?;
                let past = &self.pasts[past];
                if let Some(state) = &past.state {
                    starts.push((state.clone(), past.views.clone()));
                }
            }
            self.plant(starts);
        }
        let drawn = self.draw(rng)?;
        self.enter(drawn)?;
        Ok(self.standing.clone())
    }

    /// Draws a leaf that agrees with the history.
    fn draw(&mut self, rng: &mut Rng) -> Result<usize, BeliefError> {
        if let Some(lost) = &self.lost {
            return Err(lost.clone());
        }
        let mut path = Vec::with_capacity(self.history.len() + 2);
        let mut tries = 0;
        loop {
            path.clear();
            path.push(0);
            if self.descend(&mut path, rng)? {
                return Ok(path.last().map_or(0, |&last| last as usize));
            }
            let moves = self.forgotten + self.history.len();
            if path.len() < 2 || !self.weights.remove(&path) {
                return Err(self.lose(BeliefError::Impossible { moves }));
            }
            tries += 1;
            if tries == self.most_tries || self.pasts.len() > 4 * MOST_NODES {
                return Err(self.lose(BeliefError::Tries { tries, moves }));
            }
            if tries % 16 == 0 && Halt::is_due() {
                return Err(BeliefError::Run(RunError::Stopped { during: None }));
            }
        }
    }

    /// Notes that there is no hope until something else is seen.
    fn lose(&mut self, error: BeliefError) -> BeliefError {
        self.lost = Some(error.clone());
        error
    }

    /// Goes down by the probabilities; `false` at a history that does not agree, which ends `path`.
    fn descend(&mut self, path: &mut Vec<u32>, rng: &mut Rng) -> Result<bool, BeliefError> {
        let Some(mut node) = self.choose(0, rng) else { return Ok(false) };
        path.push(node);
        for depth in 0..self.history.len() {
            if !self.pasts[node as usize].expanded {
                self.expand(node, self.history[depth].0, rng)?;
            }
            let Some(child) = self.choose(node, rng) else { return Ok(false) };
            path.push(child);
            if self.pasts[child as usize].state.is_none() && !self.visit(node, child, depth)? {
                return Ok(false);
            }
            node = child;
        }
        Ok(true)
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

    /// Adds a child for each combination of the other roles' legal moves, all equally likely.
    fn expand(&mut self, node: u32, own: Move, rng: &mut Rng) -> Result<(), BeliefError> {
        self.enter(node as usize)?;
        self.pasts[node as usize].expanded = true;
        let world = Arc::clone(self.game.network());
        if world.terminal(&self.standing.position) {
            return Ok(());
        }
        let joints = self.joints(&world, own, rng);
        let probability = 1.0 / joints.len().max(1) as f64;
        for joint in joints {
            self.weights.add(node, probability);
            let joint = joint.into();
            self.pasts.push(Past { joint, state: None, views: Vec::new(), expanded: false });
        }
        Ok(())
    }

    /// The joint moves in which the player makes its own, or a random part of them.
    fn joints(&mut self, world: &W, own: Move, rng: &mut Rng) -> Vec<Vec<u32>> {
        let mut moves = vec![Vec::new(); self.game.role_count()];
        for (role, moves) in moves.iter_mut().enumerate() {
            world.legal(&self.standing.position, role, moves);
            if role == self.game.role() {
                // The player knows what it did; where it was not legal, it did not happen.
                moves.retain(|&m| m == own.0);
            }
        }
        let count = moves.iter().try_fold(1usize, |n, list| n.checked_mul(list.len()));
        if count.is_none_or(|count| count > MOST_JOINTS) && moves.iter().all(|m| !m.is_empty()) {
            self.complete = false;
            let any = |_| moves.iter().map(|list| rng.pick(list)).collect();
            let mut some: Vec<Vec<u32>> = (0..MOST_JOINTS).map(any).collect();
            some.sort_unstable();
            some.dedup();
            return some;
        }
        moves.iter().fold(vec![Vec::new()], |joints, list| {
            let with = |joint: &Vec<u32>, &m: &u32| [&joint[..], &[m]].concat();
            joints.iter().flat_map(|joint| list.iter().map(move |m| with(joint, m))).collect()
        })
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
