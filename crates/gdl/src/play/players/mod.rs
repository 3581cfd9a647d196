//! Planners for described games.
//!
//! | planner | the past | the future |
//! |---|---|---|
//! | [`Norns`] | belief-state tree | UCT on the tree of own actions and percepts |
//! | [`Norns`], several roles | belief-state tree | a tree of own actions and percepts for each role |
//! | [`Hindsight`] | belief-state tree | UCT in sampled states, as if all were seen |
//! | [`ExactPlanner`] | all states with their weights | all beliefs, equal ones merged |

mod exact;
mod hindsight;
mod norns;
mod proof;
mod several;

pub use exact::ExactPlanner;
pub use hindsight::Hindsight;
pub use norns::{Norns, Opponents};
pub use several::{Several, SeveralSearch};
