//! Move generation.

use super::{BASE, CELLS, FreeCell, HOMES, Move, NONE, State, bits};
use crate::freecell::Card;

/// The targets that a state offers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets {
    /// The top cards of the columns, and the column of each.
    pub(crate) tops: u64,
    column_of: [u8; 52],
    /// How many columns are empty, and the first of them.
    empty_columns: u32,
    empty: u8,
    pub(crate) free_cells: u32,
    /// How many cards can move at once: onto a card, and into an empty column.
    limits: (u32, u32),
}

impl Targets {
    /// Whether the only free space is one cell.
    #[inline]
    pub(crate) fn is_last_cell(&self) -> bool {
        self.free_cells == 1 && self.empty_columns == 0
    }
}

impl FreeCell {
    /// Appends the moves of a state. Of several empty columns or cells only the first is a target,
    /// and a run that fills its column does not go to an empty one: such moves only permute columns
    /// or cells.
    #[inline]
    pub fn moves(&self, state: &State, out: &mut Vec<Move>) {
        let targets = self.targets(state);
        self.moves_to(state, &targets, targets.free_cells > 0, out);
    }

    /// Appends the moves to these targets, with or without those into cells.
    #[inline]
    pub(crate) fn moves_to(
        &self,
        state: &State,
        targets: &Targets,
        cells: bool,
        out: &mut Vec<Move>,
    ) {
        for from in 0..usize::from(self.rules.columns) {
            let top = state.tops[from];
            if top == NONE {
                continue;
            }
            if state.goes_home(top) {
                out.push(Move { card: top, count: 1, from: from as u8, to: HOMES });
            }
            if cells {
                out.push(Move { card: top, count: 1, from: from as u8, to: CELLS });
            }
            self.moves_from(state, from, targets, u64::MAX, out);
        }
        for card in bits(state.cells) {
            let one = |to| Move { card: card as u8, count: 1, from: CELLS, to };
            if state.goes_home(card as u8) {
                out.push(one(HOMES));
            }
            out.extend(bits(self.onto[card] & targets.tops).map(|t| one(targets.column_of[t])));
            if targets.empty_columns > 0 && self.rules.fills(Card::from_index(card as u8)) {
                out.push(one(targets.empty));
            }
        }
    }

    /// The targets of a state.
    #[inline]
    pub(crate) fn targets(&self, state: &State) -> Targets {
        let mut targets = Targets {
            tops: 0,
            column_of: [0; 52],
            empty_columns: 0,
            empty: 0,
            free_cells: 0,
            limits: (1, 1),
        };
        let columns = usize::from(self.rules.columns);
        for (n, &top) in state.tops[..columns].iter().enumerate().rev() {
            if top == NONE {
                targets.empty_columns += 1;
                targets.empty = n as u8;
            } else {
                targets.tops |= 1 << top;
                targets.column_of[usize::from(top)] = n as u8;
            }
        }
        if self.rules.refill {
            targets.free_cells = u32::from(self.rules.cells) - state.cells.count_ones();
        }
        targets.limits = self.limits(targets.free_cells, targets.empty_columns);
        targets
    }

    /// Appends the moves from a column onto the cards `onto`; if these are all cards, also the
    /// moves into an empty column.
    #[inline]
    fn moves_from(
        &self,
        state: &State,
        from: usize,
        targets: &Targets,
        onto: u64,
        out: &mut Vec<Move>,
    ) {
        let (limit_onto, limit_empty) = targets.limits;
        let limit = limit_onto.max(limit_empty);
        let tops = targets.tops & onto;
        let (mut card, mut count) = (state.tops[from], 1);
        let from = from as u8;
        loop {
            let below = state.below[usize::from(card)];
            if count <= limit_onto {
                for t in bits(self.onto[usize::from(card)] & tops) {
                    let to = targets.column_of[t];
                    out.push(Move { card, count: count as u8, from, to });
                }
            }
            if onto == u64::MAX
                && targets.empty_columns > 0
                && count <= limit_empty
                && below != BASE
                && self.rules.fills(Card::from_index(card))
            {
                out.push(Move { card, count: count as u8, from, to: targets.empty });
            }
            let joined = below < BASE && self.onto[usize::from(card)] >> below & 1 == 1;
            if !joined || count >= limit {
                break;
            }
            card = below;
            count += 1;
        }
    }

    /// Appends the moves from or to a non-empty column, without those into cells.
    #[inline]
    pub(crate) fn moves_at(
        &self,
        state: &State,
        at: usize,
        targets: &Targets,
        out: &mut Vec<Move>,
    ) {
        let top = state.tops[at];
        if state.goes_home(top) {
            out.push(Move { card: top, count: 1, from: at as u8, to: HOMES });
        }
        self.moves_from(state, at, targets, u64::MAX, out);
        let takes = self.takes[usize::from(top)];
        for (from, &first) in state.tops[..usize::from(self.rules.columns)].iter().enumerate() {
            // At most one card of a run fits, and ranks rise further down.
            let (mut card, mut count) = (first, 1);
            while card < top {
                if takes >> card & 1 == 1 {
                    out.push(Move { card, count, from: from as u8, to: at as u8 });
                    break;
                }
                let below = state.below[usize::from(card)];
                let joined = below < BASE && self.onto[usize::from(card)] >> below & 1 == 1;
                if !joined || u32::from(count) >= targets.limits.0 {
                    break;
                }
                card = below;
                count += 1;
            }
        }
        for card in bits(state.cells & takes) {
            out.push(Move { card: card as u8, count: 1, from: CELLS, to: at as u8 });
        }
    }

    /// Appends the moves between two non-empty columns.
    #[inline]
    pub(crate) fn moves_between(
        &self,
        state: &State,
        [one, other]: [usize; 2],
        targets: &Targets,
        out: &mut Vec<Move>,
    ) {
        self.moves_from(state, one, targets, 1 << state.tops[other], out);
        self.moves_from(state, other, targets, 1 << state.tops[one], out);
    }

    /// The move of a column's top card into a cell.
    #[inline]
    pub(crate) fn to_cell(&self, state: &State, from: usize) -> Move {
        Move { card: state.tops[from], count: 1, from: from as u8, to: CELLS }
    }
}
