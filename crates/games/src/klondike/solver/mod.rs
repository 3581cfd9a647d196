//! The thoughtful solver: all cards are known; is there a way to win?
//!
//! A depth-first search over classes of positions on a bit engine, with a table of the classes that
//! were seen. It begins again with another order of moves every few hundred nodes: a win that one
//! order misses for millions of nodes another one often finds at once. What was shown to be lost
//! stays in the table, so that little is done twice. **Guarantees**: complete and exact within its budget; every win is returned as a list
//! of moves of the obvious engine and was replayed by it. Deterministic.
//!
//! Reductions, each held against search without it by trying everything on small packs:
//! - the arrangement of runs is left out;
//! - positions that differ only by moves to and from foundations are one node;
//! - a locked card that may go home safely does so at once, and a card that is safe at home is not
//!   taken back (Blake and Gent);
//! - turning one card at a time, a safe card of the stock goes home at once, because taking it
//!   hinders nothing; turning more, that is so for the last card if the next pass starts anew;
//! - of positions that differ only in how far the stock is turned, one in which more cards are
//!   within reach stands for the others;
//! - a position in which a card can never be turned up, even if whatever was possible once stayed
//!   so, is lost (see `relaxed.rs`).

pub(crate) mod class;
mod line;
mod relaxed;
pub(crate) mod search;
pub(crate) mod state;
mod table;

use patience_plan::Cancel;

use super::{Move, Position, PositionError, Rules};
pub use line::way;
use search::{Found, Hunt};
use state::Layout;

/// What is known after a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// There is a way to win.
    Won,
    /// There is none.
    Lost,
    /// The budget ended before either was shown.
    Unknown,
}

/// How the solver searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverOptions {
    /// Nodes (classes of positions) at most; `None` for no limit.
    pub nodes: Option<u64>,
    /// Bytes of the table at most; when it is full it forgets, which costs time only.
    pub memory: u64,
    /// Whether cards may be taken back from the foundations.
    pub worrying_back: bool,
    /// Whether proven reductions beyond the representation are used; without them the search is
    /// for checking them.
    pub prune: bool,
    /// Nodes after which the search begins again with another order of moves, the first time;
    /// later a little more each time.
    pub round: u64,
}

impl Default for SolverOptions {
    fn default() -> Self {
        SolverOptions { nodes: None, memory: 1 << 30, worrying_back: true, prune: true, round: 200 }
    }
}

/// A search's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// What was found.
    pub verdict: Verdict,
    /// The moves to the end, for [`Verdict::Won`].
    pub moves: Vec<Move>,
    /// Nodes searched.
    pub nodes: u64,
    /// Bytes of the table at the end.
    pub bytes: u64,
}

/// Why a position cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The position is none, or a card is unknown.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The number of redeals is limited.
    #[error("the solver needs redeals without limit; these rules allow {0}")]
    LimitedRedeals(u32),
    /// A win that the obvious engine does not accept: a fault of the solver.
    #[error("a solution was found that does not stand: {0}")]
    Fault(String),
}

/// The solver; its memory is used again from one position to the next.
#[derive(Debug)]
pub struct Solver {
    rules: Rules,
    options: SolverOptions,
    hunt: Hunt,
}

impl Solver {
    /// A solver for these rules.
    ///
    /// # Errors
    /// If redeals are limited.
    pub fn new(rules: Rules, options: SolverOptions) -> Result<Solver, SolveError> {
        if let Some(redeals) = rules.redeals() {
            return Err(SolveError::LimitedRedeals(redeals));
        }
        Ok(Solver { rules, options, hunt: Hunt::new(options) })
    }

    /// Solves a position.
    ///
    /// # Errors
    /// If it is none by these rules or a card is unknown.
    pub fn solve(&mut self, position: &Position, cancel: &Cancel) -> Result<Solution, SolveError> {
        position.check(&self.rules)?;
        position.check_known()?;
        let (layout, state) = Layout::new(&self.rules, position);
        let found = self.hunt.run(&layout, state, cancel);
        let mut moves = Vec::new();
        let verdict = match found {
            Found::Won => {
                moves = line::moves(&self.rules, position, self.hunt.line())
                    .map_err(SolveError::Fault)?;
                Verdict::Won
            }
            Found::Lost => Verdict::Lost,
            Found::Stopped => Verdict::Unknown,
        };
        let (nodes, bytes) = (self.hunt.nodes(), self.hunt.bytes());
        Ok(Solution { verdict, moves, nodes, bytes })
    }

    /// The options.
    pub fn options(&self) -> &SolverOptions {
        &self.options
    }
}
