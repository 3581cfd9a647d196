//! What is said of one deal.

use patience::games::klondike::best::Difficulty;
use patience::games::klondike::format::Format;
use patience::games::klondike::solver::{Solution, Verdict};
use patience::games::klondike::{Position, Rules};
use serde::Serialize;

use crate::commands::klondike::At;
use crate::console::counted;

/// A deal's verdict with its moves, as it is printed and as `patience verify klondike` reads it.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    game: &'static str,
    draw: u8,
    /// Whether cards may come back from the foundations.
    take_back: bool,
    /// The seed, if that is how the deal was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// The canonical number, for the start of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    deal: Option<String>,
    /// The file that the position is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    position: String,
    verdict: &'static str,
    moves: Vec<String>,
    /// How many moves there are, also where they are not kept.
    length: usize,
    nodes: u64,
    bytes: u64,
    seconds: f64,
    /// The share of games that the player wins, and of how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    difficulty: Option<Score>,
    #[serde(skip)]
    known: Verdict,
    #[serde(skip)]
    shown: String,
}

/// How hard a deal is.
#[derive(Debug, Serialize)]
struct Score {
    won: u32,
    games: u32,
    share: f64,
}

impl Answer {
    pub(super) fn new(
        rules: &Rules,
        at: At,
        start: &Position,
        solution: Solution,
        seconds: f64,
    ) -> Answer {
        let deal = start.to_deal().and_then(|deal| deal.number());
        // A start is a line of digits; the middle of a game needs more.
        let position = Format::Rrs.write(start).or_else(|_| Format::Pysol.write(start));
        Answer {
            game: "klondike",
            draw: rules.draws(),
            take_back: true,
            seed: if let At::Seed(seed) = at { Some(seed) } else { None },
            deal: deal.map(|number| number.to_string()),
            shown: at.to_string(),
            file: if let At::File(file) = at { Some(file) } else { None },
            position: position.unwrap_or_default(),
            verdict: match solution.verdict {
                Verdict::Won => "won",
                Verdict::Lost => "lost",
                Verdict::Unknown => "unknown",
            },
            length: solution.moves.len(),
            moves: solution.moves.iter().map(ToString::to_string).collect(),
            nodes: solution.nodes,
            bytes: solution.bytes,
            seconds,
            difficulty: None,
            known: solution.verdict,
        }
    }

    pub(super) fn with_take_back(self, take_back: bool) -> Answer {
        Answer { take_back, ..self }
    }

    pub(super) fn with_difficulty(mut self, found: Difficulty) -> Answer {
        self.difficulty = Some(Score { won: found.won, games: found.plays, share: found.share() });
        self
    }

    pub(super) fn verdict(&self) -> Verdict {
        self.known
    }

    pub(super) fn seconds(&self) -> f64 {
        self.seconds
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Millions of deals are too many for their moves.
    pub(super) fn keep_moves(mut self, keep: bool) -> Answer {
        if !keep {
            self.moves = Vec::new();
            self.position = String::new();
        }
        self
    }

    /// One line.
    pub(super) fn line(&self) -> String {
        let (shown, ms) = (&self.shown, 1e3 * self.seconds);
        let nodes = counted(self.nodes as usize, "node");
        let said = match self.known {
            Verdict::Won => format!("won in {}", counted(self.length, "move")),
            Verdict::Lost if self.take_back => "lost: there is no way to win".to_owned(),
            Verdict::Lost => "lost: there is no way to win without taking a card back".to_owned(),
            Verdict::Unknown => "unknown: the budget ended first".to_owned(),
        };
        let hard = self.difficulty.as_ref().map_or(String::new(), |score| {
            format!("; the player wins {} of {}", score.won, counted(score.games as usize, "game"))
        });
        format!("{shown}, draw {}: {said} ({nodes}, {ms:.1} ms){hard}", self.draw)
    }

    /// The line as a comment, then the moves, which is what `patience verify klondike` reads.
    pub(super) fn text(&self) -> String {
        let mut text = format!("# {}\n", self.line());
        for moves in self.moves.chunks(12) {
            text += &moves.join(" ");
            text.push('\n');
        }
        text
    }
}
