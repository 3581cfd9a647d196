//! The rule files that come with the crate.

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

/// The rules of a game that comes with the crate.
pub fn built_in(name: &str) -> Option<Source> {
    let (name, text) = GAMES.iter().find(|(other, _)| *other == name)?;
    Some(Source::new(*name, *text))
}
