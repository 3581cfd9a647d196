//! The lake in arrays, for programs that learn.

use patience_model::Encoded;

use super::rules::{Sailing, State};
use super::wind::{Direction, Tack};

/// Way points from the west and from the south shore, the wind (clockwise from north) and the tack. A
/// move is numbered by its direction.
impl Encoded for Sailing {
    fn highest(&self) -> Vec<i16> {
        let last = self.size() as i16 - 1;
        vec![last, last, Direction::ALL.len() as i16 - 1, Tack::ALL.len() as i16 - 1]
    }

    fn observe(&self, state: &State, _last: Option<Direction>, out: &mut [i16]) {
        let (x, y) = state.position();
        let seen = [x as i16, y as i16, state.wind() as i16, state.tack() as i16];
        out.copy_from_slice(&seen);
    }

    fn moves(&self) -> usize {
        Direction::ALL.len()
    }

    fn number(&self, _state: &State, heading: Direction) -> usize {
        heading as usize
    }
}
