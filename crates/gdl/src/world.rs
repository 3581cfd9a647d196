//! What players need of an engine: positions as values, and moves as numbers.

use std::fmt;

use patience_model::Rng;

use crate::network::{Network, Position, for_each_bit};
use crate::reasoner::RunError;
use crate::symbol::Symbol;
use crate::terms::TermId;

/// What a role saw of a move: one bit for each percept where a role has up to 128 of them, beyond
/// that a 128-bit fingerprint. In a game in which all moves are seen, a fingerprint of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Percepts(pub u128);

/// A game as players use it: positions are values that can be kept and copied, moves of a role are
/// numbers. Implemented by the grounded engine, and by the lifted one for games too large for that.
pub trait World: fmt::Debug + Send + Sync + 'static {
    /// Where a match stands.
    type Position: Clone + PartialEq + fmt::Debug + Send + 'static;

    /// The names of the roles, in their order.
    fn role_names(&self) -> Vec<String>;

    /// Whether a role is chance.
    fn is_chance(&self, role: usize) -> bool;

    /// Whether somebody may see something by a rule of `sees`.
    fn has_percepts(&self) -> bool;

    /// How costly a move is, roughly: the bytes of a position where it is grounded.
    fn cost(&self) -> u64;

    /// The initial position.
    fn position(&self) -> Self::Position;

    /// Goes to a state, given by its words.
    fn load(&self, position: &mut Self::Position, words: &[u64]);

    /// The words of the state: equal for equal states.
    fn words<'p>(&self, position: &'p Self::Position) -> &'p [u64];

    /// Whether the game is over.
    fn terminal(&self, position: &Self::Position) -> bool;

    /// Calls `visit` with the number of each legal move of a role, in a fixed order.
    fn for_each_legal(&self, position: &Self::Position, role: usize, visit: &mut impl FnMut(u32));

    /// Whether a role has a legal move.
    fn can_move(&self, position: &Self::Position, role: usize) -> bool;

    /// Replaces the contents of `out` by the numbers of a role's legal moves, in a fixed order.
    fn legal(&self, position: &Self::Position, role: usize, out: &mut Vec<u32>) {
        out.clear();
        self.for_each_legal(position, role, &mut |number| out.push(number));
    }

    /// A legal move of a role, each alike; `None` if there is none.
    fn random_move(&self, position: &Self::Position, role: usize, rng: &mut Rng) -> Option<u32>;

    /// Plays one move for each role.
    fn play(&self, position: &mut Self::Position, joint: &[u32]);

    /// Why the position could not be looked at to the end; it then counts as over, without a goal.
    fn fault<'p>(&self, _position: &'p Self::Position) -> Option<&'p RunError> {
        None
    }

    /// The first goal value that is derived for a role.
    fn goal(&self, position: &Self::Position, role: usize) -> Option<u8>;

    /// All goal values that are derived for a role: exactly one in a game without faults.
    fn goal_texts(&self, position: &Self::Position, role: usize) -> Vec<String>;

    /// The highest goal value that a role may ever have.
    fn highest_goal(&self, role: usize) -> u8;

    /// What a role saw of the last move by the rules of `sees`.
    fn seen(&self, position: &Self::Position, role: usize) -> Percepts;

    /// The same from the terms of what was seen; `None` if that can never be seen.
    fn seen_terms(&self, role: usize, terms: &[&str]) -> Option<Percepts>;

    /// The terms of what a role saw of the last move.
    fn percept_texts(&self, position: &Self::Position, role: usize) -> Vec<String>;

    /// The number of a move; `None` if the role never has it.
    fn move_named(&self, role: usize, text: &str) -> Option<u32>;

    /// A move as a term.
    fn move_text(&self, role: usize, number: u32) -> String;

    /// The facts that hold.
    fn facts(&self, position: &Self::Position) -> Vec<String>;
}

/// Two independent 64-bit mixes side by side.
pub(crate) fn fingerprint(numbers: impl Iterator<Item = u64>) -> u128 {
    let (mut a, mut b) = (0x9e37_79b9_7f4a_7c15u64, 0xd1b5_4a32_d192_ed03u64);
    for n in numbers {
        a = (a ^ n).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        a ^= a >> 29;
        b = b.rotate_left(23).wrapping_add(n).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^= b >> 32;
    }
    u128::from(a) << 64 | u128::from(b)
}

