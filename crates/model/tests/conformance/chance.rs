//! A die with loaded sides, for outcomes.

use patience_model::conformance::{self, Property};
use patience_model::{Game, Outcome, Outcomes, Rng, Step};

use super::assert_violates;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    SumBelowOne,
    NegativeProbability,
    WrongProbabilities,
    SideMissing,
    SameObservation,
    WrongReward,
    WrongState,
}

/// Throws a die with sides 0, 1, 2 five times; the chances are 0.5, 0.3, 0.2.
struct Die(Fault);

const CHANCES: [f64; 3] = [0.5, 0.3, 0.2];

#[derive(Clone, Debug, PartialEq)]
struct Sum {
    throws: u8,
    sum: u8,
}

fn after(s: &Sum, side: u8) -> (Sum, Step<u8>) {
    let next = Sum { throws: s.throws + 1, sum: s.sum + side };
    (next, Step { reward: f64::from(side), obs: side })
}

impl Game for Die {
    type State = Sum;
    type Action = ();
    type Obs = u8;

    fn start(&self, _: &mut Rng) -> Sum {
        Sum { throws: 0, sum: 0 }
    }

    fn actions(&self, s: &Sum, out: &mut Vec<()>) {
        out.clear();
        if s.throws < 5 {
            out.push(());
        }
    }

    fn step(&self, s: &mut Sum, _: (), rng: &mut Rng) -> Step<u8> {
        let tenth = rng.below(10);
        let (next, step) = after(s, u8::from(tenth >= 5) + u8::from(tenth >= 8));
        *s = next;
        step
    }
}

impl Outcomes for Die {
    fn outcomes(&self, s: &Sum, _: (), out: &mut Vec<Outcome<Sum, u8>>) {
        out.clear();
        for (side, probability) in (0..).zip(CHANCES) {
            let (state, step) = after(s, side);
            out.push(Outcome { probability, state, step });
        }
        match self.0 {
            Fault::None => {}
            Fault::SumBelowOne => out[2].probability -= 1e-6,
            Fault::NegativeProbability => {
                out[0].probability = -0.5;
                out[1].probability = 1.3;
            }
            Fault::WrongProbabilities => {
                out[1].probability = 0.2;
                out[2].probability = 0.3;
            }
            Fault::SideMissing => {
                out.pop();
                out[0].probability += CHANCES[2];
            }
            Fault::SameObservation => out[2].step.obs = 1,
            Fault::WrongReward => out[2].step.reward += 1e-6,
            Fault::WrongState => out[2].state.sum += 1,
        }
    }
}

#[test]
fn a_right_game_passes() {
    let report = conformance::of(&Die(Fault::None)).outcomes().check();
    assert_eq!(report.moves, 100);
    // Many seeds: the bound on frequencies is no matter of luck.
    for seed in 0..100 {
        conformance::of(&Die(Fault::None)).outcomes().seed(seed).check();
    }
}

#[test]
fn each_fault_is_found() {
    for (fault, property) in [
        (Fault::SumBelowOne, Property::ProbabilitiesSumToOne),
        (Fault::NegativeProbability, Property::ProbabilitiesSumToOne),
        (Fault::WrongProbabilities, Property::Frequencies),
        (Fault::SideMissing, Property::OutcomesComplete),
        (Fault::SameObservation, Property::ObservationsDistinct),
        (Fault::WrongReward, Property::OutcomesComplete),
        (Fault::WrongState, Property::OutcomesComplete),
    ] {
        for seed in 0..5 {
            assert_violates(conformance::of(&Die(fault)).outcomes().seed(seed).run(), property);
        }
    }
}
