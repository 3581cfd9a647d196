//! States and moves as arrays of a fixed size.

use serde::Serialize;

use crate::Game;

/// Numbers of an observation that stand in a row and mean the same, each of another thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// How many there are.
    pub count: usize,
    /// The highest value; the lowest is 0.
    pub highest: i16,
    /// What each of them is of, and what its values say.
    pub meaning: &'static str,
}

impl Part {
    /// So many numbers up to this one.
    pub const fn new(count: usize, highest: i16, meaning: &'static str) -> Part {
        Part { count, highest, meaning }
    }
}

/// What the player sees and what the player can do, as whole numbers in arrays of a fixed size: what
/// programs that learn want.
///
/// The numbers are part of the interface, like those of a random stream: what was learnt on them
/// must not change its meaning.
pub trait Encoded: Game {
    /// What an observation is made of, in order.
    fn layout(&self) -> Vec<Part>;

    /// The highest value of each number of an observation; the lowest is 0.
    fn highest(&self) -> Vec<i16> {
        let numbers = |part: Part| std::iter::repeat_n(part.highest, part.count);
        self.layout().into_iter().flat_map(numbers).collect()
    }

    /// Writes what the player knows in a state; `last` is what was seen of the last move, if one was
    /// made. `out` has as many numbers as [`Encoded::highest`], in any state.
    fn observe(&self, state: &Self::State, last: Option<Self::Obs>, out: &mut [i16]);

    /// How many moves there can be, in all states together.
    fn moves(&self) -> usize;

    /// What the number of a move says.
    fn numbering(&self) -> &'static str;

    /// The number of a legal action, below [`Encoded::moves`]; no two legal actions of a state have
    /// the same.
    fn number(&self, state: &Self::State, action: Self::Action) -> usize;
}
