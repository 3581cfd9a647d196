//! `patience solve freecell`.

mod report;

use std::time::{Duration, Instant};

use patience::games::FreeCell;
use patience::games::freecell::{
    Board, Heuristic, News, Shown, Verdict, optimal_on, solve, validator,
};
use patience::plan::{Budget, Cancel, Stats};

use self::report::{Solved, Summary, gap_line, notation_of};
use super::many;
use crate::commands::freecell::{Family, board_of, deal_of, is_number};
use crate::console::{cancel_on_interrupt, note, say, say_json};
use crate::exit::{Code, Failure};
use crate::values;

/// Solves deals of FreeCell and its family: any solution at once, or with --optimal a shortest one
/// with its proof. Every solution was replayed before it is printed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience solve freecell 1                              any solution of deal 1
  patience solve freecell 1 --optimal --metric single    a shortest one, every card counted
  patience solve freecell 1..40 --optimal --json         many deals, with a summary
  patience solve freecell board.txt --rules bakers-game  a board from a file
  patience solve freecell 11982                          a deal without solution, proven

Exit codes: 0 solved (with --optimal: proven shortest), 1 proven unsolvable, 3 bad input, 4 stopped
before that was known. With several deals: 0 if all are known, 4 if not.")]
pub(crate) struct Args {
    /// Deals: a number, a range such as 1..40, or a file with a board (`-`: standard input)
    #[arg(required = true, value_name = "DEAL")]
    deals: Vec<String>,
    #[command(flatten)]
    family: Family,
    /// Find a shortest solution and prove that none is shorter
    #[arg(long)]
    optimal: bool,
    /// What a solution costs at least, for --optimal: the paper's h0 … h4, or the best there is
    #[arg(long, default_value = "best", value_parser = Heuristic::NAMES)]
    heuristic: String,
    /// Megabytes that all searches may hold together, or an amount such as 512M or 4G
    #[arg(long, value_name = "MB", default_value = "4G", value_parser = values::memory)]
    memory: u64,
    /// Seconds for each deal
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    time: Option<Duration>,
    /// Threads; if nothing is said: all cores
    #[arg(long, value_name = "N", value_parser = values::within::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Write the solution as numbered steps, with cards, instead of standard notation
    #[arg(long)]
    numbered: bool,
    /// Print nothing but the solution
    #[arg(long)]
    quiet: bool,
    /// Print JSON: `verdict`, `length`, `lower_bound`, `states`, `bytes`, `seconds`, `solution`;
    /// for several deals a list of these, and a summary
    #[arg(long)]
    json: bool,
}

/// A position to solve, and what it is called.
struct Position {
    name: String,
    deal: Option<u64>,
    board: Board,
}

/// What to do with each.
struct Work<'w> {
    game: FreeCell,
    heuristic: Heuristic,
    args: &'w Args,
    budget: Budget,
    /// Threads for each.
    threads: usize,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let (rules, metric) = args.family.read()?;
    let game = FreeCell::new(rules, metric)
        .map_err(|error| Failure::new(Code::BadInput, error.to_string()))?;
    let mut positions = Vec::new();
    for word in &args.deals {
        if !is_number(word) {
            let (name, board) = board_of(&rules, word)?;
            positions.push(Position { name, deal: None, board });
            continue;
        }
        let (first, last) = many::range(word).map_err(|e| Failure::new(Code::Usage, e))?;
        if last - first >= 10_000_000 {
            let message = format!("{word}: more than ten million deals; take them in parts");
            return Err(Failure::new(Code::Usage, message));
        }
        for number in first..=last {
            let board = deal_of(&rules, number)?;
            let name = format!("deal {number}");
            positions.push(Position { name, deal: Some(number), board });
        }
    }
    let threads = args.threads.map_or_else(many::cores, usize::from);
    let side_by_side = threads.min(positions.len()) as u64;
    let budget = Budget {
        time: args.time,
        memory: Some(args.memory / side_by_side.max(1)),
        ..Budget::UNLIMITED
    };
    let heuristic = Heuristic::named(&args.heuristic).unwrap_or(Heuristic::Best);
    let each = threads / positions.len().clamp(1, threads);
    let work = Work { game, heuristic, args, budget, threads: each };
    let cancel = cancel_on_interrupt();
    match positions.as_slice() {
        [position] => one(&work, position, &cancel),
        positions => several(&work, positions, threads, &cancel),
    }
}

