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

use patience::{Setup, Table, TableError, registry};

use super::deals::{self, Source};
use crate::exit::{Code, Failure};
use crate::values;

/// Plays a game in the terminal, or lets a planner play it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience play connect-four
  patience play GAME seed:7
  patience play GAME --planner uct --watch
  patience play --load game.json
Keys: a letter or digit plays the move beside it, arrows and Enter choose one; U undo, R redo, H hint,
P lets the planner take over, S save, L load, N new game, Q quit.
Without a terminal, --watch prints the game as text.")]
pub(crate) struct Args {
    /// The game, such as `connect-four` or `sailing(size=5)`; see `patience games`
    #[arg(required_unless_present = "load")]
    game: Option<String>,
    /// A deal such as 7 or seed:7, which is also the seed of chance; a file with a position, or - for
    /// standard input
    start: Option<String>,
    /// A deal, as it may also stand without an option
    #[arg(long, value_name = "DEAL", conflicts_with = "start")]
    deal: Option<String>,
    /// A file with a position, as it may also stand without an option
    #[arg(long, value_name = "FILE", conflicts_with_all = ["start", "deal"])]
    position: Option<String>,
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "start", "deal", "position"])]
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
    let table = open(args)?;
    if let Some(planner) = &args.planner {
        // A planner that cannot play this game should be told now.
        plain::check(&table, planner)?;
    }
    if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() && !args.json {
        return screen::run(table, thinking, args.watch, args.save.clone());
    }
    if !args.watch {
        let message = "play needs a terminal; with --watch a planner's game is printed as text";
        return Err(Failure::new(Code::Usage, message));
    }
    plain::watch(table, &thinking, args.json)
}

fn open(args: &Args) -> Result<Table, Failure> {
    if let Some(path) = &args.load {
        return saved::load(path);
    }
    let game = args.game.clone().unwrap_or_default();
    let word = args.start.as_ref().or(args.deal.as_ref()).or(args.position.as_ref());
    let setup = match word {
        None => Setup { game, ..Setup::default() },
        Some(word) => match deals::named(word)?.as_slice() {
            [Source::Deal(name)] => Setup::deal(&game, name),
            [Source::Position { text, .. }] => Setup::position(&game, text),
            _ => return Err(Failure::new(Code::Usage, "one deal is expected").about(word)),
        },
    };
    let table = Table::open(registry(), &setup, &[]);
    table.map_err(|error| match (&setup.position, word) {
        (Some(_), Some(word)) => Failure::new(Code::BadInput, error.to_string()).about(word),
        _ => error.into(),
    })
}
