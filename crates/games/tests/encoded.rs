//! Games in arrays: numbers within their bounds, no two legal moves alike, nothing hidden told.

use patience_games::black_hole::BlackHole;
use patience_games::freecell::{FreeCell, Metric, Rules};
use patience_games::golf::Golf;
use patience_games::klondike::{self, Klondike};
use patience_games::samegame::{LargeSameGame, SameGame, Scoring};
use patience_games::{
    ConnectFour, FrozenLake, GameOfLife, RockSample, Sailing, SysAdmin, Tag, Taxi, TicTacToe,
    Tiger, Twenty48,
};
use patience_model::{Encoded, Hidden, Rng};

/// Plays at random and looks at every position on the way; gives how many there were.
fn holds<G: Encoded>(game: &G, games: u64, look: impl Fn(&G::State, &[i16])) -> usize {
    let highest = game.highest();
    let mut seen = vec![0; highest.len()];
    let mut legal = Vec::new();
    let mut positions = 0;
    for seed in 0..games {
        let mut rng = Rng::named(seed, &["encoded"]);
        let mut state = game.start(&mut rng);
        let mut last = None;
        for _ in 0..500 {
            positions += 1;
            seen.fill(-1);
            game.observe(&state, last, &mut seen);
            for (place, (value, highest)) in seen.iter().zip(&highest).enumerate() {
                assert!((0..=*highest).contains(value), "{value} at {place}");
            }
            look(&state, &seen);
            game.actions(&state, &mut legal);
            let mut numbers: Vec<usize> = legal.iter().map(|&a| game.number(&state, a)).collect();
            assert!(numbers.iter().all(|&number| number < game.moves()));
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), legal.len(), "two moves have one number");
            if legal.is_empty() {
                break;
            }
            let action = rng.pick(&legal);
            last = Some(game.step(&mut state, action, &mut rng).obs);
        }
    }
    positions
}

#[test]
fn klondike_tells_no_hidden_card() {
    for draw in [1, 3] {
        let game = Klondike::new(klondike::Rules::draw(draw).unwrap()).unwrap();
        let positions = holds(&game, 100, |state, seen| {
            let mut opened = vec![0; seen.len()];
            game.observe(&game.open(state), None, &mut opened);
            assert_eq!(opened, seen, "what is seen depends on what is known alone");
            // Another deal of what lies face down looks the same.
            let other = game.draw(&game.known(state), &mut Rng::new(1));
            game.observe(&other, None, &mut opened);
            assert_eq!(opened, seen);
            let unseen = seen[..52].iter().filter(|place| **place == 0).count() as i16;
            assert_eq!(unseen, seen[104..111].iter().sum::<i16>());
        });
        assert!(positions > 1000, "{positions}");
    }
}

#[test]
fn freecell_and_its_relatives() {
    for (name, rules) in Rules::PRESETS {
        for metric in Metric::ALL.into_iter().filter(|metric| metric.check(&rules).is_ok()) {
            let game = FreeCell::new(rules, metric).unwrap();
            assert!(holds(&game, 20, |_, _| ()) > 20, "{name}");
        }
    }
}

#[test]
fn samegame_of_both_sizes() {
    let small: SameGame = SameGame::new(10, 7, 3, Scoring::default()).unwrap();
    let large = LargeSameGame::new(15, 15, 5, Scoring::default()).unwrap();
    let tiles = |seen: &[i16]| seen.iter().filter(|tile| **tile != 0).count();
    holds(&small, 20, |board, seen| {
        assert_eq!(tiles(seen), board.counts().iter().sum::<u32>() as usize);
    });
    holds(&large, 20, |board, seen| {
        assert_eq!(tiles(seen), board.counts().iter().sum::<u32>() as usize);
    });
}

#[test]
fn the_lake_and_the_tiger() {
    holds(&Sailing::new(8).unwrap(), 20, |state, seen| {
        assert_eq!((seen[0] as u16, seen[1] as u16), state.position());
    });
    let tiger = Tiger::new(20, 0.95).unwrap();
    holds(&tiger, 50, |state, seen| {
        let mut other = vec![0; 3];
        tiger.observe(&tiger.draw(&tiger.known(state), &mut Rng::new(3)), None, &mut other);
        assert_eq!(other, seen, "where the tiger is makes no difference");
    });
}

/// What is seen is the same where what is hidden is another.
fn tells_what_is_known<G: Encoded + Hidden>(game: &G) {
    let positions = holds(game, 30, |state, seen| {
        let mut other = vec![0; seen.len()];
        game.observe(&game.draw(&game.known(state), &mut Rng::new(3)), None, &mut other);
        assert_eq!(other, seen);
    });
    assert!(positions > 100, "{positions}");
}

#[test]
fn games_with_a_hidden_part_tell_what_is_known() {
    for size in [4, 7, 11] {
        tells_what_is_known(&RockSample::new(size, 0.95).unwrap());
    }
    tells_what_is_known(&Tag::new(0.95).unwrap());
    for strict in [false, true] {
        tells_what_is_known(&Golf { strict });
    }
}

#[test]
fn small_problems_and_fans() {
    for size in [4, 8] {
        assert!(holds(&FrozenLake::new(size, true, 0.99).unwrap(), 50, |_, _| ()) > 100);
    }
    assert!(holds(&Taxi::new(0.99).unwrap(), 20, |_, _| ()) > 100);
    holds(&SysAdmin::new(7, 40).unwrap(), 20, |state, seen| {
        assert_eq!(seen[..7].iter().sum::<i16>(), state.running.count_ones() as i16);
        assert_eq!(seen[7], i16::from(state.left));
    });
    holds(&GameOfLife::new(3, 0.1, 40).unwrap(), 20, |state, seen| {
        assert_eq!(seen[..9].iter().sum::<i16>(), state.alive.count_ones() as i16);
    });
    holds(&BlackHole, 50, |state, seen| {
        let left: usize = (0..17).map(|fan| state.fan(fan).len()).sum();
        assert_eq!(seen[..52].iter().filter(|place| **place > 0).count(), left);
        assert_eq!(seen[52], state.hole().index() as i16);
    });
}

#[test]
fn boards_are_told_whole() {
    let positions = holds(&TicTacToe, 100, |_, seen| {
        let count = |player| seen[..9].iter().filter(|cell| **cell == player).count();
        assert_eq!(count(1) - count(2), seen[9] as usize);
    });
    assert!(positions > 500, "{positions}");
    let positions = holds(&ConnectFour, 50, |_, seen| {
        let count = |player| seen[..42].iter().filter(|cell| **cell == player).count();
        assert_eq!(count(1) - count(2), seen[42] as usize);
    });
    assert!(positions > 500, "{positions}");
}

#[test]
fn tiles_are_told_by_their_powers() {
    for size in [2, 3, 4] {
        let game = Twenty48::new(size).unwrap();
        let positions = holds(&game, 20, |board, seen| {
            let squares = &board.0[..size * size];
            assert!(seen.iter().copied().eq(squares.iter().map(|&tile| i16::from(tile))));
        });
        assert!(positions > 60, "{positions}");
    }
}
