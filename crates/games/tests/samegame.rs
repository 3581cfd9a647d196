//! SameGame: the fast engine against the plain one, invariants, rewards and rollout policies.

use std::collections::HashMap;

use patience_games::SameGame;
use patience_games::samegame::{
    Bandit, Board, Cell, Grid, LargeSameGame, Penalty, RandomPolicy, Rewards, Scoring, TabuBandit,
    TabuColor, Word, solution_text, verify,
};
use patience_model::{Game, Keyed, Rng, conformance};
use patience_plan::nested::BasePolicy;
use proptest::prelude::*;

fn scoring(number: u64) -> Scoring {
    let rewards = [Rewards::SameGame, Rewards::BubbleBreaker, Rewards::Clickomania];
    let penalty = [Penalty::None, Penalty::Seed, Penalty::AboveTwo];
    Scoring { rewards: rewards[number as usize % 3], penalty: penalty[number as usize / 3 % 3] }
}

/// The end's reward, written out from the paper's words.
fn end(scoring: Scoring, grid: &Grid) -> f64 {
    if scoring.rewards != Rewards::SameGame {
        return 0.0;
    }
    if grid.columns().is_empty() {
        return 1000.0;
    }
    let mut charge = 0.0;
    for left in grid.counts() {
        let square = (f64::from(left) - 2.0).powi(2);
        charge += match (scoring.penalty, left) {
            (_, 0) | (Penalty::None, _) | (Penalty::AboveTwo, 1 | 2) => 0.0,
            _ => square,
        };
    }
    -charge
}

