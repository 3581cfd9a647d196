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
use super::engine::{FreeCell, Move};
use super::heuristic::Heuristic;
use super::hitting_set;
use super::state::{BASE, NONE, State};

/// Makes ways on from a state.
pub(super) struct Digging<'d, F> {
    pub(super) game: &'d FreeCell,
    pub(super) heuristic: Heuristic,
    /// Whether cards go home by themselves.
    pub(super) safe_moves: bool,
    /// Whether cards go into cells only where it is used.
    pub(super) late: bool,
    /// What a way and the estimate after it may come to.
    pub(super) room: u32,
    /// The least that one comes to that is beyond the room.
    pub(super) later: Option<u32>,
    /// The moves so far that were into cells.
    pub(super) way: Vec<Move>,
    /// Hears of every way on: the state, the moves made for it and the cost, which counts cards
    /// that went home by themselves too.
    pub(super) each: F,
}

/// The columns from which cards went into cells, in rising order; the last is dug on.
type Dug = [Option<u8>; 2];

impl<F: FnMut(&State, &[Move], u32)> Digging<'_, F> {
    /// All ways on from a state.
    pub(super) fn from(&mut self, state: &State) {
        self.way.clear();
        if let Some(safe) = self.game.safe_home_move(state).filter(|_| self.safe_moves) {
            self.way.push(safe);
            let (next, cost) = self.go(state, safe);
            (self.each)(&next, &self.way, cost);
            return;
        }
        let basis = Basis::of(self.game, state, self.heuristic);
        let change = basis.change(self.game, state);
        self.dig(state, [None, None], &change);
    }

    /// A move, and what follows from it at once: the state, and how many moves it were.
    #[inline]
    fn go(&self, state: &State, m: Move) -> (State, u32) {
        let mut next = *state;
        self.game.make(&mut next, m);
        let mut cost = 1;
        if self.safe_moves {
            while let Some(safe) = self.game.safe_home_move(&next) {
                self.game.make(&mut next, safe);
                cost += 1;
            }
        }
        (next, cost)
    }

    fn dig(&mut self, state: &State, dug: Dug, change: &Change<'_>) {
        let spent = self.way.len() as u32;
        let mut moves = Vec::with_capacity(64);
        self.game.moves(state, &mut moves);
        for m in moves {
            let digs = m.is_to_cell() && self.late;
            if !digs && !uses(dug, state, m) {
                continue;
            }
            let deeper = digs.then(|| deeper(dug, m));
            // What it comes to at least, before the state is made.
            let least = spent + 1 + change.least_after(state, m);
            if least > self.room {
                if deeper != Some(None) {
                    self.later = Some(self.later.map_or(least, |later| later.min(least)));
                }
                continue;
            }
            let (next, cost) = self.go(state, m);
            self.way.push(m);
            match deeper {
                Some(deeper) if cost == 1 => {
                    if let Some(dug) = deeper {
                        self.dig_on(state, &next, m, dug, change);
                    }
                }
                _ => (self.each)(&next, &self.way, spent + cost),
            }
            self.way.pop();
        }
    }
}

impl<F: FnMut(&State, &[Move], u32)> Digging<'_, F> {
    /// Goes on after a card went into a cell.
    #[inline]
    fn dig_on(&mut self, state: &State, next: &State, m: Move, dug: Dug, change: &Change<'_>) {
        match change.without(self.game, state, m.card) {
            Some(change) => self.dig(next, dug, &change),
            None => {
                let basis = Basis::of(self.game, next, self.heuristic);
                let change = basis.change(self.game, next);
                self.dig(next, dug, &change);
            }
        }
    }
}

/// The columns that are dug if a card goes from one into a cell; `None` if it should not.
#[inline]
fn deeper(dug: Dug, m: Move) -> Option<Dug> {
    let column = m.from_column()? as u8;
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
    let to_empty = m.to_column().is_some_and(|column| state.tops[column] == NONE);
    dug.iter().flatten().all(|&column| {
        let column = usize::from(column);
        m.from_column() == Some(column)
            || m.to_column() == Some(column)
            // All empty columns are one, and room for a run on its way.
            || (state.tops[column] == NONE && (to_empty || m.count > 1))
    })
}

/// Who keeps whom waiting, if the heuristic knows: h2 does, and what builds on it.
struct Basis(Option<(Blockers, Pairs)>);

impl Basis {
    #[inline]
    fn of(game: &FreeCell, state: &State, heuristic: Heuristic) -> Basis {
        let two = match heuristic {
            Heuristic::Best => true,
            Heuristic::Deadlock(deadlock) => deadlock.suits() == 2,
        };
        Basis(two.then(|| {
            let blockers = Blockers::of(game, state);
            let pairs = blockers.pairs();
            (blockers, pairs)
        }))
    }

    #[inline]
    fn change(&self, game: &FreeCell, state: &State) -> Change<'_> {
        let left = state.cards_left(game.rules());
        let Some((blockers, pairs)) = &self.0 else {
            return Change { basis: self, estimate: left, cover: 0, counted: 0, vertices: 0 };
        };
        let cover = hitting_set::vertex_cover(&pairs.neighbours, pairs.vertices);
        Change {
            basis: self,
            estimate: left + blockers.forced_count + cover,
            cover,
            counted: blockers.forced | pairs.moving,
            vertices: pairs.vertices,
        }
    }
}

/// What moves can change of the estimate.
struct Change<'b> {
    basis: &'b Basis,
    estimate: u32,
    cover: u32,
    /// Cards that take one off the estimate if they move away with what lies on them.
    counted: u64,
    /// The vertices of the pairs that are left.
    vertices: u64,
}

impl Change<'_> {
    /// The same after this card has gone from its column into a cell; `None` if it was part of a
    /// run, of which less is known then.
    #[inline]
    fn without(&self, game: &FreeCell, state: &State, card: u8) -> Option<Self> {
        let Change { basis, mut estimate, mut cover, mut counted, mut vertices } = *self;
        let Some((blockers, pairs)) = &basis.0 else { return Some(Change { ..*self }) };
        let below = state.below[usize::from(card)];
        if blockers.by_runs && below < BASE && game.onto[usize::from(card)] >> below & 1 == 1 {
            return None;
        }
        let bit = 1u64 << card;
        if blockers.forced & bit != 0 {
            estimate -= 1;
        } else if vertices & bit != 0 {
            vertices &= !bit;
            let before = cover;
            cover = hitting_set::vertex_cover(&pairs.neighbours, vertices);
            estimate = estimate + cover - before;
        }
        counted &= !bit;
        Some(Change { basis, estimate, cover, counted, vertices })
    }

    /// The least that the estimate can be after a move.
    #[inline]
    fn least_after(&self, state: &State, m: Move) -> u32 {
        let falls = m.is_home() || self.counted >> m.card & 1 == 1;
        self.estimate + u32::from(self.blocks_itself(state, m)) - u32::from(falls)
    }

    /// Whether the card comes to lie over a lower one of its suit, and so must move again, where
    /// this is not counted yet for the run that it joins.
    #[inline]
    fn blocks_itself(&self, state: &State, m: Move) -> bool {
        let (Some((blockers, _)), Some(column)) = (&self.basis.0, m.to_column()) else {
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
