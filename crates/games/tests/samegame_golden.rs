//! A playthrough of SameGame as text, compared with the one kept under `tests/golden/`.
//!
//! `PATIENCE_BLESS=1 cargo test -p patience-games --test all samegame_golden` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use patience_games::SameGame;
use patience_games::samegame::Scoring;
use patience_model::{Game, Rng, Text};

#[test]
fn playthrough() {
    let game: SameGame = SameGame::new(8, 6, 3, Scoring::default()).unwrap();
    let mut rng = Rng::named(1, &["golden", "samegame"]);
    let mut board = game.start(&mut rng);
    let mut text = format!("# SameGame, 8 by 6, 3 colours, seed 1\n{}\n", game.state_text(&board));
    let (mut legal, mut total) = (Vec::new(), 0.0);
    for number in 1.. {
        game.actions(&board, &mut legal);
        if legal.is_empty() {
            break;
        }
        let notation: Vec<_> = legal.iter().map(|&a| game.action_text(&board, a)).collect();
        let chosen = rng.index(legal.len());
        let reward = game.step(&mut board, legal[chosen], &mut rng).reward;
        total += reward;
        writeln!(text, "\n{number}. {} of: {}", notation[chosen], notation.join(" ")).unwrap();
        writeln!(text, "   reward {reward}\n{}", game.state_text(&board)).unwrap();
    }
    writeln!(text, "\nover; total reward {total}").unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/samegame.txt");
    if std::env::var_os("PATIENCE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).expect("PATIENCE_BLESS=1 writes it");
    assert_eq!(text, kept, "PATIENCE_BLESS=1 accepts it");
}
