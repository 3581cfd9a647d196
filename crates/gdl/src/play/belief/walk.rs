//! A walk over histories: one move of the past is changed, and the rest kept where it still fits.
//!
//! Its steps are those of Metropolis and Hastings, whose histories come as often as they are likely;
//! each percept that disagrees makes a history e⁴ times less likely. So it finds histories that agree
//! with everything from such as nearly do, and once it has found one it finds others that do.

use patience_model::{Game, Rng};
use patience_plan::Halt;

use super::BeliefError;
use super::joints::Joints;
use crate::engine::RunError;
use crate::play::{GdlGame, GdlState, Move, Percepts, World};

/// The logarithm of how much less likely a percept that disagrees makes a history.
const PENALTY: f64 = 4.0;
/// A history with so many more disagreements than the one at hand is not looked at to its end.
const WORSE: u32 = 2;
/// Recent moves, of which every second change is one.
const RECENT: usize = 32;

/// What a player did and saw in each turn.
pub(super) type Record = [(Move, Percepts)];

/// A turn of a history.
#[derive(Clone, Debug)]
struct Turn {
    /// The state before it.
    state: Box<[u64]>,
    views: Vec<u64>,
    joint: Vec<u32>,
    /// The logarithm of the number of joint moves there.
    ways: f64,
    /// Whether something else was seen in it.
    wrong: bool,
}

/// What is kept of the past in turns after the one that is changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// One role makes another move.
    One(usize),
    /// What was done in another turn is done here, and there what was done here.
    Swap(usize),
    /// All that follows is drawn anew.
    Rest,
}

/// A history at hand.
pub(super) struct Walk<'b, W: World> {
    game: &'b GdlGame<W>,
    record: &'b Record,
    turns: Vec<Turn>,
    /// The state after the last turn.
    pub(super) end: GdlState<W::Position>,
    standing: GdlState<W::Position>,
    joints: Joints,
    /// Moves played.
    pub(super) plays: u64,
}

impl<'b, W: World> Walk<'b, W> {
    /// A walk that begins with these joint moves; `None` where they cannot be played.
    pub(super) fn new(
        game: &'b GdlGame<W>,
        record: &'b Record,
        history: &[Box<[u32]>],
    ) -> Result<Option<Self>, BeliefError> {
        let start = game.start(&mut Rng::new(0));
        let (standing, joints) = (start.clone(), Joints::default());
        let mut walk =
            Walk { game, record, turns: Vec::new(), end: start, standing, joints, plays: 0 };
        for (at, joint) in history.iter().enumerate() {
            walk.joints.read(game, &walk.standing.position, record[at].0);
            if !walk.joints.contains(joint) {
                return Ok(None);
            }
            let turn = walk.play(at, joint.to_vec())?;
            walk.turns.push(turn);
        }
        walk.end.clone_from(&walk.standing);
        Ok(Some(walk))
    }

    /// How many percepts disagree.
    pub(super) fn wrong(&self) -> u32 {
        self.turns.iter().map(|turn| u32::from(turn.wrong)).sum()
    }

    /// The joint moves.
    pub(super) fn history(&self) -> Vec<Box<[u32]>> {
        self.turns.iter().map(|turn| turn.joint.clone().into()).collect()
    }

    /// Plays a turn from the state at hand, whose moves have been read.
    fn play(&mut self, at: usize, joint: Vec<u32>) -> Result<Turn, BeliefError> {
        let world = self.game.network();
        let position = &self.standing.position;
        let mut turn = Turn {
            state: world.words(position).into(),
            views: self.standing.views.clone(),
            ways: (self.joints.count() as f64).ln(),
            wrong: !self.joints.own_is_legal || world.terminal(position),
            joint,
        };
        self.plays += 1;
        if self.plays.is_multiple_of(16) && Halt::is_due() {
            return Err(BeliefError::Run(RunError::Stopped { during: None }));
        }
        let seen = self.game.play(&mut self.standing, &turn.joint);
        if let Some(fault) = self.game.network().fault(&self.standing.position) {
            return Err(BeliefError::Run(fault.clone()));
        }
        turn.wrong |= seen != self.record[at].1;
        Ok(turn)
    }

