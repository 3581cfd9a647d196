//! Boards as text.

use std::str::FromStr;

use super::SameGameError;
use super::grid::{Grid, LARGEST, MOST_COLOURS};
use crate::words::counted;

/// Rows from the top, one digit per tile and `.` where there is none; empty lines, lines that begin
/// with `#`, indented or not, and a byte order mark at the start are passed over.
///
/// ```
/// use patience_games::samegame::Grid;
/// let grid: Grid = "01.\n110".parse()?;
/// assert_eq!(grid.to_string(), "01.\n110");
/// let error = "01\n1".parse::<Grid>().unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 2: this row has 1 cell, the first has 2");
/// # Ok::<(), patience_games::samegame::SameGameError>(())
/// ```
impl FromStr for Grid {
    type Err = SameGameError;

    fn from_str(text: &str) -> Result<Self, SameGameError> {
        Grid::within(text, LARGEST, LARGEST, MOST_COLOURS)
    }
}

impl Grid {
    /// Reads a board of at most so many columns and rows, and of the first so many colours.
    ///
    /// # Errors
    /// Names the line and the column of what is wrong.
    pub fn within(
        text: &str,
        width: usize,
        height: usize,
        colours: usize,
    ) -> Result<Self, SameGameError> {
        // Of each row its line in the text and its cells from the left.
        let mut rows: Vec<(usize, Vec<Option<u8>>)> = Vec::new();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim_end();
            if line.is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            let mut row = Vec::new();
            for (column, character) in (1..).zip(line.chars()) {
                if column > width {
                    let message = format!("more than {}", counted(width, "column"));
                    return Err(SameGameError::at(number, column, message));
                }
                row.push(match character {
                    '.' => None,
                    '0'..='9' if (character as usize - '0' as usize) < colours => {
                        Some(character as u8 - b'0')
                    }
                    '0'..='9' => {
                        let last = colours - 1;
                        let message = format!(
                            "`{character}`, expected 0 to {last}: there are {colours} colours"
                        );
                        return Err(SameGameError::at(number, column, message));
                    }
                    _ => {
                        let message =
                            format!("`{}`, expected a digit or `.`", character.escape_debug());
                        return Err(SameGameError::at(number, column, message));
                    }
                });
            }
            if rows.len() == height {
                return Err(SameGameError::at(
                    number,
                    1,
                    format!("more than {}", counted(height, "row")),
                ));
            }
            if let Some(width) = rows.first().map(|(_, first)| first.len())
                && width != row.len()
            {
                let cells = counted(row.len(), "cell");
                let message = format!("this row has {cells}, the first has {width}");
                return Err(SameGameError::at(number, row.len().min(width) + 1, message));
            }
            rows.push((number, row));
        }
        let Some((_, first)) = rows.first() else {
            return Err(SameGameError::at(1, 1, "no board"));
        };
        columns(&rows, first.len()).and_then(Grid::new).map(|grid| grid.shown_with(rows.len()))
    }
}

/// Turns rows from the top into columns from the bottom, and checks that nothing hangs in the air.
fn columns(rows: &[(usize, Vec<Option<u8>>)], width: usize) -> Result<Vec<Vec<u8>>, SameGameError> {
    let mut columns: Vec<Vec<u8>> = Vec::new();
    for place in 0..width {
        let mut column = Vec::new();
        for (above_bottom, (line, row)) in rows.iter().rev().enumerate() {
            let Some(colour) = row[place] else { continue };
            if column.len() < above_bottom {
                return Err(SameGameError::at(*line, place + 1, "nothing is below this tile"));
            }
            if place > columns.len() {
                return Err(SameGameError::at(*line, place + 1, "an empty column is left of it"));
            }
            column.push(colour);
        }
        if !column.is_empty() {
            columns.push(column);
        }
    }
    Ok(columns)
}
