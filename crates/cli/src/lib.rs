//! The `patience` command: the program, and what the Python package installs.

mod commands;
mod console;
mod exit;
mod files;
mod summary;
mod values;

use std::ffi::OsString;
use std::panic::AssertUnwindSafe;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::exit::{Code, Failure};

/// Solves, plays and measures one-player games.
#[derive(Debug, Parser)]
#[command(
    name = "patience",
    version,
    about = "Solves, plays and measures one-player games",
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "\
Examples:
  patience games                                 all games, with their parameters
  patience hint connect-four --planner 'uct(iterations=1e5)'
  patience solve --help                          the games that can be solved
  patience reproduce uct-figure-2                a figure of a paper, in its quick version
  patience experiment run my.toml --store my.db  your own experiment

Numbers: 10000, 10_000 or 1e4. Times: seconds, or 250ms, 30s, 5m, 2h. Memory: megabytes, or 512M, 4G.

Exit codes: 0 success, 1 the answer is no, 2 wrong usage, 3 bad input, 4 budget exhausted or \
interrupted, 5 fault."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Reproduce the tables and figures of the papers
    Reproduce(commands::reproduce::Args),
    /// Run, resume and report on experiments
    #[command(subcommand)]
    Experiment(commands::experiment::Command),
    /// Keep results at full size as files that anyone can check
    #[command(subcommand)]
    Data(commands::data::Command),
    /// Solve deals and positions
    Solve(commands::solve::Args),
    /// Replay solutions and check them
    Verify(commands::verify::Args),
    /// Check, ground, trace and play games written in GDL or GDL-II
    #[command(subcommand)]
    Gdl(commands::gdl::Command),
    /// Play matches for a game controller over HTTP
    Ggp(commands::ggp::Args),
    /// Play a game in the terminal, or watch a planner play it
    Play(commands::play::Args),
    /// Serve the web page for playing and watching games
    Serve(commands::serve::Args),
    /// Evaluate every move of a position
    Hint(commands::hint::Args),
    /// Say what every move of a game cost
    Review(commands::review::Args),
    /// Compare what a planner calls its chance to win with how games end
    Reliability(commands::reliability::Args),
    /// List the games with their parameters and capabilities
    #[command(after_help = "\
Examples:
  patience games
  patience games sailing tiger
  patience games --json")]
    Games(commands::list::Args),
    /// List the planners with their parameters, guarantees and papers
    #[command(after_help = "\
Examples:
  patience planners
  patience planners uct norns
  patience planners --json")]
    Planners(commands::list::Args),
    /// List the solvers with their parameters, guarantees and papers
    #[command(after_help = "\
Examples:
  patience solvers
  patience solvers --json")]
    Solvers(commands::list::Args),
    /// Measure the speed of searches on this machine
    Bench(commands::bench::Args),
    /// Print the completion script of a shell
    #[command(after_help = "\
Examples:
  patience completions bash > ~/.local/share/bash-completion/completions/patience
  patience completions zsh > ~/.zfunc/_patience         with ~/.zfunc in fpath
  patience completions fish > ~/.config/fish/completions/patience.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Runs the command with these words, of which the first is its own name, and gives its exit code.
pub fn command(args: Vec<OsString>) -> u8 {
    ended(args) as u8
}

fn ended(args: Vec<OsString>) -> Code {
    let cli = match parse(with_game_strings(args)) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output with success, the rest is wrong usage.
            let _ = error.print();
            return if error.use_stderr() { Code::Usage } else { Code::Success };
        }
    };
    // A panic is a bug of ours, never the user's fault; it has its own exit code.
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| run(cli.command)));
    match outcome {
        Ok(Ok(code)) => match console::unwritten() {
            None => code,
            Some(why) => {
                console::complain(&format!("cannot write to standard output: {why}"));
                Code::Fault
            }
        },
        Ok(Err(Failure { code, message })) => {
            console::complain(&message);
            code
        }
        Err(_) => {
            console::complain("this is a bug in patience; stored results are safe");
            Code::Fault
        }
    }
}

/// Reads the command line. A negative number is a wrong value of its option, about which the option
/// has something to say; it is no option of its own.
fn parse(args: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut command = with_negative_numbers(Cli::command());
    if let [_, word, game, ..] = args.as_slice()
        && takes_games(word)
        && let Some(failure) = game.to_str().and_then(commands::solve::unsolvable)
    {
        return Err(command.error(clap::error::ErrorKind::InvalidSubcommand, failure.message));
    }
    let mut matches = command.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Whether a command has a word for each game.
fn takes_games(word: &OsString) -> bool {
    word == "solve" || word == "verify"
}

/// Lets a game with parameters stand where a command has a word for each game: the word is its name,
/// and the whole string goes along.
fn with_game_strings(mut args: Vec<OsString>) -> Vec<OsString> {
    if let [_, word, game, ..] = args.as_slice()
        && takes_games(word)
        && let Some(game) = game.to_str()
        && let Some(name) = commands::solve::head(game)
    {
        let (name, whole) = (OsString::from(name), OsString::from(format!("--game={game}")));
        args[2] = name;
        args.insert(3, whole);
    }
    args
}

fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let mut command = command.mut_args(|arg| {
        let takes = arg.get_long().is_some() && arg.get_action().takes_values();
        if takes { arg.allow_negative_numbers(true) } else { arg }
    });
    for below in command.get_subcommands_mut() {
        *below = with_negative_numbers(std::mem::take(below));
    }
    command
}

fn run(command: Command) -> Result<Code, Failure> {
    match command {
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::Experiment(command) => commands::experiment::run(&command),
        Command::Data(command) => commands::data::run(&command),
        Command::Solve(args) => commands::solve::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Gdl(command) => commands::gdl::run(&command),
        Command::Ggp(args) => commands::ggp::run(&args),
        Command::Play(args) => commands::play::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Hint(args) => commands::hint::run(&args),
        Command::Review(args) => commands::review::run(&args),
        Command::Reliability(args) => commands::reliability::run(&args),
        Command::Games(args) => commands::list::games(&args),
        Command::Planners(args) => commands::list::planners(&args),
        Command::Solvers(args) => commands::list::solvers(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "patience", &mut script);
            console::say(&String::from_utf8_lossy(&script));
            Ok(Code::Success)
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_commands_are_well_formed() {
        use clap::CommandFactory;
        super::Cli::command().debug_assert();
    }
}
