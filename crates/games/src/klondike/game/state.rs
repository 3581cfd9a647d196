//! A position of the game with hidden cards: the fast engine's, with what is not known left out.

use patience_model::Rng;

use super::super::solver::state::{Layout, Masks, STOCK, State as Core};
use super::super::{Card, Position, Rules};

/// A face-down card of which nothing is fixed.
pub(super) const UNKNOWN: u8 = u8::MAX;

/// Members of a class of positions that a trajectory may visit before cards stay home.
pub(super) const TRAIL: usize = 16;

/// By suit index and the number of cards on its foundation, the next card; none when it is full.
static NEXT: [[u64; 16]; 4] = foundation_cards(0);

/// The same for the top card.
static TOPS: [[u64; 16]; 4] = foundation_cards(1);

const fn foundation_cards(below: usize) -> [[u64; 16]; 4] {
    let mut cards = [[0; 16]; 4];
    let mut suit = 0;
    while suit < 4 {
        let mut count = below;
        while count < 13 + below {
            cards[suit][count] = 1 << Card::bit_of((count - below) as u8, suit as u8);
            count += 1;
        }
        suit += 1;
    }
    cards
}

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stand {
    Open,
    Won,
}

/// A position: what is open, and either the true face-down cards or none, in which case they are
/// drawn when they are turned up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Columns and stock; face-down cards are [`UNKNOWN`] unless they are fixed.
    pub(in super::super) layout: Layout,
    /// `locked` holds face-up cards only here.
    pub(in super::super) core: Core,
    /// The cards that lie face down somewhere: known as a set.
    pub(in super::super) unseen: u64,
    /// Cards of stock and waste that can be got at.
    pub(super) reach: u64,
    /// Locked cards below which a face-down card lies.
    pub(super) covers: u64,
    /// The foundations in the positions visited since the last move that cannot be undone.
    trail: [u16; TRAIL],
    trail_len: u8,
    pub(super) stand: Stand,
}

impl State {
    /// A checked position of which the stock is known; other unknown cards stay unknown.
    pub(super) fn new(rules: &Rules, position: &Position) -> State {
        let (mut layout, mut core) = Layout::new(rules, position);
        // The layout skips unknown cards: lay the columns out again with a mark for them.
        for (c, column) in position.columns.iter().enumerate() {
            let mut count = 0;
            for card in column.down.iter().copied().chain(column.up.first().map(|&c| Some(c))) {
                layout.pile[c][count] = card.map_or(UNKNOWN, |card| card.bit() as u8);
                count += 1;
            }
            core.counts[c] = count as u8;
            if let Some(&base) = column.up.first() {
                layout.place_of[base.bit() as usize] = c as u8;
                core.locked |= base.mask();
            }
            layout.unlock_king(&mut core, c);
        }
        core.locked &= core.visible;
        // All that lies neither face up nor in the stock nor at home lies face down.
        let talon = position.waste.iter().chain(position.stock.iter().flatten());
        let mut open = talon.fold(core.visible, |all, card| all | card.mask());
        for (suit, &count) in core.home.iter().enumerate() {
            open |= (0..count).fold(0, |all, rank| all | Card::of(rank, suit).mask());
        }
        let unseen = (layout.kings | (layout.kings - 1)) & !open;
        let mut state = State {
            layout,
            core,
            unseen,
            reach: 0,
            covers: 0,
            trail: [0; TRAIL],
            trail_len: 0,
            stand: Stand::Open,
        };
        for (pile, &count) in state.layout.pile.iter().zip(&state.core.counts) {
            if count >= 2 {
                state.covers |= 1u64 << pile[usize::from(count) - 1];
            }
        }
        state.forget_fixed_columns();
        state.settle_reach();
        state.visit();
        state
    }

    /// Which column a face-down card lies in is not for the open part to know.
    fn forget_fixed_columns(&mut self) {
        for (bit, place) in self.layout.place_of.iter_mut().enumerate() {
            if self.unseen >> bit & 1 != 0 {
                *place = 0;
            }
        }
    }

    /// What can be done.
    #[inline]
    pub(super) fn masks(&self) -> Masks {
        let kings = self.layout.kings;
        let next = self.of_foundations(&NEXT) & (kings | (kings - 1));
        Masks { next, ..self.layout.masks(&self.core) }
    }

    /// The top card of every foundation.
    #[inline]
    pub(super) fn tops(&self) -> u64 {
        self.of_foundations(&TOPS)
    }

    /// A card of every foundation, by its suit and how many cards it holds.
    #[inline]
    fn of_foundations(&self, cards: &[[u64; 16]; 4]) -> u64 {
        let of = |suit: usize| cards[suit][usize::from(self.core.home[suit] & 15)];
        of(0) | of(1) | of(2) | of(3)
    }

    /// Whether the positions of a class include this one already on the way.
    #[inline]
    pub(super) fn was_visited(&self, home: [u8; 4]) -> bool {
        let packed = pack(home);
        self.trail[..usize::from(self.trail_len)].contains(&packed)
    }

    /// Whether a move that can be undone may lead to a position that was there: from the first one
    /// it leads to another.
    #[inline]
    pub(super) fn has_trail(&self) -> bool {
        self.trail_len > 1
    }

    /// Whether cards may still be taken back.
    #[inline]
    pub(super) fn may_take_back(&self) -> bool {
        usize::from(self.trail_len) < TRAIL
    }

    /// Notes a position visited by a move that can be undone.
    #[inline]
    pub(super) fn visit(&mut self) {
        let at = usize::from(self.trail_len);
        if at < TRAIL {
            self.trail[at] = pack(self.core.home);
            self.trail_len += 1;
        }
    }

