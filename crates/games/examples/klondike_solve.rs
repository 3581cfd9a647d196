//! Solves a range of seeded deals: `klondike_solve FIRST LAST [DRAW] [NODES]`.

use patience_games::klondike::solver::{Solver, SolverOptions, Verdict};
use patience_games::klondike::{Deal, Position, Rules, replay};
use patience_plan::Cancel;

/// CPU seconds of this thread so far.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn main() {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let argument = |i: usize, default: u64| arguments.get(i).copied().unwrap_or(default);
    let (first, last) = (argument(0, 1), argument(1, 100));
    let rules = Rules::draw(argument(2, 3) as u32).expect("1 to 3 cards are turned");
    let nodes = arguments.get(3).copied();
    let options = SolverOptions { nodes, ..SolverOptions::default() };
    let mut solver = Solver::new(rules, options).expect("redeals are not limited");
    let (mut won, mut lost, mut unknown, mut nodes) = (0u64, 0u64, 0u64, 0);
    let mut times = Vec::new();
    let seeds: Vec<u64> = match std::env::var("SEEDS") {
        Ok(text) => text.split_whitespace().filter_map(|w| w.parse().ok()).collect(),
        Err(_) => (first..=last).collect(),
    };
    for seed in seeds {
        let start = Position::deal(&rules, &Deal::seeded(&rules, seed));
        let begin = cpu();
        let solution = solver.solve(&start, &Cancel::new()).expect("a deal is a position");
        times.push(cpu() - begin);
        nodes += solution.nodes;
        if std::env::var_os("EACH").is_some() {
            println!(
                "{seed} {:?} {} {:.3}",
                solution.verdict,
                solution.nodes,
                times[times.len() - 1]
            );
        }
        match solution.verdict {
            Verdict::Won => {
                let end = replay(&rules, &start, &solution.moves).expect("a win stands");
                assert!(end.is_won(&rules));
                won += 1;
            }
            Verdict::Lost => lost += 1,
            Verdict::Unknown => unknown += 1,
        }
    }
    let total: f64 = times.iter().sum();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| 1e3 * times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "won {won} lost {lost} unknown {unknown}: {:.2}%",
        100.0 * won as f64 / times.len() as f64
    );
    println!(
        "ms: mean {:.3} median {:.3} p90 {:.3} p99 {:.3} max {:.3}; nodes {nodes}, {:.3e}/s",
        1e3 * total / times.len() as f64,
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0),
        nodes as f64 / total
    );
}
