//! A grounded description as a game of the model: one role decides, chance and all other roles
//! move at random, percepts are what is seen.

use std::sync::Arc;

use patience_model::{Game, Rng, Step, Text};

use crate::check::goal_value;
use crate::network::{MAX_ROLES, Network, Position};
use crate::symbol::Symbol;

/// A move of the deciding role, by its number in [`Network::moves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u32);

/// What the deciding role saw of a move: one bit for each percept up to 128 percepts, beyond that
/// a 128-bit fingerprint. In a game without `sees` all moves are seen, so it is one of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Percepts(pub u128);

/// Why a network is not played by a role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// There is no such role.
    #[error("there is no role {0}")]
    Role(String),
    /// The role is that of chance.
    #[error("the role random is chance and decides nothing")]
    Random,
}

/// A network seen by one role. Goals count as rewards from 0 to 1 when the game ends.
///
/// Roles other than `random` are taken to move at random too: sound for one-player games, a weak
/// model of opponents elsewhere. A state in which some role has no legal move although the game
/// is not over counts as over, without reward.
#[derive(Clone, Debug)]
pub struct GdlGame {
    network: Arc<Network>,
    role: usize,
    sees_all: bool,
    goals: Vec<f64>,
}

impl GdlGame {
    /// The game of a role, given by its name.
    ///
    /// # Errors
    /// If there is no such role, or it is `random`.
    pub fn new(network: Arc<Network>, role: &str) -> Result<Self, GameError> {
        let terms = network.terms();
        let found = terms
            .symbols()
            .find(role)
            .and_then(|name| network.roles().iter().position(|&r| terms.name(r) == name));
        let Some(role) = found else { return Err(GameError::Role(role.to_owned())) };
        if terms.name(network.roles()[role]) == Symbol::RANDOM {
            return Err(GameError::Random);
        }
        let value =
            |term| goal_value(terms.symbols().name(terms.name(term))).map_or(0.0, f64::from);
        let goals = network.goals[role].iter().map(|&(term, _)| value(term) / 100.0).collect();
        let sees_all = network.sees.iter().all(Vec::is_empty);
        Ok(GdlGame { network, role, sees_all, goals })
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The number of the deciding role.
    pub fn role(&self) -> usize {
        self.role
    }

    /// The highest reward that any goal of the role gives.
    pub fn highest_reward(&self) -> f64 {
        self.goals.iter().copied().fold(0.0, f64::max)
    }

    /// Whether some role cannot move.
    fn stuck(&self, state: &Position) -> bool {
        (0..self.network.role_count())
            .any(|role| state.legal(&self.network, role).iter().all(|&w| w == 0))
    }

    /// The reward of a state in which the game is over.
    pub fn reward(&self, state: &Position) -> f64 {
        let held = |i: &usize| state.holds(self.network.goals[self.role][*i].1);
        (0..self.goals.len()).find(held).map_or(0.0, |i| self.goals[i])
    }

    /// Plays a joint move and says what the deciding role sees.
    pub fn play(&self, state: &mut Position, joint: &[u32]) -> Percepts {
        state.play(&self.network, joint);
        if self.sees_all {
            return Percepts(fingerprint(joint.iter().map(|&m| u64::from(m))));
        }
        let list = &self.network.sees[self.role];
        let seen = |i: &usize| state.saw(&self.network, list[*i].1);
        let numbers = (0..list.len()).filter(seen);
        match list.len() {
            ..=128 => Percepts(numbers.fold(0, |bits, i| bits | 1 << i)),
            _ => Percepts(fingerprint(numbers.map(|i| i as u64))),
        }
    }
}

/// Two independent 64-bit mixes side by side.
fn fingerprint(numbers: impl Iterator<Item = u64>) -> u128 {
    let (mut a, mut b) = (0x9e37_79b9_7f4a_7c15u64, 0xd1b5_4a32_d192_ed03u64);
    for n in numbers {
        a = (a ^ n).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        a ^= a >> 29;
        b = b.rotate_left(23).wrapping_add(n).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^= b >> 32;
    }
    u128::from(a) << 64 | u128::from(b)
}

impl Game for GdlGame {
    type State = Position;
    type Action = Move;
    type Obs = Percepts;

    fn start(&self, _: &mut Rng) -> Position {
        self.network.position()
    }

    fn actions(&self, state: &Position, out: &mut Vec<Move>) {
        out.clear();
        if !state.terminal(&self.network) && !self.stuck(state) {
            let words = state.legal(&self.network, self.role);
            crate::network::for_each_bit(words, |i| out.push(Move(i as u32)));
        }
    }

    fn step(&self, state: &mut Position, action: Move, rng: &mut Rng) -> Step<Percepts> {
        let mut joint = [0u32; MAX_ROLES];
        let roles = self.network.role_count();
        for (role, number) in joint[..roles].iter_mut().enumerate() {
            *number = match role == self.role {
                true => action.0,
                false => state.random_move(&self.network, role, rng).unwrap_or(0),
            };
        }
        let obs = self.play(state, &joint[..roles]);
        let reward = if state.terminal(&self.network) { self.reward(state) } else { 0.0 };
        Step { reward, obs }
    }
}

impl Text for GdlGame {
    fn state_text(&self, state: &Position) -> String {
        let mut facts = Vec::new();
        crate::network::for_each_bit(state.state(&self.network), |i| {
            facts.push(self.network.terms().show(self.network.bases()[i]).to_string());
        });
        facts.join(" ")
    }

    fn action_text(&self, _: &Position, action: Move) -> String {
        let moves = self.network.moves(self.role);
        moves
            .get(action.0 as usize)
            .map_or_else(String::new, |&m| self.network.terms().show(m).to_string())
    }
}
