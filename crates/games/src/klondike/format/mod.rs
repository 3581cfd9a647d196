//! Positions as text, in the three formats that people have. All are read and written, with either
//! kind of line end; unknown cards are marked.
//!
//! | format | face down | unknown | middle of a game |
//! |---|---|---|---|
//! | [`Format::Solvitaire`] | lower-case suit, `7h` | `??` | yes |
//! | [`Format::Pysol`] | `<7H>` | `<??>`, in the talon `??` | yes |
//! | [`Format::Rrs`] | as dealt | `000` | no |
//!
//! An answer of `patience solve klondike --json` is read too: it stands for its `position`.

mod pysol;
mod rrs;
mod solvitaire;

use super::error::{Place, PositionError};
use super::{Card, CardError, Position, Rules};

/// A text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON with `"tableau piles"`, `"stock"` (turned from the end), `"waste"`, `"foundations"`
    /// and `"redeals"`.
    Solvitaire,
    /// Lines: `Foundations: C-0 D-2 H-1 S-0`, `Talon: …` (the first card is turned first),
    /// `Waste: …`, `Redeals: …`, then one line per column; a `:` alone is an empty column.
    Pysol,
    /// 52 times a rank of two digits and a suit of one (1 to 4 for clubs, diamonds, hearts,
    /// spades), in the order of dealing.
    Rrs,
}

impl Format {
    /// The format that this text seems to be in.
    pub fn guess(text: &str) -> Format {
        let text = without_mark(text);
        match text.trim_start().as_bytes().first() {
            // A list is none, but it is JSON, and should be judged as such.
            Some(b'{' | b'[') => Format::Solvitaire,
            _ if text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_whitespace()) => Format::Rrs,
            _ => Format::Pysol,
        }
    }

    /// Reads a position and checks it.
    ///
    /// # Errors
    /// What is wrong, with the card and the place.
    pub fn read(self, rules: &Rules, text: &str) -> Result<Position, PositionError> {
        let text = without_mark(text);
        let position = match self {
            Format::Solvitaire => match solvitaire::answered(text)? {
                Some(position) => Format::guess(&position).piles(rules, &position)?,
                None => self.piles(rules, text)?,
            },
            _ => self.piles(rules, text)?,
        };
        position.check(rules)?;
        Ok(position)
    }

    /// The piles that a text names.
    fn piles(self, rules: &Rules, text: &str) -> Result<Position, PositionError> {
        if text.trim().is_empty() {
            return Err(PositionError::Text("it is empty: a position is expected".to_owned()));
        }
        match self {
            Format::Solvitaire => solvitaire::read(text),
            Format::Pysol => pysol::read(text),
            Format::Rrs => rrs::read(rules, text),
        }
    }

    /// The names of the formats, as users write them.
    pub const NAMES: [&str; 3] = ["solvitaire", "pysol", "rrs"];

    /// The format of a name.
    pub fn named(name: &str) -> Option<Format> {
        match name {
            "solvitaire" => Some(Format::Solvitaire),
            "pysol" => Some(Format::Pysol),
            "rrs" => Some(Format::Rrs),
            _ => None,
        }
    }

    /// Writes a position.
    ///
    /// # Errors
    /// If the format has no way to say it: [`Format::Rrs`] in the middle of a game.
    pub fn write(self, position: &Position) -> Result<String, PositionError> {
        match self {
            Format::Solvitaire => Ok(solvitaire::write(position)),
            Format::Pysol => Ok(pysol::write(position)),
            Format::Rrs => rrs::write(position),
        }
    }
}

/// The text without the byte order mark that some editors put before it.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Reads a position in whichever format it is.
///
/// # Errors
/// What is wrong, with the card and the place.
pub fn read(rules: &Rules, text: &str) -> Result<Position, PositionError> {
    Format::guess(text).read(rules, text)
}

/// A card as a player sees it; `None` is unknown.
fn card(text: &str, place: Place) -> Result<Option<Card>, PositionError> {
    match text {
        "??" => Ok(None),
        _ => text.parse().map(Some).map_err(|error| PositionError::Card { place, error }),
    }
}

/// A card that must be known.
fn open_card(text: &str, place: Place) -> Result<Card, PositionError> {
    card(text, place)?.ok_or(PositionError::UnknownFaceUp { place })
}

fn bad_card(text: &str, place: Place) -> PositionError {
    PositionError::Card { place, error: CardError(text.chars().take(12).collect()) }
}
