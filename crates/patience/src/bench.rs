//! Benchmarks: how fast, and a deterministic signature of what was searched.
//!
//! Speeds are those of the best of several repetitions, because other programs only ever slow one
//! down. Signatures are counts of fixed searches: the same on every machine, and a change of one
//! is a change of the search.

use std::time::{Duration, Instant};

use patience_catalogue::{Advice, AnyGame, Benchmark, Work};
use patience_lab::{RunOptions, Spec, Store, Streams, run};
use patience_plan::{Budget, Cancel};
use serde::Serialize;

pub use patience_gdl::{EngineSpeed, GdlSpeed, speed as gdl};

use crate::{registry, resolve, task};

/// What a benchmark found.
#[derive(Clone, Debug, Serialize)]
pub struct Measurement {
    /// The benchmark.
    pub name: &'static str,
    /// What was measured.
    pub what: &'static str,
    /// The unit of the value.
    pub unit: &'static str,
    /// The value.
    pub value: f64,
    /// Counts of the fixed search: the same on every machine.
    pub signature: String,
}

const UCT: &str = "uct(c=1.4)";
/// The settings of Figure 2 and Figure 4 of the UCT paper.
const UCT_PGAME: &str = "uct(selection=depth, horizon=20)";
const UCT_SAILING: &str = "uct(scale=10, eval=perturbed, stop=visits, merge=true)";

/// All benchmarks: those of searches on small games, then those of single games.
pub fn benchmarks() -> impl Iterator<Item = &'static Benchmark> {
    SEARCHES.iter().chain(registry().benchmarks())
}

/// The benchmarks of the foundation.
const SEARCHES: &[Benchmark] = &[
    Benchmark::speed("uct/tic-tac-toe/10k", "tic-tac-toe", UCT, 10_000),
    Benchmark::speed("uct/tic-tac-toe/200k", "tic-tac-toe", UCT, 200_000),
    Benchmark::speed("uct/connect-four/10k", "connect-four", UCT, 10_000),
    Benchmark::speed("uct/connect-four/200k", "connect-four", UCT, 200_000),
    Benchmark::speed("uct/pgame-2-20/20k", "pgame(branching=2, depth=20)", UCT_PGAME, 20_000),
    Benchmark::speed("mc/pgame-2-20/20k", "pgame(branching=2, depth=20)", "mc", 20_000),
    Benchmark::speed("mmmc/pgame-2-20/20k", "pgame(branching=2, depth=20)", "mmmc", 20_000),
    Benchmark::speed("uct/sailing-20/20k", "sailing(size=20)", UCT_SAILING, 20_000),
    Benchmark::speed("artdp/sailing-20/200k", "sailing(size=20)", "artdp", 200_000),
    Benchmark::speed("pg-id/sailing-20/20k", "sailing(size=20)", "pg-id", 20_000),
    Benchmark::speed("uct/tiger/20k", "tiger", "uct(scale=110)", 20_000),
    Benchmark::speed(
        "alpha-beta/pgame-8-8",
        "pgame(branching=8, depth=8)",
        "alpha-beta",
        1_000_000,
    ),
    Benchmark::speed(
        "sparse-sampling/sailing-5",
        "sailing(size=5)",
        "sparse-sampling(depth=4)",
        1_000_000,
    ),
    Benchmark::speed(
        "value-iteration/sailing-20",
        "sailing(size=20)",
        "value-iteration",
        1_000_000,
    ),
    Benchmark {
        name: "memory/connect-four/10M",
        what: "memory of a tree of 10 million nodes",
        unit: "bytes",
        work: Work::Memory { game: "connect-four", planner: UCT, nodes: 10_000_000 },
    },
    Benchmark {
        name: "runner/100k-units",
        what: "100,000 units of a trivial game, store included",
        unit: "s",
        work: Work::Runner { units: 100_000 },
    },
];

/// Searches repeat until they took so long together, but at least three times.
const LONG_ENOUGH: Duration = Duration::from_millis(1500);

