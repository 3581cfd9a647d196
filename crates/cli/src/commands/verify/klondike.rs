//! `patience verify klondike`.

use std::path::{Path, PathBuf};

use patience::games::klondike::{Deal, Move, Position, Rules, format, replay};
use serde::Deserialize;
use serde_json::json;

use crate::commands::klondike::DealArgs;
use crate::console::{counted, say, say_json};
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
the moves win, 1 if one is illegal, cards are left or no answer has a solution, 3 if there is no
answer, or one that contradicts itself.")]
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
    #[arg(long, value_name = "N", value_parser = crate::values::whole)]
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
    game: Option<String>,
    draw: u32,
    /// Answers from before it was written may take cards back.
    take_back: Option<bool>,
    seed: Option<u64>,
    deal: Option<String>,
    verdict: Option<String>,
    position: String,
    moves: Vec<String>,
}

/// A game to be replayed: what it is called, rules, start and moves.
struct Claim {
    name: String,
    rules: Rules,
    /// Whether cards may come back from the foundations.
    take_back: bool,
    start: Position,
    /// None where the answer does not say that the game is won.
    moves: Option<Vec<Move>>,
    /// What it says instead.
    verdict: String,
}

impl Claim {
    /// How many moves there are to replay.
    fn length(&self) -> usize {
        self.moves.as_ref().map_or(0, Vec::len)
    }

    /// Why the moves do not win, if they do not.
    fn fault(&self) -> Option<String> {
        let Claim { rules, start, .. } = self;
        let Some(moves) = &self.moves else {
            return Some(format!("its verdict is {}: there is nothing to replay", self.verdict));
        };
        let is_back = |m: &Move| matches!(m, Move::FoundationToColumn { .. });
        let back = moves.iter().position(is_back).filter(|_| !self.take_back);
        let judged = &moves[..back.unwrap_or(moves.len())];
        match (replay(rules, start, judged), back) {
            (Err(error), _) => Some(error.to_string()),
            (Ok(_), Some(back)) => Some(format!(
                "move {}, {}: a card is taken back, but `take_back` is false",
                back + 1,
                moves[back]
            )),
            (Ok(end), None) if end.is_won(rules) => None,
            (Ok(end), None) => {
                let home: u32 = end.foundations.iter().map(|&n| u32::from(n)).sum();
                let (after, all) = (counted(moves.len(), "move"), rules.pack_size());
                Some(format!("after {after} {home} of {all} cards are home"))
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
        let which = DealArgs {
            position: args.from.clone(),
            deal: args.deal.clone(),
            seed: args.seed,
            draw: args.draw,
        };
        let moves = Some(words(&name, &text)?);
        let (_, rules, start) = which.start()?;
        Claim { name, rules, take_back: true, start, moves, verdict: String::new() }
    };
    let fault = claim.fault();
    if args.json {
        let (valid, count) = (fault.is_none(), claim.length());
        say_json(&json!({ "valid": valid, "moves": count, "reason": fault }))?;
    } else {
        let name = &claim.name;
        say(&match &fault {
            None => {
                format!("{name}: {}, all legal: the game is won", counted(claim.length(), "move"))
            }
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
    if written.is_empty() {
        let message = format!("{name}: there is no answer in the list: nothing to replay");
        return Err(Failure::new(Code::BadInput, message));
    }
    let all = written.len();
    let (mut moves, mut won, mut faults) = (0, 0, Vec::new());
    for (number, written) in (1..).zip(written) {
        let claim = claim(format!("{name}, answer {number}"), written)?;
        if claim.moves.is_none() {
            continue;
        }
        won += 1;
        moves += claim.length();
        faults
            .extend(claim.fault().map(|fault| format!("{}: not a solution: {fault}", claim.name)));
    }
    let answers = counted(all, "answer");
    if won == 0 {
        faults.push(format!("{name}: no solution in {answers}: there is nothing to replay"));
    }
    let valid = faults.is_empty();
    if args.json {
        say_json(&json!({
            "valid": valid, "answers": all, "solutions": won, "moves": moves, "reasons": faults
        }))?;
    } else if valid {
        let (solutions, moves) = (counted(won, "solution"), counted(moves, "move"));
        let end = if won == 1 { "the game is won" } else { "the games are won" };
        say(&format!("{name}: {solutions} in {answers}, {moves}, all legal: {end}"));
    } else {
        say(&faults.join("\n"));
    }
    Ok(if valid { Code::Success } else { Code::No })
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
    if let Some(game) = written.game.as_deref().filter(|game| *game != "klondike") {
        return Err(bad(format!("`game` is {game}, but klondike is expected")));
    }
    let rules = Rules::draw(written.draw).map_err(|error| bad(format!("`draw`: {error}")))?;
    let start = format::read(&rules, &written.position)
        .map_err(|error| bad(format!("`position`: {error}")))?;
    one_deal(&written, &rules, &start).map_err(bad)?;
    let moves = written.moves.iter().enumerate().map(|(i, word)| {
        word.parse().map_err(|error| bad(format!("`moves`, number {}: {error}", i + 1)))
    });
    let moves: Vec<Move> = moves.collect::<Result<_, _>>()?;
    let verdict = written.verdict.unwrap_or_else(|| "won".to_owned());
    let moves = (verdict == "won").then_some(moves);
    Ok(Claim { name, rules, take_back: written.take_back != Some(false), start, moves, verdict })
}

/// Seed, number and position of an answer must be the same deal.
fn one_deal(written: &Written, rules: &Rules, start: &Position) -> Result<(), String> {
    let number = start.to_deal().and_then(|deal| deal.number());
    let is = match number {
        Some(number) => format!("`position` is deal {number}"),
        None => "`position` is no start of a deal".to_owned(),
    };
    if let Some(seed) = written.seed {
        let named = Deal::seeded(rules, seed).number();
        if named != number {
            let named = named.map_or(String::new(), |named| format!(", deal {named}"));
            return Err(format!("`seed` is {seed}{named}, but {is}"));
        }
    }
    match &written.deal {
        Some(deal) if deal.parse().ok() != number || number.is_none() => {
            Err(format!("`deal` is {deal}, but {is}"))
        }
        _ => Ok(()),
    }
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
