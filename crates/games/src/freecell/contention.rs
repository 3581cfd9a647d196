//! Beyond the paper: not only which cards must make way for one another, but where they can go.
//!
//! Say that no move is made beyond those that forced moves and pairs come to, and look at the next
//! cards to go home of those for which others must make way, in whichever order they go. All that
//! lies over each has moved away by then, to a cell, to an empty column or onto another card, and
//! nothing else has gone home but what could as it lay. So
//! - everything over these cards moves twice, whether it is in a cycle or not;
//! - what finds no room in free cells and empty columns lies on other cards. It does not lie over a
//!   lower card of its own suit, or it would move once more; no card has left a cell for a column, or
//!   a column for good that did not have to; and what lies over the other card has moved anyway, and
//!   takes room itself or lies on another. And no card takes two;
//! - where a run counts as one move, it needs room on its way and does not fit into a cell: in parts
//!   it would move once more.
//!
//! Where no order is left, one move more is needed. That two more are needed could be asked in the
//! same way, but is hardly ever seen, and takes longer than it saves.

use super::blockers::{Blockers, Pairs};
use super::engine::FreeCell;
use super::hitting_set::Cover;
use super::state::{BASE, CELL, HOME, NONE, State, bits};

/// How many cards for which others must make way are looked ahead to. Looking further holds fewer
/// states, but takes longer.
const EVENTS: u32 = 3;

/// Looks ahead from a state.
pub(super) struct Contention<'c> {
    game: &'c FreeCell,
    state: &'c State,
    blockers: &'c Blockers,
    pairs: &'c Pairs,
    /// What covers the pairs.
    cover: Cover,
    /// Free cells.
    cells: u32,
    /// Empty columns. One whose lowest run moves anyway can be emptied on the way. (A lowest card
    /// alone is over nothing and moves for no cycle.)
    empty: u32,
    /// Cards that may move twice without further cost. All that make way are among them, or it
    /// takes more moves.
    anyway: u64,
}

impl<'c> Contention<'c> {
    #[inline]
    pub(super) fn of(
        game: &'c FreeCell,
        state: &'c State,
        blockers: &'c Blockers,
        pairs: &'c Pairs,
        cover: Cover,
    ) -> Self {
        let rules = game.rules();
        let columns = &state.tops[..usize::from(rules.columns)];
        let empty = columns.iter().filter(|&&top| top == NONE).count() as u32
            + (blockers.lowest_runs & pairs.vertices).count_ones();
        let cells = match rules.refill {
            true => u32::from(rules.cells).saturating_sub(state.cells.count_ones()),
            false => 0,
        };
        Contention {
            game,
            state,
            blockers,
            pairs,
            cover,
            cells,
            empty,
            anyway: blockers.forced | pairs.moving,
        }
    }

    /// Whether more moves are needed than forced moves and pairs come to.
    #[inline]
    pub(super) fn needs_more(&self) -> bool {
        let mut next = [0u8; 4];
        for (suit, &home) in self.state.home.iter().enumerate() {
            next[suit] = 4 * home + suit as u8;
        }
        !self.goes_on(Order { next, home: 0, moved: 0 }, EVENTS)
    }

    /// Whether an order in which cards go home can go on.
    fn goes_on(&self, order: Order, events: u32) -> bool {
        let Order { mut next, mut home, moved } = order;
        let cards = self.game.rules().cards();
        // What can go home without anything making way for it comes first.
        loop {
            let before = home;
            for card in &mut next {
                while *card < cards
                    && (self.blockers.above[usize::from(*card)] & !(home | moved) == 0
                        || moved >> *card & 1 == 1)
                {
                    home |= 1 << *card;
                    *card += 4;
                }
            }
            if home == before {
                break;
            }
        }
        // What the fewest cards must make way for comes first: one order that goes on is enough.
        let mut ways = [(u32::MAX, 0, 0u64); 4];
        let mut count = 0;
        for (suit, &card) in next.iter().enumerate().filter(|(_, card)| **card < cards) {
            let over = self.blockers.above[usize::from(card)] & !(home | moved);
            let mut at = count;
            let way = (over.count_ones(), suit, over);
            while at > 0 && ways[at - 1].0 > way.0 {
                ways[at] = ways[at - 1];
                at -= 1;
            }
            ways[at] = way;
            count += 1;
        }
        count == 0
            || ways[..count].iter().any(|&(_, suit, over)| {
                let moved = moved | over;
                if self.takes_more(moved) || !self.is_room(home, moved) {
                    return false;
                }
                let mut next = next;
                let home = home | 1 << next[suit];
                next[suit] += 4;
                events == 1 || self.goes_on(Order { next, home, moved }, events - 1)
            })
    }

