//! Rules as logic programs: ground terms, and clauses that an evaluator can run.
//!
//! [`clauses`] takes `or`, `and` and nested `not` out of the rules, tells relations that depend on
//! their own negation apart by a constant argument where that helps (local stratification), derives for
//! constants what is only asked with constants, and splits long rules. [`frames`] splits more of them, for
//! grounding only.

mod clause;
mod demand;
mod frames;
mod graph;
mod local_strata;
mod normal_form;
mod role_positions;
mod split;
mod terms;

pub(crate) use clause::{AtomPattern, Clause, Literal, Pattern};
pub(crate) use frames::frames;
pub(crate) use graph::components;
pub(crate) use normal_form::clauses;
pub(crate) use role_positions::RolePositions;
pub use terms::{TermId, Terms};
