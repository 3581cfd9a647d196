//! The moves that lead on from a state, with cards going into cells only where that is used.
//!
//! A card that goes into a cell need not do so before what lay beneath it is wanted. So let every
//! such move be made as late as possible. In a shortest solution in which they are as late as can
//! be, the next move that is not into a cell takes a card from every column from which cards went
//! into cells since the last such move, or puts one there: if it left one of these columns alone,
//! that card could go into its cell after it, since nothing that moves meanwhile is in its way and
//! a cell that is free for longer never is. So there are at most two such columns, in any order,
//! and all these moves together with the one that uses them are one way on: the states between
//! need not be held.
//!
//! Cards that safely go home by themselves do so in either order. Where some do, the way on ends:
//! in solutions in which they go as early as can be, whatever made them go comes first.

use super::blockers::{Blockers, HIGHER, Pairs};
use super::engine::{FreeCell, Move, Targets};
use super::escape::Escape;
use super::heuristic::Heuristic;
use super::hitting_set::Cover;
use super::order::Last;
use super::state::{BASE, NONE, State};
use super::{Metric, Rules, Sequence};

/// Makes ways on from a state.
pub(super) struct Digging<'d, F> {
    pub(super) game: &'d FreeCell,
    pub(super) heuristic: Heuristic,
    /// Whether cards go home by themselves.
    pub(super) safe_moves: bool,
    /// Whether cards go into cells only where it is used.
    pub(super) late: bool,
    /// What led here, if ways that come to the same are looked at once.
    pub(super) last: Option<Last>,
    /// What a way and the estimate after it may come to.
    pub(super) room: u32,
    /// The least that one comes to that is beyond the room.
    pub(super) later: Option<u32>,
    /// Moves that are to be looked at, of all the states on the way.
    pub(super) moves: &'d mut Vec<Move>,
    /// The moves so far that were into cells.
    pub(super) way: &'d mut Vec<Move>,
    /// Hears of every way on: the state, the moves made for it and the cost, which counts cards
    /// that went home by themselves too.
    pub(super) each: F,
}

/// The columns from which cards went into cells, in rising order; the last is dug on.
type Dug = [Option<u8>; 2];

