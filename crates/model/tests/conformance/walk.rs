//! A walk along a line of nine places, for actions, rewards, keys and undo.

use std::cell::Cell;

use patience_model::conformance::{self, Property};
use patience_model::{Game, Keyed, Rng, Step, Undo};

use super::assert_violates;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    NeverEnds,
    OrderChanges,
    OrderChangesOnReplay,
    BufferKept,
    ActionTwice,
    IllegalAction,
    InfiniteReward,
    OwnChance,
    RewardChanges,
    Discount,
    PlayerChanges,
    KeyCollides,
    KeyTooFine,
    KeyOfClock,
    UndoForgets,
    UndoBreaksCache,
    ApplyDiffers,
}

/// The state's equality ignores `cache`, which a fault may leave wrong.
#[derive(Clone, Debug)]
struct Place {
    place: u8,
    moves: u8,
    cache: u8,
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        (self.place, self.moves) == (other.place, other.moves)
    }
}

struct Walk {
    fault: Fault,
    calls: Cell<u64>,
}

impl Walk {
    fn new(fault: Fault) -> Self {
        Walk { fault, calls: Cell::new(0) }
    }

    fn tick(&self) -> u64 {
        self.calls.set(self.calls.get() + 1);
        self.calls.get()
    }
}

impl Game for Walk {
    type State = Place;
    type Action = i8;
    type Obs = ();

    fn start(&self, rng: &mut Rng) -> Place {
        if self.fault == Fault::OrderChangesOnReplay {
            self.tick();
        }
        let place = rng.below(9) as u8;
        Place { place, moves: 0, cache: place }
    }

    fn actions(&self, s: &Place, out: &mut Vec<i8>) {
        if self.fault != Fault::BufferKept {
            out.clear();
        }
        if s.moves >= 12 && self.fault != Fault::NeverEnds {
            return;
        }
        let first = out.len();
        if s.place > 0 {
            out.push(-1);
        }
        if s.place < 8 {
            out.push(1);
        }
        match self.fault {
            Fault::OrderChanges if self.tick().is_multiple_of(3) => out[first..].reverse(),
            Fault::OrderChangesOnReplay if self.calls.get() > 20 => out[first..].reverse(),
            Fault::ActionTwice if s.moves == 5 => out.push(out[first]),
            Fault::IllegalAction if s.place == 8 => out.push(1),
            _ => {}
        }
    }

    fn step(&self, s: &mut Place, a: i8, _: &mut Rng) -> Step<()> {
        assert!(s.place < 8 || a < 0, "off the line");
        s.place = s.place.wrapping_add_signed(a);
        s.cache = s.place;
        s.moves = (s.moves + 1).min(100);
        let reward = match self.fault {
            Fault::InfiniteReward if s.moves == 12 => f64::INFINITY,
            Fault::RewardChanges => self.tick() as f64,
            Fault::OwnChance if self.tick().is_multiple_of(2) => 1.0,
            _ => 0.5,
        };
        Step { reward, obs: () }
    }

    fn discount(&self) -> f64 {
        if self.fault == Fault::Discount { 1.5 } else { 1.0 }
    }

    fn minimising(&self, s: &Place) -> bool {
        match self.fault {
            Fault::PlayerChanges => self.tick().is_multiple_of(2),
            _ => s.moves % 2 == 1,
        }
    }
}

impl Keyed for Walk {
    type Key = u64;

    fn key(&self, s: &Place) -> u64 {
        let (place, moves) = (u64::from(s.place), u64::from(s.moves));
        match self.fault {
            Fault::KeyCollides => place * 8 + moves,
            Fault::KeyOfClock => self.tick(),
            Fault::KeyTooFine => std::ptr::from_ref(s) as u64,
            Fault::UndoBreaksCache => u64::from(s.cache) * 256 + moves,
            _ => place * 256 + moves,
        }
    }
}

impl Undo for Walk {
    type Token = i8;

    fn apply(&self, s: &mut Place, a: i8, rng: &mut Rng) -> (Step<()>, i8) {
        let mut step = self.step(s, a, rng);
        if self.fault == Fault::ApplyDiffers && s.place == 0 {
            step.reward = 0.0;
        }
        (step, a)
    }

