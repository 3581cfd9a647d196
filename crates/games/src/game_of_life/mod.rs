//! Game of Life as a planning problem (Sanner and Yoon 2011): keep as many cells alive as you can.
//!
//! By Conway's rule a living cell lives on with two or three living neighbours, and a dead one comes to life
//! with three; beyond the edge nothing lives. In each move one cell may be set, which is as if the rule had
//! it alive. Then each cell turns out otherwise than by the rule with the probability `noise`. Every cell
//! that lives at the beginning of a move brings 1, and setting one costs 1. The start is drawn, each cell
//! alive or dead with even chances, and the game has a fixed number of moves.

mod encoded;
mod entry;

pub use entry::entry;

use patience_model::{Game, Keyed, Label, Outcome, Outcomes, Rng, Scene, Shown, Step, Text};

use crate::words::{counted, square};

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameOfLife {
    size: u8,
    noise: f64,
    horizon: u8,
}

/// Which cells live, as bits row by row, and how many moves are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Cells that live.
    pub alive: u16,
    /// Moves left.
    pub left: u8,
}

/// A cell that is brought to life, or none.
pub type Set = Option<u8>;

impl GameOfLife {
    /// A square of so many cells a side, with this noise, for so many moves.
    ///
    /// # Errors
    /// If the side is not 2 or 3 (each move has 2^cells outcomes), or the noise is no probability.
    pub fn new(size: u8, noise: f64, horizon: u8) -> Result<Self, String> {
        match (2..=3).contains(&size) && (0.0..=1.0).contains(&noise) && horizon > 0 {
            true => Ok(GameOfLife { size, noise, horizon }),
            false => Err(format!("there are squares of 2 or 3 cells a side, not {size}")),
        }
    }

    fn cells(&self) -> u8 {
        self.size * self.size
    }

    /// Which cells the rule has alive next.
    pub fn rule(&self, alive: u16, set: Set) -> u16 {
        let size = self.size as i8;
        let lives = |row: i8, column: i8| {
            let inside = (0..size).contains(&row) && (0..size).contains(&column);
            inside && alive >> (row * size + column) & 1 == 1
        };
        let mut next = set.map_or(0, |cell| 1 << cell);
        for cell in 0..self.cells() as i8 {
            let (row, column) = (cell / size, cell % size);
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx)));
            let others = around.filter(|&step| step != (0, 0));
            let living = others.filter(|(dy, dx)| lives(row + dy, column + dx)).count();
            if living == 3 || (living == 2 && lives(row, column)) {
                next |= 1 << cell;
            }
        }
        next
    }

    /// The name of a cell: `a1` is the lowest one on the left.
    fn square(&self, cell: u8) -> String {
        square(cell % self.size, cell / self.size, self.size)
    }

    fn reward(alive: u16, set: Set) -> f64 {
        f64::from(alive.count_ones()) - f64::from(u8::from(set.is_some()))
    }
}

impl Game for GameOfLife {
    type State = State;
    type Action = Set;
    /// Which cells live.
    type Obs = u16;

    fn start(&self, rng: &mut Rng) -> State {
        State { alive: rng.below(1 << self.cells()) as u16, left: self.horizon }
    }

    fn actions(&self, state: &State, out: &mut Vec<Set>) {
        out.clear();
        if state.left > 0 {
            out.push(None);
            out.extend((0..self.cells()).map(Some));
        }
    }

    fn step(&self, state: &mut State, set: Set, rng: &mut Rng) -> Step<u16> {
        let reward = Self::reward(state.alive, set);
        let mut next = self.rule(state.alive, set);
        for cell in 0..self.cells() {
            next ^= u16::from(rng.chance(self.noise)) << cell;
        }
        *state = State { alive: next, left: state.left - 1 };
        Step { reward, obs: next }
    }
}

impl Keyed for GameOfLife {
    type Key = State;

    fn key(&self, state: &State) -> State {
        *state
    }
}

impl Outcomes for GameOfLife {
    fn outcomes(&self, state: &State, set: Set, out: &mut Vec<Outcome<State, u16>>) {
        out.clear();
        let (reward, rule) = (Self::reward(state.alive, set), self.rule(state.alive, set));
        let cells = u32::from(self.cells());
        for alive in 0..1_u16 << cells {
            let wrong = (alive ^ rule).count_ones();
            let probability =
                self.noise.powi(wrong as i32) * (1.0 - self.noise).powi((cells - wrong) as i32);
            if probability > 0.0 {
                let state = State { alive, left: state.left - 1 };
                out.push(Outcome { probability, state, step: Step { reward, obs: alive } });
            }
        }
    }
}

impl Text for GameOfLife {
    fn state_text(&self, state: &State) -> String {
        let row = |row: u8| -> String {
            let cell = |column: u8| state.alive >> (row * self.size + column) & 1 == 1;
            (0..self.size).map(|column| if cell(column) { '#' } else { '.' }).collect()
        };
        let rows: Vec<String> = (0..self.size).map(row).collect();
        format!("{}\n{} moves left", rows.join("\n"), state.left)
    }

    fn action_text(&self, _: &State, set: Set) -> String {
        match set {
            None => "wait".to_owned(),
            Some(cell) => format!("set {}", self.square(cell)),
        }
    }

    fn obs_text(&self, _: &State, alive: u16) -> String {
        let living = (0..self.cells()).filter(|cell| alive >> cell & 1 == 1);
        let names: Vec<String> = living.map(|cell| self.square(cell)).collect();
        match names.is_empty() {
            true => "nothing lives".to_owned(),
            false => format!("alive: {}", names.join(" ")),
        }
    }
}

impl Shown for GameOfLife {
    fn title(&self) -> String {
        "Game of Life".to_owned()
    }

    fn label(&self, _: &State, set: Set) -> Label {
        match set {
            None => Label::words("wait"),
            Some(cell) => {
                let label = format!("bring {} to life", self.square(cell));
                Label::square(label, cell % self.size, cell / self.size)
            }
        }
    }

    fn scene(&self, state: &State) -> Scene {
        let lives = |cell: u8| if state.alive >> cell & 1 == 1 { "alive" } else { "" }.to_owned();
        let row = |row| (0..self.size).map(|column| lives(row * self.size + column)).collect();
        Scene::Grid {
            rows: (0..self.size).map(row).collect(),
            text: format!("{} left", counted(state.left.into(), "move")),
            seen: String::new(),
        }
    }
}
