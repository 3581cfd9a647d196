//! Who keeps whom waiting: the paper's graph of blocking and foundation edges, as sets of cards.
//!
//! Where a card lies over a lower card of the suit of another, the other waits for it. A cycle of
//! such waiting is broken only by a card that moves before it can go home, and so moves twice.
//! The card of the cycle that moves first is one that lies over something (the others are covered
//! by cards of the cycle), so only those *blockers* need be hit, and of cycles in which a suit
//! comes twice a part is a cycle too: at most four blockers, of different suits.

use super::engine::FreeCell;
use super::hitting_set::Cover;
use super::state::{self, BASE, State, bits};
use super::{MAX_COLUMNS, Metric, Sequence};

/// For each card those of its suit that are higher.
pub(super) const HIGHER: [u64; 52] = {
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

/// The blockers of a state. Where a run moves at once for a cost of 1, all cards that lie in one
/// run count as one blocker, named by its lowest bit.
#[derive(Clone, Debug)]
pub(super) struct Blockers {
    /// Cards that lie over another.
    pub(super) cards: u64,
    /// Cards that move twice for certain: they, or others of their run, lie over a lower card of
    /// their own suit.
    pub(super) forced: u64,
    /// How many cards or runs these are.
    pub(super) forced_count: u32,
    /// Cards over a part of their run that is forced without them: if they move away alone, it moves too.
    pub(super) over_forced: u64,
    /// For each card in a column those that it keeps waiting.
    pub(super) waiting: [u64; 52],
    /// For each card in a column those that lie over it.
    pub(super) above: [u64; 52],
    /// Whether runs count as one.
    pub(super) by_runs: bool,
    /// Runs of more than one card that are not forced.
    runs: [u64; 26],
    run_count: usize,
    /// The cards of each column, and how many of them, or of their runs, are forced.
    columns: [u64; MAX_COLUMNS],
    forced_in: [u8; MAX_COLUMNS],
}

/// The cycles of two blockers that are not forced.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    /// Those that are in any; a run is there by one of its cards.
    pub(super) vertices: u64,
    /// For each of them those with which it forms a cycle.
    pub(super) neighbours: [u64; 52],
    /// All cards of the vertices' runs.
    pub(super) moving: u64,
}

impl Blockers {
    pub(super) fn of(game: &FreeCell, state: &State) -> Blockers {
        let by_runs = game.metric() != Metric::Single && game.rules().sequence != Sequence::Single;
        let mut blockers = Blockers { by_runs, ..Blockers::default() };
        blockers.renew(game, state, (1 << game.rules().columns) - 1);
        blockers
    }

    /// Makes the blockers of a state those of another that comes a few moves after: only the
    /// columns that changed are looked at, and the highest cards tell which these are.
    #[inline]
    pub(super) fn go_on(&mut self, game: &FreeCell, before: &State, after: &State) {
        let mut changed = 0u32;
        for n in 0..usize::from(game.rules().columns) {
            let (old, new) = (before.tops[n], after.tops[n]);
            // A card that left a column and came back lies on another one now.
            let same = old == new
                && (old >= BASE || before.below[usize::from(old)] == after.below[usize::from(old)]);
            changed |= u32::from(!same) << n;
        }
        self.renew(game, after, changed);
    }

    /// The same for any other state of the game, where a column may differ beneath the same highest
    /// cards.
    #[inline]
    pub(super) fn turn_to(&mut self, game: &FreeCell, before: &State, after: &State) {
        let moved = state::changed(&before.below, &after.below);
        let mut changed = 0u32;
        for n in 0..usize::from(game.rules().columns) {
            let same = before.tops[n] == after.tops[n] && self.columns[n] & moved == 0;
            changed |= u32::from(!same) << n;
        }
        self.renew(game, after, changed);
    }

