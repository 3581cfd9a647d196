//! Random playouts per second of every game, one thread.
//!
//! `cargo run --release -p patience-games --example playouts`

use std::hint::black_box;
use std::time::{Duration, Instant};

use patience_games::pgame::MoveValues;
use patience_games::{ConnectFour, PGame, Sailing, TicTacToe, Tiger};
use patience_model::{Game, Rng};

fn measure<G: Game>(name: &str, game: &G) {
    let mut rng = Rng::named(1, &["playouts", name]);
    let mut actions = Vec::new();
    let (mut games, mut moves, mut total) = (0u64, 0u64, 0.0);
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(1) {
        // The clock is read once in a while only.
        for _ in 0..200 {
            let mut state = game.start(&mut rng);
            loop {
                game.actions(&state, &mut actions);
                if actions.is_empty() {
                    break;
                }
                let action = rng.pick(&actions);
                total += game.step(&mut state, action, &mut rng).reward;
                moves += 1;
            }
            games += 1;
        }
    }
    black_box(total);
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{name:24} {:>12.0} games/s {:>8.1} moves/game {:>8.1} ns/move",
        games as f64 / seconds,
        moves as f64 / games as f64,
        seconds * 1e9 / moves as f64
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    measure("tic-tac-toe", &TicTacToe);
    measure("Connect Four", &ConnectFour);
    measure("P-game B=2 D=20", &PGame::new(2, 20, MoveValues::Uniform)?);
    measure("P-game B=8 D=8", &PGame::new(8, 8, MoveValues::Uniform)?);
    measure("sailing 10 by 10", &Sailing::new(10)?);
    measure("sailing 40 by 40", &Sailing::new(40)?);
    measure("tiger", &Tiger::new(20, 0.95)?);
    Ok(())
}
