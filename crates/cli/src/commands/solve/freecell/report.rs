//! What is printed of solved deals.

use patience::games::freecell::{Bounds, Shown, Step, notation};
use patience::plan::{Stats, StopReason};
use serde::Serialize;

use super::super::many::Times;
use super::{Position, Work};
use crate::console::{duration, table};

/// What was found of one position.
#[derive(Debug, Serialize)]
pub(super) struct Solved {
    /// What it was called: `deal 1`, or a file.
    pub(super) name: String,
    pub(super) deal: Option<u64>,
    pub(super) rules: String,
    pub(super) metric: &'static str,
    /// `optimal`, `solved`, `unsolvable` or `unknown`.
    pub(super) verdict: &'static str,
    pub(super) length: Option<u32>,
    /// No solution is shorter; nothing to say if there is none.
    pub(super) lower_bound: Option<u32>,
    /// States held, and the bytes that they and the queue took.
    pub(super) states: u64,
    pub(super) bytes: u64,
    pub(super) expanded: u64,
    pub(super) generated: u64,
    pub(super) seconds: f64,
    pub(super) stopped: Option<String>,
    pub(super) solution: Option<String>,
}

/// The solution as it was asked for.
pub(super) fn notation_of(work: &Work<'_>, position: &Position, steps: &[Step]) -> String {
    let (rules, metric) = (work.game.rules(), work.game.metric());
    if work.args.numbered {
        notation::numbered(&position.board, steps).trim_end().to_owned()
    } else {
        notation::standard(rules, metric, &position.board, steps)
    }
}

/// `lower bound 78, upper bound 85, 120000 states, 3 MB, 1.2 s`.
pub(super) fn gap_line(stats: &Stats, bounds: Bounds) -> String {
    let upper = bounds.upper.map_or_else(|| "?".to_owned(), |upper| upper.to_string());
    let lower = match bounds.lower {
        u32::MAX => "none".to_owned(),
        lower => lower.to_string(),
    };
    format!(
        "lower bound {lower}, upper bound {upper}, {} states, {:.0} MB, {:.1} s",
        stats.counts.nodes,
        stats.counts.bytes as f64 / 1e6,
        stats.seconds
    )
}

impl Solved {
    pub(super) fn new(
        work: &Work<'_>,
        position: &Position,
        shown: &Shown,
        stats: &Stats,
    ) -> Solved {
        let (verdict, steps, lower_bound) = match shown {
            Shown::Optimal(steps) => ("optimal", Some(steps), Some(steps.len() as u32)),
            Shown::Solved(steps, bounds) => ("solved", Some(steps), Some(bounds.lower)),
            Shown::Unsolvable => ("unsolvable", None, None),
            Shown::Unknown(bounds) => ("unknown", None, Some(bounds.lower)),
        };
        Solved {
            name: position.name.clone(),
            deal: position.deal,
            rules: work.args.family.name().to_owned(),
            metric: work.game.metric().name(),
            verdict,
            length: steps.map(|steps| steps.len() as u32),
            lower_bound,
            states: stats.counts.nodes,
            bytes: stats.counts.bytes,
            expanded: stats.counts.iterations,
            generated: stats.counts.model_calls,
            seconds: stats.seconds,
            stopped: stats.stop.map(|stop| stop.to_string()),
            solution: steps.map(|steps| notation_of(work, position, steps)),
        }
    }

    /// Whether all that was asked is known.
    pub(super) fn is_settled(&self, optimal: bool) -> bool {
        matches!(self.verdict, "optimal" | "unsolvable") || (self.verdict == "solved" && !optimal)
    }

    /// The verdict in words, with what it took.
    pub(super) fn text(&self) -> String {
        let length = self.length.unwrap_or(0);
        let lower = self.lower_bound.unwrap_or(0);
        let verdict = match self.verdict {
            "optimal" => format!("shortest solution: {length} moves, no solution is shorter"),
            "solved" => format!("solution: {length} moves, a shortest one has {lower} or more"),
            "unsolvable" => "no solution: all that can be reached was looked at".to_owned(),
            _ => format!("unknown: a shortest solution has {lower} moves or more"),
        };
        let why = match (self.verdict, &self.stopped) {
            ("optimal" | "unsolvable", _) | (_, None) => String::new(),
            // Any solution was asked for, and there it is.
            ("solved", Some(stopped)) if *stopped == StopReason::Complete.to_string() => {
                String::new()
            }
            (_, Some(stopped)) => format!("; stopped: {stopped}"),
        };
        format!(
            "{} ({}, {}): {verdict} ({} states, {:.1} MB, {:.2} s{why})",
            self.name,
            self.rules,
            self.metric,
            self.states,
            self.bytes as f64 / 1e6,
            self.seconds
        )
    }
}

/// One line per position.
pub(super) fn table_of(deals: &[Solved]) -> String {
    let header = ["deal", "verdict", "length", "lower bound", "states", "MB", "seconds"];
    let number = |n: Option<u32>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let rows = deals.iter().map(|s| {
        vec![
            s.name.clone(),
            s.verdict.to_owned(),
            number(s.length),
            number(s.lower_bound),
            s.states.to_string(),
            format!("{:.1}", s.bytes as f64 / 1e6),
            format!("{:.3}", s.seconds),
        ]
    });
    table(&std::iter::once(header.map(str::to_owned).to_vec()).chain(rows).collect::<Vec<_>>())
}

/// Many positions at a glance.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    deals: usize,
    optimal: usize,
    solved: usize,
    unsolvable: usize,
    unknown: usize,
    /// Of the solutions found.
    mean_length: Option<f64>,
    shortest: Option<u32>,
    longest: Option<u32>,
    states: u64,
    bytes_per_state: Option<f64>,
    /// Of a deal each.
    seconds: Times,
    wall_seconds: f64,
}

impl Summary {
    pub(super) fn of(deals: &[Solved], asked: usize, wall_seconds: f64) -> Summary {
        let count = |verdict| deals.iter().filter(|s| s.verdict == verdict).count();
        let lengths: Vec<u32> = deals.iter().filter_map(|s| s.length).collect();
        let sum: u64 = lengths.iter().map(|&l| u64::from(l)).sum();
        let states: u64 = deals.iter().map(|s| s.states).sum();
        let bytes: u64 = deals.iter().map(|s| s.bytes).sum();
        Summary {
            deals: asked,
            optimal: count("optimal"),
            solved: count("solved"),
            unsolvable: count("unsolvable"),
            unknown: count("unknown") + asked - deals.len(),
            mean_length: (!lengths.is_empty()).then(|| sum as f64 / lengths.len() as f64),
            shortest: lengths.iter().min().copied(),
            longest: lengths.iter().max().copied(),
            states,
            bytes_per_state: (states > 0).then(|| bytes as f64 / states as f64),
            seconds: Times::of(deals.iter().map(|s| s.seconds).collect()),
            wall_seconds,
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{} deals: {} optimal, {} solved, {} unsolvable, {} unknown",
            self.deals, self.optimal, self.solved, self.unsolvable, self.unknown
        );
        if let (Some(mean), Some(low), Some(high)) = (self.mean_length, self.shortest, self.longest)
        {
            text += &format!("\nlength: mean {mean:.2}, {low} to {high}");
        }
        let Times { median, mean, p99, max } = self.seconds;
        text += &format!(
            "\nstates: {} in all; seconds: mean {mean:.4}, median {median:.4}, 99% {p99:.4}, most {max:.3}; {} in all",
            self.states,
            duration(self.wall_seconds)
        );
        text
    }
}
