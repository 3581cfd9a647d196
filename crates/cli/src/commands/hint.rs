//! `patience hint`.

use std::path::Path;
use std::time::Duration;

use patience::plan::{Budget, Cancel, Stats, StopReason};
use patience::table::{DISTANCE, Hint, HintMove, Setup, Table};
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
    /// The planner, such as `uct(trajectories=10000)`; if none is named, one that suits the game. For
    /// FreeCell that is `distance`, which tells the steps to go; it knows no limit but time and memory
    #[arg(long)]
    planner: Option<String>,
    /// Stop after so many iterations
    #[arg(long, value_name = "N", value_parser = values::whole)]
    iterations: Option<u64>,
    /// Stop after so many simulated moves
    #[arg(long, value_name = "N", value_parser = values::whole)]
    model_calls: Option<u64>,
    /// Stop after so many seconds; if nothing is limited: 1, 5 for `distance`, or 60 for a search that
    /// ends by itself
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
    let registry = Registry::standard();
    let game = registry.played(&args.game).map_err(|error| cut(&cancel, error.into()))?;
    let counted = args.iterations.is_some() || args.model_calls.is_some();
    let planner = match args.planner.as_deref().map(str::trim) {
        Some(planner) => planner,
        None if !counted && tells_steps(&registry, &args.game) => DISTANCE,
        None => game.planner(),
    };
    let default = match planner {
        DISTANCE if counted => {
            let message = "distance ends by itself or with --time; it counts no iterations";
            return Err(Failure::new(Code::Usage, message));
        }
        DISTANCE if !tells_steps(&registry, &args.game) => {
            let message = "the planner distance is for FreeCell and its family";
            return Err(Failure::new(Code::BadInput, message));
        }
        DISTANCE => 5,
        _ if game.ends(planner)? => 60,
        _ => 1,
    };
    let limited = counted || args.time.is_some();
    let budget = Budget {
        iterations: args.iterations,
        model_calls: args.model_calls,
        time: args.time.or((!limited).then_some(Duration::from_secs(default))),
        memory: Some(args.memory),
    };
    let seed = args.seed.unwrap_or(0);
    let state = match &args.position {
        Some(at) => find(&game, at, seed)?,
        None => start(&game, args.seed)?,
    };
    let mut progress = Progress { seconds: 0 };
    let (said, advice) = if planner == DISTANCE {
        let setup = Setup::position(&args.game, &state.text());
        let table = Table::open(&registry, &setup, &[])?;
        let hint = distances(&table, &budget, &cancel, &mut progress)?;
        (steps_text(&hint), hint.advice)
    } else {
        let mut watch = |advice: &Advice| progress.tell(&advice.stats);
        let advice = state.advise(planner, &budget, seed, &cancel, &mut watch)?;
        (text(&advice), advice)
    };
    if args.json {
        say_json(&advice)?;
    } else {
        say(&said);
    }
    let cut = matches!(advice.stats.stop, Some(StopReason::Cancelled | StopReason::Memory));
    Ok(if cut { Code::Budget } else { Code::Success })
}

/// Whether hints of this game tell the steps to go.
fn tells_steps(registry: &Registry, game: &str) -> bool {
    let setup = Setup { game: game.to_owned(), ..Setup::default() };
    Table::open(registry, &setup, &[]).is_ok_and(|table| table.planner() == DISTANCE)
}

fn distances(
    table: &Table,
    budget: &Budget,
    cancel: &Cancel,
    progress: &mut Progress,
) -> Result<Hint, Failure> {
    let mut watch = |hint: &Hint| progress.tell(&hint.advice.stats);
    Ok(table.hint(Some(DISTANCE), budget, 0, cancel, &mut watch)?)
}

/// What a search has done, told once a second.
struct Progress {
    seconds: u64,
}

impl Progress {
    fn tell(&mut self, stats: &Stats) {
        if stats.seconds as u64 > self.seconds {
            self.seconds = stats.seconds as u64;
            let counts = stats.counts;
            note(&format!(
                "{} s: {} iterations, {} nodes, {:.0} MB",
                self.seconds,
                counts.iterations,
                counts.nodes,
                counts.bytes as f64 / 1e6
            ));
        }
    }
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
    let guess = if advice.moves.iter().all(|m| m.value.is_none()) {
        "No value is known: the marked move is a guess.\n"
    } else {
        ""
    };
    format!("{}\n\n{}{guess}\n{}", advice.position, table(&rows), spent(&advice.stats))
}

fn spent(stats: &Stats) -> String {
    let stop = stats.stop.map_or(String::new(), |stop| format!("; stopped: {stop}"));
    format!(
        "{} iterations, {} model calls, {} nodes, {:.2} s{stop}",
        stats.counts.iterations, stats.counts.model_calls, stats.counts.nodes, stats.seconds
    )
}

/// How many steps every move leaves to go.
fn steps_text(hint: &Hint) -> String {
    let position = hint.advice.position.trim_end();
    if hint.moves.is_empty() {
        return format!("{position}\n\nThe game is over.");
    }
    let number = |value: Option<f64>| value.map_or("?".to_owned(), |value| format!("{value:.0}"));
    let row = |(place, m): (usize, &HintMove)| {
        let (steps, bounds) = match (m.loses, m.sure) {
            (true, _) => ("loses".to_owned(), "proven".to_owned()),
            (false, true) => (number(m.value), "proven".to_owned()),
            _ => (number(m.value), format!("[{}, {}]", number(m.low), number(m.high))),
        };
        let best = if hint.best == Some(place) { "  <- best" } else { "" };
        vec![m.action.clone(), m.label.clone() + best, steps, bounds]
    };
    let mut rows = vec![["move", "", "steps to go", "bounds"].map(str::to_owned).to_vec()];
    rows.extend(hint.moves.iter().enumerate().map(row));
    let lost = hint.lost.as_ref().map_or(String::new(), |lost| format!("Lost. {lost}\n"));
    format!(
        "{position}\n\n{}{lost}Steps to go are those of the shortest solution known after the move, the \
         move included: the fewer the better. Bounds are proven.\n{}",
        table(&rows),
        spent(&hint.advice.stats)
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
