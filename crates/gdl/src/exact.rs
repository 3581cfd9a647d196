//! The optimum, certified: expectimax over beliefs in which equal states are one.
//!
//! The belief-state tree of NORNS tells histories apart; what matters for the future is only which
//! states they led to and how likely each is. Merging them makes the games of the paper small:
//! after any questions, Numberguessing is an interval and a step.

use std::sync::Arc;

use patience_model::{Game, Rng};
use rustc_hash::FxHashMap;

use crate::game::{GdlGame, Move, Standing};
use crate::network::{MAX_ROLES, Network};
use crate::world::{Percepts, World};

/// How long a match may be: the recursion goes one deeper with every move.
const MOST_MOVES: usize = 500;

/// Why there is no certified optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExactError {
    /// More beliefs than allowed.
    #[error("more than {0} beliefs can be reached")]
    Beliefs(usize),
    /// The game is too long.
    #[error("the game can go on for more than {MOST_MOVES} moves")]
    Moves,
    /// Probabilities have denominators beyond 128 bits.
    #[error("the probabilities of states are fractions of more than 128 bits")]
    Fractions,
    /// What was seen cannot have been seen.
    #[error("no state agrees with what was seen")]
    Impossible,
}

/// States with whole-number weights, in the order of their words; the weights have no common
/// divisor, so that equal beliefs are equal vectors.
type Weighted = Vec<(Box<[u64]>, u128)>;

/// An exact solver for one deciding role, all others moving at random.
///
/// **Guarantee.** [`Exact::value`] is the expected reward of optimal play and [`Exact::best`] an
/// optimal move, up to the rounding of sums in 64-bit numbers; weights of states are exact.
#[derive(Clone, Debug)]
pub struct Exact<W: World = Network> {
    game: GdlGame<W>,
    /// The value of each belief, and the move that gives it.
    known: FxHashMap<Box<[u64]>, (f64, u32)>,
    /// Words of all keys.
    key_words: usize,
    most: usize,
    ceiling: f64,
    belief: Weighted,
    standing: Standing<W::Position>,
}

/// What follows a move: per percepts the belief over states that go on, and rewards of those that
/// do not, weighted.
struct Outlook {
    total: u128,
    ended: f64,
    branches: Vec<(Percepts, Weighted)>,
}

impl<W: World> Exact<W> {
    /// A solver at the start of the game that may look at so many beliefs.
    pub fn new(game: GdlGame<W>, most: usize) -> Self {
        let standing = game.start(&mut Rng::new(0));
        Exact::from_state(game, standing, most)
    }

    /// A solver at a state that is known.
    pub fn from_state(game: GdlGame<W>, standing: Standing<W::Position>, most: usize) -> Self {
        let belief = vec![(game.network().words(&standing.position).into(), 1)];
        let ceiling = game.highest_reward();
        let known = FxHashMap::default();
        Exact { game, known, key_words: 0, most, ceiling, belief, standing }
    }

    /// How many beliefs have been valued.
    pub fn beliefs(&self) -> usize {
        self.known.len()
    }

