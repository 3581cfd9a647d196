//! A proof that a position is lost, without search: the delete relaxation.
//!
//! Whatever can be done once is taken to stay possible: every card of the stock is within reach at
//! any time, a card that lay in the tableau once can be built on for ever, a foundation that held a
//! card holds it still. If even so some face-down card can never be turned up, the deal is lost
//! (Bjarnason, Tadepalli and Fern 2007 prove 8.56% of all deals dead by such a relaxation).

use super::super::Card;
use super::class::take;
use super::state::{Layout, STOCK, State};

/// The low bit of every lane.
const LOW: u64 = 0x5555_5555_5555_5555;

/// The cards that fit on a card of a set.
#[inline]
fn children(cards: u64) -> u64 {
    let lanes = (cards | cards >> 1) & LOW;
    (lanes | lanes << 1) >> 4
}

/// Whether a position is lost because some card can never be turned up. `false` says nothing.
pub(crate) fn hopeless(layout: &Layout, state: &State) -> bool {
    let stock = (0..STOCK)
        .filter(|slot| state.stock >> slot & 1 != 0)
        .fold(0u64, |all, slot| all | 1 << layout.stock[slot]);
    let mut home = state.home;
    // Cards that are home now and may come back.
    let mut at_home = 0;
    for (suit, &count) in home.iter().enumerate() {
        at_home = (0..count).fold(at_home, |all, rank| all | Card::of(rank, suit).mask());
    }
    let mut tableau = state.visible;
    let mut counts = state.counts;
    let columns = layout.columns as usize;
    let mut empty = (state.visible & (state.locked | layout.kings)).count_ones() < layout.columns;
    // A column on whose ground a king lies is empty once the king went home.
    let grounded = state.visible & layout.kings & !state.locked;
    loop {
        let before = (tableau, home, counts, empty);
        let kings = if empty { layout.kings } else { 0 };
        let fits = children(tableau) | kings;
        tableau |= (stock | at_home) & fits;
        let mut next = layout.next_of(&home) & (tableau | stock);
        while next != 0 {
            let card = take(&mut next);
            home[card.suit_index()] += 1;
            empty |= grounded & card.mask() != 0;
        }
        for (pile, count) in layout.pile.iter().zip(&mut counts).take(columns) {
            while *count > 0 {
                let top = Card::at(u32::from(pile[usize::from(*count) - 1]));
                let up = top.rank() <= home[top.suit_index()];
                if !up && fits & top.mask() == 0 {
                    break;
                }
                *count -= 1;
                match *count {
                    0 => empty = true,
                    left => tableau |= 1 << pile[usize::from(left) - 1],
                }
            }
        }
        if counts.iter().all(|&count| count == 0) {
            return false;
        }
        if before == (tableau, home, counts, empty) {
            return true;
        }
    }
}
