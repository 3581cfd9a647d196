//! What can be wrong with a position or its text, with the card and the place.

use std::fmt;

use super::{Card, CardError, Suit};
use crate::words::counted;

/// Where a card lies; all numbers from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In the tableau, counted from the bottom of the column.
    Column {
        /// The column, from the left.
        column: usize,
        /// The card, from the bottom.
        card: usize,
    },
    /// In the stock, counted from the next to be turned.
    Stock(usize),
    /// In the waste, counted from the bottom.
    Waste(usize),
    /// On a foundation.
    Foundation(Suit),
    /// In the order of dealing.
    Deal(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Column { column, card } => {
                write!(f, "column {column}, card {card} from the bottom")
            }
            Place::Stock(n) => write!(f, "the stock, card {n} to be turned"),
            Place::Waste(n) => write!(f, "the waste, card {n} from the bottom"),
            Place::Foundation(suit) => write!(f, "the foundation of {suit:?}"),
            Place::Deal(n) => write!(f, "card {n} of the deal"),
        }
    }
}

fn list(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

/// Why a position is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum PositionError {
    #[error("{place}: {error}")]
    Card { place: Place, error: CardError },
    #[error("{card} is there twice: {first}, and {second}")]
    Twice { card: Card, first: Place, second: Place },
    #[error("{card} ({place}) is not in this pack")]
    NotInThePack { card: Card, place: Place },
    #[error(
        "{} {} nowhere, but {unknown} {} marked as unknown: {}",
        counted(missing.len(), "card"),
        if missing.len() == 1 { "lies" } else { "lie" },
        if *unknown == 1 { "is" } else { "are" },
        list(missing)
    )]
    Missing { missing: Vec<Card>, unknown: usize },
    #[error("{place}: {card} cannot lie on {on}: face-up cards build down in alternating colours")]
    DoesNotBuild { card: Card, on: Card, place: Place },
    #[error("column {column} has face-down cards but none face up")]
    NothingFaceUp { column: usize },
    #[error(
        "column {column} has {}; there can be {most} at most", counted(*count, "face-down card")
    )]
    TooManyFaceDown { column: usize, count: usize, most: usize },
    #[error("{place}: a face-down card lies on a face-up one")]
    FaceDownOnTop { place: Place },
    #[error("{place}: an unknown card cannot lie face up")]
    UnknownFaceUp { place: Place },
    #[error("the foundation of {suit:?} cannot hold {}", counted(usize::from(*count), "card"))]
    Foundation { suit: Suit, count: u8 },
    #[error("{place}: {card} found where {expected} is expected: foundations build up by suit")]
    FoundationOrder { place: Place, card: Card, expected: Card },
    #[error("stock and waste have {}; there can be {most} at most", counted(*count, "card"))]
    TooManyInStock { count: usize, most: usize },
    #[error(
        "{} found, {expected} {} expected",
        counted(*found, "column"),
        if *expected == 1 { "is" } else { "are" }
    )]
    Columns { found: usize, expected: usize },
    #[error(
        "the waste was turned over {}, but these rules allow {most} at most",
        counted(*count as usize, "time")
    )]
    TooManyRedeals { count: u32, most: u32 },
    #[error("{place}: the card is unknown, but all cards must be known here")]
    Unknown { place: Place },
    #[error("{0}")]
    Text(String),
}
