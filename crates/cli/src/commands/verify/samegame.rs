//! `patience verify samegame`.

use std::path::Path;

use patience::games::samegame::{SameGameError, Verified, solution_text, verify};
use serde::Serialize;

use crate::commands::boards::{ScoringArgs, Size, boards, size};
use crate::console::{counted, say, say_json};
use crate::exit::{Code, Failure};
use crate::files;

/// Replays a solution on the plain board and says what it comes to.
///
/// Exit code 1 if a step is illegal or the score is not the one that was claimed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience verify samegame board.txt 'a1 c4 b2'
  patience verify samegame board.txt solution.txt --penalty none --score 3413
  patience solve samegame seed:7 | patience verify samegame seed:7 -")]
pub(crate) struct Args {
    /// A file with a board, or seed:N for a board drawn from a seed
    board: String,
    /// The solution as text, such as 'a1 c4 b2', or a file with it, or - for standard input; what
    /// `patience solve samegame` prints will do
    solution: String,
    #[command(flatten)]
    scoring: ScoringArgs,
    /// Columns, rows and colours of a board drawn from a seed
    #[arg(long, value_parser = size, default_value = "15x15x5")]
    size: Size,
    /// The score that it must come to
    #[arg(long, allow_negative_numbers = true, value_parser = finite)]
    score: Option<f64>,
    /// Print JSON: valid, score, cleared, over, moves, solution, left; or valid and error
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    score: f64,
    cleared: bool,
    over: bool,
    moves: usize,
    solution: String,
    /// The board at the end, row by row.
    left: Vec<String>,
}

#[derive(Serialize)]
struct Wrong {
    valid: bool,
    error: String,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let all = boards(&args.board, args.size)?;
    let [(_, grid)] = all.as_slice() else {
        let message = format!("{}: expected one board, got {}", args.board, all.len());
        return Err(Failure::new(Code::Usage, message));
    };
    let (origin, text) = solution(&args.solution)?;
    let text = super::solution_in(&text)
        .map_err(|why| Failure::new(Code::BadInput, format!("{origin}{why}")))?;
    match verify(grid, args.scoring.scoring(), &text) {
        Ok(verified) => answer(args, &verified),
        // A step that the rules forbid is an answer; what is no solution at all is bad input.
        Err(error @ SameGameError::Step { .. }) => {
            let error = format!("{origin}{error}");
            if args.json {
                say_json(&Wrong { valid: false, error })?;
            } else {
                say(&format!("not a solution: {error}"));
            }
            Ok(Code::No)
        }
        Err(error) => Err(Failure::new(Code::BadInput, format!("{origin}{error}"))),
    }
}

/// Where the text of a solution comes from, for messages, and the text.
fn solution(word: &str) -> Result<(String, String), Failure> {
    // A word with a dot or a slash was meant as a file; no solution has one.
    let path = Path::new(word);
    if word == "-" || path.is_file() || word.contains(['.', '/', '\\']) {
        let (name, text) = files::read(path)?;
        let origin = if word == "-" { format!("{name}, ") } else { format!("{name}: ") };
        return Ok((origin, text));
    }
    Ok((String::new(), word.to_owned()))
}

/// A score; nothing is equal to what is no number.
fn finite(text: &str) -> Result<f64, String> {
    let read = text.parse().ok().filter(|score: &f64| score.is_finite());
    read.ok_or_else(|| "expected a number".to_owned())
}

fn answer(args: &Args, verified: &Verified) -> Result<Code, Failure> {
    let claimed = args.score.is_none_or(|score| score == verified.score);
    let answer = Answer {
        valid: claimed,
        error: args
            .score
            .filter(|_| !claimed)
            .map(|score| format!("the score is {}, not {score}", verified.score)),
        score: verified.score,
        cleared: verified.cleared,
        over: verified.over,
        moves: verified.moves.len(),
        solution: solution_text(&verified.moves),
        left: verified.left.to_string().lines().map(str::to_owned).collect(),
    };
    if args.json {
        say_json(&answer)?;
    } else {
        let end = match (verified.cleared, verified.over) {
            (true, _) => "the board is cleared".to_owned(),
            (false, true) => format!("no move is left\n\n{}", verified.left),
            (false, false) => format!("moves are left\n\n{}", verified.left),
        };
        let wrong = match args.score {
            Some(score) if !claimed => format!(", not {score}"),
            _ => String::new(),
        };
        let moves = counted(answer.moves, "move");
        say(&format!("score {}{wrong} after {moves}; {end}", verified.score));
    }
    Ok(if claimed { Code::Success } else { Code::No })
}
