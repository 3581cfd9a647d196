//! `patience experiment`.

mod archive;
mod rescue;
mod tar;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use patience::lab::{
    self, Experiment, ExportFormat, Listing, Reading, RunOptions, Shard, Spec, Store, Summary,
};
use patience::plan::Cancel;
use patience::{position_files, registry, resolve};

use super::ray;
use super::solve::many::threads;
use crate::console::{
    Watch, counted, cut, duration, halt_on_interrupt, note, say, say_json, table,
};
use crate::exit::{Code, Failure};
use crate::files::{Unwritten, write, write_by};
use crate::summary::summary;
use crate::values;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Run a spec, or continue it
    #[command(after_help = "\
Examples:
  patience experiment run experiments/uct-figure-2.toml --quick --store S.db --threads 2
  patience experiment run my.toml --store part0.db --shard 0/4
  patience experiment run my.toml --store S.db --ray auto
  patience experiment run nmcts-figure-3 --boards maastricht/ --store S.db

An interrupted run continues where it stopped: run it again, or `resume`.")]
    Run(Run),
    /// Continue the unfinished experiments of a store
    #[command(after_help = "\
Examples:
  patience experiment resume --store S.db     all unfinished experiments
  patience experiment resume uct-figure-2 --store S.db --threads 2
  patience experiment resume --store part0.db --shard 0/4")]
    Resume(Resume),
    /// Report on a store: tables, intervals, verdicts and plots
    #[command(after_help = "\
Example:
  patience experiment report --store S.db --html R.html --json")]
    Report(ReportArgs),
    /// List the experiments of a store
    #[command(after_help = "\
Examples:
  patience experiment list                    the experiments of patience.db
  patience experiment list --store S.db --json")]
    List(List),
    /// Write the results of a store as CSV or JSON lines
    #[command(after_help = "\
Examples:
  patience experiment export --store S.db > results.csv
  patience experiment export uct-figure-2 --store S.db --format jsonl --out results.jsonl
  patience experiment export uct-figure-2 --store S.db --to folder
  patience experiment export uct-figure-2 --store S.db --to uct-figure-2.tar.zst

With --to the folder, or the archive if the name ends with .tar.zst, holds rows, spec, report and Cargo's lock file, described as an RO-Crate, as
repositories of data take it.")]
    Export(Export),
    /// Copy the results of other stores into a store
    #[command(after_help = "\
Example:
  patience experiment merge --store all.db part0.db part1.db

The other stores are not changed.")]
    Merge(Merge),
    /// Copy what is whole in a damaged store into a new one
    #[command(after_help = "\
Example:
  patience experiment rescue damaged.db --store new.db
  patience experiment resume --store new.db           runs what was lost again

The damaged store is not changed.")]
    Rescue(rescue::Rescue),
    /// Check a spec without running it
    #[command(after_help = "\
Examples:
  patience experiment check my.toml
  patience experiment check uct-figure-2      a built-in spec")]
    Check(Check),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// A spec file, or the name of a built-in spec
    spec: String,
    /// Run the quick version of the spec
    #[arg(long)]
    quick: bool,
    /// The store; it is created if it does not exist
    #[arg(long, default_value = "patience.db")]
    store: PathBuf,
    /// Start units at the positions in the files of this folder (*.txt), in order of their names; no
    /// more units than files
    #[arg(long, value_name = "DIR")]
    boards: Option<String>,
    /// Units per arm [default: as in the spec]
    #[arg(long, value_name = "N", value_parser = values::within::<u64>(1..=1_000_000_000))]
    units: Option<u64>,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    part: Part,
    /// Run on the Ray cluster at this address, or `auto` for the local one; needs the Python package
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["shard", "threads", "boards"])]
    ray: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct How {
    /// Threads; 0 is one per core
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,
}

#[derive(Debug, clap::Args)]
struct Part {
    /// Run only part I of N of the units, counted from 0
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
}

