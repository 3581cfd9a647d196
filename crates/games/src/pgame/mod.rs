//! P-games: random minimax trees (UCT paper section 3.1; Smith and Nau 1994).
//!
//! MAX and MIN move in turn. Every move has a value; at the end the sum along the path decides:
//! positive is a win for MAX, negative a win for MIN, zero a draw. The values are not shown to the
//! players.
//!
//! A tree is never stored: the hash of a path is computed from its parent's, and a move's value
//! from the hash of the path that it leads to, so a tree of any depth costs nothing but its seed.

mod entry;
mod minimax;

pub use entry::entry;
use std::fmt;

use patience_model::{Game, Keyed, Label, Outcome, Outcomes, Rng, Shown, Step, Text, Undo};

/// How the values of moves are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveValues {
    /// Whole numbers in \[0, 127\] for MAX's moves and in \[−127, 0\] for MIN's, as in the UCT paper.
    Uniform,
    /// 1 or −1 for every move of either player, as in Smith and Nau.
    PlusMinusOne,
}

/// The rules: a tree's shape and how its values are drawn. [`Game::start`] draws a tree.
///
/// The reward comes with the last move, from MAX's view and on UCB1's scale: 1 for a win, ½ for a
/// draw, 0 for a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PGame {
    branching: u16,
    depth: u16,
    values: MoveValues,
}

/// Why there is no such P-game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PGameError {
    /// The number of moves in a position is out of range.
    Branching(u32),
    /// The number of moves in a game is out of range.
    Depth(u32),
}

impl fmt::Display for PGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PGameError::Branching(b) => write!(
                f,
                "the branching of a P-game must be from 1 to {}, not {b}",
                PGame::MAX_BRANCHING
            ),
            PGameError::Depth(d) => {
                write!(f, "the depth of a P-game must be from 1 to {}, not {d}", PGame::MAX_DEPTH)
            }
        }
    }
}

impl std::error::Error for PGameError {}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Hash of the tree's seed and the path to here.
    path: u64,
    /// The values of the moves so far.
    sum: i32,
    /// Moves so far.
    ply: u16,
}

impl State {
    /// Moves made so far; MAX moves when it is even.
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// The sum of the values of the moves so far, which the players do not see.
    pub fn sum(&self) -> i32 {
        self.sum
    }
}

/// A move, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u16);

/// The hash of the path that goes on with this move. The children of a node are successive values
/// of a wyrand generator whose seed is the node's hash: one wide multiplication each.
#[inline]
fn child(path: u64, number: u16) -> u64 {
    let x = path.wrapping_add((u64::from(number) + 1).wrapping_mul(0xa076_1d64_78bd_642f));
    let wide = u128::from(x) * u128::from(x ^ 0xe703_7ed1_a0b4_28db);
    (wide >> 64) as u64 ^ wide as u64
}

impl PGame {
    /// The largest number of moves in a position.
    pub const MAX_BRANCHING: u16 = 10_000;
    /// The greatest depth: searches that recurse to the end of the game stay within their stack.
    pub const MAX_DEPTH: u16 = 1_000;

    /// P-games in which every position has `branching` moves and every game takes `depth` moves.
    pub fn new(branching: u32, depth: u32, values: MoveValues) -> Result<Self, PGameError> {
        if !(1..=u32::from(Self::MAX_BRANCHING)).contains(&branching) {
            return Err(PGameError::Branching(branching));
        }
        if !(1..=u32::from(Self::MAX_DEPTH)).contains(&depth) {
            return Err(PGameError::Depth(depth));
        }
        Ok(PGame { branching: branching as u16, depth: depth as u16, values })
    }

    /// How many moves every position has.
    pub fn branching(&self) -> u16 {
        self.branching
    }

    /// How many moves every game takes.
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// How the values of moves are drawn.
    pub fn values(&self) -> MoveValues {
        self.values
    }

    /// The root of the tree that belongs to a seed; neighbouring seeds give unrelated trees.
    pub fn tree(&self, seed: u64) -> State {
        self.start(&mut Rng::new(seed))
    }

    #[inline]
    fn play(&self, state: &mut State, action: Move) -> Step<()> {
        debug_assert!(action.0 < self.branching && state.ply < self.depth);
        *state = self.after(state, action);
        let reward = if state.ply == self.depth { payoff(state.sum) } else { 0.0 };
        Step { reward, obs: () }
    }

    /// The state after a move.
    #[inline]
    fn after(&self, state: &State, action: Move) -> State {
        let path = child(state.path, action.0);
        let value = match self.values {
            MoveValues::Uniform => {
                let size = (path >> 57) as i32;
                if state.ply & 1 == 0 { size } else { -size }
            }
            MoveValues::PlusMinusOne => 1 - 2 * (path >> 63) as i32,
        };
        State { path, sum: state.sum + value, ply: state.ply + 1 }
    }
}

/// What a finished game is worth to MAX.
#[inline]
fn payoff(sum: i32) -> f64 {
    f64::from(sum.signum() + 1) * 0.5
}

impl Game for PGame {
    type State = State;
    type Action = Move;
    type Obs = ();

    fn start(&self, rng: &mut Rng) -> State {
        State { path: rng.next_u64(), sum: 0, ply: 0 }
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        if state.ply < self.depth {
            out.extend((0..self.branching).map(Move));
        }
    }

    #[inline]
    fn step(&self, state: &mut State, action: Move, _rng: &mut Rng) -> Step<()> {
        self.play(state, action)
    }

    #[inline]
    fn minimising(&self, state: &State) -> bool {
        state.ply & 1 != 0
    }
}

/// The key is the hash of the path: two nodes of the trees met in one run share it with the
/// probability of a collision of 64-bit hashes only.
impl Keyed for PGame {
    type Key = u64;

    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.path
    }
}

/// The hash of a path cannot be run backwards, so the parent itself is remembered.
impl Undo for PGame {
    type Token = State;

    #[inline]
    fn apply(&self, state: &mut State, action: Move, _rng: &mut Rng) -> (Step<()>, State) {
        let before = *state;
        (self.play(state, action), before)
    }

    #[inline]
    fn undo(&self, state: &mut State, before: State) {
        *state = before;
    }
}

/// One outcome: there is no chance once the tree is drawn.
impl Outcomes for PGame {
    fn outcomes(&self, state: &State, action: Move, out: &mut Vec<Outcome<State, ()>>) {
        out.clear();
        let mut state = *state;
        let step = self.play(&mut state, action);
        out.push(Outcome { probability: 1.0, state, step });
    }
}

impl Text for PGame {
    /// The players see how far the game is; the sum is shown once it is over.
    fn state_text(&self, state: &State) -> String {
        if state.ply < self.depth {
            let player = if self.minimising(state) { "MIN" } else { "MAX" };
            format!("move {} of {}, {player} to move", state.ply + 1, self.depth)
        } else {
            let verdict = match state.sum.signum() {
                1 => "MAX wins",
                0 => "a draw",
                _ => "MIN wins",
            };
            format!("over, sum {}: {verdict}", state.sum)
        }
    }

    fn action_text(&self, _state: &State, action: Move) -> String {
        action.0.to_string()
    }
}

impl Shown for PGame {
    fn title(&self) -> String {
        "P-game".to_owned()
    }

    fn label(&self, _state: &State, action: Move) -> Label {
        Label::words(format!("move {}", action.0))
    }
}
