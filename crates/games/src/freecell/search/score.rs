//! The evaluation function of the satisficing search: a weighted sum of features, cheap and
//! inadmissible.

use crate::freecell::engine::{BASE, FreeCell, Move, NONE, State, bits};
use crate::freecell::heuristics::HIGHER;

/// The weights of the features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// Cards that are not home.
    pub(super) left: u32,
    /// Cards over a lower one of their suit.
    pub(super) forced: u32,
    /// Occupied cells.
    pub(super) cells: u32,
    /// One if there is neither a free cell nor an empty column.
    pub(super) full: u32,
    /// Non-empty columns.
    pub(super) columns: u32,
    /// Cards over the next card of each suit to go home.
    pub(super) over_next: u32,
    /// Cards on a card that they may not be built on.
    pub(super) breaks: u32,
    /// Moves made, in quarters.
    pub(super) depth: u32,
}

/// For quick attempts, tuned by hill climbing for few states in all: the first on deals 100,001 to
/// 102,500, the others on the deals up to 130,000 that the ones before had not solved.
pub(super) const QUICK: [Weights; 4] = [
    weights([8, 1, 13, 6, 8, 3, 6, 12]),
    weights([8, 4, 10, 8, 12, 3, 7, 23]),
    weights([10, 5, 9, 6, 10, 0, 8, 18]),
    weights([13, 0, 0, 6, 16, 3, 7, 20]),
];

/// For complete attempts, tuned on the 70 hardest of 3000 deals.
pub(super) const LONG: [Weights; 3] = [
    weights([15, 1, 2, 6, 13, 6, 7, 20]),
    weights([16, 0, 13, 3, 10, 4, 5, 12]),
    weights([11, 1, 2, 6, 13, 6, 11, 18]),
];

const fn weights(w: [u32; 8]) -> Weights {
    let [left, forced, cells, full, columns, over_next, breaks, depth] = w;
    Weights { left, forced, cells, full, columns, over_next, breaks, depth }
}

/// The features that take a pass over the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Features {
    /// Cards over a lower one of their suit.
    forced: u64,
    over_next: u32,
    breaks: u32,
}

impl Features {
    /// The features of a state.
    pub(super) fn of(game: &FreeCell, state: &State) -> Features {
        let next = next_cards(state);
        let mut features = Features::default();
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
                features.forced |= over & HIGHER[usize::from(below)];
                features.breaks += u32::from(game.onto[usize::from(card)] >> below & 1 == 0);
                features.over_next += height * (next >> below & 1) as u32;
                over |= 1 << below;
                card = below;
            }
        }
        features
    }

    /// The features after a move, updated for its two columns. Not for moves home, which change the
    /// next card of a suit.
    #[inline]
    pub(super) fn after(mut self, game: &FreeCell, state: &State, m: Move) -> Features {
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
                // A next card within the run has as many cards over it as before.
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

/// The lower cards of its suit.
#[inline]
fn lower(card: usize) -> u64 {
    (0x1_1111_1111_1111 << (card & 3)) & ((1 << card) - 1)
}

/// A card and all cards beneath it.
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
    /// The score of a state after so many moves; lower is better.
    #[inline]
    pub(super) fn score(&self, game: &FreeCell, state: &State, moves: u32) -> u32 {
        self.score_of(game, state, &Features::of(game, state), moves)
    }

    /// The score of a state with these features.
    #[inline]
    pub(super) fn score_of(
        &self,
        game: &FreeCell,
        state: &State,
        features: &Features,
        moves: u32,
    ) -> u32 {
        let rules = game.rules();
        let columns = &state.tops[..usize::from(rules.columns)];
        let filled = columns.iter().filter(|&&top| top != NONE).count() as u32;
        let taken = state.cells.count_ones();
        let full = taken >= u32::from(rules.cells) && filled == u32::from(rules.columns);
        self.left * state.cards_left(rules)
            + self.forced * features.forced.count_ones()
            + self.cells * taken
            + self.full * u32::from(full)
            + self.columns * filled
            + self.over_next * features.over_next
            + self.breaks * features.breaks
            + self.depth * moves / 4
    }
}

#[cfg(test)]
mod tests {
    use patience_model::{Game, Rng};

    use super::*;
    use crate::freecell::{Metric, Rules};

    /// In random games of the whole family, updated features equal those computed from scratch.
    #[test]
    fn updates_equal_a_fresh_start() {
        let mut kept = 0;
        let all = Rules::PRESETS.iter().flat_map(|(_, rules)| Metric::ALL.map(|m| (*rules, m)));
        for (rules, metric) in all.filter(|(rules, metric)| metric.check(rules).is_ok()) {
            let game = FreeCell::new(rules, metric).expect("a game with a name");
            let mut rng = Rng::new(7);
            for _ in 0..30 {
                let mut state = game.start(&mut rng);
                let mut features = Features::of(&game, &state);
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
                        features = Features::of(&game, &state);
                    } else {
                        features = features.after(&game, &before, m);
                        kept += 1;
                    }
                    assert_eq!(
                        features,
                        Features::of(&game, &state),
                        "{m:?}\n{}",
                        before.board(&rules)
                    );
                }
            }
        }
        assert!(kept > 5_000, "only {kept} moves");
    }
}
