//! Beyond the paper: dead-end detection in states with little space.
//!
//! A *space* is an empty column or a cell that can take a card. A state with few spaces is often a
//! dead end, or takes more moves than h2 says, because hardly any card can move. This module proves
//! it by searching a relaxation of the state.
//!
//! # Lemma
//!
//! Let a state have so few spaces, and let σ (the *slack*) be so small, that spaces + 2σ ≤
//! [`MAX_SPACES`]. If no sequence of moves in the relaxation below brings all cards home or gains a
//! space [`GAINS`] times, then every solution of the state takes more than h2 + σ moves.
//!
//! So h2 + σ + 1 is a lower bound: σ + 1 moves beyond those that deadlocks force. It is admissible;
//! it need not be consistent. It holds for every build, fill and sequence rule and every metric.
//!
//! # The relaxation
//!
//! Call a move *free* if it goes home, or if it is the first move of a *counted* card: a card of a
//! forced blocker or of a pair, which h2 may count as moving twice. Any other move costs one unit
//! of slack.
//!
//! 1. A card that was ever uncovered can go home as soon as its turn comes, and can be built on to
//!    the end, even if another card lies on it or it is home by now. Only a card in a cell cannot
//!    be built on.
//! 2. A card that has moved is never in the way again, and does not move again except home, unless
//!    it occupies a space.
//! 3. Any card may fill an empty column.
//! 4. A space is *gained* when a column becomes empty or a card that occupies a space goes home. If
//!    that card may have had a cell or a column, both become free.
//!
//! # Proof sketch
//!
//! *Slack.* Take a solution with at most h2 + σ moves. One move home for each card left accounts
//! for one term of h2; so at most k + σ moves do not go home, where k is the number of blockers
//! that h2 counts. The blockers that move before they go home hit every cycle (see
//! [`blockers`](super::blockers)), so at least k of these moves are first moves of counted cards.
//! At most σ moves are neither: they cost slack. Where a run counts as one blocker, taking away its
//! upper part is not the counted move if the part that stays is forced by itself: that move costs
//! slack too.
//!
//! *Dominance.* Let the relaxation follow the solution move by move, so that at any time it has at
//! least as many cards home in each suit, as many cards removed from each column, as many free
//! cells and empty columns, and as much slack; and it can build on every top card that the solution
//! has. Each move of the solution keeps this up:
//!
//! - *Home.* The card was uncovered, so by 1 it can go home in the relaxation, or has done so.
//! - *A free move onto a card.* By 1 and 2 nothing is lost if the card moves earlier, or onto
//!   another card. So the relaxation makes all free moves at once, in any order, without branching.
//!   The target cannot be a card over which it lay at the start: that would be its second move. And
//!   it must be able to stay there: no lower card of its suit lies beneath, or the target has
//!   itself moved, or a run carries the card on as part of another move. If it cannot stay, its
//!   second move costs slack, which the relaxation pays in advance.
//! - *A move into a space.* The relaxation branches over all cards that can make it.
//! - *A move that costs slack.* For a card that has not moved, the relaxation branches over all
//!   that can be built somewhere; for a card that occupies a space, over leaving it for a card or
//!   for an empty column. Any other card has moved before. Beneath it is a card that can be built
//!   on anyway, so by 2 the relaxation does nothing, and keeps its slack.
//!
//! So the relaxation follows the solution until it has gained enough spaces or, at the latest,
//! until all cards are home. If it can do neither, there is no such solution. ∎
//!
//! *The limits.* One move of a card that occupies a space is left out above: from a column into a
//! free cell. It costs slack, and it takes a column that was filled and a cell that is free. With
//! slack there is no space at the start, since spaces + 2σ ≤ 2, and σ is 1. So column and cell are
//! two gains, at which the search ends, unless freeing or filling one of them took the only unit of
//! slack. Either way the move never occurs; and for the same reason it never matters which of two
//! cards has the column. With larger limits both would matter, and the lemma would be wrong.

use super::blockers::Blockers;
use super::relaxation::{Relaxation, Relaxed};
use crate::freecell::engine::{FreeCell, State, bits};

/// The most spaces that a state may have, where a unit of slack counts for two. See *the limits*.
const MAX_SPACES: u32 = 2;
/// How many times a space must be gained in a state that is no dead end. See *the limits*.
const GAINS: u32 = 2;

/// Whether no solution takes at most `slack` moves more than h2, as far as the lemma tells; `false`
/// if there are more spaces than it allows. `counted` are the cards of forced blockers and of
/// pairs.
#[inline]
pub(super) fn is_dead_end(
    game: &FreeCell,
    state: &State,
    blockers: &Blockers,
    counted: u64,
    slack: u32,
) -> bool {
    let Some(spaces) = MAX_SPACES.checked_sub(slack.saturating_mul(2)) else { return false };
    let rules = game.rules();
    let free_cells = match rules.refill {
        true => u32::from(rules.cells).saturating_sub(state.cells.count_ones()),
        false => 0,
    };
    if free_cells > spaces {
        return false;
    }
    let start = Relaxed::of(game, state, free_cells, GAINS);
    let relaxation = Relaxation::new(game, state, blockers, counted);
    start.spaces() <= spaces && start.next != 0 && !relaxation.succeeds(start, slack)
}

