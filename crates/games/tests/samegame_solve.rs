//! The solver: valid, the same for a stream on any machine, stopped and gone on with at any time.

use std::time::Duration;

use patience_games::SameGame;
use patience_games::samegame::{
    Cell, Grid, LargeSameGame, Penalty, Portfolio, Rewards, Scoring, Word, solution_text, verify,
};
use patience_model::{Game, Rng};
use patience_plan::{
    Budget, Cancel, Finding, Planner, Root, Search, Stats, Status, StopReason, Verdict, watched,
};

fn start<W: Word, const N: usize>(
    game: &SameGame<W, N>,
    threads: usize,
) -> Box<dyn Search<SameGame<W, N>> + '_> {
    let root = Root::Certain(game.start(&mut Rng::new(0)));
    Portfolio { threads }.search(game, root, Rng::new(4))
}

fn small(grid: &Grid, scoring: Scoring) -> SameGame {
    SameGame::on(grid, scoring).unwrap()
}

/// Replays what was found.
#[track_caller]
fn check(grid: &Grid, scoring: Scoring, found: &Finding<Cell>) {
    let verified = verify(grid, scoring, &solution_text(&found.moves)).unwrap();
    assert!(verified.over);
    assert_eq!(found.value, Some(verified.score));
    assert_eq!(found.bounds.lower, found.value);
    assert!(found.bounds.upper >= found.value);
    assert_eq!(found.verdict == Verdict::Optimal, found.bounds.upper == found.value);
}

fn run(
    grid: &Grid,
    scoring: Scoring,
    threads: usize,
    budget: Budget,
) -> (Finding<Cell>, StopReason, u64) {
    let game = small(grid, scoring);
    let mut search = start(&game, threads);
    let stats = search.run(&budget, &Cancel::new());
    let found = search.finding();
    check(grid, scoring, &found);
    (found, stats.stop.unwrap(), stats.counts.iterations)
}

#[test]
fn solutions_are_valid_for_all_rewards_and_sizes() {
    for (width, height, colours) in [(15, 15, 5), (20, 20, 10), (3, 30, 2), (1, 1, 2)] {
        let grid = Grid::seeded(width, height, colours, 9).unwrap();
        for rewards in [Rewards::SameGame, Rewards::BubbleBreaker, Rewards::Clickomania] {
            let scoring = Scoring { rewards, penalty: Penalty::Seed };
            let budget = Budget::iterations(600);
            if SameGame::<u64, 16>::fits(width, height) {
                run(&grid, scoring, 2, budget);
            } else {
                let game = LargeSameGame::on(&grid, scoring).unwrap();
                let mut search = start(&game, 2);
                search.run(&budget, &Cancel::new());
                check(&grid, scoring, &search.finding());
            }
        }
    }
}

#[test]
fn rollouts_alone_decide_the_result() {
    let grid = Grid::seeded(15, 15, 5, 10).unwrap();
    let fixed = |threads, rollouts| {
        let budget = Budget::iterations(rollouts);
        let (found, stop, iterations) = run(&grid, Scoring::default(), threads, budget);
        assert_eq!((stop, iterations), (StopReason::Iterations, rollouts));
        found
    };
    assert_eq!(fixed(2, 3001), fixed(2, 3001));
    assert_eq!(fixed(3, 2), fixed(2, 2), "a thread without a share does nothing");
    let (one, three) = (fixed(1, 1500), fixed(3, 4500));
    assert!(three.value >= one.value, "the first thread does the same whatever others do");
    assert_ne!(one, fixed(1, 1501 * 3), "more rollouts change something");
}

