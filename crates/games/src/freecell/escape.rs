//! Beyond the paper: where there is next to no room, whether any can be won.
//!
//! Say that cells and columns are full. Then single cards move from column to column or go home until a
//! column becomes empty or a card leaves a cell. A card that h2 does not count moves only home, unless
//! moves are spare; one that it counts moves once more. So few cards can move at all, and it is soon seen
//! when they win no room: then more moves are needed than h2 and the spare ones. Where some room is left,
//! it is filled first; and what was won is filled again, since room must be won more than once before
//! all cards are home.
//!
//! What is looked at is more than can be: a card on which another lies can still be lain on, and one that
//! went home as well. So all that moves without spare moves or room is moved at once, in any order, and
//! only where room and spare moves go to is tried one after another.

use super::blockers::Blockers;
use super::engine::FreeCell;
use super::state::{BASE, NONE, State, bits};

/// How much room there may be, where a spare move counts for two; and how many times room must be won.
/// Looking at states with more, or further, holds fewer of them, but takes longer. (Further, a card that
/// has a column could go into a cell that was won, and it would matter which of two has a column: neither
/// is looked at, so with larger numbers it could be wrong.)
const ROOM: u32 = 2;
const WINS: u32 = 2;

/// A state with little room.
pub(super) struct Escape<'e> {
    game: &'e FreeCell,
    state: &'e State,
    blockers: &'e Blockers,
    /// Cards that may move once before they go home, without a spare move; and those that may without
    /// the rest of their run.
    anyway: u64,
    counted: u64,
    /// All cards of the game.
    all: u64,
}

/// How far things can have come.
#[derive(Clone, Copy, Debug)]
struct Reach {
    /// Cards that can be lain on, and the cards that these take.
    open: u64,
    takes: u64,
    /// Those that have not moved and have nothing on them.
    heads: u64,
    /// Cards that may move now and could not before.
    stirred: u64,
    /// The next cards to go home.
    next: u64,
    /// Cards that take up room, which is won when they go home; and those that may have a column.
    inside: u64,
    with_column: u64,
    /// Cards that may move on with others on them, where that is one move.
    carriers: u64,
    cells: u32,
    columns: u32,
    /// How many times more room must be won.
    wins: u32,
}

impl Reach {
    /// Cells and columns that are free.
    #[inline]
    fn room(&self) -> u32 {
        self.cells + self.columns
    }
}

impl<'e> Escape<'e> {
    /// Whether more moves are needed than h2 and some spare ones; `false` if there is more room than is
    /// looked at. `anyway` are the cards that h2 counts.
    #[inline]
    pub(super) fn is_shut(
        game: &'e FreeCell,
        state: &'e State,
        blockers: &'e Blockers,
        anyway: u64,
        spare: u32,
    ) -> bool {
        let Some(most) = ROOM.checked_sub(spare.saturating_mul(2)) else { return false };
        let rules = game.rules();
        let cells = match rules.refill {
            true => u32::from(rules.cells).saturating_sub(state.cells.count_ones()),
            false => 0,
        };
        if cells > most {
            return false;
        }
        let (mut columns, mut heads, mut takes) = (0, 0u64, 0);
        for &top in &state.tops[..usize::from(rules.columns)] {
            if top == NONE {
                columns += 1;
            } else {
                heads |= 1 << top;
                takes |= game.takes[usize::from(top)];
            }
        }
        let mut next = 0u64;
        for (suit, &home) in state.home.iter().enumerate() {
            next |= 1 << (4 * home + suit as u8);
        }
        let all = (1 << rules.cards()) - 1;
        next &= all;
        let counted = anyway & !blockers.over_forced;
        let escape = Escape { game, state, blockers, anyway, counted, all };
        let start = Reach {
            open: heads,
            takes,
            heads,
            stirred: heads,
            next,
            inside: state.cells,
            with_column: 0,
            carriers: 0,
            cells,
            columns,
            wins: WINS,
        };
        start.room() <= most && next != 0 && !escape.wins_room(start, spare)
    }

    /// Whether cells or columns may become free as often as they must, or all cards go home.
    fn wins_room(&self, mut reach: Reach, spare: u32) -> bool {
        reach.carriers = match self.blockers.by_runs {
            true if spare > 0 => u64::MAX,
            true => self.anyway,
            false => 0,
        };
        if self.go_on(&mut reach) {
            return self.has_won(reach, spare);
        }
        reach.next == 0
            || reach.room() > 0 && self.wins_by_filling(&reach, spare)
            || spare > 0
                && (self.wins_by_laying(&reach, spare - 1)
                    || self.wins_by_leaving(&reach, spare - 1))
    }

