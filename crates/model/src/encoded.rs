//! States and moves as arrays of a fixed size.

use crate::Game;

/// What the player sees and what the player can do, as whole numbers in arrays of a fixed size: what
/// programs that learn want.
///
/// The numbers are part of the interface, like those of a random stream: what was learnt on them
/// must not change its meaning.
pub trait Encoded: Game {
    /// The highest value of each number of an observation; the lowest is 0.
    fn highest(&self) -> Vec<i16>;

    /// Writes what the player knows in a state; `last` is what was seen of the last move, if one was
    /// made. `out` has as many numbers as [`Encoded::highest`], in any state.
    fn observe(&self, state: &Self::State, last: Option<Self::Obs>, out: &mut [i16]);

    /// How many moves there can be, in all states together.
    fn moves(&self) -> usize;

    /// The number of a legal action, below [`Encoded::moves`]; no two legal actions of a state have
    /// the same.
    fn number(&self, state: &Self::State, action: Self::Action) -> usize;
}
