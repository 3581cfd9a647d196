//! RockSample in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{Action, RockSample, State, Told};

/// Moves that are not looks.
const PLAIN: usize = 5;

impl Encoded for RockSample {
    fn layout(&self) -> Vec<Part> {
        let last = i16::from(self.layout.size) - 1;
        vec![
            Part::new(1, last, "the rover's column, from the west"),
            Part::new(1, last, "the rover's row, from the south"),
            Part::new(
                self.rocks(),
                1000,
                "by rock: how likely it is good after what looks told, in thousandths",
            ),
        ]
    }

    fn observe(&self, state: &State, _last: Option<Told>, out: &mut [i16]) {
        let known = &state.known;
        (out[0], out[1]) = (known.place.0.into(), known.place.1.into());
        for (rock, out) in out[2..].iter_mut().enumerate() {
            *out = (1000.0 * known.good(rock)).round() as i16;
        }
    }

    fn moves(&self) -> usize {
        PLAIN + self.rocks()
    }

    fn numbering(&self) -> &'static str {
        "0 north, 1 east, 2 south, 3 west, 4 sample, from 5 on a look at a rock"
    }

    fn number(&self, _state: &State, action: Action) -> usize {
        match action {
            Action::North => 0,
            Action::East => 1,
            Action::South => 2,
            Action::West => 3,
            Action::Sample => 4,
            Action::Look(rock) => PLAIN + usize::from(rock),
        }
    }
}
