//! Safe moves home: moves that some shortest solution begins with.

use super::{BASE, CELLS, FreeCell, HOMES, Move, NONE, State, bits};
use crate::freecell::{Build, Card};

impl FreeCell {
    /// A move home that costs nothing: some shortest solution of the state begins with it.
    ///
    /// A card is useful in the columns only as a place for another card. It may go home if every
    /// card that could be placed on it is home, or can go home itself by the same rule as soon as
    /// it is uncovered: wherever a solution places such a card on it, that card can go home
    /// instead, and its later moves are saved. Building by suit, this always holds. Building by
    /// rank, it holds if all other suits are home up to two ranks lower; by alternating colour, if
    /// both suits of the other colour are home up to two ranks lower and the other suit of its own
    /// colour up to three.
    #[inline]
    pub fn safe_home_move(&self, state: &State) -> Option<Move> {
        for (from, &top) in state.tops[..usize::from(self.rules.columns)].iter().enumerate() {
            if top != NONE && state.goes_home(top) && self.is_safe(state, top) {
                return Some(Move { card: top, count: 1, from: from as u8, to: HOMES });
            }
        }
        bits(state.cells)
            .map(|card| card as u8)
            .find(|&card| state.goes_home(card) && self.is_safe(state, card))
            .map(|card| Move { card, count: 1, from: CELLS, to: HOMES })
    }

    /// Whether this card can go home now and that costs nothing.
    pub(crate) fn is_safe_home(&self, state: &State, card: Card) -> bool {
        let card = (card.rank() - 1) * 4 + card.suit();
        state.goes_home(card) && self.is_safe(state, card)
    }

    /// Whether a move from a column uncovers a card that can safely go home; the state itself must
    /// have no safe move.
    #[inline]
    pub(crate) fn frees_safe_card(&self, state: &State, m: Move) -> bool {
        let below = state.below[usize::from(m.card)];
        below < BASE && state.goes_home(below) && self.is_safe(state, below)
    }

    #[inline]
    fn is_safe(&self, state: &State, card: u8) -> bool {
        let (rank, suit) = (card / 4 + 1, card % 4);
        let home = |suit: u8, up_to: u8| state.home[usize::from(suit)] >= up_to;
        match self.rules.build {
            Build::Suit => true,
            Build::Rank => (0..4).all(|s| s == suit || home(s, rank.saturating_sub(2))),
            // Suits 0 and 3 are black, 1 and 2 red: s and 3 − s share a colour.
            Build::AlternatingColour => {
                home(suit ^ 1, rank.saturating_sub(2))
                    && home(suit ^ 2, rank.saturating_sub(2))
                    && home(3 - suit, rank.saturating_sub(3))
            }
        }
    }
}
