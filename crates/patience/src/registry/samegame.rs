//! SameGame and its relatives by name.

use patience_games::samegame::{LargeSameGame, Scoring};

use super::{GameEntry, GameInfo, PlannerInfo};
use crate::call::{Arguments, CallError};
use crate::kit::Kit;

const INFO: GameInfo = GameInfo {
    name: "samegame",
    summary: "groups of tiles of one colour are removed, the larger the better",
    rewards: "per group of n tiles (n - 2)^2, and 1000 for an empty board",
    paper: "Baier and Winands 2012, section 5",
    planner: "uct(scale=3000)",
    parameters: &[],
};

pub(super) fn entry() -> GameEntry {
    GameEntry::new(INFO, |arguments| Ok(samegame(arguments)?.into()))
}

/// Planners for boards.
pub(super) const PLANNERS: &[PlannerInfo] = &[];

/// Solvers of boards.
pub(super) const SOLVERS: &[PlannerInfo] = &[];

fn samegame(arguments: &Arguments<'_>) -> Result<Kit<LargeSameGame>, CallError> {
    let game = LargeSameGame::new(15, 15, 5, Scoring::default());
    let game = game.map_err(|error| arguments.blame("colours", error.to_string()))?;
    Ok(Kit::new(game).text().encoded().keyed().undo().outcomes())
}