    /// The same after room was won.
    fn has_won(&self, mut reach: Reach, spare: u32) -> bool {
        reach.wins -= 1;
        reach.wins == 0 || self.wins_room(reach, spare)
    }

    /// The same if a card, or a run, goes where there is room.
    #[inline]
    fn wins_by_filling(&self, reach: &Reach, spare: u32) -> bool {
        let heads = if spare > 0 { reach.heads } else { reach.heads & self.anyway };
        // With the last of it gone only single cards move.
        let full = Reach { cells: 0, columns: 0, ..*reach };
        let is_last = reach.room() == 1 && spare == 0 && self.limits(&full).0 == 1;
        bits(heads).any(|head| {
            if is_last && !self.stirs(reach, head) {
                return false;
            }
            // What is left of a run may be in the way, and what went with it too.
            let limit = self.limits(reach).1;
            reach.cells > 0 && self.wins_filled(reach, [1, 0], head, head, spare)
                || reach.columns > 0
                    && self
                        .run_from(head, limit)
                        .any(|last| self.wins_filled(reach, [0, 1], head, last, spare))
        })
    }

    /// The same after the cards to this one have taken a cell or a column.
    #[inline]
    fn wins_filled(
        &self,
        reach: &Reach,
        [cells, columns]: [u32; 2],
        head: usize,
        last: usize,
        spare: u32,
    ) -> bool {
        let counts = self.counted >> last & 1 == 1;
        if !counts && spare == 0 {
            return false;
        }
        let mut left = *reach;
        left.cells -= cells;
        left.columns -= columns;
        left.with_column |= u64::from(columns) << last;
        left.inside |= 1 << last;
        // In a cell nothing lies on it.
        left.open &= !(u64::from(cells) << last);
        let spare = spare - u32::from(!counts);
        match self.leave(&mut left, head, last) {
            true => self.has_won(left, spare),
            false => self.wins_room(left, spare),
        }
    }

    /// The same if a card, or a run, that is not to move is laid on another, or one is laid where it must
    /// move again.
    #[inline]
    fn wins_by_laying(&self, reach: &Reach, spare: u32) -> bool {
        let limit = self.limits(reach).0;
        bits(reach.heads & if limit == 1 { reach.takes } else { u64::MAX }).any(|head| {
            let can_lie = |card: &usize| {
                bits(self.game.onto[*card] & reach.open)
                    .any(|other| self.blockers.above[other] >> *card & 1 == 0)
            };
            let Some(last) = self.run_from(head, limit).filter(can_lie).last() else {
                return false;
            };
            let mut laid = *reach;
            self.leave(&mut laid, head, last);
            self.wins_room(laid, spare)
        })
    }

    /// The same if a card leaves its cell, for another card or for an empty column.
    #[inline]
    fn wins_by_leaving(&self, reach: &Reach, spare: u32) -> bool {
        let won = u32::from(self.game.rules().refill);
        let leave = |cards: u64| {
            let mut left = *reach;
            left.open |= cards;
            left.takes |= bits(cards).fold(0, |takes, card| takes | self.game.takes[card]);
            left.stirred = left.heads;
            left
        };
        // One that is laid over a lower card of its suit has to move again.
        let placed = bits(reach.inside & reach.takes)
            .filter(|&card| {
                let onto = bits(self.game.onto[card] & reach.open);
                spare > 0 || onto.into_iter().any(|other| self.may_stay(card, other, reach))
            })
            .fold(0u64, |placed, card| placed | 1 << card);
        placed != 0 && {
            let mut left = leave(placed);
            // If there is a choice each can have stayed.
            if placed & (placed - 1) == 0 {
                left.inside &= !placed;
            }
            let (cells, columns) = (left.cells + won, left.columns + 1);
            self.wins_room(Reach { cells, ..left }, spare)
                || placed & reach.with_column != 0
                    && self.wins_room(Reach { columns, ..left }, spare)
        } || reach.columns > 0 && reach.inside != 0 && {
            let mut left = leave(reach.inside);
            left.with_column |= reach.inside;
            left.cells += won;
            left.columns -= 1;
            self.wins_room(left, spare)
        }
    }

