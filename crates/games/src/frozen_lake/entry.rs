//! FrozenLake by name.

use patience_catalogue::{
    AnyGame, Arguments, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
};

use super::{FrozenLake, FrozenLakeError};
use crate::exact;
use crate::words::WAYS;

params! {
    struct FrozenLakeParams {
        /// Cells of a side: 4 or 8
        size: u8 = "4", min 4, max 8;
        /// Whether a move goes where it was meant to once in three times only
        slippery: bool = "true";
        /// Factor by which rewards shrink
        discount: f64 = "0.99";
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "frozen-lake",
        title: "FrozenLake",
        summary: "across slippery ice to the goal, past the holes",
        rewards: "the goal 1, everything else 0",
        paper: "Gymnasium's FrozenLake-v1 (Towers et al. 2024), without its limit of moves",
        planner: "uct(merge=true)",
        parameters: FrozenLakeParams::PARAMS,
        words: &[WAYS, GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game)
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let FrozenLakeParams { size, slippery, discount } = Params::read(arguments)?;
    let game = FrozenLake::new(size, slippery, discount).map_err(|error| {
        let parameter = match error {
            FrozenLakeError::Size(_) => "size",
            FrozenLakeError::Discount(_) => "discount",
        };
        arguments.blame(parameter, error.to_string())
    })?;
    Ok(Kit::new(game).shown().keyed().outcomes().encoded().oracle(exact::values).into())
}

const GERMAN: Words = Words::german(&[
    ("go {way}", "{way} gehen"),
    ("you", "du"),
    ("hole", "Loch"),
    ("goal", "Ziel"),
    ("you fell through the ice", "du bist eingebrochen"),
    ("you are across", "du bist drüben"),
]);
