//! Klondike by name.

use patience_games::klondike::{Deal, Klondike, Rules};
use patience_plan::Root;

use super::{GameEntry, GameInfo, PlannerInfo};
use crate::call::{Arguments, CallError, Param};
use crate::kit::Kit;

const INFO: GameInfo = GameInfo {
    name: "klondike",
    summary: "the solitaire: seven columns, four foundations, a stock that is turned",
    rewards: "1 for a win, with the move that wins",
    paper: "Bjarnason, Fern and Tadepalli 2009",
    planner: "uct(c=1)",
    parameters: &[Param { name: "draw", default: "3", meaning: "cards turned at a time, 1 to 3" }],
};

pub(super) fn entry() -> GameEntry {
    GameEntry::new(INFO, |arguments| Ok(klondike(arguments)?.into()))
}

/// Planners of Klondike alone.
pub(super) const PLANNERS: &[PlannerInfo] = &[];

/// Solvers of Klondike.
pub(super) const SOLVERS: &[PlannerInfo] = &[];

fn klondike(arguments: &Arguments<'_>) -> Result<Kit<Klondike>, CallError> {
    let draw = arguments.small("draw")?.unwrap_or(3);
    let rules = Rules::draw(draw).map_err(|error| arguments.blame("draw", error.to_string()))?;
    let game = Klondike::new(rules).map_err(|error| arguments.blame("draw", error.to_string()))?;
    Ok(Kit::new(game).text().encoded().opened(|game, state| Root::Certain(game.open(state))).numbered(
        |game, number| {
            game.deal(&Deal::seeded(game.rules(), number)).map_err(|error| error.to_string())
        },
    ))
}