    fn undo(&self, s: &mut Place, a: i8) {
        s.place = s.place.wrapping_add_signed(-a);
        if self.fault != Fault::UndoBreaksCache {
            s.cache = s.place;
        }
        // The fault: the twelfth move is not taken back.
        if self.fault != Fault::UndoForgets || s.moves < 12 {
            s.moves -= 1;
        }
    }
}

#[test]
fn a_right_game_passes() {
    let game = Walk::new(Fault::None);
    let report = conformance::of(&game).keyed().undoes().games(30).check();
    assert_eq!((report.games, report.ended, report.moves), (30, 30, 360));
    assert!(report.comparisons > 1000, "{report:?}");
}

#[test]
fn a_game_without_end_may_be_cut_on_demand() {
    let game = Walk::new(Fault::NeverEnds);
    let report = conformance::of(&game).limit(50).games(3).endless().check();
    assert_eq!((report.games, report.ended, report.moves), (3, 0, 150));
}

#[test]
fn each_fault_is_found() {
    for (fault, property) in [
        (Fault::NeverEnds, Property::Ends),
        (Fault::OrderChanges, Property::ActionsRepeatable),
        (Fault::OrderChangesOnReplay, Property::SameStreamSamePlay),
        (Fault::BufferKept, Property::ActionsReplace),
        (Fault::ActionTwice, Property::ActionsDistinct),
        (Fault::IllegalAction, Property::ActionsPlayable),
        (Fault::InfiniteReward, Property::RewardsFinite),
        (Fault::RewardChanges, Property::SameStreamSamePlay),
        (Fault::OwnChance, Property::SameStreamSamePlay),
        (Fault::Discount, Property::DiscountInRange),
        (Fault::PlayerChanges, Property::MinimisingRepeatable),
    ] {
        assert_violates(conformance::of(&Walk::new(fault)).run(), property);
    }
}

#[test]
fn each_fault_of_keys_is_found() {
    for (fault, property) in [
        (Fault::KeyCollides, Property::DistinctKeys),
        (Fault::KeyOfClock, Property::EqualKeys),
        (Fault::KeyTooFine, Property::EqualKeys),
    ] {
        assert_violates(conformance::of(&Walk::new(fault)).keyed().run(), property);
    }
}

#[test]
fn a_key_may_take_states_for_alike_if_told_so() {
    // The key that collides is `place · 8 + moves`: right, if that is what is meant by the same.
    let game = Walk::new(Fault::KeyCollides);
    fn number(s: &Place) -> u8 {
        s.place * 8 + s.moves
    }
    conformance::of(&game).keyed_up_to(|a, b| number(a) == number(b)).check();
    assert_violates(conformance::of(&game).keyed_up_to(|_, _| true).run(), Property::EqualKeys);
}

#[test]
fn each_fault_of_undo_is_found() {
    for (fault, property) in [
        (Fault::UndoForgets, Property::UndoRestores),
        (Fault::ApplyDiffers, Property::ApplySteps),
        // Equality does not see the cache, but the key does.
        (Fault::UndoBreaksCache, Property::UndoRestores),
    ] {
        assert_violates(conformance::of(&Walk::new(fault)).keyed().undoes().run(), property);
    }
}

#[test]
fn a_violation_says_where() {
    let game = Walk::new(Fault::InfiniteReward);
    let violation = conformance::of(&game).seed(7).run().unwrap_err();
    assert_eq!((violation.seed, violation.game, violation.after_moves), (7, 0, Some(11)));
    assert_eq!(violation.clone(), conformance::of(&game).seed(7).run().unwrap_err());
    let text = violation.to_string();
    assert!(text.contains("seed 7, game 0, after 11 moves"), "{text}");
}

#[test]
#[should_panic(expected = "violated: random play comes to an end within the limit (seed 1")]
fn check_panics_with_the_violation() {
    conformance::of(&Walk::new(Fault::NeverEnds)).check();
}
