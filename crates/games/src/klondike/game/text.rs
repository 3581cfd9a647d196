//! The game shown to a player: face-down cards are never told.

use patience_model::Text;

use super::super::card::rank_text;
use super::super::{Card, Suit};
use super::state::State;
use super::{Action, Kind, Klondike};

fn cards(mut set: u64) -> String {
    let mut all = Vec::new();
    while set != 0 {
        all.push(Card::at(set.trailing_zeros()).to_string());
        set &= set - 1;
    }
    all.join(" ")
}

/// A state as text; a card of the stock in an unknown place is `?`, and a bar stands before the card
/// that has so many before it where `bar` says so.
pub(super) fn text_of(
    state: &State,
    columns: usize,
    unknown: u32,
    bar: impl Fn(u32) -> bool,
) -> String {
    let home = |suit: Suit| match state.core.home[suit.index()] {
        0 => format!("{}-0", suit.letter()),
        count => format!("{}-{}", suit.letter(), rank_text(count)),
    };
    let foundations: Vec<_> = Suit::ALL.into_iter().map(home).collect();
    let (mut stock, mut before) = (Vec::new(), 0);
    for (slot, &card) in state.layout.stock.iter().enumerate() {
        if state.core.stock >> slot & 1 != 0 {
            stock.extend(bar(before).then(|| "|".to_owned()));
            before += 1;
            let card = Card::at(u32::from(card));
            let reached = state.reach & card.mask() != 0;
            stock.push(match (unknown >> slot & 1 != 0, reached) {
                (true, _) => "?".to_owned(),
                (false, true) => format!("[{card}]"),
                (false, false) => card.to_string(),
            });
        }
    }
    let column = |(pile, &count): (&[u8; 8], &u8)| match count {
        0 => "-".to_owned(),
        _ => {
            let top = Card::at(u32::from(pile[usize::from(count) - 1]));
            format!("{}+{top}", count - 1)
        }
    };
    let piles = state.layout.pile.iter().zip(&state.core.counts);
    let columns: Vec<_> = piles.take(columns).map(column).collect();
    format!(
        "foundations {}\nstock {}\ncolumns {}\nruns {}",
        foundations.join(" "),
        stock.join(" "),
        columns.join(" "),
        cards(state.core.visible & !state.core.locked)
    )
}

impl Text for Klondike {
    /// Foundations, what is left of the stock in the order of turning (cards within reach in
    /// brackets), the locked cards of the columns with the number of face-down cards below them,
    /// and the other face-up cards, which may lie on any card on which they fit.
    fn state_text(&self, state: &State) -> String {
        text_of(state, self.rules.columns(), 0, |_| false)
    }

    /// The card and where it goes: `7H-f` home from a column, `s7H-f` home from the stock, `7H-c`
    /// to another column, `s7H-c` from the stock, `f7H-c` back from its foundation.
    fn action_text(&self, _state: &State, action: Action) -> String {
        let card = action.card;
        match action.kind {
            Kind::ColumnToFoundation => format!("{card}-f"),
            Kind::StockToFoundation => format!("s{card}-f"),
            Kind::ColumnToColumn => format!("{card}-c"),
            Kind::StockToColumn => format!("s{card}-c"),
            Kind::FoundationToColumn => format!("f{card}-c"),
        }
    }
}
