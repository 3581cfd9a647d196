//! The map: cells, what lies beside them, and what a laser reads.

use patience_model::Rng;

pub(super) const WIDTH: i8 = 11;
pub(super) const HEIGHT: i8 = 7;
const OBSTACLES: usize = 8;
/// Cells that are free.
pub const CELLS: usize = (WIDTH * HEIGHT) as usize - OBSTACLES;

/// The standard deviation of a reading.
const NOISE: f64 = 2.5;
/// The highest reading.
const HIGHEST: usize = 20;

const DIRECTIONS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// What the directions are called.
pub(super) const NAMES: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

/// How far a beam goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beam {
    pub(super) direction: usize,
    /// Steps to what it meets.
    pub(super) steps: usize,
}

impl Beam {
    /// Its length, between the middles of cells.
    fn length(self) -> f64 {
        let step = if self.direction.is_multiple_of(2) { 1.0 } else { std::f64::consts::SQRT_2 };
        step * self.steps as f64
    }
}

/// Where obstacles are, and what follows from it.
#[derive(Clone, Debug)]
pub struct Map {
    places: Vec<(i8, i8)>,
    cells: Vec<Option<u8>>,
    /// By robot and direction the steps to the nearest obstacle or wall.
    free: Vec<[usize; 8]>,
    /// By robot and another cell the beam in which it is, if it is in one.
    beams: Vec<Option<Beam>>,
    /// By parity of the direction and steps the chance of each reading.
    chances: [Vec<[f64; HIGHEST + 1]>; 2],
}

impl Map {
    /// The map of a number: the first drawn on which all free cells hang together.
    pub fn numbered(number: u64) -> Self {
        let mut rng = Rng::named(number, &["laser-tag", "map"]);
        loop {
            let mut all: Vec<usize> = (0..(WIDTH * HEIGHT) as usize).collect();
            rng.shuffle(&mut all);
            all.drain(..OBSTACLES);
            all.sort_unstable();
            let map = Map::of(all);
            if map.hangs_together() {
                return map;
            }
        }
    }

    fn of(free: Vec<usize>) -> Self {
        let place = |&number: &usize| ((number % 11) as i8, (number / 11) as i8);
        let mut cells = vec![None; (WIDTH * HEIGHT) as usize];
        for (cell, &number) in free.iter().enumerate() {
            cells[number] = Some(cell as u8);
        }
        let chances = [0, 1].map(|direction| {
            let lengths = (0..=WIDTH as usize).map(|steps| Beam { direction, steps }.length());
            lengths.map(readings).collect()
        });
        let places = free.iter().map(place).collect();
        let mut map =
            Map { places, cells, free: Vec::new(), beams: vec![None; CELLS * CELLS], chances };
        for robot in 0..CELLS {
            let (x, y) = map.places[robot];
            let free = std::array::from_fn(|direction| {
                let (dx, dy) = DIRECTIONS[direction];
                let mut steps = 1;
                while let Some(met) = map.cell((x + steps * dx, y + steps * dy)) {
                    let beam = Beam { direction, steps: steps as usize };
                    map.beams[robot * CELLS + usize::from(met)] = Some(beam);
                    steps += 1;
                }
                steps as usize
            });
            map.free.push(free);
        }
        map
    }

    fn hangs_together(&self) -> bool {
        let mut seen = [false; CELLS];
        let mut next = vec![0_u8];
        while let Some(cell) = next.pop() {
            if !std::mem::replace(&mut seen[usize::from(cell)], true) {
                let ways = DIRECTIONS.iter().step_by(2);
                next.extend(ways.map(|&way| self.beside(cell, way)));
            }
        }
        seen.iter().all(|&seen| seen)
    }

    /// Column from the west and row from the south.
    pub fn place(&self, cell: u8) -> (i8, i8) {
        self.places[usize::from(cell)]
    }

    /// The square of a cell on a board whose rows count from the top.
    pub(super) fn square(&self, cell: u8) -> (u8, u8) {
        let (x, y) = self.place(cell);
        (x.unsigned_abs(), (HEIGHT - 1 - y).unsigned_abs())
    }

    /// The free cell at a place.
    pub fn cell(&self, (x, y): (i8, i8)) -> Option<u8> {
        let inside = (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y);
        inside.then(|| self.cells[(y * WIDTH + x) as usize])?
    }

    /// The cell next to another one; the same where something is in the way.
    pub(super) fn beside(&self, cell: u8, (dx, dy): (i8, i8)) -> u8 {
        let (x, y) = self.place(cell);
        self.cell((x + dx, y + dy)).unwrap_or(cell)
    }

    /// The beam from a robot that meets an opponent in a cell, if one does.
    pub(super) fn beam_to(&self, robot: u8, cell: u8) -> Option<Beam> {
        self.beams[usize::from(robot) * CELLS + usize::from(cell)]
    }

    /// The beam that meets no opponent.
    pub(super) fn free_beam(&self, robot: u8, direction: usize) -> Beam {
        Beam { direction, steps: self.free[usize::from(robot)][direction] }
    }

    /// How likely a beam has this reading.
    pub(super) fn chance(&self, beam: Beam, reading: u8) -> f64 {
        self.chances[beam.direction % 2][beam.steps][usize::from(reading)]
    }

    /// A reading of a beam.
    pub(super) fn reading(&self, beam: Beam, rng: &mut Rng) -> u8 {
        let mut left = rng.unit();
        let chances = &self.chances[beam.direction % 2][beam.steps];
        let reading = chances.iter().position(|chance| {
            left -= chance;
            left < 0.0
        });
        reading.unwrap_or(HIGHEST) as u8
    }
}

/// How likely each reading of a distance is: the normal density, summed over small parts of its unit.
fn readings(distance: f64) -> [f64; HIGHEST + 1] {
    const PARTS: i32 = 100;
    let mut chances = [0.0; HIGHEST + 1];
    // Beyond ten deviations there is nothing.
    let far = (distance + 10.0 * NOISE) as i32;
    for part in (-10.0 * NOISE) as i32 * PARTS..far.max(HIGHEST as i32 + 1) * PARTS {
        let reading = (f64::from(part) + 0.5) / f64::from(PARTS);
        let from_mean = (reading - distance) / NOISE;
        let cut = reading.floor().clamp(0.0, HIGHEST as f64) as usize;
        chances[cut] += (-0.5 * from_mean * from_mean).exp();
    }
    let sum: f64 = chances.iter().sum();
    chances.map(|chance| chance / sum)
}
