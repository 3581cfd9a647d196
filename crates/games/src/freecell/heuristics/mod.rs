//! Heuristics: the paper's deadlock heuristics, and dead-end detection beyond them.
//!
//! [`blockers`] builds the graph of a state and [`pairs`] its shortest cycles, [`hitting_set`]
//! finds the fewest blockers that hit the cycles, and [`Deadlock`] adds them to the cards left.
//! [`analysis`] and [`lookahead`] keep h2 up to date from state to state, which is what a search
//! spends its time on. [`dead_end`] shows, by the [`relaxation`] of a state with little space, that
//! h2 is too low.

mod analysis;
mod blockers;
mod dead_end;
mod deadlock;
mod hitting_set;
mod lookahead;
mod pairs;
mod relaxation;

pub(crate) use analysis::{Analysis, AnalysisCache};
pub(crate) use blockers::HIGHER;
pub use deadlock::Deadlock;
pub(crate) use lookahead::Lookahead;

use super::engine::{FreeCell, State};

/// A lower bound on the cost of a solution.
///
/// Guarantee: all of them are admissible, for every game of the family and every metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// One of the paper's h0 … h4.
    Deadlock(Deadlock),
    /// h2 with dead-end detection: the one that solves fastest.
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

    /// A lower bound on the cost of a solution of the state.
    #[inline]
    pub fn estimate(self, game: &FreeCell, state: &State) -> u32 {
        self.estimate_up_to(game, state, None)
    }

    /// The same if it only matters whether it exceeds `limit`: admissible, and above the limit if
    /// [`Heuristic::estimate`] is.
    #[inline]
    pub(crate) fn estimate_up_to(self, game: &FreeCell, state: &State, limit: Option<u32>) -> u32 {
        match self {
            Heuristic::Deadlock(deadlock) => deadlock.estimate(game, state),
            Heuristic::Best => Self::best_up_to(game, state, &Analysis::of(game, state), limit),
        }
    }

    /// The same for [`Heuristic::Best`], given the analysis of the state.
    #[inline]
    pub(crate) fn best_up_to(
        game: &FreeCell,
        state: &State,
        analysis: &Analysis,
        limit: Option<u32>,
    ) -> u32 {
        let h2 = analysis.h2(game);
        let counted = analysis.counted();
        let is_dead_end =
            |slack| dead_end::is_dead_end(game, state, &analysis.blockers, counted, slack);
        match limit {
            Some(limit) if h2 > limit => h2,
            Some(limit) if is_dead_end(limit - h2) => limit + 1,
            Some(_) => h2,
            None => h2 + (0..).take_while(|&slack| is_dead_end(slack)).count() as u32,
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
