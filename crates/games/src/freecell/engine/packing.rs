//! States packed into few bits: what has changed since the deal.

use patience_plan::astar::{BitReader, BitWriter};

use super::{BASE, CELL, FreeCell, HOME, NONE, State, bits, changed};
use crate::freecell::{Board, Build, MAX_COLUMNS};

/// How the states of one deal are packed: for each column of the deal, how many cards still lie as
/// dealt; for each suit, how many cards are home; for every other card, whether it is in a cell, at
/// the bottom of a column, or on which of the cards it may be placed on.
///
/// Guarantee: two states get the same bits exactly if they differ only in the order of columns
/// and cells.
#[derive(Clone, Debug)]
pub struct Packing {
    cards: u8,
    columns: Vec<Vec<u8>>,
    /// Bits that hold the height of each column.
    height_bits: Vec<u32>,
    /// For each card dealt into a column, what lay beneath it, its column and its height; other
    /// cards count as home.
    beneath: [u8; 52],
    dealt: [(u8, u8); 52],
    full: [u8; MAX_COLUMNS],
    /// The cards of each column up to each height.
    up_to: Box<[[u64; 53]; MAX_COLUMNS]>,
    in_columns: u64,
    /// For each card and each thing beneath it, the number of that place.
    places: Box<[[u8; 64]; 52]>,
    /// For each card and each number of a place, the card beneath it.
    onto: [[u8; 8]; 52],
    place_bits: u32,
}

impl Packing {
    /// The packing of all states that can be reached from a board.
    pub fn new(game: &FreeCell, deal: &Board) -> Self {
        let columns: Vec<Vec<u8>> = deal
            .columns
            .iter()
            .map(|column| column.iter().map(|card| card.index() as u8).collect())
            .collect();
        let height_bits = |column: &Vec<u8>| usize::BITS - column.len().leading_zeros();
        let mut beneath = [HOME; 52];
        let mut dealt = [(0, 0); 52];
        let mut up_to = Box::new([[0; 53]; MAX_COLUMNS]);
        let mut full = [0; MAX_COLUMNS];
        let mut in_columns = 0;
        for (n, column) in columns.iter().enumerate() {
            let mut below = BASE;
            for (height, &card) in column.iter().enumerate() {
                beneath[usize::from(card)] = below;
                dealt[usize::from(card)] = (n as u8, height as u8);
                up_to[n][height + 1] = up_to[n][height] | 1u64 << card;
                below = card;
            }
            in_columns |= up_to[n][column.len()];
            full[n] = column.len() as u8;
        }
        Packing {
            cards: game.rules().cards(),
            beneath,
            dealt,
            full,
            up_to,
            in_columns,
            places: places(game),
            height_bits: columns.iter().map(height_bits).collect(),
            columns,
            onto: std::array::from_fn(|card| {
                let mut onto = [card as u8; 8];
                for (there, below) in onto[2..].iter_mut().zip(bits(game.onto[card])) {
                    *there = below as u8;
                }
                onto
            }),
            // A cell, the bottom, and one, two or four cards to be placed on.
            place_bits: if game.rules().build == Build::Rank { 3 } else { 2 },
        }
    }

