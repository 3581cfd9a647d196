//! `patience gdl play`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use patience::gdl::{GroundLimits, World};
use patience::lab::stats::mean;
use patience::plan::Budget;
use patience::{Described, MatchError, MatchPlan, MatchResult, Matches};
use serde::Serialize;

use crate::commands::solve::many::{cores, on_all, threads};
use crate::console::{cancel_on_interrupt, counted, halt_on_interrupt, note, say, say_json};
use crate::exit::{Code, Failure};
use crate::values;

/// Plays matches of a GDL game with a planner and prints its mean score.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience gdl play monty_hall --games 100 --planner 'norns(iterations=1000)'
  patience gdl play exploding_bomb --planner exact --games 100 --json
  patience gdl play tictactoe --role x --planner 'norns(iterations=2000)' \\
      --opponents 'norns(iterations=200)' --games 50
  patience gdl play tictactoe --as o     you play o yourself

Scores are goals from 0 to 100. For the parameters: patience planners norns hindsight exact.")]
pub(crate) struct Args {
    /// A rule file, or the name of built-in rules
    file: String,
    /// The role of the planner; needed if several roles make decisions
    #[arg(long)]
    role: Option<String>,
    /// The planner of that role
    #[arg(long, default_value = "norns")]
    planner: String,
    /// The planner of all other roles except chance
    #[arg(long, value_name = "PLANNER", default_value = "random")]
    opponents: String,
    /// Play one match yourself as this role; the planner plays the others
    #[arg(long = "as", value_name = "ROLE", conflicts_with_all = ["role", "games", "json", "opponents"])]
    human: Option<String>,
    /// Matches to play
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = values::within::<u64>(1..=10_000_000))]
    games: u64,
    /// The seed of planners and chance
    #[arg(long, default_value_t = 0, value_parser = values::whole)]
    seed: u64,
    /// Time limit per move in seconds; suffixes ms, s, m, h are accepted [default: 1s for a search that
    /// does not end by itself]
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    time: Option<Duration>,
    /// Memory limit per search in megabytes; suffixes K, M, G are accepted
    #[arg(long, value_name = "MB", default_value = "1G", value_parser = values::memory)]
    memory: u64,
    /// Limit of moves per match
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = values::whole)]
    max_moves: u64,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Time limit of grounding in seconds; suffixes ms, s, m, h are accepted; after it the lifted engine
    /// plays
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = values::seconds)]
    ground: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    engine: &'static str,
    role: &'a str,
    planner: &'a str,
    opponents: &'a str,
    seed: u64,
    /// Matches that came to their end, and what was asked for.
    games: usize,
    asked: u64,
    /// Matches at whose end the role had no goal, which counts as 0.
    without_goal: usize,
    /// Moves of the role that were not legal, and were replaced by legal ones.
    replaced: u64,
    /// The mean of the scores; none without games.
    score: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    confidence: f64,
    moves: f64,
    scores: Vec<u8>,
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let rules = super::open(&args.file)?;
    let limits = GroundLimits { time: args.ground, ..GroundLimits::default() };
    let (_, _halt) = halt_on_interrupt();
    match rules.described(&limits)? {
        Described::Grounded(world) => play(args, &world, "grounded"),
        Described::Lifted(world, reason) => {
            note(&format!("the lifted engine plays: {reason}"));
            play(args, &world, "lifted")
        }
    }
}

