//! FreeCell and its family by name.

use patience_games::freecell::{Board, FreeCell, Metric, Rules, State};

use super::{GameEntry, GameInfo, PlannerInfo};
use crate::call::{Arguments, CallError, Param};
use crate::kit::Kit;

const INFO: GameInfo = GameInfo {
    name: "freecell",
    summary: "the solitaire with all cards in sight and a few free cells",
    rewards: "1 for every card that goes home",
    paper: "Paul and Helmert 2016",
    planner: "uct(scale=52)",
    parameters: &[Param { name: "rules", default: "freecell", meaning: "the game of the family" }],
};

pub(super) fn entry() -> GameEntry {
    GameEntry::new(INFO, |arguments| Ok(freecell(arguments)?.into()))
}

/// Solvers of FreeCell.
pub(super) const SOLVERS: &[PlannerInfo] = &[];

fn freecell(arguments: &Arguments<'_>) -> Result<Kit<FreeCell>, CallError> {
    let names = Rules::PRESETS.map(|(name, _)| name);
    let rules = Rules::named(arguments.word("rules", &names)?).unwrap_or(Rules::FREECELL);
    let fits = |metric: &Metric| metric.check(&rules).is_ok();
    let metric = [Metric::Supermove, Metric::Single].into_iter().find(fits);
    let game = FreeCell::new(rules, metric.unwrap_or(Metric::Single));
    let game = game.map_err(|error| arguments.blame("rules", error.to_string()))?;
    Ok(Kit::new(game)
        .text()
        .keyed()
        .undo()
        .outcomes()
        .numbered(|game, number| {
            let board = Board::deal(game.rules(), number).map_err(|error| error.to_string())?;
            Ok(State::of(&board))
        })
        .reading(|game, text| {
            let board = Board::read(game.rules(), text).map_err(|error| error.to_string())?;
            Ok(State::of(&board))
        }))
}
