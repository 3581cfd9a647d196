//! Beyond the paper: not only which cards must make way for one another, but where they can go.
//!
//! Look at the next card to go home of those for which others must make way, whichever it is. All
//! that lies over it has moved away by then, to a cell, to an empty column or onto another card,
//! and nothing else has gone home but what could as it lay. So for one of the four suits
//! - everything over its next card moves twice, whether it is in a cycle or not, and
//! - what finds no room in free cells and empty columns lies on other cards, or something else has
//!   made room for it. A card that lies on another over a lower card of its own suit must move
//!   once more; a card that leaves a cell for a column moves once more than it would have to; so
//!   does the last card of a column that is emptied.

use super::blockers::{Blockers, Pairs};
use super::engine::FreeCell;
use super::hitting_set;
use super::state::{BASE, CELL, NONE, State, bits};

/// The moves that are needed beyond one for each card that is not home: h2 and the contention for
/// room together.
#[inline]
pub(super) fn further_moves(
    game: &FreeCell,
    state: &State,
    blockers: &Blockers,
    pairs: &Pairs,
) -> u32 {
    let rules = game.rules();
    let least =
        blockers.forced_count + hitting_set::vertex_cover(&pairs.neighbours, pairs.vertices);
    let mut next = [0u8; 4];
    for (suit, &home) in state.home.iter().enumerate() {
        next[suit] = 4 * home + suit as u8;
    }
    // What can go home without anything making way for it comes first.
    let cards = rules.cards();
    let mut ready = 0u64;
    loop {
        let before = ready;
        for card in &mut next {
            while *card < cards && blockers.above[usize::from(*card)] & !ready == 0 {
                ready |= 1 << *card;
                *card += 4;
            }
        }
        if ready == before {
            break;
        }
    }
    let ways = next.iter().filter(|&&card| card < cards).map(|&card| {
        let over = blockers.above[usize::from(card)] & !ready;
        let way = Way { game, state, blockers, pairs, over, ready };
        let lacking = way.lacking_room();
        let free = over & !blockers.forced;
        if free == 0 {
            return least + lacking;
        }
        // All that lies over the card moves away; the other pairs are covered as before.
        let others = pairs.vertices & !blockers.whole_runs(free);
        let cover = hitting_set::vertex_cover(&pairs.neighbours, others);
        (blockers.forced_count + way.runs(free) + cover).max(least) + lacking
    });
    ways.min().unwrap_or(least)
}

/// One way to go on: the cards over the next card of a suit move away.
struct Way<'w> {
    game: &'w FreeCell,
    state: &'w State,
    blockers: &'w Blockers,
    pairs: &'w Pairs,
    over: u64,
    ready: u64,
}

impl Way<'_> {
    /// Whether this card begins a run of those that move away: the card beneath it is of another
    /// run, or stays.
    #[inline]
    fn begins_run(&self, card: usize) -> bool {
        let below = self.state.below[card];
        !self.blockers.by_runs
            || below >= BASE
            || self.over >> below & 1 == 0
            || self.game.onto[card] >> below & 1 == 0
    }

    /// How many runs, or cards where they move one by one, some cards that move away are.
    #[inline]
    fn runs(&self, cards: u64) -> u32 {
        if self.blockers.by_runs {
            bits(cards).filter(|&card| self.begins_run(card)).count() as u32
        } else {
            cards.count_ones()
        }
    }

    /// How many more moves it takes at least to make room.
    #[inline]
    fn lacking_room(&self) -> u32 {
        let (rules, state) = (self.game.rules(), self.state);
        let columns = &state.tops[..usize::from(rules.columns)];
        let mut room = columns.iter().filter(|&&top| top == NONE).count() as u32;
        if rules.refill {
            room += u32::from(rules.cells).saturating_sub(state.cells.count_ones());
        }
        // What goes home before leaves its cell, or its column if it is the last there.
        room += bits(self.ready).filter(|&c| matches!(state.below[c], CELL | BASE)).count() as u32;
        // A column whose lowest run moves anyway can be emptied on the way. (A lowest card alone
        // is over nothing and moves for no cycle.)
        room += (self.blockers.lowest_runs & self.pairs.vertices).count_ones();
        if self.over.count_ones() <= room {
            return 0;
        }
        let without = bits(self.over)
            .filter(|&card| self.begins_run(card) && !self.may_stay_on_another(card))
            .count() as u32;
        without.saturating_sub(room)
    }

    /// Whether there may be a card on which this one need not move again, or that moves away
    /// itself without further cost.
    #[inline]
    fn may_stay_on_another(&self, card: usize) -> bool {
        bits(self.game.onto[card]).any(|other| {
            let below = self.state.below[other];
            if below >= CELL {
                return below == CELL;
            }
            if self.over >> other & 1 == 1 {
                // It has moved away before this card does, if it lies over it.
                return self.blockers.above[card] >> other & 1 == 1;
            }
            let beneath = self.blockers.above[other] & self.over == self.over;
            let moves_anyway = (self.blockers.forced | self.pairs.moving) >> other & 1 == 1;
            !beneath && (moves_anyway || self.blockers.waiting[other] >> card & 1 == 0)
        })
    }
}
