//! `patience play`: games in the terminal.

mod app;
mod cursor;
mod draw;
mod picture;
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

/// Plays a game in the terminal, or watches a planner play it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience play connect-four
  patience play GAME seed:7
  patience play GAME --planner uct --watch
  patience play --load game.json

Keys: cards go from pile to pile by the keys above the piles, which stay the same, such as 5 then 3; T \
turns the stock. Elsewhere the key beside a move plays it. The arrows left and right put a cursor on the \
table, Enter takes and puts down, the mouse does both; up and down choose from the list. / types a move or \
its square, then Enter. U undo, R redo, \
H hint, P planner plays, S save, L load, N new game, Q quit. Without a terminal, --watch prints the game \
as text.")]
pub(crate) struct Args {
    /// The game, such as `connect-four` or `sailing(size=5)`; see `patience games`
    #[arg(required_unless_present = "load")]
    game: Option<String>,
    #[command(flatten)]
    deal: deals::One,
    /// The planner that gives hints and takes over [default: one that suits the game]
    #[arg(long, value_name = "PLANNER")]
    planner: Option<String>,
    /// Let the planner play from the start
    #[arg(long)]
    watch: bool,
    /// Time limit per move in seconds; suffixes ms, s, m, h are accepted
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = values::seconds)]
    time: Duration,
    /// Continue a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "word", "deal"])]
    load: Option<PathBuf>,
    /// The file that S saves the game to
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
    seed: u64,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let seed = args.deal.seed.unwrap_or(0);
    let thinking = Thinking { planner: args.planner.clone(), time: args.time, seed };
    let table = open(args)?;
    if let Some(planner) = &args.planner {
        // A planner that cannot play this game is told of now.
        plain::check(&table, planner)?;
    }
    if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() && !args.json {
        return screen::run(table, thinking, args.watch, args.save.clone());
    }
    if !args.watch {
        let message = "play needs a terminal; --watch prints the game of a planner as text";
        return Err(Failure::new(Code::Usage, message));
    }
    plain::watch(table, &thinking, args.json)
}

fn open(args: &Args) -> Result<Table, Failure> {
    if let Some(path) = &args.load {
        return saved::load(path);
    }
    let game = args.game.clone().unwrap_or_default();
    let source = args.deal.source(&game)?;
    let setup = match &source {
        Source::Deal(name) => Setup::deal(&game, name),
        Source::Position { text, .. } => Setup::position(source.game_text(&game), text),
    };
    Table::open(registry(), &setup, &[]).map_err(|error| match &source {
        Source::Deal(_) => error.into(),
        Source::Position { name, .. } => Failure::from(error).about(name),
    })
}
