//! A playthrough of every game as text, compared with the one kept under `tests/golden/`.
//!
//! A change of rules, of random streams or of notation shows here as a difference to be read.
//! `PATIENCE_BLESS=1 cargo test -p patience-games --test all golden` writes the files anew.

use std::fmt::Write as _;
use std::path::Path;

use patience_games::black_hole::BlackHole;
use patience_games::golf::Golf;
use patience_games::pgame::MoveValues;
use patience_games::{
    Battleship, ConnectFour, FrozenLake, GameOfLife, LaserTag, PGame, RockSample, Sailing,
    SysAdmin, Tag, Taxi, TicTacToe, Tiger, Twenty48,
};
use patience_model::{Rng, Text};

/// One game at random, with all that a player sees.
fn playthrough<G: Text>(game: &G, title: &str, seed: u64) -> String {
    beginning(game, title, seed, usize::MAX)
}

/// The same, cut after so many moves.
fn beginning<G: Text>(game: &G, title: &str, seed: u64, moves: usize) -> String {
    let mut rng = Rng::named(seed, &["golden", title]);
    let mut state = game.start(&mut rng);
    let mut text = format!("# {title}, seed {seed}\n{}\n", game.state_text(&state));
    let mut actions = Vec::new();
    let mut total = 0.0;
    for number in 1.. {
        if number > moves {
            writeln!(text, "\nand so on").unwrap();
            return text;
        }
        game.actions(&state, &mut actions);
        if actions.is_empty() {
            break;
        }
        let notation: Vec<_> = actions.iter().map(|&a| game.action_text(&state, a)).collect();
        let chosen = rng.index(actions.len());
        let step = game.step(&mut state, actions[chosen], &mut rng);
        total += step.reward;
        writeln!(text, "\n{number}. {} of: {}", notation[chosen], notation.join(" ")).unwrap();
        writeln!(text, "   reward {}, seen {:?}", step.reward, step.obs).unwrap();
        writeln!(text, "{}", game.state_text(&state)).unwrap();
    }
    writeln!(text, "\nover; total reward {total}").unwrap();
    text
}

#[track_caller]
fn compare(name: &str, plays: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let text = plays.join("\n");
    if std::env::var_os("PATIENCE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{}: {e}; PATIENCE_BLESS=1 writes it", path.display()));
    for (number, (ours, theirs)) in text.lines().zip(kept.lines()).enumerate() {
        assert_eq!(ours, theirs, "line {} of {name}; PATIENCE_BLESS=1 accepts it", number + 1);
    }
    assert_eq!(text.len(), kept.len(), "{name} has another length");
}

#[test]
fn tictactoe() {
    compare("tictactoe.txt", &[1, 2].map(|s| playthrough(&TicTacToe, "tic-tac-toe", s)));
}

#[test]
fn connect_four() {
    compare("connect_four.txt", &[playthrough(&ConnectFour, "Connect Four", 1)]);
}

#[test]
fn pgame() {
    let uniform = PGame::new(3, 6, MoveValues::Uniform).unwrap();
    let plus_minus = PGame::new(2, 5, MoveValues::PlusMinusOne).unwrap();
    let plays = [
        playthrough(&uniform, "P-game, branching 3, depth 6, values up to 127", 1),
        playthrough(&plus_minus, "P-game, branching 2, depth 5, values 1 and -1", 1),
    ];
    compare("pgame.txt", &plays);
}

#[test]
fn sailing() {
    let lake = Sailing::new(3).unwrap();
    compare("sailing.txt", &[playthrough(&lake, "sailing, 3 by 3", 1)]);
}

#[test]
fn tiger() {
    let game = Tiger::new(10, 0.95).unwrap();
    compare("tiger.txt", &[1, 2, 3].map(|s| playthrough(&game, "tiger, horizon 10", s)));
}

#[test]
fn black_hole() {
    compare("black_hole.txt", &[playthrough(&BlackHole, "Black Hole", 1)]);
}

#[test]
fn golf() {
    let plays = [false, true].map(|strict| {
        let title = if strict { "Golf, nothing goes on a king" } else { "Golf" };
        playthrough(&Golf { strict }, title, 1)
    });
    compare("golf.txt", &plays);
}

#[test]
fn frozen_lake() {
    let game = FrozenLake::new(4, true, 0.99).unwrap();
    compare("frozen_lake.txt", &[1, 2].map(|s| playthrough(&game, "frozen lake", s)));
}

#[test]
fn taxi() {
    let game = Taxi::new(0.99).unwrap();
    compare("taxi.txt", &[1, 2].map(|s| beginning(&game, "taxi", s, 30)));
}

#[test]
fn sysadmin() {
    let game = SysAdmin::new(5, 8).unwrap();
    compare("sysadmin.txt", &[playthrough(&game, "sysadmin", 1)]);
}

#[test]
fn game_of_life() {
    let game = GameOfLife::new(3, 0.05, 8).unwrap();
    compare("game_of_life.txt", &[playthrough(&game, "game of life", 1)]);
}

#[test]
fn tag() {
    let game = Tag::new(0.95).unwrap();
    compare("tag.txt", &[beginning(&game, "tag", 1, 20)]);
}

#[test]
fn rock_sample() {
    let game = RockSample::new(4, 0.95).unwrap();
    compare("rock_sample.txt", &[beginning(&game, "rock sample", 1, 40)]);
}

#[test]
fn twenty48() {
    let small = playthrough(&Twenty48::new(2).unwrap(), "2048(size=2)", 1);
    compare("2048.txt", &[small, beginning(&Twenty48::new(4).unwrap(), "2048", 1, 30)]);
}

#[test]
fn battleship() {
    compare("battleship.txt", &[beginning(&Battleship, "Battleship", 1, 30)]);
}

#[test]
fn laser_tag() {
    compare("laser_tag.txt", &[beginning(&LaserTag::new(1, 0.95).unwrap(), "Laser Tag", 1, 20)]);
}
