//! The successor generator: macro moves, in which cards go into cells only where that is used.
//!
//! A card need not go into a cell before the card beneath it, or the column itself, is needed. So
//! let every such *cell move* be made as late as possible. Take a shortest solution in which all
//! cell moves are as late as possible, and consider the first other move after some of them. It
//! uses every column that these cell moves took cards from, as its source or its target. If it left
//! one of them alone, the card from there could go into its cell after that move: nothing that
//! moves in between stops it, and a cell that stays free for longer does no harm. So there are at
//! most two such columns, in either order, and the cell moves together with the move that uses them
//! are one *macro move*. The states in between are not stored.
//!
//! Safe moves home are made at once, and a macro move ends where there are any: in solutions that
//! make them as early as possible, the move that allows them comes first.

use super::commutativity::LastMacro;
use crate::freecell::Sequence;
use crate::freecell::engine::{BASE, FreeCell, Move, NONE, State, Targets};
use crate::freecell::heuristics::{AnalysisCache, Heuristic, Lookahead};

/// Generates the successors of a state.
pub(super) struct SuccessorGenerator<'d, F> {
    pub(super) game: &'d FreeCell,
    pub(super) heuristic: Heuristic,
    /// Whether safe moves home are made at once.
    pub(super) safe_moves: bool,
    /// Whether cell moves are made only as part of macro moves.
    pub(super) macro_moves: bool,
    /// The macro move that led to the state, if commutativity pruning is on.
    pub(super) last: Option<LastMacro>,
    /// Macro moves are pruned if their cost plus the estimate after them exceeds this.
    pub(super) limit: u32,
    /// The least of these sums that was pruned, or a lower bound on it.
    pub(super) pruned: Option<u32>,
    /// A stack of the moves to be tried, of all states along the macro move.
    pub(super) moves: &'d mut Vec<Move>,
    /// The cell moves of the macro move so far.
    pub(super) cell_moves: &'d mut Vec<Move>,
    /// Called for every successor with the moves that lead to it and their cost, which includes
    /// that of safe moves home after them.
    pub(super) each: F,
}

/// The columns that cell moves took cards from, in rising order; further cell moves take from the
/// last.
type Sources = [Option<u8>; 2];

