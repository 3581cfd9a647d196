//! Searches: any solution, a shortest one with its proof, and the distance after every move.
//!
//! [`Shortest`] is the problem that A* solves. Its [`successors`] are macro moves, of which
//! [`commutativity`] prunes those that only change the order. [`quick`] and [`score`] are the
//! greedy search for a first solution.

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
