//! The heuristics by name.

use super::blockers::Blockers;
use super::contention;
use super::deadlock::Deadlock;
use super::engine::FreeCell;
use super::state::State;

/// What a solution costs at least.
///
/// Guarantee: all of them are admissible, for every game of the family and every metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// One of the paper's h0 … h4.
    Deadlock(Deadlock),
    /// h2 and the contention for cells and columns: the one that solves fastest.
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
        match self {
            Heuristic::Deadlock(deadlock) => deadlock.estimate(game, state),
            Heuristic::Best => {
                let blockers = Blockers::of(game, state);
                let pairs = blockers.pairs();
                state.cards_left(game.rules())
                    + contention::further_moves(game, state, &blockers, &pairs)
            }
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
