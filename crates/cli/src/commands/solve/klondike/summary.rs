//! What is said of a range of deals.

use patience::games::klondike::Rules;
use patience::games::klondike::solver::Verdict;
use patience::lab::stats::wilson;
use serde::Serialize;

use super::Answer;
use crate::commands::solve::many::Times;
use crate::console::{counted, duration};

/// How many deals can be won, and how long that took.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    game: &'static str,
    draw: u8,
    /// Deals asked for.
    deals: usize,
    won: u64,
    lost: u64,
    /// Tried, and the budget or an interrupt came first.
    unknown: u64,
    /// Not tried: an interrupt came first.
    untried: u64,
    /// Won among the decided, with its 95% interval.
    share: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    nodes: u64,
    /// Seconds per deal.
    times: Times,
    /// Seconds in all, on all threads together.
    seconds: f64,
}

impl Summary {
    pub(super) fn new(rules: &Rules, answers: &[Answer], deals: usize, seconds: f64) -> Summary {
        let count = |verdict| answers.iter().filter(|a| a.verdict() == verdict).count() as u64;
        let (won, lost) = (count(Verdict::Won), count(Verdict::Lost));
        let decided = won + lost;
        let bounds = (decided > 0).then(|| wilson(won, decided, 0.95));
        Summary {
            game: "klondike",
            draw: rules.draws(),
            deals,
            won,
            lost,
            unknown: count(Verdict::Unknown),
            untried: (deals - answers.len()) as u64,
            share: (decided > 0).then(|| won as f64 / decided as f64),
            low: bounds.map(|b| b.low),
            high: bounds.map(|b| b.high),
            nodes: answers.iter().map(Answer::nodes).sum(),
            times: Times::of(answers.iter().map(Answer::seconds).collect()),
            seconds,
        }
    }

    pub(super) fn all_decided(&self) -> bool {
        self.unknown == 0 && self.untried == 0
    }

    pub(super) fn text(&self) -> String {
        let percent = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{:.2}%", 100.0 * x));
        let ms = |seconds: f64| format!("{:.2} ms", 1e3 * seconds);
        let Times { median, mean, p99, max } = self.times;
        let untried = match self.untried {
            0 => String::new(),
            count => format!(", {count} not tried"),
        };
        format!(
            "{}, draw {}: {} won, {} lost, {} unknown{untried}\n\
             {} of the decided can be won, 95% interval [{}, {}]\n\
             per deal: median {}, mean {}, p99 {}, max {}\n\
             {}, {}\n",
            counted(self.deals, "deal"),
            self.draw,
            self.won,
            self.lost,
            self.unknown,
            percent(self.share),
            percent(self.low),
            percent(self.high),
            ms(median),
            ms(mean),
            ms(p99),
            ms(max),
            counted(self.nodes as usize, "node"),
            duration(self.seconds)
        )
    }
}
