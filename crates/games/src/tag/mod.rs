//! Tag (Pineau, Gordon and Thrun 2003): a robot looks for an opponent who flees.
//!
//! Robot and opponent are each in one of 29 cells: two rows of ten, and three rows of three above their
//! middle. The robot knows where it is, and sees the opponent only in its own cell. A move costs 1, a tag in
//! the same cell brings 10 and ends the game, and a tag that misses costs 10. The opponent stays with
//! probability 0.2, goes away from the robot along each axis with 0.4 (to either side with 0.2 where that
//! axis does not tell them apart), and stays where a wall is in the way; it goes by where the robot was
//! before its move. Both start anywhere. The discount is 0.95.

mod encoded;
mod entry;
mod pursuit;

pub(crate) use entry::GERMAN;
pub use entry::entry;
pub(crate) use pursuit::{Chase, Pursuit};

use std::fmt::{self, Write as _};

use patience_model::{Game, Hidden, Label, Rng, Scene, Shown, Step, Text};

use crate::words;

/// How many cells there are.
pub const CELLS: usize = 29;

/// Where a cell is: columns from the west, rows from the south.
fn place(cell: u8) -> (i8, i8) {
    match cell {
        0..20 => ((cell % 10) as i8, (cell / 10) as i8),
        _ => (5 + ((cell - 20) % 3) as i8, 2 + ((cell - 20) / 3) as i8),
    }
}

/// Columns and rows of the map.
const WIDTH: i8 = 10;
const HEIGHT: i8 = 5;

/// The square of a cell on the board, whose rows count from the top.
fn square(cell: u8) -> (u8, u8) {
    let (x, y) = place(cell);
    (x.unsigned_abs(), (HEIGHT - 1 - y).unsigned_abs())
}

/// What is to be said of the opponent beside the board.
pub(crate) fn here(over: bool, chance: f64) -> String {
    match over {
        true => "tagged".to_owned(),
        false => format!("the opponent is here with {:.0}%", 100.0 * chance),
    }
}

fn cell_at((x, y): (i8, i8)) -> Option<u8> {
    match (x, y) {
        (0..10, 0..2) => Some((10 * y + x) as u8),
        (5..8, 2..5) => Some((20 + 3 * (y - 2) + x - 5) as u8),
        _ => None,
    }
}

/// The cell next to another one; the same where there is a wall.
fn beside(cell: u8, (dx, dy): (i8, i8)) -> u8 {
    let (x, y) = place(cell);
    cell_at((x + dx, y + dy)).unwrap_or(cell)
}

/// Where the opponent may go, with probabilities that sum to 1; a cell may come several times. `to` says
/// where a step leads from where it is.
pub(crate) fn flights(
    robot: (i8, i8),
    opponent: (i8, i8),
    to: impl Fn((i8, i8)) -> u8,
) -> [(u8, f64); 5] {
    let (dx, dy) = ((opponent.0 - robot.0).signum(), (opponent.1 - robot.1).signum());
    let [east, west] = if dx == 0 { [(1, 0), (-1, 0)] } else { [(dx, 0); 2] };
    let [north, south] = if dy == 0 { [(0, 1), (0, -1)] } else { [(0, dy); 2] };
    [(0, 0), east, west, north, south].map(|step| (to(step), 0.2))
}

/// A cell by how likely each is.
pub(crate) fn drawn(belief: &[f32], rng: &mut Rng) -> u8 {
    let mut left = rng.unit() as f32 * belief.iter().sum::<f32>();
    let mut last = 0;
    for (cell, &chance) in belief.iter().enumerate() {
        if chance > 0.0 {
            last = cell as u8;
            if left < chance {
                break;
            }
            left -= chance;
        }
    }
    last
}

fn flights_of(robot: u8, opponent: u8) -> [(u8, f64); 5] {
    flights(place(robot), place(opponent), |step| beside(opponent, step))
}

/// The rules: how rewards shrink.
#[derive(Clone, Debug)]
pub struct Tag {
    discount: f64,
    pursuit: Pursuit,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Action {
    North,
    East,
    South,
    West,
    Tag,
}

impl Action {
    /// Where it leads, if it is no tag.
    pub(crate) fn way(self) -> Option<(i8, i8)> {
        match self {
            Action::North => Some((0, 1)),
            Action::East => Some((1, 0)),
            Action::South => Some((0, -1)),
            Action::West => Some((-1, 0)),
            Action::Tag => None,
        }
    }

    /// What people call it, on the square where it leads; where a wall is in the way it has none.
    pub(crate) fn label(self, here: (u8, u8), to: (u8, u8)) -> Label {
        match self {
            Action::Tag => Label::square("tag whoever is here", here.0, here.1),
            _ if to == here => Label::words(format!("go {self}")),
            _ => Label::square(format!("go {self}"), to.0, to.1),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", format!("{self:?}").to_lowercase())
    }
}

/// What the robot sees: the opponent is in its cell, or is not. Its own cell follows from its moves.
pub type Seen = bool;

/// What the robot knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    robot: u8,
    over: bool,
    /// How likely the opponent is in each cell.
    belief: [f32; CELLS],
}

impl Known {
    /// Nothing is known of the opponent.
    pub fn start(robot: u8) -> Self {
        Known { robot, over: false, belief: [1.0 / CELLS as f32; CELLS] }
    }

    /// How likely the opponent is in a cell.
    pub fn chance(&self, cell: usize) -> f64 {
        f64::from(self.belief[cell])
    }

