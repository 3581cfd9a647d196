//! A solution of the fast engine as moves on the table.

use super::super::{Action, Card, Kind, Move, Position, Rules, Suit};
use super::edge::Target;
use super::search::Step;

/// Plays the steps by the obvious engine and gives the moves that were needed: parts of runs moved
/// to free a card, cards sent home or taken back, turns and redeals.
///
/// # Errors
/// If a step cannot be played or cards are left: the solver would be wrong.
pub(super) fn moves(rules: &Rules, start: &Position, steps: &[Step]) -> Result<Vec<Move>, String> {
    let mut table = Table::new(rules, start);
    for step in steps {
        for home in &step.way {
            table.take_back(home)?;
            table.send_home(home)?;
        }
        table.step(step.card, step.target)?;
    }
    table.send_home(&[rules.ranks(); 4])?;
    Ok(table.moves)
}

/// The moves on the table that an action of [`Klondike`](super::super::Klondike) comes to. The stock is
/// turned first where the card lies in it, and what lies on the card is moved aside.
///
/// # Errors
/// If the action cannot be played here.
pub(in super::super) fn lower(
    rules: &Rules,
    position: &Position,
    action: Action,
) -> Result<Vec<Move>, String> {
    let mut table = Table::new(rules, position);
    let Action { kind, card } = action;
    match kind {
        Kind::ColumnToFoundation => table.play_from_column(card, Target::Home)?,
        Kind::ColumnToColumn => table.play_from_column(card, Target::Column)?,
        Kind::StockToFoundation => table.play_from_stock(card, Target::Home)?,
        Kind::StockToColumn => table.play_from_stock(card, Target::Column)?,
        Kind::FoundationToColumn => table.back(card)?,
    }
    Ok(table.moves)
}

/// A position on which moves are played, and written down.
pub(super) struct Table<'r> {
    rules: &'r Rules,
    position: Position,
    moves: Vec<Move>,
}

impl<'r> Table<'r> {
    pub(super) fn new(rules: &'r Rules, start: &Position) -> Table<'r> {
        Table { rules, position: start.clone(), moves: Vec::new() }
    }

    /// The moves that were played.
    pub(super) fn into_moves(self) -> Vec<Move> {
        self.moves
    }

    pub(super) fn play(&mut self, m: Move) -> Result<(), String> {
        self.rules.play(&mut self.position, m).map_err(|reason| format!("{m}: {reason}"))?;
        self.moves.push(m);
        Ok(())
    }

    /// Where a face-up card lies: column and place.
    pub(super) fn find(&self, card: Card) -> Option<(usize, usize)> {
        let columns = self.position.columns.iter().enumerate();
        columns
            .filter_map(|(c, column)| Some((c, column.up.iter().position(|&x| x == card)?)))
            .next()
    }

    /// The columns that take a card, with the card on which it comes to lie.
    pub(super) fn columns_for(&self, card: Card) -> Vec<(u8, Option<Card>)> {
        let takes = |column: &super::super::Column| match column.up.last() {
            Some(&top) => card.fits_on(top),
            None => column.down.is_empty() && card.rank() == self.rules.ranks(),
        };
        let columns = (0..).zip(&self.position.columns).filter(|(_, column)| takes(column));
        columns.map(|(number, column)| (number, column.up.last().copied())).collect()
    }

    /// A column that takes a card.
    fn column_for(&self, card: Card) -> Result<u8, String> {
        let found = self.columns_for(card).first().copied();
        found.map(|(column, _)| column).ok_or_else(|| format!("no column takes {card}"))
    }

    /// How many cards of a column lie from this place on.
    pub(super) fn count_from(&self, column: usize, place: usize) -> u8 {
        (self.position.columns[column].up.len() - place) as u8
    }

    /// Whether a card is on its foundation.
    pub(super) fn is_home(&self, card: Card) -> bool {
        self.position.foundations[card.suit() as usize] >= card.rank()
    }

    /// Makes a face-up card the top of its column, moving what lies on it to the other parent.
    fn free(&mut self, card: Card) -> Result<u8, String> {
        let (column, place) = self.find(card).ok_or_else(|| format!("{card} is not face up"))?;
        let up = &self.position.columns[column].up;
        let from = column as u8;
        if let Some(&cover) = up.get(place + 1) {
            let count = (up.len() - place - 1) as u8;
            let to = self.column_for(cover)?;
            self.play(Move::ColumnToColumn { from, to, count })?;
        }
        Ok(from)
    }

    /// Takes cards back until no foundation, by suit index, holds more than so many.
    fn take_back(&mut self, target: &[u8; 4]) -> Result<(), String> {
        for suit in Suit::ALL {
            while self.position.foundations[suit as usize] > target[suit.index()] {
                let card = Card::new(self.position.foundations[suit as usize], suit);
                self.back(card.ok_or("no card to take back")?)?;
            }
        }
        Ok(())
    }

    /// Sends cards home until the foundations, by suit index, hold so many.
    fn send_home(&mut self, target: &[u8; 4]) -> Result<(), String> {
        loop {
            let open: Vec<Card> = Suit::ALL
                .into_iter()
                .filter(|&suit| self.position.foundations[suit as usize] < target[suit.index()])
                .filter_map(|suit| Card::new(self.position.foundations[suit as usize] + 1, suit))
                .collect();
            if open.is_empty() {
                return Ok(());
            }
            let before = self.moves.len();
            for &card in &open {
                // Another card may have to go first.
                if let Ok(from) = self.free(card) {
                    self.play(Move::ColumnToFoundation(from))?;
                }
            }
            if self.moves.len() == before {
                return Err(format!("{open:?} cannot go home"));
            }
        }
    }

    /// Takes the top card of a foundation back.
    fn back(&mut self, card: Card) -> Result<(), String> {
        let suit = card.suit();
        if self.position.foundations[suit as usize] != card.rank() {
            return Err(format!("{card} is not the top card of its foundation"));
        }
        let to = self.column_for(card)?;
        self.play(Move::FoundationToColumn { suit, to })
    }

    fn step(&mut self, card: Card, target: Target) -> Result<(), String> {
        match self.find(card) {
            Some(_) => self.play_from_column(card, target),
            None => self.play_from_stock(card, target),
        }
    }

    fn play_from_column(&mut self, card: Card, target: Target) -> Result<(), String> {
        if target == Target::Home {
            let from = self.free(card)?;
            return self.play(Move::ColumnToFoundation(from));
        }
        let (from, place) = self.find(card).ok_or_else(|| format!("{card} is not face up"))?;
        let count = (self.position.columns[from].up.len() - place) as u8;
        let to = self.column_for(card)?;
        self.play(Move::ColumnToColumn { from: from as u8, to, count })
    }

    fn play_from_stock(&mut self, card: Card, target: Target) -> Result<(), String> {
        self.turn_to(card)?;
        match target {
            Target::Home => self.play(Move::WasteToFoundation),
            Target::Column => {
                let to = self.column_for(card)?;
                self.play(Move::WasteToColumn(to))
            }
        }
    }

    /// Turns the stock until a card is the waste's top.
    pub(super) fn turn_to(&mut self, card: Card) -> Result<(), String> {
        let cards = self.position.stock.len() + self.position.waste.len();
        // Two passes and two redeals at most.
        for _ in 0..2 * cards + 4 {
            if self.position.waste.last() == Some(&card) {
                return Ok(());
            }
            self.play(if self.position.stock.is_empty() { Move::Redeal } else { Move::Turn })?;
        }
        Err(format!("{card} cannot be reached in the stock"))
    }
}
