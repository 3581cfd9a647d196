//! Playing cards, and words for them.

mod card;
pub(crate) mod chain;
mod words;

pub(crate) use card::SUIT_LETTERS;
pub use card::{Card, NotACard, RANKS};
pub(crate) use words::{GERMAN, SUITS, and_more, gathered, words};
