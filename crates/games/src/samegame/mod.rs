//! SameGame, Clickomania and Bubble Breaker (nested MCTS paper, section 5).
//!
//! A board of tiles in several colours. A move removes a group: two or more tiles of one colour,
//! connected by their sides. What is above falls down; an empty column is closed from the right.
//! The game is over when no group is left. The three puzzles differ in what is rewarded
//! ([`Rewards`]) and, at the end, charged ([`Penalty`]).
//!
//! **Two engines.** [`Grid`] is the plain one: it is read, written, and replays every solution
//! that is claimed ([`verify`]). [`Board`] is the fast one. Property tests hold them equal.
//!
//! **Formats.** A board is its rows from the top, a digit per tile. A solution is a list of cells
//! such as `c4`: a letter for the column from the left, a number for the row from the bottom, as
//! the board stands at that step.

mod bandit;
mod bench;
mod board;
mod codes;
mod encoded;
mod entry;
mod error;
mod grid;
mod lines;
mod portfolio;
mod rollout;
mod rules;
mod scoring;
mod shown;
mod solution;
mod text;
mod word;

pub use bandit::Bandit;
pub use board::{Board, Cell};
pub use codes::GroupCodes;
pub use entry::entry;
pub use error::SameGameError;
pub use grid::{Grid, LARGEST, MOST_COLOURS};
pub use lines::TABU_BIAS;
pub use portfolio::{Portfolio, PortfolioSearch};
pub use rollout::{ColourBandit, RandomPolicy, TabuBandit, TabuColor};
pub use rules::{LargeSameGame, SameGame};
pub use scoring::{CLEARED, Penalty, Rewards, Scoring, UnknownName};
pub use solution::{Verified, solution_text, verify};
pub use word::Word;
