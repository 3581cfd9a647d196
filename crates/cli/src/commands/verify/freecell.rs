//! `patience verify freecell`.

use std::path::Path;

use patience::games::freecell::{NotationError, NotationFault, Step, notation, validator};
use serde::Serialize;

use crate::commands::freecell::{Family, board_of, deal_of, is_number};
use crate::console::{say, say_json};
use crate::exit::{Code, Failure};
use crate::files;

/// Replays a solution of FreeCell or one of its family step by step and gives its length. The
/// replay knows nothing of the solvers.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience solve freecell 1 --optimal --metric single > one.txt
  patience verify freecell 1 one.txt --metric single
  patience verify freecell board.txt '26 3a bh' --rules bakers-game
  patience solve freecell 7 --json | patience verify freecell 7 -

Exit codes: 0 it is a solution, 1 it is not (the step and the rule are named), 3 it cannot be read.")]
pub(crate) struct Args {
    /// The deal's number, or a file with a board (`-`: standard input)
    deal: String,
    /// The solution, or a file with it (`-`: standard input): standard notation such as `26 3a bh`,
    /// numbered steps, or what `patience solve freecell` prints
    solution: String,
    #[command(flatten)]
    family: Family,
    /// Print JSON: `valid`, `length`, `metric`, `error`
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Replayed<'r> {
    valid: bool,
    length: Option<u32>,
    metric: &'static str,
    rules: &'r str,
    error: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let (rules, metric) = args.family.read()?;
    if args.deal == "-" && args.solution == "-" {
        return Err(Failure::new(Code::Usage, "only one of board and solution can be `-`"));
    }
    let board = if is_number(&args.deal) {
        let number = args.deal.parse().map_err(|_| {
            Failure::new(Code::BadInput, format!("{:?} is no deal's number", args.deal))
        })?;
        deal_of(&rules, number)?
    } else {
        board_of(&rules, &args.deal)?.1
    };
    let is_file = args.solution == "-" || Path::new(&args.solution).exists();
    let (name, text) = match is_file {
        true => files::read(Path::new(&args.solution))?,
        false => ("the solution".to_owned(), args.solution.clone()),
    };
    let text = super::solution_in(&text)
        .map_err(|why| Failure::new(Code::BadInput, format!("{name}: {why}")))?;
    let numbered = text.split_whitespace().next().is_some_and(|word| word.ends_with('.'));
    let read: Result<Vec<Step>, NotationError> = if numbered {
        notation::read_numbered(&rules, metric, &board, &text)
    } else {
        notation::read_standard(&rules, metric, &board, &text)
    };
    let judged = match read {
        Ok(steps) => {
            validator::verify(&rules, metric, &board, &steps).map_err(|error| error.to_string())
        }
        // A step that can be read but breaks a rule is no solution; the rest is no text of one.
        Err(error) if matches!(error.fault, NotationFault::Rule(_)) => Err(error.to_string()),
        Err(error) => {
            let hint = if is_file { "" } else { " (and there is no file of this name)" };
            return Err(Failure::new(Code::BadInput, format!("{name}: {error}{hint}")));
        }
    };
    let valid = judged.is_ok();
    if args.json {
        say_json(&Replayed {
            valid,
            length: judged.as_ref().ok().copied(),
            metric: metric.name(),
            rules: args.family.name(),
            error: judged.err(),
        })?;
    } else {
        match judged {
            Ok(length) => say(&format!("a solution: {length} moves ({})", metric.name())),
            Err(error) => say(&format!("not a solution: {error}")),
        }
    }
    Ok(if valid { Code::Success } else { Code::No })
}
