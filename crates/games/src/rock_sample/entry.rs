//! RockSample by name.

use patience_catalogue::{
    AnyGame, Arguments, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
};

use super::{Foresight, RockSample};
use crate::words::COMPASS;

params! {
    struct RockSampleParams {
        /// The layout: 4 cells and 4 rocks, 7 cells and 8 rocks, or 11 cells and 11 rocks
        size: u8 = "7", min 4, max 11;
        /// Factor by which rewards shrink
        discount: f64 = "0.95";
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "rock-sample",
        title: "RockSample",
        summary: "a rover samples rocks that may be bad, after looks that may be wrong",
        rewards: "a good rock 10, a bad one -10, leaving to the east 10",
        paper: "Smith and Simmons 2004",
        planner: "uct(scale=20, limit=100)",
        variants: &[
            ("rock-sample(size=7)", "RockSample(7, 8)"),
            ("rock-sample(size=11)", "RockSample(11, 11)"),
        ],
        parameters: RockSampleParams::PARAMS,
        words: &[COMPASS, GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game).with_specs(specs!["pomdp"])
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let RockSampleParams { size, discount } = Params::read(arguments)?;
    let game = RockSample::new(size, discount).map_err(|error| {
        let parameter = if error.contains("discount") { "discount" } else { "size" };
        arguments.blame(parameter, error)
    })?;
    let upper = Foresight::new(&game);
    let kit = Kit::new(game).shown().hidden().encoded().upper(upper);
    let kit = kit.default_policy("collect", RockSample::collect);
    Ok(kit.written_whole(|game, state| Ok(game.whole(state))).into())
}

const GERMAN: Words = Words::german(&[
    ("drive {way}", "{way} fahren"),
    ("look at {cell}", "{cell} ansehen"),
    ("sample the rock here", "den Stein hier untersuchen"),
    ("looks good", "sieht gut aus"),
    ("looks bad", "sieht schlecht aus"),
    ("rover", "Rover"),
    ("here is rock {cell} {n}% good", "hier ist Stein {cell}, zu {n} % gut"),
    ("the rover has left the field", "der Rover hat das Feld verlassen"),
]);
