//! A position as it lies on the table, and its text.

use std::fmt;

use super::rules::{Fill, Rules};
use crate::cards::{Card, SUIT_LETTERS};
use crate::words::counted;

/// A position as it lies on the table: slow and obvious, for texts and the validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Columns from the left, each from its deepest card up.
    pub columns: Vec<Vec<Card>>,
    /// Cells from the left.
    pub cells: Vec<Option<Card>>,
    /// How many cards of each suit are home.
    pub home: [u8; 4],
}

/// Why a text is not a board, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct BoardError {
    /// Line of the text, from 1.
    pub line: usize,
    /// Place in the line, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: BoardFault,
}

/// What can be wrong with the text of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardFault {
    /// A word is not a card.
    #[error(transparent)]
    Card(#[from] crate::cards::NotACard),
    /// A card comes twice, or lies elsewhere and is said to be home.
    #[error("{0} is here for the second time")]
    Twice(Card),
    /// A card of a rank that the game does not have.
    #[error("{0} is not in the game: a suit has {1} ranks")]
    NotInGame(Card, u8),
    /// There is nothing in the text.
    #[error("it is empty: expected {expected} columns, each a line of cards such as AS 10H")]
    Empty {
        /// Columns of the game.
        expected: usize,
    },
    /// Too many or too few columns.
    #[error("{}, the game has {expected}", counted(*found, "column"))]
    Columns {
        /// Columns of the text.
        found: usize,
        /// Columns of the game.
        expected: usize,
    },
    /// More cards in cells than there are cells.
    #[error("{found} cells, the game has {expected}")]
    Cells {
        /// Cells of the text.
        found: usize,
        /// Cells of the game.
        expected: usize,
    },
    /// A word of the foundations line is not like `H-0`.
    #[error("“{0}” is not a foundation; they are written like H-0 or S-Q")]
    Foundation(String),
    /// Cards are missing.
    #[error("missing: {}", list(.0))]
    Missing(Vec<Card>),
}

fn list(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

/// The words of a line, each with its place in characters from 1.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(move |word| {
        let bytes = word.as_ptr() as usize - line.as_ptr() as usize;
        (line[..bytes].chars().count() + 1, word)
    })
}

/// What comes after one of the given headings, padded so that every word keeps its place in the
/// line.
fn after_heading(line: &str, headings: &[&str]) -> Option<String> {
    let (head, rest) = line.split_once(':')?;
    let head = head.trim().to_ascii_lowercase();
    headings
        .contains(&head.as_str())
        .then(|| " ".repeat(line.chars().count() - rest.chars().count()) + rest)
}

struct Reader<'r> {
    rules: &'r Rules,
    seen: [bool; 52],
    line: usize,
}

impl Reader<'_> {
    fn error(&self, column: usize, fault: BoardFault) -> BoardError {
        BoardError { line: self.line.max(1), column, fault }
    }

    fn see(&mut self, column: usize, card: Card) -> Result<Card, BoardError> {
        if card.rank() > self.rules.ranks {
            return Err(self.error(column, BoardFault::NotInGame(card, self.rules.ranks)));
        }
        if std::mem::replace(&mut self.seen[card.index()], true) {
            return Err(self.error(column, BoardFault::Twice(card)));
        }
        Ok(card)
    }

    fn card(&mut self, column: usize, word: &str) -> Result<Card, BoardError> {
        let card = word.parse().map_err(|e| self.error(column, BoardFault::Card(e)))?;
        self.see(column, card)
    }

    /// `H-0`, `H-Q`, `H-10`: how many cards of the suit are home, or the highest of them.
    fn foundation(
        &mut self,
        column: usize,
        word: &str,
        home: &mut [u8; 4],
    ) -> Result<(), BoardError> {
        let fault = || BoardFault::Foundation(word.chars().take(20).collect());
        let (suit, top) = word.split_once('-').ok_or_else(|| self.error(column, fault()))?;
        if top == "0" {
            let card = format!("A{suit}").parse::<Card>();
            return card.map(|_| ()).map_err(|_| self.error(column, fault()));
        }
        let top: Card = format!("{top}{suit}").parse().map_err(|_| self.error(column, fault()))?;
        for rank in 1..=top.rank() {
            self.see(column, Card::new(rank, top.suit()))?;
        }
        home[usize::from(top.suit())] = top.rank();
        Ok(())
    }
}

