//! What a rover would make that knows which rocks are good.

use std::sync::Arc;

use patience_plan::Evaluation;

use super::{RockSample, State};

/// The most that a rover can still make if it knows which rocks are good: it takes some of them in the best
/// order and leaves. That is the value of the game with nothing hidden, so it is never too small. Found once
/// for every rock to stand on and every set of good rocks.
#[derive(Clone, Debug)]
pub struct Foresight {
    /// By rock and set of good rocks: the value on that rock.
    on_rock: Arc<[f64]>,
}

impl Foresight {
    /// Works out the values; there are (rocks) × 2^rocks of them.
    pub fn new(game: &RockSample) -> Self {
        let (rocks, sets) = (game.rocks(), 1_usize << game.rocks());
        let mut on_rock = vec![0.0; rocks * sets];
        // A set is greater than those that are left when a rock of it is taken.
        for good in 0..sets {
            for rock in 0..rocks {
                let place = game.layout.rocks[rock];
                on_rock[rock * sets + good] = best(game, &on_rock, place, good);
            }
        }
        Foresight { on_rock: on_rock.into() }
    }
}

/// The best of leaving and of taking one of the good rocks next.
fn best(game: &RockSample, on_rock: &[f64], (x, y): (u8, u8), good: usize) -> f64 {
    let sets = 1_usize << game.rocks();
    let after = |moves: u8| game.discount.powi(i32::from(moves));
    let mut best = 10.0 * after(game.layout.size - 1 - x);
    for (rock, &(rx, ry)) in game.layout.rocks.iter().enumerate() {
        if good >> rock & 1 == 1 {
            let then = game.discount * on_rock[rock * sets + (good & !(1 << rock))];
            best = best.max(after(rx.abs_diff(x) + ry.abs_diff(y)) * (10.0 + then));
        }
    }
    best
}

impl Evaluation<RockSample> for Foresight {
    fn value(&self, game: &RockSample, state: &State) -> f64 {
        best(game, &self.on_rock, state.known.place, usize::from(state.good))
    }
}
