//! What a solution costs at least.
//!
//! Three kinds of moves are counted, which have no move in common:
//! - every card that is not home goes home: one move each;
//! - every card of the stock that was not turned yet is turned, so many at a time;
//! - moves to columns, by landmarks.
//!
//! **Landmarks** (as in the LM-cut heuristic of Helmert and Domshlak 2009, for the delete relaxation of
//! this game). Let what was possible once stay so: cards that were in sight, home or out of their
//! column, lanes that had a free card. Cards go home at no price, because that is counted already. But
//! some moves to a column cost one each, and each of these is one move of the card that moves as the
//! lowest of its run:
//! - a locked card leaves its column for another one;
//! - a face-up card that is known to lie on another one moves to its twin, so that this one can go home;
//! - a card comes to a column from the stock or from its foundation.
//! - (Turning one card at a time) a card of the waste is out of the way of those below it once it is
//!   home, in a column, or turned over and turned again. The last costs a turn, and not one that is
//!   counted above: those are the first turns of other cards.
//!
//! Everything that costs nothing is done until nothing more can be. If not all cards are home then,
//! something is missing for every card that is next, and something for that, and so on. For a set of
//! facts that is closed under "one thing that is missing, and every way to get it that costs nothing",
//! the first fact of the set to come true comes true by a move that costs something: so every solution
//! has one of the moves that are met on the way. They are a landmark and count one. From then on they
//! cost nothing, so no move is counted twice, and it goes on. If there is no such move, the position is
//! lost.
//!
//! Landmarks are taken small: first the cards with a lower one of their suit below them in their
//! column, each of which is one alone, then the smallest of those that the four suits give.

use super::node::{Node, lane_of, parents_of};
use crate::klondike::Card;
use crate::klondike::solver::class::take;
use crate::klondike::solver::state::{Layout, STOCK, State};

/// What the bound needs of a deal.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// By column and number of locked cards: those of them that have a lower card of their suit below
    /// them, as a set.
    inverted: [[u64; 9]; 7],
}

impl Bound {
    pub(super) fn new(layout: &Layout, start: &State) -> Bound {
        let mut inverted = [[0; 9]; 7];
        for (column, sets) in inverted.iter_mut().enumerate() {
            let pile = &layout.pile[column][..usize::from(start.counts[column])];
            for (count, &bit) in (1..).zip(pile) {
                let card = Card::at(bit.into());
                let lower = |&other: &u8| {
                    let other = Card::at(other.into());
                    other.suit() == card.suit() && other.rank() < card.rank()
                };
                let is_inverted = pile[..count - 1].iter().any(lower);
                sets[count] = sets[count - 1] | if is_inverted { card.mask() } else { 0 };
            }
        }
        Bound { inverted }
    }

    /// Without landmarks: what is quick to say.
    #[inline]
    pub(super) fn quick(layout: &Layout, node: &Node) -> u32 {
        let home: u32 = node.state.home.iter().map(|&count| u32::from(count)).sum();
        4 * u32::from(layout.ranks) - home + node.unturned().div_ceil(layout.draw)
    }

    /// The moves to go at least; `None` if the position is lost. Beyond the limit, the first number
    /// that is above it may be told.
    pub(super) fn of(&self, layout: &Layout, node: &Node, limit: u32) -> Option<u32> {
        let quick = Bound::quick(layout, node);
        if quick > limit {
            return Some(quick);
        }
        let counts = node.state.counts.iter().zip(&self.inverted);
        let singles = counts.fold(0, |all, (&count, sets)| all | sets[usize::from(count)]);
        let mut bound = quick + singles.count_ones();
        let mut relaxed = Relaxed::new(layout, node, singles);
        while bound <= limit && !relaxed.goes_home() {
            let landmark = relaxed.landmark();
            if landmark == 0 {
                return None;
            }
            relaxed.paid |= landmark;
            bound += 1;
        }
        Some(bound)
    }
}