    /// Whether it takes more moves if these cards move away.
    #[inline]
    fn takes_more(&self, moved: u64) -> bool {
        let free = moved & !self.blockers.forced;
        if free == 0 {
            return false;
        }
        let runs = self.runs(moved, free);
        let gone = self.pairs.vertices & self.blockers.whole_runs(free);
        let all = self.cover.size;
        // Each vertex that is gone can take one off the cover of the others.
        runs + all.saturating_sub(gone.count_ones()) > all
            || gone != 0 && {
                let left = self.pairs.vertices & !gone;
                runs + self.cover.without(&self.pairs.neighbours, left, gone).size > all
            }
    }

    /// Whether this card begins a run of those that move away: the card beneath it is of another
    /// run, or stays.
    #[inline]
    fn begins_run(&self, moved: u64, card: usize) -> bool {
        (moved & self.game.onto[card]) >> self.state.below[card] & 1 == 0
    }

    /// How many runs, or cards where they move one by one, some cards that move away are.
    #[inline]
    fn runs(&self, moved: u64, cards: u64) -> u32 {
        if self.blockers.by_runs {
            bits(cards).map(|card| u32::from(self.begins_run(moved, card))).sum()
        } else {
            cards.count_ones()
        }
    }

    /// Whether there may be room for the cards that have made way, when those `home` are.
    #[inline]
    fn is_room(&self, home: u64, moved: u64) -> bool {
        let away = moved & !home;
        let cells = self.cells + (home & self.state.cells).count_ones();
        let bases = self.empty + (home & self.blockers.lowest).count_ones();
        let room = cells + bases;
        let longest = self.longest(cells, bases);
        // Runs of more than one card do not fit into cells.
        let (mut heads, mut long) = (away, 0);
        if self.blockers.by_runs {
            let runs = self.runs_of(away, moved);
            if bits(runs.long).any(|head| runs.lengths[head] > longest) {
                return false;
            }
            heads = runs.heads;
            if runs.long.count_ones() > bases {
                long = runs.long;
            }
        }
        if heads.count_ones() <= room && long == 0 {
            return true;
        }
        if self.too_many_without(home, heads, room) || self.too_many_without(home, long, bases) {
            return false;
        }
        // What could have gone home may have stayed; and what goes into an empty column can be lain
        // on, and in a run a card before it makes way.
        let tops = self.uncovered(home | away);
        let by_runs = self.blockers.by_runs;
        let stayed = if by_runs || bases > 0 { home | moved } else { home };
        let open = stayed | tops;
        let free = if by_runs { self.anyway } else { moved };
        let is_enough = |passed| {
            let mut places = Places { open, free };
            loop {
                if self.without_place(heads, places.open, places.free) + passed <= room
                    && self.without_place(long, places.open, places.free) <= bases
                {
                    return true;
                }
                if !self.open_more(&mut places, tops, away, passed, longest, bases) {
                    return false;
                }
            }
        };
        is_enough(0)
            || room > 0 && {
                let least = self.without_place(heads, u64::MAX, self.anyway);
                (1..=room).take_while(|passed| least + passed <= room).any(is_enough)
            }
    }

    /// The runs that cards away were.
    #[inline]
    fn runs_of(&self, away: u64, moved: u64) -> Runs {
        let mut runs = Runs { heads: away, long: 0, lengths: [1; 52] };
        // What lies on a card in a run is lower, and comes first.
        for card in bits(away).filter(|&card| !self.begins_run(moved, card)) {
            let below = usize::from(self.state.below[card]);
            runs.heads &= !(1 << card);
            runs.long |= 1 << below;
            runs.lengths[below] += runs.lengths[card];
        }
        runs.long &= runs.heads;
        runs
    }

    /// The most cards that move at once with so many cells free and columns empty.
    #[inline]
    fn longest(&self, cells: u32, bases: u32) -> u32 {
        // With four columns all runs can move.
        let (onto, into_empty) = self.game.limits(cells, bases.min(4));
        onto.max(into_empty)
    }

    /// Whether more cards than there is room for cannot lie on anything, even when all that moves
    /// anyway is out of the way. Then nothing that [`Self::open_more`] opens helps.
    #[inline]
    fn too_many_without(&self, home: u64, heads: u64, room: u32) -> bool {
        let gone = home | self.anyway;
        let has_place = |card: usize| {
            bits(self.game.onto[card]).any(|other| {
                self.blockers.above[other] & !gone == 0 && self.may_lie_on(card, other, self.anyway)
            })
        };
        bits(heads).filter(|&card| !has_place(card)).nth(room as usize).is_some()
    }

