//! How a game on the table begins.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};

use super::freecell::FreeCellSeat;
use super::general::GeneralSeat;
use super::klondike::KlondikeSeat;
use super::samegame::SameGameSeat;
use super::{Seat, described};
use crate::call::{Call, CallError};
use crate::registry::Registry;

/// How a game begins: its name with parameters, and a deal or a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The game, such as `klondike(draw=1)`.
    pub game: String,
    /// The deal: a number, or for Klondike `seed:7` or a canonical number. Also the seed of chance.
    /// It is read from a string or a whole number, and written as a string.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_deal")]
    pub deal: Option<String>,
    /// A position in any format that the game reads, instead of a deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Rules in GDL; the game is then `rules`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The role to play by these rules, if several decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

impl Setup {
    /// A deal of a game.
    pub fn deal(game: &str, deal: &str) -> Self {
        Setup { game: game.to_owned(), deal: Some(deal.to_owned()), ..Setup::default() }
    }

    /// A position of a game.
    pub fn position(game: &str, text: &str) -> Self {
        Setup { game: game.to_owned(), position: Some(text.to_owned()), ..Setup::default() }
    }

    /// The number of the deal, 1 if none is given.
    pub(super) fn number(&self) -> Result<u64, TableError> {
        let Some(deal) = self.deal.as_deref() else { return Ok(1) };
        let deal = deal.trim();
        let digits = deal.strip_prefix("seed:").unwrap_or(deal);
        digits.parse().map_err(|_| {
            let shown: String = deal.chars().take(40).collect();
            TableError::Setup(format!("`{shown}` is no deal: a whole number is expected"))
        })
    }
}

/// Reads a deal: a string, or a whole number, which is the same as its digits in a string.
fn read_deal<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    struct Name;

    impl<'de> Visitor<'de> for Name {
        type Value = Option<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string, or a whole number from 0 to 18446744073709551615")
        }

        fn visit_str<E: Error>(self, deal: &str) -> Result<Self::Value, E> {
            Ok(Some(deal.to_owned()))
        }

        fn visit_u64<E: Error>(self, deal: u64) -> Result<Self::Value, E> {
            Ok(Some(deal.to_string()))
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
    }

    from.deserialize_any(Name)
}

/// What is wrong with a setup or a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The game's name or parameters.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The deal or position.
    #[error("{0}")]
    Setup(String),
    /// A move that is not legal.
    #[error("move {number} (`{name}`): {why}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// Its name.
        name: String,
        /// Why not.
        why: String,
    },
    /// More moves than a game may have here.
    #[error("more than {0} moves")]
    TooManyMoves(usize),
    /// What is asked for does not exist for this game.
    #[error("{0}")]
    Unfit(String),
}

/// The start of a game.
pub(super) fn sit_down(registry: &Registry, setup: &Setup) -> Result<Box<dyn Seat>, TableError> {
    let call = Call::parse(&setup.game)?;
    if call.name() == "rules" || call.name() == "gdl" {
        if call.name() == "rules" && setup.rules.is_none() {
            return Err(TableError::Setup("the game `rules` needs rules".to_owned()));
        }
        return described::sit_down(&call, setup);
    }
    // The registry judges name and parameters, the same everywhere.
    let game = registry.played(&setup.game)?;
    Ok(match call.name() {
        "klondike" => Box::new(KlondikeSeat::new(game, &call, setup)?),
        "freecell" => Box::new(FreeCellSeat::new(game, &call, setup)?),
        "samegame" => Box::new(SameGameSeat::new(game, &call, setup)?),
        _ => Box::new(GeneralSeat::new(game, setup)?),
    })
}
