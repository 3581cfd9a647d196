//! Connect Four against its slow twin and the known counts.

use patience_games::ConnectFour;
use patience_games::connect_four::{COLUMNS, Column, ROWS, State};
use patience_model::{Game, Rng, Text, Undo};
use proptest::prelude::*;

/// Columns as stacks of stones.
struct Twin {
    columns: Vec<Vec<char>>,
    moves: usize,
}

impl Twin {
    fn new() -> Self {
        Twin { columns: vec![Vec::new(); COLUMNS.into()], moves: 0 }
    }

    fn at(&self, column: i32, row: i32) -> Option<char> {
        let column = self.columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    }

    fn winner(&self) -> Option<char> {
        for column in 0..i32::from(COLUMNS) {
            for row in 0..i32::from(ROWS) {
                for (dx, dy) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let first = self.at(column, row);
                    let line = |i| self.at(column + i * dx, row + i * dy);
                    if first.is_some() && (1..4).all(|i| line(i) == first) {
                        return first;
                    }
                }
            }
        }
        None
    }

    fn actions(&self) -> Vec<Column> {
        if self.winner().is_some() {
            return Vec::new();
        }
        let free = |c: &u8| self.columns[usize::from(*c)].len() < ROWS.into();
        (0..COLUMNS).filter(free).map(Column).collect()
    }

    fn step(&mut self, column: Column) -> f64 {
        self.columns[usize::from(column.0)].push(if self.moves.is_multiple_of(2) {
            'x'
        } else {
            'o'
        });
        self.moves += 1;
        match self.winner() {
            Some('x') => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        }
    }

    fn text(&self) -> String {
        let row =
            |r| -> String { (0..COLUMNS.into()).map(|c| self.at(c, r).unwrap_or('.')).collect() };
        (0..ROWS.into()).rev().map(row).collect::<Vec<_>>().join("\n")
    }
}

/// Plays the twin beside the game; says whether the game came to its end.
fn beside(choices: &[usize]) -> Result<bool, TestCaseError> {
    let (mut state, mut twin) = (ConnectFour::START, Twin::new());
    let mut actions = Vec::new();
    for choice in choices {
        ConnectFour.actions(&state, &mut actions);
        prop_assert_eq!(&actions, &twin.actions());
        prop_assert_eq!(ConnectFour.minimising(&state), twin.moves % 2 == 1);
        prop_assert_eq!(ConnectFour.state_text(&state), twin.text());
        if actions.is_empty() {
            return Ok(true);
        }
        let action = actions[choice % actions.len()];
        let step = ConnectFour.step(&mut state, action, &mut Rng::new(0));
        prop_assert_eq!(step.reward, twin.step(action));
    }
    Ok(twin.actions().is_empty())
}

proptest! {
    #[test]
    fn equals_its_twin(choices in prop::collection::vec(any::<usize>(), 42)) {
        prop_assert!(beside(&choices)?, "every game ends within 42 moves");
    }
}

fn perft(state: &mut State, depth: u32) -> u64 {
    let mut actions = Vec::new();
    ConnectFour.actions(state, &mut actions);
    if depth == 1 {
        return actions.len() as u64;
    }
    let mut rng = Rng::new(0);
    let mut count = 0;
    for action in actions {
        let (_, token) = ConnectFour.apply(state, action, &mut rng);
        count += perft(state, depth - 1);
        ConnectFour.undo(state, token);
    }
    count
}

#[test]
fn perft_counts_are_the_known_ones() {
    let known = [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, count) in (1..).zip(known) {
        assert_eq!(perft(&mut ConnectFour::START.clone(), depth), count, "depth {depth}");
    }
}

/// A line of four in every place that it can have, made by the winner's last stone, wins; the same
/// line short of a stone does not.
#[test]
fn every_line_wins() {
    let mut lines = 0;
    for column in 0..i32::from(COLUMNS) {
        for row in 0..i32::from(ROWS) {
            for (dx, dy) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cells: Vec<_> = (0..4).map(|i| (column + i * dx, row + i * dy)).collect();
                let inside = |&(x, y): &(i32, i32)| (0..7).contains(&x) && (0..6).contains(&y);
                if cells.iter().all(inside) {
                    assert!(wins(&cells), "{cells:?}");
                    lines += 1;
                }
            }
        }
    }
    assert_eq!(lines, 69);
}

/// Looks by random play for a game that ends with just these cells as its only line.
fn wins(cells: &[(i32, i32)]) -> bool {
    let mut rng = Rng::named(1, &["lines"]);
    let mut actions = Vec::new();
    for _ in 0..200_000 {
        let (mut state, mut twin) = (ConnectFour::START, Twin::new());
        loop {
            ConnectFour.actions(&state, &mut actions);
            if actions.is_empty() {
                break;
            }
            // Steer: crosses into the line's columns, noughts anywhere.
            let wanted: Vec<_> = actions
                .iter()
                .copied()
                .filter(|a| cells.iter().any(|c| c.0 == i32::from(a.0)))
                .collect();
            let pool = if wanted.is_empty() || rng.chance(0.4) { &actions } else { &wanted };
            let action = rng.pick(pool);
            let step = ConnectFour.step(&mut state, action, &mut rng);
            let stone = if twin.moves.is_multiple_of(2) { 'x' } else { 'o' };
            twin.columns[usize::from(action.0)].push(stone);
            twin.moves += 1;
            let line = cells.iter().all(|&(x, y)| twin.at(x, y) == Some(stone));
            if line {
                // The game must end here and now.
                ConnectFour.actions(&state, &mut actions);
                return actions.is_empty() && step.reward == if stone == 'x' { 1.0 } else { -1.0 };
            }
        }
    }
    false
}

#[test]
fn positions_are_read_from_text() {
    let game = ConnectFour;
    let (mut legal, mut ends) = (Vec::new(), 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut state = ConnectFour::START;
        loop {
            assert_eq!(game.read(&game.state_text(&state)), Ok(state));
            game.actions(&state, &mut legal);
            if legal.is_empty() {
                ends += 1;
                break;
            }
            game.step(&mut state, rng.pick(&legal), &mut rng);
        }
    }
    assert_eq!(ends, 200);
    let board = |rows: [&str; 6]| rows.join("\n");
    let empty = ".......";
    for (text, said) in [
        (board([empty, empty, "...x...", empty, empty, empty]), "hangs in the air"),
        (board([empty, empty, empty, empty, empty, "oo....x"]), "1 x and 2 o"),
        (board([empty, empty, empty, empty, "ooo....", "xxxx..."]), ""),
        (board([empty, empty, empty, empty, "oooo...", "xxxx..."]), "over before"),
        (board([empty, empty, "o......", "o......", "o......", "xxxxo.."]), "over before"),
        (board([empty, empty, empty, empty, "ooox...", "xxxxo.."]), "over before"),
    ] {
        match game.read(&text) {
            Ok(_) => assert!(said.is_empty(), "{text}"),
            Err(error) => assert!(!said.is_empty() && error.contains(said), "{text}: {error}"),
        }
    }
}
