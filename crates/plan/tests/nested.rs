//! Nested search: NMCS is a setting of it, solutions replay, budgets hold, memory is reused.

use crate::tiny;

use patience_games::SameGame;
use patience_games::samegame::{Grid, RandomPolicy, Scoring, TabuBandit};
use patience_model::{Game, Rng};
use patience_plan::nested::{BasePolicy, Choice, Level, Limit, Nested, NestedSettings, Untried};
use patience_plan::uct::Rollout;
use patience_plan::{Budget, Cancel, Planner, Root, Search, Status, Stepped, StopReason};
use tiny::Table;

/// Nested Monte-Carlo search as Cazenave (2009) has it, written out.
fn nmcs<G: Game, B: BasePolicy<G>>(
    game: &G,
    base: &B,
    mut state: G::State,
    level: u32,
    rng: &mut Rng,
) -> (f64, Vec<G::Action>) {
    if level == 0 {
        let mut moves = Vec::new();
        let mut memory = base.begin(game, &state);
        let value = base.play(&mut memory, game, state, rng, &mut moves);
        return (value, moves);
    }
    let mut best = (f64::NEG_INFINITY, Vec::new());
    let (mut played, mut so_far) = (Vec::new(), 0.0);
    loop {
        let mut legal = Vec::new();
        game.actions(&state, &mut legal);
        if legal.is_empty() {
            return if played.is_empty() { (0.0, played) } else { best };
        }
        for &action in &legal {
            let mut next = state.clone();
            let reward = game.step(&mut next, action, rng).reward;
            let (value, rest) = nmcs(game, base, next, level - 1, rng);
            if so_far + reward + value > best.0 {
                best = (so_far + reward + value, [&played[..], &[action], &rest[..]].concat());
            }
        }
        let action = best.1[played.len()];
        so_far += game.step(&mut state, action, rng).reward;
        played.push(action);
    }
}

fn settings(levels: Vec<Level>, starts: Option<u64>) -> NestedSettings {
    NestedSettings { levels, starts }
}

/// Runs to the end and gives value and moves.
fn solve<G: Game, B: BasePolicy<G>>(
    nested: &Nested<B>,
    game: &G,
    state: G::State,
    rng: Rng,
) -> (f64, Vec<G::Action>) {
    let mut search = nested.solver(game, &Root::Certain(state), rng);
    let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    let solution = search.solution().unwrap();
    (solution.value, solution.moves.clone())
}

fn replay<G: Game>(game: &G, mut state: G::State, moves: &[G::Action]) -> f64 {
    let mut legal = Vec::new();
    let (mut sum, mut weight) = (0.0, 1.0);
    for &action in moves {
        game.actions(&state, &mut legal);
        assert!(legal.contains(&action), "{action:?} is not legal");
        sum += weight * game.step(&mut state, action, &mut Rng::new(0)).reward;
        weight *= game.discount();
    }
    game.actions(&state, &mut legal);
    assert!(legal.is_empty(), "the solution stops before the end");
    sum
}

#[test]
fn nmcs_is_a_setting_of_nested_search() {
    for level in 1..=3u32 {
        let nested =
            Nested::new(settings(vec![Level::nmcs(); level as usize], Some(1)), RandomPolicy)
                .unwrap();
        let sizes = [(8, 6, 3), (5, 5, 4), (1, 1, 2), (4, 3, 2)];
        for (seed, (width, height, colours)) in (0..).zip(sizes) {
            let grid = Grid::seeded(width, height, colours, seed).unwrap();
            let game: SameGame = SameGame::on(&grid, Scoring::default()).unwrap();
            let board = game.start(&mut Rng::new(0));
            let ours = solve(&nested, &game, board, Rng::new(seed));
            let theirs = nmcs(&game, &RandomPolicy, board, level, &mut Rng::new(seed));
            assert_eq!(ours, theirs, "level {level}, seed {seed}");
        }
        // Another game, with another policy, and rewards of both signs.
        let nested =
            Nested::new(settings(vec![Level::nmcs(); level as usize], Some(1)), Rollout::default())
                .unwrap();
        for seed in 0..20 {
            let table = Table::random(&mut Rng::new(seed), 6, 1.0);
            let ours = solve(&nested, &table, 0, Rng::new(seed));
            let theirs = nmcs(&table, &Rollout::default(), 0, level, &mut Rng::new(seed));
            assert_eq!(ours, theirs, "level {level}, table {seed}");
        }
    }
}

/// The most that one player can get, by plain recursion.
fn optimum(table: &Table, state: usize) -> f64 {
    let value = |ways: &Vec<tiny::Way>| ways[0].1 + table.discount * optimum(table, ways[0].2);
    let best = table.states[state].iter().map(value).fold(f64::NEG_INFINITY, f64::max);
    if table.states[state].is_empty() { 0.0 } else { best }
}

