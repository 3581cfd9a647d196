//! The taxi by name.

use patience_catalogue::{AnyGame, Arguments, CallError, GameEntry, GameInfo, Kit, Params, params};

use super::Taxi;
use crate::exact;

params! {
    struct TaxiParams {
        /// Factor by which rewards shrink
        discount: f64 = "0.99";
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "taxi",
        title: "Taxi",
        summary: "fetch a passenger at one of four places and bring them to another",
        rewards: "-1 a move, 20 for bringing the passenger home, -10 for a wrong pick-up or put-down",
        paper: "Dietterich 2000; numbers of Gymnasium's Taxi-v3, without its limit of moves",
        planner: "value-iteration",
        parameters: TaxiParams::PARAMS,
        ..GameInfo::NEW
    };
    GameEntry::new(info, game)
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let TaxiParams { discount } = Params::read(arguments)?;
    let game = Taxi::new(discount).map_err(|error| arguments.blame("discount", error))?;
    Ok(Kit::new(game).shown().keyed().outcomes().encoded().oracle(exact::values).into())
}