impl<F: FnMut(&State, &[Move], u32)> Digging<'_, F> {
    /// All ways on from a state.
    pub(super) fn all(&mut self, state: &State, basis: &mut Basis) {
        self.way.clear();
        basis.stand_on(self.game, state, self.heuristic);
        if let Some(safe) = self.game.safe_home_move(state).filter(|_| self.safe_moves) {
            self.way.push(safe);
            let (next, cost) = self.go(state, safe);
            (self.each)(&next, self.way, cost);
            return;
        }
        let change = Change::of(self.game, state, basis.ground());
        self.dig(state, [None, None], &change);
    }

    /// A move, and what follows from it at once: the state, and how many moves it were.
    #[inline]
    fn go(&self, state: &State, m: Move) -> (State, u32) {
        let mut next = *state;
        self.game.make(&mut next, m);
        let mut cost = 1;
        if self.safe_moves && (m.is_home() || self.game.frees_safe_card(state, m)) {
            while let Some(safe) = self.game.safe_home_move(&next) {
                self.game.make(&mut next, safe);
                cost += 1;
            }
        }
        (next, cost)
    }

    fn dig(&mut self, state: &State, dug: Dug, change: &Change<'_>) {
        let first = self.moves.len();
        let targets = self.game.targets(state);
        self.moves_after(state, dug, &targets);
        for n in first..self.moves.len() {
            let m = self.moves[n];
            if uses(dug, state, m) && !self.is_needless(state, dug, m) {
                self.try_move(state, m, None, change);
            }
        }
        self.moves.truncate(first);
        if !self.late || targets.free_cells == 0 {
            return;
        }
        let last_room = targets.is_last_room() && self.game.rules().sequence != Sequence::Unlimited;
        for column in 0..usize::from(self.game.rules().columns) {
            let top = state.tops[column];
            if top != NONE && !self.last.is_some_and(|last| last.moved(top)) {
                let m = self.game.to_cell(state, column);
                let deeper = deeper(dug, column as u8)
                    .filter(|&dug| !last_room || self.leads_on(state, &targets, top, dug));
                // A card that safely goes home then is uncovered first in a way of its own.
                if deeper.is_some() {
                    self.try_move(state, m, deeper, change);
                }
            }
        }
    }

    /// Whether a move can use these columns when a card from one of them took the last room there
    /// was: only single cards move then.
    #[inline]
    fn leads_on(&self, state: &State, targets: &Targets, top: u8, dug: Dug) -> bool {
        let below = state.below[usize::from(top)];
        if below >= BASE {
            return true;
        }
        let (onto, takes) =
            (self.game.onto[usize::from(below)], self.game.takes[usize::from(below)]);
        match dug {
            [Some(one), Some(other)] => {
                let [one, other] = [one, other].map(|n| state.tops[usize::from(n)]);
                let there = if one == top { other } else { one };
                (onto | takes) >> there & 1 == 1
            }
            _ => {
                let others = targets.tops & !(1 << top);
                onto & others != 0 || takes & (others | state.cells) != 0 || state.goes_home(below)
            }
        }
    }

    /// Whether a move comes to nothing that is not looked at elsewhere.
    #[inline]
    fn is_needless(&self, state: &State, dug: Dug, m: Move) -> bool {
        // What has just gone into a cell could have gone there itself, if not back.
        if self.way.last().is_some_and(|dig| dig.card == m.card) {
            return true;
        }
        let digs = self.way.len() as u32;
        self.last.is_some_and(|last| {
            last.moves_again(dug, m)
                || last.comes_too_late(state, dug, digs, m)
                    && !(self.safe_moves && self.game.frees_safe_card(state, m))
        })
    }

    /// Makes a move if there is room for it; if it is into a cell, these are the columns dug then.
    #[inline]
    fn try_move(&mut self, state: &State, m: Move, deeper: Option<Dug>, change: &Change<'_>) {
        let spent = self.way.len() as u32;
        // What it comes to at least, before the state is made.
        let least = spent + 1 + change.least_after(state, m);
        if least > self.room {
            self.leave_for_later(least);
            return;
        }
        let (next, cost) = self.go(state, m);
        self.way.push(m);
        match deeper {
            Some(dug) if cost == 1 => self.dig_on(state, &next, m, dug, change),
            _ => (self.each)(&next, self.way, spent + cost),
        }
        self.way.pop();
    }

    /// A way is beyond the room, and comes to this at least.
    #[inline]
    fn leave_for_later(&mut self, least: u32) {
        self.later = Some(self.later.map_or(least, |later| later.min(least)));
    }

    /// The moves among which are all that go on after these columns were dug, without those into
    /// cells if these are made late.
    #[inline]
    fn moves_after(&mut self, state: &State, dug: Dug, targets: &Targets) {
        let game = self.game;
        let filled = |n: u8| state.tops[usize::from(n)] != NONE;
        match dug {
            [Some(one), None] if filled(one) => {
                game.moves_at(state, usize::from(one), targets, self.moves);
            }
            [Some(one), Some(other)] if filled(one) && filled(other) => {
                let both = [one, other].map(usize::from);
                game.moves_between(state, both, targets, self.moves);
            }
            _ => {
                let cells = !self.late && targets.free_cells > 0;
                game.moves_to(state, targets, cells, self.moves);
            }
        }
    }
}

