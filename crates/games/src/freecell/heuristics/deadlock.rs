//! The paper's heuristics h0 … h4: cards that are not home, and the deadlocks between them.

use super::blockers::Blockers;
use super::hitting_set;
use super::pairs::Pairs;
use crate::freecell::engine::{FreeCell, State};

/// The heuristic h_p: the cards that are not home, plus the fewest blockers that hit every cycle in
/// which at most p suits have foundation edges.
///
/// Guarantees, for every game of the family: h_p is admissible and consistent, and h0 ≤ h1 ≤ h2 ≤
/// h3 ≤ h4. Where a run moves at once for a cost of 1, the cards of a run count as one blocker: a
/// single move can be the first move of the whole run, but of no other card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deadlock {
    suits: u8,
}

impl Deadlock {
    /// h0: the cards that are not home.
    pub const NONE: Deadlock = Deadlock { suits: 0 };
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

    /// A lower bound on the cost of a solution.
    #[inline]
    pub fn estimate(self, game: &FreeCell, state: &State) -> u32 {
        let left = state.cards_left(game.rules());
        if self.suits == 0 {
            return left;
        }
        let blockers = Blockers::of(game, state);
        if self.suits == 1 {
            return left + blockers.forced_count;
        }
        let cover = Pairs::of(&blockers).cover().size;
        left + blockers.forced_count
            + match self.suits {
                2 => cover,
                suits => hitting_set::minimum(&blockers, usize::from(suits), cover),
            }
    }
}