/// What was possible at some time.
struct Relaxed<'a> {
    layout: &'a Layout,
    node: &'a Node,
    attached: u64,
    home: [u8; 4],
    counts: [u8; 7],
    /// Cards that were in a column in sight, and cards that went home.
    seen: u64,
    gone: u64,
    /// Lanes that had a free card, and the kings if a column was empty.
    free: u64,
    kings: u64,
    /// Cards of waste and stock, those of them that are in the waste (turning one at a time; else
    /// none), and how many of these were never out of the way of those below them.
    talon: u64,
    waste: [u8; STOCK],
    left: usize,
    /// Cards whose move to a column, or whatever else they need, costs nothing any more.
    paid: u64,
    /// Cards of the stock or a foundation that are paid and did not come to a column yet.
    waiting: u64,
}

/// What a landmark was looked for in already.
#[derive(Clone, Copy, Default)]
struct Visited {
    suits: u8,
    columns: u8,
    lanes: u64,
    kings: bool,
    landmark: u64,
}

impl<'a> Relaxed<'a> {
    fn new(layout: &'a Layout, node: &'a Node, paid: u64) -> Relaxed<'a> {
        let state = &node.state;
        let masks = layout.masks(state);
        let (mut talon, mut waste, mut left) = (0, [0; STOCK], 0);
        let (mut rest, mut turned) = (state.stock, state.offset);
        while rest != 0 {
            let bit = layout.stock[rest.trailing_zeros() as usize % STOCK];
            talon |= 1 << bit;
            if layout.draw == 1 && turned > 0 {
                waste[left] = bit;
                left += 1;
                turned -= 1;
            }
            rest &= rest - 1;
        }
        Relaxed {
            layout,
            node,
            attached: node.attached(layout),
            home: state.home,
            counts: state.counts,
            seen: state.visible,
            gone: 0,
            free: masks.lanes,
            kings: masks.fits & layout.kings,
            talon,
            waste,
            left,
            paid,
            waiting: 0,
        }
    }

    /// The next card of a suit.
    #[inline]
    fn next(&self, suit: usize) -> Option<Card> {
        let count = self.home[suit];
        (count < self.layout.ranks).then(|| Card::of(count, suit))
    }

    /// Whether a card may be in a column, if it is free to go there.
    #[inline]
    fn fits(&self, card: Card) -> bool {
        let mask = card.mask();
        (self.free >> 4 & !self.layout.kings | self.kings) & mask != 0
    }

    /// A card came into sight in a column.
    #[inline]
    fn comes(&mut self, card: Card) {
        self.seen |= card.mask();
        self.free |= lane_of(card);
    }

    /// Does all that costs nothing; whether all cards are home.
    fn goes_home(&mut self) -> bool {
        self.waiting |=
            self.paid & (self.talon | self.layout.at_home(&self.node.state)) & !self.seen;
        loop {
            let mut changed = false;
            for suit in 0..4 {
                while let Some(card) = self.next(suit).filter(|&card| self.is_free(card)) {
                    self.home[suit] += 1;
                    self.gone |= card.mask();
                    if self.attached & card.mask() != 0 {
                        self.free |= parents_of(card);
                    } else if card.mask() & self.layout.kings & self.node.state.visible != 0 {
                        self.kings = self.layout.kings;
                    }
                    changed = true;
                }
            }
            let all = self.layout.ranks;
            if self.home.iter().all(|&count| count == all) {
                return true;
            }
            for column in 0..7 {
                while let Some(top) = self.top(column) {
                    let out = self.gone & top.mask() != 0
                        || self.paid & top.mask() != 0 && self.fits(top);
                    if !out {
                        break;
                    }
                    self.counts[column] -= 1;
                    match self.top(column) {
                        Some(next) => self.comes(next),
                        None => self.kings = self.layout.kings,
                    }
                    changed = true;
                }
            }
            while self.left > 0 && (self.gone | self.paid) >> self.waste[self.left - 1] & 1 != 0 {
                self.left -= 1;
                changed = true;
            }
            let mut waiting = self.waiting;
            while waiting != 0 {
                let card = take(&mut waiting);
                if self.fits(card) {
                    self.waiting &= !card.mask();
                    self.comes(card);
                    changed = true;
                }
            }
            if !changed {
                return false;
            }
        }
    }

    /// The lowest face-up card of a column, if it was not out of it yet.
    #[inline]
    fn top(&self, column: usize) -> Option<Card> {
        let count = usize::from(self.counts[column]);
        (count > 0).then(|| Card::at(self.layout.pile[column][count - 1].into()))
    }

    /// Whether the next card of its suit can go home.
    #[inline]
    fn is_free(&self, card: Card) -> bool {
        let mask = card.mask();
        if self.node.state.visible & mask != 0 {
            let on = self.node.on(self.layout, card);
            return on == 0 || on & (self.gone | self.paid) != 0;
        }
        if self.talon & mask != 0 {
            return self.waste[..self.left.saturating_sub(1)].iter().all(|&b| 1 << b != mask);
        }
        self.seen & mask != 0
    }

    /// The smallest landmark that one of the suits gives, as a set of cards.
    fn landmark(&self) -> u64 {
        let mut best = 0_u64;
        for suit in 0..4 {
            if self.next(suit).is_some() {
                let mut visited = Visited::default();
                self.home_of(suit, &mut visited);
                if best == 0 || visited.landmark.count_ones() < best.count_ones() {
                    best = visited.landmark;
                }
            }
        }
        best
    }

    /// Why the next card of a suit cannot go home.
    fn home_of(&self, suit: usize, visited: &mut Visited) {
        let Some(card) = self.next(suit).filter(|_| visited.suits >> suit & 1 == 0) else { return };
        visited.suits |= 1 << suit;
        let mask = card.mask();
        if self.node.state.visible & mask != 0 {
            let mut on = self.node.on(self.layout, card);
            visited.landmark |= on;
            while on != 0 {
                self.home_of(take(&mut on).suit_index(), visited);
            }
        } else if self.talon & mask != 0 {
            let top = Card::at(self.waste[self.left - 1].into());
            visited.landmark |= top.mask();
            self.home_of(top.suit_index(), visited);
        } else {
            self.out_of(usize::from(self.layout.place_of[card.bit() as usize]), visited);
        }
    }

    /// Why the lowest face-up card of a column cannot leave it.
    fn out_of(&self, column: usize, visited: &mut Visited) {
        let Some(top) = self.top(column).filter(|_| visited.columns >> column & 1 == 0) else {
            return;
        };
        visited.columns |= 1 << column;
        self.home_of(top.suit_index(), visited);
        self.column_for(top, visited);
    }

    /// Why a card cannot come to a column that is not its own.
    fn column_for(&self, card: Card, visited: &mut Visited) {
        if self.paid & card.mask() == 0 {
            visited.landmark |= card.mask();
            return;
        }
        if card.mask() & self.layout.kings != 0 {
            if !std::mem::replace(&mut visited.kings, true) {
                (0..7).for_each(|column| self.out_of(column, visited));
                let mut grounded =
                    self.node.state.visible & self.layout.kings & !self.node.state.locked;
                while grounded != 0 {
                    self.home_of(take(&mut grounded).suit_index(), visited);
                }
            }
            return;
        }
        let mut parents = parents_of(card);
        if visited.lanes & parents != 0 {
            return;
        }
        visited.lanes |= parents;
        // Those that lie on the lane now free it by going home.
        let mut children = self.attached & lane_of(card);
        while children != 0 {
            self.home_of(take(&mut children).suit_index(), visited);
        }
        parents &= !self.seen;
        while parents != 0 {
            let parent = take(&mut parents);
            let column = usize::from(self.layout.place_of[parent.bit() as usize]);
            let mask = parent.mask();
            if (self.talon | self.layout.at_home(&self.node.state)) & mask != 0 {
                self.column_for(parent, visited);
            } else {
                self.out_of(column, visited);
            }
        }
    }
}
