//! The plain board: what is read and written, and the slow and obvious engine.
//!
//! It is the twin of the fast board in the tests, and the validator of every solution: it shares
//! no code with the fast engine.

use std::fmt;

use patience_model::Rng;

use super::{Cell, SameGameError};

/// The largest number of columns and of rows.
pub const LARGEST: usize = 32;
/// The largest number of colours.
pub const MOST_COLOURS: usize = 10;

/// A board as columns from the left, each from the bottom up, of colours from 0 on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    columns: Vec<Vec<u8>>,
    /// Rows that it is shown with.
    height: usize,
}

impl Grid {
    /// A board from its columns, each from the bottom up. Empty columns are closed.
    ///
    /// # Errors
    /// If it is larger, or has more colours, than [`LARGEST`] and [`MOST_COLOURS`] allow.
    pub fn new(columns: Vec<Vec<u8>>) -> Result<Self, SameGameError> {
        let height = columns.iter().map(Vec::len).max().unwrap_or(0);
        for (what, size) in [("columns", columns.len()), ("rows", height)] {
            if size > LARGEST {
                return Err(SameGameError::Size { what, given: size, most: LARGEST });
            }
        }
        if let Some(&colour) = columns.iter().flatten().find(|&&c| usize::from(c) >= MOST_COLOURS) {
            return Err(SameGameError::Colours { given: usize::from(colour) + 1 });
        }
        let mut grid = Grid { columns, height };
        grid.columns.retain(|column| !column.is_empty());
        Ok(grid)
    }

    /// A full board with each tile drawn alike from `colours`, top row first, from the left.
    ///
    /// # Errors
    /// If the size or the number of colours is out of range.
    pub fn random(
        width: usize,
        height: usize,
        colours: usize,
        rng: &mut Rng,
    ) -> Result<Self, SameGameError> {
        for (what, size) in [("columns", width), ("rows", height)] {
            if !(1..=LARGEST).contains(&size) {
                return Err(SameGameError::Size { what, given: size, most: LARGEST });
            }
        }
        if !(2..=MOST_COLOURS).contains(&colours) {
            return Err(SameGameError::Colours { given: colours });
        }
        let mut columns = vec![vec![0; height]; width];
        for row in (0..height).rev() {
            for column in &mut columns {
                column[row] = rng.below(colours as u64) as u8;
            }
        }
        Ok(Grid { columns, height })
    }

    /// The board of a seed: [`Grid::random`] from the stream that the seed and the name
    /// `samegame` give.
    ///
    /// # Errors
    /// If the size or the number of colours is out of range.
    pub fn seeded(
        width: usize,
        height: usize,
        colours: usize,
        seed: u64,
    ) -> Result<Self, SameGameError> {
        Grid::random(width, height, colours, &mut Rng::named(seed, &["samegame"]))
    }

    /// The columns that have tiles, from the left, each from the bottom up.
    pub fn columns(&self) -> &[Vec<u8>] {
        &self.columns
    }

    /// Rows that it is shown with: those of the board at the start.
    pub fn height(&self) -> usize {
        self.height
    }

    pub(super) fn shown_with(mut self, height: usize) -> Self {
        self.height = height.max(self.height);
        self
    }

    /// The colour at a cell.
    pub fn colour(&self, cell: Cell) -> Option<u8> {
        self.columns.get(usize::from(cell.column))?.get(usize::from(cell.row)).copied()
    }

    /// How many tiles there are of each colour.
    pub fn counts(&self) -> [u32; MOST_COLOURS] {
        let mut counts = [0; MOST_COLOURS];
        for &colour in self.columns.iter().flatten() {
            counts[usize::from(colour)] += 1;
        }
        counts
    }

    /// The group at a cell, in order of column and row; empty if there is no tile.
    pub fn group(&self, cell: Cell) -> Vec<Cell> {
        let Some(colour) = self.colour(cell) else { return Vec::new() };
        let mut group = vec![cell];
        let mut next = 0;
        while let Some(&Cell { column, row }) = group.get(next) {
            next += 1;
            let neighbours = [
                (Some(column), row.checked_sub(1)),
                (Some(column), row.checked_add(1)),
                (column.checked_sub(1), Some(row)),
                (column.checked_add(1), Some(row)),
            ];
            for neighbour in neighbours {
                let (Some(column), Some(row)) = neighbour else { continue };
                let cell = Cell { column, row };
                if self.colour(cell) == Some(colour) && !group.contains(&cell) {
                    group.push(cell);
                }
            }
        }
        group.sort_unstable();
        group
    }

    /// The groups of two or more, each by its lowest cell in its leftmost column.
    pub fn moves(&self) -> Vec<Cell> {
        let mut moves = Vec::new();
        for (column, tiles) in (0..).zip(&self.columns) {
            for row in 0..tiles.len() as u8 {
                let group = self.group(Cell { column, row });
                if group.len() >= 2 && group[0] == (Cell { column, row }) {
                    moves.push(group[0]);
                }
            }
        }
        moves
    }

    /// Removes the group at a cell and gives its size; if it is no group of two or more, gives
    /// `None` and leaves the board as it is.
    pub fn play(&mut self, cell: Cell) -> Option<usize> {
        let group = self.group(cell);
        if group.len() < 2 {
            return None;
        }
        for cell in group.iter().rev() {
            self.columns[usize::from(cell.column)].remove(usize::from(cell.row));
        }
        self.columns.retain(|column| !column.is_empty());
        Some(group.len())
    }
}

/// Rows from the top, a digit per tile, `.` where there is none; an empty board is a column of them, so
/// that it can be read.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.height).rev() {
            if self.columns.is_empty() {
                f.write_str(".")?;
            }
            for column in &self.columns {
                match column.get(row) {
                    Some(colour) => write!(f, "{colour}")?,
                    None => f.write_str(".")?,
                }
            }
            if row > 0 {
                f.write_str("\n")?;
            }
        }
        Ok(())
    }
}
