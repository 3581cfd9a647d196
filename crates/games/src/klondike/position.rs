//! Positions, at the start or in the middle of a game, with piles as plain vectors.

use patience_model::Rng;

use super::error::{Place, PositionError};
use super::{Card, Deal, Rules, Suit, View};

/// One column of the tableau, from the bottom to the top.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Column {
    /// Face-down cards; `None` is one that nobody has seen.
    pub down: Vec<Option<Card>>,
    /// Face-up cards, which build down in alternating colours.
    pub up: Vec<Card>,
}

impl Column {
    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.down.is_empty() && self.up.is_empty()
    }
}

/// All piles. The last card of a pile is its top: the next one to be turned or played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// The tableau.
    pub columns: Vec<Column>,
    /// The stock; `None` is a card that nobody has seen.
    pub stock: Vec<Option<Card>>,
    /// The turned cards of the stock.
    pub waste: Vec<Card>,
    /// How many cards are on each foundation, in the order of [`Suit::ALL`].
    pub foundations: [u8; 4],
    /// How often the waste was turned over so far.
    pub redeals: u32,
}

impl Position {
    /// A deal laid out.
    pub fn deal(rules: &Rules, deal: &Deal) -> Position {
        Position::lay_out(rules, deal.cards().iter().map(|&c| Some(c)))
    }

    /// Cards laid out in the order in which they are dealt; `None` is an unknown card, and is left
    /// out where it would lie face up.
    pub(super) fn lay_out(rules: &Rules, cards: impl Iterator<Item = Option<Card>>) -> Position {
        let columns = rules.columns();
        let mut position =
            Position { columns: vec![Column::default(); columns], ..Position::default() };
        let mut cards = cards;
        for row in 0..columns {
            for column in row..columns {
                let Some(card) = cards.next() else { return position };
                let place = &mut position.columns[column];
                if row == column {
                    place.up.extend(card);
                } else {
                    place.down.push(card);
                }
            }
        }
        position.stock = cards.collect();
        position.stock.reverse();
        position
    }

    /// Whether this is how a game starts: nothing turned or played yet.
    pub fn is_start(&self) -> bool {
        self.waste.is_empty()
            && self.foundations == [0; 4]
            && self.redeals == 0
            && self.columns.iter().enumerate().all(|(i, c)| c.down.len() == i && c.up.len() == 1)
    }

    /// Whether all cards are on the foundations.
    pub fn is_won(&self, rules: &Rules) -> bool {
        self.foundations.iter().all(|&n| n >= rules.ranks())
    }

    /// The cards in the order in which they were dealt; `None` if this is not a start or a card is
    /// unknown.
    pub fn to_deal(&self) -> Option<Deal> {
        let cards: Option<Vec<Card>> = self.dealt()?.into_iter().collect();
        cards.map(Deal::from_cards)
    }

    /// The cards of a start in the order in which they were dealt.
    pub(super) fn dealt(&self) -> Option<Vec<Option<Card>>> {
        if !self.is_start() {
            return None;
        }
        let rows = self.columns.len();
        let tableau = (0..rows).flat_map(|row| {
            self.columns[row..].iter().map(move |column| match column.down.get(row) {
                Some(&card) => card,
                None => column.up.first().copied(),
            })
        });
        Some(tableau.chain(self.stock.iter().rev().copied()).collect())
    }

    /// The same as a player sees it: face-down cards are unknown, and with the strict view the
    /// stock's too, as long as it was never turned over.
    pub fn seen(&self, view: View) -> Position {
        let mut seen = self.clone();
        for column in &mut seen.columns {
            column.down.fill(None);
        }
        if view == View::Strict && self.redeals == 0 {
            seen.stock.fill(None);
        }
        seen
    }

    /// The cards that lie somewhere, with their places; unknown ones too.
    pub fn cards(&self) -> Vec<(Option<Card>, Place)> {
        let mut all = Vec::new();
        for (number, column) in self.columns.iter().enumerate() {
            let up = column.up.iter().map(|&c| Some(c));
            for (depth, card) in column.down.iter().copied().chain(up).enumerate() {
                all.push((card, Place::Column { column: number + 1, card: depth + 1 }));
            }
        }
        let stock = self.stock.iter().rev().enumerate();
        all.extend(stock.map(|(i, &card)| (card, Place::Stock(i + 1))));
        all.extend(self.waste.iter().enumerate().map(|(i, &c)| (Some(c), Place::Waste(i + 1))));
        for (suit, &count) in Suit::ALL.iter().zip(&self.foundations) {
            let cards = (1..=count).map(|rank| (Card::new(rank, *suit), Place::Foundation(*suit)));
            all.extend(cards);
        }
        all
    }

