//! The upper bound of a board against trying everything.

use std::collections::HashMap;

use patience_games::SameGame;
use patience_games::samegame::{Cell, Grid, Penalty, Rewards, Scoring};
use patience_model::{Game, Rng, Text};

/// What the best play from a board brings.
fn optimum(
    game: &SameGame,
    board: &<SameGame as Game>::State,
    known: &mut HashMap<String, f64>,
) -> f64 {
    let key = game.state_text(board);
    if let Some(value) = known.get(&key) {
        return *value;
    }
    let mut legal: Vec<Cell> = Vec::new();
    game.actions(board, &mut legal);
    let mut best = f64::NEG_INFINITY;
    for action in legal {
        let mut next = *board;
        let reward = game.step(&mut next, action, &mut Rng::new(0)).reward;
        best = best.max(reward + optimum(game, &next, known));
    }
    let value = if best.is_finite() { best } else { 0.0 };
    known.insert(key, value);
    value
}

/// No play brings more than the bound, and some boards reach it: a bound that is any lower is wrong.
#[test]
fn no_play_beats_the_bound_and_some_reach_it() {
    let scorings = [
        Scoring { rewards: Rewards::SameGame, penalty: Penalty::None },
        Scoring { rewards: Rewards::SameGame, penalty: Penalty::Seed },
        Scoring { rewards: Rewards::SameGame, penalty: Penalty::AboveTwo },
        Scoring { rewards: Rewards::BubbleBreaker, penalty: Penalty::None },
        Scoring { rewards: Rewards::Clickomania, penalty: Penalty::None },
    ];
    let mut reached = [0; 5];
    for seed in 0..60 {
        let (width, height) = [(3, 3), (4, 3), (2, 5), (4, 4)][seed as usize % 4];
        let grid = Grid::seeded(width, height, 2 + seed as usize % 2, seed).unwrap();
        for (scoring, reached) in scorings.into_iter().zip(&mut reached) {
            let game: SameGame = SameGame::on(&grid, scoring).unwrap();
            let board = game.start(&mut Rng::new(0));
            let mut known = HashMap::new();
            let best = optimum(&game, &board, &mut known);
            let mut legal = Vec::new();
            game.actions(&board, &mut legal);
            if !legal.is_empty() {
                let bound = game.bound(&board);
                assert!(best <= bound, "{best} > {bound}, {scoring:?}\n{grid}");
                *reached += u32::from(best == bound);
            }
        }
    }
    assert!(reached.iter().all(|&boards| boards >= 3), "{reached:?}");
}
