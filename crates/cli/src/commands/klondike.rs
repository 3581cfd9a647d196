//! Which deal or position of Klondike is meant: the same words for every command.

use std::fmt;
use std::path::PathBuf;

use patience::games::klondike::{Deal, DealNumber, Position, Rules, format};

use crate::exit::{Code, Failure};
use crate::files;

/// A deal or a position.
#[derive(Debug, clap::Args)]
pub(crate) struct DealArgs {
    /// A file with a position (Solvitaire JSON, PySol text or 52xRRS); - for standard input
    #[arg(conflicts_with_all = ["deal", "seed"])]
    pub(crate) position: Option<PathBuf>,
    /// The deal of a canonical number, below 52!
    #[arg(long, value_name = "N", conflicts_with = "seed")]
    pub(crate) deal: Option<String>,
    /// The deal of a seed
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Cards turned at a time, 1 to 3
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) draw: u32,
}

/// How a position was asked for.
#[derive(Clone, Debug)]
pub(crate) enum At {
    File(String),
    Deal(DealNumber),
    Seed(u64),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::File(name) => f.write_str(name),
            At::Deal(number) => write!(f, "deal {number}"),
            At::Seed(seed) => write!(f, "seed {seed}"),
        }
    }
}

/// The rules for so many cards turned at a time.
pub(crate) fn rules(draw: u32) -> Result<Rules, Failure> {
    Rules::draw(draw).map_err(|error| Failure::new(Code::Usage, format!("--draw: {error}")))
}

impl DealArgs {
    /// Where the game stands.
    pub(crate) fn start(&self, rules: &Rules) -> Result<(At, Position), Failure> {
        if let Some(path) = &self.position {
            let (name, text) = files::read(path)?;
            let position = format::read(rules, &text)
                .map_err(|error| Failure::new(Code::BadInput, format!("{name}: {error}")))?;
            return Ok((At::File(name), position));
        }
        if let Some(number) = &self.deal {
            let number: DealNumber = number
                .trim()
                .parse()
                .map_err(|error| Failure::new(Code::BadInput, format!("--deal: {error}")))?;
            return Ok((At::Deal(number), Position::deal(rules, &Deal::numbered(number))));
        }
        let Some(seed) = self.seed else {
            let message = "which deal? Give --deal, --seed or a file with a position";
            return Err(Failure::new(Code::Usage, message));
        };
        Ok((At::Seed(seed), Position::deal(rules, &Deal::seeded(rules, seed))))
    }
}
