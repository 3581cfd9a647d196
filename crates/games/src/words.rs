//! Words for people.

use patience_catalogue::Words;

/// The ways of the compass.
pub(crate) const COMPASS: Words = Words::german(&[
    ("north", "nach Norden"),
    ("east", "nach Osten"),
    ("south", "nach Süden"),
    ("west", "nach Westen"),
]);
/// The ways on a board.
pub(crate) const WAYS: Words = Words::german(&[
    ("left", "nach links"),
    ("right", "nach rechts"),
    ("up", "nach oben"),
    ("down", "nach unten"),
]);
/// How long a game of so many moves still goes on.
pub(crate) const MOVES_LEFT: Words = Words::german(&[
    ("{n} move left", "noch {n} Zug"),
    ("{n} moves left", "noch {n} Züge"),
    ("wait", "warten"),
]);

/// A square as in chess: its column as a letter, its row, which is given from the top, counted from below.
pub(crate) fn square(column: u8, row: u8, rows: u8) -> String {
    format!("{}{}", char::from(b'a' + column), rows - row)
}

/// How likely something is, as it stands on a square: nothing where it hardly is.
pub(crate) fn chance(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 0.5 { String::new() } else { format!("{percent:.0}%") }
}

/// So many of something whose plural ends in s.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
