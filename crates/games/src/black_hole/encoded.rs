//! Black Hole in arrays, for programs that learn.

use patience_model::{Encoded, Part};

use super::{BlackHole, DEPTH, FANS, Fan, State};

impl Encoded for BlackHole {
    fn layout(&self) -> Vec<Part> {
        vec![
            Part::new(
                52,
                (FANS * DEPTH) as i16,
                "by card, in fours from the aces, clubs, diamonds, hearts and spades, where it is: 0 in \
                 the hole, from 1 on in a fan: 1, three times the fan, and its place there",
            ),
            Part::new(1, 51, "the last card in the hole"),
        ]
    }

    fn observe(&self, state: &State, _last: Option<()>, out: &mut [i16]) {
        out.fill(0);
        for fan in 0..FANS {
            for (place, card) in state.fan(fan).iter().enumerate() {
                out[card.index()] = (1 + fan * DEPTH + place) as i16;
            }
        }
        out[52] = state.hole.index() as i16;
    }

    fn moves(&self) -> usize {
        FANS
    }

    fn numbering(&self) -> &'static str {
        "the fan whose last card goes into the hole"
    }

    fn number(&self, _state: &State, Fan(fan): Fan) -> usize {
        usize::from(fan)
    }
}
