//! The past of NORNS (Geißer, Keller and Mattmüller 2014, section 3.2): a belief-state tree with
//! probabilities, from which a state that agrees with all that was seen is drawn.

mod tree;
mod weights;

pub use tree::{BeliefTree, SharedBelief};
pub use weights::Weights;
