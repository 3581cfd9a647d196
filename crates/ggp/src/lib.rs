//! A player for the protocol of general game playing, over HTTP.
//!
//! A game controller sends messages, each over a connection of its own, and the player answers:
//!
//! | message | answer |
//! |---|---|
//! | `(INFO)` | name and status, also while it thinks |
//! | `(START id role (rules) startclock playclock)` | `ready` |
//! | `(PLAY id …)` | a legal move, before the clock runs out |
//! | `(STOP id …)` | `done`, also while it thinks |
//! | `(ABORT id)` | `aborted`, also while it thinks |
//! | `(PREVIEW (rules) clock)` | `ready` |
//!
//! What happened since the last message comes in three shapes: the joint move of GDL-I, the percepts
//! of GDL-II, or turn, own move and percepts in its newer form. All are understood ([`News`]).
//!
//! Whatever else arrives is answered by an error, and the player goes on.
#![deny(missing_docs)]

mod http;
mod log;
mod match_player;
mod matches;
mod message;
mod running;
mod server;

pub use http::Limits;
pub use message::{Message, MessageError, News};
pub use server::{Options, Server};
