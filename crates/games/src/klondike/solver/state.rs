//! The fast engine: cards as bits, the arrangement of face-up runs left out.
//!
//! Which face-up card lies on which of its two possible parents is never stored. Let `p` cards of
//! a lane (one rank, one colour) be face up in the tableau and `n` cards of the lane below lie on
//! them, n ≤ p. If n = p no card of the lane is free. If n < p one is, and either can be: where
//! p = 2 and n = 1 the run that covers one may be moved to the other and back. So the sets alone
//! decide what can be done, up to moves of parts of runs that cost nothing and can be undone.

use super::super::{Card, Position, Rules, Suit};

/// The low bit of every lane.
const LOW: u64 = 0x5555_5555_5555_5555;

/// Cards in stock and waste at most.
pub(crate) const STOCK: usize = 24;

/// By suit index and cards on the foundation, the card that is next.
const NEXT: [[u64; 16]; 4] = by_count(0);
/// By suit index and cards on the foundation, the card on top.
const TOP: [[u64; 16]; 4] = by_count(1);

/// By suit index and cards on the foundation, these cards.
const HOME: [[u64; 16]; 4] = {
    let mut table = [[0; 16]; 4];
    let mut suit = 0;
    while suit < 4 {
        let mut count = 1;
        while count < 16 {
            table[suit][count] = table[suit][count - 1] | NEXT[suit][count - 1];
            count += 1;
        }
        suit += 1;
    }
    table
};

/// The card that is so many below the next one, as a set.
const fn by_count(below: usize) -> [[u64; 16]; 4] {
    let mut table = [[0; 16]; 4];
    let mut suit = 0;
    while suit < 4 {
        let mut count = below;
        while count < 14 + below {
            let rank = count - below;
            table[suit][count] = 1 << (rank << 2 | (suit ^ (rank & 1) << 1));
            count += 1;
        }
        suit += 1;
    }
    table
}

/// The card that goes home after a card, as a set.
#[inline]
pub(crate) fn after(card: Card) -> u64 {
    NEXT[card.suit_index()][usize::from(card.rank() & 15)]
}

/// What never changes during a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) draw: u32,
    pub(crate) ranks: u8,
    /// All cards of the highest rank.
    pub(crate) kings: u64,
    pub(crate) columns: u32,
    /// By column, the cards that are locked at the start, from the bottom.
    pub(crate) pile: [[u8; 8]; 7],
    /// By card, the column in which it is locked, or its place in waste and stock.
    pub(crate) place_of: [u8; 52],
    /// Waste and stock in the order of turning.
    pub(crate) stock: [u8; STOCK],
}

/// A position, in 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// Face-up cards of the tableau.
    pub(crate) visible: u64,
    /// Face-down cards, and the lowest face-up card of a column unless it is a king on nothing.
    pub(crate) locked: u64,
    /// Cards left in waste and stock, by their place in [`Layout::stock`].
    pub(crate) stock: u32,
    /// Cards on the foundations, by suit index.
    pub(crate) home: [u8; 4],
    /// By column, how many cards are locked.
    pub(crate) counts: [u8; 7],
    /// How many of the cards left are in the waste, where that matters; see [`Layout::taken`].
    pub(crate) offset: u8,
}

/// What can be done in a state, as sets of cards.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Masks {
    /// Face-up cards with nothing on them, or from which what covers them can be moved away.
    pub(crate) free: u64,
    /// Cards that some column can take.
    pub(crate) fits: u64,
    /// The next card of every foundation.
    pub(crate) next: u64,
    /// The lanes with a free card.
    pub(crate) lanes: u64,
}

impl Layout {
    /// Prepares a position of which all cards are known and which was checked.
    pub(crate) fn new(rules: &Rules, position: &Position) -> (Layout, State) {
        let ranks = rules.ranks();
        let mut layout = Layout {
            draw: u32::from(rules.draws()),
            ranks,
            kings: 0xf << (4 * (ranks - 1)),
            columns: rules.columns() as u32,
            pile: [[0; 8]; 7],
            place_of: [0; 52],
            stock: [0; STOCK],
        };
        let mut state =
            State { visible: 0, locked: 0, stock: 0, home: [0; 4], counts: [0; 7], offset: 0 };
        for (c, column) in position.columns.iter().enumerate() {
            let locked = column.down.iter().copied().flatten().chain(column.up.first().copied());
            for (i, card) in locked.enumerate() {
                layout.pile[c][i] = card.bit() as u8;
                layout.place_of[card.bit() as usize] = c as u8;
                state.locked |= card.mask();
                state.counts[c] = i as u8 + 1;
            }
            state.visible |= column.up.iter().fold(0, |all, card| all | card.mask());
            layout.unlock_king(&mut state, c);
        }
        let talon =
            position.waste.iter().copied().chain(position.stock.iter().rev().flatten().copied());
        for (i, card) in talon.enumerate() {
            layout.stock[i] = card.bit() as u8;
            layout.place_of[card.bit() as usize] = i as u8;
            state.stock |= 1 << i;
        }
        state.offset = layout.aligned(position.waste.len() as u32, state.stock.count_ones());
        for suit in Suit::ALL {
            state.home[suit.index()] = position.foundations[suit as usize];
        }
        (layout, state)
    }