impl Part {
    fn shard(&self) -> Result<Shard, Failure> {
        Ok(self.shard.as_deref().map_or(Ok(Shard::WHOLE), str::parse)?)
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Resume {
    /// Only these experiments
    names: Vec<String>,
    /// The store
    #[arg(long, default_value = "patience.db")]
    store: PathBuf,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    part: Part,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// Only these experiments
    names: Vec<String>,
    /// The store
    #[arg(long, default_value = "patience.db")]
    store: PathBuf,
    /// Write one self-contained HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write each plot as an SVG file into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct List {
    /// The store
    #[arg(long, default_value = "patience.db")]
    store: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// One line per value
    Csv,
    /// One JSON object per unit
    Jsonl,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    /// Only these experiments
    names: Vec<String>,
    /// The store
    #[arg(long, default_value = "patience.db")]
    store: PathBuf,
    /// The format
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write all that belongs to the results into this new or empty folder, or into one archive if the
    /// name ends with .tar.zst
    #[arg(long, value_name = "PLACE", conflicts_with_all = ["format", "out"])]
    to: Option<PathBuf>,
    /// With --to: the licence of the results
    #[arg(
        long,
        value_name = "URL",
        requires = "to",
        default_value = "https://creativecommons.org/publicdomain/zero/1.0/"
    )]
    license: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Merge {
    /// The stores to copy from
    #[arg(required = true)]
    from: Vec<PathBuf>,
    /// The store to copy to; it is created if it does not exist
    #[arg(long)]
    store: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// A spec file, or the name of a built-in spec
    spec: String,
}

pub(crate) fn run(command: &Command) -> Result<Code, Failure> {
    match command {
        Command::Run(args) => run_spec(args),
        Command::Resume(args) => resume(args),
        Command::Report(args) => report(args),
        Command::List(args) => list(args),
        Command::Export(args) => export(args),
        Command::Merge(args) => {
            let merged = lab::merge_into(&args.store, &args.from)?;
            if args.json {
                say_json(&merged)?;
            } else {
                say(&format!("{} rows added, {} were already there", merged.added, merged.same));
            }
            Ok(Code::Success)
        }
        Command::Rescue(args) => rescue::run(args),
        Command::Check(args) => {
            let resolve = resolve(registry());
            for quick in [false, true] {
                let spec = read_spec(&args.spec, quick)?;
                lab::check(&spec, &resolve)?;
                let (arms, units) = (spec.arms.len(), spec.units);
                let version = if quick { "quick" } else { "full" };
                say(&format!("{} ({version}): {arms} arms of {units} units", spec.name));
            }
            Ok(Code::Success)
        }
    }
}

/// A spec from a file, or a built-in one by name.
pub(crate) fn read_spec(spec: &str, quick: bool) -> Result<Spec, Failure> {
    if Path::new(spec).exists() {
        return Ok(Spec::read(Path::new(spec), quick)?);
    }
    if let Some(built_in) = built_in(spec, quick) {
        return built_in;
    }
    let names: Vec<&str> = registry().specs().map(|(name, _)| name).collect();
    let near = patience::plan::did_you_mean(spec, names.iter().copied());
    let names = names.join(", ");
    let message = format!("{spec}: there is no such file or spec{near} (built in: {names})");
    // What cannot be a built-in spec's name is a file that is not there.
    let named = !spec.is_empty() && spec.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    Err(Failure::new(if named { Code::Usage } else { Code::BadInput }, message))
}

/// The built-in spec of a name.
pub(crate) fn built_in(name: &str, quick: bool) -> Option<Result<Spec, Failure>> {
    let (name, text) = registry().specs().find(|(known, _)| *known == name)?;
    Some(Spec::parse(&format!("built-in {name}"), text, quick).map_err(Failure::from))
}

/// Runs an experiment with progress shown.
pub(crate) fn work(
    experiment: &Experiment,
    store: &mut Store,
    options: &RunOptions,
    cancel: &Cancel,
) -> Result<Summary, Failure> {
    for outdated in experiment.outdated(store.reading())? {
        note(&outdated.to_string());
    }
    let mut watch = Watch::new(&experiment.spec().name);
    let done = experiment.run(store, options, cancel, &mut |progress| watch.show(progress));
    watch.finish();
    Ok(done?)
}

fn ending(
    summaries: &[Summary],
    cancel: &Cancel,
    again: &str,
    json: bool,
) -> Result<Code, Failure> {
    if json {
        say_json(&summaries)?;
    }
    for summary in summaries.iter().filter(|_| !json) {
        let Summary { experiment, before, ran, total, seconds, .. } = summary;
        let took = duration(*seconds);
        say(&format!("{experiment}: {ran} units in {took}, {}/{total} in all", before + ran));
    }
    if summaries.iter().all(|summary| summary.complete) && !cancel.is_cancelled() {
        return Ok(Code::Success);
    }
    note(&format!("interrupted; {again}"));
    Ok(Code::Budget)
}

fn run_spec(args: &Run) -> Result<Code, Failure> {
    let mut spec = read_spec(&args.spec, args.quick)?;
    if let Some(folder) = &args.boards {
        spec = on_boards(&spec, folder)?;
    }
    if let Some(units) = args.units {
        spec = spec.with_units(units);
    }
    let options = RunOptions { threads: args.how.threads, shard: args.part.shard()? };
    // The spec is checked before a store is made for it.
    let (cancel, _halt) = halt_on_interrupt();
    let experiment = lab::check(&spec, &resolve(registry())).map_err(|e| cut(&cancel, e.into()))?;
    if let Some(address) = &args.ray {
        let Run { quick, units, json, .. } = *args;
        let (spec, store) = (args.spec.as_str(), args.store.as_path());
        return ray::run(&ray::Job { spec, quick, units, store, address, json });
    }
    let mut store = Store::open(&args.store)?;
    let summary = work(&experiment, &mut store, &options, &cancel).map_err(|e| cut(&cancel, e))?;
    let cancel = if summary.complete { Cancel::new() } else { cancel };
    ending(&[summary], &cancel, &go_on(&args.store, &args.part), args.json)
}

/// The same spec on the boards of a folder. The store keeps a spec as text, so that is where it goes.
fn on_boards(spec: &Spec, folder: &str) -> Result<Spec, Failure> {
    let wrong = |what: String| Failure::new(Code::BadInput, format!("--boards {folder}: {what}"));
    let files = position_files(Path::new(folder)).map_err(wrong)?.len() as u64;
    let text = with_boards(&spec.text, folder).ok_or_else(|| {
        wrong("expected a spec with a [task] table, and a path without quotes".to_owned())
    })?;
    let on_boards = Spec::parse(&spec.file, &text, spec.quick)?;
    Ok(on_boards.with_units(spec.units.min(files)))
}

/// The text of a spec with the key `boards` in its `[task]`.
fn with_boards(text: &str, folder: &str) -> Option<String> {
    if folder.contains(['\'', '\n', '\r']) {
        return None;
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let task = lines.iter().position(|line| line.trim() == "[task]")?;
    let end = lines[task + 1..].iter().position(|line| line.trim_start().starts_with('['));
    let end = end.map_or(lines.len(), |n| task + 1 + n);
    let key = |line: &String| line.split('=').next().is_some_and(|key| key.trim() == "boards");
    let boards = format!("boards = '{folder}'");
    match lines[task + 1..end].iter().position(key) {
        Some(n) => lines[task + 1 + n] = boards,
        None => lines.insert(task + 1, boards),
    }
    Some(lines.join("\n") + "\n")
}

/// How to continue. A store does not know of shards, so the part must be named again.
fn go_on(store: &Path, part: &Part) -> String {
    let shard = part.shard.as_ref().map_or(String::new(), |shard| format!(" --shard {shard}"));
    format!("continue with: patience experiment resume --store {}{shard}", store.display())
}

fn resume(args: &Resume) -> Result<Code, Failure> {
    let all = Reading::open(&args.store)?.experiments()?;
    for name in &args.names {
        if !all.iter().any(|experiment| experiment.name == *name) {
            let near = lab::did_you_mean(name, all.iter().map(|e| e.name.as_str()));
            let message = format!("there is no experiment {name} in the store{near}");
            return Err(Failure::new(Code::Usage, message));
        }
    }
    let mut store = Store::open(&args.store)?;
    let options = RunOptions { threads: args.how.threads, shard: args.part.shard()? };
    let (cancel, _halt) = halt_on_interrupt();
    let resolve = resolve(registry());
    let mut summaries = Vec::new();
    for experiment in all {
        if args.names.is_empty() || args.names.contains(&experiment.name) {
            let done = lab::check(&experiment.spec()?, &resolve)
                .map_err(Failure::from)
                .and_then(|experiment| work(&experiment, &mut store, &options, &cancel));
            summaries.push(done.map_err(|failure| cut(&cancel, failure))?);
        }
        if cancel.is_cancelled() {
            break;
        }
    }
    ending(&summaries, &cancel, &go_on(&args.store, &args.part), args.json)
}

fn report(args: &ReportArgs) -> Result<Code, Failure> {
    let report = lab::report(&Reading::open(&args.store)?, &args.names)?;
    let mut written = Vec::new();
    if let Some(path) = &args.html {
        write(path, &lab::html(&report))?;
        written.push(format!("report: {}", path.display()));
    }
    if let Some(folder) = &args.svg {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new(Code::Fault, format!("{}: cannot make: {error}", folder.display()))
        })?;
        let figures = lab::figures(&report);
        for (name, svg) in &figures {
            write(&folder.join(format!("{name}.svg")), svg)?;
        }
        let folder = folder.display();
        written.push(match figures.len() {
            0 => format!("plots: nothing written to {folder}: there is no chart to draw"),
            files => format!("plots: {} written to {folder}", counted(files, "file")),
        });
    }
    if args.json {
        say_json(&report)?;
    } else {
        say(&summary(&report));
    }
    written.iter().for_each(|line| note(line));
    Ok(Code::Success)
}