fn play<W: World>(args: &Args, world: &Arc<W>, engine: &'static str) -> Result<Code, Failure> {
    let names = world.role_names();
    // Where somebody decides, another role could have been named.
    let decided = (0..names.len()).any(|role| !world.is_chance(role));
    let code = if decided { Code::Usage } else { Code::BadInput };
    let described = |name: Option<&str>| {
        super::role(world, name)
            .map_err(|message| Failure::new(code, format!("{}: {message}", args.file)))
    };
    let budget = Budget { time: args.time, memory: Some(args.memory), ..Budget::UNLIMITED };
    if let Some(human) = &args.human {
        let role = described(Some(human))?;
        return super::human::play(world, role, args.plan(world, role, budget));
    }
    let role = described(args.role.as_deref())?;
    let mut matches = Matches::new(Arc::clone(world), args.plan(world, role, budget))?;
    if args.time.is_none() && matches.needs_time() {
        matches.set_budget(Budget { time: Some(Duration::from_secs(1)), ..budget });
    }
    let cancel = cancel_on_interrupt();
    let begin = Instant::now();
    let numbers: Vec<u64> = (0..args.games).collect();
    type Played = Result<MatchResult, MatchError>;
    let scores = |played: &[Option<Played>]| -> Vec<f64> {
        let done = played.iter().flatten().flatten();
        done.map(|result| f64::from(result.goals[role])).collect()
    };
    let progress = |played: &[Option<Played>]| {
        mean(&scores(played)).map_or(String::new(), |m| format!("mean score {:.2}", m.value))
    };
    let threads = args.threads.unwrap_or_else(cores);
    let played = on_all(&numbers, threads, &cancel, &progress, |&n| matches.play(n, &cancel));
    let fault = played.iter().flatten().find_map(|result| match result {
        Err(MatchError::Cancelled) | Ok(_) => None,
        Err(error) => Some(error.clone()),
    });
    if let Some(error) = fault {
        return Err(super::unplayed(&args.file, &error));
    }
    let values = scores(&played);
    let estimate = mean(&values);
    let done = || played.iter().flatten().flatten();
    let moves: u64 = done().map(|result| result.moves).sum();
    // No goal is below 0 or above 100.
    let known = |x: f64| x.is_finite().then_some(x.clamp(0.0, 100.0));
    let report = Report {
        file: &args.file,
        engine,
        role: &names[role],
        planner: &args.planner,
        opponents: &args.opponents,
        seed: args.seed,
        games: values.len(),
        asked: args.games,
        without_goal: done().filter(|result| result.without_goal.contains(&role)).count(),
        replaced: done().map(|result| result.replaced[role]).sum(),
        score: estimate.as_ref().map(|e| e.value),
        low: estimate.as_ref().and_then(|e| known(e.at95.low)),
        high: estimate.as_ref().and_then(|e| known(e.at95.high)),
        confidence: 0.95,
        moves: moves as f64 / values.len().max(1) as f64,
        scores: values.iter().map(|&value| value as u8).collect(),
        seconds: begin.elapsed().as_secs_f64(),
    };
    if args.json {
        say_json(&report)?;
    } else {
        say(&text(&report));
    }
    if report.without_goal > 0 {
        let (role, count) = (report.role, report.without_goal);
        note(&format!(
            "warning: {role} had no goal at the end of {count} matches: that counts as 0"
        ));
    }
    if report.replaced > 0 {
        let (role, count) = (report.role, counted(report.replaced as usize, "move"));
        note(&format!(
            "warning: {count} of {role} were not legal, and random ones were made in their place: the \
             role cannot tell its legal moves from what it saw"
        ));
    }
    Ok(if cancel.is_cancelled() { Code::Budget } else { Code::Success })
}

impl Args {
    fn plan<W: World>(&self, world: &Arc<W>, role: usize, budget: Budget) -> MatchPlan {
        let planner = |other: usize| match (world.is_chance(other), &self.human) {
            (true, _) => None,
            // You take part: the planner plays the others.
            (_, Some(_)) => (other != role).then(|| self.planner.clone()),
            _ if other == role => Some(self.planner.clone()),
            _ => (self.opponents != "random").then(|| self.opponents.clone()),
        };
        MatchPlan {
            planners: (0..world.role_names().len()).map(planner).collect(),
            budget,
            most_moves: self.max_moves,
            seed: self.seed,
        }
    }
}

fn text(report: &Report<'_>) -> String {
    let Report { role, planner, opponents, games, engine, .. } = report;
    let interval = match (report.low, report.high) {
        (Some(low), Some(high)) => format!(", 95% interval [{low:.2}, {high:.2}]"),
        _ => String::new(),
    };
    let score = report.score.map_or("no match was finished".to_owned(), |score| {
        format!("mean score {score:.2}{interval}")
    });
    let matches = if *games == 1 && report.asked == 1 { "match" } else { "matches" };
    let games = match *games as u64 == report.asked {
        true => games.to_string(),
        false => format!("{games} of {}", report.asked),
    };
    format!(
        "{role} by {planner}, others by {opponents}: {score}; {games} {matches} of {:.1} moves, \
         {:.1} s ({engine} engine)",
        report.moves, report.seconds
    )
}
