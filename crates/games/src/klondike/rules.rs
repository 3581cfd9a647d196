//! The rules and their parameters.

use super::Card;

/// What the player knows of the stock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// The whole stock is known from the start, as in the paper ("K+").
    #[default]
    Plus,
    /// Cards of the stock are unknown until they are turned for the first time.
    Strict,
}

/// The rules of Klondike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    draw: u8,
    redeals: Option<u32>,
    view: View,
    ranks: u8,
    columns: u8,
}

/// Why there are no such rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// Cards turned at a time.
    #[error("1, 2 or 3 cards are turned at a time, not {0}")]
    Draw(u32),
    /// A pack that cannot be dealt.
    #[error(
        "a pack of {ranks} ranks cannot be dealt to {columns} columns: 1 to 13 ranks, 1 to 7 \
         columns, and cards enough for them are expected"
    )]
    Pack {
        /// Ranks of the pack.
        ranks: u8,
        /// Columns of the tableau.
        columns: u8,
    },
}

impl Default for Rules {
    /// The paper's variant: three cards at a time, redeals without limit, the stock known.
    fn default() -> Self {
        Rules { draw: 3, redeals: None, view: View::Plus, ranks: 13, columns: 7 }
    }
}

impl Rules {
    /// The usual game, turning so many cards at a time: 1, 2 or 3.
    pub fn draw(cards: u32) -> Result<Rules, RulesError> {
        if !(1..=3).contains(&cards) {
            return Err(RulesError::Draw(cards));
        }
        Ok(Rules { draw: cards as u8, ..Rules::default() })
    }

    /// The same with so many redeals at most; `None` for no limit.
    pub fn with_redeals(self, redeals: Option<u32>) -> Rules {
        Rules { redeals, ..self }
    }

    /// The same with another view of the stock.
    pub fn with_view(self, view: View) -> Rules {
        Rules { view, ..self }
    }

    /// The same with a smaller pack: the ranks from the ace up to `ranks`, whose cards are then
    /// the kings, and fewer columns. Small packs can be solved by trying everything.
    pub fn with_pack(self, ranks: u8, columns: u8) -> Result<Rules, RulesError> {
        let dealt = u32::from(columns) * (u32::from(columns) + 1) / 2;
        let fits = (1..=13).contains(&ranks) && (1..=7).contains(&columns);
        let stock = (4 * u32::from(ranks)).checked_sub(dealt);
        if !fits || stock.is_none_or(|n| n > 24) {
            return Err(RulesError::Pack { ranks, columns });
        }
        Ok(Rules { ranks, columns, ..self })
    }

    /// Cards turned at a time.
    pub fn draws(&self) -> u8 {
        self.draw
    }

    /// How often the waste may be turned over to be the stock again; `None` for no limit.
    pub fn redeals(&self) -> Option<u32> {
        self.redeals
    }

    /// What is known of the stock.
    pub fn view(&self) -> View {
        self.view
    }

    /// Ranks in the pack; cards of the highest may go to an empty column.
    pub fn ranks(&self) -> u8 {
        self.ranks
    }

    /// Columns of the tableau.
    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    /// Cards in the pack.
    pub fn pack_size(&self) -> usize {
        4 * usize::from(self.ranks)
    }

    /// The pack in order.
    pub fn pack(&self) -> impl Iterator<Item = Card> {
        let ranks = self.ranks;
        Card::all().filter(move |c| c.rank() <= ranks)
    }
}
