//! A solution of the fast engine as moves on the table.

use super::super::{Card, Move, Position, Rules, Suit};
use super::search::{Step, Target};

/// Plays the steps by the obvious engine and gives the moves that were needed: parts of runs moved
/// to free a card, cards sent home or taken back, turns and redeals.
///
/// # Errors
/// If a step cannot be played or cards are left: the solver would be wrong.
pub(super) fn moves(rules: &Rules, start: &Position, steps: &[Step]) -> Result<Vec<Move>, String> {
    let mut table = Table { rules, position: start.clone(), moves: Vec::new() };
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

/// The moves on the table that an action of [`Klondike`](super::super::Klondike) comes to, by its
/// text: `7H-f` home, `7H-c` to another column, both from a column; `s7H-f` and `s7H-c` from the
/// stock, which is turned first; `f7H-c` back from its foundation. What lies on the card is moved
/// aside first where that is needed.
///
/// # Errors
/// If the text is no action, or it cannot be played here.
pub fn way(rules: &Rules, position: &Position, action: &str) -> Result<Vec<Move>, String> {
    let wrong = || format!("`{action}` is no action: 7H-f, 7H-c, s7H-f, s7H-c and f7H-c are");
    let (card, target) = action.rsplit_once('-').ok_or_else(wrong)?;
    let target = match target {
        "f" => Target::Home,
        "c" => Target::Column,
        _ => return Err(wrong()),
    };
    let mut table = Table { rules, position: position.clone(), moves: Vec::new() };
    let back = card.strip_prefix('f');
    let card = back.or(card.strip_prefix('s')).unwrap_or(card);
    let card: Card = card.parse().map_err(|_| wrong())?;
    if back.is_some() {
        let to = table.column_for(card)?;
        table.play(Move::FoundationToColumn { suit: card.suit(), to })?;
    } else {
        table.step(card, target)?;
    }
    Ok(table.moves)
}

struct Table<'r> {
    rules: &'r Rules,
    position: Position,
    moves: Vec<Move>,
}

impl Table<'_> {
    fn play(&mut self, m: Move) -> Result<(), String> {
        self.rules.play(&mut self.position, m).map_err(|reason| format!("{m}: {reason}"))?;
        self.moves.push(m);
        Ok(())
    }

    /// Where a face-up card lies: column and place.
    fn find(&self, card: Card) -> Option<(usize, usize)> {
        let columns = self.position.columns.iter().enumerate();
        columns
            .filter_map(|(c, column)| Some((c, column.up.iter().position(|&x| x == card)?)))
            .next()
    }

    /// A column that takes a card.
    fn column_for(&self, card: Card) -> Result<u8, String> {
        let takes = |column: &super::super::Column| match column.up.last() {
            Some(&top) => card.fits_on(top),
            None => column.down.is_empty() && card.rank() == self.rules.ranks(),
        };
        let found = self.position.columns.iter().position(takes);
        found.map(|c| c as u8).ok_or_else(|| format!("no column takes {card}"))
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
                let to = self.column_for(card.ok_or("no card to take back")?)?;
                self.play(Move::FoundationToColumn { suit, to })?;
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

    fn step(&mut self, card: Card, target: Target) -> Result<(), String> {
        let in_tableau = self.find(card).is_some();
        if !in_tableau {
            self.turn_to(card)?;
        }
        match (target, in_tableau) {
            (Target::Home, true) => {
                let from = self.free(card)?;
                self.play(Move::ColumnToFoundation(from))
            }
            (Target::Home, false) => self.play(Move::WasteToFoundation),
            (Target::Column, false) => {
                let to = self.column_for(card)?;
                self.play(Move::WasteToColumn(to))
            }
            (Target::Column, true) => {
                let (from, place) = self.find(card).ok_or("the card is gone")?;
                let count = (self.position.columns[from].up.len() - place) as u8;
                let to = self.column_for(card)?;
                self.play(Move::ColumnToColumn { from: from as u8, to, count })
            }
        }
    }

    /// Turns the stock until a card is the waste's top.
    fn turn_to(&mut self, card: Card) -> Result<(), String> {
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
