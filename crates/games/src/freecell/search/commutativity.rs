//! Commutativity pruning: of macro moves that commute, only one order is searched.
//!
//! Let two macro moves (see [`successors`](super::successors)) follow one another that share no
//! column and have enough space in either order. Then both orders lead to the same state at the
//! same cost, and one is enough: the one in which the second macro move *ranks* higher. No state is
//! lost: of the macro moves by which a state can be reached at the least cost, the one of highest
//! rank is not pruned. If one of higher rank had led to where it begins and commuted with it, the
//! other order would reach the state at the same cost by that one.
//!
//! A macro move ranks by its *head*, the highest card that moves and does not end in a cell. If the
//! head was in a cell before, the macro move ranks below those whose head was not: so cards leave
//! cells as early as they can, and it is soon seen where that does not help. The rank is the same
//! in either order. (A card that goes through a cell within its macro move was not in a cell
//! before; such a macro move is never pruned, since the card is not among those `in_cells`.)
//!
//! A card that has just moved from column to column does not move again: it could have gone there
//! directly.

use crate::freecell::engine::{BASE, FreeCell, Move, NONE, State, bits, changed};

/// The macro move that led to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastMacro {
    /// The highest card that moved and is not in a cell now. Macro moves without a column in common
    /// have different heads.
    head: u8,
    /// Whether no card went home, so that the head lies in a column now.
    simple: bool,
    /// Whether nothing lies on the head.
    is_top: bool,
    /// Whether the head was in a cell before.
    from_cell: bool,
    /// Whether a column became empty.
    emptied: bool,
    /// The columns that did not change, one bit for each.
    untouched: u32,
    /// How many cells it needed, and how many cells and columns were free before it.
    cells_used: u32,
    cells_before: u32,
    columns_before: u32,
    /// Cards that stayed in cells.
    in_cells: u64,
    /// Whether there was as much space for runs before.
    had_space: bool,
}

impl LastMacro {
    /// The macro move from one state to the next; `None` if that was a safe move home, which has no
    /// alternative.
    pub(super) fn between(game: &FreeCell, before: &State, after: &State) -> Option<LastMacro> {
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
        let to_cells = after.cells & !before.cells;
        let moved = changed & !to_cells;
        let head = bits(moved).last()? as u8;
        // If all cards that moved are home, one may have lain on another column in between.
        let placed = bits(moved).find(|&card| after.below[card] <= BASE);
        let passed = match placed {
            Some(_) => 0,
            None => bits(moved).fold(0, |set, card| set | game.onto[card]),
        };
        let is_run = placed.is_some_and(|card| tops_after >> card & 1 == 0);
        // A card that was uncovered was no top card before, and one that was placed has moved. A
        // run changes the column that it lies on, though its top card may be the same.
        let same_tops = tops_before & !passed & !changed;
        let mut untouched = 0;
        for (n, &top) in after.tops[..columns].iter().enumerate() {
            let same = top != NONE
                && same_tops >> top & 1 == 1
                && !(is_run && after.column(top).any(|card| changed >> card & 1 == 1));
            untouched |= u32::from(same) << n;
        }
        // If the card beneath the head went into a cell, the head had been in one before it.
        let beneath = before.below[usize::from(head)];
        let through_cell = beneath < BASE && to_cells >> beneath & 1 == 1;
        let free_cells = |state: &State| u32::from(rules.cells) - state.cells.count_ones();
        let free_columns = |tops: u64| u32::from(rules.columns) - tops.count_ones();
        let (cells_before, cells_after) = (free_cells(before), free_cells(after));
        let (columns_before, columns_after) = (free_columns(tops_before), free_columns(tops_after));
        Some(LastMacro {
            head,
            simple,
            is_top: tops_after >> head & 1 == 1,
            from_cell: before.cells >> head & 1 == 1,
            emptied: columns_after > columns_before,
            untouched,
            cells_used: to_cells.count_ones() + u32::from(through_cell),
            cells_before,
            columns_before,
            in_cells: before.cells & after.cells,
            had_space: cells_before >= cells_after && columns_before >= columns_after,
        })
    }

    /// Whether a card that would go into a cell has just moved.
    #[inline]
    pub(super) fn moved(&self, card: u8) -> bool {
        self.simple && self.is_top && card == self.head
    }

    /// Whether a move takes the cards that have just moved: the head and all that lies on it. After
    /// cell moves from the columns that changed, it may not have been possible before.
    #[inline]
    pub(super) fn moves_again(&self, sources: [Option<u8>; 2], m: Move) -> bool {
        let mut sources = sources.iter().flatten();
        self.simple
            && m.card == self.head
            && (m.count == 1 || !self.emptied)
            && sources.all(|&column| !self.from_cell && self.untouched >> column & 1 == 1)
    }

    /// Whether a macro move commutes with the last one and ranks lower, so that it should have come
    /// first: `cells` cell moves from the columns `sources` led to `state`, and `m` ends it.
    #[inline]
    pub(super) fn commutes_out_of_order(
        &self,
        state: &State,
        sources: [Option<u8>; 2],
        cells: u32,
        m: Move,
    ) -> bool {
        if (m.source().is_some(), m.card) >= (!self.from_cell, self.head) {
            return false;
        }
        let unshared =
            |column: usize| self.untouched >> column & 1 == 1 && state.tops[column] != NONE;
        let from = match m.source() {
            Some(column) => unshared(column),
            None => self.in_cells >> m.card & 1 == 1,
        };
        // The last macro move needs one empty column, and more only for a run.
        let empty = self.simple && self.is_top && self.columns_before > 1;
        let onto = |column| unshared(column) || state.tops[column] == NONE && empty;
        let fits = self.simple && self.is_top && cells + self.cells_used <= self.cells_before;
        from && m.target().is_some_and(onto)
            && sources.iter().flatten().all(|&column| unshared(usize::from(column)))
            && (m.count == 1 || self.had_space)
            && (cells == 0 || fits)
    }
}
