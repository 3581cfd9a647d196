//! The tiger problem (Kaelbling, Littman and Cassandra 1998): the smallest hidden state.
//!
//! Behind one of two doors is a tiger, behind the other a treasure. Listening costs 1 and tells
//! the right door with probability 0.85. Opening a door ends the game: 10 for the treasure, −100
//! for the tiger. Nothing is seen at the opening, as in the original. The game also ends, with
//! nothing more, when the horizon is reached.

mod encoded;
mod entry;
mod optimal;

pub use entry::entry;
use std::fmt;

use patience_model::{Game, Hidden, Label, Outcome, Outcomes, Rng, Shown, Step, Text};

/// How likely it is that the right door is heard.
pub const ACCURACY: f64 = 0.85;
/// Reward of listening.
pub const LISTENING: f64 = -1.0;
/// Reward of the treasure.
pub const TREASURE: f64 = 10.0;
/// Reward of the tiger.
pub const TIGER: f64 = -100.0;

/// The rules: how many moves there are at most, and how rewards shrink.
///
/// There is no key: one that tells states apart would tell where the tiger is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tiger {
    horizon: u16,
    discount: f64,
}

/// Why there is no such tiger problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TigerError {
    /// The horizon is out of range.
    Horizon(u32),
    /// The discount is out of range.
    Discount(f64),
}

impl fmt::Display for TigerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TigerError::Horizon(n) => {
                write!(
                    f,
                    "the tiger's horizon must be from 1 to {} moves, not {n}",
                    Tiger::MAX_HORIZON
                )
            }
            TigerError::Discount(d) => {
                write!(f, "the tiger's discount must be above 0 and at most 1, not {d}")
            }
        }
    }
}

impl std::error::Error for TigerError {}

/// A door.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Door {
    Left,
    Right,
}

impl fmt::Display for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Door::Left => "left",
            Door::Right => "right",
        })
    }
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Listen for the tiger.
    Listen,
    /// Open a door.
    Open(Door),
}

/// What a move tells: the door behind which the tiger was heard; nothing when a door is opened.
pub type Heard = Option<Door>;

/// What the player knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Known {
    /// How often the tiger was heard behind the left door.
    pub heard_left: u16,
    /// How often the tiger was heard behind the right door.
    pub heard_right: u16,
    /// The door that was opened.
    pub opened: Option<Door>,
}

impl Known {
    /// The probability that the tiger is behind the left door, by Bayes' rule from even chances.
    pub fn left(&self) -> f64 {
        optimal::belief(self.surplus())
    }

    /// How much more often the tiger was heard on the left: all that the posterior depends on.
    fn surplus(&self) -> i32 {
        i32::from(self.heard_left) - i32::from(self.heard_right)
    }
}

/// The tiger's door, and what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    tiger: Door,
    known: Known,
}

impl State {
    /// The door behind which the tiger is.
    pub fn tiger(&self) -> Door {
        self.tiger
    }
}

impl Tiger {
    /// The longest horizon.
    pub const MAX_HORIZON: u16 = 10_000;

    /// A problem of at most `horizon` moves; 0.95 is the usual discount.
    pub fn new(horizon: u32, discount: f64) -> Result<Self, TigerError> {
        if !(1..=u32::from(Self::MAX_HORIZON)).contains(&horizon) {
            return Err(TigerError::Horizon(horizon));
        }
        if !(discount > 0.0 && discount <= 1.0) {
            return Err(TigerError::Discount(discount));
        }
        Ok(Tiger { horizon: horizon as u16, discount })
    }

    /// The largest number of moves.
    pub fn horizon(&self) -> u16 {
        self.horizon
    }

    fn moves_left(&self, known: &Known) -> u16 {
        match known.opened {
            Some(_) => 0,
            None => self.horizon.saturating_sub(known.heard_left.saturating_add(known.heard_right)),
        }
    }

    /// The state and reward that follow, given what is heard if the player listens.
    fn follow(&self, state: &State, action: Action, heard: Door) -> (State, Step<Heard>) {
        let mut next = *state;
        let step = match action {
            Action::Listen => {
                match heard {
                    Door::Left => next.known.heard_left += 1,
                    Door::Right => next.known.heard_right += 1,
                }
                Step { reward: LISTENING, obs: Some(heard) }
            }
            Action::Open(door) => {
                next.known.opened = Some(door);
                let reward = if door == state.tiger { TIGER } else { TREASURE };
                Step { reward, obs: None }
            }
        };
        (next, step)
    }
}

fn other(door: Door) -> Door {
    match door {
        Door::Left => Door::Right,
        Door::Right => Door::Left,
    }
}

impl Game for Tiger {
    type State = State;
    type Action = Action;
    type Obs = Heard;

    fn start(&self, rng: &mut Rng) -> State {
        self.draw(&Known { heard_left: 0, heard_right: 0, opened: None }, rng)
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        if self.moves_left(&state.known) > 0 {
            out.extend([Action::Listen, Action::Open(Door::Left), Action::Open(Door::Right)]);
        }
    }

    fn step(&self, state: &mut State, action: Action, rng: &mut Rng) -> Step<Heard> {
        let heard = match action {
            Action::Listen if !rng.chance(ACCURACY) => other(state.tiger),
            _ => state.tiger,
        };
        let (next, step) = self.follow(state, action, heard);
        *state = next;
        step
    }

    fn discount(&self) -> f64 {
        self.discount
    }
}

impl Outcomes for Tiger {
    fn outcomes(&self, state: &State, action: Action, out: &mut Vec<Outcome<State, Heard>>) {
        out.clear();
        let mut push = |probability, heard| {
            let (state, step) = self.follow(state, action, heard);
            out.push(Outcome { probability, state, step });
        };
        match action {
            Action::Listen => {
                push(ACCURACY, state.tiger);
                push(1.0 - ACCURACY, other(state.tiger));
            }
            Action::Open(_) => push(1.0, state.tiger),
        }
    }
}

impl Hidden for Tiger {
    type Known = Known;

    fn known(&self, state: &State) -> Known {
        state.known
    }

    fn draw(&self, known: &Known, rng: &mut Rng) -> State {
        let tiger = if rng.chance(known.left()) { Door::Left } else { Door::Right };
        State { tiger, known: *known }
    }
}

impl Text for Tiger {
    fn state_text(&self, state: &State) -> String {
        let Known { heard_left, heard_right, opened } = state.known;
        let heard = format!("heard {heard_left} times left, {heard_right} times right");
        match opened {
            Some(door) => format!("{heard}; the {door} door is open"),
            None => format!("{heard}; {} moves left", self.moves_left(&state.known)),
        }
    }

    fn obs_text(&self, _state: &State, heard: Heard) -> String {
        heard.map_or(String::new(), |door| format!("heard on the {door}"))
    }

    fn action_text(&self, _state: &State, action: Action) -> String {
        match action {
            Action::Listen => "listen".to_owned(),
            Action::Open(door) => format!("open {door}"),
        }
    }
}

/// A game that is over is never shown as won: nobody sees what was behind the door.
impl Shown for Tiger {
    fn title(&self) -> String {
        "Tiger".to_owned()
    }

    fn label(&self, _state: &State, action: Action) -> Label {
        Label::words(match action {
            Action::Listen => "listen for the tiger".to_owned(),
            Action::Open(door) => format!("open the {door} door"),
        })
    }
}
