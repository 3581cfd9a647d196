//! RockSample (Smith and Simmons 2004): which rocks are worth a sample, and which are worth a look?
//!
//! A rover crosses a field of n × n cells with k rocks, each good or bad with even chances, which it does
//! not see. Sampling a good rock brings 10 and makes it bad, sampling a bad one costs 10, and leaving the
//! field to the east brings 10 and ends the game. A rock can be looked at from afar: from distance d the
//! rover is told right with probability (1 + 2^(−d/20))/2. Everything else is seen, and the discount is
//! 0.95. The layouts of (7, 8) and (11, 11) are those that the literature compares on.

mod encoded;
mod entry;
mod foresight;

pub use entry::entry;
pub use foresight::Foresight;

use std::fmt::Write as _;

use patience_model::{Game, Hidden, Label, Rng, Scene, Shown, Step, Text};

/// At this distance a look is halfway between sure and useless.
const HALF_EFFICIENCY: f64 = 20.0;
/// The most rocks of a layout.
pub const MOST_ROCKS: usize = 11;

/// A layout: cells of a side, where the rover starts, and the rocks, as columns from the west and rows from
/// the south.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    size: u8,
    start: (u8, u8),
    rocks: &'static [(u8, u8)],
}

/// Four rocks, as in Smith and Simmons' smallest one.
const SMALL: Layout = Layout { size: 4, start: (0, 2), rocks: &[(3, 1), (2, 1), (1, 3), (1, 0)] };
/// RockSample(7, 8).
const MIDDLE: Layout = Layout {
    size: 7,
    start: (0, 3),
    rocks: &[(2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6)],
};
/// RockSample(11, 11).
const LARGE: Layout = Layout {
    size: 11,
    start: (0, 5),
    rocks: &[
        (0, 3),
        (0, 7),
        (1, 8),
        (2, 4),
        (3, 3),
        (3, 8),
        (4, 3),
        (5, 8),
        (6, 1),
        (9, 3),
        (9, 9),
    ],
};

/// The rules: a layout and the discount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RockSample {
    layout: &'static Layout,
    discount: f64,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Action {
    North,
    East,
    South,
    West,
    /// Sample the rock here.
    Sample,
    /// Look at a rock.
    Look(u8),
}

/// What a look tells; nothing after other moves.
pub type Told = Option<bool>;

/// What the rover knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    place: (u8, u8),
    over: bool,
    /// Rocks that were sampled: they are bad now.
    sampled: u16,
    /// Of each rock the logarithm of good against bad, from what looks told.
    odds: [f32; MOST_ROCKS],
}

impl Known {
    /// How likely it is that a rock is good.
    pub fn good(&self, rock: usize) -> f64 {
        match self.sampled >> rock & 1 {
            1 => 0.0,
            _ => 1.0 / (1.0 + f64::from(-self.odds[rock]).exp()),
        }
    }
}

/// What is known, and which rocks are good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    known: Known,
    good: u16,
}

impl State {
    /// Where the rover is: column from the west, row from the south.
    pub fn place(&self) -> (u8, u8) {
        self.known.place
    }

    /// Whether a rock is good, which the rover does not know.
    pub fn is_good(&self, rock: usize) -> bool {
        self.good >> rock & 1 == 1
    }
}

impl RockSample {
    /// The layout with a side of 4, 7 or 11 cells.
    ///
    /// # Errors
    /// If there is none, or the discount is not within (0, 1].
    pub fn new(size: u8, discount: f64) -> Result<Self, String> {
        let layout = match size {
            4 => &SMALL,
            7 => &MIDDLE,
            11 => &LARGE,
            _ => return Err(format!("there are layouts of size 4, 7 and 11, not {size}")),
        };
        match discount > 0.0 && discount <= 1.0 {
            true => Ok(RockSample { layout, discount }),
            false => Err(format!("the discount must be above 0 and at most 1, not {discount}")),
        }
    }

    /// How many rocks there are.
    pub fn rocks(&self) -> usize {
        self.layout.rocks.len()
    }

    /// What a rover may do that looks no more: take the rock by which most is expected on the way out, one
    /// after the other, and leave where none pays.
    pub fn collect(&self, known: &Known) -> Action {
        let (x, y) = known.place;
        let after = |moves: u8| self.discount.powi(i32::from(moves));
        let leaving = |x: u8| 10.0 * after(self.layout.size - 1 - x);
        let mut best = (leaving(x), None);
        for (rock, &(rx, ry)) in self.layout.rocks.iter().enumerate() {
            let gain = 20.0 * known.good(rock) - 10.0;
            let worth =
                after(rx.abs_diff(x) + ry.abs_diff(y)) * (gain + self.discount * leaving(rx));
            if gain > 0.0 && worth > best.0 {
                best = (worth, Some((rx, ry)));
            }
        }
        match best.1 {
            None => Action::East,
            Some((rx, _)) if rx > x => Action::East,
            Some((rx, _)) if rx < x => Action::West,
            Some((_, ry)) if ry > y => Action::North,
            Some((_, ry)) if ry < y => Action::South,
            Some(_) => Action::Sample,
        }
    }

    /// The position with what is hidden in it: which rocks are good.
    fn whole(&self, state: &State) -> String {
        let good = (0..self.rocks()).filter(|rock| state.good >> rock & 1 == 1);
        let names: String = good.map(|rock| char::from(b'a' + rock as u8)).collect();
        format!("{}\ntruly good: {names}", self.state_text(state))
    }

    fn rock_at(&self, place: (u8, u8)) -> Option<usize> {
        self.layout.rocks.iter().position(|&rock| rock == place)
    }

