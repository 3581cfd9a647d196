//! How to decide: one file per idea of the papers. Knows only `patience-model`.
//!
//! A planner is a value with parameters ([`Planner`]); it starts a search, which is a value with a
//! [`Stepped::step`]. Budget, time, memory, cancellation, progress and the final [`Stats`] are
//! handled once, in [`Stepped::run`].
#![deny(missing_docs)]

mod alpha_beta;
mod artdp;
pub mod astar;
pub mod beam;
mod boltzmann;
mod budget;
mod depth_first;
mod despot;
pub mod determinise;
mod empirical_model;
mod estimate;
mod evaluation;
mod evaluator;
mod finding;
mod first;
mod halt;
mod learning;
mod listed_model;
mod lrtdp;
pub mod nested;
pub mod nrpa;
mod parameter;
mod pg_id;
mod pimc;
mod policy_iteration;
mod random;
mod rollout;
mod root;
mod search;
mod sparse_sampling;
pub mod tree;
pub mod uct;
mod value_iteration;

pub use alpha_beta::{AlphaBeta, AlphaBetaParameters};
pub use artdp::{Artdp, ArtdpParameters};
pub use budget::{Budget, Cancel, Counts, Stats, StopReason};
pub use depth_first::{DepthFirst, DepthFirstSearch};
pub use despot::{ByKnown, DefaultPolicy, Despot, DespotParameters, Repeat};
pub use estimate::{After, Branch, Estimate, StandardError};
pub use evaluation::{Evaluation, Shared, Zero};
pub use evaluator::{Asked, Evaluated, Evaluator, Judgements, Rows, States};
pub use finding::{Bounds, Finding, Verdict};
pub use first::First;
pub use halt::Halt;
pub use learning::{AdaptivePlayouts, Learnt, Mast, NGrams};
pub use lrtdp::Lrtdp;
pub use parameter::{ParameterError, did_you_mean};
pub use pg_id::{Exploration, PgId, PgIdParameters};
pub use pimc::Pimc;
pub use policy_iteration::PolicyIteration;
pub use random::Random;
pub use root::{Belief, Guess, Root, Tracker};
pub use search::{Planner, Search, Status, Stepped, drive, watched};
pub use sparse_sampling::SparseSampling;
pub use value_iteration::{ValueIteration, ValueIterationSearch};
