//! The moves that a shortest solution may begin with.
//!
//! Every position from which the game can be won has a shortest solution that begins with one of the
//! macro moves generated here. The arguments change one shortest solution into another:
//!
//! **Safe moves home are made at once** ([`is_safe`]): a card x of a column that nothing covers; turning
//! one card at a time also the top card of the waste and the next card of the stock (with its turn);
//! the last card of all if it is the top card of the waste. Let σ be a solution. Send x home first and
//! follow σ; let R be the cards that are home now and are not in σ. A move home of a card of R is left
//! out. So is taking one back. If σ lays a card y on a card of R, send y home instead, and what lies on it
//! before it: by the choice of x, all cards of the other colour below x are home or next, and so are
//! those of x's colour two ranks below it, so y and what lies on it are. Their moves home are left out
//! later. So it costs no more than σ. If x came from the stock, no card is reached later by turning than
//! in σ: one card at a time because each turn of x falls away; the last card because the others come up
//! as before. For the same reason a safe card of the stock is not laid in a column, and a card that would
//! be safe at home is not taken back.
//!
//! **Other moves wait until they are used.** These do nothing but prepare another move, and can be made
//! right before it, at the same cost, or are left out, if nothing uses them:
//! - turns of the stock, used by taking the card they lead to;
//! - moving part of a run from one of its two possible parents to the other, used by the parent that
//!   goes home. (If something else comes next, what lies on the two parents changes places in all that
//!   follows, until one of them goes home or both are free.)
//! - moving the last cards of a column away, used by a king that takes its place;
//! - taking a card back from a foundation, used by a card that is laid on it, or by taking back the
//!   next one. (Sent home unused, both moves are left out.)
//!
//! Moves in between do not hinder them: what is not moved yet leaves more places free, a run that moves
//! takes its upper end along or leaves it, and where it lies then it can be moved later as well. Of
//! preparations with the same use, those of preparations come first, a column for a king last. What uses
//! them is one of the moves that cannot be put off: a card goes home; the lowest face-up card of a column
//! goes to another column, so that one is turned up; a card of the stock goes to a column. A king on the
//! ground of a column stays.

use super::bound::Bound;
use super::node::{Node, parents_of};
use crate::klondike::Card;
use crate::klondike::solver::class::take;
use crate::klondike::solver::edge::Target;
use crate::klondike::solver::state::{Layout, Masks, STOCK, is_safe};

/// A card and where it goes; turns of the stock are not said.
pub(super) type CardMove = (Card, Target);

/// A card that turning leads to.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    bit: u8,
    slot: u8,
    /// The cards before it, which are the waste after it was taken.
    before: u8,
    /// Turns of the stock; a redeal costs nothing.
    turns: u8,
}

/// Generates macro moves; `each` gets the position after one, its moves and what it costs.
pub(super) struct Generator<'a, F: FnMut(&Node, &[CardMove], u32)> {
    pub(super) layout: &'a Layout,
    pub(super) bound: &'a Bound,
    /// Of cost and moves to go after it.
    pub(super) limit: u32,
    /// The least sum beyond the limit that was left out.
    pub(super) pruned: Option<u32>,
    pub(super) made: &'a mut Vec<CardMove>,
    pub(super) each: F,
}

/// What a preparation leaves to be used.
#[derive(Clone, Copy, Debug, Default)]
struct Unused {
    /// Cards that were taken back.
    back: u64,
    /// A column that was emptied.
    column: bool,
}

impl Unused {
    /// What is left to be used after a card was laid on one of a lane, or a king in a column.
    fn after(self, layout: &Layout, card: Card) -> Unused {
        if card.mask() & layout.kings != 0 {
            return Unused { column: false, ..self };
        }
        let used = self.back & parents_of(card);
        Unused { back: self.back & !(used & used.wrapping_neg()), ..self }
    }

    fn is_nothing(self) -> bool {
        self.back == 0 && !self.column
    }
}

