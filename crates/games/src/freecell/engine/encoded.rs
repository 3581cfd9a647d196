//! FreeCell and its relatives in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{CELLS, FreeCell, HOMES, Move, NONE, State};

/// Where a card, and the run on it, can go: onto one of four cards, into an empty column, into a
/// cell, home.
const TARGETS: usize = 7;

/// See [`State::below_codes`].
const BELOW: &str = "by card, in fours from the aces, clubs, diamonds, hearts and spades, what lies \
    beneath it: a card, counted alike, 52 the bottom of a column, 53 a cell, 54 home or not in the game";

impl Encoded for FreeCell {
    fn layout(&self) -> Vec<Part> {
        vec![Part::new(52, 54, BELOW)]
    }

    fn observe(&self, state: &State, _last: Option<()>, out: &mut [i16]) {
        for (out, below) in out.iter_mut().zip(state.below_codes()) {
            *out = i16::from(below);
        }
    }

    fn moves(&self) -> usize {
        52 * TARGETS
    }

    fn numbering(&self) -> &'static str {
        "7 times the deepest card that moves, and where it goes: 0 to 3 onto a card of that suit, 4 into \
         an empty column, 5 into a cell, 6 home"
    }

    fn number(&self, state: &State, action: Move) -> usize {
        let target = match action.to {
            HOMES => 6,
            CELLS => 5,
            column => match state.tops[usize::from(column)] {
                NONE => 4,
                top => usize::from(top & 3),
            },
        };
        usize::from(action.card) * TARGETS + target
    }
}
