//! FreeCell and its relatives in arrays, for programs that learn.

use patience_model::Encoded;

use super::{CELLS, FreeCell, HOMES, Move, NONE, State};

/// Where a card, and the run on it, can go: onto one of four cards, into an empty column, into a
/// cell, home.
const TARGETS: usize = 7;

/// By card what lies beneath it, as [`State::below_codes`] has it. Moves are numbered by the
/// deepest card that moves and by where it goes: onto the card of one of the four suits, 4 into an
/// empty column, 5 into a cell, 6 home.
impl Encoded for FreeCell {
    fn highest(&self) -> Vec<i16> {
        vec![54; 52]
    }

    fn observe(&self, state: &State, _last: Option<()>, out: &mut [i16]) {
        for (out, below) in out.iter_mut().zip(state.below_codes()) {
            *out = i16::from(below);
        }
    }

    fn moves(&self) -> usize {
        52 * TARGETS
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
