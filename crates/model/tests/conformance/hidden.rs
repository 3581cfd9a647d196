//! A hidden number that may be asked about or guessed, for hidden information.

use patience_model::conformance::{self, Property};
use patience_model::{Game, Hidden, Rng, Step};

use super::assert_violates;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    ActionsLeak,
    PlayerLeaks,
    KnownLeaks,
    DrawForgets,
    DrawConstant,
    DrawCheats,
    DrawUneven,
}

/// A number below 4, dealt evenly. Asking about a number tells, truly, whether it is that one;
/// guessing ends the game.
struct Guessing(Fault);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Move {
    Ask(u8),
    Guess(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    /// Numbers that are still possible, one bit each.
    possible: u8,
    over: bool,
    /// Used by a fault that lets the player know what was never shown.
    leak: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    number: u8,
    known: Known,
}

impl Game for Guessing {
    type State = State;
    type Action = Move;
    type Obs = Option<bool>;

    fn start(&self, rng: &mut Rng) -> State {
        let known = Known { possible: 0b1111, over: false, leak: 0 };
        State { number: rng.below(4) as u8, known }
    }

    fn actions(&self, s: &State, out: &mut Vec<Move>) {
        out.clear();
        if s.known.over {
            return;
        }
        let possible = (0..4).filter(|n| s.known.possible >> n & 1 != 0);
        out.extend(possible.clone().map(Move::Guess));
        if s.known.possible.count_ones() > 1 {
            out.extend(possible.map(Move::Ask));
        }
        if self.0 == Fault::ActionsLeak && s.number == 2 && out.len() > 1 {
            out.swap(0, 1);
        }
    }

    fn step(&self, s: &mut State, a: Move, _: &mut Rng) -> Step<Option<bool>> {
        match a {
            Move::Ask(n) => {
                let hit = s.number == n;
                s.known.possible = if hit { 1 << n } else { s.known.possible & !(1 << n) };
                if self.0 == Fault::KnownLeaks {
                    s.known.leak = s.number / 2;
                }
                Step { reward: -1.0, obs: Some(hit) }
            }
            Move::Guess(n) => {
                s.known.over = true;
                Step { reward: if s.number == n { 5.0 } else { -5.0 }, obs: None }
            }
        }
    }

    fn minimising(&self, s: &State) -> bool {
        self.0 == Fault::PlayerLeaks && s.number == 3
    }
}

impl Hidden for Guessing {
    type Known = Known;

    fn known(&self, s: &State) -> Known {
        match self.0 {
            // Knowing the number outright makes every draw the true state.
            Fault::DrawCheats => Known { leak: s.number, ..s.known },
            _ => s.known,
        }
    }

    fn draw(&self, known: &Known, rng: &mut Rng) -> State {
        let possible: Vec<u8> = (0..4).filter(|n| known.possible >> n & 1 != 0).collect();
        let mut known = *known;
        let number = match self.0 {
            Fault::DrawCheats => known.leak,
            Fault::DrawConstant => possible[0],
            // The first possible number comes too often.
            Fault::DrawUneven if rng.chance(0.2) => possible[0],
            Fault::DrawForgets => {
                known.possible = 0b1111;
                rng.below(4) as u8
            }
            Fault::KnownLeaks if known.leak > 0 => {
                *possible.iter().find(|n| **n / 2 == known.leak).unwrap()
            }
            _ => rng.pick(&possible),
        };
        if self.0 == Fault::DrawCheats {
            known.leak = 0;
        }
        State { number, known }
    }
}

#[test]
fn a_right_game_passes() {
    for seed in 0..50 {
        conformance::of(&Guessing(Fault::None)).hidden().seed(seed).check();
    }
}

#[test]
fn each_fault_is_found() {
    for (fault, property) in [
        (Fault::ActionsLeak, Property::KnownDecidesActions),
        (Fault::PlayerLeaks, Property::KnownDecidesActions),
        (Fault::KnownLeaks, Property::NothingLeaks),
        (Fault::DrawForgets, Property::DrawAgrees),
        (Fault::DrawConstant, Property::DrawFrequencies),
        (Fault::DrawCheats, Property::DrawVaries),
        (Fault::DrawUneven, Property::DrawFrequencies),
    ] {
        for seed in 0..5 {
            let game = Guessing(fault);
            assert_violates(conformance::of(&game).hidden().seed(seed).games(100).run(), property);
        }
    }
}
