//! Laser Tag by name.

use patience_catalogue::{
    AnyGame, Arguments, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
};

use super::{LaserTag, State};
use crate::tag;
use crate::words::COMPASS;

params! {
    struct LaserTagParams {
        /// The number of the map
        map: u64 = "1";
        /// Factor by which rewards shrink
        discount: f64 = "0.95";
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "laser-tag",
        title: "Laser Tag",
        summary: "Tag among obstacles, with a laser in eight directions that is far from exact",
        rewards: "-1 a move, 10 for the tag, -10 for a tag that misses",
        paper: "Somani, Ye, Hsu and Lee 2013",
        version: 2,
        planner: "uct(scale=20, limit=100, widen_outcomes=1, widen_power=0.3)",
        parameters: LaserTagParams::PARAMS,
        words: &[COMPASS, tag::GERMAN, GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game)
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let LaserTagParams { map, discount } = Params::read(arguments)?;
    let game = LaserTag::new(map, discount).map_err(|error| arguments.blame("discount", error))?;
    let upper = |game: &LaserTag, state: &State| game.most(state);
    let kit = Kit::new(game).shown().hidden().upper(upper);
    let kit = kit.default_policy("pursue", LaserTag::pursue);
    Ok(kit.written_whole(|game, state| Ok(game.whole(state))).into())
}

const GERMAN: Words = Words::german(&[(
    "n {n} ne {n1} e {n2} se {n3} s {n4} sw {n5} w {n6} nw {n7}",
    "N {n}, NO {n1}, O {n2}, SO {n3}, S {n4}, SW {n5}, W {n6}, NW {n7}",
)]);
