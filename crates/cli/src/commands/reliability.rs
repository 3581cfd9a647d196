//! `patience reliability`.

use std::path::PathBuf;
use std::time::Duration;

use patience::plan::Budget;
use patience::registry;
use patience::reliability::{self, Decision, Games, Reliability, ReliabilityError};
use serde::Serialize;

use super::deals::{self, Source};
use crate::console::{cancel_on_interrupt, say, say_json, table};
use crate::exit::{Code, Failure};
use crate::values;

/// Plays games and compares what a planner calls its chance to win with how they end.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience reliability GAME seed:1..100 --planner 'uct(iterations=1000)'
  patience reliability GAME seed:1..100 --iterations 400 --svg told.svg --csv decisions.csv

Moves that are proven to win or to lose are left out: they are no chances.
Exit codes: 0 done, 2 wrong usage, 3 bad input, 4 interrupted.")]
pub(crate) struct Args {
    /// The game; see `patience games`
    game: String,
    /// The planner [default: one that suits the game]
    #[arg(long)]
    planner: Option<String>,
    /// The deals, such as 7, 1..40 or seed:1..100
    #[arg(value_name = "DEAL", required_unless_present = "seeds")]
    deals: Vec<String>,
    /// The deals of these seeds, both ends included: short for seed:A..B
    #[arg(long, value_name = "A..B")]
    seeds: Option<String>,
    /// Limit of iterations per decision
    #[arg(long, value_name = "N", value_parser = values::whole)]
    iterations: Option<u64>,
    /// Time limit per decision; suffixes ms, s, m, h are accepted
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    time: Option<Duration>,
    /// Threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = values::whole)]
    threads: u64,
    /// Write the reliability diagram to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write all decisions to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// The names of the deals.
    fn deals(&self) -> Result<Vec<String>, Failure> {
        let seeds = self.seeds.iter().map(|seeds| format!("seed:{seeds}"));
        let words: Vec<String> = self.deals.iter().cloned().chain(seeds).collect();
        let sources = deals::all(&words, &self.game)?.sources.into_iter();
        let name = |source| match source {
            Source::Deal(name) => Ok(name),
            Source::Position { name, .. } => {
                Err(Failure::new(Code::Usage, "a deal is expected, not a position").about(&name))
            }
        };
        sources.map(name).collect()
    }
}

#[derive(Debug, Serialize)]
struct Answer {
    game: String,
    planner: String,
    games: u64,
    won: u64,
    proven: u64,
    told: Reliability,
    #[serde(skip_serializing_if = "Option::is_none")]
    uncorrected: Option<Reliability>,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let cancel = cancel_on_interrupt();
    let game = registry().played(&args.game)?;
    let planner = args.planner.as_deref().map_or(game.planner(), str::trim);
    let budget = Budget { iterations: args.iterations, time: args.time, ..Budget::UNLIMITED };
    let threads = usize::try_from(args.threads).unwrap_or(1).clamp(1, 256);
    let played = reliability::play(&game, planner, &budget, &args.deals()?, threads, &cancel);
    if cancel.is_cancelled() {
        return Err(Failure::new(Code::Budget, "interrupted"));
    }
    let games = played.map_err(|error| match error {
        ReliabilityError::Call(error) => error.into(),
        ReliabilityError::Run(error) => Failure::new(Code::Fault, error.to_string()),
        error => Failure::new(Code::Usage, error.to_string()),
    })?;
    let told = Reliability::of(&games, |d| Some(d.value));
    // A planner that corrects what it tells gives the plain mean as a figure.
    let mean = games.figures.iter().position(|name| name == "mean");
    let plain = |d: &Decision| mean.and_then(|mean| d.figures.get(mean).copied());
    let uncorrected = mean.map(|_| Reliability::of(&games, plain));
    if let Some(path) = &args.csv {
        write(path, &csv(&games))?;
    }
    if let Some(path) = &args.svg {
        let title = format!("{} by {planner}, {} games", args.game, games.games);
        write(path, &told.svg(&title, uncorrected.as_ref()))?;
    }
    let proven = games.decisions.iter().filter(|d| d.sure).count() as u64;
    let answer = Answer {
        game: args.game.clone(),
        planner: planner.to_owned(),
        games: games.games,
        won: games.won,
        proven,
        told,
        uncorrected,
    };
    if args.json {
        say_json(&answer)?;
    } else {
        say(&text(&answer));
    }
    Ok(Code::Success)
}

fn write(path: &std::path::Path, text: &str) -> Result<(), Failure> {
    let failed = |error| {
        Failure::new(Code::BadInput, format!("{}: cannot be written: {error}", path.display()))
    };
    std::fs::write(path, text).map_err(failed)
}

fn csv(games: &Games) -> String {
    let mut out = format!("deal,value,sure,won,{}\n", games.figures.join(","));
    for d in &games.decisions {
        let mut figures: Vec<String> = d.figures.iter().map(f64::to_string).collect();
        figures.resize(games.figures.len(), String::new());
        let (sure, won) = (u8::from(d.sure), u8::from(d.won));
        out += &format!("{},{},{sure},{won},{}\n", d.deal, d.value, figures.join(","));
    }
    out
}

fn text(answer: &Answer) -> String {
    let header = ["told", "decisions", "games", "mean", "won", "95% interval"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (tenth, bin) in answer.told.bins.iter().enumerate() {
        if bin.decisions == 0 {
            continue;
        }
        let low = tenth as f64 / 10.0;
        rows.push(vec![
            format!("{low:.1} to {:.1}", low + 0.1),
            bin.decisions.to_string(),
            bin.deals.to_string(),
            format!("{:.3}", bin.told),
            format!("{:.3}", bin.won),
            format!("[{:.3}, {:.3}]", (bin.won - bin.half).max(0.0), (bin.won + bin.half).min(1.0)),
        ]);
    }
    let Answer { games, won, proven, told, .. } = answer;
    let plain = answer.uncorrected.as_ref();
    let plain =
        plain.map_or(String::new(), |r| format!(" (of the uncorrected mean {:.4})", r.brier));
    format!(
        "{}\nBrier score {:.4}{plain} over {} decisions; {proven} more were proven.\n\
         {won} of {games} games won.",
        table(&rows),
        told.brier,
        told.decisions
    )
}