impl Work<'_> {
    /// Solves a position; the solution has been replayed.
    fn solve(
        &self,
        position: &Position,
        cancel: &Cancel,
        watch: &mut dyn FnMut(News<'_>),
    ) -> Result<Solved, Failure> {
        let begin = Instant::now();
        let board = &position.board;
        let (shown, stats) = if self.args.optimal {
            let Work { threads, game, heuristic, budget, .. } = self;
            optimal_on(*threads, game, board, *heuristic, budget, cancel, watch)
        } else {
            let (verdict, stats) = solve(&self.game, board, &self.budget, cancel);
            (self.shown(verdict, board), stats)
        };
        let seconds = begin.elapsed().as_secs_f64();
        self.checked(position, &shown, &Stats { seconds, ..stats })
    }

    /// What a search for any solution shows of the shortest: it lies above the estimate.
    fn shown(&self, verdict: Verdict, board: &Board) -> Shown {
        use patience::games::freecell::{Bounds, State};
        let lower = self.heuristic.estimate(&self.game, &State::of(board));
        match verdict {
            Verdict::Solved(steps) => {
                let upper = Some(steps.len() as u32);
                Shown::Solved(steps, Bounds { lower, upper })
            }
            Verdict::Unsolvable => Shown::Unsolvable,
            Verdict::Unknown => Shown::Unknown(Bounds { lower, upper: None }),
        }
    }

    /// The result, if the validator agrees.
    fn checked(
        &self,
        position: &Position,
        shown: &Shown,
        stats: &Stats,
    ) -> Result<Solved, Failure> {
        let solved = Solved::new(self, position, shown, stats);
        if let Shown::Optimal(steps) | Shown::Solved(steps, _) = shown {
            let (rules, metric) = (self.game.rules(), self.game.metric());
            let length = validator::verify(rules, metric, &position.board, steps);
            if length != Ok(steps.len() as u32) {
                let message = format!("{}: the solution does not hold: {length:?}", position.name);
                return Err(Failure::new(Code::Fault, message));
            }
        }
        Ok(solved)
    }
}

/// How often a line tells of the gap.
const LINE_EVERY: f64 = 1.0;

fn one(work: &Work<'_>, position: &Position, cancel: &Cancel) -> Result<Code, Failure> {
    let args = work.args;
    let quiet = args.quiet || args.json;
    let mut last = (0.0, None);
    let mut watch = |news: News<'_>| match news {
        News::First(steps) if !quiet => {
            note(&format!("first solution: {} moves", steps.len()));
            note(&notation_of(work, position, steps));
        }
        News::First(_) => {}
        News::Gap(stats, bounds) => {
            if !args.quiet && (stats.seconds - last.0 >= LINE_EVERY || last.1 != Some(bounds)) {
                last = (stats.seconds, Some(bounds));
                note(&gap_line(stats, bounds));
            }
        }
    };
    let solved = work.solve(position, cancel, &mut watch)?;
    if args.json {
        say_json(&solved)?;
    } else if args.quiet {
        if let Some(solution) = &solved.solution {
            say(solution);
        } else {
            note(&solved.text());
        }
    } else {
        // After the sign it is no part of the solution, for `verify`.
        say(&format!("# {}", solved.text()));
        if let Some(solution) = &solved.solution {
            say(solution);
        }
    }
    Ok(match solved.verdict {
        "optimal" => Code::Success,
        "solved" if !args.optimal => Code::Success,
        "unsolvable" => Code::No,
        _ => Code::Budget,
    })
}

fn several(
    work: &Work<'_>,
    positions: &[Position],
    threads: usize,
    cancel: &Cancel,
) -> Result<Code, Failure> {
    let args = work.args;
    let begin = Instant::now();
    let progress = |results: &[Option<Result<Solved, Failure>>]| {
        let known = || results.iter().flatten().flatten();
        let settled = known().filter(|s| s.is_settled(args.optimal)).count();
        let states: u64 = known().map(|s| s.states).sum();
        format!("{settled} settled, {states} states")
    };
    let results = many::on_all(positions, threads, cancel, &progress, |position| {
        work.solve(position, cancel, &mut |_| ())
    });
    let mut deals = Vec::new();
    for result in results.into_iter().flatten() {
        deals.push(result?);
    }
    let all_known =
        deals.len() == positions.len() && deals.iter().all(|s| s.is_settled(args.optimal));
    let summary = Summary::of(&deals, positions.len(), begin.elapsed().as_secs_f64());
    if args.json {
        say_json(&serde_json::json!({ "deals": deals, "summary": summary }))?;
    } else {
        if !args.quiet {
            say(&report::table_of(&deals));
        }
        say(&summary.text());
    }
    Ok(if all_known { Code::Success } else { Code::Budget })
}
