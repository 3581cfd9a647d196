//! `patience solve`: whole deals and boards, each game in its own words.

mod freecell;
mod klondike;
pub(super) mod many;
mod samegame;

use clap::Subcommand;

use crate::exit::{Code, Failure};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Klondike with all cards known: a win, or the proof that there is none
    Klondike(klondike::Args),
    /// FreeCell and its family: any solution, or a provably shortest one
    Freecell(freecell::Args),
    /// SameGame, Bubble Breaker and Clickomania: the best score within a time
    Samegame(samegame::Args),
}

pub(crate) fn run(command: &Command) -> Result<Code, Failure> {
    match command {
        Command::Klondike(args) => klondike::run(args),
        Command::Freecell(args) => freecell::run(args),
        Command::Samegame(args) => samegame::run(args),
    }
}
