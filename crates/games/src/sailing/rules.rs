//! The rules of sailing.

use std::fmt;

use patience_model::{Game, Keyed, Label, Outcome, Outcomes, Rng, Scene, Shown, Step, Text};

use super::wind::Direction::{E, N, NE, NW, S, SE, SW, W};
use super::wind::{Direction, Tack, delay, leg, next_wind, winds_after};

/// A lake of `size` × `size` way points.
///
/// The reward of a leg is minus its minutes, and the wind that follows is its observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sailing {
    size: u16,
}

/// There is no lake of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SailingError(u32);

impl fmt::Display for SailingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the size of a lake must be from 2 to {}, not {}", Sailing::MAX_SIZE, self.0)
    }
}

impl std::error::Error for SailingError {}

/// Where the boat is, the wind for the next leg, and the tack of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Way points from the west shore.
    pub(super) x: u16,
    /// Way points from the south shore.
    pub(super) y: u16,
    /// The wind.
    pub(super) wind: Direction,
    /// The tack of the last leg.
    pub(super) tack: Tack,
}

impl State {
    /// Way points from the west and from the south shore.
    pub fn position(&self) -> (u16, u16) {
        (self.x, self.y)
    }

    /// The wind for the next leg.
    pub fn wind(&self) -> Direction {
        self.wind
    }

    /// The tack of the last leg.
    pub fn tack(&self) -> Tack {
        self.tack
    }
}

impl Sailing {
    /// The largest lake.
    pub const MAX_SIZE: u16 = 1_000;

    /// A lake of `size` × `size` way points.
    pub fn new(size: u32) -> Result<Self, SailingError> {
        if (2..=u32::from(Self::MAX_SIZE)).contains(&size) {
            Ok(Sailing { size: size as u16 })
        } else {
            Err(SailingError(size))
        }
    }

    /// Way points along one shore.
    pub fn size(&self) -> u16 {
        self.size
    }

    /// How many states there are, those at the goal included: keys are below this.
    pub fn states(&self) -> usize {
        usize::from(self.size).pow(2) * 24
    }

    /// The state that has this key; `None` if there is none.
    pub fn state(&self, key: u32) -> Option<State> {
        let key = key as usize;
        if key >= self.states() {
            return None;
        }
        let (place, size) = (key / 24, usize::from(self.size));
        Some(State {
            x: (place % size) as u16,
            y: (place / size) as u16,
            wind: Direction::ALL[key / 3 % 8],
            tack: Tack::ALL[key % 3],
        })
    }

    /// A state away from the goal, each alike: what the UCT paper averages over.
    pub fn random_state(&self, rng: &mut Rng) -> State {
        // The goal is the last way point, so its states have the highest keys.
        let place = rng.index(usize::from(self.size).pow(2) - 1);
        let (x, y) = (place % usize::from(self.size), place / usize::from(self.size));
        let wind = rng.pick(&Direction::ALL);
        State { x: x as u16, y: y as u16, wind, tack: rng.pick(&Tack::ALL) }
    }

    /// Whether the boat has arrived.
    #[inline]
    pub fn is_goal(&self, state: &State) -> bool {
        state.x + 1 == self.size && state.y + 1 == self.size
    }

    /// Minutes of a leg.
    #[inline]
    pub fn minutes(&self, state: &State, heading: Direction) -> f64 {
        let (minutes, tack) = leg(state.wind, heading);
        minutes + delay(state.tack, tack)
    }

    /// The state after a leg, but with the wind that blew on it.
    #[inline]
    pub(super) fn sail(&self, state: &State, heading: Direction) -> State {
        let (dx, dy) = (Direction::STEP_X[heading as usize], Direction::STEP_Y[heading as usize]);
        State {
            x: state.x.wrapping_add_signed(dx.into()),
            y: state.y.wrapping_add_signed(dy.into()),
            wind: state.wind,
            tack: leg(state.wind, heading).1,
        }
    }

