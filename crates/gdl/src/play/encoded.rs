//! Grounded games in arrays, for programs that learn.

use patience_model::Encoded;

use super::{GdlGame, GdlState, Move, Percepts};
use crate::network::{Network, Position};

/// The bits of an observation: one for each percept, or a fingerprint where there are more.
const PERCEPTS: usize = 128;

/// Where all moves are seen, a bit for every fact that may hold, in the order of [`Network::bases`];
/// else what the role saw of the last move, a bit for every percept. A move is numbered as in
/// [`Network::moves`].
impl Encoded for GdlGame<Network> {
    fn highest(&self) -> Vec<i16> {
        let bits = if self.sees_all() { self.network().bases().len() } else { PERCEPTS };
        vec![1; bits]
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

    fn number(&self, _state: &GdlState<Position>, Move(number): Move) -> usize {
        number as usize
    }
}
