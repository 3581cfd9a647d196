//! The tiger in arrays, for programs that learn.

use patience_model::{Encoded, Hidden, Part};

use super::{Action, Door, Heard, Known, State, Tiger};

impl Encoded for Tiger {
    fn layout(&self) -> Vec<Part> {
        vec![
            Part::new(1, self.horizon() as i16, "how often the tiger was heard on the left"),
            Part::new(1, self.horizon() as i16, "how often it was heard on the right"),
            Part::new(1, 2, "the door that was opened: 0 none, 1 left, 2 right"),
        ]
    }

    fn observe(&self, state: &State, _last: Option<Heard>, out: &mut [i16]) {
        let Known { heard_left, heard_right, opened } = self.known(state);
        let opened = opened.map_or(0, |door| 1 + door as i16);
        out.copy_from_slice(&[heard_left as i16, heard_right as i16, opened]);
    }

    fn moves(&self) -> usize {
        3
    }

    fn numbering(&self) -> &'static str {
        "0 listen, 1 open left, 2 open right"
    }

    fn number(&self, _state: &State, action: Action) -> usize {
        match action {
            Action::Listen => 0,
            Action::Open(Door::Left) => 1,
            Action::Open(Door::Right) => 2,
        }
    }
}
