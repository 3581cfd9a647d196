//! One move from one belief: what it promises, and what follows it.

use std::sync::Arc;

use patience_plan::Halt;
use rustc_hash::FxHashMap;

use super::{Exact, ExactError};
use crate::play::{Percepts, World, fingerprint};

/// Joint moves of the other roles that are listed for one state.
pub(super) const MOST_JOINTS: usize = 100_000;
/// Moves that are played between two looks at the halt flag.
const UNASKED: u64 = 64;

/// States with whole-number weights, in the order of their words; the weights have no common
/// divisor, so that equal beliefs are equal vectors.
pub(super) type Weighted = Vec<(Box<[u64]>, u128)>;

/// What follows a move: per percepts the belief over states that go on, and rewards of those that
/// do not, weighted.
pub(super) struct Outlook {
    pub(super) total: u128,
    pub(super) ended: f64,
    pub(super) branches: Vec<(Percepts, Weighted)>,
}

/// What a move promises.
pub(super) struct Gain {
    /// The entropy of what is seen after it, in nats.
    pub(super) information: f64,
    /// The expected reward of games that it ends.
    pub(super) reward: f64,
    /// A fingerprint of what follows in each state: equal for moves between which nothing tells.
    pub(super) outcome: u128,
    /// Whether what is seen tells all states apart.
    pub(super) tells_all: bool,
}

impl<W: World> Exact<W> {
    /// What a move promises in these states.
    pub(super) fn gain(&mut self, states: &Weighted, action: u32) -> Result<Gain, ExactError> {
        let world = Arc::clone(self.game.network());
        let mut place: FxHashMap<Option<Percepts>, usize> = FxHashMap::default();
        let mut shares: Vec<f64> = Vec::new();
        let mut outcome = Vec::with_capacity(states.len() * 3);
        let (mut total, mut plays, mut reward) = (0.0, 0, 0.0);
        for (state, weight) in states {
            world.load(&mut self.standing.position, state);
            let joints = self.joints(&world, action)?;
            plays += joints.len() as u64;
            if plays * world.cost() > self.most_bytes {
                // Too much to tell: unlike all others, and promising nothing.
                let outcome = fingerprint([u64::MAX, u64::from(action)].into_iter());
                return Ok(Gain { information: 0.0, reward: 0.0, outcome, tells_all: true });
            }
            let share = *weight as f64 / joints.len().max(1) as f64;
            for (i, joint) in joints.iter().enumerate() {
                if i > 0 {
                    world.load(&mut self.standing.position, state);
                }
                self.count()?;
                let seen = self.game.play(&mut self.standing, joint);
                self.known()?;
                let goes_on = self.game.goes_on(&self.standing);
                let count = place.len();
                let class = *place.entry(goes_on.then_some(seen)).or_insert(count);
                if class == count {
                    shares.push(0.0);
                }
                shares[class] += share;
                total += share;
                // Percepts matter only in what they tell apart, and ended games in what they pay.
                let successor = match goes_on {
                    true => fingerprint(world.words(&self.standing.position).iter().copied()),
                    false => {
                        let won = match world.terminal(&self.standing) {
                            true => self.game.reward(&self.standing),
                            false => 0.0,
                        };
                        reward += share * won;
                        u128::from(won.to_bits())
                    }
                };
                outcome.extend([class as u64, successor as u64, (successor >> 64) as u64]);
            }
        }
        let tells_all = shares.len() >= states.len();
        shares.sort_by(f64::total_cmp);
        let information =
            -shares.iter().map(|share| share / total).map(|share| share * share.ln()).sum::<f64>();
        let outcome = fingerprint(outcome.into_iter());
        Ok(Gain { information: information.max(0.0), reward: reward / total, outcome, tells_all })
    }

    /// Counts a move that is played, if there is time for it.
    fn count(&mut self) -> Result<(), ExactError> {
        self.plays += 1;
        match self.plays.is_multiple_of(UNASKED) && Halt::is_near() {
            true => Err(ExactError::Stopped),
            false => Ok(()),
        }
    }

    /// Whether the state at hand was evaluated to the end: else it proves nothing.
    fn known(&self) -> Result<(), ExactError> {
        match self.game.network().fault(&self.standing.position) {
            None => Ok(()),
            Some(_) => Err(ExactError::Unknown),
        }
    }

    /// The moves that are legal in a belief: the same in all its states, by the rules of GDL-II.
    pub(super) fn legal(&mut self, belief: &Weighted) -> Result<Vec<u32>, ExactError> {
        let world = Arc::clone(self.game.network());
        let (mut common, mut legal) = (Vec::new(), Vec::new());
        for (i, (state, _)) in belief.iter().enumerate() {
            world.load(&mut self.standing.position, state);
            if !self.game.goes_on(&self.standing) {
                return Ok(Vec::new());
            }
            world.legal(&self.standing.position, self.game.role(), &mut legal);
            match i {
                0 => common.clone_from(&legal),
                _ if common == legal => {}
                _ => return Err(ExactError::Legal),
            }
        }
        Ok(common)
    }

    /// What follows a move from a belief.
    pub(super) fn outlook(
        &mut self,
        belief: &Weighted,
        action: u32,
    ) -> Result<Outlook, ExactError> {
        let world = Arc::clone(self.game.network());
        // Each state's weight is split evenly over the moves of the others: first make all
        // weights divisible by their numbers.
        let mut joints = Vec::with_capacity(belief.len());
        let mut factor: u128 = 1;
        let mut plays = 0;
        for (state, _) in belief {
            world.load(&mut self.standing.position, state);
            let own = self.joints(&world, action)?;
            plays += own.len() as u64 + 1;
            if plays * world.cost() > self.most_bytes {
                return Err(ExactError::States);
            }
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
                world.load(&mut self.standing.position, state);
                self.count()?;
                let seen = self.game.play(&mut self.standing, &joint);
                self.known()?;
                outlook.total = outlook.total.checked_add(each).ok_or(ExactError::Fractions)?;
                if !self.game.goes_on(&self.standing) {
                    if world.terminal(&self.standing) {
                        outlook.ended += each as f64 * self.game.reward(&self.standing);
                    }
                    continue;
                }
                let branch = *place.entry(seen).or_insert_with(|| {
                    outlook.branches.push((seen, Vec::new()));
                    merged.push(FxHashMap::default());
                    merged.len() - 1
                });
                *merged[branch].entry(world.words(&self.standing.position).into()).or_insert(0) +=
                    each;
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
    fn joints(&self, world: &W, action: u32) -> Result<Vec<Vec<u32>>, ExactError> {
        let mut joints: Vec<Vec<u32>> = vec![Vec::new()];
        let mut moves = Vec::new();
        for role in 0..self.game.role_count() {
            match role == self.game.role() {
                true => moves.clone_from(&vec![action]),
                false => world.legal(&self.standing.position, role, &mut moves),
            }
            if joints.len().saturating_mul(moves.len()) > MOST_JOINTS {
                return Err(ExactError::Joints);
            }
            let with = |joint: &Vec<u32>, &m: &u32| [&joint[..], &[m]].concat();
            joints =
                joints.iter().flat_map(|joint| moves.iter().map(move |m| with(joint, m))).collect();
        }
        Ok(joints)
    }
}

/// A belief as words.
pub(super) fn key(belief: &Weighted) -> Box<[u64]> {
    let words = belief.iter().flat_map(|(state, weight)| {
        state.iter().copied().chain([*weight as u64, (*weight >> 64) as u64])
    });
    words.collect()
}

/// Divides the weights by what they have in common.
pub(super) fn reduced(mut belief: Weighted) -> Weighted {
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
