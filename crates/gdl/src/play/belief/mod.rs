//! The past of NORNS (Geißer, Keller and Mattmüller 2014, section 3.2): a belief-state tree with
//! probabilities, from which a state that agrees with all that was seen is drawn. Where histories are
//! too many for a tree, states are kept in its place.

mod joints;
mod layers;
mod shared;
mod tree;
mod walk;
mod weights;

pub use shared::SharedBelief;
pub use tree::{BeliefError, BeliefTree};
pub use weights::Weights;
