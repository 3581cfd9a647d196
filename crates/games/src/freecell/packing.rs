//! States as few bits: what has changed since the deal.

use patience_plan::astar::{BitReader, BitWriter};

use super::engine::FreeCell;
use super::rules::MAX_COLUMNS;
use super::state::{BASE, CELL, HOME, NONE, State, bits};
use super::{Board, Build};

/// How states that follow from one deal are packed: for each column of the deal how many cards
/// still lie as dealt, for each suit how many are home, and for every other card whether it lies
/// in a cell, at the bottom of a column, or on which of the cards that take it.
///
/// Guarantee: two states get the same bits exactly if they differ only in the order of columns
/// and cells.
#[derive(Clone, Debug)]
pub struct Packing {
    cards: u8,
    columns: Vec<Vec<u8>>,
    /// Bits for the height of each column.
    height_bits: Vec<u32>,
    onto: [u64; 52],
    place_bits: u32,
}

impl Packing {
    /// The packing of what follows from this board.
    pub fn new(game: &FreeCell, deal: &Board) -> Self {
        let columns: Vec<Vec<u8>> = deal
            .columns
            .iter()
            .map(|column| column.iter().map(|card| card.index() as u8).collect())
            .collect();
        let bits = |column: &Vec<u8>| usize::BITS - column.len().leading_zeros();
        Packing {
            cards: game.rules().cards(),
            height_bits: columns.iter().map(bits).collect(),
            columns,
            onto: game.onto,
            // Cell, bottom, and one, two or four cards that take it.
            place_bits: if game.rules().build == Build::Rank { 3 } else { 2 },
        }
    }

    /// Writes a state.
    pub fn pack(&self, state: &State, out: &mut BitWriter) {
        let mut settled = 0u64;
        for (column, &bits) in self.columns.iter().zip(&self.height_bits) {
            let mut height = 0;
            let mut beneath = BASE;
            for &card in column {
                if state.below[usize::from(card)] != beneath {
                    break;
                }
                settled |= 1 << card;
                beneath = card;
                height += 1;
            }
            out.write(height, bits);
        }
        for (suit, &home) in state.home.iter().enumerate() {
            out.write(u32::from(home), 4);
            // Cards of the suit are four places apart.
            settled |= (0x1_1111_1111_1111 & ((1u64 << (4 * home)) - 1)) << suit;
        }
        // Several places at a time: writing takes longer than finding them.
        let (mut places, mut filled) = (0, 0);
        for card in bits(((1 << self.cards) - 1) & !settled) {
            let place = match state.below[card] {
                CELL => 0,
                BASE => 1,
                below => match self.onto[card] & ((1 << below) - 1) {
                    0 => 2,
                    lower => 2 + lower.count_ones(),
                },
            };
            places |= place << filled;
            filled += self.place_bits;
            if filled > 28 {
                out.write(places, filled);
                (places, filled) = (0, 0);
            }
        }
        out.write(places, filled);
    }

    /// Reads a state; columns that were emptied and filled again are in the order of their
    /// lowest cards.
    pub fn unpack(&self, bits_in: &mut BitReader<'_>) -> State {
        let mut state =
            State { below: [HOME; 52], tops: [NONE; MAX_COLUMNS], home: [0; 4], cells: 0 };
        let mut settled = 0u64;
        let mut vacant = 0u32;
        for (n, (column, &bits)) in self.columns.iter().zip(&self.height_bits).enumerate() {
            let height = bits_in.read(bits) as usize;
            let mut beneath = BASE;
            for &card in column.iter().take(height) {
                state.below[usize::from(card)] = beneath;
                settled |= 1 << card;
                beneath = card;
            }
            if height > 0 {
                state.tops[n] = beneath;
            } else {
                vacant |= 1 << n;
            }
        }
        for suit in 0..4 {
            let home = bits_in.read(4) as u8;
            state.home[suit] = home;
            settled |= (0x1_1111_1111_1111 & ((1u64 << (4 * home)) - 1)) << suit;
        }
        let mut above = [NONE; 52];
        let mut loose = 0u64;
        for card in bits(((1 << self.cards) - 1) & !settled) {
            state.below[card] = match bits_in.read(self.place_bits) {
                0 => {
                    state.cells |= 1 << card;
                    CELL
                }
                1 => {
                    let column = vacant.trailing_zeros() as usize;
                    vacant &= vacant.wrapping_sub(1);
                    state.tops[column.min(MAX_COLUMNS - 1)] = card as u8;
                    BASE
                }
                nth => {
                    let below = bits(self.onto[card]).nth(nth as usize - 2).unwrap_or(card);
                    above[below] = card as u8;
                    loose |= 1 << card;
                    below as u8
                }
            };
        }
        if loose != 0 {
            for top in &mut state.tops[..self.columns.len()] {
                while *top != NONE && above[usize::from(*top)] != NONE {
                    *top = above[usize::from(*top)];
                }
            }
        }
        state
    }
}
