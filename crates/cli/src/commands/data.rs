//! `patience data`: results at full size, kept as files that anyone can check.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use clap::Subcommand;
use patience::data::{Asked, Checking, DataError, Dataset, Running, datasets};
use patience::plan::Cancel;

use super::solve::many;
use crate::console::{cancel_on_interrupt, note, say, say_json, table};
use crate::exit::{Code, Failure};
use crate::values;

/// What to do with results.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  patience data list
  patience data verify NAME --sample 1%
  patience data run NAME --time 2h      goes on where the last run ended
  patience data report > docs/results.md")]
pub(crate) enum Command {
    /// List the results, and how much of each is there
    List {
        #[command(flatten)]
        place: Place,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Go on with a result: run what is missing, and write it batch by batch
    Run {
        /// The result: the name of its folder
        name: String,
        #[command(flatten)]
        place: Place,
        /// Stop after this time; suffixes ms, s, m, h are accepted
        #[arg(long, value_parser = values::seconds)]
        time: Option<Duration>,
        /// Deals or units side by side; 0: as many as there are cores
        #[arg(long, default_value_t = 0)]
        threads: usize,
        /// Of an experiment: keep units in this store as they finish, and take those that it has
        #[arg(long, value_name = "FILE")]
        store: Option<PathBuf>,
    },
    /// Replay every solution, recompute every table, and run a sample again
    Verify {
        /// The results, or all
        names: Vec<String>,
        #[command(flatten)]
        place: Place,
        /// The share of deals or units that are run again, such as 1% or 0.01
        #[arg(long, default_value = "0", value_parser = share)]
        sample: f64,
        /// The seed by which the sample is chosen
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the page of results from the rows
    Report {
        #[command(flatten)]
        place: Place,
    },
}

/// Where results are.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// The folder of results
    #[arg(long, default_value = "data")]
    folder: PathBuf,
}

/// `1%` or `0.01`.
fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number, 100.0),
        None => (text, 1.0),
    };
    let share = number.parse::<f64>().map(|share| share / unit);
    share
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a share is expected, such as 1% or 0.01".to_owned())
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        let code = match error {
            DataError::Store(error) => return error.into(),
            DataError::Io { action: "write it", .. } => Code::Fault,
            _ => Code::BadInput,
        };
        Failure::new(code, error.to_string())
    }
}

pub(crate) fn run(command: &Command) -> Result<Code, Failure> {
    match command {
        Command::List { place, json } => list(&place.folder, *json),
        Command::Run { name, place, time, threads, store } => {
            go_on(&place.folder.join(name), *time, *threads, store.as_deref())
        }
        Command::Verify { names, place, sample, seed, json } => {
            verify(&place.folder, names, *sample, *seed, *json)
        }
        Command::Report { place } => {
            say(patience::data::report(&place.folder)?.trim_end());
            Ok(Code::Success)
        }
    }
}

fn list(folder: &Path, json: bool) -> Result<Code, Failure> {
    let all = datasets(folder)?;
    if json {
        let rows = all.iter().map(|data| {
            let mut row = serde_json::json!({
                "name": data.name(), "title": data.card.title,
                "asked": data.asked(), "done": data.done(), "hours": data.hours(),
            });
            match &data.card.asked {
                Asked::Deals(deals) => {
                    row["game"] = deals.game.clone().into();
                    row["solver"] = deals.solver.clone().into();
                    row["deals"] = deals.deals.clone().into();
                }
                Asked::Experiment(experiment) => row["spec"] = experiment.spec.clone().into(),
                Asked::Fewest(fewest) => {
                    let steps = fewest.steps.iter().map(|step| step.data.as_str());
                    row["data"] = steps.collect::<Vec<_>>().into();
                }
            }
            row
        });
        say_json(&rows.collect::<Vec<_>>())?;
        return Ok(Code::Success);
    }
    let mut rows = vec![["name", "done", "what"].map(str::to_owned).to_vec()];
    rows.extend(all.iter().map(|data| {
        let done = match data.card.asked {
            Asked::Fewest(_) => String::new(),
            _ => format!("{} of {} {}s", data.done(), data.asked(), data.unit()),
        };
        vec![data.name().to_owned(), done, data.card.title.clone()]
    }));
    say(&table(&rows));
    Ok(Code::Success)
}

fn go_on(
    folder: &Path,
    time: Option<Duration>,
    threads: usize,
    store: Option<&Path>,
) -> Result<Code, Failure> {
    let mut data = Dataset::open(folder)?;
    let cancel = cancel_on_interrupt();
    if let Some(time) = time {
        end_after(time, &cancel);
    }
    let today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let running = Running {
        threads: if threads == 0 { many::cores() } else { threads },
        cancel: &cancel,
        date: today[..10].to_owned(),
        store: store.map(Path::to_owned),
    };
    let told = Mutex::new(Instant::now());
    data.run(&running, &|progress| {
        let mut told = told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if told.elapsed() >= Duration::from_secs(2) {
            *told = Instant::now();
            let (done, all) = (progress.done + progress.in_hand, progress.asked);
            note(&format!("{done}/{all}"));
        }
    })?;
    say(&format!("{}: {} of {} {}s", data.name(), data.done(), data.asked(), data.unit()));
    Ok(if data.done() == data.asked() { Code::Success } else { Code::Budget })
}

/// Cancels after a time.
fn end_after(time: Duration, cancel: &Cancel) {
    let cancel = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        cancel.cancel();
    });
}

fn verify(
    folder: &Path,
    names: &[String],
    sample: f64,
    seed: u64,
    json: bool,
) -> Result<Code, Failure> {
    let all = match names {
        [] => datasets(folder)?,
        names => names.iter().map(|n| Dataset::open(&folder.join(n))).collect::<Result<_, _>>()?,
    };
    let cancel = cancel_on_interrupt();
    for data in &all {
        let mut told = Instant::now();
        let checking = Checking { sample, seed, cancel: &cancel };
        let verified = data.verify(&checking, &mut |rows| {
            if told.elapsed() >= Duration::from_secs(2) {
                told = Instant::now();
                note(&format!("{}: {rows}/{}", data.name(), data.done()));
            }
        })?;
        if cancel.is_cancelled() {
            return Err(Failure::new(Code::Budget, "interrupted"));
        }
        if json {
            say_json(&serde_json::json!({ "name": data.name(), "verified": verified }))?;
            continue;
        }
        let (what, replayed) = (data.unit(), verified.replayed);
        let mut text = format!("{}: {}", data.name(), verified.found.text());
        if replayed > 0 {
            text += &format!("; {replayed} solutions replayed");
        }
        if sample > 0.0 {
            text += &format!("; {} {what}s run again with the same result", verified.run_again);
        }
        if verified.other_versions > 0 {
            let (count, compared) = match data.card.asked {
                Asked::Deals(_) => (verified.other_versions, "verdict and proven value compared"),
                _ => (verified.other_versions, "not compared"),
            };
            text += &format!("; {count} {what}s are of other versions: {compared}");
        }
        say(&text);
    }
    Ok(Code::Success)
}
