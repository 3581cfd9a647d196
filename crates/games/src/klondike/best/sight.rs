//! What the player sees: the open cards, and which cards lie face down, but not where.

use patience_model::Rng;

use super::super::Card;
use super::super::game::State;
use super::super::solver::state::{Layout, State as Core};

/// Up to so many face-down cards their orders are gone through one by one instead of drawn.
const LISTED: usize = 4;

/// A position as the player sees it.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    /// The columns with nothing in the places of face-down cards.
    layout: Layout,
    /// The position; `locked` holds the face-down cards as well, which are known as a set.
    pub(super) core: Core,
    /// The places of face-down cards: column and height.
    places: Vec<(u8, u8)>,
    /// The face-down cards.
    unseen: Vec<u8>,
    /// The key of the streams from which deals are drawn.
    key: u64,
}

impl Sight {
    /// What is seen of a state; what it fixes face down is not looked at.
    pub(super) fn new(state: &State, rng: &mut Rng) -> Sight {
        let open = state.opened();
        let mut core = open.core;
        core.locked |= open.unseen;
        Sight::of(open.layout, core, rng.next_u64())
    }

    /// What is seen of a position: its deals put other cards wherever one lies face down.
    pub(super) fn of(layout: Layout, core: Core, key: u64) -> Sight {
        let down = core.locked & !core.visible;
        let heights = core.counts.iter().enumerate();
        let places = heights.flat_map(|(c, &n)| (1..n).map(move |height| (c as u8, height - 1)));
        let unseen = (0..52).filter(|bit| down >> bit & 1 != 0).collect();
        Sight { layout, core, places: places.collect(), unseen, key }
    }

    /// The columns with nothing known of the face-down cards.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many orders of the face-down cards are gone through, where they are few.
    pub(super) fn orders(&self) -> Option<u64> {
        (self.unseen.len() <= LISTED).then(|| (1..=self.unseen.len() as u64).product())
    }

    /// The deal of a number: a possible order of the face-down cards, laid out. Drawn with equal
    /// chances, or if they are few one order after the other.
    pub(super) fn deal(&self, number: u64) -> Layout {
        let mut cards = self.unseen.clone();
        if let Some(orders) = self.orders() {
            let mut rest = number % orders;
            for i in (1..cards.len()).rev() {
                cards.swap(i, (rest % (i as u64 + 1)) as usize);
                rest /= i as u64 + 1;
            }
        } else {
            Rng::numbered(self.key, number).shuffle(&mut cards);
        }
        let mut layout = self.layout;
        for (&(column, height), &card) in self.places.iter().zip(&cards) {
            layout.pile[usize::from(column)][usize::from(height)] = card;
            layout.place_of[usize::from(card)] = column;
        }
        layout
    }
}

/// How many cards lie face down.
#[inline]
pub(super) fn face_down(core: &Core) -> u32 {
    (core.locked & !core.visible).count_ones()
}

/// The card that turns up when a locked card leaves its column, if one does.
#[inline]
pub(super) fn below(layout: &Layout, core: &Core, card: Card) -> Option<u8> {
    let column = usize::from(layout.place_of[card.bit() as usize]);
    let count = usize::from(core.counts[column]);
    (count >= 2).then(|| layout.pile[column][count - 2])
}
