//! What all tree searches share: the tree, the bandit at its nodes, and the way back up.
//!
//! | file | what |
//! |---|---|
//! | `arena` | nodes and edges in flat vectors, with the statistics of every edge |
//! | `rules` | the rules of selection and their formulas: UCB1, its relatives, PUCT, Thompson sampling … |
//! | `bandit` | which edge an episode takes by such a rule, tabulated |
//! | `backup` | what an edge learns from an episode, and what a node backs up |
//!
//! [`uct`](crate::uct) and [`nested`](crate::nested) search are made of all three. The players of
//! other crates take what fits: where a node offers other actions from visit to visit the choice is
//! theirs, with the formulas from here.

mod arena;
mod backup;
mod bandit;
mod curve;
mod rules;

pub use arena::{Arena, Edge, NONE, Node, ROOT};
pub(crate) use backup::Backups;
pub use backup::{Average, Backup};
pub use bandit::{Bandit, Untried};
pub use rules::{At, Seen, Selection, gumbel, normal, tuned_bias, ucb1_bias};