/// Runs a benchmark. `None` if it was cancelled.
///
/// # Errors
/// If a game or planner cannot be made, or the store of the runner's benchmark cannot be written.
pub fn measure(benchmark: &Benchmark, cancel: &Cancel) -> Result<Option<Measurement>, String> {
    let (value, signature) = match benchmark.work {
        Work::Speed { game, planner, iterations } => {
            let game = registry().game(game).map_err(|e| e.to_string())?;
            let budget = Budget::iterations(iterations);
            let first = search(&game, planner, &budget, cancel)?;
            let begin = Instant::now();
            let mut best = rate(&first);
            let mut repetitions = 1;
            while !cancel.is_cancelled() && (repetitions < 3 || begin.elapsed() < LONG_ENOUGH) {
                best = best.max(rate(&search(&game, planner, &budget, cancel)?));
                repetitions += 1;
            }
            (best, signature(&first))
        }
        Work::Memory { game, planner, nodes } => {
            let game = registry().game(game).map_err(|e| e.to_string())?;
            // One node per iteration, but for those that end in a finished game.
            let mut budget = Budget::iterations(nodes);
            loop {
                let advice = search(&game, planner, &budget, cancel)?;
                let counts = advice.stats.counts;
                if counts.nodes >= nodes || cancel.is_cancelled() {
                    break (counts.bytes as f64, signature(&advice));
                }
                let more = counts.iterations as f64 * nodes as f64 / counts.nodes as f64;
                budget = Budget::iterations(more as u64 + 1000);
            }
        }
        Work::Arm { spec, arm, units } => games(cancel, spec, arm, units)?,
        Work::Runner { units } => runner(units, cancel)?,
        Work::Own(measure) => measure(cancel)?,
    };
    if cancel.is_cancelled() {
        return Ok(None);
    }
    let Benchmark { name, what, unit, .. } = *benchmark;
    Ok(Some(Measurement { name, what, unit, value, signature }))
}

/// The signature alone, without repetitions: what tests pin. `None` where it would take long.
pub fn fixed_signature(benchmark: &Benchmark) -> Option<String> {
    let Work::Speed { game, planner, iterations } = benchmark.work else { return None };
    let game = registry().game(game).ok()?;
    let advice = search(&game, planner, &Budget::iterations(iterations), &Cancel::new()).ok()?;
    Some(signature(&advice))
}

/// The first games of an arm of a spec, one after the other.
fn games(cancel: &Cancel, name: &str, arm: usize, units: u64) -> Result<(f64, String), String> {
    let found = registry().specs().find(|(spec, _)| *spec == name);
    let (_, text) = found.ok_or_else(|| format!("there is no spec {name}"))?;
    let spec = Spec::parse(name, text, false).map_err(|error| error.to_string())?;
    let arm = spec.arms.get(arm).ok_or_else(|| format!("{name} has no such arm"))?;
    let task = task(registry(), &spec, arm).map_err(|fault| format!("{fault:?}"))?;
    let begin = Instant::now();
    let mut won = 0.0;
    for unit in 0..units {
        let streams = Streams::new(spec.seed, &spec.name, &arm.name, unit);
        match task.run(unit, &streams, cancel) {
            Ok(values) => won += values.first().copied().unwrap_or(0.0),
            Err(_) if cancel.is_cancelled() => break,
            Err(error) => return Err(format!("{error:?}")),
        }
    }
    let rate = units as f64 / begin.elapsed().as_secs_f64();
    Ok((rate, format!("{}: games={units} won={won}", arm.name)))
}

fn search(
    game: &AnyGame,
    planner: &str,
    budget: &Budget,
    cancel: &Cancel,
) -> Result<Advice, String> {
    let advice = game.start(1).advise(planner, budget, 1, cancel, &mut |_| ());
    advice.map_err(|error| error.to_string())
}

fn rate(advice: &Advice) -> f64 {
    advice.stats.counts.iterations as f64 / advice.stats.seconds
}

fn signature(advice: &Advice) -> String {
    let counts = advice.stats.counts;
    let best = advice.best.as_deref().unwrap_or("none");
    format!(
        "iterations={} model_calls={} nodes={} best={best}",
        counts.iterations, counts.model_calls, counts.nodes
    )
}

fn runner(units: u64, cancel: &Cancel) -> Result<(f64, String), String> {
    let text = format!(
        "name = \"runner\"\nseed = 1\nunits = {units}\ntask = {{ kind = \"play\" }}\n\
         [[arm]]\nname = \"random\"\ngame = \"tiger(horizon=2)\"\nplanner = \"random\"\n"
    );
    let spec = Spec::parse("benchmark", &text, false).map_err(|e| e.to_string())?;
    let path = std::env::temp_dir().join(format!("patience-bench-{}.db", std::process::id()));
    let begin = Instant::now();
    let done = Store::open(&path).and_then(|mut store| {
        let options = RunOptions::default();
        run(&spec, &resolve(registry()), &mut store, &options, cancel, &mut |_| ())
    });
    let seconds = begin.elapsed().as_secs_f64();
    for ending in ["", "-wal", "-shm", ".lock"] {
        let mut name = path.clone().into_os_string();
        name.push(ending);
        let _ = std::fs::remove_file(name);
    }
    let summary = done.map_err(|error| error.to_string())?;
    Ok((seconds, format!("units={}", summary.ran)))
}
