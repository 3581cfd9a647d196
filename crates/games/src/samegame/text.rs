//! Boards as text and as files.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::SameGameError;
use super::grid::{Grid, LARGEST, MOST_COLOURS};

/// Rows from the top, one digit per tile and `.` where there is none; empty lines and lines that
/// begin with `#` are passed over.
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
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut row = Vec::new();
            for (column, character) in (1..).zip(line.chars()) {
                if column > width {
                    let message = format!("more than {width} columns");
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
                return Err(SameGameError::at(number, 1, format!("more than {height} rows")));
            }
            if let Some(width) = rows.first().map(|(_, first)| first.len())
                && width != row.len()
            {
                let cells = if row.len() == 1 { "cell" } else { "cells" };
                let message = format!("this row has {} {cells}, the first has {width}", row.len());
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

impl Grid {
    /// Reads the board in a file.
    ///
    /// # Errors
    /// If it cannot be read or is no board; the message names file, line and column.
    pub fn read(path: &Path) -> Result<Self, SameGameError> {
        let wrong = |message: String| SameGameError::File { path: path.to_path_buf(), message };
        let mut text = String::new();
        // No board needs more; a wrong file must not fill the memory.
        let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
        file.take(1 << 20).read_to_string(&mut text).map_err(|error| wrong(error.to_string()))?;
        text.parse().map_err(|error: SameGameError| wrong(error.to_string()))
    }

    /// Reads the boards of a folder, that is, its files `*.txt` in order of name.
    ///
    /// # Errors
    /// If a file or the folder cannot be read, a file is no board, or there is none.
    pub fn read_folder(folder: &Path) -> Result<Vec<(String, Self)>, SameGameError> {
        let wrong = |message: String| SameGameError::File { path: folder.to_path_buf(), message };
        let entries = std::fs::read_dir(folder).map_err(|error| wrong(error.to_string()))?;
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| wrong(error.to_string()))?.path();
            if path.extension().is_some_and(|extension| extension == "txt") && path.is_file() {
                paths.push(path);
            }
        }
        if paths.is_empty() {
            return Err(wrong("no file *.txt in this folder".to_string()));
        }
        paths.sort();
        let name = |path: &Path| {
            path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
        };
        paths.iter().map(|path| Ok((name(path), Grid::read(path)?))).collect()
    }
}
