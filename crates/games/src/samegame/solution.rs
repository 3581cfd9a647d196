//! Solutions as text, and the validator.

use std::fmt;

use super::grid::{Grid, LARGEST};
use super::{Cell, SameGameError, Scoring};

/// Columns by letter: `a` to `z`, then `A` to `F`.
const LETTERS: &[u8; LARGEST] = b"abcdefghijklmnopqrstuvwxyzABCDEF";

/// A letter for the column from the left and a number for the row from the bottom: `c4`.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = LETTERS.get(usize::from(self.column)).map_or('?', |&l| char::from(l));
        write!(f, "{letter}{}", u16::from(self.row) + 1)
    }
}

/// A solution as text: its cells, with a space between.
pub fn solution_text(moves: &[Cell]) -> String {
    moves.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

/// What a solution comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// The score, with what is paid or charged at the end if the game is over.
    pub score: f64,
    /// Whether nothing is left on the board.
    pub cleared: bool,
    /// Whether no move is left.
    pub over: bool,
    /// The moves.
    pub moves: Vec<Cell>,
    /// The board at the end.
    pub left: Grid,
}

/// Replays a solution on the plain board: any tile of a group stands for the group.
///
/// ```
/// use patience_games::samegame::{Grid, Scoring, verify};
/// let grid: Grid = "00\n11".parse()?;
/// let verified = verify(&grid, Scoring::STANDARD, "a1 a1")?;
/// assert_eq!((verified.score, verified.cleared), (1000.0, true));
/// let error = verify(&grid, Scoring::STANDARD, "a1\na2").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 1: step 2: there is no tile at a2");
/// # Ok::<(), patience_games::samegame::SameGameError>(())
/// ```
///
/// # Errors
/// If the text is no solution ([`SameGameError::Text`]) or a step is illegal
/// ([`SameGameError::Step`]); the message names line, column and step.
pub fn verify(grid: &Grid, scoring: Scoring, solution: &str) -> Result<Verified, SameGameError> {
    let mut left = grid.clone();
    let (mut moves, mut score) = (Vec::new(), 0.0);
    for (number, line) in (1..).zip(solution.lines()) {
        for (column, word) in words(line) {
            let step = moves.len() + 1;
            let cell = read_cell(word).map_err(|message| {
                SameGameError::at(number, column, format!("step {step}: {message}"))
            })?;
            let Some(size) = left.play(cell) else {
                let message = refusal(&left, cell);
                return Err(SameGameError::Step { line: number, column, step, message });
            };
            score += scoring.group(size as u32);
            moves.push(cell);
        }
    }
    let over = left.moves().is_empty();
    if over && !moves.is_empty() {
        score += scoring.end(&left.counts());
    }
    let cleared = left.columns().is_empty();
    Ok(Verified { score, cleared, over, moves, left })
}

/// Why there is no group to remove at a cell.
pub(super) fn refusal(grid: &Grid, cell: Cell) -> String {
    match grid.colour(cell) {
        Some(_) => format!("the tile at {cell} has no neighbour of its colour"),
        None => format!("there is no tile at {cell}"),
    }
}

/// The words of a line, each with its column in characters from 1.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(move |word| {
        // A word is a slice of its line, so its place is the distance between the two.
        let bytes = word.as_ptr() as usize - line.as_ptr() as usize;
        (line[..bytes].chars().count() + 1, word)
    })
}

/// A cell in letters and digits, or why it is none.
pub(super) fn read_cell(word: &str) -> Result<Cell, String> {
    let wrong = || format!("`{}`, expected a cell such as c4", word.escape_debug());
    cell(word).ok_or_else(wrong)
}

fn cell(word: &str) -> Option<Cell> {
    let letter = word.bytes().next()?;
    let column = LETTERS.iter().position(|&l| l == letter)?;
    let digits = word.get(1..).filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?;
    let row = digits.parse::<usize>().ok().filter(|row| (1..=LARGEST).contains(row))?;
    Some(Cell { column: column as u8, row: (row - 1) as u8 })
}