impl<F: FnMut(&Node, &[CardMove], u32)> Generator<'_, F> {
    /// All macro moves of a position.
    pub(super) fn generate(&mut self, node: &Node) {
        self.made.clear();
        let masks = self.layout.masks(&node.state);
        if !self.make_safe(node, &masks) {
            self.extend(node, &masks, 0, Unused::default());
        }
    }

    fn make(&mut self, next: &Node, moves: &[CardMove], cost: u32) {
        let length = self.made.len();
        self.made.extend_from_slice(moves);
        (self.each)(next, self.made, cost);
        self.made.truncate(length);
    }

    fn leave_out(&mut self, sum: u32) {
        self.pruned = Some(self.pruned.map_or(sum, |least| least.min(sum)));
    }

    /// Makes a move home that is safe, if there is one.
    fn make_safe(&mut self, node: &Node, masks: &Masks) -> bool {
        let (layout, home) = (self.layout, node.state.home);
        let mut free = masks.free & masks.next;
        while free != 0 {
            let card = take(&mut free);
            if is_safe(&home, card) && node.on(layout, card) == 0 {
                let mut next = *node;
                next.send_home(layout, card);
                self.make(&next, &[(card, Target::Home)], 1);
                return true;
            }
        }
        let (left, turned) = (node.state.stock.count_ones() as u8, node.state.offset);
        let mut safe = |before: u8, turns: u32| {
            let slot = nth(node.state.stock, before);
            let card = Card::at(layout.stock[slot as usize % STOCK].into());
            let goes = masks.next & card.mask() != 0 && is_safe(&home, card);
            if goes {
                let mut next = *node;
                next.take(slot, before);
                next.state.home[card.suit_index()] += 1;
                self.make(&next, &[(card, Target::Home)], turns + 1);
            }
            goes
        };
        if turned > 0 && (layout.draw == 1 || turned == left) && safe(turned - 1, 0) {
            return true;
        }
        layout.draw == 1 && turned < left && safe(turned, 1)
    }

    /// All macro moves that go on from preparations of this cost.
    fn extend(&mut self, node: &Node, masks: &Masks, cost: u32, unused: Unused) {
        let layout = self.layout;
        let quick = cost + Bound::quick(layout, node);
        if quick > self.limit {
            return self.leave_out(quick);
        }
        if !unused.column {
            self.go_home(node, masks, cost, unused);
        }
        let mut up = node.state.visible & node.state.locked & masks.fits;
        while up != 0 {
            let card = take(&mut up);
            let column = usize::from(layout.place_of[card.bit() as usize]);
            if node.state.counts[column] > 1 && unused.after(layout, card).is_nothing() {
                let mut next = *node;
                next.move_column(layout, card);
                self.make(&next, &[(card, Target::Column)], cost + 1);
            }
        }
        self.take_from_stock(node, masks, cost, unused);
        self.prepare(node, masks, cost, unused);
    }

    /// Cards of columns go home.
    fn go_home(&mut self, node: &Node, masks: &Masks, cost: u32, unused: Unused) {
        let layout = self.layout;
        let mut free = masks.free & masks.next;
        while free != 0 {
            let card = take(&mut free);
            // What lies on it goes to its twin.
            let mut on = node.on(layout, card);
            let used =
                if on == 0 { 0 } else { parents_of(Card::at(on.trailing_zeros())) & !card.mask() };
            if unused.back & !used != 0 {
                continue;
            }
            let mut next = *node;
            next.send_home(layout, card);
            if on == 0 {
                self.make(&next, &[(card, Target::Home)], cost + 1);
            } else {
                let moves = [(take(&mut on), Target::Column), (card, Target::Home)];
                self.make(&next, &moves, cost + 2);
            }
        }
    }

    /// Cards of the stock go home or to a column.
    fn take_from_stock(&mut self, node: &Node, masks: &Masks, cost: u32, unused: Unused) {
        let layout = self.layout;
        let (reached, count) = reach(layout, node, masks.fits | masks.next);
        for &Reached { bit, slot, before, turns } in &reached[..count] {
            let card = Card::at(bit.into());
            let (mask, cost) = (card.mask(), cost + u32::from(turns) + 1);
            let mut next = *node;
            next.take(slot.into(), before);
            // At least that, whatever becomes of it.
            let quick = cost + Bound::quick(layout, &next).saturating_sub(1);
            if quick > self.limit {
                self.leave_out(quick);
                continue;
            }
            let home = masks.next & mask != 0;
            if home && unused.is_nothing() {
                let mut next = next;
                next.state.home[card.suit_index()] += 1;
                self.make(&next, &[(card, Target::Home)], cost);
            }
            let safe = home && is_safe(&node.state.home, card);
            if masks.fits & mask != 0 && !safe && unused.after(layout, card).is_nothing() {
                next.come(layout, card);
                self.make(&next, &[(card, Target::Column)], cost);
            }
        }
    }

    /// What prepares other moves.
    fn prepare(&mut self, node: &Node, masks: &Masks, cost: u32, unused: Unused) {
        let (layout, state) = (self.layout, &node.state);
        let mut back = layout.tops(state) & masks.fits;
        if unused.column {
            back &= layout.kings;
        }
        while back != 0 {
            let card = take(&mut back);
            if is_safe(&state.home, card) {
                continue;
            }
            let mut next = *node;
            next.take_back(layout, card);
            let mut unused = unused.after(layout, card);
            // The card above it in its suit was taken back for this.
            unused.back &= !above(card);
            unused.back |= card.mask();
            self.go_on(&next, (card, Target::Column), cost + 1, unused);
        }
        // A column for a king that has none.
        let kings = layout.kings & !(state.visible & !state.locked);
        if unused.column || masks.fits & layout.kings != 0 || kings == 0 {
            return;
        }
        let mut up = state.visible & state.locked & masks.fits;
        while up != 0 {
            let card = take(&mut up);
            let column = usize::from(layout.place_of[card.bit() as usize]);
            if state.counts[column] == 1 {
                let mut next = *node;
                next.move_column(layout, card);
                let unused = Unused { column: true, ..unused.after(layout, card) };
                self.go_on(&next, (card, Target::Column), cost + 1, unused);
            }
        }
    }

    /// Goes on after a preparation, if that can be within the limit.
    fn go_on(&mut self, next: &Node, made: CardMove, cost: u32, unused: Unused) {
        let to_go = self.bound.of(self.layout, next, self.limit.saturating_sub(cost));
        let Some(sum) = to_go.map(|bound| cost + bound) else { return };
        if sum > self.limit {
            return self.leave_out(sum);
        }
        self.made.push(made);
        let masks = self.layout.masks(&next.state);
        self.extend(next, &masks, cost, unused);
        self.made.pop();
    }
}