    /// Bayes' rule: the opponent moved, seen or not from where the robot is now.
    fn update(&mut self, before: u8, seen: Seen) {
        let mut next = [0.0_f32; CELLS];
        for (cell, &chance) in self.belief.iter().enumerate() {
            if chance > 0.0 {
                for (to, share) in flights_of(before, cell as u8) {
                    next[usize::from(to)] += chance * share as f32;
                }
            }
        }
        for (cell, chance) in next.iter_mut().enumerate() {
            if (cell == usize::from(self.robot)) != seen {
                *chance = 0.0;
            }
        }
        let sum: f32 = next.iter().sum();
        next.iter_mut().for_each(|chance| *chance /= sum);
        self.belief = next;
    }
}

/// What is known, and where the opponent is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    known: Known,
    opponent: u8,
}

impl State {
    /// Where the opponent is.
    pub fn opponent(&self) -> u8 {
        self.opponent
    }

    /// Where the robot is.
    pub fn robot(&self) -> u8 {
        self.known.robot
    }
}

impl Tag {
    /// The game with this discount.
    ///
    /// # Errors
    /// If it is not within (0, 1].
    pub fn new(discount: f64) -> Result<Self, String> {
        match discount > 0.0 && discount <= 1.0 {
            true => Ok(Tag { discount, pursuit: Pursuit::default() }),
            false => Err(format!("the discount must be above 0 and at most 1, not {discount}")),
        }
    }

    /// What can be made at most: what the best pursuit comes to if the robot sees the opponent.
    pub fn most(&self, state: &State) -> f64 {
        self.pursuit.worth(self, state.known.robot, state.opponent)
    }

    /// What a robot may do that goes after the likeliest place of the opponent.
    pub fn pursue(&self, known: &Known) -> Action {
        self.pursuit.action(self, known.robot, &known.belief)
    }

    /// The position with what is hidden in it.
    fn whole(&self, state: &State) -> String {
        let (x, y) = place(state.opponent);
        format!("{}\nopponent: column {x}, row {y}", self.state_text(state))
    }
}

impl Chase for Tag {
    fn cells(&self) -> usize {
        CELLS
    }

    fn beside(&self, cell: u8, way: (i8, i8)) -> u8 {
        beside(cell, way)
    }

    fn flights(&self, robot: u8, opponent: u8) -> [(u8, f64); 5] {
        flights_of(robot, opponent)
    }

    fn shrink(&self) -> f64 {
        self.discount
    }
}

impl Game for Tag {
    type State = State;
    type Action = Action;
    type Obs = Seen;

    fn start(&self, rng: &mut Rng) -> State {
        let robot = rng.below(CELLS as u64) as u8;
        self.draw(&Known::start(robot), rng)
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        if !state.known.over {
            out.extend([Action::North, Action::East, Action::South, Action::West, Action::Tag]);
        }
    }

    fn step(&self, state: &mut State, action: Action, rng: &mut Rng) -> Step<Seen> {
        let before = state.known.robot;
        if action == Action::Tag && state.opponent == before {
            state.known.over = true;
            return Step { reward: 10.0, obs: true };
        }
        let reward = if action == Action::Tag { -10.0 } else { -1.0 };
        match action.way() {
            Some(way) => state.known.robot = beside(before, way),
            // It missed, so the opponent was not here.
            None => state.known.belief[usize::from(before)] = 0.0,
        }
        state.opponent = flights_of(before, state.opponent)[rng.index(5)].0;
        let obs = state.opponent == state.known.robot;
        state.known.update(before, obs);
        Step { reward, obs }
    }

    fn discount(&self) -> f64 {
        self.discount
    }
}

impl Hidden for Tag {
    type Known = Known;

    fn known(&self, state: &State) -> Known {
        state.known
    }

    fn draw(&self, known: &Known, rng: &mut Rng) -> State {
        State { known: *known, opponent: drawn(&known.belief, rng) }
    }
}

impl Text for Tag {
    /// The robot is @; a digit is how many tenths are certain of the opponent.
    fn state_text(&self, state: &State) -> String {
        let known = &state.known;
        let mut text = String::new();
        for y in (0..HEIGHT).rev() {
            let mut row = String::new();
            for x in 0..WIDTH {
                row.push(match cell_at((x, y)) {
                    None => ' ',
                    Some(cell) if cell == known.robot => '@',
                    Some(cell) => match (10.0 * known.chance(usize::from(cell))) as u8 {
                        0 => '.',
                        tenths => char::from(b'0' + tenths.min(9)),
                    },
                });
            }
            let _ = writeln!(text, "{}", row.trim_end());
        }
        let here = 100.0 * known.chance(usize::from(known.robot));
        match known.over {
            true => text.push_str("tagged"),
            false => {
                let _ = write!(text, "here with {here:.0}%");
            }
        }
        text
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        action.to_string()
    }

    fn obs_text(&self, _: &State, seen: Seen) -> String {
        if seen { "the opponent is here" } else { "nobody is here" }.to_owned()
    }
}

impl Shown for Tag {
    fn title(&self) -> String {
        "Tag".to_owned()
    }

    fn label(&self, state: &State, action: Action) -> Label {
        let robot = state.known.robot;
        let to = action.way().map_or(robot, |way| beside(robot, way));
        action.label(square(robot), square(to))
    }

    /// The robot, and how likely the opponent is elsewhere, by what the robot has seen.
    fn scene(&self, state: &State) -> Scene {
        let known = &state.known;
        let on = |place| match cell_at(place) {
            None => "wall".to_owned(),
            Some(cell) if cell == known.robot => "robot".to_owned(),
            Some(cell) => words::chance(known.chance(usize::from(cell))),
        };
        let rows = (0..HEIGHT).rev().map(|y| (0..WIDTH).map(|x| on((x, y))).collect()).collect();
        let text = here(known.over, known.chance(usize::from(known.robot)));
        Scene::Grid { rows, text, seen: String::new() }
    }
}