/// The search: free moves are made at once, the others are tried one by one.
impl Relaxation<'_> {
    /// Whether spaces can be gained as often as they must, or all cards go home.
    fn succeeds(&self, mut relaxed: Relaxed, slack: u32) -> bool {
        relaxed.carriers = match self.blockers.by_runs {
            true if slack > 0 => u64::MAX,
            true => self.counted,
            false => 0,
        };
        if self.make_free_moves(&mut relaxed) {
            return self.succeeds_after_gain(relaxed, slack);
        }
        relaxed.next == 0
            || relaxed.spaces() > 0 && self.succeeds_by_filling(&relaxed, slack)
            || slack > 0
                && (self.succeeds_by_building(&relaxed, slack - 1)
                    || self.succeeds_by_vacating(&relaxed, slack - 1))
    }

    /// The same after a space was gained.
    fn succeeds_after_gain(&self, mut relaxed: Relaxed, slack: u32) -> bool {
        relaxed.gains -= 1;
        relaxed.gains == 0 || self.succeeds(relaxed, slack)
    }

    /// The same if a card, or a run, goes into a space.
    #[inline]
    fn succeeds_by_filling(&self, relaxed: &Relaxed, slack: u32) -> bool {
        let tops = if slack > 0 { relaxed.tops } else { relaxed.tops & self.counted };
        // With the last space filled only single cards move.
        let full = Relaxed { free_cells: 0, empty_columns: 0, ..*relaxed };
        let is_last = relaxed.spaces() == 1 && slack == 0 && self.limits(&full).0 == 1;
        bits(tops).any(|top| {
            if is_last && !self.enables(relaxed, top) {
                return false;
            }
            // Any part of the run may go: both what stays and what goes with it can be in the way.
            let limit = self.limits(relaxed).1;
            relaxed.free_cells > 0 && self.succeeds_with_filled(relaxed, [1, 0], top, top, slack)
                || relaxed.empty_columns > 0
                    && self
                        .run_from(top, limit)
                        .any(|last| self.succeeds_with_filled(relaxed, [0, 1], top, last, slack))
        })
    }

    /// The same after the cards from `top` down to `last` have taken a cell or a column.
    #[inline]
    fn succeeds_with_filled(
        &self,
        relaxed: &Relaxed,
        [cells, columns]: [u32; 2],
        top: usize,
        last: usize,
        slack: u32,
    ) -> bool {
        let is_free = self.counted_alone >> last & 1 == 1;
        if !is_free && slack == 0 {
            return false;
        }
        let mut next = *relaxed;
        next.free_cells -= cells;
        next.empty_columns -= columns;
        next.in_column |= u64::from(columns) << last;
        next.occupying |= 1 << last;
        // Nothing can be built on a card in a cell.
        next.targets &= !(u64::from(cells) << last);
        let slack = slack - u32::from(!is_free);
        match self.remove(&mut next, top, last) {
            true => self.succeeds_after_gain(next, slack),
            false => self.succeeds(next, slack),
        }
    }

    /// The same if a card, or a run, is built somewhere at the cost of slack: because it is not
    /// counted, or cannot stay there.
    #[inline]
    fn succeeds_by_building(&self, relaxed: &Relaxed, slack: u32) -> bool {
        let limit = self.limits(relaxed).0;
        bits(relaxed.tops & if limit == 1 { relaxed.buildable } else { u64::MAX }).any(|top| {
            let has_target = |card: &usize| {
                bits(self.game.onto[*card] & relaxed.targets)
                    .any(|target| self.blockers.above[target] >> *card & 1 == 0)
            };
            let Some(last) = self.run_from(top, limit).filter(has_target).last() else {
                return false;
            };
            let mut next = *relaxed;
            self.remove(&mut next, top, last);
            self.succeeds(next, slack)
        })
    }

    /// The same if a card leaves its space, for another card or for an empty column.
    #[inline]
    fn succeeds_by_vacating(&self, relaxed: &Relaxed, slack: u32) -> bool {
        let cell = u32::from(self.game.rules().refill);
        let without = |cards: u64| {
            let mut next = *relaxed;
            next.targets |= cards;
            next.buildable |= bits(cards).fold(0, |set, card| set | self.game.takes[card]);
            next.pending = next.tops;
            next
        };
        // A card built over a lower one of its suit has to move again.
        let leaving = bits(relaxed.occupying & relaxed.buildable)
            .filter(|&card| {
                let mut targets = bits(self.game.onto[card] & relaxed.targets);
                slack > 0 || targets.any(|target| self.may_stay(card, target, relaxed))
            })
            .fold(0u64, |set, card| set | 1 << card);
        leaving != 0 && {
            let mut next = without(leaving);
            // If there is a choice, each of them may have stayed.
            if leaving & (leaving - 1) == 0 {
                next.occupying &= !leaving;
            }
            let (free_cells, empty_columns) = (next.free_cells + cell, next.empty_columns + 1);
            self.succeeds(Relaxed { free_cells, ..next }, slack)
                || leaving & relaxed.in_column != 0
                    && self.succeeds(Relaxed { empty_columns, ..next }, slack)
        } || relaxed.empty_columns > 0 && relaxed.occupying != 0 && {
            let mut next = without(relaxed.occupying);
            next.in_column |= relaxed.occupying;
            next.free_cells += cell;
            next.empty_columns -= 1;
            self.succeeds(next, slack)
        }
    }
}
