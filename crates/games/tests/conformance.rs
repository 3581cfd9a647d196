//! Every game through the suite, with all the capabilities that it has.

use patience_games::pgame::MoveValues;
use patience_games::{
    Battleship, ConnectFour, FrozenLake, GameOfLife, LaserTag, PGame, RockSample, Sailing,
    SysAdmin, Tag, Taxi, TicTacToe, Tiger, Twenty48,
};
use patience_model::conformance;

#[test]
fn tictactoe() {
    conformance::of(&TicTacToe).keyed().undoes().outcomes().games(200).samples(10).check();
}

#[test]
fn connect_four() {
    conformance::of(&ConnectFour).keyed().undoes().outcomes().games(100).samples(10).check();
}

#[test]
fn pgame() {
    for (branching, depth) in [(1, 1), (2, 20), (8, 8), (3, 7)] {
        for values in [MoveValues::Uniform, MoveValues::PlusMinusOne] {
            let game = PGame::new(branching, depth, values).unwrap();
            conformance::of(&game).keyed().undoes().outcomes().games(100).samples(10).check();
        }
    }
}

#[test]
fn sailing() {
    for size in [2, 3, 10] {
        let lake = Sailing::new(size).unwrap();
        let report = conformance::of(&lake).keyed().outcomes().games(10).check();
        assert_eq!(report.ended, 10);
    }
}

#[test]
fn tiger() {
    for horizon in [1, 2, 20] {
        for discount in [0.95, 1.0] {
            let game = Tiger::new(horizon, discount).unwrap();
            conformance::of(&game).outcomes().hidden().games(50).check();
        }
    }
}

#[test]
fn frozen_lake() {
    for (size, slippery) in [(4, true), (8, true), (4, false)] {
        let game = FrozenLake::new(size, slippery, 0.99).unwrap();
        let report = conformance::of(&game).keyed().outcomes().games(50).check();
        assert_eq!(report.ended, 50);
    }
}

#[test]
fn taxi() {
    let game = Taxi::new(0.99).unwrap();
    conformance::of(&game).keyed().outcomes().games(10).check();
}

#[test]
fn sysadmin() {
    let game = SysAdmin::new(3, 6).unwrap();
    conformance::of(&game).keyed().outcomes().games(20).check();
}

#[test]
fn game_of_life() {
    let game = GameOfLife::new(2, 0.1, 6).unwrap();
    conformance::of(&game).keyed().outcomes().games(20).check();
}

#[test]
fn twenty48() {
    for size in [2, 3, 4] {
        conformance::of(&Twenty48::new(size).unwrap()).keyed().outcomes().games(10).check();
    }
}

#[test]
fn battleship() {
    conformance::of(&Battleship).hidden().games(10).samples(300).check();
}

#[test]
fn laser_tag() {
    // Random play takes about 3,000 moves to a tag.
    let game = LaserTag::new(1, 0.95).unwrap();
    conformance::of(&game).hidden().games(3).limit(100_000).check();
}

#[test]
fn tag() {
    conformance::of(&Tag::new(0.95).unwrap()).hidden().games(20).check();
}

#[test]
fn rock_sample() {
    for size in [4, 7, 11] {
        let game = RockSample::new(size, 0.95).unwrap();
        conformance::of(&game).hidden().games(20).check();
    }
}
