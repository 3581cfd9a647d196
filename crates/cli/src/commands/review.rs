//! `patience review`.

use std::path::Path;
use std::time::Duration;

use patience::model::Standing;
use patience::plan::Budget;
use patience::{Fate, Mark, Measure, Point, Review, Reviewing, Setup, Table, registry};

use crate::console::{halt_on_interrupt, note, say, say_json, table_with};
use crate::exit::{Code, Failure};
use crate::{files, values};

/// Says what every move of a game cost.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience review patience-game.json
  patience review 'http://127.0.0.1:8080/#/GAME?game=GAME&deal=seed:7&moves=a+b'
  patience review game.json --iterations 2000 --json

A game is a link of the page, a file that `patience play` saved, or - for standard input.
A planner judges each move by what could be known then. Where the game has a solver that
proves, it also says which move lost the game with all cards seen.

Exit codes: 0 done, 2 wrong usage, 3 bad input, 4 interrupted.")]
pub(crate) struct Args {
    /// A link of the page, a file with a saved game, or - for standard input
    #[arg(value_name = "LINK|FILE")]
    game: String,
    /// The planner that judges [default: one that suits the game]
    #[arg(long)]
    planner: Option<String>,
    /// Limit of iterations for every position
    #[arg(long, value_name = "N", value_parser = values::whole)]
    iterations: Option<u64>,
    /// Time limit for every position in seconds; suffixes ms, s, m, h are accepted [default: 500ms]
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    time: Option<Duration>,
    /// Limit of iterations for every proof
    #[arg(long, value_name = "N", default_value = "1e6", value_parser = values::whole)]
    proof: u64,
    /// Show a solver's way to win from where the game was last winnable, although it sees all cards
    #[arg(long)]
    reveal: bool,
    /// The planner's seed
    #[arg(long, value_name = "N", default_value = "0", value_parser = values::whole)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let (cancel, _halt) = halt_on_interrupt();
    let table = open(&args.game)?;
    let time = args.time.or(args.iterations.is_none().then_some(Duration::from_millis(500)));
    let limited = Budget::UNLIMITED.with_memory(4 << 30);
    let how = Reviewing {
        planner: args.planner.clone(),
        budget: Budget { iterations: args.iterations, time, ..limited },
        proof: Some(Budget { iterations: Some(args.proof), ..limited }),
        reveal: args.reveal,
        seed: args.seed,
    };
    let all = table.moves().len() + 1;
    let mut watch = |review: &Review| {
        if review.points.len().is_multiple_of(10) {
            note(&format!("{} of {all} positions", review.points.len()));
        }
    };
    let wrong = |error: patience::TableError| Failure::new(Code::Usage, error.to_string());
    let review = table.review(&how, &cancel, &mut watch).map_err(wrong)?;
    if args.json {
        say_json(&review)?;
    } else {
        say(&text(&review));
    }
    Ok(if review.done { Code::Success } else { Code::Budget })
}

/// The game of a link or file.
fn open(what: &str) -> Result<Table, Failure> {
    let bad = |why: String| Failure::new(Code::BadInput, why);
    let (setup, moves) = if what.contains("#/") {
        Setup::from_link(what).map_err(bad)?
    } else {
        let (name, text) = files::read(Path::new(what))?;
        Setup::from_saved(&text).map_err(|why| bad(why).about(&name))?
    };
    Table::open(registry(), &setup, &moves).map_err(|error| bad(error.to_string()))
}

fn value(measure: Measure, value: f64) -> String {
    match measure {
        Measure::WinProbability => format!("{:.1}%", 100.0 * value),
        Measure::StepsToGo | Measure::Score => format!("{value:.0}"),
        Measure::Value => format!("{value:.3}"),
    }
}

/// What the values are, for the head of their column.
fn head(measure: Measure) -> &'static str {
    match measure {
        Measure::WinProbability => "win",
        Measure::StepsToGo => "steps in all",
        Measure::Score => "points in all",
        Measure::Value => "value",
    }
}

fn text(review: &Review) -> String {
    let Review { measure, .. } = *review;
    let shown = |number: Option<f64>| number.map_or("-".to_owned(), |n| value(measure, n));
    let band = |point: &Point| match (point.low, point.high) {
        (Some(low), Some(high)) => format!("[{}, {}]", value(measure, low), value(measure, high)),
        _ => String::new(),
    };
    let mut rows = vec![["", "move", head(measure), "", "cost", ""].map(str::to_owned).to_vec()];
    for point in &review.points {
        let mark = match point.mark {
            Mark::None => "",
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        };
        let cost = match point.cost {
            Some(cost) if cost > 0.0 && cost.is_finite() => value(measure, cost),
            Some(cost) if cost > 0.0 => "all".to_owned(),
            _ => String::new(),
        };
        let better = point.better.as_ref().filter(|_| point.mark != Mark::None);
        let better = better.map_or(String::new(), |b| format!("better: {}", b.label));
        rows.push(vec![
            format!("{}", point.moves + 1),
            point.played.clone().unwrap_or_else(|| ending(review.standing).to_owned()),
            shown(point.value),
            band(point),
            format!("{cost}{mark}"),
            better,
        ]);
    }
    let marked = |mark| review.points.iter().filter(|point| point.mark == mark).count();
    format!(
        "{}\n\n{} blunders, {} mistakes, {} inaccuracies, judged by {}\n{}",
        table_with(&rows, 2).trim_end(),
        marked(Mark::Blunder),
        marked(Mark::Mistake),
        marked(Mark::Inaccuracy),
        review.planner,
        review.fate.as_ref().map_or(String::new(), |fate| fated(fate, review)),
    )
    .trim_end()
    .to_owned()
}

fn ending(standing: Standing) -> &'static str {
    match standing {
        Standing::Won => "(won)",
        Standing::Over => "(no move is left)",
        Standing::Open => "(the game goes on)",
    }
}

/// Where the game was lost, with all cards seen.
fn fated(fate: &Fate, review: &Review) -> String {
    let name = |moves: usize| {
        let before = review.points.get(moves.wrapping_sub(1));
        let played = before.and_then(|point| point.played.as_deref()).unwrap_or("");
        format!("move {moves} ({played})")
    };
    let said = match (fate.winnable, fate.lost) {
        (_, Some(0)) => "this deal cannot be won".to_owned(),
        (Some(at), Some(lost)) if at + 1 == lost => format!("{} lost the game: proven", name(lost)),
        (Some(at), Some(lost)) => {
            format!("a win is proven up to move {at}, none from {} on", name(lost))
        }
        (None, Some(lost)) => format!("from {} on it is proven lost", name(lost)),
        (Some(_), None) if review.standing == Standing::Won => "the game was won".to_owned(),
        (Some(at), None) if at + 1 == review.points.len() => "it can still be won".to_owned(),
        (Some(at), None) => {
            format!("a win is proven up to move {at}; of the rest nothing is known")
        }
        (None, None) => "nothing could be proven".to_owned(),
    };
    let line = if fate.line.is_empty() {
        String::new()
    } else {
        format!("\nA way to win from there: {}", fate.line.join(" "))
    };
    format!("With all cards seen: {said}.{line}")
}
