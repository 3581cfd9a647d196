//! The board in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{Board, Slide, Tile, Twenty48};

impl Encoded for Twenty48 {
    fn layout(&self) -> Vec<Part> {
        let what = "by square, in rows from the top left: the power of 2 that its tile is, 0 empty";
        vec![Part::new(self.squares(), self.highest_tile().into(), what)]
    }

    fn observe(&self, board: &Board, _last: Option<Tile>, out: &mut [i16]) {
        for (seen, &tile) in out.iter_mut().zip(&board.0) {
            *seen = tile.into();
        }
    }

    fn moves(&self) -> usize {
        4
    }

    fn numbering(&self) -> &'static str {
        "0 left, 1 right, 2 up, 3 down"
    }

    fn number(&self, _board: &Board, slide: Slide) -> usize {
        slide as usize
    }
}
