//! The exact values of the tiger problem, for planners to be measured against.

use patience_model::Game;

use super::{ACCURACY, Action, Door, Known, LISTENING, TIGER, TREASURE, Tiger};

impl Tiger {
    /// The value of every action to a player who knows this and plays on in the best way; nothing
    /// once the game is over. Exact, by dynamic programming over beliefs: these depend only on how
    /// much more often the tiger was heard on the left than on the right.
    pub fn optimal_values(&self, known: &Known) -> Vec<(Action, f64)> {
        let left = i32::from(self.moves_left(known));
        if left == 0 {
            return Vec::new();
        }
        let now = known.surplus();
        // `values[left + by]` is the value of a surplus of `now + by`, first with no moves left
        // and then, layer by layer, with one more. So many moves ahead the surplus is off by so
        // much at most, so a layer finds all that it needs in the one before.
        let mut values = vec![0.0; 2 * left as usize + 1];
        for ahead in (1..left).rev() {
            let layer: Vec<f64> = (-ahead..=ahead)
                .map(|by| {
                    let i = (left + by) as usize;
                    let belief = belief(now + by);
                    let listen = self.listen(belief, values[i + 1], values[i - 1]);
                    listen.max(open(belief)).max(open(1.0 - belief))
                })
                .collect();
            values[(left - ahead) as usize..=(left + ahead) as usize].copy_from_slice(&layer);
        }
        let (middle, belief) = (left as usize, belief(now));
        vec![
            (Action::Listen, self.listen(belief, values[middle + 1], values[middle - 1])),
            (Action::Open(Door::Left), open(belief)),
            (Action::Open(Door::Right), open(1.0 - belief)),
        ]
    }

    /// The value of listening, by the values after hearing the tiger left and right.
    fn listen(&self, belief: f64, heard_left: f64, heard_right: f64) -> f64 {
        let left = belief * ACCURACY + (1.0 - belief) * (1.0 - ACCURACY);
        LISTENING + self.discount() * (left * heard_left + (1.0 - left) * heard_right)
    }
}

/// The value of opening a door behind which the tiger is with this probability.
fn open(tiger: f64) -> f64 {
    tiger * TIGER + (1.0 - tiger) * TREASURE
}

/// The probability that the tiger is left, heard so many more times left than right.
pub(super) fn belief(surplus: i32) -> f64 {
    1.0 / (1.0 + ((1.0 - ACCURACY) / ACCURACY).powi(surplus))
}
