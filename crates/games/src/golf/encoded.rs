//! Golf in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{COLUMNS, DEPTH, Golf, Move, State};
use crate::cards::Card;

// Where a card is; from COLUMN on in a column.
const STOCK: i16 = 1;
const COLUMN: i16 = 2;

/// Of the stock only what is in it is told, not the order.
impl Encoded for Golf {
    fn layout(&self) -> Vec<Part> {
        vec![
            Part::new(
                52,
                COLUMN + (COLUMNS * DEPTH) as i16 - 1,
                "by card, in fours from the aces, clubs, diamonds, hearts and spades, where it is: 0 on \
                 the waste, 1 in the stock, from 2 on in a column: 2, five times the column, and its \
                 place there",
            ),
            Part::new(1, 51, "the last card on the waste"),
        ]
    }

    fn observe(&self, state: &State, _last: Option<Option<Card>>, out: &mut [i16]) {
        out.fill(0);
        for card in state.stock() {
            out[card.index()] = STOCK;
        }
        for column in 0..COLUMNS {
            for (place, card) in state.column(column).iter().enumerate() {
                out[card.index()] = COLUMN + (column * DEPTH + place) as i16;
            }
        }
        out[52] = state.waste.index() as i16;
    }

    fn moves(&self) -> usize {
        COLUMNS + 1
    }

    fn numbering(&self) -> &'static str {
        "the column whose last card goes onto the waste, 7 for a card of the stock"
    }

    fn number(&self, _state: &State, action: Move) -> usize {
        match action {
            Move::Column(column) => usize::from(column),
            Move::Turn => COLUMNS,
        }
    }
}
