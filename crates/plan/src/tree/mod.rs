//! What all tree searches share: the tree, the bandit at its nodes, and the way back up.
//!
//! | file | what |
//! |---|---|
//! | `arena` | nodes and edges in flat vectors, with the statistics of every edge |
//! | `bandit` | which edge an episode takes: UCB1, its relatives, and their formulas |
//! | `backup` | what an edge learns from an episode, and what a node tells its parent |
//!
//! [`uct`](crate::uct) and [`nested`](crate::nested) search are made of all three. The players of
//! other crates take what fits: where a node offers other actions from visit to visit the choice is
//! theirs, with the formulas from here.

mod arena;
mod backup;
mod bandit;
mod curve;

pub use arena::{Arena, Edge, NONE, Node, ROOT};
pub(crate) use backup::Backups;
pub use backup::{Average, Backup};
pub use bandit::{Bandit, Selection, Untried, tuned_bias, ucb1_bias};
