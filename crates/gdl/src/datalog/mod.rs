//! A bottom-up Datalog evaluator with function terms, stratified negation and indexes.
//!
//! One evaluator serves twice: the lifted engine runs it on a state, the grounder runs it on all
//! facts that can ever hold and records which instances of which clauses gave them.

mod by_head;
mod emit;
mod facts;
mod index;
mod plan;
mod run;
mod strata;

pub(crate) use by_head::ClausesByHead;
pub(crate) use emit::{Emit, Insert, Interrupt, Interrupted, TimeLimit};
pub(crate) use facts::Facts;
pub(crate) use plan::{Mode, Plan, Planning};
pub(crate) use run::Runner;
pub(crate) use strata::{Strata, Stratum};