/// Percepts by their places in a list of this length.
fn percepts(length: usize, places: impl Iterator<Item = usize>) -> Percepts {
    match length {
        ..=128 => Percepts(places.fold(0, |bits, i| bits | 1 << i)),
        _ => Percepts(fingerprint(places.map(|i| i as u64))),
    }
}

impl Network {
    fn show(&self, term: TermId) -> String {
        self.terms.show(term).to_string()
    }
}

impl World for Network {
    type Position = Position;

    fn role_names(&self) -> Vec<String> {
        self.roles.iter().map(|&role| self.show(role)).collect()
    }

    fn is_chance(&self, role: usize) -> bool {
        self.terms.name(self.roles[role]) == Symbol::RANDOM
    }

    fn has_percepts(&self) -> bool {
        self.sees.iter().any(|list| !list.is_empty())
    }

    fn cost(&self) -> u64 {
        self.sizes.position_bytes as u64
    }

    fn position(&self) -> Position {
        Network::position(self)
    }

    fn load(&self, position: &mut Position, words: &[u64]) {
        position.load(self, words);
    }

    fn words<'p>(&self, position: &'p Position) -> &'p [u64] {
        position.state(self)
    }

    #[inline]
    fn terminal(&self, position: &Position) -> bool {
        position.terminal(self)
    }

    #[inline]
    fn for_each_legal(&self, position: &Position, role: usize, visit: &mut impl FnMut(u32)) {
        for_each_bit(position.legal(self, role), |i| visit(i as u32));
    }

    #[inline]
    fn can_move(&self, position: &Position, role: usize) -> bool {
        position.legal(self, role).iter().any(|&word| word != 0)
    }

    #[inline]
    fn random_move(&self, position: &Position, role: usize, rng: &mut Rng) -> Option<u32> {
        position.random_move(self, role, rng)
    }

    #[inline]
    fn play(&self, position: &mut Position, joint: &[u32]) {
        position.play(self, joint);
    }

    fn goal(&self, position: &Position, role: usize) -> Option<u8> {
        let position = position.with_goals(self);
        let place = self.goals[role].iter().position(|&(_, node)| position.holds(node))?;
        Some(self.goal_values[role][place])
    }

    fn goal_texts(&self, position: &Position, role: usize) -> Vec<String> {
        position.goals(self, role).map(|term| self.show(term)).collect()
    }

    fn highest_goal(&self, role: usize) -> u8 {
        self.goal_values[role].iter().copied().max().unwrap_or(0)
    }

    #[inline]
    fn seen(&self, position: &Position, role: usize) -> Percepts {
        let list = &self.sees[role];
        percepts(list.len(), (0..list.len()).filter(|&i| position.saw(self, list[i].1)))
    }

    fn seen_terms(&self, role: usize, terms: &[&str]) -> Option<Percepts> {
        let list = &self.sees[role];
        let place = |text: &&str| {
            let term = self.terms.look_up(text)?;
            list.iter().position(|&(other, _)| other == term)
        };
        let mut places = terms.iter().map(place).collect::<Option<Vec<usize>>>()?;
        places.sort_unstable();
        places.dedup();
        Some(percepts(list.len(), places.into_iter()))
    }

    fn percept_texts(&self, position: &Position, role: usize) -> Vec<String> {
        position.percepts(self, role).map(|term| self.show(term)).collect()
    }

    fn move_named(&self, role: usize, text: &str) -> Option<u32> {
        self.move_number[role].get(&self.terms.look_up(text)?).copied()
    }

    fn move_text(&self, role: usize, number: u32) -> String {
        self.moves[role].get(number as usize).map_or_else(String::new, |&term| self.show(term))
    }

    fn facts(&self, position: &Position) -> Vec<String> {
        let mut facts = Vec::new();
        for_each_bit(position.state(self), |i| facts.push(self.show(self.bases[i])));
        facts
    }
}