    /// A king on the ground of its column need never move but to its foundation.
    #[inline]
    pub(crate) fn unlock_king(&self, state: &mut State, column: usize) {
        if state.counts[column] == 1 {
            let last = 1 << self.pile[column][0];
            if last & self.kings != 0 {
                state.locked &= !last;
                state.counts[column] = 0;
            }
        }
    }

    /// The offset that matters: after a whole number of turns, or with everything turned, the
    /// cards that can be reached are those that can be reached from the start of the stock.
    #[inline]
    pub(crate) fn aligned(&self, offset: u32, left: u32) -> u8 {
        if offset.is_multiple_of(self.draw) || offset == left { 0 } else { offset as u8 }
    }

    /// Which of the cards left in waste and stock, counted in the order of turning, can be got at
    /// without limit of redeals: every `draw`-th from the start and from the offset, and the last.
    #[inline]
    fn pattern(&self, state: &State) -> u32 {
        let left = state.stock.count_ones();
        if left == 0 {
            return 0;
        }
        let every = [0, 0xff_ffff, 0x55_5555, 0x24_9249][self.draw as usize & 3];
        let mut pattern = every << (self.draw - 1) | 1 << (left - 1);
        if state.offset > 0 {
            pattern |= every << (state.offset - 1);
        }
        pattern & ((1 << left) - 1)
    }

    /// The cards of waste and stock that can be got at by turning; with each its place and the
    /// number of cards before it (those that are in the waste after it was taken).
    #[inline]
    pub(crate) fn reachable(&self, state: &State, mut each: impl FnMut(Card, u32, u32)) {
        let mut pattern = self.pattern(state);
        let (mut rest, mut before) = (state.stock, 0);
        while pattern != 0 {
            let slot = rest.trailing_zeros();
            if pattern & 1 != 0 {
                each(Card::at(u32::from(self.stock[slot as usize % STOCK])), slot, before);
            }
            rest &= rest.wrapping_sub(1);
            pattern >>= 1;
            before += 1;
        }
    }

    /// The same cards as a set.
    #[inline]
    pub(crate) fn reach(&self, state: &State) -> u64 {
        let mut pattern = u64::from(self.pattern(state));
        let (mut rest, mut all) = (state.stock, 0);
        while pattern != 0 {
            all |= (pattern & 1) << (self.stock[rest.trailing_zeros() as usize % STOCK] & 63);
            rest &= rest.wrapping_sub(1);
            pattern >>= 1;
        }
        all
    }

    /// Takes a card out of stock and waste, leaving `before` cards in the waste.
    #[inline]
    pub(crate) fn taken(&self, state: &mut State, slot: u32, before: u32) {
        state.stock &= !(1 << slot);
        state.offset = self.aligned(before, state.stock.count_ones());
    }

    /// What can be done.
    #[inline]
    pub(crate) fn masks(&self, state: &State) -> Masks {
        let visible = state.visible;
        // Every face-up card that is neither locked nor a king lies on a parent, four bits up.
        let on = (visible & !state.locked & !self.kings) << 4;
        // Counts per lane are 0, 1 or 2 and no more cards lie on a lane than it has: the counts
        // differ if their parities do, or if there are two and none.
        let parity = (visible ^ visible >> 1) ^ (on ^ on >> 1);
        let none = (visible | visible >> 1) & !(on | on >> 1);
        let lanes = (parity | none) & LOW;
        let lanes = lanes | lanes << 1;
        let mut fits = lanes >> 4;
        if (visible & (state.locked | self.kings)).count_ones() < self.columns {
            fits |= self.kings;
        }
        Masks { free: visible & lanes, fits, next: self.next(state), lanes }
    }

    /// The next card of every foundation; none for one that is complete.
    #[inline]
    pub(crate) fn next(&self, state: &State) -> u64 {
        self.next_of(&state.home)
    }

