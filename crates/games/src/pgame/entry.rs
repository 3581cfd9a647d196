//! P-games by name.

use patience_catalogue::{
    AnyGame, Arguments, Benchmark, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
    words,
};

use super::{MoveValues, PGame, PGameError};

words! {
    /// How the values of moves are drawn.
    enum Values { Uniform = "uniform", PlusMinusOne = "plus-minus-one" }
}
params! {
    struct PGameParams {
        /// Moves in every position
        branching: u32 = "2";
        /// Moves in every game
        depth: u32 = "20";
        /// uniform: whole numbers in [0,127] for MAX and [-127,0] for MIN; plus-minus-one: 1 or -1
        values: Values = "uniform";
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "pgame",
        title: "P-game",
        summary: "a random minimax tree: the sum of the moves' values decides who wins",
        rewards: "at the end: 1 if MAX wins, 1/2 for a draw, 0 if MIN wins",
        paper: "Kocsis and Szepesvari 2006, section 3.1",
        lesson: "pgame(depth=4)",
        players: 2,
        parameters: PGameParams::PARAMS,
        words: &[GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game).with_benchmarks(BENCHMARKS).with_specs(specs![
        "uct-figure-2",
        "uct-figure-3",
        "ladder"
    ])
}

/// UCT with the settings of Figure 2 of its paper.
const UCT: &str = "uct(selection=depth, horizon=20)";
const NARROW: &str = "pgame(branching=2, depth=20)";
const WIDE: &str = "pgame(branching=8, depth=8)";

const BENCHMARKS: &[Benchmark] = &[
    Benchmark::speed("uct/pgame-2-20/20k", NARROW, UCT, 20_000),
    Benchmark::speed("mc/pgame-2-20/20k", NARROW, "mc", 20_000),
    Benchmark::speed("mmmc/pgame-2-20/20k", NARROW, "mmmc", 20_000),
    Benchmark::speed("alpha-beta/pgame-8-8", WIDE, "alpha-beta", 1_000_000),
];

/// Exact values are known of P-games up to this B^(D/2): a proof needs about as many leaves, and
/// beyond this it would take minutes.
const MOST_LEAVES: f64 = 4e6;

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let p = PGameParams::read(arguments)?;
    let values = match p.values {
        Values::Uniform => MoveValues::Uniform,
        Values::PlusMinusOne => MoveValues::PlusMinusOne,
    };
    let game = PGame::new(p.branching, p.depth, values).map_err(|error| {
        let parameter = match error {
            PGameError::Branching(_) => "branching",
            PGameError::Depth(_) => "depth",
        };
        arguments.blame(parameter, error.to_string())
    })?;
    let kit = Kit::new(game).shown().keyed().undo().outcomes();
    let leaves = f64::from(p.branching).powf(f64::from(p.depth) / 2.0);
    Ok(if leaves <= MOST_LEAVES { kit.oracle(PGame::minimax_values) } else { kit }.into())
}

const GERMAN: Words = Words::german(&[
    ("move {n}", "Zug {n}"),
    ("move {n} of {m}, {player} to move", "Zug {n} von {m}, {player} ist am Zug"),
    ("over, sum {n}: {label}", "zu Ende, Summe {n}: {label}"),
    ("{player} wins", "{player} gewinnt"),
    ("a draw", "unentschieden"),
    ("MIN", "MIN"),
    ("MAX", "MAX"),
]);
