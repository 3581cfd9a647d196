//! The solver: valid, the same for a seed on any machine, stopped at any time.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use patience_games::samegame::{
    Grid, Penalty, Rewards, Scoring, SolveOptions, Solved, solution_text, solve, verify,
};
use patience_plan::{Cancel, StopReason};

fn run(grid: &Grid, scoring: Scoring, options: SolveOptions) -> Solved {
    let solved = solve(grid, scoring, &options, &Cancel::new(), &mut |_| ()).unwrap();
    let verified = verify(grid, scoring, &solution_text(&solved.solution)).unwrap();
    assert_eq!((verified.score, verified.cleared), (solved.score, solved.cleared));
    assert!(verified.over);
    solved
}

fn rollouts(n: u64, threads: usize) -> SolveOptions {
    let threads = NonZeroUsize::new(threads);
    SolveOptions { rollouts: Some(n), time: None, threads, seed: 4 }
}

#[test]
fn solutions_are_valid_for_all_rewards_and_sizes() {
    for (width, height, colours) in [(15, 15, 5), (20, 20, 10), (3, 30, 2), (1, 1, 2)] {
        let grid = Grid::seeded(width, height, colours, 9).unwrap();
        for rewards in [Rewards::SameGame, Rewards::BubbleBreaker, Rewards::Clickomania] {
            let scoring = Scoring { rewards, penalty: Penalty::Seed };
            run(&grid, scoring, rollouts(300, 2));
        }
    }
}

#[test]
fn rollouts_alone_decide_the_result() {
    let grid = Grid::seeded(15, 15, 5, 10).unwrap();
    let fixed = |threads| {
        let solved = run(&grid, Scoring::default(), rollouts(1500, threads));
        assert_eq!(solved.rollouts, 1500 * threads as u64);
        assert_eq!(solved.stop, StopReason::Iterations);
        (solved.score, solved.solution)
    };
    assert_eq!(fixed(2), fixed(2));
    assert!(fixed(3).0 >= fixed(1).0, "the first thread does the same whatever others do");
}

#[test]
fn a_perfect_score_ends_the_search() {
    let grid: Grid = "0011\n0011\n2222".parse().unwrap();
    let options = SolveOptions { time: Some(Duration::from_secs(60)), ..SolveOptions::default() };
    let solved = run(&grid, Scoring::STANDARD, options);
    assert_eq!((solved.score, solved.stop), (1000.0 + 3.0 * 4.0, StopReason::Complete));
    assert!(solved.seconds < 30.0);
}

#[test]
fn time_and_cancellation_are_kept_to() {
    let grid = Grid::seeded(15, 15, 5, 11).unwrap();
    let begin = Instant::now();
    let time = Some(Duration::from_millis(300));
    let solved = run(&grid, Scoring::default(), SolveOptions { time, ..SolveOptions::default() });
    assert_eq!(solved.stop, StopReason::Time);
    assert!(begin.elapsed() < Duration::from_secs(10));
    // Cancelled from the watcher, which sees the score rise.
    let cancel = Cancel::new();
    let mut scores = Vec::new();
    let options = SolveOptions { time: None, ..SolveOptions::default() };
    let solved = solve(&grid, Scoring::default(), &options, &cancel, &mut |progress| {
        scores.extend(progress.score);
        if scores.len() == 3 {
            cancel.cancel();
        }
    })
    .unwrap();
    assert_eq!(solved.stop, StopReason::Cancelled);
    assert!(scores.is_sorted() && scores.last() <= Some(&solved.score), "{scores:?}");
}
