//! `patience gdl check`.

use std::time::{Duration, Instant};

use patience::RuleFile;
use patience::gdl::{
    Code as Rule, Description, Diagnostic, Engine, EngineError, GroundLimits, Reasoner, RunError,
    Severity, Source, Strictness, check,
};
use patience::model::Rng;
use patience::plan::{Cancel, Halt};
use serde::Serialize;

use crate::console::{counted, halt_on_interrupt, say, say_json};
use crate::exit::{Code, Failure};
use crate::values;

/// Checks a rule file: safety, stratification, recursion, keywords, arities, goals, roles.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience gdl check game.gdl
  patience gdl check game.gdl --matches 20    play random matches too
  patience gdl check tictactoe --json         built-in rules

Exit codes: 0 valid, 1 invalid. Errors make a game invalid, and so do faults unless --lenient is \
given; notes never do.")]
pub(crate) struct Args {
    /// A rule file, or the name of built-in rules
    file: String,
    /// Accept faults whose meaning is clear, as `gdl play` does
    #[arg(long)]
    lenient: bool,
    /// Also play N random matches: every role must always have a move, every match must end, and
    /// every role must have exactly one goal at the end
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::whole)]
    matches: u64,
    /// Limit of moves per match
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = values::whole)]
    max_moves: u64,
    /// Time limit of the random matches in seconds, grounding included; suffixes ms, s, m, h are accepted
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    time: Option<Duration>,
    /// The seed of the random matches
    #[arg(long, default_value_t = 0, value_parser = values::whole)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    ok: bool,
    findings: Vec<Row<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<Played>,
}

#[derive(Serialize)]
struct Row<'a> {
    code: Rule,
    severity: Severity,
    line: usize,
    column: usize,
    message: &'a str,
    help: &'a str,
}

#[derive(Serialize)]
struct Played {
    /// None if it was not ready in time.
    engine: Option<&'static str>,
    played: u64,
    moves: u64,
    /// What is wrong with the next match.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    /// Why the next match was not played to its end, through no fault that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let source = RuleFile::source(&args.file)?;
    let strictness = if args.lenient { Strictness::Lenient } else { Strictness::Strict };
    let (description, findings) = match Description::read(source.text()) {
        Ok(description) => {
            let findings = check(&description);
            (Some(description), findings)
        }
        Err(finding) => (None, vec![finding]),
    };
    let mut ok = !findings.iter().any(|finding| strictness.refuses(finding));
    let runs = !findings.iter().any(|finding| Strictness::Lenient.refuses(finding));
    let mut cut = false;
    let matches = match description.filter(|_| runs && args.matches > 0) {
        Some(description) => {
            let played = play(&description, args, &source)?;
            ok &= played.fault.is_none();
            cut = played.unfinished.is_some();
            Some(played)
        }
        None => None,
    };
    report(args, &source, &findings, matches, ok)?;
    Ok(match (ok, cut) {
        (false, _) => Code::No,
        (_, true) => Code::Budget,
        _ => Code::Success,
    })
}

fn report(
    args: &Args,
    source: &Source,
    findings: &[Diagnostic],
    matches: Option<Played>,
    ok: bool,
) -> Result<(), Failure> {
    if args.json {
        let row = |finding: &'_ Diagnostic| {
            let place = source.place(finding.span);
            (place.line, place.column)
        };
        let findings = findings.iter().map(|finding| {
            let (line, column) = row(finding);
            let Diagnostic { code, severity, message, help, .. } = finding;
            Row { code: *code, severity: *severity, line, column, message, help }
        });
        return say_json(&Report { file: &args.file, ok, findings: findings.collect(), matches });
    }
    for finding in findings {
        say(&finding.render(source));
    }
    let mut verdict = if ok { "ok" } else { "not ok" };
    if let Some(Played { engine, played, moves, fault, unfinished }) = matches {
        if ok && unfinished.is_some() {
            verdict = "not finished";
        }
        if played > 0 || engine.is_some() {
            let engine = engine.map_or(String::new(), |engine| format!(" ({engine} engine)"));
            say(&format!("{played} random matches, {moves} moves{engine}"));
        }
        if let Some(why) = fault.or(unfinished) {
            say(&format!("random match {}: {why}", played + 1));
        }
    }
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let (errors, faults, notes) =
        (count(Severity::Error), count(Severity::Fault), count(Severity::Note));
    let (errors, faults, notes) =
        (counted(errors, "error"), counted(faults, "fault"), counted(notes, "note"));
    say(&format!("{}: {verdict}: {errors}, {faults}, {notes}", args.file));
    Ok(())
}

/// Random matches to the end.
fn play(description: &Description, args: &Args, source: &Source) -> Result<Played, Failure> {
    let (cancel, _halt) = halt_on_interrupt();
    let deadline = args.time.and_then(|time| Instant::now().checked_add(time));
    let _clock = Halt::new(&Cancel::new(), deadline);
    let mut limits = GroundLimits::default();
    if let Some(time) = args.time {
        // What cannot be grounded in half of it is left to the lifted engine.
        limits.time = limits.time.min(time / 2);
    }
    let mut played = Played { engine: None, played: 0, moves: 0, fault: None, unfinished: None };
    let mut engine = match Engine::new(description, &limits) {
        Ok(engine) => engine,
        Err(EngineError::Diagnostic(finding)) => {
            return Err(Failure::new(Code::BadInput, finding.render(source)));
        }
        Err(EngineError::Run(error)) => {
            played.unfinished = Some(error.to_string());
            return Ok(played);
        }
    };
    played.engine = Some(engine.name());
    while played.played < args.matches {
        let mut rng = Rng::named(args.seed, &["match", &played.played.to_string()]);
        match random_match(&mut engine, &mut rng, args.max_moves, &cancel) {
            Ok(moves) => {
                played.moves += moves;
                played.played += 1;
            }
            Err(Ended::Fault(fault)) => {
                played.fault = Some(fault);
                break;
            }
            Err(Ended::Unfinished(why)) => {
                played.unfinished = Some(why);
                break;
            }
        }
    }
    Ok(played)
}

/// Why a match did not come to its end.
enum Ended {
    Fault(String),
    Unfinished(String),
}

impl From<RunError> for Ended {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Slow { .. } | RunError::Stopped { .. } => {
                Ended::Unfinished(error.to_string())
            }
            _ => Ended::Fault(error.to_string()),
        }
    }
}

/// One random match: its moves.
fn random_match(
    engine: &mut Engine,
    rng: &mut Rng,
    most: u64,
    cancel: &Cancel,
) -> Result<u64, Ended> {
    engine.start()?;
    let mut joint = Vec::new();
    for moves in 0..=most {
        if cancel.is_cancelled() {
            return Err(Ended::Unfinished("interrupted".to_owned()));
        }
        if Halt::is_near() {
            return Err(Ended::Unfinished("the time is over (--time)".to_owned()));
        }
        if engine.terminal()? {
            for role in 0..engine.roles().len() {
                // Chance wants nothing.
                let name = engine.terms().show(engine.roles()[role]).to_string();
                if !name.eq_ignore_ascii_case("random") {
                    engine.goal(role)?;
                }
            }
            return Ok(moves);
        }
        engine.random_joint(rng, &mut joint).map_err(|error| match Ended::from(error) {
            Ended::Fault(fault) => Ended::Fault(format!("after {moves} moves {fault}")),
            ended => ended,
        })?;
        engine.play(&joint)?;
    }
    Err(Ended::Fault(format!("the game is not over after {most} moves (--max-moves)")))
}
