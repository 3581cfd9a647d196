//! The playouts of [`Sliced`] compiled once more, for processors with registers of 256 bits.
//!
//! The code is the same, so the playouts are too; which of the two runs is decided when the program does.

use patience_model::Rng;

use super::sliced::{Sliced, Tally};

/// Says that this processor has what [`Wide::turn`] is compiled for. There is one only where it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide(());

#[cfg(target_arch = "x86_64")]
impl Wide {
    /// Asks the processor.
    pub(super) fn detect() -> Option<Wide> {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        all.then_some(Wide(()))
    }

    /// One move in every lane.
    #[allow(unsafe_code)]
    pub(super) fn turn(self, sliced: &mut Sliced<'_>, rng: &mut Rng, most: u32, tally: &mut Tally) {
        // SAFETY: `turn` is safe code; it is `unsafe` to call only because a processor without the
        // instructions that it is compiled for could not run it. `self` was made by `detect`, which
        // found all four of them on this processor, and nothing else makes one.
        unsafe { turn(sliced, rng, most, tally) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn turn(sliced: &mut Sliced<'_>, rng: &mut Rng, most: u32, tally: &mut Tally) {
    sliced.turn_inlined(rng, most, tally);
}

#[cfg(not(target_arch = "x86_64"))]
impl Wide {
    /// There are no such registers, or the compiler uses them anyway.
    pub(super) fn detect() -> Option<Wide> {
        None
    }

    /// One move in every lane.
    pub(super) fn turn(self, sliced: &mut Sliced<'_>, rng: &mut Rng, most: u32, tally: &mut Tally) {
        sliced.turn_inlined(rng, most, tally);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use patience_model::Rng;

    use super::super::Sliced;
    use super::Wide;
    use crate::{Description, GroundLimits, built_in, ground};

    /// To the last playout, also where rules are cyclic.
    #[test]
    fn wide_playouts_are_the_same_playouts() {
        if Wide::detect().is_none() {
            println!("this processor has no wide registers: nothing is compared");
        }
        for name in ["tictactoe", "maze", "monty_hall", "mastermind"] {
            let source = built_in(name).expect("it comes with the crate");
            let rules = Description::read(source.text()).expect("it is a list of rules");
            let network = Arc::new(ground(&rules, &GroundLimits::default()).expect("grounded"));
            let run = |mut sliced: Sliced<'_>| sliced.run(&mut Rng::new(7), 2_000, 50);
            let narrow = run(Sliced::new(&network).narrow());
            assert_eq!(run(Sliced::new(&network)), narrow, "{name}");
        }
    }
}
