//! Solvitaire's JSON: piles from the bottom to the top, lower-case suits for face-down cards.

use serde_json::{Map, Value, json};

use super::{Place, PositionError, card, open_card};
use crate::klondike::{Card, Column, Position, Suit};

const KEYS: [&str; 5] = ["tableau piles", "stock", "waste", "foundations", "redeals"];

/// The position of an answer of `patience solve klondike --json`, if this is one.
pub(super) fn answered(text: &str) -> Result<Option<String>, PositionError> {
    let all = object(text)?;
    let is_answer = all.contains_key("position") && !all.contains_key("tableau piles");
    let position = all.get("position").filter(|_| is_answer);
    let text = position.map(|value| {
        value.as_str().map(str::to_owned).ok_or_else(|| fault("position", "a string is expected"))
    });
    text.transpose()
}

fn object(text: &str) -> Result<Map<String, Value>, PositionError> {
    match serde_json::from_str(text) {
        Ok(Value::Object(all)) => Ok(all),
        Ok(other) => {
            let what = if other.is_array() { "a list" } else { "no object" };
            Err(PositionError::Text(format!(
                "this is JSON, but {what}: one position is expected, an object with `tableau piles`, or \
                 one answer of a solver with its `position`"
            )))
        }
        Err(error) => Err(PositionError::Text(format!("this is no JSON: {error}"))),
    }
}

pub(super) fn read(text: &str) -> Result<Position, PositionError> {
    let all = object(text)?;
    if let Some(key) = all.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let message = format!("key `{key}` is unknown; expected are {}", KEYS.join(", "));
        return Err(PositionError::Text(message));
    }
    let mut position = Position::default();
    let piles = all.get("tableau piles").ok_or_else(|| fault("tableau piles", "it is missing"))?;
    for (i, pile) in list("tableau piles", piles)?.iter().enumerate() {
        position.columns.push(column(strings("tableau piles", pile)?, i + 1)?);
    }
    if let Some(stock) = all.get("stock") {
        let cards = strings("stock", stock)?;
        let count = cards.len();
        for (i, text) in cards.into_iter().enumerate() {
            position.stock.push(card(text, Place::Stock(count - i))?);
        }
    }
    if let Some(waste) = all.get("waste") {
        for (i, text) in strings("waste", waste)?.into_iter().enumerate() {
            position.waste.push(open_card(text, Place::Waste(i + 1))?);
        }
    }
    if let Some(piles) = all.get("foundations") {
        for pile in list("foundations", piles)? {
            foundation(strings("foundations", pile)?, &mut position)?;
        }
    }
    if let Some(redeals) = all.get("redeals") {
        let number = redeals.as_u64().and_then(|n| u32::try_from(n).ok());
        position.redeals = number.ok_or_else(|| fault("redeals", "a whole number is expected"))?;
    }
    Ok(position)
}

fn fault(key: &str, message: &str) -> PositionError {
    PositionError::Text(format!("`{key}`: {message}"))
}

fn list<'v>(key: &str, value: &'v Value) -> Result<&'v [Value], PositionError> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| fault(key, "a list is expected"))
}

fn strings<'v>(key: &str, value: &'v Value) -> Result<Vec<&'v str>, PositionError> {
    let text = |v: &'v Value| v.as_str().ok_or_else(|| fault(key, "cards as strings are expected"));
    list(key, value)?.iter().map(text).collect()
}

fn column(texts: Vec<&str>, number: usize) -> Result<Column, PositionError> {
    let mut column = Column::default();
    for (i, text) in texts.into_iter().enumerate() {
        let place = Place::Column { column: number, card: i + 1 };
        // What nobody has seen lies face down.
        if text == "??" || text.ends_with(|c: char| c.is_ascii_lowercase()) {
            if !column.up.is_empty() {
                return Err(PositionError::FaceDownOnTop { place });
            }
            column.down.push(card(text, place)?);
        } else {
            column.up.push(open_card(text, place)?);
        }
    }
    Ok(column)
}

/// A foundation must build up by suit from its ace.
fn foundation(texts: Vec<&str>, position: &mut Position) -> Result<(), PositionError> {
    let mut suit = None;
    for (i, text) in texts.into_iter().enumerate() {
        let found: Card =
            text.parse().map_err(|error| PositionError::Text(format!("`foundations`: {error}")))?;
        let suit = *suit.get_or_insert(found.suit());
        let place = Place::Foundation(suit);
        if i == 0 && position.foundations[suit as usize] > 0 {
            let message = format!("there are two foundations of {suit:?}");
            return Err(fault("foundations", &message));
        }
        let expected = Card::new((i + 1).min(13) as u8, suit)
            .ok_or_else(|| fault("foundations", "a card is expected"))?;
        if found != expected || i >= 13 {
            return Err(PositionError::FoundationOrder { place, card: found, expected });
        }
        position.foundations[suit as usize] += 1;
    }
    Ok(())
}

pub(super) fn write(position: &Position) -> String {
    let open = |card: &Card| card.to_string();
    let closed = |card: &Option<Card>| match card {
        Some(card) => {
            let text = card.to_string();
            let (rank, suit) = text.split_at(text.len() - 1);
            format!("{rank}{}", suit.to_ascii_lowercase())
        }
        None => "??".to_owned(),
    };
    let pile = |column: &Column| -> Vec<String> {
        column.down.iter().map(closed).chain(column.up.iter().map(open)).collect()
    };
    let stock: Vec<_> =
        position.stock.iter().map(|c| c.map_or("??".to_owned(), |c| c.to_string())).collect();
    let mut all = Map::new();
    let piles: Vec<_> = position.columns.iter().map(pile).collect();
    all.insert("tableau piles".to_owned(), json!(piles));
    all.insert("stock".to_owned(), json!(stock));
    all.insert("waste".to_owned(), json!(position.waste.iter().map(open).collect::<Vec<_>>()));
    if position.foundations != [0; 4] {
        let pile = |(suit, &count): (&Suit, &u8)| -> Vec<String> {
            (1..=count).filter_map(|r| Card::new(r, *suit)).map(|c| c.to_string()).collect()
        };
        let piles: Vec<_> = Suit::ALL.iter().zip(&position.foundations).map(pile).collect();
        all.insert("foundations".to_owned(), json!(piles));
    }
    if position.redeals > 0 {
        all.insert("redeals".to_owned(), json!(position.redeals));
    }
    format!("{:#}\n", Value::Object(all))
}
