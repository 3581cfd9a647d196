//! FreeCell and its family by name.

use patience_games::freecell::{Board, FreeCell, Metric, Rules, State};

use super::{GameEntry, GameInfo, PlannerInfo};
use crate::call::{Arguments, CallError};
use crate::kit::Kit;

const INFO: GameInfo = GameInfo {
    name: "freecell",
    summary: "the solitaire with all cards in sight and a few free cells",
    rewards: "1 for every card that goes home",
    paper: "Paul and Helmert 2016",
    planner: "uct(scale=52)",
    parameters: &[],
};

pub(super) fn entry() -> GameEntry {
    GameEntry::new(INFO, |arguments| Ok(freecell(arguments)?.into()))
}

/// Solvers of FreeCell.
pub(super) const SOLVERS: &[PlannerInfo] = &[];

fn freecell(arguments: &Arguments<'_>) -> Result<Kit<FreeCell>, CallError> {
    let game = FreeCell::new(Rules::FREECELL, Metric::Single);
    let game = game.map_err(|error| arguments.blame("rules", error.to_string()))?;
    Ok(Kit::new(game).text().encoded().keyed().undo().outcomes().numbered(|game, number| {
        let board = Board::deal(game.rules(), number).map_err(|error| error.to_string())?;
        Ok(State::of(&board))
    }))
}
