//! `patience reproduce`: every paper's tables and figures with one command.

use std::path::PathBuf;

use patience::lab::{self, RunOptions, Shard, Store};
use patience::{registry, resolve};

use super::experiment::{How, built_in, work};
use crate::console::{cancel_on_interrupt, duration, note, say, say_json};
use crate::exit::{Code, Failure};
use crate::files::write;
use crate::summary::summary;

/// Reproduces the tables and figures of the papers and writes a report. Results that are already
/// stored are not computed again.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience reproduce                       a quick version of everything, minutes
  patience reproduce uct-figure-2          a quick version of one figure
  patience reproduce uct-figure-2 --full   the figure at full size
  patience reproduce --list                all tables and figures")]
pub(crate) struct Args {
    /// Only these tables and figures [default: all]
    names: Vec<String>,
    /// List the tables and figures
    #[arg(long)]
    list: bool,
    /// Run at full size, as in the paper
    #[arg(long, requires = "names")]
    full: bool,
    /// The folder for the store and the report
    #[arg(long, default_value = "results")]
    dir: PathBuf,
    #[command(flatten)]
    how: How,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    for name in &args.names {
        if !registry().specs().any(|(known, _)| known == name) {
            let known: Vec<&str> = registry().specs().map(|(known, _)| known).collect();
            let near = patience::plan::did_you_mean(name, known.iter().copied());
            let known = known.join(", ");
            let message = format!("there is no spec {name}{near} (there are: {known})");
            return Err(Failure::new(Code::Usage, message));
        }
    }
    if args.list {
        return list(args);
    }
    std::fs::create_dir_all(&args.dir).map_err(|error| {
        Failure::new(Code::Fault, format!("{}: cannot make: {error}", args.dir.display()))
    })?;
    let kind = if args.full { "full" } else { "quick" };
    let path = args.dir.join(format!("{kind}.db"));
    let mut store = Store::open(&path)?;
    let cancel = cancel_on_interrupt();
    let options = RunOptions { threads: args.how.threads, shard: Shard::WHOLE };
    let resolve = resolve(registry());
    let mut complete = true;
    for (name, _) in registry().specs() {
        if !args.names.is_empty() && !args.names.iter().any(|n| n == name) {
            continue;
        }
        let Some(spec) = built_in(name, !args.full) else { continue };
        let spec = spec?;
        note(&format!("{name}: {} ({})", spec.title, spec.paper));
        let done = work(&lab::check(&spec, &resolve)?, &mut store, &options, &cancel)?;
        note(&format!("{name}: {} units in {}", done.ran, duration(done.seconds)));
        complete &= done.complete;
        if cancel.is_cancelled() {
            break;
        }
    }
    // The report is on all that the store has, not only on what was just run.
    let report = lab::report(store.reading(), &[])?;
    let html = args.dir.join(format!("{kind}.html"));
    write(&html, &lab::html(&report))?;
    if args.json {
        say_json(&report)?;
    } else {
        say(&format!("\n{}\nreport: {}", summary(&report), html.display()));
    }
    if !complete {
        note("interrupted; run the same command again to continue");
        return Ok(Code::Budget);
    }
    Ok(Code::Success)
}

/// What can be reproduced: name, title, paper.
fn list(args: &Args) -> Result<Code, Failure> {
    let mut rows = Vec::new();
    for (name, _) in registry().specs() {
        if let Some(spec) = built_in(name, false) {
            let spec = spec?;
            rows.push(vec![name.to_owned(), spec.title, spec.paper]);
        }
    }
    if args.json {
        let row = |row: &Vec<String>| serde_json::json!({ "name": row[0], "title": row[1], "paper": row[2] });
        say_json(&rows.iter().map(row).collect::<Vec<_>>())?;
        return Ok(Code::Success);
    }
    let lines = rows.iter().map(|row| format!("{}: {} ({})", row[0], row[1], row[2]));
    say(&lines.collect::<Vec<_>>().join("\n"));
    Ok(Code::Success)
}
