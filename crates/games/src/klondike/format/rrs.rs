//! 52×`RRS`: a rank of two digits and a suit of one, in the order of dealing.

use super::{Place, PositionError, bad_card};
use crate::klondike::{Card, Position, Rules, Suit};
use crate::words::counted;

pub(super) fn read(rules: &Rules, text: &str) -> Result<Position, PositionError> {
    let digits: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let expected = rules.pack_size();
    if digits.len() != 3 * expected {
        let found = counted(digits.len(), "digit");
        let message = format!("{found} found; {expected} cards of 3 digits are expected");
        return Err(PositionError::Text(message));
    }
    let mut cards = Vec::with_capacity(expected);
    let face_up: Vec<usize> = face_up(rules.columns()).collect();
    for (i, triple) in digits.chunks(3).enumerate() {
        let (text, place) = (String::from_utf8_lossy(triple), Place::Deal(i + 1));
        let card = match &*text {
            "000" if face_up.contains(&i) => return Err(PositionError::UnknownFaceUp { place }),
            "000" => None,
            _ => Some(parse(triple).ok_or_else(|| bad_card(&text, place))?),
        };
        cards.push(card);
    }
    Ok(Position::lay_out(rules, cards.into_iter()))
}

/// Which cards of the deal come to lie face up: the first of every row.
fn face_up(columns: usize) -> impl Iterator<Item = usize> {
    (0..columns).scan(0, move |next, row| {
        let this = *next;
        *next += columns - row;
        Some(this)
    })
}

fn parse(triple: &[u8]) -> Option<Card> {
    let digit = |i: usize| triple.get(i).filter(|b| b.is_ascii_digit()).map(|b| b - b'0');
    let suit = usize::from(digit(2)?.checked_sub(1)?);
    Card::new(10 * digit(0)? + digit(1)?, *Suit::ALL.get(suit)?)
}

pub(super) fn write(position: &Position) -> Result<String, PositionError> {
    let cards = position.dealt().ok_or_else(|| {
        PositionError::Text("the 52×RRS format cannot express a game in progress".to_owned())
    })?;
    let text = |card: &Option<Card>| match card {
        Some(card) => format!("{:02}{}", card.rank(), card.suit() as u8 + 1),
        None => "000".to_owned(),
    };
    Ok(cards.iter().map(text).collect())
}
