//! The taxi by name.

use patience_catalogue::{
    AnyGame, Arguments, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
};

use super::Taxi;
use crate::exact;
use crate::words::COMPASS;

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
        words: &[COMPASS, GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game)
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let TaxiParams { discount } = Params::read(arguments)?;
    let game = Taxi::new(discount).map_err(|error| arguments.blame("discount", error))?;
    Ok(Kit::new(game).shown().keyed().outcomes().encoded().oracle(exact::values).into())
}

const GERMAN: Words = Words::german(&[
    ("drive {way}", "{way} fahren"),
    ("pick up the passenger", "den Fahrgast aufnehmen"),
    ("put down the passenger", "den Fahrgast absetzen"),
    ("the passenger waits at {place}, to {goal}", "der Fahrgast wartet bei {place}, Ziel {goal}"),
    ("the passenger is in the taxi, to {goal}", "der Fahrgast ist im Taxi, Ziel {goal}"),
    ("the passenger is at {goal}: home", "der Fahrgast ist am Ziel: {goal}"),
    ("red", "Rot"),
    ("green", "Grün"),
    ("yellow", "Gelb"),
    ("blue", "Blau"),
]);
