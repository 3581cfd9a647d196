//! What a pursuit is worth to a robot that sees its opponent: an upper bound on average for one that does not, and a way
//! to go after whoever is likeliest.

use std::sync::{Arc, OnceLock};

use super::Action;

/// How robot and opponent move on a map.
pub(crate) trait Chase {
    /// How many cells there are.
    fn cells(&self) -> usize;
    /// The cell next to one; the same where there is a wall.
    fn beside(&self, cell: u8, way: (i8, i8)) -> u8;
    /// Where the opponent may go from its cell, with probabilities.
    fn flights(&self, robot: u8, opponent: u8) -> [(u8, f64); 5];
    /// The factor by which rewards shrink.
    fn shrink(&self) -> f64;
}

const MOVES: [Action; 4] = [Action::North, Action::East, Action::South, Action::West];
/// Sweeps over all pairs of cells at most.
const SWEEPS: usize = 500;
/// A sweep that changes less is the last.
const STILL: f64 = 1e-6;

/// By robot and opponent, found when it is first asked for: 10 for a tag where both are in one cell, else the
/// best move by value iteration from above, so that no value is ever too small.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pursuit(Arc<OnceLock<Vec<f64>>>);

impl Pursuit {
    /// What the best pursuit comes to on average.
    pub(crate) fn worth(&self, map: &impl Chase, robot: u8, opponent: u8) -> f64 {
        self.values(map)[usize::from(robot) * map.cells() + usize::from(opponent)]
    }

    /// What to do if the opponent is in each cell with these chances: tag one who is probably here, else go
    /// after the likeliest one.
    pub(crate) fn action(&self, map: &impl Chase, robot: u8, belief: &[f32]) -> Action {
        if belief[usize::from(robot)] > 0.5 {
            return Action::Tag;
        }
        let mut likeliest = (0.0, robot);
        for (cell, &chance) in belief.iter().enumerate() {
            if cell != usize::from(robot) && chance > likeliest.0 {
                likeliest = (chance, cell as u8);
            }
        }
        let values = self.values(map);
        let mut best = (f64::NEG_INFINITY, Action::Tag);
        for action in MOVES {
            let worth = after(map, values, robot, likeliest.1, action);
            if worth > best.0 {
                best = (worth, action);
            }
        }
        best.1
    }

    fn values(&self, map: &impl Chase) -> &[f64] {
        self.0.get_or_init(|| {
            let cells = map.cells();
            let mut values = vec![10.0; cells * cells];
            for _ in 0..SWEEPS {
                let mut change = 0.0_f64;
                for robot in 0..cells {
                    for opponent in (0..cells).filter(|&opponent| opponent != robot) {
                        let (r, o) = (robot as u8, opponent as u8);
                        let worth = MOVES.map(|action| after(map, &values, r, o, action));
                        let best = worth.into_iter().fold(f64::NEG_INFINITY, f64::max);
                        let known = &mut values[robot * cells + opponent];
                        change = change.max(*known - best);
                        *known = best;
                    }
                }
                if change < STILL {
                    break;
                }
            }
            values
        })
    }
}

/// What a move comes to by the values of the pairs after it.
fn after(map: &impl Chase, values: &[f64], robot: u8, opponent: u8, action: Action) -> f64 {
    let to = action.way().map_or(robot, |way| map.beside(robot, way));
    let row = usize::from(to) * map.cells();
    let flights = map.flights(robot, opponent).into_iter();
    let then: f64 = flights.map(|(cell, share)| share * values[row + usize::from(cell)]).sum();
    map.shrink() * then - 1.0
}
