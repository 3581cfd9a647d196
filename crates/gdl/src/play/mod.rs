//! A described game as a game of the model, and the planners that play it.
//!
//! | part | what it is |
//! |---|---|
//! | [`World`] | positions as values, moves as numbers: what players need of an engine |
//! | [`GdlGame`] | a world as one role sees it |
//! | [`belief`] | what the role may believe about the present |
//! | [`exact`] | the certified optimum over beliefs |
//! | [`players`] | the planners |

pub mod belief;
mod encoded;
pub(crate) mod exact;
mod game;
mod grid;
mod players;
mod shown;
mod world;

pub use exact::{Exact, ExactError};
pub use game::{GameError, GdlGame, GdlState, Move};
pub use players::{ExactPlanner, Hindsight, Norns, Opponents, Several, SeveralSearch};
pub(crate) use world::fingerprint;
pub use world::{Percepts, World};
