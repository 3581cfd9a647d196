//! Battleship for one (Silver and Veness 2010): sink a fleet that is not seen, in as few shots as possible.
//!
//! Four ships of 5, 4, 3 and 2 squares lie on ten by ten squares, along a row or a column, and no two touch,
//! not even at a corner; every such fleet is alike. A shot tells whether it hit. Each costs 1, the one that
//! sinks the last square brings 100, and no square is shot at twice. Nothing shrinks.

mod belief;
mod entry;
mod fleet;

pub use entry::entry;
pub use fleet::{SHIPS, SIDE};

use patience_model::{Game, Hidden, Label, Rng, Scene, Shown, Step, Text};

use crate::words::{counted, square};
use fleet::{SQUARES, Squares, has};

/// Squares that ships cover.
pub const TARGETS: u32 = 14;
/// What the last hit brings.
pub const SUNK: f64 = 100.0;

/// The rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Battleship;

/// A shot: the square, row by row from the top.
pub type Shot = u8;

/// What was shot at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    hits: Squares,
    misses: Squares,
}

impl Known {
    /// Whether all ships are sunk.
    pub fn is_over(&self) -> bool {
        self.hits.count_ones() == TARGETS
    }

    /// What a shot has told, if there was one.
    pub fn at(&self, square: Shot) -> Option<bool> {
        (has(self.hits | self.misses, square)).then(|| has(self.hits, square))
    }
}

/// What is known, and where the ships are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    known: Known,
    fleet: Squares,
}

impl State {
    /// Whether a ship is on a square.
    pub fn is_ship(&self, square: Shot) -> bool {
        has(self.fleet, square)
    }
}

impl Game for Battleship {
    type State = State;
    type Action = Shot;
    /// Whether it hit.
    type Obs = bool;

    fn start(&self, rng: &mut Rng) -> State {
        self.draw(&Known::default(), rng)
    }

    fn actions(&self, state: &State, out: &mut Vec<Shot>) {
        out.clear();
        if !state.known.is_over() {
            let shot = state.known.hits | state.known.misses;
            out.extend((0..SQUARES).filter(|&square| !has(shot, square)));
        }
    }

    fn step(&self, state: &mut State, shot: Shot, _: &mut Rng) -> Step<bool> {
        let (hit, known) = (has(state.fleet, shot), &mut state.known);
        let told = if hit { &mut known.hits } else { &mut known.misses };
        *told |= 1 << shot;
        let reward = if known.is_over() { SUNK - 1.0 } else { -1.0 };
        Step { reward, obs: hit }
    }
}

impl Hidden for Battleship {
    type Known = Known;

    fn known(&self, state: &State) -> Known {
        state.known
    }

    fn draw(&self, known: &Known, rng: &mut Rng) -> State {
        State { known: *known, fleet: belief::draw(known.hits, known.misses, rng) }
    }
}

impl Battleship {
    /// The board by what is on each square.
    fn board(&self, on: impl Fn(Shot) -> char) -> String {
        let row = |row| (0..SIDE).map(|column| on(row * SIDE + column)).collect::<String>();
        (0..SIDE).map(row).collect::<Vec<_>>().join("\n")
    }

    /// The position with what is hidden in it.
    fn whole(&self, state: &State) -> String {
        self.board(|square| match (state.known.at(square), state.is_ship(square)) {
            (Some(true), _) => 'x',
            (Some(false), _) => 'o',
            (None, true) => '#',
            (None, false) => '.',
        })
    }
}

impl Text for Battleship {
    fn state_text(&self, state: &State) -> String {
        self.board(|square| match state.known.at(square) {
            Some(true) => 'x',
            Some(false) => 'o',
            None => '.',
        })
    }

    /// The square as in chess: `a10` is the top left one.
    fn action_text(&self, _: &State, shot: Shot) -> String {
        square(shot % SIDE, shot / SIDE, SIDE)
    }

    fn obs_text(&self, _: &State, hit: bool) -> String {
        if hit { "a hit" } else { "a miss" }.to_owned()
    }
}

impl Shown for Battleship {
    fn title(&self) -> String {
        "Battleship".to_owned()
    }

    fn label(&self, state: &State, shot: Shot) -> Label {
        let label = format!("shoot at {}", self.action_text(state, shot));
        Label::square(label, shot % SIDE, shot / SIDE)
    }

    fn scene(&self, state: &State) -> Scene {
        let left = TARGETS - state.known.hits.count_ones();
        Scene::squares(
            &self.state_text(state),
            format!("{} of ships left", counted(left as usize, "square")),
        )
    }

    fn won(&self, state: &State) -> bool {
        state.known.is_over()
    }
}
