//! P-games: the shape of trees, the distribution of values, and the oracle against plain minimax.

use patience_games::PGame;
use patience_games::pgame::{Move, MoveValues, PGameError, State};
use patience_model::{Game, Rng};
use proptest::prelude::*;

/// Plain minimax by the rules alone.
fn minimax(game: &PGame, state: &State) -> f64 {
    let mut actions = Vec::new();
    game.actions(state, &mut actions);
    let better = if game.minimising(state) { f64::min } else { f64::max };
    actions.iter().map(|&a| after(game, state, a)).reduce(better).unwrap_or(0.0)
}

/// The value of a move: its reward and the best that can follow.
fn after(game: &PGame, state: &State, action: Move) -> f64 {
    let mut next = *state;
    let step = game.step(&mut next, action, &mut Rng::new(0));
    step.reward + minimax(game, &next)
}

fn values() -> impl Strategy<Value = MoveValues> {
    prop_oneof![Just(MoveValues::Uniform), Just(MoveValues::PlusMinusOne)]
}

proptest! {
    #[test]
    fn the_oracle_is_minimax(
        (branching, depth) in (1u32..=5).prop_flat_map(|b| (Just(b), 1u32..=7)),
        values in values(),
        seed: u64,
        moves in prop::collection::vec(any::<u16>(), 0..7),
    ) {
        let game = PGame::new(branching, depth, values).unwrap();
        let mut state = game.tree(seed);
        // Oracles are asked in the middle of a game, too, with either player to move.
        for number in moves.into_iter().take(depth as usize) {
            game.step(&mut state, Move(number % branching as u16), &mut Rng::new(0));
        }
        let mut actions = Vec::new();
        game.actions(&state, &mut actions);
        let plain: Vec<_> = actions.iter().map(|&a| (a, after(&game, &state, a))).collect();
        prop_assert_eq!(game.minimax_values(&state), plain);
    }

    #[test]
    fn the_sum_decides(seed: u64, depth in 1u32..40, values in values(), choices: u64) {
        let game = PGame::new(2, depth, values).unwrap();
        let mut state = game.tree(seed);
        let mut sum = 0;
        for ply in 0..depth {
            let before = state;
            let action = Move((choices >> ply & 1) as u16);
            let step = game.step(&mut state, action, &mut Rng::new(0));
            let value = state.sum() - before.sum();
            sum += value;
            match (values, ply % 2) {
                (MoveValues::Uniform, 0) => prop_assert!((0..=127).contains(&value)),
                (MoveValues::Uniform, _) => prop_assert!((-127..=0).contains(&value)),
                (MoveValues::PlusMinusOne, _) => prop_assert_eq!(value.abs(), 1),
            }
            let last = if sum > 0 { 1.0 } else if sum < 0 { 0.0 } else { 0.5 };
            prop_assert_eq!(step.reward, if ply + 1 == depth { last } else { 0.0 });
        }
        prop_assert_eq!(state.sum(), sum);
    }
}

/// The values of a node's first `n` moves.
fn move_values(game: &PGame, state: &State, n: u16) -> Vec<i32> {
    let value = |number| {
        let mut next = *state;
        game.step(&mut next, Move(number), &mut Rng::new(0));
        next.sum() - state.sum()
    };
    (0..n).map(value).collect()
}

