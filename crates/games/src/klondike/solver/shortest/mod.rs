//! Shortest solutions, with all cards known.
//!
//! **What is counted**: a turn of the stock, and every card or run that is moved. Turning the waste over
//! costs nothing, nor does the card that is turned up: so count the public solvers for shortest solutions.
//!
//! First the [thoughtful solver](super) says whether the deal can be won. Then A* with estimates that
//! weigh double looks for a short solution for a while, and last A* for a shortest one, with its proof.
//! Positions are told apart by what matters for the length (`node.rs`), moves are put together to macro
//! moves (`successors.rs`), and landmarks say what is to be done at least (`bound.rs`).

mod bound;
mod line;
mod node;
mod problem;
mod search;
mod successors;

pub use problem::{Point, Shortest, Work};
pub use search::{Optimal, OptimalSearch};
