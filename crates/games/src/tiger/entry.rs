//! The tiger by name.

use patience_catalogue::{
    AnyGame, Arguments, Benchmark, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
};
use patience_model::Hidden;

use super::{State, TREASURE, Tiger, TigerError};

params! {
    struct TigerParams {
        /// Moves at most; opening ends the game
        horizon: u32 = "20";
        /// Factor by which rewards shrink
        discount: f64 = "0.95";
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "tiger",
        title: "Tiger",
        summary: "listen, then open one of two doors: behind one is a tiger",
        rewards: "listening -1, the door without the tiger 10, the other -100",
        paper: "Kaelbling, Littman and Cassandra 1998",
        planner: "uct(scale=110)",
        parameters: TigerParams::PARAMS,
        words: &[GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game).with_benchmarks(BENCHMARKS)
}

const BENCHMARKS: &[Benchmark] =
    &[Benchmark::speed("uct/tiger/20k", "tiger", "uct(scale=110)", 20_000)];

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let TigerParams { horizon, discount } = TigerParams::read(arguments)?;
    let game = Tiger::new(horizon, discount).map_err(|error| {
        let parameter = match error {
            TigerError::Horizon(_) => "horizon",
            TigerError::Discount(_) => "discount",
        };
        arguments.blame(parameter, error.to_string())
    })?;
    let upper = |_: &Tiger, _: &State| TREASURE;
    let kit = Kit::new(game).shown().hidden().encoded().upper(upper);
    Ok(kit.oracle(|game, state| game.optimal_values(&game.known(state))).into())
}

const GERMAN: Words = Words::german(&[
    ("listen for the tiger", "nach dem Tiger lauschen"),
    ("open the left door", "die linke Tür öffnen"),
    ("open the right door", "die rechte Tür öffnen"),
    ("heard on the left", "links gehört"),
    ("heard on the right", "rechts gehört"),
    (
        "heard {n} times left, {m} times right; {label}",
        "{n}-mal links, {m}-mal rechts gehört; {label}",
    ),
    ("the left door is open", "die linke Tür ist offen"),
    ("the right door is open", "die rechte Tür ist offen"),
    ("{n} moves left", "noch {n} Züge"),
]);
