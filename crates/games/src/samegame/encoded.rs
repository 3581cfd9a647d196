//! SameGame in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::board::{Board, Cell};
use super::rules::SameGame;
use super::word::Word;

impl<W: Word, const N: usize> Encoded for SameGame<W, N> {
    fn layout(&self) -> Vec<Part> {
        let (width, height) = self.size();
        let meaning = "by cell, columns from the left and in each from the bottom: its colour from 1, \
                       0 where there is no tile";
        vec![Part::new(width * height, self.colours() as i16, meaning)]
    }

    fn observe(&self, board: &Board<W, N>, _last: Option<()>, out: &mut [i16]) {
        let (_, height) = self.size();
        for (column, cells) in out.chunks_mut(height).enumerate() {
            for (row, out) in cells.iter_mut().enumerate() {
                *out = i16::from(board.colour(Cell { column: column as u8, row: row as u8 }));
            }
        }
    }

    fn moves(&self) -> usize {
        let (width, height) = self.size();
        width * height
    }

    fn numbering(&self) -> &'static str {
        "the cell that the group goes by, counted as in observations"
    }

    fn number(&self, _board: &Board<W, N>, cell: Cell) -> usize {
        usize::from(cell.column) * self.size().1 + usize::from(cell.row)
    }
}