    /// The pack's cards that lie nowhere: as many as there are unknown ones.
    pub fn unseen(&self, rules: &Rules) -> Vec<Card> {
        let seen: Vec<Card> = self.cards().into_iter().filter_map(|(card, _)| card).collect();
        rules.pack().filter(|card| !seen.contains(card)).collect()
    }

    /// The same with every unknown card drawn, each order alike.
    pub fn filled(&self, rules: &Rules, rng: &mut Rng) -> Position {
        let mut filled = self.clone();
        let mut unseen = self.unseen(rules);
        rng.shuffle(&mut unseen);
        let down = filled.columns.iter_mut().flat_map(|column| &mut column.down);
        for card in down.chain(&mut filled.stock).filter(|card| card.is_none()) {
            *card = unseen.pop();
        }
        filled
    }

    /// How many cards are on the foundations.
    pub fn home(&self) -> u32 {
        self.foundations.iter().map(|&count| u32::from(count)).sum()
    }

    /// How many cards of the columns lie face down.
    pub fn face_down(&self) -> usize {
        self.columns.iter().map(|column| column.down.len()).sum()
    }

    /// Whether this can be a position of a game by these rules.
    ///
    /// # Errors
    /// The first fault: a card that is there twice, is missing or not in the pack, face-up cards
    /// that do not build down, too many columns, cards or redeals.
    pub fn check(&self, rules: &Rules) -> Result<(), PositionError> {
        if self.columns.len() != rules.columns() {
            return Err(PositionError::Columns {
                found: self.columns.len(),
                expected: rules.columns(),
            });
        }
        for (suit, &count) in Suit::ALL.iter().zip(&self.foundations) {
            if count > rules.ranks() {
                return Err(PositionError::Foundation { suit: *suit, count });
            }
        }
        self.check_cards(rules)?;
        for (number, column) in self.columns.iter().enumerate() {
            let place = |card| Place::Column { column: number + 1, card };
            if column.up.is_empty() && !column.down.is_empty() {
                return Err(PositionError::NothingFaceUp { column: number + 1 });
            }
            if column.down.len() > number {
                let (count, most) = (column.down.len(), number);
                return Err(PositionError::TooManyFaceDown { column: number + 1, count, most });
            }
            for (i, pair) in column.up.windows(2).enumerate() {
                if !pair[1].fits_on(pair[0]) {
                    return Err(PositionError::DoesNotBuild {
                        card: pair[1],
                        on: pair[0],
                        place: place(column.down.len() + i + 2),
                    });
                }
            }
        }
        let talon = self.stock.len() + self.waste.len();
        let most = rules.pack_size() - rules.columns() * (rules.columns() + 1) / 2;
        if talon > most {
            return Err(PositionError::TooManyInStock { count: talon, most });
        }
        match rules.redeals() {
            Some(most) if self.redeals > most => {
                Err(PositionError::TooManyRedeals { count: self.redeals, most })
            }
            _ => Ok(()),
        }
    }

    /// The cards and unknown cards make one pack.
    fn check_cards(&self, rules: &Rules) -> Result<(), PositionError> {
        let cards = self.cards();
        let mut first: [Option<Place>; 52] = [None; 52];
        for &(card, place) in &cards {
            let Some(card) = card else { continue };
            if card.rank() > rules.ranks() {
                return Err(PositionError::NotInThePack { card, place });
            }
            let slot = &mut first[usize::from(card.number())];
            if let Some(first) = *slot {
                return Err(PositionError::Twice { card, first, second: place });
            }
            *slot = Some(place);
        }
        let unknown = cards.iter().filter(|(card, _)| card.is_none()).count();
        let missing = self.unseen(rules);
        if missing.len() != unknown {
            return Err(PositionError::Missing { missing, unknown });
        }
        Ok(())
    }

    /// That every card is known.
    ///
    /// # Errors
    /// The place of the first unknown card.
    pub fn check_known(&self) -> Result<(), PositionError> {
        match self.cards().iter().find(|(card, _)| card.is_none()) {
            Some(&(_, place)) => Err(PositionError::Unknown { place }),
            None => Ok(()),
        }
    }

    /// The Las Vegas score: the pack is bought for one a card, each card on a foundation pays
    /// five.
    pub fn vegas(&self, rules: &Rules) -> i32 {
        5 * self.home() as i32 - rules.pack_size() as i32
    }
}