    /// Looks at these columns again.
    #[inline]
    fn renew(&mut self, game: &FreeCell, after: &State, changed: u32) {
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

    /// Forgets these cards, which are whole columns: nothing lies over a card that is in none, and
    /// it keeps nobody waiting.
    #[inline]
    fn clear(&mut self, gone: u64) {
        for card in bits(gone) {
            self.above[card] = 0;
            self.waiting[card] = 0;
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
        // From the bottom up: whom a card keeps waiting grows with what lies beneath it.
        let mut below = column[height - 1];
        let mut waiting = HIGHER[usize::from(below)];
        self.cards |= over & !(1 << below);
        if !self.by_runs {
            let mut forced = 0;
            for &card in column[..height - 1].iter().rev() {
                forced |= waiting & 1 << card;
                self.waiting[usize::from(card)] = waiting;
                waiting |= HIGHER[usize::from(card)];
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
            run_forced |= waiting & bit;
            self.waiting[usize::from(card)] = waiting;
            waiting |= HIGHER[usize::from(card)];
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

    /// The card beneath one in its run, where runs count as one.
    #[inline]
    pub(super) fn run_below(&self, game: &FreeCell, state: &State, card: u8) -> Option<u8> {
        let below = state.below[usize::from(card)];
        // Bases, cells and homes are no cards onto which one may go.
        let joined = self.by_runs && game.onto[usize::from(card)] >> below & 1 == 1;
        joined.then_some(below)
    }

    /// All cards of the runs that these cards are in.
    #[inline]
    pub(super) fn whole_runs(&self, cards: u64) -> u64 {
        let runs = self.runs[..self.run_count].iter();
        runs.filter(|&&run| run & cards != 0).fold(cards, |all, run| all | run)
    }

    /// The cycles of two.
    pub(super) fn pairs(&self) -> Pairs {
        let mut pairs = Pairs::default();
        pairs.set(self);
        pairs
    }
}

impl Pairs {
    /// Makes these the pairs of some blockers.
    #[inline]
    pub(super) fn set(&mut self, blockers: &Blockers) {
        let free = blockers.cards & !blockers.forced;
        // Of cards that are no vertices it does not matter what is there.
        let neighbours = &mut self.neighbours;
        let mut vertices = 0u64;
        for suit in 0..4 {
            // The cards over lower cards of the suit than the one looked at: what it waits for.
            let mut waits_for = 0u64;
            for card in (suit..52).step_by(4) {
                if free >> card & 1 == 1 {
                    let around = blockers.waiting[card] & waits_for & free;
                    if around != 0 {
                        neighbours[card] = around;
                        vertices |= 1 << card;
                    }
                }
                waits_for |= blockers.above[card];
            }
        }
        self.moving = blockers.whole_runs(vertices);
        for &run in &blockers.runs[..blockers.run_count] {
            join(run, &mut vertices, neighbours);
        }
        self.vertices = vertices;
    }

    /// The fewest that are in all of them.
    #[inline]
    pub(super) fn cover(&self) -> Cover {
        Cover::of(&self.neighbours, self.vertices)
    }
}

impl Default for Pairs {
    fn default() -> Self {
        Pairs { vertices: 0, neighbours: [0; 52], moving: 0 }
    }
}

impl Default for Blockers {
    fn default() -> Self {
        Blockers {
            cards: 0,
            forced: 0,
            forced_count: 0,
            over_forced: 0,
            waiting: [0; 52],
            above: [0; 52],
            by_runs: false,
            runs: [0; 26],
            run_count: 0,
            columns: [0; MAX_COLUMNS],
            forced_in: [0; MAX_COLUMNS],
        }
    }
}

/// Makes one vertex of a run.
fn join(run: u64, vertices: &mut u64, neighbours: &mut [u64; 52]) {
    let members = run & *vertices;
    if members & members.wrapping_sub(1) == 0 {
        return;
    }
    let name = members.trailing_zeros() as usize;
    let around = bits(members).fold(0, |around, card| around | neighbours[card]) & !members;
    for other in bits(around) {
        neighbours[other] = neighbours[other] & !members | 1 << name;
    }
    for card in bits(members) {
        neighbours[card] = 0;
    }
    neighbours[name] = around;
    *vertices &= !members;
    *vertices |= 1 << name;
}

#[cfg(test)]
mod tests {
    use patience_model::{Game, Rng};

    use super::super::Rules;
    use super::*;

    /// All that is known, runs in any order.
    fn all(blockers: &Blockers) -> impl PartialEq + std::fmt::Debug + use<> {
        let mut runs = blockers.runs[..blockers.run_count].to_vec();
        runs.sort_unstable();
        let cards = (blockers.cards, blockers.forced, blockers.over_forced);
        let columns = (blockers.columns, blockers.forced_in, blockers.forced_count);
        (cards, columns, blockers.waiting, blockers.above, runs)
    }

    /// From state to state, near and far, the blockers are those found anew.
    #[test]
    fn blockers_turn_to_any_state() {
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
                // Mostly a few moves at once.
                if rng.below(3) == 0 {
                    kept.turn_to(&game, &before, &state);
                    let anew = Blockers::of(&game, &state);
                    assert_eq!(all(&kept), all(&anew), "{}", state.board(&rules));
                    before = state;
                }
            }
        }
    }
}
