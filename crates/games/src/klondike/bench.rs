//! Benchmarks of Klondike: playouts, the solver's nodes, and whole games by the rows of the tables.

use std::time::{Duration, Instant};

use patience_catalogue::{Benchmark, Measured};
use patience_model::Rng;
use patience_plan::{Budget, Cancel, Planner, Root, Search};

use super::solver::Thoughtful;
use super::{Deal, Klondike, KlondikeTable, Position, Rules, Scoring};

pub(super) const BENCHMARKS: &[Benchmark] = &[
    Benchmark::own(
        "klondike/playouts",
        "random playouts from the starts of 100 deals, cards drawn as they turn up, one thread",
        "1/s",
        playouts,
    ),
    Benchmark::own(
        "klondike/solver",
        "nodes of the thoughtful solver on the deals of seeds 1 to 100, draw 3, one thread",
        "1/s",
        solver,
    ),
    Benchmark::arm("klondike/table-1/10-samples-level-0", "klondike-table-1", 0, 8),
    Benchmark::arm("klondike/table-1/100-samples-level-0", "klondike-table-1", 1, 2),
    Benchmark::arm("klondike/table-1/10-samples-level-1", "klondike-table-1", 2, 1),
    Benchmark::arm("klondike/table-1/100-samples-level-1", "klondike-table-1", 3, 1),
    Benchmark::arm("klondike/table-2/uct-100", "klondike-table-2", 0, 40),
    Benchmark::arm("klondike/table-2/uct-1000", "klondike-table-2", 1, 4),
    Benchmark::arm("klondike/table-2/uct-2000", "klondike-table-2", 2, 4),
    Benchmark::arm("klondike/table-2/hop-uct-100x20", "klondike-table-2", 3, 2),
    Benchmark::arm("klondike/table-2/hop-uct-1000x5", "klondike-table-2", 4, 2),
    Benchmark::arm("klondike/table-2/sparse-uct-100-width-1", "klondike-table-2", 5, 40),
    Benchmark::arm("klondike/table-2/sparse-uct-1000-width-1", "klondike-table-2", 6, 4),
    Benchmark::arm("klondike/table-2/sparse-uct-1000-width-5", "klondike-table-2", 7, 4),
    Benchmark::arm("klondike/table-2/sparse-uct-1000-width-10", "klondike-table-2", 8, 4),
    Benchmark::arm("klondike/table-2/sparse-uct-2000-width-4", "klondike-table-2", 9, 4),
    Benchmark::arm("klondike/table-2/ensemble-uct-200x20", "klondike-table-2", 10, 2),
    Benchmark::arm("klondike/table-2/ensemble-uct-100x10", "klondike-table-2", 11, 4),
    Benchmark::arm("klondike/table-2/ensemble-sparse-uct-50x50", "klondike-table-2", 12, 2),
];

/// Playouts of one repetition.
const PLAYOUTS: u64 = 100_000;

fn playouts(cancel: &Cancel) -> Measured {
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

fn solver(cancel: &Cancel) -> Measured {
    let rules = Rules::default();
    let table = KlondikeTable::new(rules, Scoring::Win);
    let budget = Budget::iterations(100_000);
    let mut search: Option<Box<dyn Search<KlondikeTable> + '_>> = None;
    let begin = Instant::now();
    let (mut nodes, mut decided) = (0, 0);
    for seed in 1..=100 {
        let start = Position::deal(&rules, &Deal::seeded(&rules, seed));
        let root = || Root::Certain(start.clone());
        // The memory of the table is used again.
        if !search.as_mut().is_some_and(|search| search.restart(root(), Rng::new(0))) {
            search = Some(Thoughtful::default().search(&table, root(), Rng::new(0)));
        }
        let Some(search) = &mut search else { break };
        nodes += search.run(&budget, cancel).counts.iterations;
        let verdict = search.finding().verdict;
        decided += u32::from(verdict.is_solved() || verdict.is_proven());
    }
    let seconds = begin.elapsed().as_secs_f64();
    Ok((nodes as f64 / seconds, format!("nodes={nodes} decided={decided}")))
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
