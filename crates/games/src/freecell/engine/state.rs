//! The fast engine's state: for each card, what lies beneath it.

use crate::freecell::{Board, Card, MAX_COLUMNS, Rules};

/// Codes of `below` that are not cards: bottom of a column, in a cell, home or not in the game.
pub(crate) const BASE: u8 = 52;
pub(crate) const CELL: u8 = 53;
pub(crate) const HOME: u8 = 54;
/// The top of an empty column.
pub(crate) const NONE: u8 = 255;

/// A position, small and quick to change. Columns are linked lists through `below`, so moving a run
/// is as quick as moving a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub(crate) below: [u8; 52],
    pub(crate) tops: [u8; MAX_COLUMNS],
    pub(crate) home: [u8; 4],
    /// The cards in cells; which cell makes no difference.
    pub(crate) cells: u64,
}

impl State {
    /// The state of a board.
    pub fn of(board: &Board) -> State {
        let mut state =
            State { below: [HOME; 52], tops: [NONE; MAX_COLUMNS], home: board.home, cells: 0 };
        for (column, top) in board.columns.iter().zip(&mut state.tops) {
            let mut beneath = BASE;
            for card in column {
                state.below[card.index()] = beneath;
                beneath = card.index() as u8;
                *top = beneath;
            }
        }
        for card in board.cells.iter().flatten() {
            state.below[card.index()] = CELL;
            state.cells |= 1 << card.index();
        }
        state
    }

    /// A board of the state, with the cards in cells from the left in their order.
    pub fn board(&self, rules: &Rules) -> Board {
        let mut columns = Vec::new();
        for &top in &self.tops[..usize::from(rules.columns)] {
            let mut column: Vec<Card> = self.column(top).map(Card::from_index).collect();
            column.reverse();
            columns.push(column);
        }
        let mut cells: Vec<Option<Card>> =
            bits(self.cells).map(|c| Some(Card::from_index(c as u8))).collect();
        cells.resize(usize::from(rules.cells).max(cells.len()), None);
        Board { columns, cells, home: self.home }
    }

    /// What lies beneath each card: a card, or 52 for the bottom of a column, 53 for a cell, 54 for
    /// home or not in the game. Two states have the same codes exactly if they differ only in the
    /// order of columns and cells.
    #[inline]
    pub fn below_codes(&self) -> [u8; 52] {
        self.below
    }

    /// The cards from this one down to the bottom of its column.
    #[inline]
    pub(crate) fn column(&self, top: u8) -> impl Iterator<Item = u8> {
        let first = (top < BASE).then_some(top);
        std::iter::successors(first, |&c| {
            let below = self.below[usize::from(c)];
            (below < BASE).then_some(below)
        })
    }

    /// Whether all cards are home.
    #[inline]
    pub fn is_solved(&self, rules: &Rules) -> bool {
        self.home == [rules.ranks; 4]
    }

    /// How many cards are not home.
    #[inline]
    pub fn cards_left(&self, rules: &Rules) -> u32 {
        u32::from(rules.cards()) - self.home.iter().map(|&h| u32::from(h)).sum::<u32>()
    }

    /// Whether this card is the next of its suit to go home.
    #[inline]
    pub(crate) fn goes_home(&self, card: u8) -> bool {
        self.home[usize::from(card & 3)] == card >> 2
    }
}

/// The cards that have something different beneath them in the two arrays.
#[inline]
pub(crate) fn changed(one: &[u8; 52], other: &[u8; 52]) -> u64 {
    let mut changed = 0;
    // Eight cards at a time; the last word overlaps the one before by four.
    for at in [0, 8, 16, 24, 32, 40, 44] {
        let word = |below: &[u8; 52]| {
            below[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let differ = word(one) ^ word(other);
        // The top bit of each non-zero byte, then these eight bits gathered.
        let low = 0x7f7f_7f7f_7f7f_7f7f;
        let set = (((differ & low) + low) | differ) & !low;
        changed |= ((set >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << at;
    }
    changed
}

/// The positions of the set bits, lowest first.
#[inline]
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}
