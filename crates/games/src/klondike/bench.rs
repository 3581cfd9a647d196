//! Benchmarks of Klondike: playouts, the solver's nodes, and whole games by the rows of the tables.

use std::time::{Duration, Instant};

use patience_games::klondike::solver::{Solver, SolverOptions, Verdict};
use patience_games::klondike::{Deal, Klondike, Position, Rules};
use patience_lab::{Spec, Streams};
use patience_model::Rng;
use patience_plan::Cancel;

use super::{Benchmark, Work};
use crate::Registry;
use crate::specs::SPECS;

pub(super) const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "klondike/playouts",
        what: "random playouts from the starts of 100 deals, cards drawn as they turn up, one thread",
        unit: "1/s",
        work: Work::Own(playouts),
    },
    Benchmark {
        name: "klondike/solver",
        what: "nodes of the thoughtful solver on the deals of seeds 1 to 100, draw 3, one thread",
        unit: "1/s",
        work: Work::Own(solver),
    },
    row("klondike/table-1/10-samples-level-0", |c| games(c, "klondike-table-1", 0, 8)),
    row("klondike/table-1/100-samples-level-0", |c| games(c, "klondike-table-1", 1, 2)),
    row("klondike/table-1/10-samples-level-1", |c| games(c, "klondike-table-1", 2, 1)),
    row("klondike/table-1/100-samples-level-1", |c| games(c, "klondike-table-1", 3, 1)),
    row("klondike/table-2/uct-100", |c| games(c, "klondike-table-2", 0, 40)),
    row("klondike/table-2/uct-1000", |c| games(c, "klondike-table-2", 1, 4)),
    row("klondike/table-2/uct-2000", |c| games(c, "klondike-table-2", 2, 4)),
    row("klondike/table-2/hop-uct-100x20", |c| games(c, "klondike-table-2", 3, 2)),
    row("klondike/table-2/hop-uct-1000x5", |c| games(c, "klondike-table-2", 4, 2)),
    row("klondike/table-2/sparse-uct-100-width-1", |c| games(c, "klondike-table-2", 5, 40)),
    row("klondike/table-2/sparse-uct-1000-width-1", |c| games(c, "klondike-table-2", 6, 4)),
    row("klondike/table-2/sparse-uct-1000-width-5", |c| games(c, "klondike-table-2", 7, 4)),
    row("klondike/table-2/sparse-uct-1000-width-10", |c| games(c, "klondike-table-2", 8, 4)),
    row("klondike/table-2/sparse-uct-2000-width-4", |c| games(c, "klondike-table-2", 9, 4)),
    row("klondike/table-2/ensemble-uct-200x20", |c| games(c, "klondike-table-2", 10, 2)),
    row("klondike/table-2/ensemble-uct-100x10", |c| games(c, "klondike-table-2", 11, 4)),
    row("klondike/table-2/ensemble-sparse-uct-50x50", |c| games(c, "klondike-table-2", 12, 2)),
];

const fn row(name: &'static str, work: fn(&Cancel) -> Result<(f64, String), String>) -> Benchmark {
    let what = "games of a row of the paper's table, one thread";
    Benchmark { name, what, unit: "games/s", work: Work::Own(work) }
}

/// Playouts of one repetition.
const PLAYOUTS: u64 = 100_000;

fn playouts(cancel: &Cancel) -> Result<(f64, String), String> {
    let rules = Rules::default();
    let game = Klondike::new(rules).map_err(|error| error.to_string())?;
    let start = |seed| game.deal(&Deal::seeded(&rules, seed)).map(|deal| game.open(&deal));
    let starts: Vec<_> =
        (1..=100).map(start).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let measure = || {
        let mut rng = Rng::named(1, &["klondike", "playouts"]);
        let (mut won, mut moves) = (0u64, 0u64);
        let begin = Instant::now();
        for _ in 0..PLAYOUTS / 100 {
            for &start in &starts {
                let (this, count) = game.random_playout(start, &mut rng);
                won += u64::from(this);
                moves += u64::from(count);
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        (PLAYOUTS as f64 / seconds, format!("playouts={PLAYOUTS} won={won} moves={moves}"))
    };
    Ok(best_of(cancel, measure))
}

fn solver(cancel: &Cancel) -> Result<(f64, String), String> {
    let rules = Rules::default();
    let options = SolverOptions { nodes: Some(100_000), ..SolverOptions::default() };
    let mut solver = Solver::new(rules, options).map_err(|error| error.to_string())?;
    let begin = Instant::now();
    let (mut nodes, mut decided) = (0, 0);
    for seed in 1..=100 {
        let start = Position::deal(&rules, &Deal::seeded(&rules, seed));
        let solution = solver.solve(&start, cancel).map_err(|error| error.to_string())?;
        nodes += solution.nodes;
        decided += u32::from(solution.verdict != Verdict::Unknown);
    }
    let seconds = begin.elapsed().as_secs_f64();
    Ok((nodes as f64 / seconds, format!("nodes={nodes} decided={decided}")))
}

/// The first games of an arm of a spec, one after the other.
fn games(cancel: &Cancel, name: &str, arm: usize, units: u64) -> Result<(f64, String), String> {
    let found = SPECS.iter().find(|(spec, _)| *spec == name);
    let (_, text) = found.ok_or_else(|| format!("there is no spec {name}"))?;
    let spec = Spec::parse(name, text, false).map_err(|error| error.to_string())?;
    let arm = spec.arms.get(arm).ok_or_else(|| format!("{name} has no such arm"))?;
    let task = Registry::standard().task(&spec, arm).map_err(|fault| format!("{fault:?}"))?;
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

/// The best of several repetitions, because other programs only ever slow one down.
fn best_of(cancel: &Cancel, measure: impl Fn() -> (f64, String)) -> (f64, String) {
    let begin = Instant::now();
    let (mut best, signature) = measure();
    for repetition in 0.. {
        let enough = repetition >= 2 && begin.elapsed() > Duration::from_secs(2);
        if enough || cancel.is_cancelled() {
            break;
        }
        best = best.max(measure().0);
    }
    (best, signature)
}
