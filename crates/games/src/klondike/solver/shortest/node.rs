//! A position as the search for a shortest solution tells it from others.
//!
//! To the sets of [`State`] comes what they leave out: which face-up card lies on which of its two
//! possible parents, because a card that is covered goes home one move later. Nothing else of the
//! arrangement counts. A run moves whole whatever lies on it, and which column is which does not
//! matter; so for each lane (two cards of one rank and colour) it is enough to know how the cards that
//! lie on it are shared out.
//!
//! **What is decided late.** Where both cards of a lane are free, a card that is laid there may lie on
//! either, at the same price. Which one it is need not be said before one of the two goes home: such a
//! lane is *open*, and stands for the cheaper of its arrangements. Lanes do not depend on each other,
//! so this is exact: what an open lane can do is what one of its two arrangements can do.

use patience_plan::astar::{BitReader, BitWriter};

use crate::klondike::solver::class::take;
use crate::klondike::solver::state::{Layout, State};
use crate::klondike::{Card, Position, Rules};

/// The low bit of every lane.
const LOW: u64 = 0x5555_5555_5555_5555;

/// A position. The offset of its state is the number of cards in the waste.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) state: State,
    /// By lane of cards that lie on others, in its two bits; 0 where the lane is open, nothing lies
    /// on others or there is one parent. One card lies on the lower parent (1) or on the higher one
    /// (2); of two cards the lower one does.
    on: u64,
}

/// Both cards of a card's lane.
pub(super) fn lane_of(card: Card) -> u64 {
    3 << (card.bit() & !1)
}

/// The cards on which a card may lie; for a king none that is in the pack.
pub(super) fn parents_of(card: Card) -> u64 {
    lane_of(card) << 4
}

/// The place of a card in its lane, 0 or 1.
fn side(card: Card) -> u64 {
    u64::from(card.bit() & 1)
}

impl Node {
    /// A position of which all cards are known and which was checked.
    pub(super) fn of(rules: &Rules, position: &Position) -> (Layout, Node) {
        let (layout, mut state) = Layout::new(rules, position);
        state.offset = position.waste.len() as u8;
        let mut node = Node { state, on: 0 };
        for column in &position.columns {
            for pair in column.up.windows(2) {
                let twins = node.attached(&layout) & lane_of(pair[1]);
                let parents = state.visible & parents_of(pair[1]);
                // Of two cards the lower one says it for both.
                let says = twins.count_ones() == 1 || side(pair[1]) == 0;
                if parents.count_ones() == 2 && says {
                    node.on |= (side(pair[0]) + 1) << (pair[1].bit() & !1);
                }
            }
        }
        (layout, node)
    }

    /// The face-up cards that lie on others.
    #[inline]
    pub(super) fn attached(&self, layout: &Layout) -> u64 {
        self.state.visible & !self.state.locked & !layout.kings
    }

    /// The cards of which one is known to lie on a face-up card: none if the card is free or can be
    /// taken to be so, two if it is either of them.
    #[inline]
    pub(super) fn on(&self, layout: &Layout, card: Card) -> u64 {
        if card.rank() == 1 {
            return 0;
        }
        let lane = (card.bit() & !1) - 4;
        let children = self.attached(layout) & 3 << lane;
        if children == 0 {
            return 0;
        }
        if (self.state.visible & lane_of(card)).count_ones() == 1 {
            return children;
        }
        let (code, side) = (self.on >> lane & 3, side(card));
        match (children.count_ones(), code) {
            (1, 0) => 0,
            (1, code) => {
                if code == side + 1 {
                    children
                } else {
                    0
                }
            }
            (_, 0) => children,
            // The lower child on the side that the code says, the other one on the other.
            (_, code) => children & if code == side + 1 { LOW } else { !LOW },
        }
    }

    /// Sets how the cards on a lane are shared out, by the low bit of the lane that lies on it.
    #[inline]
    fn set(&mut self, lane: u32, code: u64) {
        self.on = self.on & !(3 << lane) | code << lane;
    }

    /// Before a card comes into sight as a parent: what lies on its twin lies there.
    #[inline]
    fn appear(&mut self, layout: &Layout, card: Card) {
        if card.rank() == 1 {
            return;
        }
        let lane = (card.bit() & !1) - 4;
        let on_twin = self.attached(layout) & 3 << lane != 0;
        self.set(lane, if on_twin { 2 - side(card) } else { 0 });
    }

