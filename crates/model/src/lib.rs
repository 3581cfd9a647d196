//! What a game is.
//!
//! A game is rules plus a plain state; a planner sees a generative model of it ([`Game`]).
//! What more a game can do is said by small capabilities: its states have a key ([`Keyed`]), a move
//! can be taken back ([`Undo`]), chance can be enumerated ([`Outcomes`]), a part of the state is
//! hidden ([`Hidden`]), it can be written ([`Text`]) and
//! shown to people ([`Shown`]), it can be put into arrays ([`Encoded`]). All randomness comes from one concrete stream,
//! [`Rng`], which is always passed in. [`conformance`] puts any game through its paces.
//!
//! There is no algorithm and no game in this crate.
#![deny(missing_docs)]

pub mod conformance;
mod encoded;
mod game;
mod rng;
mod shown;

pub use encoded::{Encoded, Part};
pub use game::{Game, Hidden, Keyed, Outcome, Outcomes, Step, Text, Undo, obs_text};
pub use rng::Rng;
pub use shown::{Label, Pile, PileKind, Scene, Shown, Standing};
