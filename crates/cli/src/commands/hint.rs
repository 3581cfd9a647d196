//! `patience hint`.

use std::time::Duration;

use patience::plan::{Budget, Stats, StopReason};
use patience::{Advice, Hint, Measure, MoveAdvice};

use super::deals;
use crate::console::{cut, halt_on_interrupt, note, say, say_json, table_with};
use crate::exit::{Code, Failure};
use crate::values;

/// Evaluates every move of a position.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience hint tic-tac-toe
  patience hint 'sailing(size=20)' --planner 'uct(scale=10, eval=perturbed, stop=visits)'
  patience hint tiger --planner 'uct(scale=110)' --iterations 100000 --json
  patience hint GAME seed:7
  patience hint GAME position.txt --time 1 --json

Exit codes: 0 done, 2 wrong usage, 3 bad input, 4 interrupted or out of memory.")]
pub(crate) struct Args {
    /// The game, such as `connect-four` or `sailing(size=20)`; see `patience games`
    game: String,
    #[command(flatten)]
    deal: deals::One,
    /// The planner, such as `uct(iterations=10000)` [default: one that suits the game]
    #[arg(long)]
    planner: Option<String>,
    /// Limit of iterations
    #[arg(long, value_name = "N", value_parser = values::whole)]
    iterations: Option<u64>,
    /// Limit of simulated moves
    #[arg(long, value_name = "N", value_parser = values::whole)]
    model_calls: Option<u64>,
    /// Time limit in seconds; suffixes ms, s, m, h are accepted [default: 1s; 60s for a search that
    /// ends by itself, 5s if it counts the steps to go]
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    time: Option<Duration>,
    /// Memory limit in megabytes; suffixes K, M, G are accepted
    #[arg(long, value_name = "MB", default_value = "4G", value_parser = values::memory)]
    memory: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let (cancel, _halt) = halt_on_interrupt();
    let seed = args.deal.seed.unwrap_or(0);
    let source = args.deal.source(&args.game).map_err(|failure| cut(&cancel, failure))?;
    let game = source.game(&args.game).map_err(|failure| cut(&cancel, failure))?;
    let planner = args.planner.as_deref().map_or(game.planner(), str::trim);
    let state = source.open(&game, seed)?;
    let ends = game.ends(planner)?;
    let counted = args.iterations.is_some() || args.model_calls.is_some();
    let steps = state.measure_of(planner)? == Measure::StepsToGo;
    let standard = match (ends, steps) {
        (true, true) => 5,
        (true, false) => 60,
        (false, _) => 1,
    };
    let limited = counted || args.time.is_some();
    let budget = Budget {
        iterations: args.iterations,
        model_calls: args.model_calls,
        time: args.time.or((!limited).then_some(Duration::from_secs(standard))),
        memory: Some(args.memory),
    };
    let mut progress = Progress { seconds: 0 };
    let mut watch = |advice: &Advice| progress.tell(&advice.stats);
    let advice = state.advise(planner, &budget, seed, &cancel, &mut watch)?;
    let cut = matches!(advice.stats.stop, Some(StopReason::Cancelled | StopReason::Memory));
    if args.json {
        say_json(&advice)?;
    } else if steps {
        say(&steps_text(&Hint::from(advice)));
    } else {
        say(&text(&advice));
    }
    Ok(if cut { Code::Budget } else { Code::Success })
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

fn text(advice: &Advice) -> String {
    if advice.moves.is_empty() {
        return format!("{}\n\nThe game is over.", advice.position);
    }
    let bounded = advice.moves.iter().any(|m| m.low.is_some());
    let labelled = advice.moves.iter().any(|m| m.label != m.action);
    // Columns that say nothing are left out.
    let row = |action: String, label: String, numbers: [String; 3]| {
        let [value, interval, visits] = numbers;
        let mut row = vec![action];
        row.extend(labelled.then_some(label));
        row.push(value);
        row.extend(bounded.then_some(interval));
        row.push(visits);
        row
    };
    let header = ["value", "95% interval", "visits"].map(str::to_owned);
    let mut rows = vec![row("move".to_owned(), String::new(), header)];
    for m in &advice.moves {
        let best = if advice.best.as_ref() == Some(&m.action) { "  <- best" } else { "" };
        let marks = format!("{}{best}", sure(advice.measure, m));
        let interval = match (m.low, m.high) {
            (Some(low), Some(high)) => format!("[{low:.4}, {high:.4}]"),
            _ => "-".to_owned(),
        };
        let value = m.value.map_or("-".to_owned(), |value| format!("{value:.4}"));
        let numbers = [value, interval, m.visits.to_string()];
        rows.push(match labelled {
            true => row(m.action.clone(), format!("{}{marks}", m.label), numbers),
            false => row(format!("{}{marks}", m.action), String::new(), numbers),
        });
    }
    let guess = if advice.moves.iter().all(|m| m.value.is_none()) {
        "No move has a value yet: the marked move is a guess.\n"
    } else {
        ""
    };
    let why = advice.why.as_ref().map_or(String::new(), |why| format!("Why the best: {why}.\n"));
    let lost = advice.lost.as_ref().map_or(String::new(), |lost| format!("Lost. {lost}\n"));
    let table = table_with(&rows, 1 + usize::from(labelled));
    format!("{}\n\n{table}{why}{guess}{lost}\n{}", advice.position.trim_end(), spent(&advice.stats))
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
    let row = |(place, m): (usize, &MoveAdvice)| {
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
        "{position}\n\n{}{lost}Steps to go: of the shortest solution known that begins with the move. The \
         bounds are proven.\n{}",
        table_with(&rows, 2),
        spent(&hint.advice.stats)
    )
}

/// Marks a move whose value is proven.
fn sure(measure: Measure, m: &MoveAdvice) -> &'static str {
    match (m.sure, measure, m.value) {
        (false, ..) => "",
        (true, Measure::WinProbability, Some(value)) if value <= 0.0 => "  (surely lost)",
        (true, Measure::WinProbability, Some(value)) if value >= 1.0 => "  (surely won)",
        (true, ..) => "  (exact)",
    }
}
