//! Moves out of a class of positions.

use super::super::Card;
use super::class::take;
use super::state::{Layout, Masks, State, is_safe};

/// Where a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Home,
    Column,
}

/// A move from one class to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The member from which it is made.
    pub(crate) member: u32,
    pub(crate) card: Card,
    pub(crate) target: Target,
    pub(crate) from: From,
}

/// Where the card of a move lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// Face up, not locked.
    Run,
    /// The lowest face-up card of its column, with all that lies on it.
    Column,
    /// In waste or stock, in this place, after so many others.
    Stock { slot: u8, before: u8 },
}

impl Edge {
    /// Whether a face-down card is turned up.
    pub(super) fn turns_up(&self, layout: &Layout, member: &State) -> bool {
        let column = usize::from(layout.place_of[self.card.bit() as usize]);
        self.from == From::Column && member.counts[column] > 1
    }

    /// The position that the move makes of a member, before cards are sent home.
    #[inline]
    pub(crate) fn apply(&self, layout: &Layout, member: &State) -> State {
        let mut next = *member;
        match self.target {
            Target::Home => {
                next.visible &= !self.card.mask();
                next.home[self.card.suit_index()] += 1;
            }
            Target::Column => next.visible |= self.card.mask(),
        }
        match self.from {
            From::Run => {}
            From::Column => {
                layout.unlock(&mut next, self.card);
            }
            From::Stock { slot, before } => {
                layout.taken(&mut next, slot.into(), before.into());
            }
        }
        next
    }
}

/// Puts moves in an order that is another one in every round, the same everywhere in it.
pub(super) fn shuffle(edges: &mut [Edge], round: u64) {
    edges.sort_unstable_by_key(|edge| {
        let home = u64::from(edge.target == Target::Home);
        let mixed = (round << 7 | u64::from(edge.card.bit()) << 1 | home)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    });
}

/// A card that is locked, or in the stock where each is within reach, goes home at once if that is
/// safe: nothing else need be tried.
///
/// That it is of no more use in a column is the argument of [`is_safe`]. Then any way to win can be followed
/// without it: what lay under a locked card is only sooner in sight. Out of the stock it must not keep
/// another card from being reached. One card at a time every card is within reach, always. Two or three at
/// a time, from a stock of n cards whose next pass starts anew (offset 0) every `draw`-th card and the last
/// one are. Without the last one these are every `draw`-th of the same places and, sooner, the one before
/// it; after another card was taken at place p, the places before p and the steps from p on are the same
/// with and without the last card. So whatever is within reach with it in the stock is so without it.
#[inline]
pub(crate) fn forced(
    layout: &Layout,
    state: &State,
    masks: &Masks,
    talon: &[Within],
) -> Option<Edge> {
    let member = 0;
    let safe = |card: Card| is_safe(&state.home, card);
    let mut up = masks.free & masks.next & state.locked;
    while up != 0 {
        let card = take(&mut up);
        if safe(card) {
            return Some(Edge { member, card, target: Target::Home, from: From::Column });
        }
    }
    // Turning one card at a time, taking a card hinders no other; else that is so for the last
    // card if the next pass starts anew anyway.
    let last = state.stock.count_ones();
    for &Within { card, slot, before } in talon {
        if masks.next & card.mask() == 0 || !safe(card) {
            continue;
        }
        if layout.draw == 1 || (u32::from(before) + 1 == last && state.offset == 0) {
            let from = From::Stock { slot, before };
            return Some(Edge { member, card, target: Target::Home, from });
        }
    }
    None
}

/// A card of the stock within reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within {
    pub(super) card: Card,
    /// Its place.
    slot: u8,
    /// The cards that are before it.
    before: u8,
}

/// Lists the cards of the stock within reach.
#[inline]
pub(crate) fn within_reach(layout: &Layout, state: &State, out: &mut Vec<Within>) {
    layout.reachable(state, |card, slot, before| {
        out.push(Within { card, slot: slot as u8, before: before as u8 });
    });
}

/// Lists the moves out of the class that a member has and the member before it had not.
#[inline]
pub(crate) fn edges(
    state: &State,
    masks: &Masks,
    before: Option<&Masks>,
    member: u32,
    talon: &[Within],
    out: &mut Vec<Edge>,
) {
    let (mut fits, mut next, mut free) = (masks.fits, masks.next, masks.free & masks.next);
    if let Some(before) = before {
        fits &= !before.fits;
        next &= !before.next;
        free &= !(before.free & before.next);
    }
    let mut up = free & state.locked;
    while up != 0 {
        let card = take(&mut up);
        out.push(Edge { member, card, target: Target::Home, from: From::Column });
    }
    let mut reveal = state.visible & state.locked & fits;
    while reveal != 0 {
        let card = take(&mut reveal);
        out.push(Edge { member, card, target: Target::Column, from: From::Column });
    }
    if fits | next == 0 {
        return;
    }
    for &Within { card, slot, before } in talon {
        let from = From::Stock { slot, before };
        if fits & card.mask() != 0 {
            out.push(Edge { member, card, target: Target::Column, from });
        }
        if next & card.mask() != 0 {
            out.push(Edge { member, card, target: Target::Home, from });
        }
    }
}
