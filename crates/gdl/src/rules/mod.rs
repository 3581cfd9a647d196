//! Rules from a file or by name, made ready to be played.

mod described;
mod file;
mod games;
mod variants;

pub use described::{Described, deciding_role};
pub use file::{NoText, RuleError, RuleFile, text};
pub use games::{GAMES, built_in};
