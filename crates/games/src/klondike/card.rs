//! Cards, laid out so that a card's two possible parents sit together.

use std::fmt;
use std::str::FromStr;

/// A suit. The order is that of the 52×`RRS` format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// All four, in order.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// Whether it is diamonds or hearts.
    pub fn is_red(self) -> bool {
        matches!(self, Suit::Diamonds | Suit::Hearts)
    }

    /// `C`, `D`, `H` or `S`.
    pub fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }

    /// The suit of a letter in either case.
    pub fn from_letter(letter: char) -> Option<Suit> {
        Suit::ALL.into_iter().find(|s| s.letter() == letter.to_ascii_uppercase())
    }

    /// The suit's number inside the engine: red 0 and 1, black 2 and 3.
    #[inline]
    pub(super) fn index(self) -> usize {
        [2, 0, 1, 3][self as usize]
    }

    /// The suit of a number of [`Suit::index`].
    pub(super) fn of_index(index: usize) -> Suit {
        [Suit::Diamonds, Suit::Hearts, Suit::Clubs, Suit::Spades][index & 3]
    }
}

/// A card.
///
/// Inside it is a bit's number: four bits per rank, the colours swapped on odd ranks. So the two
/// cards on which a card may be placed are four bits up, in the same pair of bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of a rank, 1 for the ace to 13 for the king; `None` outside.
    pub fn new(rank: u8, suit: Suit) -> Option<Card> {
        (1..=13).contains(&rank).then(|| Card::of(rank - 1, suit.index()))
    }

    /// The card of a rank from 0 and a suit's index.
    #[inline]
    pub(super) fn of(rank: u8, suit: usize) -> Card {
        Card(Card::bit_of(rank, suit as u8))
    }

    /// The number of the bit of that card.
    #[inline]
    pub(super) const fn bit_of(rank: u8, suit: u8) -> u8 {
        rank << 2 | (suit ^ (rank & 1) << 1)
    }

    /// The card of a bit.
    #[inline]
    pub(super) fn at(bit: u32) -> Card {
        debug_assert!(bit < 52);
        Card(bit as u8)
    }

    /// Its bit's number, below 52.
    #[inline]
    pub(super) fn bit(self) -> u32 {
        u32::from(self.0)
    }

    /// Its bit.
    #[inline]
    pub(super) fn mask(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// The suit's index.
    #[inline]
    pub(super) fn suit_index(self) -> usize {
        usize::from((self.0 & 3) ^ (self.0 >> 1 & 2))
    }

    /// Its rank, from 1 for the ace to 13 for the king.
    #[inline]
    pub fn rank(self) -> u8 {
        (self.0 >> 2) + 1
    }

    /// Its suit.
    pub fn suit(self) -> Suit {
        Suit::of_index(self.suit_index())
    }

    /// Whether this card may be placed on that one: one rank lower and of the other colour.
    pub fn fits_on(self, other: Card) -> bool {
        self.rank() + 1 == other.rank() && self.suit().is_red() != other.suit().is_red()
    }

    /// Its place in the order clubs, diamonds, hearts, spades, each from ace to king: below 52.
    pub fn number(self) -> u8 {
        self.suit() as u8 * 13 + self.rank() - 1
    }

    /// The card of a place in that order.
    pub fn from_number(number: u8) -> Option<Card> {
        Card::new(number % 13 + 1, *Suit::ALL.get(usize::from(number / 13))?)
    }

    /// The 52 cards in order.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..52).filter_map(Card::from_number)
    }
}

const RANKS: [&str; 13] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];

/// The rank's text, `A` to `K` with `T` for ten.
pub(super) fn rank_text(rank: u8) -> &'static str {
    RANKS[usize::from((rank - 1) % 13)]
}

/// The rank of a text: `A`, `2` to `10`, `T`, `J`, `Q`, `K`, or a number from 1 to 13.
pub(super) fn rank_of(text: &str) -> Option<u8> {
    let upper = text.to_ascii_uppercase();
    if let Some(found) = RANKS.iter().position(|r| *r == upper) {
        return Some(found as u8 + 1);
    }
    let plain = text.len() <= 2 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|n| plain && (1..=13).contains(n))
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", rank_text(self.rank()), self.suit().letter()))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no card: a rank (A, 2 to 10 or T, J, Q, K) and a suit (C, D, H, S) are expected")]
pub struct CardError(pub String);

impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Card, CardError> {
        let card = || {
            let suit = Suit::from_letter(text.chars().last()?)?;
            Card::new(rank_of(&text[..text.len() - 1])?, suit)
        };
        // The last character is one byte long whenever it is a suit.
        card().ok_or_else(|| CardError(text.chars().take(12).collect()))
    }
}