    /// The legal headings, one bit each.
    #[inline]
    pub(super) fn headings(&self, state: &State) -> u8 {
        // The three headings out of the lake at each shore.
        const NORTH: u8 = 1 << N as u8 | 1 << NE as u8 | 1 << NW as u8;
        const EAST: u8 = 1 << E as u8 | 1 << NE as u8 | 1 << SE as u8;
        const SOUTH: u8 = 1 << S as u8 | 1 << SE as u8 | 1 << SW as u8;
        const WEST: u8 = 1 << W as u8 | 1 << SW as u8 | 1 << NW as u8;
        let last = self.size - 1;
        let mut barred = 1 << ((state.wind as u8 + 4) & 7);
        barred |= if state.x == 0 { WEST } else { 0 };
        barred |= if state.x == last { EAST } else { 0 };
        barred |= if state.y == 0 { SOUTH } else { 0 };
        barred |= if state.y == last { NORTH } else { 0 };
        if self.is_goal(state) { 0 } else { !barred }
    }
}

impl Game for Sailing {
    type State = State;
    type Action = Direction;
    type Obs = Direction;

    /// The corner opposite to the goal, with any wind.
    fn start(&self, rng: &mut Rng) -> State {
        State { x: 0, y: 0, wind: rng.pick(&Direction::ALL), tack: Tack::Neither }
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Direction>) {
        out.clear();
        let mut headings = self.headings(state);
        while headings != 0 {
            out.push(Direction::ALL[headings.trailing_zeros() as usize & 7]);
            headings &= headings - 1;
        }
    }

    #[inline]
    fn step(&self, state: &mut State, action: Direction, rng: &mut Rng) -> Step<Direction> {
        debug_assert!(self.headings(state) >> action as u8 & 1 != 0, "{action:?} from {state:?}");
        let reward = -self.minutes(state, action);
        *state = self.sail(state, action);
        state.wind = next_wind(state.wind, rng);
        Step { reward, obs: state.wind }
    }
}

/// The key is the number of the state in a dense table: all numbers below [`Sailing::states`].
impl Keyed for Sailing {
    type Key = u32;

    #[inline]
    fn key(&self, state: &State) -> u32 {
        let place = u32::from(state.y) * u32::from(self.size) + u32::from(state.x);
        place * 24 + state.wind as u32 * 3 + state.tack as u32
    }
}

impl Outcomes for Sailing {
    fn outcomes(&self, state: &State, action: Direction, out: &mut Vec<Outcome<State, Direction>>) {
        out.clear();
        let reward = -self.minutes(state, action);
        let after = self.sail(state, action);
        out.extend(winds_after(state.wind).iter().map(|&(wind, tenths)| Outcome {
            probability: f64::from(tenths) / 10.0,
            state: State { wind, ..after },
            step: Step { reward, obs: wind },
        }));
    }
}

impl Text for Sailing {
    fn state_text(&self, state: &State) -> String {
        let tack = match state.tack {
            Tack::Neither => "neither tack",
            Tack::Port => "port tack",
            Tack::Starboard => "starboard tack",
        };
        let goal = self.size - 1;
        format!("at ({}, {}) of ({goal}, {goal}), wind to {}, {tack}", state.x, state.y, state.wind)
    }

    fn action_text(&self, _state: &State, action: Direction) -> String {
        action.to_string()
    }
}

/// Lakes up to this size are drawn.
const LARGEST_DRAWN: u16 = 40;

impl Shown for Sailing {
    fn title(&self) -> String {
        "Sailing".to_owned()
    }

    fn label(&self, state: &State, heading: Direction) -> Label {
        let minutes = self.minutes(state, heading);
        let label = format!("sail {heading}, {minutes:.1} minutes");
        let words = Label { points: Some(-minutes), ..Label::words(label) };
        if self.size > LARGEST_DRAWN {
            return words;
        }
        let (dx, dy) = (Direction::STEP_X[heading as usize], Direction::STEP_Y[heading as usize]);
        let column = state.x.wrapping_add_signed(dx.into());
        let row = self.size - 1 - state.y.wrapping_add_signed(dy.into());
        Label { cells: vec![(column as u8, row as u8)], count: 1, ..words }
    }

    /// The lake with the boat and the goal, north above; large ones in words.
    fn scene(&self, state: &State) -> Scene {
        let (text, seen) = (self.state_text(state), String::new());
        if self.size > LARGEST_DRAWN {
            return Scene::Text { text, seen };
        }
        let size = self.size as usize;
        let mut rows = vec![vec![String::new(); size]; size];
        rows[0][size - 1] = "goal".to_owned();
        rows[size - 1 - state.y as usize][state.x as usize] = "boat".to_owned();
        Scene::Grid { rows, text, seen }
    }

    fn won(&self, state: &State) -> bool {
        self.is_goal(state)
    }
}
