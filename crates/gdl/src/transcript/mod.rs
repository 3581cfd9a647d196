//! Transcripts of matches: written by one engine, followed by another.
//!
//! One line for each thing that is known, terms separated by tabs:
//!
//! ```text
//! ROLES white black
//! MATCH 1
//! STATE 0<tab>(cell 1 1 b)<tab>(control white)
//! LEGAL white<tab>(mark 1 1)
//! LEGAL black<tab>noop
//! MOVE<tab>(mark 1 1)<tab>noop
//! SEES white<tab>…
//! STATE 1<tab>…
//! TERMINAL
//! GOAL white 100
//! ENDMATCH ok
//! END ok
//! ```
//!
//! States, legal moves, percepts and goals are sets; case is folded. A transcript may leave out
//! what it does not know, such as percepts or the `MATCH` lines of a single match.

mod follow;
mod write;

pub use follow::{Difference, Followed, follow};
pub use write::{Length, write, write_by};
