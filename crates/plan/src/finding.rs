//! What a search has found out about a position as a whole.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A solution is known, and none is better.
    Optimal,
    /// A solution is known.
    Solved,
    /// There is none: that is proven.
    Unsolvable,
    /// Neither is known.
    #[default]
    Unknown,
}

impl Verdict {
    /// Whether nothing is left to find out.
    pub fn is_proven(self) -> bool {
        matches!(self, Verdict::Optimal | Verdict::Unsolvable)
    }

    /// Whether a solution is known.
    pub fn is_solved(self) -> bool {
        matches!(self, Verdict::Optimal | Verdict::Solved)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Optimal => "optimal",
            Verdict::Solved => "solved",
            Verdict::Unsolvable => "unsolvable",
            Verdict::Unknown => "unknown",
        })
    }
}

/// Proven bounds on the value of the best solution, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// It is not below this.
    pub lower: Option<f64>,
    /// It is not above this.
    pub upper: Option<f64>,
}

/// What a search has found out about a position as a whole; as it starts out, nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding<A> {
    /// What is known.
    pub verdict: Verdict,
    /// The best solution known: the moves from the position to the end of the game.
    pub moves: Vec<A>,
    /// What it comes to, in what the search is after: a score, the more the better, or a length, the
    /// fewer the better.
    pub value: Option<f64>,
    /// Between which values the best one lies.
    pub bounds: Bounds,
}

impl<A> Default for Finding<A> {
    fn default() -> Self {
        let (verdict, bounds) = (Verdict::Unknown, Bounds::default());
        Finding { verdict, moves: Vec::new(), value: None, bounds }
    }
}

impl<A> Finding<A> {
    /// A solution that may not be the best.
    pub fn solved(moves: Vec<A>, value: f64) -> Self {
        Finding { verdict: Verdict::Solved, moves, value: Some(value), ..Finding::default() }
    }

    /// Of a position where the goal is reached: there is nothing to do.
    pub fn reached() -> Self {
        let bounds = Bounds { lower: Some(0.0), upper: Some(0.0) };
        Finding { verdict: Verdict::Optimal, moves: Vec::new(), value: Some(0.0), bounds }
    }

    /// The proof that there is no solution.
    pub fn unsolvable() -> Self {
        Finding { verdict: Verdict::Unsolvable, ..Finding::default() }
    }
}