    /// Writes a state.
    #[inline]
    pub fn pack(&self, state: &State, out: &mut BitWriter) {
        // Each column lies as dealt up to its deepest card that does not.
        let mut heights = self.full;
        for card in bits(self.moved(state)) {
            let (column, height) = self.dealt[card];
            let lowest = &mut heights[usize::from(column)];
            *lowest = height.min(*lowest);
        }
        // Several numbers at a time, since writing is what takes long.
        let mut numbers = Numbers { filled: 0, together: 0, out };
        let mut settled = 0u64;
        for (n, &bits) in self.height_bits.iter().enumerate() {
            let height = heights[n];
            settled |= self.up_to[n][usize::from(height)];
            numbers.together |= u64::from(height) << numbers.filled;
            numbers.filled += bits;
        }
        let mut homes = 0;
        for (suit, &home) in state.home.iter().enumerate() {
            homes |= u32::from(home) << (4 * suit);
            // Cards of a suit are four bits apart.
            settled |= (0x1_1111_1111_1111 & ((1u64 << (4 * home)) - 1)) << suit;
        }
        numbers.write(homes, 16);
        numbers.flush();
        let mut loose = ((1 << self.cards) - 1) & !settled;
        while loose != 0 {
            let (mut together, mut filled) = (0u64, 0);
            while loose != 0 && filled <= 60 {
                let card = loose.trailing_zeros() as usize;
                loose &= loose - 1;
                let place = self.places[card][usize::from(state.below[card]) % 64];
                together |= u64::from(place) << filled;
                filled += self.place_bits;
            }
            numbers = Numbers { filled, together, out: numbers.out };
            numbers.flush();
        }
    }

    /// The cards dealt into columns that no longer lie on what they were dealt on.
    #[inline]
    fn moved(&self, state: &State) -> u64 {
        changed(&self.beneath, &state.below) & self.in_columns
    }

    /// Reads a state. Columns that were emptied and filled again come in the order of their bottom
    /// cards.
    pub fn unpack(&self, bits_in: &mut BitReader<'_>) -> State {
        // All as dealt; what is home or elsewhere follows.
        let mut state =
            State { below: self.beneath, tops: [NONE; MAX_COLUMNS], home: [0; 4], cells: 0 };
        let mut settled = 0u64;
        let mut vacant = 0u32;
        for (n, (column, &bits)) in self.columns.iter().zip(&self.height_bits).enumerate() {
            let height = (bits_in.read(bits) as usize).min(column.len());
            settled |= self.up_to[n][height];
            match column[..height].last() {
                Some(&top) => state.tops[n] = top,
                None => vacant |= 1 << n,
            }
        }
        for suit in 0..4 {
            let home = bits_in.read(4) as u8;
            state.home[suit] = home;
            let cards = (0x1_1111_1111_1111 & ((1u64 << (4 * home)) - 1)) << suit;
            for card in bits(cards & !settled) {
                state.below[card] = HOME;
            }
            settled |= cards;
        }
        let mut above = [NONE; 52];
        let mut loose = 0u64;
        let (mut several, mut left) = (0, 0);
        for card in bits(((1 << self.cards) - 1) & !settled) {
            if left < self.place_bits {
                // As many whole places as fit a word.
                left = 32 / self.place_bits * self.place_bits;
                several = bits_in.read(left);
            }
            let place = several & ((1 << self.place_bits) - 1);
            several = several.checked_shr(self.place_bits).unwrap_or(0);
            left -= self.place_bits;
            state.below[card] = match place {
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
                    let below = self.onto[card][nth as usize];
                    above[usize::from(below)] = card as u8;
                    loose |= 1 << card;
                    below
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

/// For each card and each thing beneath it: 0 in a cell, 1 at the bottom of a column, then the
/// cards it may be placed on.
fn places(game: &FreeCell) -> Box<[[u8; 64]; 52]> {
    let mut places = Box::new([[0; 64]; 52]);
    for (card, places) in places.iter_mut().enumerate() {
        places[usize::from(BASE)] = 1;
        for (n, below) in bits(game.onto[card]).enumerate() {
            places[below] = 2 + n as u8;
        }
    }
    places
}

/// Gathers small numbers and writes them together.
struct Numbers<'n> {
    filled: u32,
    together: u64,
    out: &'n mut BitWriter,
}

impl Numbers<'_> {
    #[inline]
    fn write(&mut self, number: u32, bits: u32) {
        if self.filled + bits > 64 {
            self.flush();
        }
        self.together |= u64::from(number) << self.filled;
        self.filled += bits;
    }

    #[inline]
    fn flush(&mut self) {
        let first = self.filled.min(32);
        self.out.write(self.together as u32, first);
        self.out.write((self.together >> 32) as u32, self.filled - first);
        (self.together, self.filled) = (0, 0);
    }
}
