//! The relaxation of a state with little space: what can be moved, and all free moves at once. What
//! is relaxed, and why every solution survives it, is shown in [`dead_end`](super::dead_end).

use super::blockers::Blockers;
use crate::freecell::engine::{BASE, FreeCell, NONE, State, bits};

/// The state that is relaxed, and what is known of it.
pub(super) struct Relaxation<'a> {
    pub(super) game: &'a FreeCell,
    state: &'a State,
    pub(super) blockers: &'a Blockers,
    /// Cards whose first move is free.
    pub(super) counted: u64,
    /// Those of them whose first move is free without the rest of their run.
    pub(super) counted_alone: u64,
    /// All cards of the game.
    all: u64,
}

/// A state of the relaxation. Cards are never removed from sets that allow moves, unless stated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relaxed {
    /// Cards that can be built on; a card that goes into a cell is removed.
    pub(super) targets: u64,
    /// Cards that may be built on one of the targets.
    pub(super) buildable: u64,
    /// Top cards of columns that have not moved.
    pub(super) tops: u64,
    /// Cards that may be able to move now and were not before: the work list of the free moves.
    pub(super) pending: u64,
    /// The next card of each suit to go home.
    pub(super) next: u64,
    /// Cards that occupy a space: it is gained when they go home.
    pub(super) occupying: u64,
    /// Those of them that may have a column rather than a cell.
    pub(super) in_column: u64,
    /// Cards that may move on with others on them, where that is one move.
    pub(super) carriers: u64,
    pub(super) free_cells: u32,
    pub(super) empty_columns: u32,
    /// How many more times a space must be gained.
    pub(super) gains: u32,
}

impl Relaxed {
    /// The relaxed start.
    #[inline]
    pub(super) fn of(game: &FreeCell, state: &State, free_cells: u32, gains: u32) -> Relaxed {
        let rules = game.rules();
        let (mut empty_columns, mut tops, mut buildable) = (0, 0u64, 0);
        for &top in &state.tops[..usize::from(rules.columns)] {
            if top == NONE {
                empty_columns += 1;
            } else {
                tops |= 1 << top;
                buildable |= game.takes[usize::from(top)];
            }
        }
        let mut next = 0u64;
        for (suit, &home) in state.home.iter().enumerate() {
            next |= 1 << (4 * home + suit as u8);
        }
        Relaxed {
            targets: tops,
            buildable,
            tops,
            pending: tops,
            next: next & ((1 << rules.cards()) - 1),
            occupying: state.cells,
            in_column: 0,
            carriers: 0,
            free_cells,
            empty_columns,
            gains,
        }
    }

    /// Free cells and empty columns.
    #[inline]
    pub(super) fn spaces(&self) -> u32 {
        self.free_cells + self.empty_columns
    }
}

impl<'a> Relaxation<'a> {
    #[inline]
    pub(super) fn new(
        game: &'a FreeCell,
        state: &'a State,
        blockers: &'a Blockers,
        counted: u64,
    ) -> Self {
        let counted_alone = counted & !blockers.over_forced;
        let all = (1 << game.rules().cards()) - 1;
        Relaxation { game, state, blockers, counted, counted_alone, all }
    }

    /// Makes all moves that need neither space nor slack, in any order, until a space is gained or
    /// none is left. Whether a space was gained.
    #[inline]
    pub(super) fn make_free_moves(&self, relaxed: &mut Relaxed) -> bool {
        let limit = self.limits(relaxed).0;
        loop {
            let home = relaxed.next & (relaxed.targets | relaxed.occupying);
            if home != 0 {
                let bit = home & home.wrapping_neg();
                relaxed.next = relaxed.next & !bit | bit << 4 & self.all;
                let card = bit.trailing_zeros() as usize;
                if relaxed.occupying & bit != 0 {
                    self.gain_space(relaxed, bit);
                    return true;
                }
                if relaxed.tops & bit != 0 && self.remove(relaxed, card, card) {
                    return true;
                }
                continue;
            }
            if limit == 1 {
                let pending =
                    relaxed.pending & relaxed.tops & relaxed.buildable & self.counted_alone;
                if pending == 0 {
                    relaxed.pending = 0;
                    return false;
                }
                let top = pending.trailing_zeros() as usize;
                relaxed.pending &= !(1 << top);
                if self.can_stay_somewhere(top, relaxed) && self.remove(relaxed, top, top) {
                    return true;
                }
                continue;
            }
            let free = bits(relaxed.tops & self.counted).find_map(|top| {
                let may_move = |card: &usize| {
                    (relaxed.buildable & self.counted_alone) >> card & 1 == 1
                        && self.can_stay_somewhere(*card, relaxed)
                };
                self.run_from(top, limit).find(may_move).map(|last| (top, last))
            });
            match free {
                Some((top, last)) => {
                    if self.remove(relaxed, top, last) {
                        return true;
                    }
                }
                None => {
                    relaxed.pending = 0;
                    return false;
                }
            }
        }
    }

