//! The paper's graph of blocking and foundation edges, as sets of cards.
//!
//! A card *blocks* another if it lies over a lower card of the other's suit: the other cannot go
//! home before it has moved. A cycle of such edges is a deadlock. It is broken only if a card of
//! the cycle moves before it can go home, and so moves twice. The first card of the cycle to move
//! lies over something, since the others are covered by cards of the cycle; so only such *blockers*
//! need be hit. A cycle in which a suit occurs twice contains a shorter one, so at most four
//! blockers matter, of different suits.

use crate::freecell::engine::{self, BASE, FreeCell, State, bits};
use crate::freecell::{MAX_COLUMNS, Metric, Sequence};

/// For each card, the higher cards of its suit.
pub(crate) const HIGHER: [u64; 52] = {
    let mut higher = [0; 52];
    let mut card = 0;
    while card < 52 {
        let mut above = card + 4;
        while above < 52 {
            higher[card] |= 1 << above;
            above += 4;
        }
        card += 1;
    }
    higher
};

/// The blockers of a state. Where a run moves at once for a cost of 1, the cards of a run count as
/// one blocker, named by its lowest bit.
#[derive(Clone, Debug)]
pub(super) struct Blockers {
    /// Cards that lie over another.
    pub(super) cards: u64,
    /// Cards that certainly move twice: they, or others of their run, lie over a lower card of
    /// their own suit.
    pub(super) forced: u64,
    /// How many cards or runs these are.
    pub(super) forced_count: u32,
    /// Cards on a part of their run that is forced without them: if they move away alone, that part
    /// still has to move.
    pub(super) over_forced: u64,
    /// For each card in a column, the cards that it blocks.
    pub(super) blocks: [u64; 52],
    /// For each card in a column, the cards above it.
    pub(super) above: [u64; 52],
    /// Whether a run counts as one blocker.
    pub(super) by_runs: bool,
    runs: [u64; 26],
    run_count: usize,
    /// The cards of each column, and how many of them (or of their runs) are forced.
    columns: [u64; MAX_COLUMNS],
    forced_in: [u8; MAX_COLUMNS],
}

impl Blockers {
    pub(super) fn of(game: &FreeCell, state: &State) -> Blockers {
        let by_runs = game.metric() != Metric::Single && game.rules().sequence != Sequence::Single;
        let mut blockers = Blockers { by_runs, ..Blockers::default() };
        blockers.rebuild(game, state, (1 << game.rules().columns) - 1);
        blockers
    }

    /// Updates the blockers to a state that comes a few moves later. Only the columns that changed
    /// are rebuilt, and the top cards tell which these are.
    #[inline]
    pub(super) fn update_to_successor(&mut self, game: &FreeCell, before: &State, after: &State) {
        let mut changed = 0u32;
        for n in 0..usize::from(game.rules().columns) {
            let (old, new) = (before.tops[n], after.tops[n]);
            // A card that left a column and came back lies on another card now.
            let same = old == new
                && (old >= BASE || before.below[usize::from(old)] == after.below[usize::from(old)]);
            changed |= u32::from(!same) << n;
        }
        self.rebuild(game, after, changed);
    }

    /// Updates the blockers to any state of the game, where a column may differ beneath the same
    /// top card.
    #[inline]
    pub(super) fn update(&mut self, game: &FreeCell, before: &State, after: &State) {
        let moved = engine::changed(&before.below, &after.below);
        let mut changed = 0u32;
        for n in 0..usize::from(game.rules().columns) {
            let same = before.tops[n] == after.tops[n] && self.columns[n] & moved == 0;
            changed |= u32::from(!same) << n;
        }
        self.rebuild(game, after, changed);
    }

    /// Rebuilds these columns.
    #[inline]
    fn rebuild(&mut self, game: &FreeCell, after: &State, changed: u32) {
        let changed = || bits(u64::from(changed));
        self.clear(changed().fold(0, |gone, n| gone | self.columns[n]));
        for n in changed() {
            self.forced_count -= u32::from(std::mem::take(&mut self.forced_in[n]));
            self.columns[n] = 0;
            if after.tops[n] < BASE {
                self.column(game, after, n, after.tops[n]);
            }
        }
    }

    /// Removes these cards, which make up whole columns. Outside columns, nothing lies over a card
    /// and it blocks nothing.
    #[inline]
    fn clear(&mut self, gone: u64) {
        for card in bits(gone) {
            self.above[card] = 0;
            self.blocks[card] = 0;
        }
        self.cards &= !gone;
        self.forced &= !gone;
        self.over_forced &= !gone;
        let mut kept = 0;
        for n in 0..self.run_count {
            if self.runs[n] & gone == 0 {
                self.runs[kept] = self.runs[n];
                kept += 1;
            }
        }
        self.run_count = kept;
    }

