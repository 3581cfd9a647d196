//! A ladder of five rungs, climbed by one or two at a time, and searches that say what they are told.

use patience_catalogue::{
    AnyGame, GameEntry, GameInfo, Kit, Objective, Params, PerLevel, PlannerInfo, Registry, params,
};
use patience_model::{Game, Keyed, Rng, Shown, Step, Text};
use patience_plan::{Counts, Finding, Planner, Root, Search, Status, Stepped, Verdict};

/// The highest rung.
pub(crate) const TOP: u8 = 5;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Ladder;

impl Game for Ladder {
    type State = u8;
    type Action = u8;
    type Obs = ();

    /// On the ground, or on the first rung.
    fn start(&self, rng: &mut Rng) -> u8 {
        rng.below(2) as u8
    }

    fn actions(&self, rung: &u8, out: &mut Vec<u8>) {
        out.clear();
        // From the fourth rung one can also jump down, which ends the game too.
        out.extend((1..=2).filter(|by| rung + by <= TOP));
        out.extend((*rung == TOP - 1).then_some(9));
    }

    fn step(&self, rung: &mut u8, by: u8, _rng: &mut Rng) -> Step<()> {
        *rung += by;
        Step { reward: if *rung == TOP { 1.0 } else { 0.0 }, obs: () }
    }
}

impl Keyed for Ladder {
    type Key = u8;

    fn key(&self, rung: &u8) -> u8 {
        *rung
    }
}

impl Text for Ladder {
    fn state_text(&self, rung: &u8) -> String {
        format!("rung {rung}")
    }

    fn action_text(&self, _rung: &u8, by: u8) -> String {
        format!("up{by}")
    }
}

impl Shown for Ladder {
    fn title(&self) -> String {
        "Ladder".to_owned()
    }
}

params! {
    /// What a solver says that finds nothing by itself.
    pub(crate) struct Claim {
        /// The moves of its solution
        moves: PerLevel<u8> = "1/2/2";
        /// What it says they come to; auto: nothing
        value: patience_catalogue::Auto<f64> = "auto";
    }
}

const CLAIMS: PlannerInfo = PlannerInfo {
    name: "claims",
    solves: true,
    games: &["ladder"],
    parameters: Claim::PARAMS,
    ..PlannerInfo::NEW
};

struct Claims(Claim);

impl Planner<Ladder> for Claims {
    fn search<'g>(&self, _: &'g Ladder, _: Root<Ladder>, _: Rng) -> Box<dyn Search<Ladder> + 'g> {
        Box::new(Claims(self.0.clone()))
    }

    fn ends(&self) -> bool {
        true
    }
}

impl Stepped for Claims {
    fn step(&mut self) -> Status {
        Status::Complete
    }

    fn counts(&self) -> Counts {
        Counts::default()
    }
}

impl Search<Ladder> for Claims {
    fn finding(&self) -> Finding<u8> {
        let moves = self.0.moves.0.clone();
        Finding { verdict: Verdict::Solved, moves, value: self.0.value.0, ..Finding::default() }
    }
}

/// The kit of the ladder, judged by length, with deals by numbers: that of a number is that rung.
pub(crate) fn kit() -> Kit<Ladder> {
    let number = |_: &Ladder, name: &str| match name.parse() {
        Ok(rung @ 0..TOP) => Ok(rung),
        _ => Err(format!("a rung from 0 to {} is expected", TOP - 1)),
    };
    Kit::new(Ladder)
        .shown()
        .keyed()
        .deterministic()
        .solved_when("up", |_, rung| *rung == TOP, Objective::Length)
        .numbered(number)
        .search(&CLAIMS, |_, claim: Claim| Ok(Box::new(Claims(claim))))
}

/// A list of nothing but the ladder.
pub(crate) fn registry(info: GameInfo) -> Registry {
    let mut registry = Registry::new();
    let info = GameInfo { name: "ladder", ..info };
    registry.add(GameEntry::new(info, |_| Ok(kit().into())).with_searches(&[&CLAIMS]));
    registry
}

pub(crate) fn game() -> AnyGame {
    registry(GameInfo::NEW).game("ladder").unwrap()
}
