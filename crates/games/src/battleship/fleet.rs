//! Where ships can lie: squares as bits, and all places of a ship.

use std::sync::LazyLock;

/// Squares of a side.
pub const SIDE: u8 = 10;
/// The ships by their squares.
pub const SHIPS: [u8; 4] = [5, 4, 3, 2];

pub(super) const SQUARES: u8 = SIDE * SIDE;

/// A set of squares.
pub(super) type Squares = u128;

/// Whether a square is in a set.
pub(super) fn has(squares: Squares, square: u8) -> bool {
    squares >> square & 1 == 1
}

/// A ship in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The squares that it covers.
    pub(super) ship: Squares,
    /// These and all that touch them: no other ship lies there.
    pub(super) room: Squares,
}

/// All places of the ships, by ship.
pub(super) static PLACES: LazyLock<[Vec<Place>; 4]> = LazyLock::new(|| SHIPS.map(places));

fn places(length: u8) -> Vec<Place> {
    let mut all = Vec::new();
    for (row, column) in (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column))) {
        for (down, right) in [(0, 1), (1, 0)] {
            let at = |n: u8| (row + n * down, column + n * right);
            let (last_row, last_column) = at(length - 1);
            if last_row < SIDE && last_column < SIDE {
                let squares = (0..length).map(at);
                let ship = squares.fold(0, |set, (row, column)| set | 1 << (row * SIDE + column));
                let rows = row.saturating_sub(1)..=(last_row + 1).min(SIDE - 1);
                let columns = column.saturating_sub(1)..=(last_column + 1).min(SIDE - 1);
                let around =
                    rows.flat_map(|row| columns.clone().map(move |column| row * SIDE + column));
                let room = around.fold(0, |set, square| set | 1 << square);
                all.push(Place { ship, room });
            }
        }
    }
    all
}
