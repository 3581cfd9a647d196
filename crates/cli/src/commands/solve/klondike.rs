//! `patience solve klondike`.

use std::time::{Duration, Instant};

use patience::games::klondike::best::{Difficulty, difficulty};
use patience::games::klondike::format::Format;
use patience::games::klondike::solver::{SolveError, Solver, SolverOptions, Verdict};
use patience::games::klondike::{
    Deal, Ending, Klondike, KlondikeError, Position, Rules, TakingBack, replay,
};
use patience::plan::Cancel;

use super::many;
use crate::commands::klondike::{At, DealArgs};
use crate::console::{cancel_on_interrupt, note, say, say_json};
use crate::exit::{Code, Failure};
use crate::values;

mod answer;
mod deadline;
mod summary;

use answer::Answer;
use deadline::Deadline;
use summary::Summary;

/// Solves Klondike with all cards known: a win, the proof that there is none, or what was searched.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience solve klondike --seed 7                   the deal of a seed, turning three cards
  patience solve klondike --deal 7 --draw 3 --json   the deal of a canonical number below 52!
  patience solve klondike half-played.txt            a position: Solvitaire JSON, PySol text, 52xRRS
  patience solve klondike --seeds 1..1000 --summary  a range on all cores, with share and times
  patience solve klondike --seed 1 --winnable 5      the next five deals that can be won
  patience solve klondike --seed 7 --difficulty      how often a player who sees no face-down card wins
  patience solve klondike --seed 7 | patience verify klondike - --seed 7
  patience solve klondike --seed 7 --write pysol     the position in a format; solves nothing

The exit code is 0 for a win (of a range: everything decided), 1 for a deal that cannot be won, 4 if
the budget ended before either was shown.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: DealArgs,
    /// The deals of these seeds, both ends included, such as 1..1000
    #[arg(long, value_name = "A..B", conflicts_with_all = ["deal", "seed", "position"])]
    seeds: Option<String>,
    /// For a range: the share that can be won and the times, instead of every deal
    #[arg(long, requires = "seeds")]
    summary: bool,
    /// Find so many deals that can be won, from the seed given on (from 1 if none is)
    #[arg(long, value_name = "N", conflicts_with_all = ["deal", "seeds", "position"])]
    #[arg(value_parser = values::within::<u32>(1..=u64::from(u32::MAX)))]
    winnable: Option<u32>,
    /// How hard the deal is: the share of so many games (50) that the player `best` wins, seeing what
    /// a player sees, with 50 samples per decision; as in hints, cards may come back
    #[arg(long, value_name = "GAMES", num_args = 0..=1, default_missing_value = "50")]
    #[arg(value_parser = values::within::<u32>(1..=100_000))]
    #[arg(conflicts_with_all = ["seeds", "no_take_back"])]
    difficulty: Option<u32>,
    /// Write the position in this format and solve nothing; rrs is for the start of a game
    #[arg(long, value_name = "FORMAT", value_parser = Format::NAMES)]
    #[arg(conflicts_with_all = ["seeds", "winnable", "difficulty", "json"])]
    write: Option<String>,
    /// Cards stay on the foundations: none is taken back
    #[arg(long)]
    no_take_back: bool,
    /// Give a deal up after so many nodes
    #[arg(long, value_name = "N", value_parser = values::whole)]
    nodes: Option<u64>,
    /// Give a deal up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    time: Option<Duration>,
    /// Megabytes of the table, for each thread, or an amount such as 512M or 4G; when it is full it
    /// forgets, which costs time only
    #[arg(long, value_name = "MB", default_value = "1000", value_parser = values::memory)]
    memory: u64,
    /// Threads for ranges; all cores if not given
    #[arg(long, value_parser = many::threads)]
    threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let rules = args.which.rules()?;
    if let Some(format) = args.write.as_deref().and_then(Format::named) {
        return write(args, format);
    }
    let mut work = Work {
        rules,
        options: SolverOptions {
            nodes: args.nodes,
            memory: args.memory.max(1 << 16),
            worrying_back: !args.no_take_back,
            ..SolverOptions::default()
        },
        time: args.time,
        difficulty: args.difficulty,
        cancel: cancel_on_interrupt(),
    };
    if let Some(seeds) = &args.seeds {
        return range(args, &work, seeds);
    }
    if let Some(wanted) = args.winnable {
        return winnable(args, &work, wanted);
    }
    if args.summary {
        return Err(Failure::new(Code::Usage, "--summary is for ranges: give --seeds"));
    }
    let (at, rules, start) = args.which.start()?;
    work.rules = rules;
    let answer = work.solve(&mut work.solver()?, at, &start)?;
    if args.json {
        say_json(&answer)?;
    } else {
        say(&answer.text());
    }
    Ok(match answer.verdict() {
        _ if work.cancel.is_cancelled() => Code::Budget,
        Verdict::Won => Code::Success,
        Verdict::Lost => Code::No,
        Verdict::Unknown => Code::Budget,
    })
}

/// Prints the position in a format.
fn write(args: &Args, format: Format) -> Result<Code, Failure> {
    let (at, _, start) = args.which.start()?;
    let text = format.write(&start).map_err(|error| {
        let name = args.write.as_deref().unwrap_or_default();
        Failure::new(Code::Usage, format!("{at}: --write {name}: {error}"))
    })?;
    say(&text);
    Ok(Code::Success)
}

const SECOND: Duration = Duration::from_secs(1);

