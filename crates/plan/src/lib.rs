//! How to decide: one file per idea of the papers. Knows only `patience-model`.
//!
//! A planner is a value with parameters ([`Planner`]); it starts a search, which is a value with a
//! [`Search::step`]. Budget, time, memory, cancellation, progress and the final [`Stats`] are
//! handled once, in [`Search::run`].
#![deny(missing_docs)]

mod budget;
mod search;

pub use budget::{Budget, Cancel, Counts, Stats, StopReason};
pub use search::{Belief, Estimate, Guess, Planner, Root, Search, Status};
