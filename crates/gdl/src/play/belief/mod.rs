//! The past of NORNS (Geißer, Keller and Mattmüller 2014, section 3.2): a belief-state tree with
//! probabilities, from which a state that agrees with all that was seen is drawn.

mod shared;
mod tree;
mod weights;

pub use shared::SharedBelief;
pub use tree::{BeliefError, BeliefTree};
pub use weights::Weights;
