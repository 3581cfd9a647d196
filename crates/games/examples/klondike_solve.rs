//! Solves a range of seeded deals: `klondike_solve FIRST LAST [DRAW] [NODES] [each]`.

use std::time::Instant;

use patience_games::klondike::solver::{Solver, SolverOptions, Verdict};
use patience_games::klondike::{Deal, Position, Rules, replay};
use patience_plan::Cancel;

/// CPU seconds so far, where the system tells.
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
    let each = std::env::args().any(|a| a == "each");
    let options = SolverOptions { nodes, ..SolverOptions::default() };
    let mut solver = Solver::new(rules, options).expect("redeals are not limited");
    let (mut won, mut lost, mut unknown, mut nodes) = (0u64, 0u64, 0u64, 0);
    let (mut times, mut total) = (Vec::new(), 0.0);
    for seed in first..=last {
        let start = Position::deal(&rules, &Deal::seeded(&rules, seed));
        let (begin, used) = (Instant::now(), cpu());
        let solution = solver.solve(&start, &Cancel::new()).expect("a deal is a position");
        times.push(begin.elapsed().as_secs_f64());
        total += cpu() - used;
        nodes += solution.nodes;
        if each {
            let moves = solution.moves.len();
            println!("{seed}: {:?}, {} nodes, {moves} moves", solution.verdict, solution.nodes);
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
    times.sort_by(f64::total_cmp);
    let at = |share: f64| 1e3 * times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "won {won} lost {lost} unknown {unknown}: {:.2}%",
        100.0 * won as f64 / times.len() as f64
    );
    println!(
        "CPU ms: mean {:.3}; ms: median {:.3} p90 {:.3} p99 {:.3} max {:.3}; nodes {nodes}, {:.3e} per CPU second",
        1e3 * total / times.len() as f64,
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0),
        nodes as f64 / total
    );
}
