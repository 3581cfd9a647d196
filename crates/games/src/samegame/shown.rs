//! SameGame as people see it.

use patience_model::{Label, Scene, Shown, Text};

use super::Rewards;
use super::board::{Board, Cell};
use super::rules::SameGame;
use super::solution::{read_cell, refusal};
use super::word::Word;

impl<W: Word, const N: usize> Text for SameGame<W, N> {
    fn state_text(&self, board: &Board<W, N>) -> String {
        self.grid(board).to_string()
    }

    fn action_text(&self, _board: &Board<W, N>, action: Cell) -> String {
        action.to_string()
    }

    /// Any tile of a group will do.
    fn read_action(&self, board: &Board<W, N>, text: &str) -> Result<Cell, String> {
        let (cell, grid) = (read_cell(text.trim())?, self.grid(board));
        match grid.group(cell)[..] {
            [first, _, ..] => Ok(first),
            _ => Err(refusal(&grid, cell)),
        }
    }
}

impl<W: Word, const N: usize> Shown for SameGame<W, N> {
    fn title(&self) -> String {
        match self.scoring().rewards {
            Rewards::SameGame => "SameGame",
            Rewards::BubbleBreaker => "Bubble Breaker",
            Rewards::Clickomania => "Clickomania",
        }
        .to_owned()
    }

    fn scene(&self, board: &Board<W, N>) -> Scene {
        let (width, height) = self.size();
        Scene::Tiles { width, height, columns: self.grid(board).columns().to_vec() }
    }

    fn label(&self, board: &Board<W, N>, cell: Cell) -> Label {
        let grid = self.grid(board);
        let (group, colour) = (grid.group(cell), grid.colour(cell).unwrap_or(0));
        let points = self.scoring().group(group.len() as u32);
        let label = format!("{} tiles of colour {colour} at {cell} for {points}", group.len());
        Label {
            count: group.len(),
            cells: group.iter().map(|cell| (cell.column, cell.row)).collect(),
            points: Some(points),
            ..Label::words(label)
        }
    }

    fn won(&self, board: &Board<W, N>) -> bool {
        board.width() == 0
    }
}
