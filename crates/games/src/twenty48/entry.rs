//! 2048 by name.

use patience_catalogue::{
    AnyGame, Arguments, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
};

use super::Twenty48;
use crate::exact;
use crate::words::WAYS;

params! {
    struct Twenty48Params {
        /// Squares of a side
        size: u8 = "4", min 2, max 4;
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "2048",
        title: "2048",
        summary: "tiles slide together: two alike become one of twice the number",
        rewards: "the number of every tile that is made",
        paper: "Cirulli 2014",
        planner: "uct(scale=2000, limit=100)",
        positions: "rows of numbers from the top, a dot for an empty square",
        parameters: Twenty48Params::PARAMS,
        words: &[WAYS, GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game)
}

/// The board of which every position that can come up is listed in no time.
const LISTED: u8 = 2;

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let Twenty48Params { size } = Params::read(arguments)?;
    let game = Twenty48::new(size.into()).map_err(|error| arguments.blame("size", error))?;
    let kit = Kit::new(game).shown().keyed().outcomes().encoded().reading(Twenty48::read);
    Ok(if size == LISTED { kit.oracle(exact::values) } else { kit }.into())
}

const GERMAN: Words =
    Words::german(&[("slide {way}", "{way} schieben"), ("a {n} on {cell}", "eine {n} auf {cell}")]);
