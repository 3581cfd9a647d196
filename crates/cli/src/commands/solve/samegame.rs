//! `patience solve samegame`.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use patience::games::samegame::{Grid, Scoring, SolveOptions, solution_text, solve, verify};
use patience::plan::{Cancel, StopReason};
use serde::Serialize;

use super::many;
use crate::commands::boards::{ScoringArgs, Size, boards, is_several, size};
use crate::console::{cancel_on_interrupt, counted, duration, note, say, say_json, table};
use crate::exit::{Code, Failure};
use crate::values;

/// Looks for the best score on boards of SameGame, Bubble Breaker or Clickomania within a time.
///
/// Every solution is replayed by the plain rules before it is printed: `c4` removes the group of the
/// tile in the third column from the left and the fourth row from below, as the board stands then.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience solve samegame board.txt --time 60
  patience solve samegame boards/ --time 10 --threads 1 --penalty none --json
  patience solve samegame seed:1..20 --rollouts 100000      boards of seeds; one thread, the same on any machine
  patience solve samegame seed:1 --size 20x20x10 --rewards clickomania
A board is its rows from the top: a digit for each tile, a dot where there is none. Ctrl-C ends with
the best that was found (exit code 4).")]
pub(crate) struct Args {
    /// Files with a board, folders of them (*.txt), or seed:N and seed:N..M for boards drawn from a
    /// seed
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<String>,
    /// Seconds for each board; 10 if nothing is limited
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    time: Option<Duration>,
    /// Rollouts of each thread for each board; with these alone the result is the same on any
    /// machine for a given number of threads
    #[arg(long, value_name = "N", value_parser = values::within::<u64>(1..=u64::MAX))]
    rollouts: Option<u64>,
    /// Threads; 0 is one per core, as it is if nothing is said, unless --rollouts is: then it is one
    #[arg(long, value_name = "N", value_parser = many::threads)]
    threads: Option<usize>,
    /// The seed of the search
    #[arg(long, default_value_t = 1, value_parser = values::whole)]
    seed: u64,
    /// Columns, rows and colours of boards drawn from a seed
    #[arg(long, value_parser = size, default_value = "15x15x5")]
    size: Size,
    #[command(flatten)]
    scoring: ScoringArgs,
    /// Print JSON: score, cleared, solution, rollouts, seconds; of several boards, a folder or a
    /// range also the total and the mean
    #[arg(long)]
    json: bool,
}

/// What was found on a board.
#[derive(Serialize)]
struct Row {
    board: String,
    score: f64,
    cleared: bool,
    solution: String,
    rollouts: u64,
    seconds: f64,
    stop: StopReason,
}

/// What was found on several.
#[derive(Serialize)]
struct Rows {
    boards: Vec<Row>,
    total: f64,
    mean: f64,
    cleared: usize,
    rollouts: u64,
    seconds: f64,
    complete: bool,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let mut all = Vec::new();
    for word in &args.boards {
        all.extend(boards(word, args.size)?);
    }
    let options = options(args);
    let scoring = args.scoring.scoring();
    let cancel = cancel_on_interrupt();
    let begin = Instant::now();
    let mut rows: Vec<Row> = Vec::new();
    for (name, grid) in &all {
        let row = one(name, grid, scoring, &options, &cancel)?;
        if !args.json && all.len() > 1 {
            note(&format!("{}/{}: {name}: {}", rows.len() + 1, all.len(), row.score));
        }
        rows.push(row);
        if cancel.is_cancelled() {
            break;
        }
    }
    let complete = rows.len() == all.len() && !cancel.is_cancelled();
    if let [row] = rows.as_slice()
        && all.len() == 1
        && !args.boards.iter().any(|word| is_several(word))
    {
        if args.json {
            say_json(row)?;
        } else {
            say(&text(row));
        }
    } else {
        let total: f64 = rows.iter().map(|row| row.score).sum();
        let rows = Rows {
            total,
            mean: total / rows.len().max(1) as f64,
            cleared: rows.iter().filter(|row| row.cleared).count(),
            rollouts: rows.iter().map(|row| row.rollouts).sum(),
            seconds: begin.elapsed().as_secs_f64(),
            complete,
            boards: rows,
        };
        if args.json {
            say_json(&rows)?;
        } else {
            say(&summary(&rows, all.len()));
        }
    }
    Ok(if complete { Code::Success } else { Code::Budget })
}

fn options(args: &Args) -> SolveOptions {
    let time = match args.time {
        Some(time) => Some(time),
        None if args.rollouts.is_some() => None,
        None => SolveOptions::default().time,
    };
    let threads = args.threads.map(|n| if n == 0 { many::cores() } else { n });
    let threads = threads.and_then(NonZeroUsize::new);
    SolveOptions { rollouts: args.rollouts, time, threads, seed: args.seed }
}

/// Solves a board, tells of the best score as it rises, and replays the solution.
fn one(
    name: &str,
    grid: &Grid,
    scoring: Scoring,
    options: &SolveOptions,
    cancel: &Cancel,
) -> Result<Row, Failure> {
    let (mut shown, mut told) = (None, 0.0);
    let solved = solve(grid, scoring, options, cancel, &mut |progress| {
        // A line a second while the score rises, and one now and then while it does not.
        let pause = if progress.score == shown { 10.0 } else { 1.0 };
        if progress.seconds >= told + pause
            && let Some(score) = progress.score
        {
            (shown, told) = (progress.score, progress.seconds);
            let took = duration(progress.seconds);
            note(&format!("{name}: {score} after {took}, {} rollouts", progress.rollouts));
        }
    });
    let solved =
        solved.map_err(|error| Failure::new(Code::BadInput, format!("{name}: {error}")))?;
    let solution = solution_text(&solved.solution);
    let fault = |what: String| Failure::new(Code::Fault, format!("{name}: {what}"));
    let replayed = verify(grid, scoring, &solution).map_err(|error| fault(error.to_string()))?;
    if (replayed.score, replayed.cleared) != (solved.score, solved.cleared) {
        let (claimed, found) = (solved.score, replayed.score);
        return Err(fault(format!("a solution of {claimed} comes to {found} when replayed")));
    }
    Ok(Row {
        board: name.to_owned(),
        score: replayed.score,
        cleared: replayed.cleared,
        solution,
        rollouts: solved.rollouts,
        seconds: solved.seconds,
        stop: solved.stop,
    })
}

fn text(row: &Row) -> String {
    let cleared = if row.cleared { ", cleared" } else { "" };
    format!(
        "# score {}{cleared}\n{}\n# {} rollouts, {:.2} s; stopped: {}",
        row.score, row.solution, row.rollouts, row.seconds, row.stop
    )
}

fn summary(rows: &Rows, asked: usize) -> String {
    let header = ["board", "score", "cleared", "rollouts", "seconds"].map(str::to_owned).to_vec();
    let row = |row: &Row| {
        let cleared = if row.cleared { "yes" } else { "no" };
        vec![
            row.board.clone(),
            row.score.to_string(),
            cleared.to_owned(),
            row.rollouts.to_string(),
            format!("{:.2}", row.seconds),
        ]
    };
    let lines: Vec<_> = std::iter::once(header).chain(rows.boards.iter().map(row)).collect();
    let done = counted(rows.boards.len(), "board");
    let of = if rows.complete { String::new() } else { format!(" of {asked}, interrupted") };
    format!(
        "{}\n{done}{of}: total {}, mean {:.2}, {} cleared, {} rollouts, {:.2} s\n\
         --json prints the solutions",
        table(&lines),
        rows.total,
        rows.mean,
        rows.cleared,
        rows.rollouts,
        rows.seconds
    )
}