    /// A card that is in sight is laid on another one, if it is no king.
    #[inline]
    fn attach(&mut self, layout: &Layout, card: Card) {
        if card.mask() & layout.kings != 0 {
            return;
        }
        let lane = card.bit() & !1;
        let other = self.attached(layout) & lane_of(card) & !card.mask();
        let code = self.on >> lane & 3;
        if other == 0 || code == 0 {
            self.set(lane, 0);
        } else if side(card) == 0 {
            // The other one, the higher, keeps its place.
            self.set(lane, 3 - code);
        }
    }

    /// Unlocks a card that leaves its column, and brings the card below it into sight.
    #[inline]
    fn unlock(&mut self, layout: &Layout, card: Card) {
        let column = usize::from(layout.place_of[card.bit() as usize]);
        let left = usize::from(self.state.counts[column]);
        if left > 1 {
            self.appear(layout, Card::at(layout.pile[column][left - 2].into()));
        }
        layout.unlock(&mut self.state, card);
    }

    /// A card of a column goes home. What is known to lie on it was moved to its twin before.
    #[inline]
    pub(super) fn send_home(&mut self, layout: &Layout, card: Card) {
        let lane = card.bit() & !1;
        if card.rank() > 1 {
            self.set(lane - 4, 0);
        }
        if self.state.locked & card.mask() != 0 {
            self.unlock(layout, card);
        } else {
            let twin = self.attached(layout) & lane_of(card) & !card.mask();
            let code = self.on >> lane & 3;
            // The twin stays where it is.
            let stays = if code == 0 || side(card) == 1 { code } else { 3 - code };
            self.set(lane, if twin == 0 { 0 } else { stays });
        }
        self.state.visible &= !card.mask();
        self.state.home[card.suit_index()] += 1;
    }

    /// The lowest face-up card of a column goes to another column, with all that lies on it.
    #[inline]
    pub(super) fn move_column(&mut self, layout: &Layout, card: Card) {
        // It lies on a card that was in sight before, not on the one that comes into sight.
        self.state.locked &= !card.mask();
        self.attach(layout, card);
        self.unlock(layout, card);
    }

    /// A card comes to a column from waste or stock.
    #[inline]
    pub(super) fn come(&mut self, layout: &Layout, card: Card) {
        self.appear(layout, card);
        self.state.visible |= card.mask();
        self.attach(layout, card);
    }

    /// The top card of a foundation comes back to a column.
    #[inline]
    pub(super) fn take_back(&mut self, layout: &Layout, card: Card) {
        self.state.home[card.suit_index()] -= 1;
        self.come(layout, card);
    }

    /// Takes a card out of waste and stock, leaving so many cards in the waste.
    #[inline]
    pub(super) fn take(&mut self, slot: u32, before: u8) {
        self.state.stock &= !(1 << slot);
        self.state.offset = before;
    }

    /// How many cards of the stock were not turned yet.
    #[inline]
    pub(super) fn unturned(&self) -> u32 {
        self.state.stock.count_ones() - u32::from(self.state.offset)
    }

    /// Lanes, by their low bits, of which it matters how they are shared out.
    fn coded(&self, layout: &Layout) -> u64 {
        let children = self.attached(layout);
        let visible = self.state.visible;
        (children | children >> 1) & (visible & visible >> 1) >> 4 & LOW
    }

    /// Whether it is the same position.
    pub(super) fn is(&self, layout: &Layout, other: &Node) -> bool {
        let lanes = self.coded(layout);
        self.state == other.state && (self.on ^ other.on) & (lanes | lanes << 1) == 0
    }

    /// Writes the position, the same bits for the same position.
    pub(super) fn pack(&self, layout: &Layout, bits: &mut BitWriter) {
        let key = layout.key(&self.state);
        bits.write(key as u32, 32);
        bits.write((key >> 32) as u32, 24);
        bits.write(self.state.offset.into(), 5);
        let mut lanes = self.coded(layout);
        while lanes != 0 {
            let lane = take(&mut lanes).bit();
            bits.write((self.on >> lane & 3) as u32, 2);
        }
    }

    /// A position from its bits.
    pub(super) fn unpack(layout: &Layout, bits: &mut BitReader<'_>) -> Node {
        let low = u64::from(bits.read(32));
        let key = u64::from(bits.read(24)) << 32 | low;
        let state = layout.state(key, bits.read(5) as u8);
        let mut node = Node { state, on: 0 };
        let mut lanes = node.coded(layout);
        while lanes != 0 {
            let lane = take(&mut lanes).bit();
            node.set(lane, u64::from(bits.read(2)));
        }
        node
    }
}