impl<F: FnMut(&State, &[Move], u32)> Digging<'_, F> {
    /// Whether it takes more than the room after a card went into a cell, since no other can be won.
    #[inline]
    fn is_shut(&mut self, next: &State, change: &Change<'_>) -> bool {
        let least = self.way.len() as u32 + change.estimate;
        let Some(ground) = change.ground.filter(|_| self.heuristic == Heuristic::Best) else {
            return false;
        };
        let Some(spare) = self.room.checked_sub(least) else { return false };
        let shut = Escape::is_shut(self.game, next, &ground.blockers, change.counted, spare);
        if shut {
            self.leave_for_later(self.room + 1);
        }
        shut
    }

    /// Goes on after a card went into a cell.
    #[inline]
    fn dig_on(&mut self, state: &State, next: &State, m: Move, dug: Dug, change: &Change<'_>) {
        let ground;
        let change = match change.without(self.game, state, m.card) {
            Some(change) => change,
            None => {
                ground = change.ground.map(|before| {
                    let mut ground = before.clone();
                    ground.come_after(self.game, before, next);
                    ground
                });
                Change::of(self.game, next, ground.as_ref())
            }
        };
        if !self.is_shut(next, &change) {
            self.dig(next, dug, &change);
        }
    }
}

/// The columns that are dug if a card goes from one into a cell; `None` if it should not.
#[inline]
fn deeper(dug: Dug, column: u8) -> Option<Dug> {
    match dug {
        [None, _] => Some([Some(column), None]),
        [Some(first), None] if first == column => Some(dug),
        [Some(first), None] if first < column => Some([Some(first), Some(column)]),
        [_, Some(second)] if second == column => Some(dug),
        _ => None,
    }
}

/// Whether a move that is not into a cell uses all columns that were dug.
#[inline]
fn uses(dug: Dug, state: &State, m: Move) -> bool {
    let to_empty = m.target().is_some_and(|column| state.tops[column] == NONE);
    dug.iter().flatten().all(|&column| {
        let column = usize::from(column);
        m.source() == Some(column)
            || m.target() == Some(column)
            // All empty columns are one, and room for a run on its way.
            || (state.tops[column] == NONE && (to_empty || m.count > 1))
    })
}

/// Who keeps whom waiting in a state.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    state: State,
    pub(super) blockers: Blockers,
    pub(super) pairs: Pairs,
    /// What covers the pairs.
    pub(super) cover: Cover,
}

impl Ground {
    fn of(game: &FreeCell, state: &State) -> Ground {
        let blockers = Blockers::of(game, state);
        let pairs = blockers.pairs();
        let cover = pairs.cover();
        Ground { state: *state, blockers, pairs, cover }
    }

    /// The same for any other state of the game.
    #[inline]
    fn turn_to(&mut self, game: &FreeCell, state: &State) {
        self.blockers.turn_to(game, &self.state, state);
        self.pairs.set(&self.blockers);
        self.cover = self.pairs.cover();
        self.state = *state;
    }

    /// The same for a state that comes a few moves after another.
    #[inline]
    fn come_after(&mut self, game: &FreeCell, before: &Ground, state: &State) {
        self.blockers.clone_from(&before.blockers);
        self.blockers.go_on(game, &before.state, state);
        self.pairs.set(&self.blockers);
        self.cover = before.cover.after(&before.pairs, &self.pairs);
        self.state = *state;
    }
}

/// What is worked out for a state on which others build, if the heuristic knows who keeps whom
/// waiting: h2 does, and what builds on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    /// Of this game.
    of: Option<(Rules, Metric)>,
    ground: Option<Box<[Ground; 2]>>,
}

impl Basis {
    #[inline]
    fn stand_on(&mut self, game: &FreeCell, state: &State, heuristic: Heuristic) {
        let two = match heuristic {
            Heuristic::Best => true,
            Heuristic::Deadlock(deadlock) => deadlock.suits() == 2,
        };
        let of = Some((*game.rules(), game.metric()));
        if !two || self.of != of {
            (self.of, self.ground) = (of, None);
        }
        match &mut self.ground {
            _ if !two => {}
            Some(there) => there[0].turn_to(game, state),
            None => {
                let ground = Ground::of(game, state);
                self.ground = Some(Box::new([ground.clone(), ground]));
            }
        }
    }

