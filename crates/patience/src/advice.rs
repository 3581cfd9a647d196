//! What a search says of a position: one value for every front end.

use patience_plan::Stats;
use serde::Serialize;

/// What is known of one move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveAdvice {
    /// The move, in the game's notation.
    pub action: String,
    /// Its estimated value; `None` if it was never tried.
    pub value: Option<f64>,
    /// Ends of the 95% interval (Student's) of the value, where there is an honest one: where it is
    /// the mean of independent trees or episodes. A tree that learns has none.
    pub low: Option<f64>,
    /// See `low`.
    pub high: Option<f64>,
    /// How often it was tried.
    pub visits: u64,
    /// The same number, as games with hidden cards call it: the deals or episodes behind the value.
    pub samples: u64,
    /// Whether the value is proven: a sure win or a sure loss, whatever is hidden.
    pub sure: bool,
}

/// What a search says of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The game, as a string.
    pub game: String,
    /// The planner, as a string.
    pub planner: String,
    /// The seed of all streams.
    pub seed: u64,
    /// The position, as the player may see it.
    pub position: String,
    /// The recommended move; `None` if the game is over.
    pub best: Option<String>,
    /// All legal moves, in the game's order.
    pub moves: Vec<MoveAdvice>,
    /// What the search has spent, and why it stopped.
    pub stats: Stats,
}
