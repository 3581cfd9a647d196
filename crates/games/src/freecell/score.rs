//! How far a state looks from a solution, for searches that look for any: cheap, not admissible.

use super::blockers::HIGHER;
use super::engine::{FreeCell, Move};
use super::state::{BASE, NONE, State, bits};

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

/// For quick attempts, tuned by hill climbing for few states in all: the first on deals 100,001 to
/// 102,500, the next on what others had left over of deals up to 130,000.
pub(super) const QUICK: [Weights; 4] = [
    weights([8, 1, 13, 6, 8, 3, 6, 12]),
    weights([8, 4, 10, 8, 12, 3, 7, 23]),
    weights([10, 5, 9, 6, 10, 0, 8, 18]),
    weights([13, 0, 0, 6, 16, 3, 7, 20]),
];

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

/// What is in the way of a solution, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// The cards over a lower one of their suit.
    forced: u64,
    over_next: u32,
    breaks: u32,
}

impl Tally {
    /// Counts all columns.
    pub(super) fn of(game: &FreeCell, state: &State) -> Tally {
        let next = next_cards(state);
        let mut tally = Tally::default();
        for &top in &state.tops[..usize::from(game.rules().columns)] {
            if top == NONE {
                continue;
            }
            let (mut card, mut over, mut height) = (top, 1u64 << top, 0);
            loop {
                let below = state.below[usize::from(card)];
                if below >= BASE {
                    break;
                }
                height += 1;
                tally.forced |= over & HIGHER[usize::from(below)];
                tally.breaks += u32::from(game.onto[usize::from(card)] >> below & 1 == 0);
                tally.over_next += height * (next >> below & 1) as u32;
                over |= 1 << below;
                card = below;
            }
        }
        tally
    }

    /// The tally after a move in a state, from the one before: only the column that the cards leave
    /// and the one that they go to are looked at. Not for moves home, after which other cards are next.
    #[inline]
    pub(super) fn after(mut self, game: &FreeCell, state: &State, m: Move) -> Tally {
        let next = next_cards(state);
        let count = u32::from(m.count());
        let mut moved = 1u64 << m.card;
        if let Some(from) = m.source() {
            let mut card = state.tops[from];
            while card != m.card {
                moved |= 1 << card;
                card = state.below[usize::from(card)];
            }
            let below = state.below[usize::from(card)];
            if below < BASE {
                self.breaks -= u32::from(game.onto[usize::from(card)] >> below & 1 == 0);
                // A card of the run itself that is next has as many over it as before.
                self.over_next -= count * (beneath(state, below) & next).count_ones();
            }
        }
        self.forced &= !moved;
        if let Some(top) = m.target().map(|to| state.tops[to]).filter(|&top| top != NONE) {
            let column = beneath(state, top);
            self.over_next += count * (column & next).count_ones();
            self.forced |= bits(moved)
                .filter(|&card| lower(card) & column != 0)
                .fold(0, |forced, card| forced | 1 << card);
        }
        self
    }
}

/// The next card of each suit to go home.
#[inline]
fn next_cards(state: &State) -> u64 {
    let mut next = 0u64;
    for (suit, &home) in state.home.iter().enumerate() {
        next |= 1 << (4 * usize::from(home) + suit);
    }
    next
}

/// The cards of its suit that are lower.
#[inline]
fn lower(card: usize) -> u64 {
    (0x1_1111_1111_1111 << (card & 3)) & ((1 << card) - 1)
}

/// A card and all that lie beneath it.
#[inline]
fn beneath(state: &State, card: u8) -> u64 {
    let mut cards = 0;
    let mut card = card;
    while card < BASE {
        cards |= 1 << card;
        card = state.below[usize::from(card)];
    }
    cards
}

impl Weights {
    /// The score of a state that so many moves led to; the lower the better.
    #[inline]
    pub(super) fn score(&self, game: &FreeCell, state: &State, moves: u32) -> u32 {
        self.weigh(game, state, &Tally::of(game, state), moves)
    }

    /// The score of a state with this tally.
    #[inline]
    pub(super) fn weigh(&self, game: &FreeCell, state: &State, tally: &Tally, moves: u32) -> u32 {
        let rules = game.rules();
        let columns = &state.tops[..usize::from(rules.columns)];
        let filled = columns.iter().filter(|&&top| top != NONE).count() as u32;
        let taken = state.cells.count_ones();
        let full = taken >= u32::from(rules.cells) && filled == u32::from(rules.columns);
        self.left * state.cards_left(rules)
            + self.forced * tally.forced.count_ones()
            + self.cells * taken
            + self.full * u32::from(full)
            + self.columns * filled
            + self.over_next * tally.over_next
            + self.breaks * tally.breaks
            + self.depth * moves / 4
    }
}

#[cfg(test)]
mod tests {
    use patience_model::{Game, Rng};

    use super::super::{Metric, Rules};
    use super::*;

    /// Along random games of the whole family the tally kept from move to move is that of the state.
    #[test]
    fn a_tally_is_kept_from_move_to_move() {
        let mut kept = 0;
        let all = Rules::PRESETS.iter().flat_map(|(_, rules)| Metric::ALL.map(|m| (*rules, m)));
        for (rules, metric) in all.filter(|(rules, metric)| metric.check(rules).is_ok()) {
            let game = FreeCell::new(rules, metric).expect("a game with a name");
            let mut rng = Rng::new(7);
            for _ in 0..30 {
                let mut state = game.start(&mut rng);
                let mut tally = Tally::of(&game, &state);
                let mut moves = Vec::new();
                for _ in 0..60 {
                    game.actions(&state, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    let m = rng.pick(&moves);
                    let before = state;
                    game.make(&mut state, m);
                    if m.is_home() {
                        tally = Tally::of(&game, &state);
                    } else {
                        tally = tally.after(&game, &before, m);
                        kept += 1;
                    }
                    assert_eq!(tally, Tally::of(&game, &state), "{m:?}\n{}", before.board(&rules));
                }
            }
        }
        assert!(kept > 5_000, "only {kept} moves");
    }
}
