//! A game as people see it: what lies on the table, and what moves are called.

use serde::Serialize;

use crate::Text;

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
    /// A board of squares.
    Grid {
        /// The rows from the top, each from the left: what stands on each square, in a word, and
        /// nothing on an empty one.
        rows: Vec<Vec<String>>,
        /// What else is to be known of the position; nothing if that is all.
        text: String,
        /// What was seen of the last move.
        seen: String,
    },
    /// Text.
    Text {
        /// The position.
        text: String,
        /// What was seen of the last move.
        seen: String,
    },
}

impl Scene {
    /// A board from its text, a line for each row: dots are empty squares.
    pub fn squares(board: &str, text: impl Into<String>) -> Self {
        let square = |c: char| if c == '.' { String::new() } else { c.to_string() };
        let rows = board.lines().map(|line| line.chars().map(square).collect()).collect();
        Scene::Grid { rows, text: text.into(), seen: String::new() }
    }
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

impl Pile {
    /// What a face-down card is called.
    pub const HIDDEN: &'static str = "??";

    /// A pile.
    pub fn new(
        id: impl Into<String>,
        kind: PileKind,
        name: impl Into<String>,
        cards: Vec<String>,
    ) -> Self {
        Pile { id: id.into(), kind, name: name.into(), cards }
    }
}

/// What a pile is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PileKind {
    /// Cards to be turned.
    Stock,
    /// Cards that were turned; the last one can be played.
    Waste,
    /// Where cards are gathered.
    Foundation,
    /// Room for one card.
    Cell,
    /// Cards laid out, all but the covered ones in sight.
    Column,
}

/// What a move is called, and where it happens.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Label {
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
    /// Columns and rows, from 0: of the tiles that go, or on a board of squares, whose rows count from
    /// the top, of the squares any of which stands for the move. Where a piece moves they are two, from
    /// and to, and `count` is 2.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<(u8, u8)>,
    /// What it scores at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// Whether it costs nothing: what can be reached before it can be reached after it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub safe: bool,
}

impl Label {
    /// Words alone.
    pub fn words(label: impl Into<String>) -> Self {
        Label { label: label.into(), ..Label::default() }
    }

    /// So many cards from one pile to another.
    pub fn cards(
        label: impl Into<String>,
        from: impl Into<String>,
        to: impl Into<String>,
        count: usize,
    ) -> Self {
        let (from, to) = (Some(from.into()), Some(to.into()));
        Label { from, to, count, ..Label::words(label) }
    }

    /// Something on one square of a board, from the left and from the top.
    pub fn square(label: impl Into<String>, column: u8, row: u8) -> Self {
        Label { cells: vec![(column, row)], count: 1, ..Label::words(label) }
    }

    /// The same, costing nothing or not.
    pub fn safe(self, safe: bool) -> Self {
        Label { safe, ..self }
    }
}

/// A game that people can play at a table: what it shows must not tell more than a player may know.
pub trait Shown: Text {
    /// What people call the game.
    fn title(&self) -> String;

    /// What lies on the table.
    fn scene(&self, state: &Self::State) -> Scene {
        Scene::Text { text: self.state_text(state), seen: String::new() }
    }

    /// What a legal move is called.
    fn label(&self, state: &Self::State, action: Self::Action) -> Label {
        Label::words(self.action_text(state, action))
    }

    /// Whether the game is won.
    fn won(&self, _state: &Self::State) -> bool {
        false
    }

    /// Whether the game goes on.
    fn standing(&self, state: &Self::State) -> Standing {
        let mut legal = Vec::new();
        self.actions(state, &mut legal);
        match (self.won(state), legal.is_empty()) {
            (true, _) => Standing::Won,
            (false, true) => Standing::Over,
            (false, false) => Standing::Open,
        }
    }

    /// The score, of which `result` is the sum of rewards since the game was set up.
    fn score(&self, _state: &Self::State, result: f64) -> f64 {
        result
    }

    /// Equal for positions between which no progress lies; `None` where no play comes back.
    fn place(&self, _state: &Self::State) -> Option<String> {
        None
    }
}
