//! `patience gdl trace`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use patience::RuleFile;
use patience::gdl::transcript::{self, Difference, Length};
use patience::gdl::{
    Engine, EngineError, GroundError, GroundLimits, Grounded, Reasoner, RunError, ground,
};
use patience::model::Rng;
use serde::Serialize;

use crate::console::{halt_on_interrupt, note, say, say_json, unread};
use crate::exit::{Code, Failure};
use crate::values;

/// Writes a transcript of random matches, or compares an engine with one.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience gdl trace tictactoe --seed 1 --matches 2 > tictactoe.trace
  patience gdl trace tictactoe --follow tictactoe.trace --engine lifted

--follow compares states, legal moves, percepts, ends and goals, as sets and regardless of case. Exit \
code 1 if there is a difference; the first one is printed.")]
pub(crate) struct Args {
    /// A rule file, or the name of built-in rules
    file: String,
    /// Follow this transcript and compare everything in it
    #[arg(long, value_name = "TRANSCRIPT", conflicts_with_all = ["seed", "matches", "max_moves"])]
    follow: Option<PathBuf>,
    /// The seed of the matches
    #[arg(long, default_value_t = 0, value_parser = values::whole)]
    seed: u64,
    /// Matches to play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::within::<usize>(0..=u64::MAX))]
    matches: usize,
    /// Limit of moves per match
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = values::within::<usize>(0..=u64::MAX))]
    max_moves: usize,
    /// The engine [default: grounded if the game can be grounded]
    #[arg(long)]
    engine: Option<Choice>,
    /// Time limit of grounding in seconds; suffixes ms, s, m, h are accepted
    #[arg(long, alias = "seconds", value_name = "SECONDS", default_value = "60", value_parser = values::seconds)]
    ground: Duration,
    /// With --follow: print JSON
    #[arg(long, requires = "follow")]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Choice {
    Lifted,
    Grounded,
}

#[derive(Serialize)]
struct Followed {
    same: bool,
    engine: &'static str,
    matches: usize,
    states: usize,
    moves: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let rules = super::open(&args.file)?;
    let (cancel, _halt) = halt_on_interrupt();
    let mut engine = engine(args, &rules)?;
    match &args.follow {
        Some(path) => follow(args, path, &mut engine),
        None => {
            let length = Length { matches: args.matches, most_moves: args.max_moves };
            let mut rng = Rng::named(args.seed, &["trace"]);
            // Step by step: whoever reads it may go away, and an end may never come.
            let mut print = |text: &str| {
                say(text);
                !unread() && !cancel.is_cancelled()
            };
            transcript::write_by(&mut engine, &mut rng, length, &mut print)
                .map_err(|error| super::failed(&args.file, &error))?;
            Ok(if cancel.is_cancelled() { Code::Budget } else { Code::Success })
        }
    }
}

fn engine(args: &Args, rules: &RuleFile) -> Result<Engine, Failure> {
    let limits = GroundLimits { time: args.ground, ..GroundLimits::default() };
    let engine = match args.engine {
        None => Engine::new(&rules.description, &limits),
        Some(Choice::Lifted) => Engine::lifted(&rules.description, limits.lifted),
        Some(Choice::Grounded) => match ground(&rules.description, &limits) {
            Ok(network) => Ok(Engine::Grounded(Box::new(Grounded::new(Arc::new(network))))),
            Err(GroundError::Diagnostic(finding)) => Err(EngineError::Diagnostic(finding)),
            Err(reason) => {
                return Err(Failure::new(Code::Budget, format!("{}: {reason}", args.file)));
            }
        },
    };
    let engine = engine.map_err(|error| rules.blame(&error))?;
    if let Engine::Lifted(_, Some(reason)) = &engine {
        note(&format!("the lifted engine is used: {reason}"));
    }
    Ok(engine)
}

fn follow(args: &Args, path: &PathBuf, engine: &mut Engine) -> Result<Code, Failure> {
    let shown = path.display();
    let text = std::fs::read(path)
        .map_err(|error| Failure::new(Code::BadInput, format!("{shown}: {error}")))?;
    let text = patience::text(text)
        .map_err(|why| Failure::new(Code::BadInput, format!("{shown}: {why}")))?;
    let name = engine.name();
    let followed = transcript::follow(engine, &text);
    match &followed {
        Err(error @ Difference::Unreadable { .. }) => {
            return Err(Failure::new(Code::BadInput, format!("{shown}: {error}")));
        }
        Err(Difference::Failed {
            line,
            error: error @ (RunError::Slow { .. } | RunError::Stopped { .. }),
        }) => {
            return Err(super::failed(&format!("{shown}: line {line}"), error));
        }
        _ => {}
    }
    let same = followed.is_ok();
    let difference = followed.as_ref().err().map(|d| format!("{shown}: {d}"));
    let done = followed.unwrap_or_default();
    if done.states + done.moves == 0 && same {
        let why = "not a transcript: it has no state and no move";
        return Err(Failure::new(Code::BadInput, format!("{shown}: {why}")));
    }
    let code = if same { Code::Success } else { Code::No };
    if args.json {
        let transcript::Followed { matches, states, moves, .. } = done;
        say_json(&Followed { same, engine: name, matches, states, moves, difference })?;
    } else {
        say(&difference.unwrap_or_else(|| {
            let transcript::Followed { matches, states, moves, .. } = done;
            let roles = engine.roles().len();
            format!(
                "no difference in {matches} matches, {states} states, {moves} moves of {roles} \
                 roles ({name} engine)"
            )
        }));
    }
    Ok(code)
}
