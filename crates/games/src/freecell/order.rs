//! Of ways that come to the same in either order only one order is looked at.
//!
//! Let two ways on (see [`digging`](super::digging)) follow one another that have no column in common
//! and find room in either order. Then both orders lead to the same state at the same cost, and one
//! is enough: the one in which the second *ranks* higher. For look at a state that lies on a shortest
//! solution, and of all the ways that lead to it from states as near to the start as can be at the
//! one that ranks highest. It is not left out: if a way of higher rank had led to where it begins, the
//! other order would lead to the state by that way.
//!
//! Ways rank by their heads, and those of which the head was in a cell before they began rank below the
//! others: so cards leave cells as early as they can, which is when it is most often seen that it does
//! not help. A way has the same rank in either order. (A card that goes through a cell within its way
//! was not there before; such a way is never left out, since the card is not among those `in_cells`.)
//!
//! And what has just moved from column to column does not move again: it could have gone on at once.

use super::engine::{FreeCell, Move};
use super::state::{BASE, NONE, State, bits, changed};

/// The way that led to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    /// The highest card that moved, but for those that are in cells now. Two ways without a column
    /// in common have different ones.
    head: u8,
    /// Whether no card went home, so that the head lies in a column now; and whether nothing lies
    /// on it.
    simple: bool,
    is_top: bool,
    /// Whether the head was in a cell before.
    from_cell: bool,
    /// Whether a column is empty now that was not.
    emptied: bool,
    /// The columns that are as they were, one bit for each.
    untouched: u32,
    /// Cells that were needed, and cells and columns that were free before.
    dug: u32,
    cells_before: u32,
    columns_before: u32,
    /// Cards that are in cells and were before.
    in_cells: u64,
    /// Whether there was no less room for runs before.
    was_room: bool,
}

impl Last {
    /// What led from one state to the next; `None` if nothing else could, since cards safely went
    /// home.
    pub(super) fn between(game: &FreeCell, before: &State, after: &State) -> Option<Last> {
        let simple = before.home == after.home;
        if !simple && game.safe_home_move(before).is_some() {
            return None;
        }
        let rules = game.rules();
        let columns = usize::from(rules.columns);
        let tops = |state: &State| {
            let filled = state.tops[..columns].iter().filter(|&&top| top != NONE);
            filled.fold(0u64, |tops, &top| tops | 1 << top)
        };
        let (tops_before, tops_after) = (tops(before), tops(after));
        let changed = changed(&before.below, &after.below);
        let dug = after.cells & !before.cells;
        let head = bits(changed & !dug).last()? as u8;
        // Where no card lies elsewhere that is not home, one may have lain on another meanwhile.
        let laid = bits(changed & !dug).find(|&card| after.below[card] <= BASE);
        let lain_on = match laid {
            Some(_) => 0,
            None => bits(changed & !dug).fold(0, |set, card| set | game.onto[card]),
        };
        let is_run = laid.is_some_and(|card| tops_after >> card & 1 == 0);
        // What was uncovered was not the highest card before; what was laid down moved, and a run
        // lies on the column that it was laid on.
        let same_tops = tops_before & !lain_on & !changed;
        let mut untouched = 0;
        for (n, &top) in after.tops[..columns].iter().enumerate() {
            let same = top != NONE
                && same_tops >> top & 1 == 1
                && !(is_run && after.column(top).any(|card| changed >> card & 1 == 1));
            untouched |= u32::from(same) << n;
        }
        // A card that is laid on what was beneath the next has been in a cell itself.
        let beneath = before.below[usize::from(head)];
        let through_cell = beneath < BASE && dug >> beneath & 1 == 1;
        let free_cells = |state: &State| u32::from(rules.cells) - state.cells.count_ones();
        let free_columns = |tops: u64| u32::from(rules.columns) - tops.count_ones();
        let (cells_before, cells_after) = (free_cells(before), free_cells(after));
        let (columns_before, columns_after) = (free_columns(tops_before), free_columns(tops_after));
        Some(Last {
            head,
            simple,
            is_top: tops_after >> head & 1 == 1,
            from_cell: before.cells >> head & 1 == 1,
            emptied: columns_after > columns_before,
            untouched,
            dug: dug.count_ones() + u32::from(through_cell),
            cells_before,
            columns_before,
            in_cells: before.cells & after.cells,
            was_room: cells_before >= cells_after && columns_before >= columns_after,
        })
    }

    /// Whether the card that would go into a cell has just moved.
    #[inline]
    pub(super) fn moved(&self, card: u8) -> bool {
        self.simple && self.is_top && card == self.head
    }

    /// Whether what moves has just moved: all that lies on the head moved with it. After digs it may
    /// have had to, if they are where it came from.
    #[inline]
    pub(super) fn moves_again(&self, dug: [Option<u8>; 2], m: Move) -> bool {
        let mut dug = dug.iter().flatten();
        self.simple
            && m.card == self.head
            && (m.count == 1 || !self.emptied)
            && dug.all(|&column| !self.from_cell && self.untouched >> column & 1 == 1)
    }

    /// Whether a way could have come before the last one, and should have: after `digs` cards went
    /// into cells from columns that are `dug`, and `state` was reached, cards move to a column.
    #[inline]
    pub(super) fn comes_too_late(
        &self,
        state: &State,
        dug: [Option<u8>; 2],
        digs: u32,
        m: Move,
    ) -> bool {
        if (m.source().is_some(), m.card) >= (!self.from_cell, self.head) {
            return false;
        }
        let alone = |column: usize| self.untouched >> column & 1 == 1 && state.tops[column] != NONE;
        let from = match m.source() {
            Some(column) => alone(column),
            None => self.in_cells >> m.card & 1 == 1,
        };
        // The last way needs one column, and more only for a run.
        let empty = self.simple && self.is_top && self.columns_before > 1;
        let onto = |column| alone(column) || state.tops[column] == NONE && empty;
        let free = self.simple && self.is_top && digs + self.dug <= self.cells_before;
        from && m.target().is_some_and(onto)
            && dug.iter().flatten().all(|&column| alone(usize::from(column)))
            && (m.count == 1 || self.was_room)
            && (digs == 0 || free)
    }
}
