//! SameGame's speeds on 15×15 boards of five colours, one thread.
//!
//! `cargo run --release -p patience-games --example samegame_speed`

use std::hint::black_box;
use std::time::{Duration, Instant};

use patience_games::SameGame;
use patience_games::samegame::{
    Board, Grid, GroupCodes, LargeSameGame, RandomPolicy, Scoring, TabuBandit, TabuColor, Word,
};
use patience_model::Rng;
use patience_plan::nested::{BasePolicy, Solver};
use patience_plan::nrpa::{Nrpa, NrpaSettings};
use patience_plan::{Budget, Cancel, Root, Search};

fn measure<W: Word, const N: usize, P: BasePolicy<SameGame<W, N>>>(
    name: &str,
    game: &SameGame<W, N>,
    boards: &[Board<W, N>],
    policy: &P,
) {
    let mut rng = Rng::named(1, &["samegame speed", name]);
    let mut moves = Vec::new();
    let (mut count, mut steps, mut total) = (0u64, 0u64, 0.0);
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(1) {
        for board in boards {
            let mut memory = policy.begin(game, board);
            for _ in 0..200 {
                moves.clear();
                let score = policy.play(&mut memory, game, *board, &mut rng, &mut moves);
                policy.learn(&mut memory, score);
                total += black_box(score);
                steps += moves.len() as u64;
                count += 1;
            }
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{name:28} {:>9.0} rollouts/s {:>6.1} moves {:>6.1} ns/move {:>8.1} mean score",
        count as f64 / seconds,
        steps as f64 / count as f64,
        seconds * 1e9 / steps as f64,
        total / count as f64
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game: SameGame = SameGame::new(15, 15, 5, Scoring::default())?;
    let boards_15 = (0..20)
        .map(|seed| game.board(&Grid::seeded(15, 15, 5, seed)?))
        .collect::<Result<Vec<_>, _>>()?;
    measure("random", &game, &boards_15, &RandomPolicy);
    measure("tabu colour", &game, &boards_15, &TabuColor);
    measure("informed (tabu bandit)", &game, &boards_15, &TabuBandit::default());
    let large = LargeSameGame::new(20, 20, 10, Scoring::default())?;
    let boards = (0..20)
        .map(|seed| large.board(&Grid::seeded(20, 20, 10, seed)?))
        .collect::<Result<Vec<_>, _>>()?;
    measure("random, 20 by 20 by 10", &large, &boards, &RandomPolicy);
    let nrpa = Nrpa::new(NrpaSettings::default(), GroupCodes::PLAIN)?;
    let (mut playouts, mut seconds, mut total) = (0, 0.0, 0.0);
    for (seed, &board) in (0..10).zip(&boards_15) {
        let mut search = nrpa.solver(&game, &Root::Certain(board), Rng::new(seed));
        let stats = search.run(&Budget::iterations(30_000), &Cancel::new(), &mut |_| ());
        playouts += stats.counts.iterations;
        seconds += stats.seconds;
        total += search.solution().map_or(0.0, |solution| solution.value);
    }
    println!("NRPA {:.0} playouts/s, mean best {}", playouts as f64 / seconds, total / 10.0);
    Ok(())
}
