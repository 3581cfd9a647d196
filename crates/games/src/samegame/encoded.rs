//! SameGame in arrays, for programs that learn.

use patience_model::Encoded;

use super::board::{Board, Cell};
use super::rules::SameGame;
use super::word::Word;

/// The colour of every cell from 1, 0 where there is no tile: by column from the left, in it by row
/// from the bottom. A move is numbered by the cell that its group goes by.
impl<W: Word, const N: usize> Encoded for SameGame<W, N> {
    fn highest(&self) -> Vec<i16> {
        let (width, height) = self.size();
        vec![self.colours() as i16; width * height]
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

    fn number(&self, _board: &Board<W, N>, cell: Cell) -> usize {
        usize::from(cell.column) * self.size().1 + usize::from(cell.row)
    }
}
