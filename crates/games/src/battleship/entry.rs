//! Battleship by name.

use patience_catalogue::{GameEntry, GameInfo, Kit, Words};

use super::{Battleship, SUNK, State, TARGETS};

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "battleship",
        title: "Battleship",
        summary: "a fleet that is not seen is sunk in as few shots as possible",
        rewards: "-1 a shot, 100 for the last hit",
        paper: "Silver and Veness 2010",
        planner: "uct(scale=100)",
        words: &[GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, |_| {
        let kit = Kit::new(Battleship).shown().hidden().upper(most);
        Ok(kit.written_whole(|game, state| Ok(game.whole(state))).into())
    })
}

/// Every shot a hit.
fn most(_: &Battleship, state: &State) -> f64 {
    SUNK - f64::from(TARGETS - state.known.hits.count_ones())
}

const GERMAN: Words = Words::german(&[
    ("shoot at {cell}", "auf {cell} schießen"),
    ("a hit", "ein Treffer"),
    ("a miss", "ein Fehlschuss"),
    ("{n} squares of ships left", "noch {n} Felder mit Schiffen"),
    ("{n} square of ships left", "noch {n} Feld mit Schiffen"),
]);
