//! The rule files that come with the crate.

mod games;

pub use games::{GAMES, built_in};
