//! What there is to know of games and planners before one is made.

use serde::Serialize;

use crate::advice::Measure;
use crate::params::Param;

/// What there is to know of a game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GameInfo {
    /// Its name in strings.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// What is rewarded.
    pub rewards: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// The version of its rules and deals: stored results depend on it.
    pub version: u32,
    /// A planner that plays it sensibly, for those who name none.
    pub planner: &'static str,
    /// The solver that says soonest whether it can be solved; empty where there is none.
    pub solver: &'static str,
    /// The solver that looks for the best solution; empty where there is none.
    pub optimiser: &'static str,
    /// A quick planner, by whose share of wins deals are called easy or hard; empty where there is none.
    pub yardstick: &'static str,
    /// A small variant by which a search can be explained; empty where there is none.
    pub lesson: &'static str,
    /// How deals are named beside `seed:7`.
    pub deals: Deals,
    /// How positions are written.
    pub positions: &'static str,
    /// What the score counts, in a word.
    pub score: &'static str,
    /// The variants that people may want to choose from, each as a string and what it is called.
    pub variants: &'static [(&'static str, &'static str)],
    /// How many players it has; planners move for all of them.
    pub players: u8,
    /// The place of its own page among those of other games, from 1; 0 where it is one of the others.
    #[serde(skip_serializing_if = "is_zero")]
    pub page: u8,
    /// What it says in other languages; it speaks English.
    #[serde(skip)]
    pub words: &'static [Words],
    /// What parameters are where people play, if nobody says.
    #[serde(skip)]
    pub played: &'static [(&'static str, &'static str)],
    /// Its parameters.
    pub parameters: &'static [Param],
}

/// What a game says, in another language than English.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The language by its code, such as `de`.
    pub language: &'static str,
    /// What is said in English, and how that language says it; the longest form that fits is taken.
    ///
    /// Parts in braces stand for what varies: `{n}`, `{m}` and these with a digit are numbers, `{cell}` is
    /// a square or a letter and `{name}` any text, all of which stay as they are; `{label}`, `{next}`,
    /// `{card}` and `{cards}` are phrases that have forms of their own; any other one is a single word
    /// that is listed too.
    pub forms: &'static [(&'static str, &'static str)],
}

impl Words {
    /// German.
    pub const fn german(forms: &'static [(&'static str, &'static str)]) -> Self {
        Words { language: "de", forms }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(page: &u8) -> bool {
    *page == 0
}

/// How the deals of a game are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Deals {
    /// By seeds alone: `7` is `seed:7`.
    Seeds,
    /// By numbers of the game's own, of which those up to this one are in everybody's hands.
    Numbers(u64),
    /// By numbers of the game's own, none of which is in anybody's hands: new deals are those of seeds.
    Ranks,
}

impl GameInfo {
    /// The deal that is meant where none is named.
    pub fn first_deal(&self) -> &'static str {
        if matches!(self.deals, Deals::Numbers(_)) { "1" } else { "seed:1" }
    }

    /// A game of which nothing is said: to be filled in by `..GameInfo::NEW`.
    pub const NEW: GameInfo = GameInfo {
        name: "",
        title: "",
        summary: "",
        rewards: "",
        paper: "",
        version: 1,
        planner: "uct",
        solver: "",
        optimiser: "",
        yardstick: "",
        lesson: "",
        deals: Deals::Seeds,
        positions: "the game's own text",
        score: "Result",
        variants: &[],
        players: 1,
        page: 0,
        words: &[],
        played: &[],
        parameters: &[],
    };
}

/// What there is to know of a planner or solver.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlannerInfo {
    /// Its name in strings.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// What can be relied on.
    pub guarantee: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// The version of its results: stored ones depend on it.
    pub version: u32,
    /// The capability that a game must have for it, or nothing.
    pub needs: &'static str,
    /// Whether it can plan where a part of the state is hidden.
    pub hidden: bool,
    /// One iteration is one of these; nothing if there are none.
    pub iteration: &'static str,
    /// What its values are, where that is not what the game's usual ones are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
    /// Whether it advises on moves.
    pub advises: bool,
    /// Whether it looks for a whole solution.
    pub solves: bool,
    /// Whether it can prove that there is none.
    pub proves: bool,
    /// The games that have it; none named: every game that has what it needs.
    pub games: &'static [&'static str],
    /// Its parameters.
    pub parameters: &'static [Param],
}

impl PlannerInfo {
    /// A planner for all games of which nothing more is said: to be filled in by
    /// `..PlannerInfo::NEW`.
    pub const NEW: PlannerInfo = PlannerInfo {
        name: "",
        summary: "",
        guarantee: "none",
        paper: "",
        version: 1,
        needs: "",
        hidden: false,
        iteration: "",
        measure: None,
        advises: true,
        solves: false,
        proves: false,
        games: &[],
        parameters: &[],
    };
}
