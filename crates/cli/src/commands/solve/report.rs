//! What is printed of solved deals.

use patience::lab::stats::wilson;
use patience::plan::{StopReason, Verdict};
use patience::{Difficulty, Objective, Solved};
use serde::Serialize;

use super::many::Times;
use crate::console::{counted, duration, note, table};

/// What was found of one deal.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    pub(super) solved: Solved,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) difficulty: Option<Difficulty>,
    /// The solution with a number for each step, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) steps: Vec<String>,
}

/// `78`, or `78.5`.
fn number(value: f64) -> String {
    format!("{value}")
}

/// The bound that says how much better a solution could be.
fn bound(solved: &Solved) -> Option<f64> {
    match solved.objective {
        Objective::Score => solved.bounds.upper,
        Objective::Win | Objective::Length => solved.bounds.lower,
    }
}

impl Row {
    /// The same without the moves.
    pub(super) fn without_moves(&self) -> Row {
        let solved = self.solved.clone().without_moves();
        Row { solved, steps: Vec::new(), ..*self }
    }

    /// The verdict in words, with what it took.
    pub(super) fn line(&self) -> String {
        let solved = &self.solved;
        // A length is what the game counts as moves, which need not be every word of a solution.
        let value = solved.value.filter(|_| solved.objective != Objective::Score);
        let moves = value.map_or(solved.length.unwrap_or(0), |value| value as usize);
        let length = counted(moves, "move");
        let bound = bound(solved).map(number);
        let said = match (solved.verdict, solved.objective) {
            (verdict @ (Verdict::Optimal | Verdict::Solved), Objective::Score) => {
                let goal =
                    if solved.reached { ", ".to_owned() + solved.goal } else { String::new() };
                let best = if verdict == Verdict::Optimal { ", none is higher" } else { "" };
                format!("score {}{goal} in {length}{best}", number(solved.value.unwrap_or(0.0)))
            }
            (Verdict::Optimal, _) => {
                format!("shortest solution: {length}, no solution is shorter")
            }
            (Verdict::Solved, _) => {
                let shortest =
                    bound.map_or(String::new(), |n| format!(", the shortest has {n} or more"));
                format!("{} in {length}{shortest}", solved.goal)
            }
            (Verdict::Unsolvable, _) => "no solution: all positions were searched".to_owned(),
            (Verdict::Unknown, _) => match bound {
                Some(n) if solved.objective != Objective::Score => {
                    format!("unknown: the shortest solution has {n} moves or more")
                }
                _ => "unknown".to_owned(),
            },
        };
        let counts = solved.stats.counts;
        let stop = match solved.stats.stop {
            Some(stop) if stop != StopReason::Complete => format!("; stopped: {stop}"),
            _ => String::new(),
        };
        let hard = self.difficulty.map_or(String::new(), |hard| {
            format!(
                "; a quick player wins {} of {}",
                hard.won,
                counted(hard.games as usize, "game")
            )
        });
        format!(
            "{} of {}: {said} ({}, {}, {:.1} MB, {:.3} s{stop}){hard}",
            deal_name(&solved.deal),
            solved.game,
            counted(counts.iterations as usize, "iteration"),
            counted(counts.nodes as usize, "node"),
            counts.bytes as f64 / 1e6,
            solved.stats.seconds,
        )
    }

    /// The line as a comment, then the solution, which is what `patience verify` reads.
    pub(super) fn text(&self, quiet: bool) -> String {
        let mut text = if quiet { String::new() } else { format!("# {}\n", self.line()) };
        if !self.steps.is_empty() {
            return text + &self.steps.join("\n");
        }
        let Some(solution) = &self.solved.solution else {
            if quiet {
                note(&self.line());
            }
            return text;
        };
        if solution.contains('\n') {
            return text + solution;
        }
        let words: Vec<&str> = solution.split(' ').collect();
        for words in words.chunks(16) {
            text += &words.join(" ");
            text.push('\n');
        }
        text
    }
}

/// `deal 7`, `seed 7`, or a file.
fn deal_name(name: &str) -> String {
    match name.strip_prefix("seed:") {
        Some(seed) => format!("seed {seed}"),
        None if name.bytes().all(|b| b.is_ascii_digit()) => format!("deal {name}"),
        None => name.to_owned(),
    }
}

/// One line per deal.
pub(super) fn table_of(rows: &[Row]) -> String {
    let header = ["deal", "verdict", "value", "length", "bound", "nodes", "MB", "seconds"];
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let lines = rows.iter().map(|row| {
        let solved = &row.solved;
        vec![
            deal_name(&solved.deal),
            solved.verdict.to_string(),
            or_dash(solved.value.map(number)),
            or_dash(solved.length.map(|length| length.to_string())),
            or_dash(bound(solved).map(number)),
            solved.stats.counts.nodes.max(solved.stats.counts.iterations).to_string(),
            format!("{:.1}", solved.stats.counts.bytes as f64 / 1e6),
            format!("{:.3}", solved.stats.seconds),
        ]
    });
    table(&std::iter::once(header.map(str::to_owned).to_vec()).chain(lines).collect::<Vec<_>>())
}

/// What is printed of several deals as JSON.
#[derive(Debug, Serialize)]
pub(super) struct Several<'r> {
    pub(super) deals: &'r [Row],
    pub(super) summary: &'r Summary,
}

