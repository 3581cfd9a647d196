//! Klondike in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::super::Card;
use super::state::State;
use super::{Action, Kind, Klondike};

const CARDS: usize = 52;
const COLUMNS: usize = 7;
/// Cards in stock and waste at most.
const STOCK: i16 = 24;

// Where a card is. A locked card, the lowest face-up one of its column, has a place for each column.
const HOME: i16 = 1;
const OUT_OF_REACH: i16 = 2;
const WITHIN_REACH: i16 = 3;
const IN_A_RUN: i16 = 4;
const LOCKED: i16 = 5;

/// Cards come in the order of [`Card::number`].
impl Encoded for Klondike {
    fn layout(&self) -> Vec<Part> {
        vec![
            Part::new(
                CARDS,
                LOCKED + COLUMNS as i16 - 1,
                "by card, clubs, diamonds, hearts and spades, each from the ace, where it is: 0 face \
                 down, 1 home, 2 in the stock and out of reach, 3 in the stock and within reach, 4 in \
                 a run, from 5 on the lowest face-up card of a column",
            ),
            Part::new(
                CARDS,
                STOCK,
                "by card, its place among those left in the stock in the order of turning, from 1; 0 \
                 elsewhere",
            ),
            Part::new(COLUMNS, COLUMNS as i16 - 1, "by column, its face-down cards"),
            Part::new(1, STOCK, "cards of the stock that lie in the waste, as far as it matters"),
        ]
    }

    fn observe(&self, state: &State, _last: Option<Option<Card>>, out: &mut [i16]) {
        out.fill(0);
        let core = &state.core;
        for (suit, &count) in core.home.iter().enumerate() {
            for rank in 0..count {
                out[NUMBER[Card::of(rank, suit).bit() as usize]] = HOME;
            }
        }
        let mut runs = core.visible & !core.locked;
        while runs != 0 {
            out[NUMBER[runs.trailing_zeros() as usize]] = IN_A_RUN;
            runs &= runs - 1;
        }
        for (c, (pile, &count)) in state.layout.pile.iter().zip(&core.counts).enumerate() {
            if count > 0 {
                out[NUMBER[usize::from(pile[usize::from(count) - 1]) % CARDS]] = LOCKED + c as i16;
                out[2 * CARDS + c] = i16::from(count) - 1;
            }
        }
        let (mut left, mut place) = (core.stock, 1);
        while left != 0 {
            let bit = state.layout.stock[left.trailing_zeros() as usize];
            let number = NUMBER[usize::from(bit) % CARDS];
            out[number] = if state.reach >> bit & 1 != 0 { WITHIN_REACH } else { OUT_OF_REACH };
            out[CARDS + number] = place;
            place += 1;
            left &= left - 1;
        }
        out[2 * CARDS + COLUMNS] = i16::from(core.offset);
    }

    fn moves(&self) -> usize {
        5 * CARDS
    }

    fn numbering(&self) -> &'static str {
        "52 times the kind, and the card: 0 from a column home, 1 from the stock home, 2 from column to \
         column, 3 from the stock to a column, 4 from home to a column"
    }

    #[inline]
    fn number(&self, _state: &State, action: Action) -> usize {
        let kind = match action.kind {
            Kind::ColumnToFoundation => 0,
            Kind::StockToFoundation => 1,
            Kind::ColumnToColumn => 2,
            Kind::StockToColumn => 3,
            Kind::FoundationToColumn => 4,
        };
        kind * CARDS + NUMBER[action.card.bit() as usize]
    }
}

/// By bit, [`Card::number`].
const NUMBER: [usize; CARDS] = {
    // Red suits are 0 and 1 inside, black ones 2 and 3; the order is clubs, diamonds, hearts, spades.
    let place = [1, 2, 0, 3];
    let mut number = [0; CARDS];
    let mut bit = 0;
    while bit < CARDS {
        let (rank, suit) = (bit >> 2, bit & 3 ^ (bit >> 1 & 2));
        number[bit] = place[suit] * 13 + rank;
        bit += 1;
    }
    number
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_cards() {
        for card in Card::all() {
            assert_eq!(NUMBER[card.bit() as usize], usize::from(card.number()), "{card}");
        }
    }
}
