//! `patience verify klondike`.

use std::path::{Path, PathBuf};

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
  patience solve klondike --seeds 1..9 --json | patience verify klondike -
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
    /// For moves as text: cards turned at a time, 1 to 3; 3 if not given
    #[arg(long, value_name = "N")]
    draw: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is read of an answer of `patience solve klondike --json`.
#[derive(Deserialize)]
struct Written {
    draw: u32,
    verdict: Option<String>,
    position: String,
    moves: Vec<String>,
}

/// A game to be replayed: what it is called, rules, start and moves.
struct Claim {
    name: String,
    rules: Rules,
    start: Position,
    moves: Vec<Move>,
}

impl Claim {
    /// Why the moves do not win, if they do not.
    fn fault(&self) -> Option<String> {
        let Claim { rules, start, moves, .. } = self;
        match replay(rules, start, moves) {
            Err(error) => Some(error.to_string()),
            Ok(end) if end.is_won(rules) => None,
            Ok(end) => {
                let home: u32 = end.foundations.iter().map(|&n| u32::from(n)).sum();
                let all = rules.pack_size();
                Some(format!("after {} moves {home} of {all} cards are home", moves.len()))
            }
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let (name, text) = files::read(&args.moves)?;
    if text.trim_start().starts_with('[') {
        return several(args, &name, &text);
    }
    let claim = if text.trim_start().starts_with('{') {
        says_itself(args, &name)?;
        let written = serde_json::from_str(&text);
        claim(name, written.map_err(|error| bad_input(&args.moves, &error))?)?
    } else {
        let draw = args.draw.unwrap_or(3);
        let rules = rules(draw)?;
        let which = DealArgs {
            position: args.from.clone(),
            deal: args.deal.clone(),
            seed: args.seed,
            draw,
        };
        let moves = words(&name, &text)?;
        Claim { name, start: which.start(&rules)?.1, rules, moves }
    };
    let fault = claim.fault();
    if args.json {
        let (valid, count) = (fault.is_none(), claim.moves.len());
        say_json(&json!({ "valid": valid, "moves": count, "reason": fault }))?;
    } else {
        let Claim { name, moves, .. } = &claim;
        say(&match &fault {
            None => format!("{name}: {} moves, all legal: the game is won", moves.len()),
            Some(fault) => format!("{name}: not a solution: {fault}"),
        });
    }
    Ok(if fault.is_none() { Code::Success } else { Code::No })
}

/// The answers of a range. Deals that are not said to be won have nothing to replay.
fn several(args: &Args, name: &str, text: &str) -> Result<Code, Failure> {
    says_itself(args, name)?;
    let written: Vec<Written> =
        serde_json::from_str(text).map_err(|error| bad_input(&args.moves, &error))?;
    let all = written.len();
    let (mut moves, mut won, mut faults) = (0, 0, Vec::new());
    let claimed = |written: &Written| written.verdict.as_deref().is_none_or(|v| v == "won");
    for (number, written) in (1..).zip(written).filter(|(_, written)| claimed(written)) {
        let claim = claim(format!("{name}, answer {number}"), written)?;
        won += 1;
        moves += claim.moves.len();
        faults
            .extend(claim.fault().map(|fault| format!("{}: not a solution: {fault}", claim.name)));
    }
    if args.json {
        let valid = faults.is_empty();
        say_json(&json!({
            "valid": valid, "answers": all, "solutions": won, "moves": moves, "reasons": faults
        }))?;
    } else if faults.is_empty() {
        say(&format!(
            "{name}: {won} solutions in {all} answers, {moves} moves, all legal: the games are won"
        ));
    } else {
        say(&faults.join("\n"));
    }
    Ok(if faults.is_empty() { Code::Success } else { Code::No })
}

fn bad_input(path: &Path, error: &serde_json::Error) -> Failure {
    Failure::new(Code::BadInput, error.to_string()).about(&path.display().to_string())
}

/// An answer as JSON says itself which position it is about.
fn says_itself(args: &Args, name: &str) -> Result<(), Failure> {
    if args.from.is_some() || args.deal.is_some() || args.seed.is_some() || args.draw.is_some() {
        let message = format!(
            "{name} says itself which deal it is about and how many cards are turned: leave both out"
        );
        return Err(Failure::new(Code::Usage, message));
    }
    Ok(())
}

/// What an answer claims.
fn claim(name: String, written: Written) -> Result<Claim, Failure> {
    let bad = |why: String| Failure::new(Code::BadInput, why).about(&name);
    let rules = Rules::draw(written.draw).map_err(|error| bad(format!("`draw`: {error}")))?;
    let start = format::read(&rules, &written.position)
        .map_err(|error| bad(format!("`position`: {error}")))?;
    let moves = written.moves.iter().enumerate().map(|(i, word)| {
        word.parse().map_err(|error| bad(format!("`moves`, number {}: {error}", i + 1)))
    });
    let moves = moves.collect::<Result<_, _>>()?;
    Ok(Claim { name, rules, start, moves })
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