    /// How likely a look at a rock from here tells right.
    fn accuracy(&self, place: (u8, u8), rock: usize) -> f64 {
        let (x, y) = self.layout.rocks[rock];
        let (dx, dy) = (f64::from(x) - f64::from(place.0), f64::from(y) - f64::from(place.1));
        (1.0 + 2f64.powf(-dx.hypot(dy) / HALF_EFFICIENCY)) / 2.0
    }
}

impl Game for RockSample {
    type State = State;
    type Action = Action;
    type Obs = Told;

    fn start(&self, rng: &mut Rng) -> State {
        let place = self.layout.start;
        let known = Known { place, over: false, sampled: 0, odds: [0.0; MOST_ROCKS] };
        self.draw(&known, rng)
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        let Known { place, over, .. } = state.known;
        if over {
            return;
        }
        let last = self.layout.size - 1;
        out.push(Action::East);
        out.extend((place.1 < last).then_some(Action::North));
        out.extend((place.1 > 0).then_some(Action::South));
        out.extend((place.0 > 0).then_some(Action::West));
        out.extend(self.rock_at(place).map(|_| Action::Sample));
        out.extend((0..self.rocks() as u8).map(Action::Look));
    }

    fn step(&self, state: &mut State, action: Action, rng: &mut Rng) -> Step<Told> {
        let known = &mut state.known;
        let (mut reward, mut obs) = (0.0, None);
        match action {
            Action::North => known.place.1 += 1,
            Action::South => known.place.1 -= 1,
            Action::West => known.place.0 -= 1,
            Action::East if known.place.0 + 1 == self.layout.size => {
                known.over = true;
                reward = 10.0;
            }
            Action::East => known.place.0 += 1,
            Action::Sample => {
                let rock = self.rock_at(known.place).expect("a rock is here, or it were not legal");
                reward = if state.good >> rock & 1 == 1 { 10.0 } else { -10.0 };
                state.good &= !(1 << rock);
                known.sampled |= 1 << rock;
            }
            Action::Look(rock) => {
                let rock = usize::from(rock);
                let accuracy = self.accuracy(known.place, rock);
                let good = (state.good >> rock & 1 == 1) == rng.chance(accuracy);
                let weight = (accuracy / (1.0 - accuracy)).ln().min(50.0) as f32;
                known.odds[rock] += if good { weight } else { -weight };
                obs = Some(good);
            }
        }
        Step { reward, obs }
    }

    fn discount(&self) -> f64 {
        self.discount
    }
}

impl Hidden for RockSample {
    type Known = Known;

    fn known(&self, state: &State) -> Known {
        state.known
    }

    /// Rocks are good or bad independently of one another, and stay so: the belief is exact.
    fn draw(&self, known: &Known, rng: &mut Rng) -> State {
        let mut good = 0;
        for rock in 0..self.rocks() {
            good |= u16::from(rng.chance(known.good(rock))) << rock;
        }
        State { known: *known, good }
    }
}

impl Text for RockSample {
    fn state_text(&self, state: &State) -> String {
        let known = &state.known;
        let mut text = String::new();
        for y in (0..self.layout.size).rev() {
            for x in 0..self.layout.size {
                let tile = match self.rock_at((x, y)) {
                    _ if (x, y) == known.place && !known.over => '@',
                    Some(rock) => char::from(b'a' + rock as u8),
                    None => '.',
                };
                text.push(tile);
            }
            text.push('\n');
        }
        text.push_str("good:");
        for rock in 0..self.rocks() {
            let name = char::from(b'a' + rock as u8);
            let _ = write!(text, " {name} {:.0}%", 100.0 * known.good(rock));
        }
        text
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        match action {
            Action::Look(rock) => format!("look at {}", char::from(b'a' + rock)),
            _ => format!("{action:?}").to_lowercase(),
        }
    }

    fn obs_text(&self, _: &State, told: Told) -> String {
        match told {
            None => String::new(),
            Some(good) => if good { "looks good" } else { "looks bad" }.to_owned(),
        }
    }
}

impl Shown for RockSample {
    fn title(&self) -> String {
        "RockSample".to_owned()
    }

    /// Sampling stands on the rover's own square and driving on the one where it leads. A look stands on
    /// none, since a rock's square may be one to drive to.
    fn label(&self, state: &State, action: Action) -> Label {
        let (x, y) = state.known.place;
        let drive = || format!("drive {}", self.action_text(state, action));
        let square = |label, x, y| Label::square(label, x, self.layout.size - 1 - y);
        match action {
            Action::Look(_) => Label::words(self.action_text(state, action)),
            Action::Sample => square("sample the rock here".to_owned(), x, y),
            Action::East if x + 1 == self.layout.size => Label::words(drive()),
            Action::East => square(drive(), x + 1, y),
            Action::West => square(drive(), x - 1, y),
            Action::North => square(drive(), x, y + 1),
            Action::South => square(drive(), x, y - 1),
        }
    }

    /// The rocks with how likely each is good, by what looks told.
    fn scene(&self, state: &State) -> Scene {
        let known = &state.known;
        // Nothing is ever certain but what was sampled.
        let rock = |rock: usize| {
            let percent = (100.0 * known.good(rock)).round().min(99.0);
            format!("{} {percent}%", char::from(b'a' + rock as u8))
        };
        let on = |place| match self.rock_at(place) {
            _ if place == known.place && !known.over => "rover".to_owned(),
            Some(found) => rock(found),
            None => String::new(),
        };
        let size = self.layout.size;
        let row = |y| (0..size).map(|x| on((x, y))).collect();
        let text = match self.rock_at(known.place) {
            _ if known.over => "the rover has left the field".to_owned(),
            Some(here) => format!("here is rock {} good", rock(here)),
            None => String::new(),
        };
        Scene::Grid { rows: (0..size).rev().map(row).collect(), text, seen: String::new() }
    }
}