/// What is the same for all deals.
struct Work {
    rules: Rules,
    options: SolverOptions,
    time: Option<Duration>,
    difficulty: Option<u32>,
    cancel: Cancel,
}

impl Work {
    fn solver(&self) -> Result<Solver, Failure> {
        Solver::new(self.rules, self.options).map_err(|error| failure(&error))
    }

    /// Solves a position; a win is replayed by the validator before anyone hears of it.
    fn solve(&self, solver: &mut Solver, at: At, start: &Position) -> Result<Answer, Failure> {
        let begin = Instant::now();
        let solution = {
            let deadline = Deadline::start(self.time, &self.cancel);
            solver.solve(start, deadline.flag()).map_err(|error| match &at {
                At::File(name) => failure(&error).about(name),
                _ => failure(&error),
            })?
        };
        let seconds = begin.elapsed().as_secs_f64();
        if solution.verdict == Verdict::Won {
            let stands = replay(&self.rules, start, &solution.moves)
                .is_ok_and(|end| end.is_won(&self.rules));
            if !stands {
                let message = format!("{at}: a solution was found that does not stand");
                return Err(Failure::new(Code::Fault, message));
            }
        }
        let answer = Answer::new(&self.rules, at, start, solution, seconds)
            .with_take_back(self.options.worrying_back);
        Ok(match self.difficulty {
            Some(plays) => answer.with_difficulty(self.difficulty(start, plays)?),
            None => answer,
        })
    }

    /// How often the player wins the deal, in the game that people play.
    fn difficulty(&self, start: &Position, plays: u32) -> Result<Difficulty, Failure> {
        let bad = |error: KlondikeError| Failure::new(Code::BadInput, error.to_string());
        let game = Klondike::new(self.rules).map_err(bad)?;
        let game = game.with_taking_back(TakingBack::Any).with_ending(Ending::Home);
        let state = game.state(start).map_err(bad)?;
        let mut next = Instant::now() + SECOND;
        Ok(difficulty(&game, &state, plays, 1, &mut |found| {
            if Instant::now() >= next {
                next += SECOND;
                note(&format!("{}/{plays} games played, {} won", found.plays, found.won));
            }
            !self.cancel.is_cancelled()
        }))
    }

    fn seeded(&self, solver: &mut Solver, seed: u64) -> Result<Answer, Failure> {
        let start = Position::deal(&self.rules, &Deal::seeded(&self.rules, seed));
        self.solve(solver, At::Seed(seed), &start)
    }
}

fn failure(error: &SolveError) -> Failure {
    let code = match error {
        SolveError::Position(_) => Code::BadInput,
        SolveError::LimitedRedeals(_) => Code::Usage,
        SolveError::Fault(_) => Code::Fault,
    };
    Failure::new(code, error.to_string())
}

/// Most deals in a range: their answers are kept.
const MOST: u64 = 10_000_000;

fn range(args: &Args, work: &Work, seeds: &str) -> Result<Code, Failure> {
    let (first, last) = many::range(seeds).map_err(|fault| Failure::new(Code::Usage, fault))?;
    if last - first >= MOST {
        let message = format!("--seeds takes {MOST} deals at most");
        return Err(Failure::new(Code::Usage, message));
    }
    let seeds: Vec<u64> = (first..=last).collect();
    let threads = args.threads.unwrap_or_else(many::cores);
    let begin = Instant::now();
    let progress = |done: &[Option<Result<Answer, Failure>>]| {
        let verdicts = done.iter().flatten().flatten().map(Answer::verdict);
        let (mut won, mut all) = (0, 0);
        for verdict in verdicts {
            won += u64::from(verdict == Verdict::Won);
            all += 1;
        }
        format!("{won} of {all} can be won")
    };
    let keep_moves = !args.summary;
    let answers = many::on_all_with(
        &seeds,
        threads,
        &work.cancel,
        &progress,
        || work.solver(),
        |solver, &seed| match solver {
            Ok(solver) => work.seeded(solver, seed).map(|answer| answer.keep_moves(keep_moves)),
            Err(failure) => Err(Failure::new(failure.code, failure.message.clone())),
        },
    );
    let answers: Vec<Answer> = answers.into_iter().flatten().collect::<Result<_, _>>()?;
    let summary = Summary::new(&work.rules, &answers, seeds.len(), begin.elapsed().as_secs_f64());
    match (args.summary, args.json) {
        (true, true) => say_json(&summary)?,
        (true, false) => say(&summary.text()),
        (false, true) => say_json(&answers)?,
        (false, false) => {
            let lines: String = answers.iter().map(|answer| answer.line() + "\n").collect();
            say(&(lines + &summary.text()));
        }
    }
    Ok(if summary.all_decided() { Code::Success } else { Code::Budget })
}

/// Goes from seed to seed until enough deals were won.
fn winnable(args: &Args, work: &Work, wanted: u32) -> Result<Code, Failure> {
    let first = args.which.seed.unwrap_or(1);
    let mut solver = work.solver()?;
    let mut found = Vec::new();
    for seed in first..=u64::MAX {
        if found.len() >= wanted as usize || work.cancel.is_cancelled() {
            break;
        }
        let answer = work.seeded(&mut solver, seed)?;
        if answer.verdict() == Verdict::Won {
            if !args.json {
                say(&answer.line());
            }
            found.push(answer);
        }
    }
    if args.json {
        say_json(&found)?;
    }
    if found.len() < wanted as usize {
        note(&format!("{} of {wanted} found: no further seed was tried", found.len()));
    }
    Ok(if found.len() >= wanted as usize { Code::Success } else { Code::Budget })
}
