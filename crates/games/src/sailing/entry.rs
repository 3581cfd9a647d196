//! Sailing by name.

use std::sync::{Arc, LazyLock};

use patience_catalogue::{
    AnyGame, Arguments, Benchmark, CallError, GameEntry, GameInfo, Kit, Params, Words, params,
    words,
};

use super::{Optimal, Perturbed, Sailing};

words! {
    /// Where the boat starts.
    enum From { Corner = "corner", Random = "random" }
}
params! {
    struct LakeParams {
        /// The lake is size x size
        size: u32 = "10", min 2, max 1000;
        /// corner: opposite the goal; random: any state but the goal
        start: From = "corner";
        /// Of the evaluation function `perturbed`, known up to size 200: V(x) = (1 + e(x)) V*(x), e
        /// uniform in [-epsilon, epsilon]
        epsilon: f64 = "0.1", min 0;
        /// The seed of e, which is fixed for a run
        run: u64 = "0";
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "sailing",
        title: "Sailing",
        summary: "a boat finds its way over a lake under fluctuating wind: a stochastic shortest path",
        rewards: "per leg: minus its minutes, 1 to 8.66",
        paper: "Kocsis and Szepesvari 2006, section 3.2; Vanderbei",
        planner: "value-iteration",
        lesson: "sailing(size=5)",
        parameters: LakeParams::PARAMS,
        words: &[GERMAN],
        ..GameInfo::NEW
    };
    GameEntry::new(info, game).with_benchmarks(BENCHMARKS).with_specs(specs!["uct-figure-4"])
}

/// UCT with the settings of Figure 4 of its paper.
const UCT: &str = "uct(scale=10, eval=perturbed, stop=visits, merge=true)";
const LAKE: &str = "sailing(size=20)";
const SPARSE: &str = "sparse-sampling(depth=4)";

const BENCHMARKS: &[Benchmark] = &[
    Benchmark::speed("uct/sailing-20/20k", LAKE, UCT, 20_000),
    Benchmark::speed("artdp/sailing-20/200k", LAKE, "artdp", 200_000),
    Benchmark::speed("pg-id/sailing-20/20k", LAKE, "pg-id", 20_000),
    Benchmark::speed("sparse-sampling/sailing-5", "sailing(size=5)", SPARSE, 1_000_000),
    Benchmark::speed("value-iteration/sailing-20", LAKE, "value-iteration", 1_000_000),
];

/// V* is found on lakes up to this size: seconds.
const LARGEST_SOLVED: u32 = 200;

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let LakeParams { size, start, epsilon, run } = LakeParams::read(arguments)?;
    let lake = Sailing::new(size).map_err(|error| arguments.blame("size", error.to_string()))?;
    if epsilon >= 1.0 {
        let message = format!("epsilon is {epsilon}, expected a number from 0 to below 1");
        return Err(arguments.blame("epsilon", message));
    }
    // V* takes a while on large lakes: it is found when somebody first asks.
    let optimal = Arc::new(LazyLock::new(move || Arc::new(Optimal::solve(&lake))));
    let for_oracle = Arc::clone(&optimal);
    let perturbed = LazyLock::new(move || Perturbed::new(Arc::clone(&optimal), epsilon, run));
    let mut kit = Kit::new(lake).shown().keyed().outcomes().encoded();
    if size <= LARGEST_SOLVED {
        kit = kit
            .evaluation("perturbed", move |_: &Sailing, state: &_| perturbed.value(state))
            .oracle(move |_, state| {
                let mut values = Vec::new();
                for_oracle.action_values(state, &mut values);
                values
            });
    }
    Ok(match start {
        From::Random => kit.starting(Sailing::random_state),
        From::Corner => kit,
    }
    .into())
}

const GERMAN: Words = Words::german(&[
    ("sail {heading}, {n} minutes", "{heading} segeln, {n} Minuten"),
    (
        "at ({n}, {m}) of ({n1}, {m1}), wind to {heading}, {tack} tack",
        "bei ({n}, {m}) von ({n1}, {m1}), Wind nach {heading}, {tack}",
    ),
    ("neither", "auf keinem Bug"),
    ("port", "Backbordbug"),
    ("starboard", "Steuerbordbug"),
    ("boat", "Boot"),
    ("goal", "Ziel"),
    ("N", "N"),
    ("NE", "NO"),
    ("E", "O"),
    ("SE", "SO"),
    ("S", "S"),
    ("SW", "SW"),
    ("W", "W"),
    ("NW", "NW"),
]);