    /// Changes something, if the history that comes of it is likely enough; says whether it did.
    pub(super) fn step(&mut self, rng: &mut Rng) -> Result<bool, BeliefError> {
        let count = self.turns.len();
        if count == 0 {
            return Ok(false);
        }
        let any = |rng: &mut Rng| match rng.chance(0.5) {
            true => rng.index(count),
            false => count - 1 - rng.index(count.min(RECENT)),
        };
        let roles = self.game.role_count();
        let (mut from, change) = match rng.below(4) {
            0 | 1 => (any(rng), Change::One(rng.index(roles))),
            2 => (any(rng), Change::Swap(any(rng))),
            _ => (any(rng), Change::Rest),
        };
        if let Change::Swap(with) = change {
            from = from.min(with);
        }
        let swapped = match change {
            Change::Swap(with) => Some((with, from)),
            _ => None,
        };
        let chance = rng.unit();
        let before: u32 = self.turns[from..].iter().map(|turn| u32::from(turn.wrong)).sum();
        // Where something disagrees anyway, moves that do not fit are drawn anew.
        let mends = before > 0;
        let (mut wrong, mut ratio) = (0, 0.0);
        let mut changed = Vec::with_capacity(count - from);
        self.game.network().load(&mut self.standing.position, &self.turns[from].state);
        self.standing.views.clone_from(&self.turns[from].views);
        for at in from..count {
            self.joints.read(self.game, &self.standing.position, self.record[at].0);
            if self.joints.count() == 0 {
                return Ok(false);
            }
            let kept = match swapped {
                Some((with, _)) if at == from => with,
                Some((with, first)) if at == with => first,
                _ => at,
            };
            let mut joint = self.turns[kept].joint.clone();
            joint[self.game.role()] = self.record[at].0.0;
            match change {
                Change::One(role) if at == from => self.joints.redraw(role, rng, &mut joint),
                Change::Rest => self.joints.draw(rng, &mut joint),
                _ if self.joints.contains(&joint) => {}
                _ if mends => self.joints.draw(rng, &mut joint),
                _ => return Ok(false),
            }
            if at == from && joint == self.turns[at].joint && change != Change::Rest {
                return Ok(false);
            }
            let turn = self.play(at, joint)?;
            wrong += u32::from(turn.wrong);
            if wrong > before + WORSE {
                return Ok(false);
            }
            if change != Change::Rest {
                ratio += self.turns[at].ways - turn.ways;
            }
            changed.push(turn);
        }
        let likelier = ratio + PENALTY * (f64::from(before) - f64::from(wrong));
        if chance >= likelier.exp() {
            return Ok(false);
        }
        self.turns.truncate(from);
        self.turns.append(&mut changed);
        self.end.clone_from(&self.standing);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::ground::{GroundLimits, ground};
    use crate::network::Network;
    use crate::text::Description;

    /// Chance goes left or right; on the left it has three doors to choose from, on the right one. Doors
    /// 1 and 2 are red, 3 and the one on the right are blue. The player sees colours.
    const DOORS: &str = "(role random) (role player) (init (at start))
        (<= (legal random left) (true (at start))) (<= (legal random right) (true (at start)))
        (<= (legal random (open ?d)) (true (at left)) (door ?d))
        (<= (legal random (open 4)) (true (at right)))
        (door 1) (door 2) (door 3) (legal player wait)
        (<= (legal random left) (true (behind ?d))) (<= (legal random right) (true (behind ?d)))
        (<= (next (at left)) (does random left)) (<= (next (at right)) (does random right))
        (<= (next (behind ?d)) (does random (open ?d)))
        (<= (next (opened ?d ?n)) (does random (open ?d)) (true (turn ?n)))
        (<= (next (opened ?d ?n)) (true (opened ?d ?n)))
        (init (turn 1)) (<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))
        (<= (next (turn 4)) (true (turn 3))) (<= (next (turn 5)) (true (turn 4)))
        (<= (sees player red) (does random (open 1))) (<= (sees player red) (does random (open 2)))
        (<= terminal (true (turn 9))) (goal player 0) (goal random 0)";

    /// Histories come as often as they are likely: blue and then red are three histories of unequal
    /// probability before, the one on the right three times as likely as the one through door 3.
    #[test]
    fn histories_come_as_often_as_they_are_likely() {
        let description = Description::read(DOORS).expect("it is read");
        let network = ground(&description, &GroundLimits::default()).expect("it is grounded");
        let game: GdlGame<Network> = GdlGame::new(Arc::new(network), "player").expect("a role");
        let world = Arc::clone(game.network());
        let number = |role, text| world.move_named(role, text).expect("it is a move");
        let wait = Move(number(1, "wait"));
        let (none, red) = (Percepts(0), Percepts(1));
        let record = [(wait, none), (wait, none), (wait, none), (wait, red)];
        // It begins with a history that disagrees.
        let turn = |text| -> Box<[u32]> { vec![number(0, text), wait.0].into() };
        let history = ["left", "(open 1)", "right", "(open 4)"].map(turn);
        let walk = Walk::new(&game, &record, &history).expect("nothing stops it");
        let mut walk = walk.expect("the moves are legal");
        assert_eq!(walk.wrong(), 2);
        let mut rng = Rng::new(3);
        let (mut count, mut all) = (BTreeMap::new(), 0f64);
        for _ in 0..200_000 {
            walk.step(&mut rng).expect("nothing stops it");
            if walk.wrong() == 0 {
                let first = world.move_text(0, walk.turns[1].joint[0]);
                let last = world.move_text(0, walk.turns[3].joint[0]);
                *count.entry((first, last)).or_insert(0f64) += 1.0;
                all += 1.0;
            }
        }
        // The walk repeats itself, so its error is some times that of as many draws.
        for (doors, expected) in [
            (("(open 3)", "(open 1)"), 0.125),
            (("(open 3)", "(open 2)"), 0.125),
            (("(open 4)", "(open 1)"), 0.375),
            (("(open 4)", "(open 2)"), 0.375),
        ] {
            let key = (doors.0.to_owned(), doors.1.to_owned());
            let found = count.get(&key).copied().unwrap_or(0.0) / all;
            assert!((found - expected).abs() < 0.02, "{doors:?}: {found} instead of {expected}");
        }
        assert_eq!(count.len(), 4);
    }
}
