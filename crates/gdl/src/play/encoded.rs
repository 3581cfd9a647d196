//! Grounded games in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{GdlGame, GdlState, Move, Percepts};
use crate::network::{Network, Position};

/// The bits of an observation: one for each percept, or a fingerprint where there are more.
const PERCEPTS: usize = 128;

/// Facts are in the order of [`Network::bases`], moves in that of [`Network::moves`].
impl Encoded for GdlGame<Network> {
    fn layout(&self) -> Vec<Part> {
        vec![match self.sees_all() {
            true => Part::new(self.network().bases().len(), 1, "by fact: 1 if it holds"),
            false => Part::new(PERCEPTS, 1, "by percept: 1 if the last move showed it"),
        }]
    }

    fn observe(&self, state: &GdlState<Position>, last: Option<Percepts>, out: &mut [i16]) {
        if self.sees_all() {
            let words = state.position.state(self.network());
            for (bit, out) in out.iter_mut().enumerate() {
                let word = words.get(bit / 64).copied().unwrap_or(0);
                *out = (word >> (bit % 64) & 1) as i16;
            }
        } else {
            let seen = last.map_or(0, |Percepts(bits)| bits);
            for (bit, out) in out.iter_mut().enumerate() {
                *out = (seen >> bit & 1) as i16;
            }
        }
    }

    fn moves(&self) -> usize {
        self.network().moves(self.role()).len()
    }

    fn numbering(&self) -> &'static str {
        "the moves of the role, in the order in which the rules give them"
    }

    fn number(&self, _state: &GdlState<Position>, Move(number): Move) -> usize {
        number as usize
    }
}
