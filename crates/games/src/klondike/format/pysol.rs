//! PySol's text: the talon, then one line per column with `<7H>` for face-down cards.

use super::{Place, PositionError, bad_card, card, open_card};
use crate::klondike::card::{rank_of, rank_text};
use crate::klondike::{Card, Column, Position, Suit};

pub(super) fn read(text: &str) -> Result<Position, PositionError> {
    let mut position = Position::default();
    let mut seen = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, rest) = match line.split_once(':') {
            Some((name, rest)) => (name.trim().to_ascii_lowercase(), rest),
            None => (String::new(), line),
        };
        if !name.is_empty() {
            if seen.contains(&name) {
                return Err(PositionError::Text(format!("`{name}:` is there twice")));
            }
            seen.push(name.clone());
        }
        match &*name {
            "" => position.columns.push(column(rest, position.columns.len() + 1)?),
            "talon" | "stock" => {
                let cards = rest.split_whitespace().enumerate();
                let cards: Result<Vec<_>, _> =
                    cards.map(|(i, t)| card(bare(t), Place::Stock(i + 1))).collect();
                position.stock = cards?;
                position.stock.reverse();
            }
            "waste" => {
                let cards = rest.split_whitespace().enumerate();
                let cards: Result<Vec<_>, _> =
                    cards.map(|(i, t)| open_card(t, Place::Waste(i + 1))).collect();
                position.waste = cards?;
            }
            "foundations" => {
                let mut said = 0u8;
                for entry in rest.split_whitespace() {
                    let (suit, count) = foundation(entry).ok_or_else(|| {
                        PositionError::Text(format!(
                            "`{entry}` in `Foundations:`: a suit and its top card, such as H-5, are \
                             expected"
                        ))
                    })?;
                    if said >> suit as u8 & 1 == 1 {
                        let message =
                            format!("`{entry}` in `Foundations:`: its suit is there twice");
                        return Err(PositionError::Text(message));
                    }
                    said |= 1 << suit as u8;
                    position.foundations[suit as usize] = count;
                }
            }
            "redeals" => {
                position.redeals = rest.trim().parse().map_err(|_| {
                    PositionError::Text(format!("`{}` is no number of redeals", rest.trim()))
                })?;
            }
            _ => {
                let message = format!(
                    "`{name}:` is unknown: Foundations, Talon, Waste, Redeals and columns are expected"
                );
                return Err(PositionError::Text(message));
            }
        }
    }
    Ok(position)
}

/// A card of the talon may be written as face down too.
fn bare(text: &str) -> &str {
    text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).unwrap_or(text)
}

fn foundation(entry: &str) -> Option<(Suit, u8)> {
    let (suit, rank) = entry.split_once('-')?;
    let suit = Suit::from_letter(suit.chars().next().filter(|_| suit.len() == 1)?)?;
    Some((suit, if rank == "0" { 0 } else { rank_of(rank)? }))
}

fn column(text: &str, number: usize) -> Result<Column, PositionError> {
    let mut column = Column::default();
    for (i, text) in text.split_whitespace().enumerate() {
        let place = Place::Column { column: number, card: i + 1 };
        match text.strip_prefix('<') {
            Some(rest) => {
                let inner = rest.strip_suffix('>').ok_or_else(|| bad_card(text, place))?;
                if !column.up.is_empty() {
                    return Err(PositionError::FaceDownOnTop { place });
                }
                column.down.push(card(inner, place)?);
            }
            None => column.up.push(open_card(text, place)?),
        }
    }
    Ok(column)
}

pub(super) fn write(position: &Position) -> String {
    let text = |card: &Option<Card>| card.map_or("??".to_owned(), |c| c.to_string());
    let mut lines = Vec::new();
    if position.foundations != [0; 4] {
        let entry = |(suit, &count): (&Suit, &u8)| match count {
            0 => format!("{}-0", suit.letter()),
            _ => format!("{}-{}", suit.letter(), rank_text(count)),
        };
        let all: Vec<_> = Suit::ALL.iter().zip(&position.foundations).map(entry).collect();
        lines.push(format!("Foundations: {}", all.join(" ")));
    }
    let stock: Vec<_> = position.stock.iter().rev().map(text).collect();
    lines.push(format!("Talon: {}", stock.join(" ")));
    if !position.waste.is_empty() {
        let waste: Vec<_> = position.waste.iter().map(Card::to_string).collect();
        lines.push(format!("Waste: {}", waste.join(" ")));
    }
    if position.redeals > 0 {
        lines.push(format!("Redeals: {}", position.redeals));
    }
    for column in &position.columns {
        let down = column.down.iter().map(|card| format!("<{}>", text(card)));
        let cards: Vec<_> = down.chain(column.up.iter().map(Card::to_string)).collect();
        lines.push(if cards.is_empty() { ":".to_owned() } else { cards.join(" ") });
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}
