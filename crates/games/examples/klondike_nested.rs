//! Nested rollouts on thoughtful deals: `klondike_nested FIRST LAST LEVEL [OPENING]`.
use patience_games::klondike::{Deal, Klondike, NestedRollout, Rules};
use patience_model::Rng;
use patience_plan::Cancel;
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let game = Klondike::new(Rules::default()).unwrap();
    let search = match a.get(3) {
        Some(&o) => NestedRollout::two_stages(o as u32, a[2] as u32).unwrap(),
        None => NestedRollout::new(a[2] as u32).unwrap(),
    };
    let (mut won, mut nodes) = (0, 0);
    let begin = std::time::Instant::now();
    for seed in a[0]..=a[1] {
        let state = game.deal(&Deal::seeded(game.rules(), seed)).unwrap();
        let played = search.play(&game, &state, &mut Rng::new(seed), &Cancel::new());
        won += played.won as u64;
        nodes += played.nodes;
    }
    let n = (a[1] + 1 - a[0]) as f64;
    let p = won as f64 / n;
    println!(
        "{a:?}: {:.2}% ± {:.2} (99%), {:.0} nodes/game, {:.3} ms/game",
        100. * p,
        257.6 * (p * (1. - p) / n).sqrt(),
        nodes as f64 / n,
        1e3 * begin.elapsed().as_secs_f64() / n
    );
}
