//! The taxi (Dietterich 2000): fetch a passenger at one of four places and bring them to another.
//!
//! The numbers are those of Gymnasium's `Taxi-v3`: −1 a move, 20 for bringing the passenger home, which
//! ends the game, and −10 for picking up or putting down where that cannot be. All is seen and nothing is
//! left to chance but the start. There is no limit of moves.

mod encoded;
mod entry;

pub use entry::entry;

use patience_model::{Game, Keyed, Label, Outcome, Outcomes, Rng, Shown, Step, Text};

/// The rules: how rewards shrink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taxi {
    discount: f64,
}

/// The map, with walls between columns as bars.
const MAP: [&[u8]; 5] = [b"R: | : :G", b" : | : : ", b" : : : : ", b" | : | : ", b"Y| : |B: "];
/// Where passengers wait and want to go: row and column of red, green, yellow and blue.
const PLACES: [(u8, u8); 4] = [(0, 0), (0, 4), (4, 0), (4, 3)];
const NAMES: [&str; 4] = ["red", "green", "yellow", "blue"];
/// The passenger sits in the taxi.
const ABOARD: u8 = 4;

/// Where the taxi is, where the passenger is and wants to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    row: u8,
    column: u8,
    /// A place, or in the taxi.
    passenger: u8,
    destination: u8,
    over: bool,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Action {
    South,
    North,
    East,
    West,
    PickUp,
    PutDown,
}

const ALL: [Action; 6] =
    [Action::South, Action::North, Action::East, Action::West, Action::PickUp, Action::PutDown];

impl Taxi {
    /// The problem with this discount.
    ///
    /// # Errors
    /// If it is not within (0, 1].
    pub fn new(discount: f64) -> Result<Self, String> {
        match discount > 0.0 && discount <= 1.0 {
            true => Ok(Taxi { discount }),
            false => Err(format!("the discount must be above 0 and at most 1, not {discount}")),
        }
    }

    fn is_wall(row: u8, column: u8) -> bool {
        MAP[usize::from(row)][2 * usize::from(column) + 1] == b'|'
    }

    fn play(state: &mut State, action: Action) -> f64 {
        let State { row, column, passenger, destination, .. } = *state;
        match action {
            Action::South => state.row = (row + 1).min(4),
            Action::North => state.row = row.saturating_sub(1),
            Action::East if column < 4 && !Self::is_wall(row, column) => state.column += 1,
            Action::West if column > 0 && !Self::is_wall(row, column - 1) => state.column -= 1,
            Action::East | Action::West => {}
            Action::PickUp => {
                let here = PLACES.get(usize::from(passenger)) == Some(&(row, column));
                if !here {
                    return -10.0;
                }
                state.passenger = ABOARD;
            }
            Action::PutDown => {
                let place = PLACES.iter().position(|&place| place == (row, column));
                match place {
                    Some(place) if passenger == ABOARD => {
                        state.passenger = place as u8;
                        if place as u8 == destination {
                            state.over = true;
                            return 20.0;
                        }
                    }
                    _ => return -10.0,
                }
            }
        }
        -1.0
    }
}

impl Game for Taxi {
    type State = State;
    type Action = Action;
    type Obs = ();

    /// Any cell, any place for the passenger, any other to go to.
    fn start(&self, rng: &mut Rng) -> State {
        let (row, column) = (rng.below(5) as u8, rng.below(5) as u8);
        let passenger = rng.below(4) as u8;
        let destination = (passenger + 1 + rng.below(3) as u8) % 4;
        State { row, column, passenger, destination, over: false }
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        if !state.over {
            out.extend(ALL);
        }
    }

    fn step(&self, state: &mut State, action: Action, _: &mut Rng) -> Step<()> {
        Step { reward: Self::play(state, action), obs: () }
    }

    fn discount(&self) -> f64 {
        self.discount
    }
}

impl Keyed for Taxi {
    type Key = State;

    fn key(&self, state: &State) -> State {
        *state
    }
}

impl Outcomes for Taxi {
    fn outcomes(&self, state: &State, action: Action, out: &mut Vec<Outcome<State, ()>>) {
        out.clear();
        let mut next = *state;
        let step = Step { reward: Self::play(&mut next, action), obs: () };
        out.push(Outcome { probability: 1.0, state: next, step });
    }
}

impl Text for Taxi {
    fn state_text(&self, state: &State) -> String {
        let mut text = String::new();
        for (row, line) in MAP.iter().enumerate() {
            for (place, &tile) in line.iter().enumerate() {
                let taxi = row == usize::from(state.row) && place == 2 * usize::from(state.column);
                text.push(if taxi { '@' } else { char::from(tile) });
            }
            text.push('\n');
        }
        let passenger = match NAMES.get(usize::from(state.passenger)) {
            Some(place) => format!("waits at {place}"),
            None => "is in the taxi".to_owned(),
        };
        let destination = NAMES[usize::from(state.destination)];
        match state.over {
            true => text + &format!("the passenger is at {destination}: home"),
            false => text + &format!("the passenger {passenger}, to {destination}"),
        }
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        match action {
            Action::PickUp => "pick up".to_owned(),
            Action::PutDown => "put down".to_owned(),
            _ => format!("{action:?}").to_lowercase(),
        }
    }
}

impl Shown for Taxi {
    fn title(&self) -> String {
        "Taxi".to_owned()
    }

    fn label(&self, state: &State, action: Action) -> Label {
        let text = self.action_text(state, action);
        Label::words(match action {
            Action::PickUp | Action::PutDown => format!("{text} the passenger"),
            _ => format!("drive {text}"),
        })
    }
}
