//! A lower bound on h2 after a move, before the successor is generated.

use super::Analysis;
use super::blockers::HIGHER;
use super::dead_end;
use super::hitting_set::Cover;
use crate::freecell::engine::{FreeCell, Move, NONE, State};

/// What a move can change of the estimate of a state. Without an analysis the estimate is h0.
pub(crate) struct Lookahead<'a> {
    analysis: Option<&'a Analysis>,
    /// The estimate of the state.
    pub(crate) estimate: u32,
    cover: Cover,
    /// Cards that may lower the estimate by one if they move away with what lies on them.
    counted: u64,
    /// The vertices of the pairs that are left.
    vertices: u64,
}

impl<'a> Lookahead<'a> {
    #[inline]
    pub(crate) fn of(game: &FreeCell, state: &State, analysis: Option<&'a Analysis>) -> Self {
        let Some(known) = analysis else {
            let estimate = state.cards_left(game.rules());
            let cover = Cover::default();
            return Lookahead { analysis, estimate, cover, counted: 0, vertices: 0 };
        };
        Lookahead {
            analysis,
            estimate: known.h2(game),
            cover: known.cover,
            counted: known.counted(),
            vertices: known.pairs.vertices,
        }
    }

    /// The analysis of the state after a move.
    #[inline]
    pub(crate) fn analysis_after(&self, game: &FreeCell, next: &State) -> Option<Analysis> {
        self.analysis.map(|parent| {
            let mut analysis = parent.clone();
            analysis.update_from(parent, game, next);
            analysis
        })
    }

    /// The lookahead after this card has gone from its column into a cell; `None` if the card was
    /// part of a run and a new analysis is needed.
    #[inline]
    pub(crate) fn after_cell_move(&self, game: &FreeCell, state: &State, card: u8) -> Option<Self> {
        let Lookahead { analysis, mut estimate, mut cover, mut counted, mut vertices } = *self;
        let Some(Analysis { blockers, pairs, .. }) = analysis else {
            return Some(Lookahead { ..*self });
        };
        if blockers.run_below(game, state, card).is_some() {
            let unchanged = (!counted | blockers.over_forced) >> card & 1 == 1;
            return unchanged.then_some(Lookahead { ..*self });
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
        Some(Lookahead { analysis, estimate, cover, counted, vertices })
    }

    /// A lower bound on the estimate after a move.
    #[inline]
    pub(crate) fn after(&self, state: &State, m: Move) -> u32 {
        let falls = m.is_home() || self.counted >> m.card & 1 == 1 && self.may_fall(m);
        self.estimate + u32::from(self.blocks_itself(state, m)) - u32::from(falls)
    }

    /// Whether the estimate may fall when a counted card moves away. It may not if the rest of its
    /// run stays and has to move as well, nor if the card comes from a cell, where it changes
    /// nothing.
    #[inline]
    fn may_fall(&self, m: Move) -> bool {
        m.source().is_some()
            && self.analysis.is_none_or(|known| known.blockers.over_forced >> m.card & 1 == 0)
    }

    /// Whether the card comes to lie over a lower one of its suit and so has to move again, where
    /// that is not yet counted for the run that it joins.
    #[inline]
    fn blocks_itself(&self, state: &State, m: Move) -> bool {
        let (Some(Analysis { blockers, .. }), Some(column)) = (self.analysis, m.target()) else {
            return false;
        };
        let top = state.tops[column];
        if top == NONE || blockers.by_runs && self.counted >> top & 1 == 1 {
            return false;
        }
        let top = usize::from(top);
        (blockers.blocks[top] | HIGHER[top]) >> m.card & 1 == 1
    }

    /// Whether no solution of the state takes at most `slack` moves more than the estimate, as far
    /// as dead-end detection can tell.
    ///
    /// The blockers may be those of an earlier state, from which cards have gone into cells since:
    /// of the cards still in columns they say the same.
    #[inline]
    pub(crate) fn is_dead_end(&self, game: &FreeCell, state: &State, slack: u32) -> bool {
        self.analysis.is_some_and(|known| {
            dead_end::is_dead_end(game, state, &known.blockers, self.counted, slack)
        })
    }
}
