//! A* over packed states (Hart, Nilsson and Raphael), as the FreeCell paper uses it: a [`Registry`]
//! of packed states, and an open list of ids in a [`BucketQueue`].

mod bits;
mod bucket_queue;
mod certificate;
mod estimate_cache;
mod layers;
mod problem;
mod registry;
mod search;
mod worker;
mod worker_pool;

pub use bits::{BitReader, BitWriter};
pub use bucket_queue::BucketQueue;
pub use certificate::Certificate;
pub use problem::{Finding, Problem};
pub use registry::{Entry, MAX_COST, Registry, StateId};
pub use search::AStar;
pub use worker_pool::Workers;
