//! Tag in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{Action, CELLS, Seen, State, Tag};

impl Encoded for Tag {
    fn layout(&self) -> Vec<Part> {
        vec![
            Part::new(1, CELLS as i16 - 1, "the robot's cell, in rows from the south-west"),
            Part::new(
                CELLS,
                1000,
                "by cell: how likely the opponent is there after all that was seen, in thousandths",
            ),
        ]
    }

    fn observe(&self, state: &State, _last: Option<Seen>, out: &mut [i16]) {
        out[0] = i16::from(state.known.robot);
        for (cell, out) in out[1..].iter_mut().enumerate() {
            *out = (1000.0 * state.known.chance(cell)).round().min(1000.0) as i16;
        }
    }

    fn moves(&self) -> usize {
        5
    }

    fn numbering(&self) -> &'static str {
        "0 north, 1 east, 2 south, 3 west, 4 tag"
    }

    fn number(&self, _state: &State, action: Action) -> usize {
        action as usize
    }
}
