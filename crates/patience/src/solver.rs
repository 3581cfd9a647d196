//! Solvers: where a planner chooses a move, a solver deals with a whole deal or board.

use patience_lab::{Column, TaskError};
use patience_model::{Game, Rng};
use patience_plan::Cancel;

/// Solves a position, and reports on it in columns.
pub trait Solver<G: Game>: Send + Sync {
    /// What it reports of a position.
    fn columns(&self) -> Vec<Column>;

    /// Solves it: a value for each column.
    ///
    /// # Errors
    /// If it was cancelled or cannot deal with the position.
    fn solve(
        &self,
        game: &G,
        state: &G::State,
        rng: Rng,
        cancel: &Cancel,
    ) -> Result<Vec<f64>, TaskError>;
}