#[test]
fn every_setting_finds_the_optimum_of_small_games() {
    let by_action = |choice| Level::global(60, 1.0, 10.0).by_action(None, choice);
    let all: [(&str, Vec<Level>); 6] = [
        ("MCTS", vec![Level::global(4000, 1.0, 10.0)]),
        ("level 2", vec![Level::global(20, 1.0, 10.0), Level::global(200, 1.0, 10.0)]),
        ("level 2, greedy", vec![Level::global(100, 1.0, 10.0), Level::global(100, 0.0, 1.0)]),
        ("by action, sampled", vec![Level::global(20, 1.0, 10.0), by_action(Choice::MostSampled)]),
        ("by action, best", vec![Level::global(20, 1.0, 10.0), by_action(Choice::BestSolution)]),
        ("NMCS 3", vec![Level::nmcs(); 3]),
    ];
    for (name, levels) in all {
        let nested = Nested::new(settings(levels, Some(3)), Rollout::default()).unwrap();
        for seed in 0..15 {
            for discount in [1.0, 0.5] {
                let table = Table::random(&mut Rng::new(seed), 5, discount);
                let (value, moves) = solve(&nested, &table, 0, Rng::new(seed + 100));
                let best = optimum(&table, 0);
                assert!((value - best).abs() < 1e-12, "{name}, table {seed}: {value}, not {best}");
                assert_eq!(replay(&table, 0, &moves), value);
            }
        }
    }
}

#[test]
fn solutions_replay_and_never_get_worse_wherever_a_search_is_stopped() {
    let game: SameGame = SameGame::new(15, 15, 5, Scoring::default()).unwrap();
    let board = game.start(&mut Rng::new(2));
    let level_1 = Level::global(50, 0.1, 3000.0);
    let level_2 = Level::global(20, 0.0, 1.0).by_action(Some(4), Choice::BestSolution);
    let nested =
        Nested::new(settings(vec![level_1, level_2], None), TabuBandit::default()).unwrap();
    let mut search = nested.solver(&game, &Root::Certain(board), Rng::new(5));
    assert_eq!(search.solution(), None);
    let mut last = f64::NEG_INFINITY;
    for budget in [1, 2, 49, 50, 51, 333, 1000, 4001, 9000] {
        let stats = search.run(&Budget::iterations(budget), &Cancel::new());
        assert_eq!(stats.counts.iterations, budget);
        let solution = search.solution().unwrap();
        assert_eq!(replay(&game, board, &solution.moves), solution.value);
        assert!(solution.value >= last);
        last = solution.value;
        assert_eq!(search.best(), Some(solution.moves[0]));
        let visits: u64 = search.estimates().iter().map(|e| e.visits).sum();
        assert!(visits <= budget / 50 + 1, "level 2 has an iteration for 50 rollouts");
    }
    // The same stream gives the same search.
    let mut again = nested.solver(&game, &Root::Certain(board), Rng::new(5));
    while again.counts().iterations < 9000 {
        assert_eq!(again.step(), Status::Running);
    }
    assert_eq!((again.counts(), again.solution()), (search.counts(), search.solution()));
}

#[test]
fn starts_are_independent_searches_in_the_memory_of_one() {
    let game: SameGame = SameGame::new(10, 10, 4, Scoring::default()).unwrap();
    let board = game.start(&mut Rng::new(2));
    let run = |starts, iterations| {
        let level = Level::global(iterations, 0.1, 1000.0);
        let nested = Nested::new(settings(vec![level], Some(starts)), RandomPolicy).unwrap();
        assert!(Planner::<SameGame>::ends(&nested));
        let mut search = nested.solver(&game, &Root::Certain(board), Rng::new(1));
        let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
        assert_eq!(stats.counts.iterations, starts * iterations);
        stats.counts
    };
    let (one, many) = (run(1, 6400), run(64, 100));
    assert!(many.bytes * 5 < one.bytes, "{many:?} {one:?}");
    assert_eq!(many.nodes, 64 * 101, "a node per rollout and a root per start");
}

#[test]
fn a_game_that_is_over_is_no_trouble() {
    let grid: Grid = "01\n10".parse().unwrap();
    let game: SameGame = SameGame::on(&grid, Scoring::default()).unwrap();
    let board = game.start(&mut Rng::new(0));
    for levels in [vec![Level::nmcs()], vec![Level::global(100, 1.0, 1.0); 2]] {
        let nested = Nested::new(settings(levels, Some(1)), RandomPolicy).unwrap();
        let mut search = nested.search(&game, Root::Certain(board), Rng::new(1));
        assert_eq!(search.best(), None);
        let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
        assert_eq!((stats.counts.iterations, search.best()), (1, None));
        assert_eq!(search.estimates(), []);
    }
}

#[test]
fn parameters_out_of_range_are_named() {
    let good = Level::global(10, 1.0, 1.0);
    let message = |levels, starts| {
        Nested::new(settings(levels, starts), RandomPolicy).unwrap_err().to_string()
    };
    assert_eq!(message(vec![], None), "levels is 0, expected 1 to 16 levels");
    let wrong = |level| message(vec![good, level], None);
    assert!(wrong(Level { limit: Limit::Iterations(0), ..good }).starts_with("iterations is 0"));
    assert!(wrong(Level { limit: Limit::PerAction(0), ..good }).starts_with("per_action is 0"));
    assert!(wrong(Level { c: f64::NAN, ..good }).starts_with("c is NaN"));
    assert!(wrong(Level { scale: 0.0, ..good }).starts_with("scale is 0"));
    assert!(wrong(good.by_action(Some(0), Choice::MostSampled)).starts_with("actions is 0"));
    assert!(message(vec![good], Some(0)).starts_with("starts is 0"));
    assert!(
        Nested::new(
            settings(vec![Level { untried: Untried::InOrder, ..good }], None),
            RandomPolicy
        )
        .is_ok()
    );
}
