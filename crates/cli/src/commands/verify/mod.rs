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
