//! What can be seen of a table.

use serde::Serialize;

use super::Measure;

/// All that a player may know of a game on the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The game, as a string.
    pub game: String,
    /// What people call it.
    pub title: String,
    /// The deal, if it was one.
    pub deal: Option<String>,
    /// The moves so far.
    pub moves: Vec<String>,
    /// Whether it goes on.
    pub standing: Standing,
    /// The score, where there is one.
    pub score: Option<f64>,
    /// What lies on the table.
    pub scene: Scene,
    /// The moves that the rules allow.
    pub legal: Vec<TableMove>,
    /// The position as text, to be copied and pasted.
    pub text: String,
    /// The planner that gives hints unless another is named.
    pub planner: String,
    /// What its hints measure.
    pub measure: Measure,
}

/// Whether a game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It goes on.
    Open,
    /// It is won.
    Won,
    /// It is over, and not won.
    Over,
}

/// What lies on the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Scene {
    /// Piles of cards.
    Cards {
        /// The piles, in the order in which they are shown.
        piles: Vec<Pile>,
    },
    /// Tiles.
    Tiles {
        /// Columns of the board at the start.
        width: usize,
        /// Rows of the board at the start.
        height: usize,
        /// The columns from the left, each from the bottom up, of colours from 0 on.
        columns: Vec<Vec<u8>>,
    },
    /// Text.
    Text {
        /// The position.
        text: String,
        /// What was seen of the last move.
        seen: String,
    },
}

/// A pile of cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pile {
    /// Its name in moves.
    pub id: String,
    /// What it is.
    pub kind: PileKind,
    /// What people call it.
    pub name: String,
    /// The cards from the bottom: `7H`, or `??` for one that lies face down.
    pub cards: Vec<String>,
}

/// What a pile is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum PileKind {
    Stock,
    Waste,
    Foundation,
    Cell,
    Column,
}

/// A move that the rules allow.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TableMove {
    /// Its name: what is played, and what a list of moves has.
    pub name: String,
    /// In words.
    pub label: String,
    /// The pile from which cards go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The pile to which they go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// How many cards or tiles.
    pub count: usize,
    /// Columns and rows, from 0, of tiles that go.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<(u8, u8)>,
    /// What it scores at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
}
