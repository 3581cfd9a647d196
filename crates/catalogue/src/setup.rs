//! How a game on the table begins.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};

use crate::call::{Call, CallError};
use crate::path::chance_of;
use crate::registry::Registry;
use crate::solved::SolveError;
use crate::state::AnyState;

/// How a game begins: its name with parameters, and a deal or a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The game, such as `sailing(size=10)`.
    pub game: String,
    /// The deal: `7` or `seed:7`. A number is also the seed of chance. It is read from a string or a
    /// whole number, and written as a string.
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

    /// The position where the game begins, on the table.
    ///
    /// # Errors
    /// Says what is wrong with the setup.
    pub fn start(&self, registry: &Registry) -> Result<AnyState, TableError> {
        let call = Call::parse(&self.game)?;
        let game = match &self.rules {
            None if call.name() == RULES => {
                return Err(TableError::Setup(format!("the game `{RULES}` needs rules")));
            }
            Some(rules) if call.name() == RULES => {
                let game = registry.described(rules, self.role.as_deref());
                game.map_err(TableError::Setup)?.called(&self.game)
            }
            // The registry judges name and parameters, the same everywhere.
            _ => match &self.position {
                Some(text) => registry.played_from(&self.game, text)?.table(),
                None => registry.played(&self.game)?.table(),
            },
        };
        let deal = self.deal.as_deref().unwrap_or(game.info().first_deal()).trim();
        let chance = chance_of(deal);
        let state = match &self.position {
            Some(text) => game.read(text, chance),
            None => game.deal(deal, chance),
        };
        state.map_err(TableError::Setup)
    }
}

/// The name of a game that is made from the text of its rules.
const RULES: &str = "rules";

/// Reads a deal: a string, or a whole number, which is the same as its digits in a string.
fn read_deal<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    struct Name;

    impl Visitor<'_> for Name {
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

impl From<SolveError> for TableError {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Call(error) => TableError::Call(error),
            error => TableError::Unfit(error.to_string()),
        }
    }
}