/// Many deals at a glance.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    game: String,
    /// Deals asked for.
    deals: usize,
    optimal: usize,
    solved: usize,
    unsolvable: usize,
    /// Tried, and the budget or an interrupt came first.
    unknown: usize,
    /// Not tried: an interrupt came first.
    untried: usize,
    /// Solutions that reach the goal.
    reached: usize,
    goal: &'static str,
    /// Of those that are decided, how many have a solution, with its 95% interval.
    share: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    /// Of the solutions found: scores or lengths.
    total: f64,
    mean: Option<f64>,
    least: Option<f64>,
    most: Option<f64>,
    iterations: u64,
    nodes: u64,
    bytes_per_node: Option<f64>,
    /// Seconds per deal.
    times: Times,
    /// Seconds in all, on all threads together.
    seconds: f64,
}

impl Summary {
    pub(super) fn of(game: &str, rows: &[Row], deals: usize, seconds: f64) -> Summary {
        let solved = || rows.iter().map(|row| &row.solved);
        let count = |verdict| solved().filter(|s| s.verdict == verdict).count();
        let values: Vec<f64> =
            solved().filter(|s| s.verdict.is_solved()).filter_map(|s| s.value).collect();
        let total: f64 = values.iter().sum();
        let (won, lost) =
            (count(Verdict::Optimal) + count(Verdict::Solved), count(Verdict::Unsolvable));
        let decided = (won + lost) as u64;
        let bounds = (decided > 0).then(|| wilson(won as u64, decided, 0.95));
        let sum = |part: fn(&Solved) -> u64| solved().map(part).sum::<u64>();
        let (nodes, bytes) = (sum(|s| s.stats.counts.nodes), sum(|s| s.stats.counts.bytes));
        Summary {
            game: game.to_owned(),
            deals,
            optimal: count(Verdict::Optimal),
            solved: count(Verdict::Solved),
            unsolvable: lost,
            unknown: count(Verdict::Unknown),
            untried: deals - rows.len(),
            reached: solved().filter(|s| s.reached).count(),
            goal: rows.first().map_or("solved", |row| row.solved.goal),
            share: bounds.map(|_| won as f64 / decided as f64),
            low: bounds.map(|b| b.low),
            high: bounds.map(|b| b.high),
            total,
            mean: (!values.is_empty()).then(|| total / values.len() as f64),
            least: values.iter().copied().reduce(f64::min),
            most: values.iter().copied().reduce(f64::max),
            iterations: sum(|s| s.stats.counts.iterations),
            nodes,
            bytes_per_node: (nodes > 0).then(|| bytes as f64 / nodes as f64),
            times: Times::of(solved().map(|s| s.stats.seconds).collect()),
            seconds,
        }
    }

    pub(super) fn text(&self) -> String {
        let percent = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{:.2}%", 100.0 * x));
        let untried = match self.untried {
            0 => String::new(),
            count => format!(", {count} not tried"),
        };
        let mut text = format!(
            "{} of {}: {} optimal, {} solved, {} unsolvable, {} unknown{untried}; {} {}\n",
            counted(self.deals, "deal"),
            self.game,
            self.optimal,
            self.solved,
            self.unsolvable,
            self.unknown,
            self.reached,
            self.goal,
        );
        if self.unsolvable > 0 || self.optimal > 0 {
            let (share, low, high) = (percent(self.share), percent(self.low), percent(self.high));
            text += &format!(
                "{share} of the decided deals have a solution, 95% interval [{low}, {high}]\n"
            );
        }
        if let (Some(mean), Some(least), Some(most)) = (self.mean, self.least, self.most) {
            let (least, most, total) = (number(least), number(most), number(self.total));
            text += &format!("value: mean {mean:.2}, {least} to {most}, {total} in all\n");
        }
        let ms = |seconds: f64| format!("{:.2} ms", 1e3 * seconds);
        let Times { median, mean, p99, max } = self.times;
        text + &format!(
            "per deal: median {}, mean {}, p99 {}, max {}\n{} iterations, {} nodes, {}",
            ms(median),
            ms(mean),
            ms(p99),
            ms(max),
            self.iterations,
            self.nodes,
            duration(self.seconds)
        )
    }
}

/// Tells of a search as it goes: when it knows more, and now and then.
pub(super) struct Progress {
    name: String,
    quiet: bool,
    last: f64,
    known: (Option<f64>, Option<f64>),
}

impl Progress {
    pub(super) fn new(name: &str, quiet: bool) -> Self {
        Progress { name: deal_name(name), quiet, last: 0.0, known: (None, None) }
    }

    pub(super) fn tell(&mut self, solved: &Solved) {
        let known = (solved.value, bound(solved));
        // A line a second while something changes, and one now and then while nothing does.
        let pause = if known == self.known { 10.0 } else { 1.0 };
        let seconds = solved.stats.seconds;
        if self.quiet || seconds < self.last + pause {
            return;
        }
        (self.last, self.known) = (seconds, known);
        let shown = |what: &str, value: Option<f64>| {
            value.map_or(String::new(), |value| format!("{what} {}, ", number(value)))
        };
        let counts = solved.stats.counts;
        note(&format!(
            "{}: {}{}{} iterations, {} nodes, {:.0} MB, {}",
            self.name,
            shown("best", known.0),
            shown("bound", known.1),
            counts.iterations,
            counts.nodes,
            counts.bytes as f64 / 1e6,
            duration(seconds)
        ));
    }
}
