//! The obvious engine: every move, one at a time, on plain piles. Slow; what the fast engines are
//! held against, and what replays every solution.

use std::fmt;
use std::str::FromStr;

use super::{Card, Position, Rules, Suit};

/// A move of the game as it is played on a table. Columns are counted from 0 here and from 1 in
/// text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Turn the next cards of the stock onto the waste.
    Turn,
    /// Turn the waste over to be the stock again.
    Redeal,
    /// The waste's top card to its foundation.
    WasteToFoundation,
    /// The waste's top card to a column.
    WasteToColumn(u8),
    /// A column's top card to its foundation.
    ColumnToFoundation(u8),
    /// The `count` top cards of a column to another.
    ColumnToColumn {
        /// Where they lie.
        from: u8,
        /// Where they go.
        to: u8,
        /// How many.
        count: u8,
    },
    /// A foundation's top card back to a column.
    FoundationToColumn {
        /// Whose foundation.
        suit: Suit,
        /// Where it goes.
        to: u8,
    },
}

/// `turn`, `redeal`, `w-f`, `w-3`, `5-f`, `5-3x2` (two cards), `H-3` (hearts back to column 3).
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Turn => f.write_str("turn"),
            Move::Redeal => f.write_str("redeal"),
            Move::WasteToFoundation => f.write_str("w-f"),
            Move::WasteToColumn(to) => write!(f, "w-{}", to + 1),
            Move::ColumnToFoundation(from) => write!(f, "{}-f", from + 1),
            Move::ColumnToColumn { from, to, count } => {
                write!(f, "{}-{}x{count}", from + 1, to + 1)
            }
            Move::FoundationToColumn { suit, to } => write!(f, "{}-{}", suit.letter(), to + 1),
        }
    }
}

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a move; moves look like turn, redeal, w-f, w-3, 5-f, 5-3x2 or H-3")]
pub struct MoveError(pub String);

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Move, MoveError> {
        let column = |t: &str| {
            let plain = t.len() == 1 && t.as_bytes()[0].is_ascii_digit();
            t.parse::<u8>().ok().filter(|n| plain && *n >= 1).map(|n| n - 1)
        };
        let parsed = || {
            Some(match text {
                "turn" => Move::Turn,
                "redeal" => Move::Redeal,
                "w-f" => Move::WasteToFoundation,
                _ => match text.split_once('-')? {
                    ("w", to) => Move::WasteToColumn(column(to)?),
                    (from, "f") => Move::ColumnToFoundation(column(from)?),
                    (from, to) => match to.split_once('x') {
                        Some((to, count)) => {
                            let count = count.parse().ok().filter(|n| (1..=13).contains(n))?;
                            Move::ColumnToColumn { from: column(from)?, to: column(to)?, count }
                        }
                        None if from.len() == 1 => {
                            let suit = Suit::from_letter(from.chars().next()?)?;
                            Move::FoundationToColumn { suit, to: column(to)? }
                        }
                        None => return None,
                    },
                },
            })
        };
        parsed().ok_or_else(|| MoveError(text.chars().take(20).collect()))
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Illegal {
    #[error("the stock is empty")]
    StockEmpty,
    #[error("the stock is not empty yet, or there is no waste to turn over")]
    NothingToRedeal,
    #[error("no redeal is left")]
    NoRedealLeft,
    #[error("the waste is empty")]
    WasteEmpty,
    #[error("there is no column {}", .0 + 1)]
    NoSuchColumn(u8),
    #[error("column {} has not so many face-up cards", .0 + 1)]
    TooFewCards(u8),
    #[error("{0} is not the next card of its foundation")]
    NotNextOnFoundation(Card),
    #[error("the foundation of {0:?} is empty")]
    FoundationEmpty(Suit),
    #[error("{card} does not fit on column {}", column + 1)]
    DoesNotFit { card: Card, column: u8 },
    #[error("a face-down card is unknown")]
    UnknownCard,
}

impl Rules {
    /// Whether a move is legal.
    ///
    /// # Errors
    /// Why it is not.
    pub fn check(&self, position: &Position, m: Move) -> Result<(), Illegal> {
        match m {
            Move::Turn => {
                if position.stock.is_empty() {
                    return Err(Illegal::StockEmpty);
                }
                let left = position.stock.len().saturating_sub(usize::from(self.draws()));
                if position.stock[left..].iter().any(Option::is_none) {
                    return Err(Illegal::UnknownCard);
                }
            }
            Move::Redeal => {
                if !position.stock.is_empty() || position.waste.is_empty() {
                    return Err(Illegal::NothingToRedeal);
                }
                if self.redeals().is_some_and(|most| position.redeals >= most) {
                    return Err(Illegal::NoRedealLeft);
                }
            }
            Move::WasteToFoundation => {
                let card = *position.waste.last().ok_or(Illegal::WasteEmpty)?;
                self.check_next(position, card)?;
            }
            Move::WasteToColumn(to) => {
                let card = *position.waste.last().ok_or(Illegal::WasteEmpty)?;
                self.check_fits(position, card, to)?;
            }
            Move::ColumnToFoundation(from) => {
                let card = self.lowest_of(position, from, 1)?;
                self.check_next(position, card)?;
                self.check_uncovers(position, from, 1)?;
            }
            Move::ColumnToColumn { from, to, count } => {
                let card = self.lowest_of(position, from, count)?;
                self.check_fits(position, card, to)?;
                self.check_uncovers(position, from, count)?;
            }
            Move::FoundationToColumn { suit, to } => {
                let rank = position.foundations[suit as usize];
                let card = Card::new(rank, suit).ok_or(Illegal::FoundationEmpty(suit))?;
                self.check_fits(position, card, to)?;
            }
        }
        Ok(())
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal; the position is then as it was.
    pub fn play(&self, position: &mut Position, m: Move) -> Result<(), Illegal> {
        self.check(position, m)?;
        match m {
            Move::Turn => {
                let left = position.stock.len().saturating_sub(usize::from(self.draws()));
                let turned = position.stock.split_off(left);
                position.waste.extend(turned.into_iter().rev().flatten());
            }
            Move::Redeal => {
                position.redeals = position.redeals.saturating_add(1);
                position.stock = position.waste.drain(..).rev().map(Some).collect();
            }
            Move::WasteToFoundation => {
                let card = position.waste.pop();
                position.foundations[card.ok_or(Illegal::WasteEmpty)?.suit() as usize] += 1;
            }
            Move::WasteToColumn(to) => {
                let card = position.waste.pop();
                position.columns[usize::from(to)].up.extend(card);
            }
            Move::ColumnToFoundation(from) => {
                for card in self.take(position, from, 1) {
                    position.foundations[card.suit() as usize] += 1;
                }
            }
            Move::ColumnToColumn { from, to, count } => {
                let run = self.take(position, from, count);
                position.columns[usize::from(to)].up.extend(run);
            }
            Move::FoundationToColumn { suit, to } => {
                let count = &mut position.foundations[suit as usize];
                let card = Card::new(*count, suit);
                *count -= 1;
                position.columns[usize::from(to)].up.extend(card);
            }
        }
        Ok(())
    }

    /// The lowest of a column's top cards, on which the others lie.
    fn lowest_of(&self, position: &Position, from: u8, count: u8) -> Result<Card, Illegal> {
        let column = position.columns.get(usize::from(from)).ok_or(Illegal::NoSuchColumn(from))?;
        let at = column.up.len().checked_sub(usize::from(count));
        at.and_then(|at| column.up.get(at).copied()).ok_or(Illegal::TooFewCards(from))
    }

    /// A card that a move turns up must be known.
    fn check_uncovers(&self, position: &Position, from: u8, count: u8) -> Result<(), Illegal> {
        let column = &position.columns[usize::from(from)];
        match column.down.last() {
            Some(None) if column.up.len() == usize::from(count) => Err(Illegal::UnknownCard),
            _ => Ok(()),
        }
    }

    /// Takes cards from a column and turns up the card below them.
    fn take(&self, position: &mut Position, from: u8, count: u8) -> Vec<Card> {
        let column = &mut position.columns[usize::from(from)];
        let taken = column.up.split_off(column.up.len() - usize::from(count));
        if column.up.is_empty() {
            column.up.extend(column.down.pop().flatten());
        }
        taken
    }

    fn check_next(&self, position: &Position, card: Card) -> Result<(), Illegal> {
        let count = position.foundations[card.suit() as usize];
        if count + 1 == card.rank() { Ok(()) } else { Err(Illegal::NotNextOnFoundation(card)) }
    }

    fn check_fits(&self, position: &Position, card: Card, to: u8) -> Result<(), Illegal> {
        let column = position.columns.get(usize::from(to)).ok_or(Illegal::NoSuchColumn(to))?;
        let fits = match column.up.last() {
            Some(&top) => card.fits_on(top),
            None => column.down.is_empty() && card.rank() == self.ranks(),
        };
        if fits { Ok(()) } else { Err(Illegal::DoesNotFit { card, column: to }) }
    }

    /// Every legal move, found by trying each that can be written down.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let columns = self.columns() as u8;
        let mut candidates = vec![Move::Turn, Move::Redeal, Move::WasteToFoundation];
        for to in 0..columns {
            candidates.push(Move::WasteToColumn(to));
            candidates.push(Move::ColumnToFoundation(to));
            candidates.extend(Suit::ALL.map(|suit| Move::FoundationToColumn { suit, to }));
            for from in (0..columns).filter(|&from| from != to) {
                let counts = 1..=self.ranks();
                candidates.extend(counts.map(|count| Move::ColumnToColumn { from, to, count }));
            }
        }
        candidates.retain(|&m| self.check(position, m).is_ok());
        candidates
    }
}

/// The move of a list that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, {played}: {reason}")]
pub struct ReplayError {
    /// Which move, from 1.
    pub number: usize,
    /// The move.
    pub played: Move,
    /// Why not.
    pub reason: Illegal,
}

/// How long a solution is, as people count: every turn and every card or run that is moved. Turning the
/// waste over is no move, nor is the card that is turned up. So count the public solvers for shortest
/// solutions too.
pub fn length(moves: &[Move]) -> usize {
    moves.iter().filter(|&&m| m != Move::Redeal).count()
}

/// The validator: plays a list of moves by the obvious engine and gives the position reached.
///
/// # Errors
/// The first move that is not legal.
pub fn replay(rules: &Rules, start: &Position, moves: &[Move]) -> Result<Position, ReplayError> {
    let mut position = start.clone();
    for (i, &played) in moves.iter().enumerate() {
        rules.play(&mut position, played).map_err(|reason| ReplayError {
            number: i + 1,
            played,
            reason,
        })?;
    }
    Ok(position)
}
