//! The heuristics by name.

use super::blockers::{Blockers, Pairs};
use super::deadlock::Deadlock;
use super::engine::FreeCell;
use super::escape::Escape;
use super::hitting_set::Cover;
use super::state::State;

/// What a solution costs at least.
///
/// Guarantee: all of them are admissible, for every game of the family and every metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// One of the paper's h0 … h4.
    Deadlock(Deadlock),
    /// h2, and whether cells and columns can be won back: the one that solves fastest.
    Best,
}

impl Heuristic {
    /// The names: `best`, `h0` … `h4`.
    pub const NAMES: [&str; 6] = ["best", "h0", "h1", "h2", "h3", "h4"];

    /// The heuristic of this name.
    pub fn named(name: &str) -> Option<Heuristic> {
        if name == "best" {
            return Some(Heuristic::Best);
        }
        let suits = name.strip_prefix('h')?.parse().ok()?;
        Deadlock::new(suits).map(Heuristic::Deadlock)
    }

    /// What a solution of the state costs at least.
    #[inline]
    pub fn estimate(self, game: &FreeCell, state: &State) -> u32 {
        self.estimate_for(game, state, None)
    }

    /// The same where it may only be asked whether it is more than `enough`: admissible, and more
    /// than that if [`Heuristic::estimate`] is.
    #[inline]
    pub(super) fn estimate_for(self, game: &FreeCell, state: &State, enough: Option<u32>) -> u32 {
        match self {
            Heuristic::Deadlock(deadlock) => deadlock.estimate(game, state),
            Heuristic::Best => {
                let blockers = Blockers::of(game, state);
                let pairs = blockers.pairs();
                Self::best_for(game, state, &blockers, &pairs, pairs.cover(), enough)
            }
        }
    }

    /// The same for [`Heuristic::Best`] where the blockers are known, and what covers the pairs.
    #[inline]
    pub(super) fn best_for(
        game: &FreeCell,
        state: &State,
        blockers: &Blockers,
        pairs: &Pairs,
        cover: Cover,
        enough: Option<u32>,
    ) -> u32 {
        let least = state.cards_left(game.rules()) + blockers.forced_count + cover.size;
        let anyway = blockers.forced | pairs.moving;
        let is_shut = |spare| Escape::is_shut(game, state, blockers, anyway, spare);
        match enough {
            Some(enough) if least > enough => least,
            Some(enough) => {
                if is_shut(enough - least) {
                    enough + 1
                } else {
                    least
                }
            }
            None => least + (0..).take_while(|&spare| is_shut(spare)).count() as u32,
        }
    }
}

impl std::fmt::Display for Heuristic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Heuristic::Deadlock(deadlock) => write!(f, "h{}", deadlock.suits()),
            Heuristic::Best => f.write_str("best"),
        }
    }
}
