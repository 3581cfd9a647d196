//! The frozen lake in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{ALL, Direction, FrozenLake};

impl Encoded for FrozenLake {
    fn layout(&self) -> Vec<Part> {
        let cells = i16::from(self.size()) * i16::from(self.size());
        vec![Part::new(1, cells - 1, "the cell, in rows from the top left")]
    }

    fn observe(&self, cell: &u8, _last: Option<u8>, out: &mut [i16]) {
        out[0] = i16::from(*cell);
    }

    fn moves(&self) -> usize {
        ALL.len()
    }

    fn numbering(&self) -> &'static str {
        "the direction: 0 left, 1 down, 2 right, 3 up"
    }

    fn number(&self, _cell: &u8, direction: Direction) -> usize {
        direction as usize
    }
}
