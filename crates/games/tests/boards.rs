//! Games on squares: moves stand where they lead, and nothing is drawn that the player does not know.

use patience_games::{
    Battleship, FrozenLake, GameOfLife, LaserTag, RockSample, SysAdmin, Tag, Tiger,
};
use patience_model::{Game, Hidden, Label, Rng, Scene, Shown};

fn rows<G: Shown>(game: &G, state: &G::State) -> Vec<Vec<String>> {
    match game.scene(state) {
        Scene::Grid { rows, .. } => rows,
        other => panic!("{} is no board: {other:?}", game.title()),
    }
}

/// Random play, each position with its legal moves.
fn positions<G: Game>(
    game: &G,
    games: u64,
    moves: usize,
    mut see: impl FnMut(&G::State, &[G::Action]),
) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = game.start(&mut rng);
        let mut legal = Vec::new();
        for _ in 0..moves {
            game.actions(&state, &mut legal);
            see(&state, &legal);
            if legal.is_empty() {
                break;
            }
            let chosen = legal[rng.index(legal.len())];
            game.step(&mut state, chosen, &mut rng);
        }
    }
}

/// Whatever is hidden, table and moves look the same.
fn tells_only_what_is_known<G: Shown + Hidden>(game: &G) {
    let mut rng = Rng::new(7);
    positions(game, 10, 25, |state, legal| {
        let labels = |state: &G::State| -> Vec<Label> {
            legal.iter().map(|&action| game.label(state, action)).collect()
        };
        for _ in 0..8 {
            let other = game.draw(&game.known(state), &mut rng);
            assert_eq!(game.scene(&other), game.scene(state));
            assert_eq!(labels(&other), labels(state));
        }
    });
}

#[test]
fn nothing_is_drawn_that_the_player_does_not_know() {
    tells_only_what_is_known(&Battleship);
    tells_only_what_is_known(&RockSample::new(7, 0.95).unwrap());
    tells_only_what_is_known(&Tag::new(0.95).unwrap());
    tells_only_what_is_known(&LaserTag::new(1, 0.95).unwrap());
    tells_only_what_is_known(&Tiger::new(20, 0.95).unwrap());
}

/// The square that the words of a move name, if they name one.
fn named(label: &Label, rows: usize) -> Option<(u8, u8)> {
    label.label.split(' ').find_map(|word| {
        let column = word.bytes().next()?.checked_sub(b'a')?;
        let row: usize = word.get(1..)?.parse().ok()?;
        Some((column, u8::try_from(rows.checked_sub(row)?).ok()?))
    })
}

fn names_its_square<G: Shown>(game: &G) {
    let mut moves = 0;
    positions(game, 3, 20, |state, legal| {
        let high = rows(game, state).len();
        for &action in legal {
            let label = game.label(state, action);
            assert_eq!(label.cells, Vec::from_iter(named(&label, high)), "{}", label.label);
            moves += label.cells.len();
        }
    });
    assert!(moves > 50, "{moves}");
}

#[test]
fn a_move_on_a_square_names_it() {
    names_its_square(&Battleship);
    names_its_square(&GameOfLife::new(3, 0.05, 40).unwrap());
    // The computers have numbers, which stand on their squares.
    for computers in [1, 2, 5, 10] {
        let game = SysAdmin::new(computers, 40).unwrap();
        positions(&game, 2, 20, |state, legal| {
            for &action in legal {
                let label = game.label(state, action);
                if let [(column, row)] = label.cells[..] {
                    let stands = rows(&game, state)[usize::from(row)][usize::from(column)].clone();
                    assert_eq!(stands.split(' ').next_back(), label.label.split(' ').next_back());
                }
            }
            let squares = legal.iter().flat_map(|&action| game.label(state, action).cells);
            assert!(legal.is_empty() || squares.count() == usize::from(computers));
        });
    }
}

/// Where someone is who drives.
fn place<G: Shown>(game: &G, state: &G::State, who: &str) -> Option<(u8, u8)> {
    let rows = rows(game, state);
    let squares =
        (0_u8..).zip(&rows).flat_map(|(y, row)| (0_u8..).zip(row).map(move |(x, on)| ((x, y), on)));
    let mut found = squares.filter(|(_, on)| *on == who).map(|(at, _)| at);
    let at = found.next();
    assert_eq!(found.next(), None);
    at
}

fn leads_to_its_square<G: Shown>(game: &G, who: &str) {
    let mut moved = 0;
    positions(game, 10, 25, |state, legal| {
        let here = place(game, state, who);
        for &action in legal {
            let mut next = state.clone();
            let cells = game.label(state, action).cells;
            game.step(&mut next, action, &mut Rng::new(1));
            let there = place(game, &next, who);
            match cells[..] {
                [to] => assert_eq!(there, Some(to)),
                [] => assert!(there == here || there.is_none()),
                _ => panic!("{cells:?}"),
            }
            moved += usize::from(there != here);
        }
    });
    assert!(moved > 20, "{moved}");
}

#[test]
fn who_drives_to_a_square_is_there_then() {
    leads_to_its_square(&FrozenLake::new(8, false, 1.0).unwrap(), "you");
    leads_to_its_square(&RockSample::new(7, 0.95).unwrap(), "rover");
    leads_to_its_square(&Tag::new(0.95).unwrap(), "robot");
    leads_to_its_square(&LaserTag::new(1, 0.95).unwrap(), "robot");
}
