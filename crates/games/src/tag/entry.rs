//! Tag by name.

use patience_catalogue::{
    AnyGame, Arguments, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
};

use super::{State, Tag};
use crate::words::COMPASS;

params! {
    struct TagParams {
        /// Factor by which rewards shrink
        discount: f64 = "0.95";
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "tag",
        title: "Tag",
        summary: "a robot catches an opponent who flees and is seen only from the same cell",
        rewards: "-1 a move, 10 for the tag, -10 for a tag that misses",
        paper: "Pineau, Gordon and Thrun 2003",
        version: 2,
        planner: "uct(scale=20, limit=100)",
        parameters: TagParams::PARAMS,
        words: &[COMPASS, GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game)
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let TagParams { discount } = Params::read(arguments)?;
    let game = Tag::new(discount).map_err(|error| arguments.blame("discount", error))?;
    let upper = |game: &Tag, state: &State| game.most(state);
    let kit = Kit::new(game).shown().hidden().encoded().upper(upper);
    let kit = kit.default_policy("pursue", Tag::pursue);
    Ok(kit.written_whole(|game, state| Ok(game.whole(state))).into())
}

pub(crate) const GERMAN: Words = Words::german(&[
    ("go {way}", "{way} gehen"),
    ("tag whoever is here", "fangen, wer hier ist"),
    ("the opponent is here", "der Gegner ist hier"),
    ("nobody is here", "niemand ist hier"),
    ("the opponent is here with {n}%", "mit {n} % ist der Gegner hier"),
    ("tagged", "gefangen"),
    ("robot", "Roboter"),
    ("wall", "Wand"),
]);
