//! `patience hint`.

use std::path::Path;
use std::time::Duration;

use patience::plan::{Budget, StopReason};
use patience::{Advice, AnyGame, AnyState, MoveAdvice, Registry};

use crate::console::{cut, halt_on_interrupt, note, say, say_json, table};
use crate::exit::{Code, Failure};
use crate::files;
use crate::values;

/// Thinks about a position and says what every move is worth.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience hint tic-tac-toe
  patience hint 'sailing(size=20)' --planner 'uct(scale=10, eval=perturbed, stop=visits)'
  patience hint tiger --planner 'uct(scale=110)' --iterations 100000 --json
  patience hint klondike half-played.txt --time 1 --json
  patience hint 'klondike(draw=1)' seed:7
  patience hint klondike --seed 7
  patience hint samegame seed:3
  patience hint freecell 11982")]
pub(crate) struct Args {
    /// The game, such as `connect-four` or `sailing(size=20)`; see `patience games`
    game: String,
    /// A file with a position, - for standard input, or a deal's number or name; if none is given,
    /// the start of the deal of --seed
    position: Option<String>,
    /// The planner, such as `uct(trajectories=10000)`; if none is named, one that suits the game
    #[arg(long)]
    planner: Option<String>,
    /// Stop after so many iterations
    #[arg(long, value_name = "N", value_parser = values::whole)]
    iterations: Option<u64>,
    /// Stop after so many simulated moves
    #[arg(long, value_name = "N", value_parser = values::whole)]
    model_calls: Option<u64>,
    /// Stop after so many seconds; if nothing is limited: 1, or 60 for a search that ends by itself
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    time: Option<Duration>,
    /// Stop when the search holds so many megabytes, or so much as 512M or 4G say
    #[arg(long, value_name = "MB", default_value = "4096", value_parser = values::memory)]
    memory: u64,
    /// The seed of the deal and of the planner, 0 if not given; of a game that numbers its deals, such as
    /// FreeCell, the deal's number
    #[arg(long, value_parser = values::whole)]
    seed: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let (cancel, _halt) = halt_on_interrupt();
    let game =
        Registry::standard().played(&args.game).map_err(|error| cut(&cancel, error.into()))?;
    let planner = args.planner.as_deref().unwrap_or(game.planner());
    let limited = args.iterations.is_some() || args.model_calls.is_some() || args.time.is_some();
    let ends = game.ends(planner)?;
    let budget = Budget {
        iterations: args.iterations,
        model_calls: args.model_calls,
        time: args.time.or((!limited).then_some(Duration::from_secs(if ends { 60 } else { 1 }))),
        memory: Some(args.memory),
    };
    let seed = args.seed.unwrap_or(0);
    let state = match &args.position {
        Some(at) => find(&game, at, seed)?,
        None => start(&game, args.seed)?,
    };
    let mut seconds = 0;
    let advice = state.advise(planner, &budget, seed, &cancel, &mut |advice| {
        let stats = &advice.stats;
        if stats.seconds as u64 > seconds {
            seconds = stats.seconds as u64;
            let counts = stats.counts;
            note(&format!(
                "{seconds} s: {} iterations, {} nodes, {:.0} MB",
                counts.iterations,
                counts.nodes,
                counts.bytes as f64 / 1e6
            ));
        }
    })?;
    if args.json {
        say_json(&advice)?;
    } else {
        say(&text(&advice));
    }
    let cut = matches!(advice.stats.stop, Some(StopReason::Cancelled | StopReason::Memory));
    Ok(if cut { Code::Budget } else { Code::Success })
}

/// The start of the deal of a seed: the deal that other commands have for it, where they have one.
fn start(game: &AnyGame, seed: Option<u64>) -> Result<AnyState, Failure> {
    let at = seed.unwrap_or(0);
    if !game.capabilities().contains(&"numbered") {
        return Ok(game.start(at));
    }
    match (game.numbered(at, at), seed) {
        (Err(why), Some(seed)) => {
            Err(Failure::new(Code::BadInput, format!("--seed {seed}: {why}")))
        }
        // Not every game has a deal 0, and nobody asked for it.
        (dealt, _) => Ok(dealt.unwrap_or_else(|_| game.start(at))),
    }
}

/// The position in a file, or the start of a deal.
fn find(game: &AnyGame, at: &str, seed: u64) -> Result<AnyState, Failure> {
    let path = Path::new(at);
    let bad = |name: &str, why: String| Failure::new(Code::BadInput, format!("{name}: {why}"));
    if at == "-" || path.exists() {
        let (name, text) = files::read(path)?;
        return game.read(&text, seed).map_err(|why| bad(&name, why));
    }
    // What looks like a deal's name is one; all else is a file that is not there.
    let digits = !at.is_empty() && at.bytes().all(|b| b.is_ascii_digit());
    if !digits && !at.starts_with("seed:") {
        let message = "there is no such file, and it is no deal's number or name";
        return Err(bad(at, message.to_owned()));
    }
    let read = game.read(at, seed);
    match at.parse() {
        Ok(number) if read.is_err() => game.numbered(number, seed).map_err(|why| bad(at, why)),
        _ => read.map_err(|why| bad(at, why)),
    }
}

fn text(advice: &Advice) -> String {
    let bounded = advice.moves.iter().any(|m| m.low.is_some());
    let mut header = vec!["move", "value", "95% interval", "visits"];
    if !bounded {
        header.remove(2);
    }
    let mut rows = vec![header.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for m in &advice.moves {
        let best = advice.best.as_ref() == Some(&m.action);
        let interval = match (m.low, m.high) {
            (Some(low), Some(high)) => format!("[{low:.4}, {high:.4}]"),
            _ => "-".to_owned(),
        };
        let mut row = vec![
            format!("{}{}{}", m.action, sure(m), if best { "  <- best" } else { "" }),
            m.value.map_or("-".to_owned(), |value| format!("{value:.4}")),
            interval,
            m.visits.to_string(),
        ];
        if !bounded {
            row.remove(2);
        }
        rows.push(row);
    }
    if advice.moves.is_empty() {
        return format!("{}\n\nThe game is over.", advice.position);
    }
    let stats = &advice.stats;
    let stop = stats.stop.map_or(String::new(), |stop| format!("; stopped: {stop}"));
    let guess = if advice.moves.iter().all(|m| m.value.is_none()) {
        "No value is known: the marked move is a guess.\n"
    } else {
        ""
    };
    format!(
        "{}\n\n{}{guess}\n{} iterations, {} model calls, {} nodes, {:.2} s{stop}",
        advice.position,
        table(&rows),
        stats.counts.iterations,
        stats.counts.model_calls,
        stats.counts.nodes,
        stats.seconds
    )
}

/// Marks a move whose value is proven.
fn sure(m: &MoveAdvice) -> &'static str {
    match (m.sure, m.value) {
        (true, Some(value)) if value <= 0.0 => "  (surely lost)",
        (true, Some(value)) if value >= 1.0 => "  (surely won)",
        (true, _) => "  (exact)",
        (false, _) => "",
    }
}
