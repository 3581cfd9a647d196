//! The hand-coded linear value function over binary features of Bjarnason, Tadepalli and Fern 2007,
//! "Searching Solitaire in Real Time".
//!
//! All features but two are settled by how many locked cards each column still has, so they are
//! summed up once for a deal.

use super::super::Card;
use super::state::State;

/// The weights of a value function. A card's rank counts from 0 for the ace to 12 for the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// For a card in a foundation: so much for the ace, and for every rank above it so much more.
    home: (i32, i32),
    /// For a card that can be got at in the stock.
    talon: i32,
    /// For a card face down whose twin, of its rank and colour, is face down too.
    twins: i32,
    /// For a card that blocks one of its suit of lesser rank.
    blocks_suit: i32,
    /// For a card that blocks one of the two cards on which it could be built.
    blocks_build: i32,
}

impl Heuristic {
    /// H1, which opens the game.
    pub const OPENING: Heuristic =
        Heuristic { home: (5, -1), talon: 0, twins: -5, blocks_suit: -5, blocks_build: -10 };

    /// H2, which ends it; a search with a single value function uses this one.
    pub const ENDING: Heuristic =
        Heuristic { home: (5, 0), talon: 1, twins: -1, blocks_suit: -1, blocks_build: -5 };

    /// The function for a deal of which all cards are known.
    pub(super) fn of(&self, state: &State) -> Value {
        let mut value = Value { home: [0; 14], columns: [[0; 9]; 7], weights: *self };
        for rank in 0..13 {
            value.home[rank + 1] = value.home[rank] + self.home.0 + self.home.1 * rank as i32;
        }
        for (pile, column) in state.layout.pile.iter().zip(&mut value.columns) {
            let count = state.core.counts.iter().max().map_or(0, |&most| usize::from(most));
            let count = count.min(pile.len());
            for locked in 1..=count {
                column[locked] = self.column(&pile[..locked]);
            }
        }
        value
    }

    /// The features of a column's locked cards, of which the last one lies face up.
    fn column(&self, locked: &[u8]) -> i32 {
        let card = |bit: &u8| (*bit < 52).then(|| Card::at(u32::from(*bit)));
        let mut sum = 0;
        for (at, upper) in locked.iter().enumerate() {
            let Some(upper) = card(upper) else { continue };
            if at + 1 < locked.len() {
                sum += i32::from(upper.rank()) - 1 - 13;
            }
            let below = || locked[..at].iter().filter_map(card);
            if below().any(|low| low.suit() == upper.suit() && low.rank() < upper.rank()) {
                sum += self.blocks_suit;
            }
            if below().any(|low| upper.fits_on(low)) {
                sum += self.blocks_build;
            }
        }
        sum
    }
}

/// A value function for one deal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// By the number of cards on a foundation.
    home: [i32; 14],
    /// By column and the number of its locked cards.
    columns: [[i32; 9]; 7],
    weights: Heuristic,
}

/// The low bit of every pair of bits, which holds a card and its twin.
const LOW: u64 = 0x5555_5555_5555_5555;

impl Value {
    /// The value of a state of that deal.
    #[inline]
    pub(super) fn at(&self, state: &State) -> i32 {
        let core = &state.core;
        let home: i32 = core.home.iter().map(|&count| self.home[usize::from(count)]).sum();
        let columns = self.columns.iter().zip(&core.counts);
        let columns: i32 = columns.map(|(sums, &count)| sums[usize::from(count)]).sum();
        let twins = (state.unseen & state.unseen >> 1 & LOW).count_ones() as i32;
        let reach = state.reach.count_ones() as i32;
        home + columns + 2 * self.weights.twins * twins + self.weights.talon * reach
    }
}
