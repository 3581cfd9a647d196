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

/// All benchmarks: those of games, then that of the runner.
pub fn benchmarks() -> impl Iterator<Item = &'static Benchmark> {
    registry().benchmarks().chain([&RUNNER])
}

const RUNNER: Benchmark = Benchmark {
    name: "runner/100k-units",
    what: "100,000 units of a trivial game, store included",
    unit: "s",
    work: Work::Runner { units: 100_000 },
};

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
        Work::Ratio { game, planner, beside, iterations } => {
            let game = registry().game(game).map_err(|e| e.to_string())?;
            let (budget, begin) = (Budget::iterations(iterations), Instant::now());
            let (mut best, mut found) = ([0.0_f64; 2], None);
            let mut repetitions = 0;
            while !cancel.is_cancelled() && (repetitions < 3 || begin.elapsed() < 2 * LONG_ENOUGH) {
                for (best, planner) in best.iter_mut().zip([planner, beside]) {
                    let advice = search(&game, planner, &budget, cancel)?;
                    *best = best.max(rate(&advice));
                    let own = signature(&advice);
                    if found.get_or_insert_with(|| own.clone()) != &own && !cancel.is_cancelled() {
                        return Err(format!("{planner} finds something else: {own}"));
                    }
                }
                repetitions += 1;
            }
            (best[0] / best[1], found.unwrap_or_default())
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
    let (Work::Speed { game, planner, iterations } | Work::Ratio { game, planner, iterations, .. }) =
        benchmark.work
    else {
        return None;
    };
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
