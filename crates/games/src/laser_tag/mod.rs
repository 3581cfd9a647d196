//! Laser Tag (Somani, Ye, Hsu and Lee 2013): Tag among obstacles, with a laser that is far from exact.
//!
//! Eleven by seven cells, eight of them obstacles, which are drawn with the map's number so that all others
//! hang together. Robot and opponent move, and are rewarded, as in [Tag](crate::tag). The robot knows where it
//! is. After each move it gets eight readings, one for each neighbouring direction: the distance to the nearest
//! obstacle, wall or opponent there, between the middles of cells, with a normal error of 2.5, rounded down and
//! cut at 0 and 20. If the opponent is in its own cell it is told just that.

mod entry;
mod map;

pub use entry::entry;
pub use map::{CELLS, Map};

use std::sync::Arc;

use patience_model::{Game, Hidden, Label, Rng, Scene, Shown, Step, Text};

use crate::tag::{Action, Chase, Pursuit, drawn, flights, here};
use crate::words;
use map::Beam;

/// The rules: the map and how rewards shrink.
#[derive(Clone, Debug)]
pub struct LaserTag {
    map: Arc<Map>,
    discount: f64,
    pursuit: Pursuit,
}

/// What the robot is told: readings by direction, or that the opponent is in its cell.
pub type Readings = Option<[u8; 8]>;

/// What the robot knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    robot: u8,
    over: bool,
    /// How likely the opponent is in each cell.
    belief: [f32; CELLS],
}

