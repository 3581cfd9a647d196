//! The paper's heuristics h0 … h4: cards that are not home, and the deadlocks between them.
//!
//! Where a card lies over a lower card of the suit of another, the other waits for it. A cycle of
//! such waiting is broken only by a card that moves before it can go home, and so moves twice.
//! The card of the cycle that moves first is one that lies over something (the others are covered
//! by cards of the cycle), so only those *blockers* need be hit, and of cycles in which a suit
//! comes twice a part is a cycle too: at most four blockers, of different suits.

use super::engine::FreeCell;
use super::hitting_set::{self, Cycles};
use super::state::{BASE, State};
use super::{Metric, Sequence};

/// The heuristic h_p: the cards that are not home, plus the fewest blockers that hit every cycle
/// in which at most p suits have foundation edges.
///
/// Guarantees, for every game of the family: h_p is admissible and consistent, and
/// h0 ≤ h1 ≤ h2 ≤ h3 ≤ h4. Where a run moves at once for a cost of 1, all cards that lie in one
/// run count as one blocker: the first move of a card of a run away from its place can be that of
/// all the run, but of no other card that has not moved before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deadlock {
    suits: u8,
}

impl Deadlock {
    /// h2, the paper's best.
    pub const TWO: Deadlock = Deadlock { suits: 2 };

    /// h_p for p suits, 0 to 4.
    pub fn new(suits: u8) -> Option<Self> {
        (suits <= 4).then_some(Deadlock { suits })
    }

    /// How many suits may have foundation edges in a cycle.
    pub fn suits(self) -> u8 {
        self.suits
    }

    /// What a solution of the state costs at least.
    #[inline]
    pub fn estimate(self, game: &FreeCell, state: &State) -> u32 {
        let left = state.cards_left(game.rules());
        if self.suits == 0 {
            return left;
        }
        let (cycles, forced) = Blockers::of(game, state);
        left + forced
            + match self.suits {
                1 => 0,
                2 => hitting_set::pairs(&cycles),
                suits => hitting_set::up_to(&cycles, usize::from(suits)),
            }
    }
}

/// For each card those of its suit that are higher.
const HIGHER: [u64; 52] = {
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

struct Blockers;

impl Blockers {
    /// The waiting between blockers, and how many of them (cards, or runs where runs move at once)
    /// lie over a lower card of their own suit and so must move twice for certain.
    #[inline]
    fn of(game: &FreeCell, state: &State) -> (Cycles, u32) {
        let runs = game.metric() != Metric::Single && game.rules().sequence != Sequence::Single;
        let mut cycles = Cycles::default();
        let mut forced = 0;
        let mut column = [0u8; 52];
        for &top in &state.tops[..usize::from(game.rules().columns)] {
            if top >= BASE {
                continue;
            }
            let mut height = 0;
            for card in state.column(top) {
                column[height] = card;
                height += 1;
            }
            // From the bottom up: whom a card keeps waiting grows with what lies beneath it.
            let mut waiting = HIGHER[usize::from(column[height - 1])];
            let mut place = height - 1;
            // The lowest run needs nothing beneath it to move; its upper cards can still block.
            let mut below = column[height - 1];
            let mut group: u64 = 1 << below;
            let mut group_forced = false;
            loop {
                let card = if place > 0 { Some(column[place - 1]) } else { None };
                let joined =
                    card.is_some_and(|c| runs && game.onto[usize::from(c)] >> below & 1 == 1);
                if !joined {
                    // The group is complete.
                    if group_forced {
                        forced += 1;
                        cycles.remove(group);
                    } else {
                        cycles.group(group);
                    }
                    group = 0;
                    group_forced = false;
                }
                let Some(card) = card else { break };
                place -= 1;
                group |= 1 << card;
                group_forced |= waiting >> card & 1 == 1;
                cycles.put(card, waiting);
                waiting |= HIGHER[usize::from(card)];
                below = card;
            }
        }
        (cycles, forced)
    }
}
