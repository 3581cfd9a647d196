//! Random and greedy play on many deals: `klondike_baselines GAMES [DRAW]`.

use std::time::Instant;

use patience_games::klondike::{Klondike, Rules};
use patience_model::{Game, Rng};

fn main() {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let games = arguments.first().copied().unwrap_or(100_000);
    let rules = Rules::draw(arguments.get(1).map_or(3, |&n| n as u32)).expect("1 to 3 cards");
    let game = Klondike::new(rules).expect("these rules are covered");
    let mut rng = Rng::named(1, &["baselines"]);
    let (mut random, mut greedy, mut moves, mut seconds) = (0u64, 0u64, 0u64, 0.0);
    for _ in 0..games {
        let start = game.start(&mut rng);
        let mut state = start;
        while let Some(action) = game.greedy_action(&state) {
            game.step(&mut state, action, &mut rng);
        }
        greedy += u64::from(game.is_won(&state));
        let begin = Instant::now();
        let (won, count) = game.random_playout(start, &mut rng);
        seconds += begin.elapsed().as_secs_f64();
        random += u64::from(won);
        moves += u64::from(count);
    }
    for (name, won) in [("random", random), ("greedy", greedy)] {
        let share = won as f64 / games as f64;
        let error = 2.576 * (share * (1.0 - share) / games as f64).sqrt();
        println!("{name}: {:.3}% ± {:.3} (99%)", 100.0 * share, 100.0 * error);
    }
    println!(
        "{:.1} moves per game, {:.0} playouts/s",
        moves as f64 / games as f64,
        games as f64 / seconds
    );
    let starts: Vec<_> = (0..100).map(|_| game.open(&game.start(&mut rng))).collect();
    let begin = Instant::now();
    let (mut won, mut moves) = (0, 0);
    for i in 0..games as usize {
        let (this, count) = game.random_playout(starts[i % 100], &mut rng);
        won += u64::from(this);
        moves += u64::from(count);
    }
    println!(
        "cards drawn as they turn up: {:.0} playouts/s ({won} won, {moves} moves)",
        games as f64 / begin.elapsed().as_secs_f64()
    );
}
