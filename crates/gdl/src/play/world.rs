//! What players need of an engine: positions as values, and moves as numbers.

use std::fmt;

use patience_model::Rng;

use crate::engine::RunError;

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

    /// A legal move of a role, uniformly at random; `None` if there is none.
    fn random_move(&self, position: &Self::Position, role: usize, rng: &mut Rng) -> Option<u32>;

    /// Plays one move for each role.
    fn play(&self, position: &mut Self::Position, joint: &[u32]);

    /// Why the position could not be evaluated to the end; it then counts as over, without a goal.
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