fn list(args: &List) -> Result<Code, Failure> {
    let rows = Reading::open(&args.store)?.list()?;
    if args.json {
        say_json(&rows)?;
        return Ok(Code::Success);
    }
    let header = ["experiment", "arms", "units", "of", "time", "title"].map(str::to_owned).to_vec();
    let row = |row: &Listing| {
        let name = if row.quick { format!("{} (quick)", row.name) } else { row.name.clone() };
        vec![
            name,
            row.arms.to_string(),
            row.done.to_string(),
            row.total.to_string(),
            duration(row.seconds),
            row.title.clone(),
        ]
    };
    say(&table(&std::iter::once(header).chain(rows.iter().map(row)).collect::<Vec<_>>()));
    Ok(Code::Success)
}

fn export(args: &Export) -> Result<Code, Failure> {
    let reading = Reading::open(&args.store)?;
    if let Some(folder) = &args.to {
        let files = archive::archive(&reading, &args.names, folder, &args.license)?;
        note(&format!("{} written to {}", counted(files, "file"), folder.display()));
        return Ok(Code::Success);
    }
    let format = match args.format {
        Format::Csv => ExportFormat::Csv,
        Format::Jsonl => ExportFormat::JsonLines,
    };
    let Some(path) = &args.out else {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        return match lab::export(&reading, &args.names, format, &mut out) {
            // A reader that has gone away has seen enough.
            Err(lab::LabError::Io { source, .. }) if source.kind() == ErrorKind::BrokenPipe => {
                Ok(Code::Success)
            }
            done => Ok(done.map(|_| Code::Success)?),
        };
    };
    write_by(path, |out| {
        let done = lab::export(&reading, &args.names, format, out);
        done.map(drop).map_err(|error| Unwritten::Other(error.into()))
    })?;
    Ok(Code::Success)
}