/// Plays a game at random on both engines and compares all that they say.
fn compare<W: Word, const N: usize>(game: &SameGame<W, N>, grid: &Grid, rng: &mut Rng) {
    let (mut slow, mut fast) = (grid.clone(), game.board(grid).unwrap());
    let mut legal = Vec::new();
    loop {
        assert_eq!(game.grid(&fast).columns(), slow.columns());
        assert_eq!(fast, game.board(&slow).unwrap(), "links differ from those found anew");
        assert_eq!(fast.counts()[1..=10], slow.counts());
        game.actions(&fast, &mut legal);
        assert_eq!(legal, slow.moves());
        assert_eq!(fast.is_over(), legal.is_empty());
        if legal.is_empty() {
            return;
        }
        // Any tile of the group will do.
        let group = slow.group(rng.pick(&legal));
        let action = rng.pick(&group);
        let size = slow.play(action).unwrap() as f64;
        let mut expected = match game.scoring().rewards {
            Rewards::SameGame => (size - 2.0) * (size - 2.0),
            Rewards::BubbleBreaker => size * (size - 1.0),
            Rewards::Clickomania => size,
        };
        if slow.moves().is_empty() {
            expected += end(game.scoring(), &slow);
        }
        assert_eq!(game.step(&mut fast, action, rng).reward, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_fast_engine_is_the_plain_one(
        width in 1usize..=16, height in 1usize..=16, colours in 2usize..=10, seed: u64
    ) {
        let mut rng = Rng::new(seed);
        let grid = Grid::random(width, height, colours, &mut rng).unwrap();
        let game: SameGame = SameGame::new(width, height, colours, scoring(seed)).unwrap();
        compare(&game, &grid, &mut rng);
        let large = LargeSameGame::new(width, height, colours, scoring(seed)).unwrap();
        compare(&large, &grid, &mut rng);
    }

    #[test]
    fn a_written_board_reads_as_itself(
        width in 1usize..=32, height in 1usize..=32, colours in 2usize..=10, seed: u64
    ) {
        let grid = Grid::seeded(width, height, colours, seed).unwrap();
        prop_assert_eq!(grid.to_string().parse::<Grid>().unwrap(), grid);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[0-9.#a-zA-F \n]{0,80}", words in "[a-cA-F0-9 \n]{0,40}") {
        let _ = text.parse::<Grid>();
        let grid = Grid::seeded(3, 3, 2, 1).unwrap();
        let _ = verify(&grid, Scoring::default(), &text);
        let _ = verify(&grid, Scoring::default(), &words);
    }
}

#[test]
fn large_boards_too() {
    let mut rng = Rng::new(5);
    for (width, height, colours) in
        [(32, 32, 3), (32, 32, 10), (17, 32, 2), (32, 1, 2), (20, 20, 10)]
    {
        let game = LargeSameGame::new(width, height, colours, Scoring::default()).unwrap();
        for _ in 0..3 {
            let grid = Grid::random(width, height, colours, &mut rng).unwrap();
            compare(&game, &grid, &mut rng);
        }
    }
}

#[test]
fn boards_of_one_colour_and_stripes() {
    // Whole columns vanish, to the very edge of the words.
    for text in [
        "0".repeat(16),
        vec!["0".repeat(16); 16].join("\n"),
        vec!["0123012301230123"; 16].join("\n"),
    ] {
        let grid: Grid = text.parse().unwrap();
        let game: SameGame = SameGame::on(&grid, Scoring::default()).unwrap();
        compare(&game, &grid, &mut Rng::new(1));
    }
    let stripes = ["0".repeat(32), "1".repeat(32)];
    let text = (0..32).map(|row| stripes[row % 2].clone()).collect::<Vec<_>>().join("\n");
    let grid: Grid = text.parse().unwrap();
    compare(&LargeSameGame::on(&grid, Scoring::default()).unwrap(), &grid, &mut Rng::new(1));
}

#[test]
fn the_suite() {
    for (number, (width, height, colours)) in
        (0..).zip([(15, 15, 5), (4, 3, 2), (16, 16, 10), (1, 8, 2)])
    {
        let game: SameGame = SameGame::new(width, height, colours, scoring(number)).unwrap();
        conformance::of(&game).keyed().undoes().outcomes().games(20).samples(3).check();
    }
    let large = LargeSameGame::new(20, 20, 10, Scoring::default()).unwrap();
    conformance::of(&large).keyed().undoes().outcomes().games(5).samples(3).check();
}

/// Plays boards out by a policy and checks score, parity and bound against the validator.
fn invariants<P: BasePolicy<SameGame>>(policy: &P, scoring: Scoring) -> u32 {
    let mut cleared = 0;
    for seed in 0..300 {
        let grid = Grid::seeded(15, 15, 3, seed).unwrap();
        let game: SameGame = SameGame::on(&grid, scoring).unwrap();
        let mut rng = Rng::new(seed);
        let board = game.start(&mut rng);
        let mut memory = policy.begin(&game, &board);
        let mut moves = Vec::new();
        let score = policy.play(&mut memory, &game, board, &mut rng, &mut moves);
        policy.learn(&mut memory, score);
        let verified = verify(&grid, scoring, &solution_text(&moves)).unwrap();
        assert!(verified.over);
        assert_eq!((verified.score, &verified.moves), (score, &moves));
        assert!(score <= game.bound(&board));
        if verified.cleared {
            cleared += 1;
            if scoring.rewards == Rewards::SameGame {
                // 225 tiles: (n − 2)² is odd with n, and an odd sum has an odd number of odd parts.
                assert_eq!(score.rem_euclid(2.0), 1.0);
            }
        }
    }
    cleared
}

#[test]
fn rollouts_are_legal_and_score_what_the_validator_says() {
    for number in 0..9 {
        invariants(&RandomPolicy, scoring(number));
        let cleared = invariants(&TabuColor, scoring(number));
        assert!(cleared > 0, "the parity was never looked at");
        invariants(&TabuBandit::default(), scoring(number));
    }
}

/// How often each first move is made in many rollouts.
fn first_moves<P: BasePolicy<SameGame>>(policy: &P, grid: &Grid, n: u32) -> HashMap<Cell, u32> {
    let game: SameGame = SameGame::on(grid, Scoring::default()).unwrap();
    let mut rng = Rng::new(3);
    let mut counts = HashMap::new();
    let mut moves = Vec::new();
    let board = game.start(&mut rng);
    for _ in 0..n {
        moves.clear();
        let mut memory = policy.begin(&game, &board);
        policy.play(&mut memory, &game, board, &mut rng, &mut moves);
        *counts.entry(moves[0]).or_default() += 1;
    }
    counts
}

#[test]
fn every_group_is_drawn_alike_however_large_or_crooked() {
    // A comb with three teeth upward (several corners), pairs, and a ring.
    let grid: Grid = "1213144\n1212130\n1111110\n2000222\n3030332\n4000222".parse().unwrap();
    let expected = grid.moves();
    let counts = first_moves(&RandomPolicy, &grid, 20_000);
    assert_eq!(counts.len(), expected.len());
    let mean = 20_000.0 / expected.len() as f64;
    for cell in expected {
        let distance = (f64::from(counts[&cell]) - mean) / mean.sqrt();
        assert!(distance.abs() < 4.5, "{cell}: {} of {mean}", counts[&cell]);
    }
}

#[test]
fn the_tabu_colour_waits_until_nothing_else_can_be_played() {
    let grid = Grid::seeded(15, 15, 5, 11).unwrap();
    let counts = grid.counts();
    let tabu = (0..10u8).rev().max_by_key(|&c| counts[usize::from(c)]).unwrap();
    let game: SameGame = SameGame::on(&grid, Scoring::default()).unwrap();
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let mut moves = Vec::new();
        let board = game.start(&mut rng);
        TabuColor.play(&mut (), &game, board, &mut rng, &mut moves);
        let mut left = grid.clone();
        for cell in moves {
            if left.colour(cell) == Some(tabu) {
                assert!(left.moves().iter().all(|&m| left.colour(m) == Some(tabu)));
            }
            left.play(cell);
        }
    }
}

#[test]
fn the_bandit_finds_the_better_choice() {
    let mut bandit = Bandit::new(4, 1.0);
    let mut rng = Rng::new(8);
    for _ in 0..4000 {
        let choice = bandit.choose(&mut rng);
        let mean = [1000.0, 1400.0, 2000.0, 1200.0][choice];
        bandit.learn(mean + 600.0 * (rng.unit() - 0.5));
    }
    let made: Vec<u64> = bandit.tallies().map(|(made, _)| made).collect();
    assert_eq!(made.iter().sum::<u64>(), 4000);
    assert!(made[2] > 2500, "{made:?}");
    assert!(made.iter().all(|&n| n > 1), "{made:?}");
}

#[test]
fn keys_tell_boards_apart() {
    let game: SameGame = SameGame::new(5, 5, 3, Scoring::default()).unwrap();
    let board =
        |seed| -> Board<u64, 16> { game.board(&Grid::seeded(5, 5, 3, seed).unwrap()).unwrap() };
    assert_eq!(game.key(&board(1)), game.key(&board(1)));
    assert_ne!(game.key(&board(1)), game.key(&board(2)));
}

#[test]
fn boards_of_a_seed_never_change() {
    let grid = Grid::seeded(6, 3, 5, 1).unwrap();
    assert_eq!(grid.to_string(), SEED_1);
    let game: SameGame = SameGame::new(6, 3, 5, Scoring::default()).unwrap();
    let started = game.start(&mut Rng::named(1, &["samegame"]));
    assert_eq!(game.grid(&started), grid, "a game's start and a seed's board are drawn alike");
}

const SEED_1: &str = "220331\n214144\n421304";