impl<F: FnMut(&State, &[Move], u32)> SuccessorGenerator<'_, F> {
    /// All successors of a state.
    pub(super) fn generate(&mut self, state: &State, cache: &mut AnalysisCache) {
        self.cell_moves.clear();
        cache.expand(self.game, state, self.heuristic);
        if let Some(safe) = self.game.safe_home_move(state).filter(|_| self.safe_moves) {
            self.cell_moves.push(safe);
            let (next, cost) = self.make(state, safe);
            (self.each)(&next, self.cell_moves, cost);
            return;
        }
        let lookahead = Lookahead::of(self.game, state, cache.parent());
        self.extend(state, [None, None], &lookahead);
    }

    /// Makes a move and the safe moves home that follow: the state, and how many moves these were.
    #[inline]
    fn make(&self, state: &State, m: Move) -> (State, u32) {
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

    /// Tries all moves that end the macro move, and all cell moves that extend it.
    fn extend(&mut self, state: &State, sources: Sources, lookahead: &Lookahead<'_>) {
        let first = self.moves.len();
        let targets = self.game.targets(state);
        self.push_candidates(state, sources, &targets);
        for n in first..self.moves.len() {
            let m = self.moves[n];
            if uses(sources, state, m) && !self.is_redundant(state, sources, m) {
                self.try_move(state, m, None, lookahead);
            }
        }
        self.moves.truncate(first);
        if !self.macro_moves || targets.free_cells == 0 {
            return;
        }
        let is_last = targets.is_last_cell() && self.game.rules().sequence != Sequence::Unlimited;
        for column in 0..usize::from(self.game.rules().columns) {
            let top = state.tops[column];
            if top != NONE && !self.last.is_some_and(|last| last.moved(top)) {
                let m = self.game.to_cell(state, column);
                let extended = with_source(sources, column as u8)
                    .filter(|&sources| !is_last || self.has_use(state, &targets, top, sources));
                // If this uncovers a card that can safely go home, it is a macro move of its own.
                if extended.is_some() {
                    self.try_move(state, m, extended, lookahead);
                }
            }
        }
    }

    /// Whether a move can use these columns after a card from one of them took the last free space:
    /// only single cards move then.
    #[inline]
    fn has_use(&self, state: &State, targets: &Targets, top: u8, sources: Sources) -> bool {
        let below = state.below[usize::from(top)];
        if below >= BASE {
            return true;
        }
        let (onto, takes) =
            (self.game.onto[usize::from(below)], self.game.takes[usize::from(below)]);
        match sources {
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

    /// Whether another macro move, which is not pruned, leads to the same state as cheaply.
    #[inline]
    fn is_redundant(&self, state: &State, sources: Sources, m: Move) -> bool {
        // A card that has just gone into a cell could have gone there directly, or stayed.
        if self.cell_moves.last().is_some_and(|last| last.card == m.card) {
            return true;
        }
        let cells = self.cell_moves.len() as u32;
        self.last.is_some_and(|last| {
            last.moves_again(sources, m)
                || last.commutes_out_of_order(state, sources, cells, m)
                    && !(self.safe_moves && self.game.frees_safe_card(state, m))
        })
    }

    /// Makes a move if it is within the limit. A cell move that extends the macro move comes with
    /// the columns used so far.
    #[inline]
    fn try_move(
        &mut self,
        state: &State,
        m: Move,
        extended: Option<Sources>,
        lookahead: &Lookahead<'_>,
    ) {
        let spent = self.cell_moves.len() as u32;
        // A lower bound, before the state is made.
        let least = spent + 1 + lookahead.after(state, m);
        if least > self.limit {
            self.prune(least);
            return;
        }
        let (next, cost) = self.make(state, m);
        self.cell_moves.push(m);
        match extended {
            Some(sources) if cost == 1 => {
                self.extend_after(state, &next, m, sources, lookahead);
            }
            _ => (self.each)(&next, self.cell_moves, spent + cost),
        }
        self.cell_moves.pop();
    }

    /// Goes on after a cell move.
    #[inline]
    fn extend_after(
        &mut self,
        state: &State,
        next: &State,
        m: Move,
        sources: Sources,
        lookahead: &Lookahead<'_>,
    ) {
        let analysis;
        let lookahead = match lookahead.after_cell_move(self.game, state, m.card) {
            Some(lookahead) => lookahead,
            None => {
                analysis = lookahead.analysis_after(self.game, next);
                Lookahead::of(self.game, next, analysis.as_ref())
            }
        };
        if !self.is_dead_end(next, &lookahead) {
            self.extend(next, sources, &lookahead);
        }
    }

    /// Whether dead-end detection shows that the limit is exceeded after a cell move.
    #[inline]
    fn is_dead_end(&mut self, next: &State, lookahead: &Lookahead<'_>) -> bool {
        let least = self.cell_moves.len() as u32 + lookahead.estimate;
        let slack = self.limit.checked_sub(least).filter(|_| self.heuristic == Heuristic::Best);
        let dead = slack.is_some_and(|slack| lookahead.is_dead_end(self.game, next, slack));
        if dead {
            self.prune(self.limit + 1);
        }
        dead
    }

    /// Prunes a macro move whose cost plus estimate is at least this.
    #[inline]
    fn prune(&mut self, least: u32) {
        self.pruned = Some(self.pruned.map_or(least, |pruned| pruned.min(least)));
    }

    /// Pushes moves among which are all that can end the macro move. Cell moves are among them only
    /// if they are not left to macro moves.
    #[inline]
    fn push_candidates(&mut self, state: &State, sources: Sources, targets: &Targets) {
        let game = self.game;
        let filled = |n: u8| state.tops[usize::from(n)] != NONE;
        match sources {
            [Some(one), None] if filled(one) => {
                game.moves_at(state, usize::from(one), targets, self.moves);
            }
            [Some(one), Some(other)] if filled(one) && filled(other) => {
                let both = [one, other].map(usize::from);
                game.moves_between(state, both, targets, self.moves);
            }
            _ => {
                let cells = !self.macro_moves && targets.free_cells > 0;
                game.moves_to(state, targets, cells, self.moves);
            }
        }
    }
}

/// The sources after a cell move from a column; `None` if another macro move has it in its order.
#[inline]
fn with_source(sources: Sources, column: u8) -> Option<Sources> {
    match sources {
        [None, _] => Some([Some(column), None]),
        [Some(first), None] if first == column => Some(sources),
        [Some(first), None] if first < column => Some([Some(first), Some(column)]),
        [_, Some(second)] if second == column => Some(sources),
        _ => None,
    }
}

/// Whether a move that is not into a cell uses all columns that cell moves took cards from.
#[inline]
fn uses(sources: Sources, state: &State, m: Move) -> bool {
    let to_empty = m.target().is_some_and(|column| state.tops[column] == NONE);
    sources.iter().flatten().all(|&column| {
        let column = usize::from(column);
        m.source() == Some(column)
            || m.target() == Some(column)
            // All empty columns are alike, and a run passes through them.
            || (state.tops[column] == NONE && (to_empty || m.count > 1))
    })
}
