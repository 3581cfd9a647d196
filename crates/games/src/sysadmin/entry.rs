//! SysAdmin by name.

use patience_catalogue::{
    AnyGame, Arguments, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
};

use super::SysAdmin;
use crate::exact;
use crate::words::MOVES_LEFT;

params! {
    struct SysAdminParams {
        /// Computers in the ring
        computers: u8 = "10", min 1, max 10;
        /// Moves
        horizon: u8 = "40", min 1, max 100;
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "sysadmin",
        title: "SysAdmin",
        summary: "computers in a ring fail, and the sooner the more neighbours have failed: reboot one a move",
        rewards: "1 a move for each computer that runs, -0.75 for a reboot",
        paper: "Guestrin, Koller, Parr and Venkataraman 2003; numbers of the planning competition of 2011",
        planner: "uct(scale=40)",
        parameters: SysAdminParams::PARAMS,
        words: &[MOVES_LEFT, GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game)
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let SysAdminParams { computers, horizon } = Params::read(arguments)?;
    let game = SysAdmin::new(computers, horizon).map_err(|e| arguments.blame("computers", e))?;
    Ok(Kit::new(game).shown().keyed().outcomes().encoded().oracle(exact::values).into())
}

const GERMAN: Words = Words::german(&[
    ("reboot {n}", "Rechner {n} neu starten"),
    ("on {n}", "an {n}"),
    ("off {n}", "aus {n}"),
    ("all are on", "alle laufen"),
    ("off: {name}", "aus: {name}"),
]);
