//! Tic-tac-toe against its slow twin, the known counts and the known result.

use std::collections::HashSet;

use patience_games::TicTacToe;
use patience_games::tictactoe::{Cell, State};
use patience_model::{Game, Keyed, Rng, Shown, Standing, Text, Undo};
use proptest::prelude::*;

/// The rules as one would explain them.
#[derive(Default)]
struct Twin {
    cells: [Option<char>; 9],
    moves: usize,
}

impl Twin {
    fn winner(&self) -> Option<char> {
        for line in ["012", "345", "678", "036", "147", "258", "048", "246"] {
            let stones: Vec<_> =
                line.chars().map(|c| self.cells[c.to_digit(10).unwrap() as usize]).collect();
            if stones[0].is_some() && stones.iter().all(|s| *s == stones[0]) {
                return stones[0];
            }
        }
        None
    }

    fn actions(&self) -> Vec<Cell> {
        if self.winner().is_some() {
            return Vec::new();
        }
        (0..9).filter(|c| self.cells[usize::from(*c)].is_none()).map(Cell).collect()
    }

    fn step(&mut self, cell: Cell) -> f64 {
        self.cells[usize::from(cell.0)] =
            Some(if self.moves.is_multiple_of(2) { 'x' } else { 'o' });
        self.moves += 1;
        match self.winner() {
            Some('x') => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        }
    }

    fn text(&self) -> String {
        let rows = self.cells.chunks(3);
        let rows = rows.map(|r| r.iter().map(|c| c.unwrap_or('.')).collect::<String>());
        rows.collect::<Vec<_>>().join("\n")
    }
}

proptest! {
    #[test]
    fn equals_its_twin(choices in prop::collection::vec(any::<usize>(), 9)) {
        let (mut state, mut twin) = (TicTacToe::START, Twin::default());
        let mut actions = Vec::new();
        for choice in choices {
            TicTacToe.actions(&state, &mut actions);
            prop_assert_eq!(&actions, &twin.actions());
            prop_assert_eq!(TicTacToe.minimising(&state), twin.moves % 2 == 1);
            prop_assert_eq!(TicTacToe.state_text(&state), twin.text());
            if actions.is_empty() {
                break;
            }
            let action = actions[choice % actions.len()];
            let step = TicTacToe.step(&mut state, action, &mut Rng::new(0));
            prop_assert_eq!(step.reward, twin.step(action));
        }
    }
}

/// All games: how many there are, how many each side wins, which positions occur.
fn walk(state: &mut State, results: &mut [u64; 3], positions: &mut HashSet<u32>) {
    positions.insert(TicTacToe.key(state));
    let mut actions = Vec::new();
    TicTacToe.actions(state, &mut actions);
    for action in actions {
        let (step, token) = TicTacToe.apply(state, action, &mut Rng::new(0));
        let mut after = Vec::new();
        TicTacToe.actions(state, &mut after);
        if after.is_empty() {
            positions.insert(TicTacToe.key(state));
            results[(1.0 - step.reward) as usize] += 1;
        } else {
            walk(state, results, positions);
        }
        TicTacToe.undo(state, token);
    }
}

#[test]
fn counts_are_the_known_ones() {
    let (mut results, mut positions) = ([0; 3], HashSet::new());
    let mut state = TicTacToe::START;
    walk(&mut state, &mut results, &mut positions);
    assert_eq!(state, TicTacToe::START);
    // Won by crosses, drawn, won by noughts.
    assert_eq!(results, [131_184, 46_080, 77_904]);
    assert_eq!(results.iter().sum::<u64>(), 255_168);
    assert_eq!(positions.len(), 5_478);
}

fn minimax(state: &mut State) -> f64 {
    let mut actions = Vec::new();
    TicTacToe.actions(state, &mut actions);
    let minimising = TicTacToe.minimising(state);
    let values = actions.iter().map(|&action| {
        let (step, token) = TicTacToe.apply(state, action, &mut Rng::new(0));
        let value = step.reward + minimax(state);
        TicTacToe.undo(state, token);
        value
    });
    let better = if minimising { f64::min } else { f64::max };
    values.reduce(better).unwrap_or(0.0)
}

#[test]
fn best_play_draws() {
    let mut state = TicTacToe::START;
    assert_eq!(minimax(&mut state), 0.0);
    // Noughts must answer the corner in the centre.
    TicTacToe.step(&mut state, Cell(0), &mut Rng::new(0));
    for reply in 1..9 {
        let mut after = state;
        TicTacToe.step(&mut after, Cell(reply), &mut Rng::new(0));
        assert_eq!(minimax(&mut after), if reply == 4 { 0.0 } else { 1.0 }, "{reply}");
    }
}

#[test]
fn notation() {
    let text = |cell| TicTacToe.action_text(&TicTacToe::START, Cell(cell));
    assert_eq!([0, 2, 4, 6, 8].map(text), ["a3", "c3", "b2", "a1", "c1"]);
}

#[test]
fn it_says_what_a_move_is_and_when_it_is_over() {
    let (mut state, mut rng) = (TicTacToe::START, Rng::new(0));
    for (number, stone) in [(0, 'x'), (3, 'o'), (1, 'x'), (4, 'o'), (2, 'x')] {
        assert_eq!(TicTacToe.standing(&state), Standing::Open);
        let cell = Cell(number);
        let label = format!("{stone} at {}", TicTacToe.action_text(&state, cell));
        assert_eq!(TicTacToe.label(&state, cell).label, label);
        TicTacToe.step(&mut state, cell, &mut rng);
    }
    assert_eq!(TicTacToe.standing(&state), Standing::Over);
}

/// Every position that can come up is read back from its text, and no other one is.
#[test]
fn positions_are_read_from_text() {
    let game = TicTacToe;
    let (mut reached, mut next) = (HashSet::new(), vec![TicTacToe::START]);
    let mut legal = Vec::new();
    while let Some(state) = next.pop() {
        let text = game.state_text(&state);
        assert_eq!(game.read(&text), Ok(state), "{text}");
        if reached.insert(text) {
            game.actions(&state, &mut legal);
            next.extend(legal.iter().map(|&cell| {
                let mut state = state;
                game.step(&mut state, cell, &mut Rng::new(0));
                state
            }));
        }
    }
    assert_eq!(reached.len(), 5478);
    let mut readable = 0;
    for code in 0..3_usize.pow(9) {
        let letter = |cell: u32| ['.', 'x', 'o'][code / 3_usize.pow(cell) % 3];
        let row = |row: u32| (3 * row..3 * row + 3).map(letter).collect::<String>();
        let text = [row(0), row(1), row(2)].join("\n");
        readable += usize::from(game.read(&text).is_ok());
        assert_eq!(game.read(&text).is_ok(), reached.contains(&text), "{text}");
    }
    assert_eq!(readable, 5478);
    for (text, said) in [
        ("x", "expected 3 rows of 3 cells, got 1"),
        ("x..\n....\n...", "line 2: 4 cells, expected 3"),
        ("x..\n.z.\n...", "line 2: 'z', expected `x`, `o` or `.`"),
        ("oo.\n.x.\n...", "1 x and 2 o: x begins"),
        ("xxx\nooo\n...", "the game was over before the last stone came"),
    ] {
        let error = game.read(text).unwrap_err();
        assert!(error.contains(said), "{text:?}: {error}");
    }
}