    /// Makes all moves that need neither room nor spare moves. Whether room was won.
    #[inline]
    fn go_on(&self, reach: &mut Reach) -> bool {
        let limit = self.limits(reach).0;
        loop {
            let home = reach.next & (reach.open | reach.inside);
            if home != 0 {
                let bit = home & home.wrapping_neg();
                reach.next = reach.next & !bit | bit << 4 & self.all;
                let card = bit.trailing_zeros() as usize;
                if reach.inside & bit != 0 {
                    self.make_room(reach, bit);
                    return true;
                }
                if reach.heads & bit != 0 && self.leave(reach, card, card) {
                    return true;
                }
                continue;
            }
            if limit == 1 {
                let stirred = reach.stirred & reach.heads & reach.takes & self.counted;
                if stirred == 0 {
                    reach.stirred = 0;
                    return false;
                }
                let head = stirred.trailing_zeros() as usize;
                reach.stirred &= !(1 << head);
                if self.has_place(head, reach) && self.leave(reach, head, head) {
                    return true;
                }
                continue;
            }
            let moves = bits(reach.heads & self.anyway).find_map(|head| {
                let may_move = |card: &usize| {
                    (reach.takes & self.counted) >> card & 1 == 1 && self.has_place(*card, reach)
                };
                self.run_from(head, limit).find(may_move).map(|last| (head, last))
            });
            match moves {
                Some((head, last)) => {
                    if self.leave(reach, head, last) {
                        return true;
                    }
                }
                None => {
                    reach.stirred = 0;
                    return false;
                }
            }
        }
    }

    /// A card that took up room is home. (It could have left for a card before, and still counts as
    /// inside.)
    #[inline]
    fn make_room(&self, reach: &mut Reach, card: u64) {
        let had_column = reach.with_column & card != 0;
        // Of those that could leave their cell for a column it is not known which did.
        let had_cell = !had_column || self.state.cells & card != 0;
        reach.columns += u32::from(had_column);
        reach.cells += u32::from(had_cell && self.game.rules().refill);
    }

    /// Whether anything can follow from it that a card takes up room.
    #[inline]
    fn stirs(&self, reach: &Reach, head: usize) -> bool {
        let below = self.state.below[head];
        below >= BASE || {
            let mut takes = self.game.takes[usize::from(below)];
            if reach.columns > 0 {
                takes |= self.game.takes[head];
            }
            let below = 1 << below;
            (takes & reach.heads | below & reach.takes) & self.anyway | below & reach.next != 0
        }
    }

    /// The cards to this one leave their column; whether it is empty then.
    #[inline]
    fn leave(&self, reach: &mut Reach, head: usize, last: usize) -> bool {
        let mut card = head;
        while card != last {
            card = usize::from(self.state.below[card]);
            self.uncover(reach, card);
        }
        reach.heads &= !(1 << head);
        // What is beneath it no longer matters to those that lie on it.
        reach.stirred |= self.game.takes[head];
        let below = self.state.below[last];
        if below >= BASE {
            reach.columns += 1;
            return true;
        }
        reach.heads |= 1 << below;
        reach.stirred |= 1 << below;
        self.uncover(reach, usize::from(below));
        false
    }

    #[inline]
    fn uncover(&self, reach: &mut Reach, card: usize) {
        reach.open |= 1 << card;
        reach.takes |= self.game.takes[card];
        reach.stirred |= self.game.takes[card];
    }

    /// How many cards can move at once onto a card, and into an empty column.
    #[inline]
    fn limits(&self, reach: &Reach) -> (u32, u32) {
        match self.blockers.by_runs {
            true => self.game.limits(reach.cells, reach.columns),
            false => (1, 1),
        }
    }

    /// This card and those beneath it in its run, at most so many.
    #[inline]
    fn run_from(&self, head: usize, limit: u32) -> impl Iterator<Item = usize> {
        let below = |card: &usize| {
            self.blockers.run_below(self.game, self.state, *card as u8).map(usize::from)
        };
        std::iter::successors(Some(head), below).take(limit as usize)
    }

    /// Whether there is a card on which this one may stay until it goes home.
    #[inline]
    fn has_place(&self, card: usize, reach: &Reach) -> bool {
        // What lay over a card comes to lie on it by its second move only.
        bits(self.game.onto[card] & reach.open).any(|other| {
            self.blockers.above[other] >> card & 1 == 0 && self.may_stay(card, other, reach)
        })
    }

    /// Whether a card may stay on another: no lower card of its suit is beneath.
    #[inline]
    fn may_stay(&self, card: usize, other: usize, reach: &Reach) -> bool {
        // Where runs move it can be carried on; and beneath what has moved is something else.
        let free = reach.carriers | !reach.heads;
        self.blockers.waiting[other] >> card & 1 == 0 || free >> other & 1 == 1
    }
}