    /// The next card of every foundation that holds so many.
    #[inline]
    pub(crate) fn next_of(&self, home: &[u8; 4]) -> u64 {
        let [a, b, c, d] = *home;
        let at = |suit: usize, count: u8| NEXT[suit][usize::from(count & 15)];
        // A complete foundation's next card is one rank above the kings.
        (at(0, a) | at(1, b) | at(2, c) | at(3, d)) & (self.kings | (self.kings - 1))
    }

    /// The cards on the foundations.
    #[inline]
    pub(crate) fn at_home(&self, state: &State) -> u64 {
        let [a, b, c, d] = state.home;
        let at = |suit: usize, count: u8| HOME[suit][usize::from(count & 15)];
        at(0, a) | at(1, b) | at(2, c) | at(3, d)
    }

    /// The top card of every foundation.
    #[inline]
    pub(crate) fn tops(&self, state: &State) -> u64 {
        let [a, b, c, d] = state.home;
        let at = |suit: usize, count: u8| TOP[suit][usize::from(count & 15)];
        at(0, a) | at(1, b) | at(2, c) | at(3, d)
    }

    /// Unlocks a card that leaves its column; the card below it, if any, is turned up.
    #[inline]
    pub(crate) fn unlock(&self, state: &mut State, card: Card) -> Option<Card> {
        let column = usize::from(self.place_of[card.bit() as usize]);
        state.locked &= !card.mask();
        state.counts[column] -= 1;
        let left = state.counts[column];
        if left == 0 {
            return None;
        }
        let below = Card::at(u32::from(self.pile[column][usize::from(left) - 1]));
        state.visible |= below.mask();
        self.unlock_king(state, column);
        Some(below)
    }

    /// Whether all cards are on the foundations.
    #[inline]
    pub(crate) fn won(&self, state: &State) -> bool {
        u32::from_le_bytes(state.home) == u32::from(self.ranks) * 0x0101_0101
    }

    /// A key without loss, never 0 and below 2⁵⁶: the locked cards in mixed radix (below 8!, 16
    /// bits), 16 bits of foundations, 24 bits of stock. All else but the offset follows from these.
    #[inline]
    pub(crate) fn key(&self, state: &State) -> u64 {
        let mut key = 0;
        for (c, &count) in state.counts.iter().enumerate() {
            key = key * (c as u64 + 2) + u64::from(count);
        }
        for &count in &state.home {
            key = key << 4 | u64::from(count);
        }
        key << 24 | u64::from(state.stock)
    }

    /// The state of a [key](Layout::key) and an offset.
    pub(crate) fn state(&self, key: u64, offset: u8) -> State {
        let stock = (key & 0xff_ffff) as u32;
        let mut state =
            State { visible: 0, locked: 0, stock, home: [0; 4], counts: [0; 7], offset };
        let mut rest = key >> 24;
        for count in state.home.iter_mut().rev() {
            *count = (rest & 15) as u8;
            rest >>= 4;
        }
        for (c, count) in state.counts.iter_mut().enumerate().rev() {
            *count = (rest % (c as u64 + 2)) as u8;
            rest /= c as u64 + 2;
        }
        let mut out_of_sight = self.at_home(&state);
        let mut talon = stock;
        while talon != 0 {
            out_of_sight |= 1 << self.stock[talon.trailing_zeros() as usize % STOCK];
            talon &= talon - 1;
        }
        for (pile, &count) in self.pile.iter().zip(&state.counts) {
            let locked = &pile[..usize::from(count)];
            state.locked |= locked.iter().fold(0, |all, &card| all | 1 << card);
            let down = &locked[..locked.len().saturating_sub(1)];
            out_of_sight |= down.iter().fold(0, |all, &card| all | 1 << card);
        }
        state.visible = (self.kings | (self.kings - 1)) & !out_of_sight;
        state
    }
}

/// Whether a card may go to its foundation without a second thought, and need never come back:
/// it is at most two above the foundations of the other colour and three above the other one of
/// its own (Blake and Gent, "The winnability of Klondike", 2019–2023). What could be laid on it
/// can go to a foundation itself: the two cards of the other colour one below are each home or
/// next, and so is what could be laid on those (two below, of its own colour: home or next; three
/// below, of the other colour: home). So a way to win in which a card is laid on it, or it comes back,
/// can be followed with these cards sent home instead; that the moves are no more is argued in
/// `shortest/successors.rs`.
#[inline]
pub(crate) fn is_safe(home: &[u8; 4], card: Card) -> bool {
    let (rank, suit) = (card.rank(), card.suit_index());
    let other = suit & 2 ^ 2;
    rank <= home[other].min(home[other + 1]) + 2 && rank <= home[suit ^ 1] + 3
}
