//! The rule files that come with the crate.

use super::variants::variant;
use crate::text::Source;

macro_rules! games {
    ($($name:literal),* $(,)?) => {
        /// The games that come with the crate: their names and their rules.
        pub const GAMES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../games/", $name, ".gdl")))),*];
    };
}

games![
    "blind_tictactoe",
    "exploding_bomb",
    "mastermind",
    "maze",
    "monty_hall",
    "monty_hall_20",
    "numberguessing_32",
    "numberguessing_big",
    "numberguessing_small",
    "small_klondike",
    "tictactoe",
    "tiger",
];

/// The text of one of them.
pub(super) fn file_of(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(other, _)| *other == name).map(|(_, text)| *text)
}

/// The rules of a game that comes with the crate: one of [`GAMES`], or a variant of one of them, such as
/// `mastermind_12_5` (guesses, colours), `numberguessing_20` (numbers) and `monty_hall_4` (doors).
pub fn built_in(name: &str) -> Option<Source> {
    match file_of(name) {
        Some(text) => Some(Source::new(name, text)),
        None => variant(name).map(|text| Source::new(name, text)),
    }
}
