//! A proof that a position is lost, without search: the delete relaxation.
//!
//! Whatever can be done once is taken to stay possible: a place in the tableau that was free once
//! is free for ever, a foundation that held a card holds it still. If even so some face-down card
//! can never be turned up, the position is lost (Bjarnason, Tadepalli and Fern 2007 prove 8.56% of
//! all deals dead by such a relaxation). Theirs takes a card that lies open for one that can be
//! built on; here places that are taken now and turns of the stock count too, which is what makes
//! it worth asking everywhere in a search:
//! - A lane (one rank, one colour) in which every card is covered has a free card again only once
//!   another card of it comes to the tableau or one of those that lie on it goes home.
//! - A card of the stock that is not within reach now is so only once another was taken that lies
//!   before it or next to it.

use super::super::Card;
use super::class::take;
use super::state::{Layout, Masks, STOCK, State};

/// The low bit of every lane.
const LOW: u64 = 0x5555_5555_5555_5555;

/// Both cards of the lanes in which a set has a card.
#[inline]
fn lanes(cards: u64) -> u64 {
    let low = (cards | cards >> 1) & LOW;
    low | low << 1
}

/// Whether a position is lost because some card can never be turned up. `false` says nothing.
#[inline]
pub(crate) fn hopeless(layout: &Layout, state: &State, masks: &Masks) -> bool {
    Relaxed::new(layout, state, masks, 0).is_stuck()
}

/// The same with more effort: where one card could take two others only one of which fits, both
/// cases are looked at.
///
/// Let neither of two twins (cards of one lane) be home or on a card that could take either. Until
/// both these cards were in the tableau, or one of the twins went home, only one of the twins can
/// have been laid there. So if it is hopeless without the one and hopeless without the other, it is
/// so at all.
pub(crate) fn hopeless_by_cases(layout: &Layout, state: &State, masks: &Masks) -> bool {
    let mut relaxed = Relaxed::new(layout, state, masks, 0);
    if relaxed.is_stuck() {
        return true;
    }
    let stuck = |late| Relaxed::new(layout, state, masks, late).is_stuck();
    let mut twins = relaxed.contended;
    while twins != 0 {
        let low = twins & twins.wrapping_neg();
        twins ^= low;
        if stuck(low) && stuck(low << 1) {
            return true;
        }
    }
    false
}

/// What was possible at some time.
struct Relaxed<'a> {
    layout: &'a Layout,
    state: &'a State,
    /// Cards that came to the tableau.
    tableau: u64,
    /// Lanes that had a free card.
    free: u64,
    /// Cards on the foundations by suit index, and those that went there.
    home: [u8; 4],
    gone: u64,
    /// Whether a column was empty.
    empty: bool,
    /// By column, how many cards are still locked.
    counts: [u8; 7],
    /// Cards of the stock within reach, and the first place from which one was taken.
    stock: u64,
    first: u32,
    /// Face-up cards that lie on others, and kings on the ground, from the start.
    attached: u64,
    grounded: u64,
    /// A card that is not laid on another before its twin went home or both these others were there.
    late: u64,
    /// Cards that were laid on others.
    laid: u64,
    /// Lanes of which both cards were laid on others while there was one place for them.
    contended: u64,
}

impl<'a> Relaxed<'a> {
    #[inline]
    fn new(layout: &'a Layout, state: &'a State, masks: &Masks, late: u64) -> Relaxed<'a> {
        let attached = state.visible & !state.locked & !layout.kings;
        Relaxed {
            layout,
            state,
            tableau: state.visible,
            free: masks.lanes,
            home: state.home,
            gone: 0,
            empty: masks.fits & layout.kings != 0,
            counts: state.counts,
            stock: layout.reach(state),
            first: STOCK as u32,
            attached,
            grounded: state.visible & layout.kings & !state.locked,
            late,
            laid: 0,
            contended: 0,
        }
    }

    /// Does all that can be done; whether a card stays face down.
    #[inline]
    fn is_stuck(&mut self) -> bool {
        let kings = self.layout.kings;
        let at_home = self.layout.at_home(self.state);
        loop {
            let before = (self.tableau, self.free, self.gone, self.stock, self.counts, self.empty);
            let places = lanes(self.late) << 4;
            if self.tableau & places == places || self.gone & lanes(self.late) != 0 {
                self.late = 0;
            }
            let fits = (self.free >> 4 | if self.empty { kings } else { 0 }) & !self.late;
            let come = (self.stock | at_home) & fits & !self.tableau;
            self.tableau |= come;
            self.free |= lanes(come);
            self.laid |= come;
            let sent = self.send_home();
            self.take(self.stock & (come | sent));
            self.turn_up(fits);
            if self.counts == [0; 7] {
                return false;
            }
            // Twins that shared a place before one of them was home.
            let twins = self.laid & self.laid >> 1 & LOW & !kings;
            let both = self.tableau & self.tableau >> 1 & LOW;
            let home = self.gone | at_home | self.attached;
            self.contended |= twins & !(both >> 4) & !(home | home >> 1);
            let now = (self.tableau, self.free, self.gone, self.stock, self.counts, self.empty);
            if before == now {
                return true;
            }
        }
    }

    /// Sends home what can go; these cards.
    #[inline]
    fn send_home(&mut self) -> u64 {
        let mut sent = 0;
        loop {
            let open = self.tableau & self.free | self.stock;
            let next = self.layout.next_of(&self.home) & open;
            if next == 0 {
                break;
            }
            let mut cards = next;
            while cards != 0 {
                self.home[take(&mut cards).suit_index()] += 1;
            }
            sent |= next;
            self.free |= lanes(next & self.attached) << 4;
            self.empty |= self.grounded & next != 0;
        }
        self.gone |= sent;
        sent
    }

    /// Turns up what can be turned up if these cards fit on others.
    #[inline]
    fn turn_up(&mut self, fits: u64) {
        for (pile, count) in self.layout.pile.iter().zip(&mut self.counts) {
            while *count > 0 {
                let top = Card::at(u32::from(pile[usize::from(*count) - 1]));
                if fits & top.mask() != 0 {
                    self.laid |= top.mask();
                } else if top.rank() > self.home[top.suit_index()] {
                    break;
                }
                *count -= 1;
                match *count {
                    0 => self.empty = true,
                    left => {
                        let card = 1 << pile[usize::from(left) - 1];
                        self.tableau |= card;
                        self.free |= lanes(card);
                    }
                }
            }
        }
    }

    /// Takes cards out of the stock: that uncovers the card before each and moves the turns of all
    /// after it; cards further ahead stay as they are.
    #[inline]
    fn take(&mut self, mut cards: u64) {
        let before = self.first;
        while cards != 0 {
            let place = self.layout.place_of[take(&mut cards).bit() as usize];
            self.first = self.first.min(place.into());
        }
        if self.first == before {
            return;
        }
        let ahead = self.state.stock & ((1 << self.first) - 1);
        let from = ahead.checked_ilog2().unwrap_or(self.first);
        let mut rest = self.state.stock >> from << from;
        while rest != 0 {
            self.stock |= 1 << self.layout.stock[rest.trailing_zeros() as usize % STOCK];
            rest &= rest - 1;
        }
    }
}
