//! `patience play`: games in the terminal.

mod app;
mod draw;
mod plain;
mod saved;
mod screen;
mod thinker;

#[cfg(test)]
mod tests;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use patience::Registry;
use patience::table::{Setup, Table, TableError};

use crate::exit::{Code, Failure};
use crate::{files, values};

/// Plays a game in the terminal, or lets a planner play it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience play klondike
  patience play 'klondike(draw=1)' --deal seed:7
  patience play freecell --deal 11982
  patience play samegame --planner uct --watch
  patience play connect-four
  patience play --load game.json
Keys: a letter or digit plays the move beside it, arrows and Enter choose one; U undo, R redo, H hint,
P lets the planner take over, S save, L load, N new game, Q quit.
Without a terminal, --watch prints the game as text.")]
pub(crate) struct Args {
    /// The game, such as `klondike` or `freecell(rules=bakers-game)`; see `patience games`
    #[arg(required_unless_present = "load")]
    game: Option<String>,
    /// The deal: a number, or `seed:7` for Klondike; also the seed of chance
    #[arg(long, value_name = "DEAL")]
    deal: Option<String>,
    /// A file with a position in a format that the game reads
    #[arg(long, value_name = "FILE", conflicts_with = "deal")]
    position: Option<PathBuf>,
    /// Who gives hints and takes over; if none is named, one that suits the game
    #[arg(long, value_name = "PLANNER")]
    planner: Option<String>,
    /// Let the planner play from the start
    #[arg(long)]
    watch: bool,
    /// Seconds to think about a move
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = values::seconds)]
    time: Duration,
    /// Go on with a game that was saved
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "deal", "position"])]
    load: Option<PathBuf>,
    /// Where S saves the game
    #[arg(long, value_name = "FILE", default_value = "patience-game.json")]
    save: PathBuf,
    /// With --watch: print one JSON object per move
    #[arg(long, requires = "watch")]
    json: bool,
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Call(error) => error.into(),
            error => Failure::new(Code::BadInput, error.to_string()),
        }
    }
}

/// How a planner thinks.
#[derive(Clone, Debug)]
pub(crate) struct Thinking {
    planner: Option<String>,
    time: Duration,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let thinking = Thinking { planner: args.planner.clone(), time: args.time };
    let registry = Registry::standard();
    let table = open(&registry, args)?;
    if let Some(planner) = &args.planner {
        // A planner that cannot play this game should be told now.
        plain::check(&table, planner)?;
    }
    if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() && !args.json {
        return screen::run(registry, table, thinking, args.watch, args.save.clone());
    }
    if !args.watch {
        let message = "play needs a terminal; with --watch a planner's game is printed as text";
        return Err(Failure::new(Code::Usage, message));
    }
    plain::watch(table, &thinking, args.json)
}

fn open(registry: &Registry, args: &Args) -> Result<Table, Failure> {
    if let Some(path) = &args.load {
        return saved::load(registry, path);
    }
    let game = args.game.clone().unwrap_or_default();
    let position = match &args.position {
        Some(path) => Some(files::read(path)?.1),
        None => None,
    };
    let setup = Setup { game, deal: args.deal.clone(), position, ..Setup::default() };
    let table = Table::open(registry, &setup, &[]);
    table.map_err(|error| match &args.position {
        Some(path) => Failure::new(Code::BadInput, format!("{}: {error}", path.display())),
        None => error.into(),
    })
}
