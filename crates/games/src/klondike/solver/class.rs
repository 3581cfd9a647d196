//! Positions that can be turned into each other and back: one class, one node of the search.
//!
//! A face-up card that is not locked can go to its foundation and come back: what it lay on is
//! free after it left. All other moves cannot be undone: they turn up a card, empty a column or
//! take a card out of the stock. So the classes form a graph without cycles, at most 52 moves deep.
//! A class is stored by a member in which no further card can go home. There can be several such
//! members (two cards of a lane that carries one run: either may go, not both), so a class may be
//! searched more than once; that costs time only.
//!
//! **Which moves matter.** Let member m follow from member k by taking card y back. A move of card
//! x that can be made in both need be tried in one only: made in m, y can still go home after it,
//! because y's lane had a free card before y came if x goes there, and x takes one place; and then
//! the position is the one that the move makes from k. The same read backwards holds for a member
//! that follows by sending a card home. So a member adds only the moves that the member before it
//! did not have.

use super::super::Card;
use super::state::{Layout, Masks, State, is_safe};

/// A member of a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) state: State,
    /// What can be done in it.
    pub(crate) masks: Masks,
    /// Which member it follows from, by its place in the list; its own for the first.
    pub(crate) from: u32,
    /// The card that was taken back or sent home.
    pub(crate) moved: u8,
}

/// Moves home every card that may go there and come back; if `safe`, only those that may go without
/// a second thought.
#[inline]
pub(crate) fn send_home(layout: &Layout, state: &mut State, safe: bool) {
    loop {
        let masks = layout.masks(state);
        let mut home = masks.free & masks.next & !state.locked;
        while safe && home != 0 && !is_safe(&state.home, Card::at(home.trailing_zeros())) {
            home &= home - 1;
        }
        if home == 0 {
            return;
        }
        // One at a time: two cards of a lane that carries one run are both free, but only one of
        // them can go.
        *state = sent_home(state, Card::at(home.trailing_zeros()));
    }
}

/// A face-up card sent home.
#[inline]
fn sent_home(state: &State, card: Card) -> State {
    let mut state = *state;
    state.visible &= !card.mask();
    state.home[card.suit_index()] += 1;
    state
}

/// The cards whose taking back leads to a further member.
#[inline]
fn may_come_back(layout: &Layout, state: &State, masks: &Masks, prune: bool) -> u64 {
    let mut cards = layout.tops(state) & masks.fits;
    if prune {
        let mut rest = cards;
        while rest != 0 {
            let card = Card::at(rest.trailing_zeros());
            rest &= rest - 1;
            if is_safe(&state.home, card) {
                cards &= !card.mask();
            }
        }
    }
    cards
}

/// Takes a card back from its foundation.
#[inline]
fn take_back(state: &State, card: Card) -> State {
    let mut state = *state;
    state.home[card.suit_index()] -= 1;
    state.visible |= card.mask();
    state
}

/// Adds the members that follow from a member, `at`, of a class and are not listed yet; the list of
/// this class begins at `first`.
pub(crate) fn neighbours(
    layout: &Layout,
    members: &mut Vec<Member>,
    first: usize,
    at: usize,
    prune: bool,
) {
    let Member { state, masks, moved, .. } = members[at];
    let mut back = may_come_back(layout, &state, &masks, prune);
    let mut home = masks.free & masks.next & !state.locked;
    if at != first {
        // Not the same card to and fro.
        (back, home) = (back & !(1 << moved), home & !(1 << moved));
    }
    let mut add = |state: State, card: Card| {
        if !members[first..].iter().any(|m| m.state.home == state.home) {
            let masks = layout.masks(&state);
            let moved = card.bit() as u8;
            members.push(Member { state, masks, from: at as u32, moved });
        }
    };
    while back != 0 {
        let card = take(&mut back);
        add(take_back(&state, card), card);
    }
    while home != 0 {
        let card = take(&mut home);
        add(sent_home(&state, card), card);
    }
}

/// The lowest card of a set, taken out of it.
#[inline]
pub(crate) fn take(cards: &mut u64) -> Card {
    let card = Card::at(cards.trailing_zeros());
    *cards &= *cards - 1;
    card
}
