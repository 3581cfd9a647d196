//! `patience gdl check`.

use patience::gdl::{
    Code as Rule, Description, Engine, Finding, GroundLimits, Reasoner, RunError, Severity, Source,
    Strictness, check,
};
use patience::model::Rng;
use serde::Serialize;

use crate::console::{cancel_on_interrupt, say, say_json};
use crate::exit::{Code, Failure};

/// Checks a rule file: safety, stratification, recursion, keywords, arities, goals, roles.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience gdl check game.gdl                 exit code 0 if it is a game, 1 with a list of findings
  patience gdl check game.gdl --matches 20    plays random matches too, to the end
  patience gdl check tictactoe --json         a game that comes with the program

Notes are shown, but do not count; faults count unless --lenient is given; errors always do.")]
pub(crate) struct Args {
    /// A rule file, or the name of a game that comes with the program
    file: String,
    /// Forgive faults whose meaning is plain, as `gdl play` does
    #[arg(long)]
    lenient: bool,
    /// Play so many random matches as well: no role may be stuck, each must have one goal, and the
    /// end must come
    #[arg(long, value_name = "N", default_value_t = 0)]
    matches: u64,
    /// Moves after which a match is taken for endless
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_moves: u64,
    /// The seed of the random matches
    #[arg(long, default_value_t = 0)]
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
    engine: &'static str,
    played: u64,
    moves: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let source = source(&args.file)?;
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
    let mut interrupted = false;
    let matches = match description.filter(|_| runs && args.matches > 0) {
        Some(description) => {
            let played = play(&description, args, &source, &mut interrupted)?;
            ok &= played.fault.is_none();
            Some(played)
        }
        None => None,
    };
    report(args, &source, &findings, matches, ok)?;
    Ok(match (interrupted, ok) {
        (true, _) => Code::Budget,
        (_, true) => Code::Success,
        _ => Code::No,
    })
}

fn report(
    args: &Args,
    source: &Source,
    findings: &[Finding],
    matches: Option<Played>,
    ok: bool,
) -> Result<(), Failure> {
    if args.json {
        let row = |finding: &'_ Finding| {
            let place = source.place(finding.span);
            (place.line, place.column)
        };
        let findings = findings.iter().map(|finding| {
            let (line, column) = row(finding);
            let Finding { code, severity, message, help, .. } = finding;
            Row { code: *code, severity: *severity, line, column, message, help }
        });
        return say_json(&Report { file: &args.file, ok, findings: findings.collect(), matches });
    }
    for finding in findings {
        say(&finding.render(source));
    }
    if let Some(Played { engine, played, moves, fault }) = matches {
        match fault {
            None => say(&format!("{played} random matches, {moves} moves ({engine} engine)")),
            Some(fault) => say(&format!("random match {}: {fault}", played + 1)),
        }
    }
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let (errors, faults, notes) =
        (count(Severity::Error), count(Severity::Fault), count(Severity::Note));
    let verdict = if ok { "ok" } else { "not ok" };
    say(&format!("{}: {verdict}: {errors} errors, {faults} faults, {notes} notes", args.file));
    Ok(())
}

/// The text of a rule file, whatever is wrong with it.
fn source(file: &str) -> Result<Source, Failure> {
    if let Some(source) = patience::gdl::built_in(file)
        && !std::path::Path::new(file).exists()
    {
        return Ok(source);
    }
    match std::fs::read(file) {
        Ok(bytes) => Ok(Source::new(file, String::from_utf8_lossy(&bytes))),
        Err(_) => match patience::RuleFile::open(file) {
            Ok(rules) => Ok(rules.source),
            Err(error) => Err(error.into()),
        },
    }
}

/// Random matches to the end.
fn play(
    description: &Description,
    args: &Args,
    source: &Source,
    interrupted: &mut bool,
) -> Result<Played, Failure> {
    let cancel = cancel_on_interrupt();
    let engine = Engine::new(description, &GroundLimits::default());
    let mut engine =
        engine.map_err(|finding| Failure::new(Code::BadInput, finding.render(source)))?;
    let name = if matches!(engine, Engine::Grounded(_)) { "grounded" } else { "lifted" };
    let mut played = Played { engine: name, played: 0, moves: 0, fault: None };
    while played.played < args.matches && played.fault.is_none() {
        let mut rng = Rng::named(args.seed, &["match", &played.played.to_string()]);
        match random_match(&mut engine, &mut rng, args.max_moves, &cancel) {
            Ok(Some(moves)) => {
                played.moves += moves;
                played.played += 1;
            }
            Ok(None) => {
                *interrupted = true;
                break;
            }
            Err(fault) => played.fault = Some(fault),
        }
    }
    Ok(played)
}

/// One random match: its moves, or `None` if it was interrupted.
fn random_match(
    engine: &mut Engine,
    rng: &mut Rng,
    most: u64,
    cancel: &patience::plan::Cancel,
) -> Result<Option<u64>, String> {
    let told = |error: RunError| error.to_string();
    engine.start().map_err(told)?;
    let mut joint = Vec::new();
    for moves in 0..=most {
        if cancel.is_cancelled() {
            return Ok(None);
        }
        if engine.terminal().map_err(told)? {
            for role in 0..engine.roles().len() {
                // Chance wants nothing.
                let name = engine.terms().show(engine.roles()[role]).to_string();
                if !name.eq_ignore_ascii_case("random") {
                    engine.goal(role).map_err(told)?;
                }
            }
            return Ok(Some(moves));
        }
        engine.random_joint(rng, &mut joint).map_err(|e| format!("after {moves} moves {e}"))?;
        engine.play(&joint).map_err(told)?;
    }
    Err(format!("the game is not over after {most} moves (--max-moves)"))
}