impl Board {
    /// Reads a board: one column per line from its deepest card up, with or without a leading
    /// `:` (an empty column needs it), a line `Foundations: H-0 C-0 D-0 S-0` and a line
    /// `Freecells: QS - KD` where they are needed. Blank lines and lines that begin with `#` are
    /// skipped. Every card of the game must be there once.
    pub fn read(rules: &Rules, text: &str) -> Result<Board, BoardError> {
        let mut reader = Reader { rules, seen: [false; 52], line: 0 };
        let mut board = Board { columns: Vec::new(), cells: Vec::new(), home: [0; 4] };
        for line in text.lines() {
            reader.line += 1;
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            if let Some(rest) = after_heading(line, &["foundations", "founds"]) {
                for (column, word) in words(&rest) {
                    reader.foundation(column, word, &mut board.home)?;
                }
            } else if let Some(rest) = after_heading(line, &["freecells", "fc", "cells"]) {
                for (column, word) in words(&rest) {
                    let card = (word != "-").then(|| reader.card(column, word)).transpose()?;
                    board.cells.push(card);
                    let (found, expected) = (board.cells.len(), usize::from(rules.cells));
                    if found > expected {
                        return Err(reader.error(column, BoardFault::Cells { found, expected }));
                    }
                }
            } else {
                let blanked =
                    line.replacen(':', " ", usize::from(line.trim_start().starts_with(':')));
                let mut cards = Vec::new();
                for (column, word) in words(&blanked) {
                    cards.push(reader.card(column, word)?);
                }
                board.columns.push(cards);
                let (found, expected) = (board.columns.len(), usize::from(rules.columns));
                if found > expected {
                    return Err(reader.error(1, BoardFault::Columns { found, expected }));
                }
            }
        }
        let (found, expected) = (board.columns.len(), usize::from(rules.columns));
        if found == 0 && reader.seen == [false; 52] {
            return Err(reader.error(1, BoardFault::Empty { expected }));
        }
        if found < expected {
            return Err(reader.error(1, BoardFault::Columns { found, expected }));
        }
        board.cells.resize(usize::from(rules.cells), None);
        let missing: Vec<Card> =
            (0..rules.cards()).map(Card::from_index).filter(|c| !reader.seen[c.index()]).collect();
        if !missing.is_empty() {
            return Err(reader.error(1, BoardFault::Missing(missing)));
        }
        Ok(board)
    }

    /// Whether all cards are home.
    pub fn is_solved(&self, rules: &Rules) -> bool {
        self.home.iter().all(|&h| h == rules.ranks)
    }

    /// How many cells can take a card.
    pub fn free_cells(&self, rules: &Rules) -> usize {
        if rules.refill { self.cells.iter().filter(|c| c.is_none()).count() } else { 0 }
    }

    /// How many empty columns a run can pass through: none where not every card may fill one.
    pub fn empty_columns(&self, rules: &Rules) -> usize {
        match rules.fill {
            Fill::Any => self.columns.iter().filter(|c| c.is_empty()).count(),
            Fill::Kings | Fill::Nothing => 0,
        }
    }

    /// How many cards at the top of a column are in sequence.
    pub fn run(&self, rules: &Rules, column: usize) -> usize {
        let cards = &self.columns[column];
        let joined = |pair: &&[Card]| rules.builds(pair[1], pair[0]);
        cards.windows(2).rev().take_while(joined).count() + usize::from(!cards.is_empty())
    }
}

impl fmt::Display for Board {
    /// The text that [`Board::read`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Foundations:")?;
        for suit in [2, 0, 1, 3] {
            let letter = SUIT_LETTERS[suit as usize];
            match self.home[suit as usize] {
                0 => write!(f, " {letter}-0")?,
                rank => write!(f, " {letter}-{}", &Card::new(rank, suit).to_string()[..1])?,
            }
        }
        f.write_str("\nFreecells:")?;
        for cell in &self.cells {
            match cell {
                Some(card) => write!(f, " {card}")?,
                None => f.write_str(" -")?,
            }
        }
        for column in &self.columns {
            f.write_str("\n:")?;
            for card in column {
                write!(f, " {card}")?;
            }
        }
        f.write_str("\n")
    }
}
