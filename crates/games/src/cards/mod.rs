//! Playing cards, and words for them.

mod card;
mod words;

pub use card::{Card, NotACard, RANKS};
pub(crate) use card::SUIT_LETTERS;
pub(crate) use words::{SUITS, and_more, gathered, words};

/// A number that tells deals apart, for the keys of states whose layout never changes: FNV-1a.
pub(crate) fn deal_key<'c>(piles: impl IntoIterator<Item = &'c Vec<Card>>) -> u64 {
    let ends = |pile: &'c Vec<Card>| pile.iter().map(|card| card.index() as u64).chain([52]);
    piles.into_iter().flat_map(ends).fold(0xcbf2_9ce4_8422_2325, |key, part| {
        (key ^ part).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
