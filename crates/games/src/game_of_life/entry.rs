//! Game of Life by name.

use patience_catalogue::{
    AnyGame, Arguments, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
};

use super::GameOfLife;
use crate::exact;
use crate::words::MOVES_LEFT;

params! {
    struct GameOfLifeParams {
        /// Cells of a side
        size: u8 = "3", min 2, max 3;
        /// How likely a cell turns out otherwise than by the rule
        noise: f64 = "0.05", min 0, max 1;
        /// Moves
        horizon: u8 = "40", min 1, max 100;
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "game-of-life",
        title: "Game of Life",
        summary: "Conway's cells with noise: bring one to life a move",
        rewards: "1 a move for each living cell, -1 for bringing one to life",
        paper: "Sanner and Yoon 2011, the planning competition",
        planner: "uct(scale=40)",
        parameters: GameOfLifeParams::PARAMS,
        words: &[MOVES_LEFT, GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game)
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let GameOfLifeParams { size, noise, horizon } = Params::read(arguments)?;
    let game = GameOfLife::new(size, noise, horizon).map_err(|e| arguments.blame("size", e))?;
    Ok(Kit::new(game).shown().keyed().outcomes().encoded().oracle(exact::values).into())
}

const GERMAN: Words = Words::german(&[
    ("bring {cell} to life", "{cell} beleben"),
    ("alive", "lebt"),
    ("nothing lives", "nichts lebt"),
    ("alive: {name}", "am Leben: {name}"),
]);