/// The next card of the same suit.
fn above(card: Card) -> u64 {
    crate::klondike::solver::state::after(card)
}

/// The place of the set bit before which so many are set.
fn nth(mut set: u32, before: u8) -> u32 {
    for _ in 0..before {
        set &= set.wrapping_sub(1);
    }
    set.trailing_zeros()
}

/// The cards among these that turning leads to, with the fewest turns. A redeal costs nothing.
fn reach(layout: &Layout, node: &Node, wanted: u64) -> ([Reached; STOCK], usize) {
    let (mut all, mut count) = ([Reached::default(); STOCK], 0);
    let draw = layout.draw;
    let (left, turned) = (node.state.stock.count_ones(), u32::from(node.state.offset));
    let pass = (left - turned).div_ceil(draw);
    let mut rest = node.state.stock;
    for before in 0..left {
        let slot = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        let bit = layout.stock[slot as usize % STOCK];
        if wanted >> bit & 1 == 0 {
            continue;
        }
        let size = before + 1;
        let lies_on_top = |from: u32| size == left || (size - from).is_multiple_of(draw);
        let turns = if size >= turned && lies_on_top(turned) {
            (size - turned).div_ceil(draw)
        } else if lies_on_top(0) {
            pass + size.div_ceil(draw)
        } else {
            continue;
        };
        all[count] = Reached { bit, slot: slot as u8, before: before as u8, turns: turns as u8 };
        count += 1;
    }
    (all, count)
}
