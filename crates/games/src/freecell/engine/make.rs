//! Moves made, taken back, and translated to steps on the table.

use super::{BASE, CELL, CELLS, FreeCell, HOME, HOMES, Move, NONE, State};
use crate::freecell::{Board, Card, Place, Step};

impl FreeCell {
    /// Makes a legal move.
    #[inline]
    pub fn make(&self, state: &mut State, m: Move) {
        let card = usize::from(m.card);
        let mut top = m.card;
        if m.from == CELLS {
            state.cells &= !(1 << m.card);
        } else {
            let column = &mut state.tops[usize::from(m.from)];
            top = *column;
            *column = match state.below[card] {
                below if below < BASE => below,
                _ => NONE,
            };
        }
        state.below[card] = match m.to {
            HOMES => {
                state.home[card & 3] += 1;
                HOME
            }
            CELLS => {
                state.cells |= 1 << m.card;
                CELL
            }
            column => match std::mem::replace(&mut state.tops[usize::from(column)], top) {
                NONE => BASE,
                below => below,
            },
        };
    }

    /// Takes the last move back.
    #[inline]
    pub fn take_back(&self, state: &mut State, m: Move) {
        let card = usize::from(m.card);
        let mut top = m.card;
        match m.to {
            HOMES => state.home[card & 3] -= 1,
            CELLS => state.cells &= !(1 << m.card),
            column => {
                let column = &mut state.tops[usize::from(column)];
                top = *column;
                *column = match state.below[card] {
                    BASE => NONE,
                    below => below,
                };
            }
        }
        state.below[card] = if m.from == CELLS {
            state.cells |= 1 << m.card;
            CELL
        } else {
            match std::mem::replace(&mut state.tops[usize::from(m.from)], top) {
                NONE => BASE,
                below => below,
            }
        };
    }

    /// The step on a board for a move in a state, which may order columns and cells differently.
    ///
    /// # Panics
    /// If board and state are different positions, or the move is not legal.
    pub fn step_on(&self, board: &Board, state: &State, m: Move) -> Step {
        let card = Card::from_index(m.card);
        let column_with = |top: Option<Card>| {
            let there = board.columns.iter().position(|c| c.last().copied() == top);
            Place::Column(there.expect("a column that ends so") as u8)
        };
        let from = match m.from {
            CELLS => {
                let there = board.cells.iter().position(|&c| c == Some(card));
                Place::Cell(there.expect("the card in a cell") as u8)
            }
            column => column_with(Some(Card::from_index(state.tops[usize::from(column)]))),
        };
        let to = match m.to {
            HOMES => Place::Home,
            CELLS => {
                let there = board.cells.iter().position(Option::is_none);
                Place::Cell(there.expect("a free cell") as u8)
            }
            column => match state.tops[usize::from(column)] {
                NONE => column_with(None),
                top => column_with(Some(Card::from_index(top))),
            },
        };
        Step { from, to, count: m.count }
    }
}
