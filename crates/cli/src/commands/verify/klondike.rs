//! `patience verify klondike`.

use std::path::PathBuf;

use patience::games::klondike::{Move, Position, Rules, format, replay};
use serde::Deserialize;
use serde_json::json;

use crate::commands::klondike::{DealArgs, rules};
use crate::console::{say, say_json};
use crate::exit::{Code, Failure};
use crate::files;

/// Replays moves of Klondike, one by one, by the rules alone.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience solve klondike --seed 7 --json > seven.json
  patience verify klondike seven.json                the deal and the draw are in the file
  patience verify klondike moves.txt --seed 7        moves as text, of the deal of a seed
  patience verify klondike moves.txt --from half-played.txt --draw 1

Moves are words: turn, redeal, w-f (waste to foundation), w-3 (waste to column 3), 5-f, 5-3x2 (two
cards), H-3 (hearts back from their foundation); what follows a # is skipped. The exit code is 0 if
the moves win, 1 if one is illegal or cards are left.")]
pub(crate) struct Args {
    /// The moves: what `patience solve klondike` prints, with or without --json; - for standard input
    moves: PathBuf,
    /// For moves as text: a file with the position that they start from
    #[arg(long, value_name = "FILE", conflicts_with_all = ["deal", "seed"])]
    from: Option<PathBuf>,
    /// For moves as text: the deal of a canonical number, below 52!
    #[arg(long, value_name = "N", conflicts_with = "seed")]
    deal: Option<String>,
    /// For moves as text: the deal of a seed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// For moves as text: cards turned at a time, 1 to 3
    #[arg(long, value_name = "N", default_value_t = 3)]
    draw: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is read of an answer of `patience solve klondike --json`.
#[derive(Deserialize)]
struct Written {
    draw: u32,
    position: String,
    moves: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let (name, text) = files::read(&args.moves)?;
    let (rules, start, moves) = if text.trim_start().starts_with('{') {
        written(args, &name, &text)?
    } else {
        let rules = rules(args.draw)?;
        let which = DealArgs {
            position: args.from.clone(),
            deal: args.deal.clone(),
            seed: args.seed,
            draw: args.draw,
        };
        (rules, which.start(&rules)?.1, words(&name, &text)?)
    };
    let reason = match replay(&rules, &start, &moves) {
        Err(error) => Some(error.to_string()),
        Ok(end) if end.is_won(&rules) => None,
        Ok(end) => {
            let home: u32 = end.foundations.iter().map(|&n| u32::from(n)).sum();
            let all = rules.pack_size();
            Some(format!("after {} moves {home} of {all} cards are home", moves.len()))
        }
    };
    if args.json {
        let (valid, count) = (reason.is_none(), moves.len());
        say_json(&json!({ "valid": valid, "moves": count, "reason": reason }))?;
    } else {
        say(&match &reason {
            None => format!("{name}: {} moves, all legal: the game is won", moves.len()),
            Some(reason) => format!("{name}: not a solution: {reason}"),
        });
    }
    Ok(if reason.is_none() { Code::Success } else { Code::No })
}

/// An answer as JSON: it says itself which position it is about.
fn written(args: &Args, name: &str, text: &str) -> Result<(Rules, Position, Vec<Move>), Failure> {
    let bad = |why: String| Failure::new(Code::BadInput, format!("{name}: {why}"));
    if args.from.is_some() || args.deal.is_some() || args.seed.is_some() {
        let message = format!("{name} says itself which deal it is about: leave the deal out");
        return Err(Failure::new(Code::Usage, message));
    }
    let written: Written = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
    let rules = Rules::draw(written.draw).map_err(|error| bad(format!("`draw`: {error}")))?;
    let start = format::read(&rules, &written.position)
        .map_err(|error| bad(format!("`position`: {error}")))?;
    let moves = written.moves.iter().enumerate().map(|(i, word)| {
        word.parse().map_err(|error| bad(format!("`moves`, number {}: {error}", i + 1)))
    });
    Ok((rules, start, moves.collect::<Result<_, _>>()?))
}

/// Moves as words.
fn words(name: &str, text: &str) -> Result<Vec<Move>, Failure> {
    let mut moves = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        for word in line.split_whitespace() {
            let parsed = word.parse().map_err(|error| {
                let message = format!("{name}, line {}: {error}", number + 1);
                Failure::new(Code::BadInput, message)
            });
            moves.push(parsed?);
        }
    }
    Ok(moves)
}