    /// How many of some cards away from their places cannot lie on open ones, each on one.
    #[inline]
    fn without_place(&self, heads: u64, open: u64, free: u64) -> u32 {
        let mut without = 0;
        let mut left = heads;
        while left != 0 {
            let first = left.trailing_zeros();
            let onto = self.game.onto[first as usize];
            let (mut cards, mut placed, mut places) = (0, 0, 0u64);
            for card in bits(left & 0xf << (first & !3)) {
                if self.game.onto[card] != onto {
                    continue;
                }
                left &= !(1 << card);
                let there = bits(onto & open)
                    .filter(|&other| self.may_lie_on(card, other, free))
                    .fold(0u64, |there, other| there | 1 << other);
                cards += 1;
                placed += u32::from(there != 0);
                places |= there;
            }
            without += cards - placed.min(places.count_ones());
        }
        without
    }

    /// Whether a card away from its place may stay on one of these.
    #[inline]
    fn has_place(&self, card: usize, places: &Places) -> bool {
        let open = self.game.onto[card] & places.open;
        bits(open).any(|other| self.may_lie_on(card, other, places.free))
    }

    /// Whether a card away from its place may stay on this one: there is no lower card of its suit
    /// beneath, or the other one is `free` of what was beneath it.
    #[inline]
    fn may_lie_on(&self, card: usize, other: usize, free: u64) -> bool {
        let below = self.state.below[other];
        if below == HOME || below == CELL {
            return false;
        }
        // A card that lay over it has moved before it can be lain on, and would move again.
        if self.blockers.above[other] >> card & 1 == 1 {
            return false;
        }
        free >> other & 1 == 1 || self.blockers.waiting[other] >> card & 1 == 0
    }

    /// The highest card of each column that is not gone.
    #[inline]
    fn uncovered(&self, gone: u64) -> u64 {
        let mut tops = 0;
        for &first in &self.state.tops[..usize::from(self.game.rules().columns)] {
            let mut top = first;
            while top < BASE && gone >> top & 1 == 1 {
                top = self.state.below[usize::from(top)];
            }
            if top < BASE {
                tops |= 1 << top;
            }
        }
        tops
    }

    /// Opens the places that those which are open open: cards away that find one (in a cell
    /// nothing lies on them), and what is uncovered when cards that move anyway find one, or take
    /// room: at most `passed` of a column do. Runs are no longer than can move, and only the bases of
    /// columns have room for them. Whether anything changed.
    fn open_more(
        &self,
        places: &mut Places,
        tops: u64,
        away: u64,
        passed: u32,
        longest: u32,
        bases: u32,
    ) -> bool {
        let state = self.state;
        let before = *places;
        for card in bits(away & !before.open) {
            if self.has_place(card, places) {
                places.open |= 1 << card;
            }
        }
        for top in bits(tops).map(|top| top as u8) {
            // The run, or the part of it, that goes onto an open card, or where it finds room.
            let (mut card, mut run, mut without) = (top, 0u64, 0);
            while self.anyway >> card & 1 == 1 {
                run |= 1 << card;
                let below = state.below[usize::from(card)];
                let placed = self.has_place(usize::from(card), places);
                if placed || self.blockers.run_below(self.game, state, card).is_none() {
                    without += u32::from(!placed);
                    let most = if placed || bases > 0 { longest } else { 1 };
                    if without > passed || run.count_ones() > most {
                        break;
                    }
                    // A lowest card that moved anyway would have made the column count as empty.
                    if below >= BASE {
                        break;
                    }
                    places.open |= 1 << below;
                    if placed || bases > 0 {
                        places.free |= run;
                    }
                    run = 0;
                } else if without < passed && run.count_ones() == 1 {
                    // It takes room alone, and the rest of its run stays.
                    places.open |= 1 << below;
                }
                card = below;
            }
        }
        *places != before
    }
}

/// Runs, or cards where they move one by one, that have made way.
struct Runs {
    /// The lowest card of each in its column.
    heads: u64,
    /// The heads of those of more than one card.
    long: u64,
    /// How many cards they are.
    lengths: [u32; 52],
}

/// Where cards that have made way can lie.
#[derive(Clone, Copy, PartialEq)]
struct Places {
    /// The cards that can be lain on.
    open: u64,
    /// Those of which it does not matter what was beneath them.
    free: u64,
}

/// The beginning of an order in which cards go home.
#[derive(Clone, Copy)]
struct Order {
    /// The next card of each suit.
    next: [u8; 4],
    /// Cards that have gone home.
    home: u64,
    /// Cards that have made way.
    moved: u64,
}
