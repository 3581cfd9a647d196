//! Numbered deals.

use patience_model::Rng;

use super::{Board, Card, Rules};

/// The highest deal number.
pub const LAST_DEAL: u64 = (1 << 33) - 1;

/// There is no deal of this number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("deals are numbered 1 to {LAST_DEAL}")]
pub struct NoSuchDeal(pub u64);

/// The random numbers of the numbered deals: those of Microsoft's C library up to 2³¹. Above, there
/// is a 16th bit: always set below 2³²; from there on it is free, and 1 is added (as FreeCell Pro
/// does, as far as known; no published deal of that range has been compared).
struct Numbers {
    number: u64,
    seed: u32,
}

impl Numbers {
    fn next(&mut self) -> u32 {
        self.seed = self.seed.wrapping_mul(214_013).wrapping_add(2_531_011);
        let high = self.seed >> 16;
        match self.number {
            0..0x8000_0000 => high & 0x7fff,
            0x8000_0000..0x1_0000_0000 => high | 0x8000,
            _ => high + 1,
        }
    }
}

/// The cards in the order in which deal `number` deals them.
fn order(number: u64) -> Vec<Card> {
    let mut numbers = Numbers { number, seed: number as u32 };
    let mut deck: Vec<Card> = (0..52).map(Card::from_index).collect();
    let mut dealt = Vec::with_capacity(52);
    while !deck.is_empty() {
        dealt.push(deck.swap_remove(numbers.next() as usize % deck.len()));
    }
    dealt
}

impl Board {
    /// The deal of this number, 1 to 2³³ − 1; up to 32 000 those of Microsoft FreeCell. In games
    /// other than FreeCell the same shuffled deck is dealt row by row, cards for cells last, and
    /// cards that start at home or are not in the game are left out.
    pub fn deal(rules: &Rules, number: u64) -> Result<Board, NoSuchDeal> {
        if !(1..=LAST_DEAL).contains(&number) {
            return Err(NoSuchDeal(number));
        }
        Ok(Board::lay_out(rules, order(number)))
    }

    /// A random deal, all equally likely.
    pub fn shuffled(rules: &Rules, rng: &mut Rng) -> Board {
        let mut deck: Vec<Card> = (0..52).map(Card::from_index).collect();
        rng.shuffle(&mut deck);
        Board::lay_out(rules, deck)
    }

    fn lay_out(rules: &Rules, mut cards: Vec<Card>) -> Board {
        let lowest = if rules.aces_home { 2 } else { 1 };
        cards.retain(|c| (lowest..=rules.ranks).contains(&c.rank()));
        let reserve = cards.split_off(cards.len() - usize::from(rules.filled).min(cards.len()));
        let columns = usize::from(rules.columns);
        let mut board = Board {
            columns: vec![Vec::new(); columns],
            cells: vec![None; usize::from(rules.cells)],
            home: [lowest - 1; 4],
        };
        // In a staircase, row r leaves out the first r columns.
        let places = (0..).flat_map(|row| {
            let first = if rules.staircase { row.min(columns - 1) } else { 0 };
            first..columns
        });
        for (card, column) in cards.into_iter().zip(places) {
            board.columns[column].push(card);
        }
        for (card, cell) in reserve.into_iter().zip(&mut board.cells) {
            *cell = Some(card);
        }
        board
    }
}
