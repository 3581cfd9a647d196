//! Which deal or position of Klondike is meant: the same words for every command.

use std::fmt;
use std::path::{Path, PathBuf};

use patience::games::klondike::{Deal, DealNumber, Position, Rules, format};
use serde::Deserialize;

use crate::exit::{Code, Failure};
use crate::files;
use crate::values;

/// A deal or a position.
#[derive(Debug, clap::Args)]
pub(crate) struct DealArgs {
    /// A file with a position (Solvitaire JSON, PySol text, 52xRRS, or an answer of `patience solve
    /// klondike --json`, which stands for its position); - for standard input; or a deal as --deal
    /// and --seed have it: 7 or seed:7
    #[arg(conflicts_with_all = ["deal", "seed"])]
    pub(crate) position: Option<PathBuf>,
    /// The deal of a canonical number, below 52!
    #[arg(long, value_name = "N", conflicts_with = "seed")]
    pub(crate) deal: Option<String>,
    /// The deal of a seed
    #[arg(long, value_name = "N", value_parser = values::whole)]
    pub(crate) seed: Option<u64>,
    /// Cards turned at a time, 1 to 3; if not given as many as an answer says, else 3
    #[arg(long, value_name = "N")]
    pub(crate) draw: Option<u32>,
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
fn rules(draw: u32) -> Result<Rules, Failure> {
    Rules::draw(draw).map_err(|error| Failure::new(Code::Usage, format!("--draw: {error}")))
}

/// How many cards are turned at a time, in an answer of `patience solve klondike --json`.
fn answered(text: &str) -> Option<u32> {
    #[derive(Deserialize)]
    struct Drawn {
        #[serde(rename = "position")]
        _position: String,
        draw: u32,
    }
    serde_json::from_str::<Drawn>(text.trim_start_matches('\u{feff}')).ok().map(|drawn| drawn.draw)
}

/// The deal that a word names which is no file.
fn named(rules: &Rules, path: &Path) -> Result<Option<(At, Deal)>, Failure> {
    if path.as_os_str() == "-" || path.exists() {
        return Ok(None);
    }
    let word = path.display().to_string();
    if let Some(seed) = word.strip_prefix("seed:").and_then(|seed| values::whole(seed).ok()) {
        return Ok(Some((At::Seed(seed), Deal::seeded(rules, seed))));
    }
    if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) {
        let number = numbered(&word, &word)?;
        return Ok(Some((At::Deal(number), Deal::numbered(number))));
    }
    let message = "there is no such file, and it is no deal such as 7 or seed:7";
    Err(Failure::new(Code::BadInput, message).about(&word))
}

fn numbered(name: &str, number: &str) -> Result<DealNumber, Failure> {
    let number = number.parse::<DealNumber>();
    number.map_err(|error| Failure::new(Code::BadInput, error.to_string()).about(name))
}

impl DealArgs {
    /// The rules that are asked for.
    pub(crate) fn rules(&self) -> Result<Rules, Failure> {
        rules(self.draw.unwrap_or(3))
    }

    /// Where the game stands, and by which rules.
    pub(crate) fn start(&self) -> Result<(At, Rules, Position), Failure> {
        let mut rules = self.rules()?;
        if let Some(path) = &self.position {
            if let Some((at, deal)) = named(&rules, path)? {
                return Ok((at, rules, Position::deal(&rules, &deal)));
            }
            let (name, text) = files::read(path)?;
            let bad = |why: String| Failure::new(Code::BadInput, why).about(&name);
            if let Some(draw) = answered(&text).filter(|_| self.draw.is_none()) {
                rules = Rules::draw(draw).map_err(|error| bad(format!("`draw`: {error}")))?;
            }
            let position = format::read(&rules, &text).map_err(|error| bad(error.to_string()))?;
            return Ok((At::File(name), rules, position));
        }
        if let Some(number) = &self.deal {
            let number = numbered("--deal", number.trim())?;
            let position = Position::deal(&rules, &Deal::numbered(number));
            return Ok((At::Deal(number), rules, position));
        }
        let Some(seed) = self.seed else {
            let message = "which deal? Give --deal, --seed or a file with a position";
            return Err(Failure::new(Code::Usage, message));
        };
        let position = Position::deal(&rules, &Deal::seeded(&rules, seed));
        Ok((At::Seed(seed), rules, position))
    }
}