    #[inline]
    fn column(&mut self, game: &FreeCell, state: &State, n: usize, top: u8) {
        let mut column = [0u8; 52];
        let mut height = 0;
        let mut over = 0u64;
        let mut below = top;
        while below < BASE {
            let card = usize::from(below);
            column[height] = below;
            height += 1;
            self.above[card] = over;
            over |= 1 << card;
            below = state.below[card];
        }
        self.columns[n] = over;
        // From the bottom up: a card blocks more, the more lies beneath it.
        let mut below = column[height - 1];
        let mut blocked = HIGHER[usize::from(below)];
        self.cards |= over & !(1 << below);
        if !self.by_runs {
            let mut forced = 0;
            for &card in column[..height - 1].iter().rev() {
                forced |= blocked & 1 << card;
                self.blocks[usize::from(card)] = blocked;
                blocked |= HIGHER[usize::from(card)];
            }
            self.forced |= forced;
            self.forced_in[n] = forced.count_ones() as u8;
            self.forced_count += forced.count_ones();
            return;
        }
        let forced_before = self.forced_count;
        let (mut run, mut run_forced) = (1u64 << below, 0u64);
        for &card in column[..height - 1].iter().rev() {
            let bit = 1u64 << card;
            if game.onto[usize::from(card)] >> below & 1 == 1 {
                if run_forced != 0 {
                    self.over_forced |= bit;
                }
            } else {
                self.end_run(run, run_forced);
                (run, run_forced) = (0, 0);
            }
            run |= bit;
            run_forced |= blocked & bit;
            self.blocks[usize::from(card)] = blocked;
            blocked |= HIGHER[usize::from(card)];
            below = card;
        }
        self.end_run(run, run_forced);
        self.forced_in[n] = (self.forced_count - forced_before) as u8;
    }

    #[inline]
    fn end_run(&mut self, run: u64, forced: u64) {
        if forced != 0 {
            self.forced |= run;
            self.forced_count += 1;
        } else if run & (run - 1) != 0 {
            self.runs[self.run_count] = run;
            self.run_count += 1;
        }
    }

    /// The next card of the run beneath this one, where a run counts as one blocker.
    #[inline]
    pub(super) fn run_below(&self, game: &FreeCell, state: &State, card: u8) -> Option<u8> {
        let below = state.below[usize::from(card)];
        // No card may be placed on the codes for base, cell and home.
        let joined = self.by_runs && game.onto[usize::from(card)] >> below & 1 == 1;
        joined.then_some(below)
    }

    /// All cards of the runs that these cards belong to.
    #[inline]
    pub(super) fn whole_runs(&self, cards: u64) -> u64 {
        let runs = self.runs().iter();
        runs.filter(|&&run| run & cards != 0).fold(cards, |all, run| all | run)
    }

    /// The runs of more than one card that are not forced.
    #[inline]
    pub(super) fn runs(&self) -> &[u64] {
        &self.runs[..self.run_count]
    }
}

impl Default for Blockers {
    fn default() -> Self {
        Blockers {
            cards: 0,
            forced: 0,
            forced_count: 0,
            over_forced: 0,
            blocks: [0; 52],
            above: [0; 52],
            by_runs: false,
            runs: [0; 26],
            run_count: 0,
            columns: [0; MAX_COLUMNS],
            forced_in: [0; MAX_COLUMNS],
        }
    }
}

#[cfg(test)]
mod tests {
    use patience_model::{Game, Rng};

    use super::*;
    use crate::freecell::Rules;

    /// All fields, with the runs in any order.
    fn all(blockers: &Blockers) -> impl PartialEq + std::fmt::Debug + use<> {
        let mut runs = blockers.runs().to_vec();
        runs.sort_unstable();
        let cards = (blockers.cards, blockers.forced, blockers.over_forced);
        let columns = (blockers.columns, blockers.forced_in, blockers.forced_count);
        (cards, columns, blockers.blocks, blockers.above, runs)
    }

    /// From state to state, near and far, updated blockers equal those computed from scratch.
    #[test]
    fn updates_equal_a_fresh_start() {
        let games = Rules::PRESETS.iter().flat_map(|(_, rules)| Metric::ALL.map(|m| (*rules, m)));
        for (rules, metric) in games.filter(|(rules, metric)| metric.check(rules).is_ok()) {
            let game = FreeCell::new(rules, metric).expect("a game with a name");
            let mut rng = Rng::new(5);
            let mut before = game.start(&mut rng);
            let mut kept = Blockers::of(&game, &before);
            let (mut state, mut actions) = (before, Vec::new());
            for n in 0..300 {
                game.actions(&state, &mut actions);
                if actions.is_empty() || n % 60 == 0 {
                    state = game.start(&mut rng);
                } else {
                    let next = rng.pick(&actions);
                    game.make(&mut state, next);
                }
                // Mostly after a few moves.
                if rng.below(3) == 0 {
                    kept.update(&game, &before, &state);
                    let anew = Blockers::of(&game, &state);
                    assert_eq!(all(&kept), all(&anew), "{}", state.board(&rules));
                    before = state;
                }
            }
        }
    }
}
