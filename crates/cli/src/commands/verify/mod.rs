//! `patience verify`: solutions replayed by validators that know nothing of the solvers.

mod freecell;
mod klondike;
mod samegame;

use clap::Subcommand;

use crate::exit::{Code, Failure};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Moves of Klondike, as `patience solve klondike` writes them
    Klondike(klondike::Args),
    /// A solution of FreeCell or one of its family, in standard notation or as numbered steps
    Freecell(freecell::Args),
    /// A solution of SameGame, Bubble Breaker or Clickomania
    Samegame(samegame::Args),
}

pub(crate) fn run(command: &Command) -> Result<Code, Failure> {
    match command {
        Command::Klondike(args) => klondike::run(args),
        Command::Freecell(args) => freecell::run(args),
        Command::Samegame(args) => samegame::run(args),
    }
}

/// The solution in what `patience solve` prints: what follows a `#` in a line is no part of it, and in
/// JSON it is the answer's `solution`. The places of all else stay, for complaints.
fn solution_in(text: &str) -> Result<String, String> {
    if text.trim_start().starts_with('{') {
        let answer: serde_json::Value =
            serde_json::from_str(text).map_err(|error| format!("this is no JSON: {error}"))?;
        let solution = answer.get("solution").and_then(serde_json::Value::as_str);
        return solution.map(str::to_owned).ok_or_else(|| {
            "an answer of `patience solve` for one deal is expected, with a `solution`".to_owned()
        });
    }
    let said = |line: &str| line.split('#').next().unwrap_or_default().to_owned() + "\n";
    Ok(text.lines().map(said).collect())
}