    /// A card that occupied a space is home. (It could have left for a card before, and still
    /// counts as occupying it.)
    #[inline]
    fn gain_space(&self, relaxed: &mut Relaxed, card: u64) {
        let had_column = relaxed.in_column & card != 0;
        // Of cards that could leave their cell for a column it is not known which did.
        let had_cell = !had_column || self.state.cells & card != 0;
        relaxed.empty_columns += u32::from(had_column);
        relaxed.free_cells += u32::from(had_cell && self.game.rules().refill);
    }

    /// Whether any move can follow from filling the last space with this card.
    #[inline]
    pub(super) fn enables(&self, relaxed: &Relaxed, top: usize) -> bool {
        let below = self.state.below[top];
        below >= BASE || {
            let mut takes = self.game.takes[usize::from(below)];
            if relaxed.empty_columns > 0 {
                takes |= self.game.takes[top];
            }
            let below = 1 << below;
            (takes & relaxed.tops | below & relaxed.buildable) & self.counted | below & relaxed.next
                != 0
        }
    }

    /// Removes the cards from `top` down to `last` from their column. Whether it is empty then.
    #[inline]
    pub(super) fn remove(&self, relaxed: &mut Relaxed, top: usize, last: usize) -> bool {
        let mut card = top;
        while card != last {
            card = usize::from(self.state.below[card]);
            self.uncover(relaxed, card);
        }
        relaxed.tops &= !(1 << top);
        // What lies beneath it no longer matters to those built on it.
        relaxed.pending |= self.game.takes[top];
        let below = self.state.below[last];
        if below >= BASE {
            relaxed.empty_columns += 1;
            return true;
        }
        relaxed.tops |= 1 << below;
        relaxed.pending |= 1 << below;
        self.uncover(relaxed, usize::from(below));
        false
    }

    #[inline]
    fn uncover(&self, relaxed: &mut Relaxed, card: usize) {
        relaxed.targets |= 1 << card;
        relaxed.buildable |= self.game.takes[card];
        relaxed.pending |= self.game.takes[card];
    }

    /// How many cards can move at once: onto a card, and into an empty column.
    #[inline]
    pub(super) fn limits(&self, relaxed: &Relaxed) -> (u32, u32) {
        match self.blockers.by_runs {
            true => self.game.limits(relaxed.free_cells, relaxed.empty_columns),
            false => (1, 1),
        }
    }

    /// This card and those beneath it in its run, at most so many.
    #[inline]
    pub(super) fn run_from(&self, top: usize, limit: u32) -> impl Iterator<Item = usize> {
        let below = |card: &usize| {
            self.blockers.run_below(self.game, self.state, *card as u8).map(usize::from)
        };
        std::iter::successors(Some(top), below).take(limit as usize)
    }

    /// Whether there is a target on which the card may stay until it goes home.
    #[inline]
    fn can_stay_somewhere(&self, card: usize, relaxed: &Relaxed) -> bool {
        // A card that it lay over at the start can be the target of its second move only.
        bits(self.game.onto[card] & relaxed.targets).any(|target| {
            self.blockers.above[target] >> card & 1 == 0 && self.may_stay(card, target, relaxed)
        })
    }

    /// Whether a card may stay on a target: no lower card of its suit lies beneath.
    #[inline]
    pub(super) fn may_stay(&self, card: usize, target: usize, relaxed: &Relaxed) -> bool {
        // Where runs move it can be carried on; and beneath a card that moved is something else.
        let is_safe = relaxed.carriers | !relaxed.tops;
        self.blockers.blocks[target] >> card & 1 == 0 || is_safe >> target & 1 == 1
    }
}