    #[inline]
    fn ground(&self) -> Option<&Ground> {
        self.ground.as_ref().map(|there| &there[0])
    }

    /// Who keeps whom waiting in a state that comes a few moves after.
    #[inline]
    pub(super) fn after(&mut self, game: &FreeCell, state: &State) -> Option<&Ground> {
        let [before, after] = &mut **self.ground.as_mut()?;
        after.come_after(game, before, state);
        Some(after)
    }
}

/// What moves can change of the estimate.
struct Change<'b> {
    ground: Option<&'b Ground>,
    estimate: u32,
    cover: Cover,
    /// Cards that may take one off the estimate if they move away with what lies on them.
    counted: u64,
    /// The vertices of the pairs that are left.
    vertices: u64,
}

impl<'b> Change<'b> {
    #[inline]
    fn of(game: &FreeCell, state: &State, ground: Option<&'b Ground>) -> Self {
        let left = state.cards_left(game.rules());
        let Some(Ground { blockers, pairs, cover, .. }) = ground else {
            return Change {
                ground,
                estimate: left,
                cover: Cover::default(),
                counted: 0,
                vertices: 0,
            };
        };
        Change {
            ground,
            estimate: left + blockers.forced_count + cover.size,
            cover: *cover,
            counted: blockers.forced | pairs.moving,
            vertices: pairs.vertices,
        }
    }

    /// The same after this card has gone from its column into a cell; `None` if it was part of a
    /// run and it is not known what is left of that.
    #[inline]
    fn without(&self, game: &FreeCell, state: &State, card: u8) -> Option<Self> {
        let Change { ground, mut estimate, mut cover, mut counted, mut vertices } = *self;
        let Some(Ground { blockers, pairs, .. }) = ground else {
            return Some(Change { ..*self });
        };
        if blockers.run_below(game, state, card).is_some() {
            let all_same = (!counted | blockers.over_forced) >> card & 1 == 1;
            return all_same.then_some(Change { ..*self });
        }
        let bit = 1u64 << card;
        if blockers.forced & bit != 0 {
            estimate -= 1;
        } else if vertices & bit != 0 {
            vertices &= !bit;
            let before = cover.size;
            cover = cover.without(&pairs.neighbours, vertices, bit);
            estimate = estimate + cover.size - before;
        }
        counted &= !bit;
        Some(Change { ground, estimate, cover, counted, vertices })
    }

    /// The least that the estimate can be after a move.
    #[inline]
    fn least_after(&self, state: &State, m: Move) -> u32 {
        let falls = m.is_home() || self.counted >> m.card & 1 == 1 && self.falls(m);
        self.estimate + u32::from(self.blocks_itself(state, m)) - u32::from(falls)
    }

    /// Whether the estimate may fall when a counted card moves away: not if the rest of its run, which
    /// stays, must move as well, nor if it has gone into a cell on this way and nothing was changed then.
    #[inline]
    fn falls(&self, m: Move) -> bool {
        m.source().is_some()
            && self.ground.is_none_or(|ground| ground.blockers.over_forced >> m.card & 1 == 0)
    }

    /// Whether the card comes to lie over a lower one of its suit, and so must move again, where
    /// this is not counted yet for the run that it joins.
    #[inline]
    fn blocks_itself(&self, state: &State, m: Move) -> bool {
        let (Some(Ground { blockers, .. }), Some(column)) = (self.ground, m.target()) else {
            return false;
        };
        let top = state.tops[column];
        if top == NONE || blockers.by_runs && self.counted >> top & 1 == 1 {
            return false;
        }
        let top = usize::from(top);
        (blockers.waiting[top] | HIGHER[top]) >> m.card & 1 == 1
    }
}
