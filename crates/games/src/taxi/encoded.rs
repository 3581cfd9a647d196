//! The taxi in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{ALL, Action, State, Taxi};

impl Encoded for Taxi {
    fn layout(&self) -> Vec<Part> {
        vec![
            Part::new(1, 4, "the taxi's row, from the top"),
            Part::new(1, 4, "the taxi's column, from the left"),
            Part::new(1, 4, "the passenger: 0 red, 1 green, 2 yellow, 3 blue, 4 in the taxi"),
            Part::new(1, 3, "where the passenger wants to go"),
        ]
    }

    fn observe(&self, state: &State, _last: Option<()>, out: &mut [i16]) {
        let State { row, column, passenger, destination, .. } = *state;
        out.copy_from_slice(&[row, column, passenger, destination].map(i16::from));
    }

    fn moves(&self) -> usize {
        ALL.len()
    }

    fn numbering(&self) -> &'static str {
        "0 south, 1 north, 2 east, 3 west, 4 pick up, 5 put down"
    }

    fn number(&self, _state: &State, action: Action) -> usize {
        action as usize
    }
}