impl Known {
    /// How likely the opponent is in a cell.
    pub fn chance(&self, cell: usize) -> f64 {
        f64::from(self.belief[cell])
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

impl LaserTag {
    /// The game on the map of this number, with this discount.
    ///
    /// # Errors
    /// If the discount is not within (0, 1].
    pub fn new(map: u64, discount: f64) -> Result<Self, String> {
        match discount > 0.0 && discount <= 1.0 {
            true => {
                let (map, pursuit) = (Arc::new(Map::numbered(map)), Pursuit::default());
                Ok(LaserTag { map, discount, pursuit })
            }
            false => Err(format!("the discount must be above 0 and at most 1, not {discount}")),
        }
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// What can be made at most: what the best pursuit comes to if the robot sees the opponent.
    pub fn most(&self, state: &State) -> f64 {
        self.pursuit.worth(self, state.known.robot, state.opponent)
    }

    /// What a robot may do that goes after the likeliest place of the opponent.
    pub fn pursue(&self, known: &Known) -> Action {
        self.pursuit.action(self, known.robot, &known.belief)
    }

    /// Bayes' rule: the opponent moved, and this was told where the robot is now.
    ///
    /// The opponent stands in one beam at most, and in all others it makes no difference.
    fn update(&self, known: &mut Known, before: u8, told: Readings) {
        let mut next = [0.0_f32; CELLS];
        for (cell, &chance) in known.belief.iter().enumerate() {
            if chance > 0.0 {
                for (to, share) in self.flights(before, cell as u8) {
                    next[usize::from(to)] += chance * share as f32;
                }
            }
        }
        for (cell, chance) in next.iter_mut().enumerate() {
            let here = cell == usize::from(known.robot);
            *chance *= match told {
                None => f32::from(u8::from(here)),
                Some(_) if here => 0.0,
                Some(readings) => match self.map.beam_to(known.robot, cell as u8) {
                    None => 1.0,
                    Some(beam) => {
                        let reading = readings[beam.direction];
                        let free = self.map.free_beam(known.robot, beam.direction);
                        (self.map.chance(beam, reading) / self.map.chance(free, reading)) as f32
                    }
                },
            };
        }
        let sum: f32 = next.iter().sum();
        next.iter_mut().for_each(|chance| *chance /= sum);
        known.belief = next;
    }

    /// What the laser says.
    fn read(&self, state: &State, rng: &mut Rng) -> Readings {
        let robot = state.known.robot;
        (robot != state.opponent).then(|| {
            let hidden: Option<Beam> = self.map.beam_to(robot, state.opponent);
            std::array::from_fn(|direction| {
                let met = hidden.filter(|beam| beam.direction == direction);
                let beam = met.unwrap_or_else(|| self.map.free_beam(robot, direction));
                self.map.reading(beam, rng)
            })
        })
    }

    /// The map, with something on each cell.
    fn picture(&self, on: impl Fn(u8) -> char) -> String {
        let tile = |x, y| self.map.cell((x, y)).map_or('#', &on);
        let row = |y| (0..map::WIDTH).map(|x| tile(x, y)).collect::<String>();
        (0..map::HEIGHT).rev().map(row).collect::<Vec<_>>().join("\n")
    }

    /// The position with what is hidden in it.
    fn whole(&self, state: &State) -> String {
        let State { known, opponent } = state;
        self.picture(|cell| match cell {
            cell if cell == known.robot && cell == *opponent => '!',
            cell if cell == known.robot => '@',
            cell if cell == *opponent => 'o',
            _ => '.',
        })
    }
}

impl Chase for LaserTag {
    fn cells(&self) -> usize {
        CELLS
    }

    fn beside(&self, cell: u8, way: (i8, i8)) -> u8 {
        self.map.beside(cell, way)
    }

    fn flights(&self, robot: u8, opponent: u8) -> [(u8, f64); 5] {
        let to = |step| self.map.beside(opponent, step);
        flights(self.map.place(robot), self.map.place(opponent), to)
    }

    fn shrink(&self) -> f64 {
        self.discount
    }
}

impl Game for LaserTag {
    type State = State;
    type Action = Action;
    type Obs = Readings;

    fn start(&self, rng: &mut Rng) -> State {
        let robot = rng.below(CELLS as u64) as u8;
        self.draw(&Known { robot, over: false, belief: [1.0 / CELLS as f32; CELLS] }, rng)
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        if !state.known.over {
            out.extend([Action::North, Action::East, Action::South, Action::West, Action::Tag]);
        }
    }

    fn step(&self, state: &mut State, action: Action, rng: &mut Rng) -> Step<Readings> {
        let before = state.known.robot;
        if action == Action::Tag && state.opponent == before {
            state.known.over = true;
            return Step { reward: 10.0, obs: None };
        }
        let mut reward = -1.0;
        match action.way() {
            Some(way) => state.known.robot = self.map.beside(before, way),
            None => {
                // It missed, so the opponent was not here.
                reward = -10.0;
                state.known.belief[usize::from(before)] = 0.0;
            }
        }
        state.opponent = self.flights(before, state.opponent)[rng.index(5)].0;
        let obs = self.read(state, rng);
        self.update(&mut state.known, before, obs);
        Step { reward, obs }
    }

    fn discount(&self) -> f64 {
        self.discount
    }
}

impl Hidden for LaserTag {
    type Known = Known;

    fn known(&self, state: &State) -> Known {
        state.known
    }

    fn draw(&self, known: &Known, rng: &mut Rng) -> State {
        State { known: *known, opponent: drawn(&known.belief, rng) }
    }
}

impl Text for LaserTag {
    /// The robot is @, obstacles are #; a digit is how many tenths are certain of the opponent.
    fn state_text(&self, state: &State) -> String {
        let known = &state.known;
        let picture = self.picture(|cell| match (10.0 * known.chance(usize::from(cell))) as u8 {
            _ if cell == known.robot => '@',
            0 => '.',
            tenths => char::from(b'0' + tenths.min(9)),
        });
        match known.over {
            true => format!("{picture}\ntagged"),
            false => {
                let here = 100.0 * known.chance(usize::from(known.robot));
                format!("{picture}\nhere with {here:.0}%")
            }
        }
    }

    fn action_text(&self, _: &State, action: Action) -> String {
        action.to_string()
    }

    fn obs_text(&self, _: &State, told: Readings) -> String {
        match told {
            None => "the opponent is here".to_owned(),
            Some(readings) => {
                let readings = map::NAMES.iter().zip(readings);
                readings
                    .map(|(name, reading)| format!("{name} {reading}"))
                    .collect::<Vec<_>>()
                    .join(" ")
            }
        }
    }
}

impl Shown for LaserTag {
    fn title(&self) -> String {
        "Laser Tag".to_owned()
    }

    fn label(&self, state: &State, action: Action) -> Label {
        let robot = state.known.robot;
        let to = action.way().map_or(robot, |way| self.map.beside(robot, way));
        action.label(self.map.square(robot), self.map.square(to))
    }

    /// The robot, obstacles, and how likely the opponent is elsewhere, by what the laser told.
    fn scene(&self, state: &State) -> Scene {
        let known = &state.known;
        let on = |place| match self.map.cell(place) {
            None => "wall".to_owned(),
            Some(cell) if cell == known.robot => "robot".to_owned(),
            Some(cell) => words::chance(known.chance(usize::from(cell))),
        };
        let row = |y| (0..map::WIDTH).map(|x| on((x, y))).collect();
        let text = here(known.over, known.chance(usize::from(known.robot)));
        Scene::Grid { rows: (0..map::HEIGHT).rev().map(row).collect(), text, seen: String::new() }
    }
}
