//! FrozenLake: across the ice to the goal, past the holes, with slips to the side.
//!
//! The toy problem that most courses on reinforcement learning begin with (Gymnasium's
//! `FrozenLake-v1`, with its two maps). A move goes where it was meant to with probability 1/3 and to
//! either side of that with 1/3 each; at the edge it stays. The goal brings 1 and ends the game, a hole
//! ends it with nothing. There is no limit of moves.

mod encoded;
mod entry;

pub use entry::entry;

use std::fmt;

use patience_model::{Game, Keyed, Label, Outcome, Outcomes, Rng, Scene, Shown, Step, Text};

use crate::words::square;

/// The map of four by four: start, frozen, hole, goal.
const SMALL: &[&[u8]] = &[b"SFFF", b"FHFH", b"FFFH", b"HFFG"];
/// The map of eight by eight.
const LARGE: &[&[u8]] = &[
    b"SFFFFFFF",
    b"FFFFFFFF",
    b"FFFHFFFF",
    b"FFFFFHFF",
    b"FFFHFFFF",
    b"FHHFFFHF",
    b"FHFFHFHF",
    b"FFFHFFFG",
];

/// The rules: a map, whether the ice is slippery, and how rewards shrink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrozenLake {
    map: &'static [&'static [u8]],
    slippery: bool,
    discount: f64,
}

/// Why there is no such lake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrozenLakeError {
    /// There is no map of this size.
    Size(u8),
    /// The discount is out of range.
    Discount(f64),
}

impl fmt::Display for FrozenLakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrozenLakeError::Size(n) => write!(f, "there are maps of size 4 and 8, not {n}"),
            FrozenLakeError::Discount(d) => {
                write!(f, "the discount must be above 0 and at most 1, not {d}")
            }
        }
    }
}

impl std::error::Error for FrozenLakeError {}

/// Where one wants to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Direction {
    Left,
    Down,
    Right,
    Up,
}

const ALL: [Direction; 4] = [Direction::Left, Direction::Down, Direction::Right, Direction::Up];

impl FrozenLake {
    /// A lake of size 4 or 8.
    ///
    /// # Errors
    /// If there is no such map, or the discount is not within (0, 1].
    pub fn new(size: u8, slippery: bool, discount: f64) -> Result<Self, FrozenLakeError> {
        let map = match size {
            4 => SMALL,
            8 => LARGE,
            _ => return Err(FrozenLakeError::Size(size)),
        };
        if !(discount > 0.0 && discount <= 1.0) {
            return Err(FrozenLakeError::Discount(discount));
        }
        Ok(FrozenLake { map, slippery, discount })
    }

    /// Cells of a side.
    pub fn size(&self) -> u8 {
        self.map.len() as u8
    }

    fn tile(&self, cell: u8) -> u8 {
        self.map[usize::from(cell / self.size())][usize::from(cell % self.size())]
    }

    /// The cell in this direction; the same at the edge.
    fn next(&self, cell: u8, direction: Direction) -> u8 {
        let (size, row, column) = (self.size(), cell / self.size(), cell % self.size());
        match direction {
            Direction::Left => row * size + column.saturating_sub(1),
            Direction::Right => row * size + (column + 1).min(size - 1),
            Direction::Up => row.saturating_sub(1) * size + column,
            Direction::Down => (row + 1).min(size - 1) * size + column,
        }
    }

    /// The direction that comes of another one by a slip: 0 to one side, 1 none, 2 to the other.
    fn slip(direction: Direction, slip: u64) -> Direction {
        ALL[(direction as usize + slip as usize + 3) % 4]
    }

    fn arrive(&self, cell: u8) -> Step<u8> {
        Step { reward: f64::from(u8::from(self.tile(cell) == b'G')), obs: cell }
    }
}

/// The state is a cell, numbered row by row from the top left.
impl Game for FrozenLake {
    type State = u8;
    type Action = Direction;
    type Obs = u8;

    fn start(&self, _: &mut Rng) -> u8 {
        0
    }

    fn actions(&self, cell: &u8, out: &mut Vec<Direction>) {
        out.clear();
        if !matches!(self.tile(*cell), b'H' | b'G') {
            out.extend(ALL);
        }
    }

    fn step(&self, cell: &mut u8, direction: Direction, rng: &mut Rng) -> Step<u8> {
        let slip = if self.slippery { rng.below(3) } else { 1 };
        *cell = self.next(*cell, Self::slip(direction, slip));
        self.arrive(*cell)
    }

    fn discount(&self) -> f64 {
        self.discount
    }
}

impl Keyed for FrozenLake {
    type Key = u8;

    fn key(&self, cell: &u8) -> u8 {
        *cell
    }
}

impl Outcomes for FrozenLake {
    fn outcomes(&self, cell: &u8, direction: Direction, out: &mut Vec<Outcome<u8, u8>>) {
        out.clear();
        let slips = if self.slippery { 0..3 } else { 1..2 };
        let probability = 1.0 / (slips.end - slips.start) as f64;
        for slip in slips {
            let state = self.next(*cell, Self::slip(direction, slip));
            // At an edge two slips may come to the same.
            match out.iter_mut().find(|outcome| outcome.state == state) {
                Some(same) => same.probability += probability,
                None => out.push(Outcome { probability, state, step: self.arrive(state) }),
            }
        }
    }
}

impl Text for FrozenLake {
    fn state_text(&self, cell: &u8) -> String {
        let rows = self.map.iter().enumerate().map(|(row, tiles)| {
            let here = |column: usize| row * self.map.len() + column == usize::from(*cell);
            let tile =
                |(column, tile): (usize, &u8)| if here(column) { '@' } else { char::from(*tile) };
            tiles.iter().enumerate().map(tile).collect::<String>()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    fn action_text(&self, _: &u8, direction: Direction) -> String {
        format!("{direction:?}").to_lowercase()
    }

    /// The square: `a1` is the lowest one on the left.
    fn obs_text(&self, _: &u8, cell: u8) -> String {
        square(cell % self.size(), cell / self.size(), self.size())
    }
}

impl Shown for FrozenLake {
    fn title(&self) -> String {
        "FrozenLake".to_owned()
    }

    /// On the square where it is meant to lead, if it leads to another one.
    fn label(&self, cell: &u8, direction: Direction) -> Label {
        let label = format!("go {}", self.action_text(cell, direction));
        match self.next(*cell, direction) {
            next if next == *cell => Label::words(label),
            next => Label::square(label, next % self.size(), next / self.size()),
        }
    }

    fn scene(&self, cell: &u8) -> Scene {
        let on = |at: u8| match self.tile(at) {
            _ if at == *cell => "you",
            b'H' => "hole",
            b'G' => "goal",
            _ => "",
        };
        let size = self.size();
        let row = |row| (0..size).map(|column| on(row * size + column).to_owned()).collect();
        let text = match self.tile(*cell) {
            b'H' => "you fell through the ice",
            b'G' => "you are across",
            _ => "",
        };
        let rows = (0..size).map(row).collect();
        Scene::Grid { rows, text: text.to_owned(), seen: String::new() }
    }

    fn won(&self, cell: &u8) -> bool {
        self.tile(*cell) == b'G'
    }
}