#[test]
fn an_interrupted_search_goes_on_as_if_nothing_had_been() {
    let grid = Grid::seeded(15, 15, 5, 12).unwrap();
    let game = small(&grid, Scoring::default());
    let budget = Budget::iterations(6001);
    let go = Cancel::new();
    for threads in [1, 2] {
        let mut once = start(&game, threads);
        let stats = once.run(&budget, &go);
        let expected = (once.finding(), stats.counts.iterations, stats.counts.model_calls);
        let account = |search: &dyn Search<SameGame>| {
            let counts = search.counts();
            (search.finding(), counts.iterations, counts.model_calls)
        };
        let mut pieces = start(&game, threads);
        pieces.within(&budget);
        for iterations in [1, 2, 777, 3100] {
            let stats = pieces.drive(&Budget::iterations(iterations), &go);
            assert_eq!(stats.stop, Some(StopReason::Iterations));
            assert!((iterations..6001).contains(&stats.counts.iterations));
        }
        pieces.drive(&budget, &go);
        assert_eq!(account(&*pieces), expected);
        // Watching interrupts too.
        let mut seen = start(&game, threads);
        watched(&mut *seen, &budget, &go, &mut |_, _| ());
        assert_eq!(account(&*seen), expected);
        // And so does whoever steps it by hand, without threads.
        let mut stepped = start(&game, threads);
        stepped.within(&budget);
        while stepped.counts().iterations < 6001 {
            assert_eq!(stepped.step(), Status::Running);
        }
        assert_eq!(account(&*stepped), expected);
    }
}

#[test]
fn a_search_goes_on_with_a_larger_budget() {
    let grid = Grid::seeded(15, 15, 5, 13).unwrap();
    let game = small(&grid, Scoring::default());
    let mut search = start(&game, 2);
    let mut best = None;
    for rollouts in [10, 500, 4000] {
        let stats = search.run(&Budget::iterations(rollouts), &Cancel::new());
        assert_eq!(stats.counts.iterations, rollouts);
        check(&grid, Scoring::default(), &search.finding());
        assert!(search.finding().value >= best);
        best = search.finding().value;
    }
}

#[test]
fn a_perfect_score_ends_the_search() {
    let grid: Grid = "0011\n0011\n2222".parse().unwrap();
    for threads in [1, 3] {
        for budget in [Budget::UNLIMITED, Budget::iterations(30_000)] {
            let (found, stop, iterations) = run(&grid, Scoring::STANDARD, threads, budget);
            assert_eq!((found.value, stop), (Some(1000.0 + 3.0 * 4.0), StopReason::Complete));
            assert_eq!(found.verdict, Verdict::Optimal);
            assert!(iterations < 30_000);
        }
    }
}

#[test]
fn without_a_move_there_is_nothing_to_search() {
    for text in ["01\n10", "."] {
        let grid: Grid = text.parse().unwrap();
        let game = small(&grid, Scoring::STANDARD);
        let mut search = start(&game, 2);
        let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
        assert_eq!((stats.stop, stats.counts.iterations), (Some(StopReason::Complete), 0));
        let found = search.finding();
        assert_eq!((found.verdict, found.value), (Verdict::Optimal, Some(0.0)));
        assert_eq!((found.moves, search.best()), (Vec::new(), None));
    }
}

#[test]
fn the_bound_is_known_before_the_first_rollout() {
    let grid: Grid = "0011\n0011\n2222".parse().unwrap();
    let game = small(&grid, Scoring::STANDARD);
    let search = start(&game, 1);
    let found = search.finding();
    assert_eq!((found.verdict, found.value), (Verdict::Unknown, None));
    assert_eq!((found.bounds.lower, found.bounds.upper), (None, Some(1012.0)));
    assert!(search.best().is_some_and(|cell| grid.moves().contains(&cell)));
}

#[test]
fn time_and_cancellation_are_kept_to() {
    let grid = Grid::seeded(15, 15, 5, 11).unwrap();
    let budget = Budget::time(Duration::from_millis(300));
    assert_eq!(run(&grid, Scoring::default(), 2, budget).1, StopReason::Time);
    // Cancelled from the watcher, which sees the score rise.
    let cancel = Cancel::new();
    let mut scores = Vec::new();
    let game = small(&grid, Scoring::default());
    let mut search = start(&game, 2);
    let mut watch = |search: &dyn Search<SameGame>, _: &Stats| {
        scores.extend(search.finding().value);
        if scores.len() == 3 {
            cancel.cancel();
        }
    };
    let stats = watched(&mut *search, &Budget::UNLIMITED, &cancel, &mut watch);
    assert_eq!(stats.stop, Some(StopReason::Cancelled));
    assert!(scores.is_sorted() && scores.last().copied() <= search.finding().value, "{scores:?}");
}
