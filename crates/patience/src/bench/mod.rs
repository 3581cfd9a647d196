//! Benchmarks: how fast, and a deterministic signature of what was searched.
//!
//! Speeds are those of the best of several repetitions, because other programs only ever slow one
//! down. Signatures are counts of fixed searches: the same on every machine, and a change of one
//! is a change of the search.

mod freecell;
mod gdl;
mod klondike;
mod samegame;

use std::time::{Duration, Instant};

use patience_lab::{RunOptions, Spec, Store, run};
use patience_plan::{Budget, Cancel};
use serde::Serialize;

pub use gdl::{EngineSpeed, GdlSpeed, gdl};

use crate::{Advice, AnyGame, Registry};

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

/// A benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark {
    /// Its name.
    pub name: &'static str,
    /// What is measured.
    pub what: &'static str,
    /// The unit of the value.
    pub unit: &'static str,
    work: Work,
}

#[derive(Clone, Copy, Debug)]
enum Work {
    /// Iterations per second.
    Speed { game: &'static str, planner: &'static str, iterations: u64 },
    /// Bytes held when the tree has this many nodes.
    Memory { game: &'static str, planner: &'static str, nodes: u64 },
    /// Seconds for units that do next to nothing, store included.
    Runner { units: u64 },
    /// A game's own: gives its value and its signature.
    Own(fn(&Cancel) -> Result<(f64, String), String>),
}

const UCT: &str = "uct(c=1.4)";
/// The settings of Figure 2 and Figure 4 of the UCT paper.
const UCT_PGAME: &str = "uct(selection=depth, horizon=20)";
const UCT_SAILING: &str = "uct(scale=10, eval=perturbed, stop=visits, merge=true)";

impl Benchmark {
    /// The game and the planner that are measured, if it is a search.
    pub fn search(&self) -> Option<(&'static str, &'static str)> {
        match self.work {
            Work::Speed { game, planner, .. } | Work::Memory { game, planner, .. } => {
                Some((game, planner))
            }
            Work::Runner { .. } | Work::Own(_) => None,
        }
    }
}

const fn speed(
    name: &'static str,
    game: &'static str,
    planner: &'static str,
    iterations: u64,
) -> Benchmark {
    let what = "iterations of a search from the start position, one thread";
    Benchmark { name, what, unit: "1/s", work: Work::Speed { game, planner, iterations } }
}

/// All benchmarks.
pub fn benchmarks() -> impl Iterator<Item = &'static Benchmark> {
    [SEARCHES, klondike::BENCHMARKS, freecell::BENCHMARKS, samegame::BENCHMARKS, gdl::BENCHMARKS]
        .into_iter()
        .flatten()
}

/// The benchmarks of the foundation.
const SEARCHES: &[Benchmark] = &[
    speed("uct/tic-tac-toe/10k", "tic-tac-toe", UCT, 10_000),
    speed("uct/tic-tac-toe/200k", "tic-tac-toe", UCT, 200_000),
    speed("uct/connect-four/10k", "connect-four", UCT, 10_000),
    speed("uct/connect-four/200k", "connect-four", UCT, 200_000),
    speed("uct/pgame-2-20/20k", "pgame(branching=2, depth=20)", UCT_PGAME, 20_000),
    speed("mc/pgame-2-20/20k", "pgame(branching=2, depth=20)", "mc", 20_000),
    speed("mmmc/pgame-2-20/20k", "pgame(branching=2, depth=20)", "mmmc", 20_000),
    speed("uct/sailing-20/20k", "sailing(size=20)", UCT_SAILING, 20_000),
    speed("artdp/sailing-20/200k", "sailing(size=20)", "artdp", 200_000),
    speed("pg-id/sailing-20/20k", "sailing(size=20)", "pg-id", 20_000),
    speed("uct/tiger/20k", "tiger", "uct(scale=110)", 20_000),
    speed("alpha-beta/pgame-8-8", "pgame(branching=8, depth=8)", "alpha-beta", 1_000_000),
    speed("sparse-sampling/sailing-5", "sailing(size=5)", "sparse-sampling(depth=4)", 1_000_000),
    speed("value-iteration/sailing-20", "sailing(size=20)", "value-iteration", 1_000_000),
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

impl Benchmark {
    /// Runs it. `None` if it was cancelled.
    ///
    /// # Errors
    /// If the store of the runner's benchmark cannot be written.
    pub fn run(&self, cancel: &Cancel) -> Result<Option<Measurement>, String> {
        let registry = Registry::standard();
        let (value, signature) = match self.work {
            Work::Speed { game, planner, iterations } => {
                let game = registry.game(game).map_err(|e| e.to_string())?;
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
                let game = registry.game(game).map_err(|e| e.to_string())?;
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
            Work::Runner { units } => runner(&registry, units, cancel)?,
            Work::Own(measure) => measure(cancel)?,
        };
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let Benchmark { name, what, unit, .. } = *self;
        Ok(Some(Measurement { name, what, unit, value, signature }))
    }

    /// The signature alone, without repetitions: what tests pin. `None` where it would take long.
    pub fn signature(&self) -> Option<String> {
        let Work::Speed { game, planner, iterations } = self.work else { return None };
        let game = Registry::standard().game(game).ok()?;
        let advice =
            search(&game, planner, &Budget::iterations(iterations), &Cancel::new()).ok()?;
        Some(signature(&advice))
    }
}

fn search(
    game: &AnyGame,
    planner: &str,
    budget: &Budget,
    cancel: &Cancel,
) -> Result<Advice, String> {
    game.watch(planner, budget, 1, cancel, &mut |_| ()).map_err(|error| error.to_string())
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

fn runner(registry: &Registry, units: u64, cancel: &Cancel) -> Result<(f64, String), String> {
    let text = format!(
        "name = \"runner\"\nseed = 1\nunits = {units}\ntask = {{ kind = \"play\" }}\n\
         [[arm]]\nname = \"random\"\ngame = \"tiger(horizon=2)\"\nplanner = \"random\"\n"
    );
    let spec = Spec::parse("benchmark", &text, false).map_err(|e| e.to_string())?;
    let path = std::env::temp_dir().join(format!("patience-bench-{}.db", std::process::id()));
    let begin = Instant::now();
    let done = Store::open(&path).and_then(|mut store| {
        let options = RunOptions::default();
        run(&spec, &registry.resolve(), &mut store, &options, cancel, &mut |_| ())
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