    /// Forgets the way: no position before a move that cannot be undone comes again.
    #[inline]
    pub(super) fn begin_trail(&mut self) {
        self.trail = [0; TRAIL];
        self.trail_len = 0;
        self.visit();
    }

    /// Finds out anew what can be got at in the stock: every `draw`-th card from the start and from
    /// the offset, and the last.
    #[inline]
    pub(super) fn settle_reach(&mut self) {
        let (stock, draw) = (self.core.stock, self.layout.draw);
        if stock == 0 {
            self.reach = 0;
            return;
        }
        let from = match draw {
            1 => every::<1>,
            2 => every::<2>,
            _ => every::<3>,
        };
        let mut all = from(&self.layout, stock, draw - 1);
        all |= 1 << (self.layout.stock[(31 - stock.leading_zeros()) as usize % STOCK] & 63);
        if self.core.offset > 0 {
            all |= from(&self.layout, stock, u32::from(self.core.offset) - 1);
        }
        self.reach = all;
        debug_assert_eq!(self.reach, self.layout.reach(&self.core));
    }

    /// Takes a card out of the stock.
    #[inline]
    pub(super) fn take(&mut self, card: Card) {
        debug_assert!(self.reach & card.mask() != 0, "{card} cannot be got at");
        let slot = u32::from(self.layout.place_of[card.bit() as usize]);
        let before = (self.core.stock & ((1 << slot) - 1)).count_ones();
        self.layout.taken(&mut self.core, slot, before);
        self.settle_reach();
    }

    /// A locked card leaves its column; the card that is turned up, if one is.
    #[inline]
    pub(super) fn unlock(&mut self, card: Card, rng: &mut Rng) -> Option<Card> {
        let column = usize::from(self.layout.place_of[card.bit() as usize]);
        self.core.locked &= !card.mask();
        self.covers &= !card.mask();
        self.core.counts[column] -= 1;
        let left = usize::from(self.core.counts[column]);
        if left == 0 {
            return None;
        }
        let below = &mut self.layout.pile[column][left - 1];
        if *below == UNKNOWN {
            *below = draw_from(self.unseen, rng);
        }
        let below = Card::at(u32::from(*below));
        self.unseen &= !below.mask();
        self.core.visible |= below.mask();
        self.core.locked |= below.mask();
        self.covers |= u64::from(left >= 2) << below.bit();
        self.layout.place_of[below.bit() as usize] = column as u8;
        self.layout.unlock_king(&mut self.core, column);
        Some(below)
    }

    /// Fixes the card that turns up when a locked card leaves its column.
    pub(in super::super) fn lay_below(&mut self, locked: Card, card: Card) {
        let column = usize::from(self.layout.place_of[locked.bit() as usize]);
        if let Some(below) = usize::from(self.core.counts[column]).checked_sub(2) {
            self.layout.pile[column][below] = card.bit() as u8;
        }
    }

    /// The same with every face-down card unknown.
    pub(in super::super) fn opened(&self) -> State {
        let mut open = *self;
        for (pile, &count) in open.layout.pile.iter_mut().zip(&open.core.counts) {
            pile[..usize::from(count.saturating_sub(1))].fill(UNKNOWN);
        }
        open
    }

    /// The same with every unknown card fixed, each order alike.
    pub(super) fn dealt(&self, rng: &mut Rng) -> State {
        let mut fixed = *self;
        let mut left = self.unseen;
        for (pile, &count) in fixed.layout.pile.iter().zip(&fixed.core.counts) {
            for &card in
                pile[..usize::from(count.saturating_sub(1))].iter().filter(|c| **c != UNKNOWN)
            {
                left &= !(1 << card);
            }
        }
        for (pile, &count) in fixed.layout.pile.iter_mut().zip(&fixed.core.counts) {
            for card in &mut pile[..usize::from(count.saturating_sub(1))] {
                if *card == UNKNOWN {
                    *card = draw_from(left, rng);
                    left &= !(1 << *card);
                }
            }
        }
        fixed
    }

    /// The fast engine's position with all cards known; every face-down card must be fixed.
    pub(super) fn thoughtful(&self) -> (Layout, Core) {
        let (mut layout, mut core) = (self.layout, self.core);
        for (c, &count) in self.core.counts.iter().enumerate() {
            for &card in &self.layout.pile[c][..usize::from(count)] {
                debug_assert!(card != UNKNOWN);
                layout.place_of[usize::from(card)] = c as u8;
                core.locked |= 1 << card;
            }
        }
        (layout, core)
    }
}

/// Of the cards in these places of the stock, the one after so many and every `DRAW`-th from there.
#[inline]
fn every<const DRAW: u32>(layout: &Layout, mut stock: u32, skip: u32) -> u64 {
    for _ in 0..skip {
        stock &= stock.wrapping_sub(1);
    }
    let mut all = 0;
    while stock != 0 {
        all |= 1 << (layout.stock[stock.trailing_zeros() as usize % STOCK] & 63);
        for _ in 0..DRAW {
            stock &= stock.wrapping_sub(1);
        }
    }
    all
}

/// One card of a set, each alike.
#[inline]
pub(super) fn draw_from(cards: u64, rng: &mut Rng) -> u8 {
    let nth = rng.below(u64::from(cards.count_ones()));
    nth_of(cards, nth as u32)
}

/// The bit of the n-th card of a set, from 0.
#[inline]
pub(super) fn nth_of(mut cards: u64, n: u32) -> u8 {
    for _ in 0..n {
        cards &= cards - 1;
    }
    cards.trailing_zeros() as u8
}

#[inline]
fn pack(home: [u8; 4]) -> u16 {
    home.iter().fold(0, |all, &count| all << 4 | u16::from(count))
}
