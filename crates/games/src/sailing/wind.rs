//! Wind, legs and tacks: the tables of the sailing domain.

use std::f64::consts::SQRT_2;
use std::fmt;

use patience_model::Rng;

/// A direction of the compass: of the wind, towards which it blows, or of a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Direction {
    N,
    NE,
    E,
    SE,
    S,
    SW,
    W,
    NW,
}

use Direction::{E, N, NE, NW, S, SE, SW, W};

impl Direction {
    /// All directions, clockwise from north.
    pub const ALL: [Direction; 8] = [N, NE, E, SE, S, SW, W, NW];

    pub(super) const STEP_X: [i8; 8] = [0, 1, 1, 1, 0, -1, -1, -1];
    pub(super) const STEP_Y: [i8; 8] = [1, 1, 0, -1, -1, -1, 0, 1];
    const NAMES: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

    /// Eighths of a full turn, clockwise, from `other` to this.
    #[inline]
    fn from(self, other: Direction) -> usize {
        (self as usize).wrapping_sub(other as usize) & 7
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Direction::NAMES[*self as usize])
    }
}

/// The side over which the wind came on the last leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Tack {
    /// Neither: no leg yet, or one straight away from the wind.
    Neither,
    /// Over the left side.
    Port,
    /// Over the right side.
    Starboard,
}

impl Tack {
    /// All tacks.
    pub const ALL: [Tack; 3] = [Tack::Neither, Tack::Port, Tack::Starboard];
}

/// The tack of a leg by its angle to the wind, in eighths of a turn clockwise. With the heading to
/// the right of where the wind goes, the wind comes over the right side. (4 is never sailed.)
const TACK: [Tack; 8] = [
    Tack::Neither,
    Tack::Starboard,
    Tack::Starboard,
    Tack::Starboard,
    Tack::Neither,
    Tack::Port,
    Tack::Port,
    Tack::Port,
];

/// Minutes of a straight leg by its angle to the wind. (4 is never sailed.)
const MINUTES: [f64; 8] = [1.0, 2.0, 3.0, 4.0, f64::INFINITY, 4.0, 3.0, 2.0];

/// Minutes for changing between port and starboard.
const DELAY: f64 = 3.0;

/// Minutes of a leg without delay, and its tack.
#[inline]
pub(super) fn leg(wind: Direction, heading: Direction) -> (f64, Tack) {
    let angle = heading.from(wind);
    let length = if heading as u8 & 1 == 0 { 1.0 } else { SQRT_2 };
    (MINUTES[angle] * length, TACK[angle])
}

/// Minutes lost between a leg on one tack and the next on another.
#[inline]
pub(super) fn delay(from: Tack, to: Tack) -> f64 {
    // Port and starboard are 1 and 2: only a change between these two gives 3.
    if from as u8 ^ to as u8 == 3 { DELAY } else { 0.0 }
}

/// The wind that follows each wind, one entry for every tenth of its probability.
const NEXT_WIND: [[Direction; 10]; 8] = [
    [N, N, N, N, NE, NE, NE, NW, NW, NW],
    [N, N, N, N, NE, NE, NE, E, E, E],
    [NE, NE, NE, NE, E, E, E, SE, SE, SE],
    [E, E, E, E, SE, SE, SE, S, S, S],
    [SE, SE, SE, SE, S, S, SW, SW, SW, SW],
    [S, S, S, SW, SW, SW, W, W, W, W],
    [SW, SW, SW, W, W, W, NW, NW, NW, NW],
    [N, N, N, N, W, W, W, NW, NW, NW],
];

/// Draws the wind that follows.
#[inline]
pub(super) fn next_wind(wind: Direction, rng: &mut Rng) -> Direction {
    NEXT_WIND[wind as usize][rng.index(10)]
}

/// The winds that can follow `wind`, with their probabilities in tenths.
#[inline]
pub(super) fn winds_after(wind: Direction) -> &'static [(Direction, u8); 3] {
    &WINDS_AFTER[wind as usize]
}

static WINDS_AFTER: [[(Direction, u8); 3]; 8] = {
    let mut table = [[(N, 0); 3]; 8];
    let mut wind = 0;
    while wind < 8 {
        // Every row has three winds, equal ones together, and the fifth entry is of the middle one.
        let row = &NEXT_WIND[wind];
        table[wind] = [(row[0], 0), (row[4], 0), (row[9], 0)];
        let mut i = 0;
        while i < 30 {
            let entry = &mut table[wind][i % 3];
            entry.1 += (row[i / 3] as u8 == entry.0 as u8) as u8;
            i += 1;
        }
        wind += 1;
    }
    table
};
