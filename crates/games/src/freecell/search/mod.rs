//! Searches: any solution, a shortest one with its proof, and the distance after every move.
//!
//! [`Shortest`] is the problem that A* solves. Its successors are macro moves
//! ([`successors`](self::successors)), of which [`commutativity`](self::commutativity) prunes those
//! that only change the order. [`quick`](self::quick) and [`score`](self::score) are the greedy search
//! for a first solution.

mod commutativity;
mod distance;
mod optimal;
mod quick;
mod satisficing;
mod score;
mod shortest;
mod successors;

pub use distance::Distance;
pub use optimal::{Optimal, OptimalSearch};
pub use satisficing::{Satisficing, SatisficingSearch};
pub use shortest::{Shortest, Work};