/// Values are uniform, and those of siblings, and of parent and child, do not tell of each other.
#[test]
fn values_are_uniform_and_independent() {
    let game = PGame::new(8, 8, MoveValues::Uniform).unwrap();
    const TREES: u64 = 100_000;
    let mut counts = [0u64; 128];
    // Co-occurrence of coarse values (16 classes) of: two siblings; a move and the next one.
    let (mut siblings, mut generations) = ([[0u64; 16]; 16], [[0u64; 16]; 16]);
    for seed in 0..TREES {
        let root = game.tree(seed);
        let values = move_values(&game, &root, 8);
        for value in &values {
            counts[*value as usize] += 1;
        }
        let (a, b) = (seed as usize % 8, (seed as usize / 8 + 1 + seed as usize) % 8);
        if a != b {
            siblings[values[a] as usize / 8][values[b] as usize / 8] += 1;
        }
        let mut child = root;
        game.step(&mut child, Move(a as u16), &mut Rng::new(0));
        let reply = -move_values(&game, &child, b as u16 + 1)[b];
        generations[values[a] as usize / 8][reply as usize / 8] += 1;
    }
    // Chi-square has mean f and variance 2f at f degrees of freedom.
    let chi_square = |counts: &[u64]| {
        let mean = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
        counts.iter().map(|c| (*c as f64 - mean).powi(2) / mean).sum::<f64>()
    };
    for (name, counts) in [
        ("values", &counts[..]),
        ("siblings", siblings.as_flattened()),
        ("generations", generations.as_flattened()),
    ] {
        let freedom = counts.len() as f64 - 1.0;
        let chi = chi_square(counts);
        let off = (chi - freedom) / (2.0 * freedom).sqrt();
        assert!(off.abs() < 5.0, "{name}: chi-square {chi} at {freedom}");
    }
}

#[test]
fn plus_and_minus_are_even() {
    let game = PGame::new(8, 8, MoveValues::PlusMinusOne).unwrap();
    let trees = 20_000;
    let plus: usize = (0..trees)
        .map(|seed| move_values(&game, &game.tree(seed), 8).iter().filter(|v| **v > 0).count())
        .sum();
    let n = trees as f64 * 8.0;
    assert!((plus as f64 - n / 2.0).abs() < 5.0 * (n / 4.0).sqrt(), "{plus} of {n}");
}

/// The paper's two shapes, by the oracle and by counting: both moves of a root can be right or
/// wrong, and the oracle tells them apart in most trees.
#[test]
fn the_papers_trees_are_worth_searching() {
    for (branching, depth) in [(2, 20), (8, 8)] {
        let game = PGame::new(branching, depth, MoveValues::Uniform).unwrap();
        let mut kinds = [0; 3];
        for seed in 0..200 {
            let values = game.minimax_values(&game.tree(seed));
            let best = values.iter().map(|v| v.1).fold(0.0, f64::max);
            let right = values.iter().filter(|v| v.1 == best).count();
            kinds[if right == values.len() { 2 } else { usize::from(best == 1.0) }] += 1;
        }
        assert!(kinds[0] + kinds[1] > 20, "B={branching} D={depth}: {kinds:?}");
    }
}

/// Stored experiments must go on with the same trees: these numbers are never to be changed.
#[test]
fn trees_are_pinned() {
    let game = PGame::new(4, 3, MoveValues::Uniform).unwrap();
    assert_eq!(move_values(&game, &game.tree(1), 4), [29, 124, 83, 24]);
    let mut state = game.tree(1);
    game.step(&mut state, Move(2), &mut Rng::new(0));
    assert_eq!(move_values(&game, &state, 4), [-32, -16, -26, -69]);
}

#[test]
fn a_game_over_has_no_moves() {
    let game = PGame::new(2, 1, MoveValues::Uniform).unwrap();
    let mut state = game.tree(3);
    game.step(&mut state, Move(1), &mut Rng::new(0));
    assert_eq!(game.minimax_values(&state), []);
}

#[test]
fn the_deepest_game_can_be_solved_where_it_is_narrow() {
    let game = PGame::new(1, PGame::MAX_DEPTH.into(), MoveValues::PlusMinusOne).unwrap();
    assert_eq!(game.minimax_values(&game.tree(5)).len(), 1);
}

#[test]
fn wrong_shapes_are_refused() {
    let new = |b, d| PGame::new(b, d, MoveValues::Uniform);
    assert_eq!(new(0, 5), Err(PGameError::Branching(0)));
    assert_eq!(new(70_000, 5), Err(PGameError::Branching(70_000)));
    assert_eq!(new(2, 0), Err(PGameError::Depth(0)));
    assert_eq!(new(2, 1_001), Err(PGameError::Depth(1_001)));
    let message = new(2, 0).unwrap_err().to_string();
    assert_eq!(message, "the depth of a P-game must be from 1 to 1000, not 0");
}
