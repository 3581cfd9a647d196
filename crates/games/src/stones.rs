//! Boards of two players' stones, from text.

/// What is said of a position to which no game leads, because it was over before.
pub(crate) const ENDED: &str = "the game was over before the last stone came";

/// The cells of a board, row by row from the top: 0 for the first player's stone, an `x`, and 1 for the second
/// player's, an `o`; a dot is an empty cell.
///
/// # Errors
/// If there are not so many rows of so many cells, or another letter stands there.
pub(crate) fn cells(text: &str, rows: usize, columns: usize) -> Result<Vec<Option<usize>>, String> {
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines().map(str::trim)).collect();
    let lines: Vec<_> = lines.into_iter().filter(|(_, line)| !line.is_empty()).collect();
    if lines.len() != rows {
        return Err(format!("expected {rows} rows of {columns} cells, got {}", lines.len()));
    }
    let mut cells = Vec::new();
    for (number, line) in lines {
        let count = line.chars().count();
        if count != columns {
            return Err(format!("line {number}: {count} cells, expected {columns}"));
        }
        for letter in line.chars() {
            cells.push(match letter {
                '.' => None,
                'x' => Some(0),
                'o' => Some(1),
                _ => return Err(format!("line {number}: {letter:?}, expected `x`, `o` or `.`")),
            });
        }
    }
    Ok(cells)
}

/// Whose turn it is after so many stones of each: 0 for the first player, 1 for the second.
///
/// # Errors
/// If they did not move in turn.
pub(crate) fn turn([first, second]: [u32; 2]) -> Result<u8, String> {
    match first.checked_sub(second) {
        Some(0) => Ok(0),
        Some(1) => Ok(1),
        _ => Err(format!("{first} x and {second} o: x begins, and they move in turn")),
    }
}
