//! Game of Life in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{GameOfLife, Set, State};

impl Encoded for GameOfLife {
    fn layout(&self) -> Vec<Part> {
        vec![
            Part::new(
                usize::from(self.cells()),
                1,
                "by cell, in rows from the top left: 1 if it lives",
            ),
            Part::new(1, self.horizon.into(), "moves left"),
        ]
    }

    fn observe(&self, state: &State, _last: Option<u16>, out: &mut [i16]) {
        for (cell, out) in out.iter_mut().enumerate().take(self.cells().into()) {
            *out = (state.alive >> cell & 1) as i16;
        }
        out[usize::from(self.cells())] = state.left.into();
    }

    fn moves(&self) -> usize {
        1 + usize::from(self.cells())
    }

    fn numbering(&self) -> &'static str {
        "0 wait, from 1 on the cell that is brought to life"
    }

    fn number(&self, _state: &State, set: Set) -> usize {
        set.map_or(0, |cell| 1 + usize::from(cell))
    }
}
