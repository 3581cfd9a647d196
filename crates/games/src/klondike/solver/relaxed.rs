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

use super::class::take;
use super::state::{Layout, Masks, STOCK, State, after};

/// The low bit of every lane.
const LOW: u64 = 0x5555_5555_5555_5555;

/// Both cards of the lanes in which a set has a card.
#[inline]
fn lanes(cards: u64) -> u64 {
    let low = (cards | cards >> 1) & LOW;
    low | low << 1
}

/// Whether a position is lost because some card can never be turned up; `reach` is what is within
/// reach in the stock. `false` says nothing.
#[inline]
pub(crate) fn hopeless(layout: &Layout, state: &State, masks: &Masks, reach: u64) -> bool {
    Relaxed::new(layout, state, masks, reach, 0).is_stuck::<false>()
}

/// The same with more effort: where one card could take two others only one of which fits, both
/// cases are looked at.
///
/// Let neither of two twins (cards of one lane) be home or on a card that could take either. Until
/// both these cards were in the tableau, or one of the twins went home, only one of the twins can
/// have been laid there. So if it is hopeless without the one and hopeless without the other, it is
/// so at all.
pub(crate) fn hopeless_by_cases(layout: &Layout, state: &State, masks: &Masks, reach: u64) -> bool {
    let mut relaxed = Relaxed::new(layout, state, masks, reach, 0);
    if relaxed.is_stuck::<true>() {
        return true;
    }
    let stuck = |late| Relaxed::new(layout, state, masks, reach, late).is_stuck::<true>();
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
    /// The next card of every foundation, and the cards that went there.
    next: u64,
    gone: u64,
    /// The kings, if a column was empty.
    kings: u64,
    /// The lowest face-up card of every column that can still be turned up, and how many cards are
    /// locked there.
    tops: u64,
    counts: [u8; 7],
    /// Cards of the stock within reach, the place from which on all are, and the first place from
    /// which one was taken.
    stock: u64,
    from: u32,
    first: u32,
    /// Cards that are home at the start and may come back.
    at_home: u64,
    /// Face-up cards that lie on others at the start, and kings on the ground.
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
    fn new(
        layout: &'a Layout,
        state: &'a State,
        masks: &Masks,
        reach: u64,
        late: u64,
    ) -> Relaxed<'a> {
        let kings = layout.kings;
        Relaxed {
            layout,
            state,
            tableau: state.visible,
            free: masks.lanes,
            next: masks.next,
            gone: 0,
            kings: masks.fits & kings,
            tops: state.visible & state.locked,
            counts: state.counts,
            stock: reach,
            from: STOCK as u32,
            first: STOCK as u32,
            at_home: layout.at_home(state),
            attached: state.visible & !state.locked & !kings,
            grounded: state.visible & kings & !state.locked,
            late,
            laid: 0,
            contended: 0,
        }
    }

    /// Does all that can be done; whether a card stays face down. `CASES` is for `late` and
    /// `contended`.
    #[inline]
    fn is_stuck<const CASES: bool>(&mut self) -> bool {
        while self.tops != 0 {
            if CASES && self.late != 0 {
                let places = lanes(self.late) << 4;
                if self.tableau & places == places || self.gone & lanes(self.late) != 0 {
                    self.late = 0;
                }
            }
            let fits = (self.free >> 4 | self.kings) & !self.late;
            let come = (self.stock | self.at_home) & fits & !self.tableau;
            self.tableau |= come;
            self.free |= lanes(come);
            let next = self.next & (self.tableau & self.free | self.stock);
            let up = self.tops & (fits | self.gone);
            if come | next | up == 0 {
                return true;
            }
            self.send_home(next);
            self.turn_up(up);
            self.take(self.stock & (come | next));
            if CASES {
                self.laid |= come | up & fits;
                self.note_twins();
            }
        }
        false
    }

    /// Sends cards home.
    #[inline]
    fn send_home(&mut self, cards: u64) {
        self.gone |= cards;
        self.free |= lanes(cards & self.attached) << 4;
        if self.grounded & cards != 0 {
            self.kings = self.layout.kings;
        }
        let mut rest = cards;
        while rest != 0 {
            let card = take(&mut rest);
            self.next ^= card.mask() | after(card);
        }
        self.next &= self.layout.kings | (self.layout.kings - 1);
    }

    /// Turns up what lies below these cards.
    #[inline]
    fn turn_up(&mut self, mut cards: u64) {
        self.tops ^= cards;
        while cards != 0 {
            let column = usize::from(self.layout.place_of[take(&mut cards).bit() as usize]);
            self.counts[column] -= 1;
            let left = usize::from(self.counts[column]);
            if left == 0 {
                self.kings = self.layout.kings;
                continue;
            }
            let card = 1 << self.layout.pile[column][left - 1];
            self.tableau |= card;
            self.free |= lanes(card);
            if left == 1 && card & self.layout.kings != 0 {
                // It need not move but to its foundation.
                self.grounded |= card;
            } else {
                self.tops |= card;
            }
        }
    }

    /// Takes cards out of the stock: that uncovers the card before each and moves the turns of all
    /// after it; cards further ahead stay as they are.
    #[inline]
    fn take(&mut self, mut cards: u64) {
        if self.first == 0 {
            return;
        }
        let mut first = self.first;
        while cards != 0 {
            let place = self.layout.place_of[take(&mut cards).bit() as usize];
            first = first.min(place.into());
        }
        if first == self.first {
            return;
        }
        self.first = first;
        let ahead = self.state.stock & ((1 << first) - 1);
        let from = ahead.checked_ilog2().unwrap_or(first);
        let mut rest = self.state.stock & ((1 << self.from) - (1 << from));
        while rest != 0 {
            self.stock |= 1 << self.layout.stock[rest.trailing_zeros() as usize % STOCK];
            rest &= rest - 1;
        }
        self.from = from;
    }

    /// Notes twins that shared a place before one of them was home.
    fn note_twins(&mut self) {
        let twins = self.laid & self.laid >> 1 & LOW & !self.layout.kings;
        let both = self.tableau & self.tableau >> 1 & LOW;
        let home = self.gone | self.at_home | self.attached;
        self.contended |= twins & !(both >> 4) & !(home | home >> 1);
    }
}
