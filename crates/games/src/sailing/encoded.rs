//! The lake in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::rules::{Sailing, State};
use super::wind::{Direction, Tack};

impl Encoded for Sailing {
    fn layout(&self) -> Vec<Part> {
        let last = self.size() as i16 - 1;
        vec![
            Part::new(1, last, "way points from the west shore"),
            Part::new(1, last, "way points from the south shore"),
            Part::new(1, Direction::ALL.len() as i16 - 1, "the wind, clockwise from north"),
            Part::new(1, Tack::ALL.len() as i16 - 1, "the tack"),
        ]
    }

    fn observe(&self, state: &State, _last: Option<Direction>, out: &mut [i16]) {
        let (x, y) = state.position();
        let seen = [x as i16, y as i16, state.wind() as i16, state.tack() as i16];
        out.copy_from_slice(&seen);
    }

    fn moves(&self) -> usize {
        Direction::ALL.len()
    }

    fn numbering(&self) -> &'static str {
        "the direction, clockwise from north"
    }

    fn number(&self, _state: &State, heading: Direction) -> usize {
        heading as usize
    }
}
