//! How far a state looks from a solution, for searches that look for any: cheap, not admissible.

use super::blockers::HIGHER;
use super::engine::FreeCell;
use super::state::{BASE, NONE, State};

/// How much each thing counts that is in the way of a solution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// Cards that are not home.
    pub(super) left: u32,
    /// Cards over a lower one of their suit.
    pub(super) forced: u32,
    /// Cells that are taken.
    pub(super) cells: u32,
    /// Neither a free cell nor an empty column.
    pub(super) full: u32,
    /// Columns that are not empty.
    pub(super) columns: u32,
    /// Cards over the next card of each suit.
    pub(super) over_next: u32,
    /// Cards on one that does not take them.
    pub(super) breaks: u32,
    /// Quarters of moves made.
    pub(super) depth: u32,
}

/// For quick attempts. The first was tuned by hill climbing on deals 1 to 600 for few states
/// generated and few deals left over, the second on what the first left over of 2000.
pub(super) const QUICK: [Weights; 2] =
    [weights([16, 0, 12, 3, 7, 4, 5, 8]), weights([14, 4, 7, 6, 14, 3, 8, 13])];

/// For longer ones, tuned on the 70 hardest of 3000 deals.
pub(super) const LONG: [Weights; 3] = [
    weights([15, 1, 2, 6, 13, 6, 7, 20]),
    weights([16, 0, 13, 3, 10, 4, 5, 12]),
    weights([11, 1, 2, 6, 13, 6, 11, 18]),
];

const fn weights(w: [u32; 8]) -> Weights {
    let [left, forced, cells, full, columns, over_next, breaks, depth] = w;
    Weights { left, forced, cells, full, columns, over_next, breaks, depth }
}

impl Weights {
    /// The score of a state that so many moves led to; the lower the better.
    #[inline]
    pub(super) fn score(&self, game: &FreeCell, state: &State, moves: u32) -> u32 {
        let rules = game.rules();
        let mut next = 0u64;
        for (suit, &home) in state.home.iter().enumerate() {
            next |= 1 << (4 * usize::from(home) + suit);
        }
        let (mut forced, mut over_next, mut breaks, mut filled) = (0u64, 0, 0, 0);
        for &top in &state.tops[..usize::from(rules.columns)] {
            if top == NONE {
                continue;
            }
            filled += 1;
            let (mut card, mut over, mut height) = (top, 1u64 << top, 0);
            loop {
                let below = state.below[usize::from(card)];
                if below >= BASE {
                    break;
                }
                height += 1;
                forced |= over & HIGHER[usize::from(below)];
                breaks += u32::from(game.onto[usize::from(card)] >> below & 1 == 0);
                over_next += height * (next >> below & 1) as u32;
                over |= 1 << below;
                card = below;
            }
        }
        let taken = state.cells.count_ones();
        let full = taken >= u32::from(rules.cells) && filled == u32::from(rules.columns);
        self.left * state.cards_left(rules)
            + self.forced * forced.count_ones()
            + self.cells * taken
            + self.full * u32::from(full)
            + self.columns * filled
            + self.over_next * over_next
            + self.breaks * breaks
            + self.depth * moves / 4
    }
}
