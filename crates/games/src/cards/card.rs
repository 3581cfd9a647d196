//! Playing cards.

use std::fmt;
use std::str::FromStr;

/// The most ranks that a suit can have.
pub const RANKS: u8 = 13;

/// The letters of the suits: clubs, diamonds, hearts, spades. The order of the numbered deals.
pub(crate) const SUIT_LETTERS: [char; 4] = ['C', 'D', 'H', 'S'];

const RANK_LETTERS: [char; 13] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];

/// A card: its place in the deck AC AD AH AS 2C … KS.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of this rank, 1 (ace) to 13 (king), and suit, 0 to 3.
    ///
    /// # Panics
    /// If there is no such card.
    #[inline]
    pub fn new(rank: u8, suit: u8) -> Self {
        assert!((1..=RANKS).contains(&rank) && suit < 4, "no card of rank {rank}, suit {suit}");
        Card((rank - 1) * 4 + suit)
    }

    /// The card at this place of the deck.
    ///
    /// # Panics
    /// If the deck has no such place.
    #[inline]
    pub fn from_index(index: u8) -> Self {
        assert!(index < 52, "no card {index}");
        Card(index)
    }

    /// The place in the deck, 0 to 51.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// 1 (ace) to 13 (king).
    #[inline]
    pub fn rank(self) -> u8 {
        self.0 / 4 + 1
    }

    /// 0 clubs, 1 diamonds, 2 hearts, 3 spades.
    #[inline]
    pub fn suit(self) -> u8 {
        self.0 % 4
    }

    /// What it is called, such as `seven of hearts`.
    pub fn words(self) -> String {
        super::words(self.rank(), SUIT_LETTERS[usize::from(self.suit())])
    }

    /// Diamonds and hearts.
    #[inline]
    pub fn is_red(self) -> bool {
        matches!(self.suit(), 1 | 2)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = RANK_LETTERS[usize::from(self.rank() - 1)];
        write!(f, "{rank}{}", SUIT_LETTERS[usize::from(self.suit())])
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a card such as `TH` or `10h`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a card; cards are written like AS, 10H or TH")]
pub struct NotACard(pub String);

impl FromStr for Card {
    type Err = NotACard;

    /// Reads `TH`, `10H` or `th`.
    fn from_str(text: &str) -> Result<Self, NotACard> {
        let error = || NotACard(text.chars().take(20).collect());
        let mut letters = text.chars().map(|c| c.to_ascii_uppercase());
        let suit = letters.next_back().ok_or_else(error)?;
        let suit = SUIT_LETTERS.iter().position(|&s| s == suit).ok_or_else(error)?;
        let rank: String = letters.collect();
        let rank = match rank.as_str() {
            "10" => 9,
            "1" => 0,
            rank => RANK_LETTERS.iter().position(|l| rank.chars().eq([*l])).ok_or_else(error)?,
        };
        Ok(Card::new(rank as u8 + 1, suit as u8))
    }
}