    /// The expected reward of optimal play from now on.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn value(&mut self) -> Result<f64, ExactError> {
        Ok(self.solve(&self.belief.clone(), 0)?.0)
    }

    /// An optimal move; `None` if the game is over.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn best(&mut self) -> Result<Option<Move>, ExactError> {
        let (_, action) = self.solve(&self.belief.clone(), 0)?;
        Ok((action != u32::MAX).then_some(Move(action)))
    }

    /// The value of every legal move, optimal play after it.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn values(&mut self) -> Result<Vec<(Move, f64)>, ExactError> {
        let belief = self.belief.clone();
        let legal = self.legal(&belief).into_iter();
        legal.map(|action| Ok((Move(action), self.worth(&belief, action, 0)?))).collect()
    }

    /// Bytes held, roughly: keys are the states of a belief with their weights.
    pub fn bytes(&self) -> u64 {
        self.key_words as u64 * 8 + self.known.len() as u64 * 40
    }

    /// Replaces the contents of `out` by the moves that are legal now.
    pub fn moves(&mut self, out: &mut Vec<Move>) {
        let belief = self.belief.clone();
        out.clear();
        out.extend(self.legal(&belief).into_iter().map(Move));
    }

    /// Lets it look at so many beliefs; what was found stays.
    pub fn allow(&mut self, most: usize) {
        self.most = most;
    }

    /// Goes on below a move that was played and what was seen of it.
    ///
    /// # Errors
    /// If that cannot have been seen.
    pub fn observe(&mut self, action: Move, seen: Percepts) -> Result<(), ExactError> {
        let outlook = self.outlook(&self.belief.clone(), action.0)?;
        let branch = outlook.branches.into_iter().find(|(percepts, _)| *percepts == seen);
        self.belief = reduced(branch.ok_or(ExactError::Impossible)?.1);
        Ok(())
    }

    fn solve(&mut self, belief: &Weighted, depth: usize) -> Result<(f64, u32), ExactError> {
        let key: Box<[u64]> = belief
            .iter()
            .flat_map(|(state, weight)| {
                state.iter().copied().chain([*weight as u64, (*weight >> 64) as u64])
            })
            .collect();
        if let Some(&found) = self.known.get(&key) {
            return Ok(found);
        }
        if depth == MOST_MOVES {
            return Err(ExactError::Moves);
        }
        let mut best = (0.0, u32::MAX);
        for action in self.legal(belief) {
            let value = self.worth(belief, action, depth)?;
            if best.1 == u32::MAX || value > best.0 + 1e-12 {
                best = (value, action);
            }
            // Nothing is worth more than the highest goal.
            if best.0 >= self.ceiling - 1e-12 {
                break;
            }
        }
        if self.known.len() >= self.most {
            return Err(ExactError::Beliefs(self.most));
        }
        self.key_words += key.len();
        self.known.insert(key, best);
        Ok(best)
    }

    /// The expected reward of a move and optimal play after it.
    fn worth(&mut self, belief: &Weighted, action: u32, depth: usize) -> Result<f64, ExactError> {
        let outlook = self.outlook(belief, action)?;
        let total = outlook.total as f64;
        let mut value = outlook.ended / total;
        for (_, branch) in outlook.branches {
            let share = branch.iter().map(|(_, w)| *w as f64).sum::<f64>() / total;
            value += share * self.solve(&reduced(branch), depth + 1)?.0;
        }
        Ok(value)
    }

    /// The moves that are legal in all states of a belief (section 2).
    fn legal(&mut self, belief: &Weighted) -> Vec<u32> {
        let network = Arc::clone(self.game.network());
        let (mut common, mut legal) = (Vec::new(), Vec::new());
        for (i, (state, _)) in belief.iter().enumerate() {
            network.load(&mut self.standing.position, state);
            network.legal(&self.standing.position, self.game.role(), &mut legal);
            match i {
                0 => common.clone_from(&legal),
                _ => common.retain(|number| legal.contains(number)),
            }
        }
        common
    }

    fn outlook(&mut self, belief: &Weighted, action: u32) -> Result<Outlook, ExactError> {
        let network = Arc::clone(self.game.network());
        // Each state's weight is split evenly over the moves of the others: first make all
        // weights divisible by their numbers.
        let mut joints = Vec::with_capacity(belief.len());
        let mut factor: u128 = 1;
        for (state, _) in belief {
            network.load(&mut self.standing.position, state);
            let own = self.joints(&network, action);
            factor = lcm(factor, own.len().max(1) as u128).ok_or(ExactError::Fractions)?;
            joints.push(own);
        }
        let mut outlook = Outlook { total: 0, ended: 0.0, branches: Vec::new() };
        let mut place: FxHashMap<Percepts, usize> = FxHashMap::default();
        let mut merged: Vec<FxHashMap<Box<[u64]>, u128>> = Vec::new();
        for ((state, weight), own) in belief.iter().zip(joints) {
            let count = own.len().max(1) as u128;
            let each = weight.checked_mul(factor / count).ok_or(ExactError::Fractions)?;
            for joint in own {
                network.load(&mut self.standing.position, state);
                let seen = self.game.play(&mut self.standing, &joint);
                outlook.total = outlook.total.checked_add(each).ok_or(ExactError::Fractions)?;
                if !self.game.goes_on(&self.standing) {
                    outlook.ended += each as f64 * self.game.reward(&self.standing);
                    continue;
                }
                let branch = *place.entry(seen).or_insert_with(|| {
                    outlook.branches.push((seen, Vec::new()));
                    merged.push(FxHashMap::default());
                    merged.len() - 1
                });
                *merged[branch]
                    .entry(network.words(&self.standing.position).into())
                    .or_insert(0) += each;
            }
        }
        for ((_, branch), states) in outlook.branches.iter_mut().zip(merged) {
            branch.extend(states);
            branch.sort_unstable();
        }
        outlook.total = outlook.total.max(1);
        Ok(outlook)
    }

    /// All joint moves in which the deciding role makes its own.
    fn joints(&self, network: &W, action: u32) -> Vec<Vec<u32>> {
        let mut joints: Vec<Vec<u32>> = vec![Vec::with_capacity(MAX_ROLES.min(8))];
        for role in 0..self.game.role_count() {
            let mut moves = Vec::new();
            match role == self.game.role() {
                true => moves.push(action),
                false => network.legal(&self.standing.position, role, &mut moves),
            }
            joints = joints
                .iter()
                .flat_map(|joint| moves.iter().map(move |&m| [&joint[..], &[m]].concat()))
                .collect();
        }
        joints
    }
}

/// Divides the weights by what they have in common.
fn reduced(mut belief: Weighted) -> Weighted {
    let divisor = belief.iter().fold(0, |d, (_, w)| gcd(d, *w)).max(1);
    belief.iter_mut().for_each(|(_, w)| *w /= divisor);
    belief
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: u128, b: u128) -> Option<u128> {
    a.checked_mul(b / gcd(a, b))
}
