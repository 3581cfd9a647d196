//! Deals: an order of the pack, by number, by seed or as dealt.

use patience_model::Rng;

use super::number::{DealNumber, NumberError};
use super::{Card, Rules, Suit};

/// The cards in the order in which they are dealt.
///
/// Cards go row by row onto the columns, the first card of the pack face up on column 1, the next
/// face down on column 2 …, then the second row from column 2, and so on; what is left is the
/// stock, of which the first card is turned first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deal {
    cards: Vec<Card>,
}

impl Deal {
    /// The deal of a canonical number.
    ///
    /// The number's digits in the factorial base choose, one after the other, a card among those
    /// not yet dealt, which are kept in the order of [`Card::number`]. Deal 0 is the pack in order.
    pub fn numbered(number: DealNumber) -> Deal {
        let mut rest: Vec<Card> = Card::all().collect();
        let digits = number.factorial_digits();
        Deal { cards: digits.iter().map(|&d| rest.remove(usize::from(d))).collect() }
    }

    /// The canonical number; `None` for a short pack.
    pub fn number(&self) -> Option<DealNumber> {
        let cards: &[Card; 52] = self.cards.as_slice().try_into().ok()?;
        let digits = std::array::from_fn(|i| {
            cards[i + 1..].iter().filter(|c| c.number() < cards[i].number()).count() as u8
        });
        Some(DealNumber::from_factorial_digits(&digits))
    }

    /// The deal of a seed, for these rules: the pack in order, shuffled by the stream named
    /// ("klondike", "deal") of that seed. Every deal is alike; the values never change.
    pub fn seeded(rules: &Rules, seed: u64) -> Deal {
        Deal::shuffled(rules, &mut Rng::named(seed, &["klondike", "deal"]))
    }

    /// The deal of a number of the web site Greenfelt, from 1 to 2³¹ − 2.
    ///
    /// Its generator is that of Lehmer with the factor 16807 modulo 2³¹ − 1, begun with the number. The
    /// pack lies in the order of clubs, diamonds, hearts and spades, each from the ace to the king; seven
    /// times every card in its turn changes places with the one that the generator names (modulo 52). Cards
    /// are dealt from the end. A test replays a published solution of the site.
    pub fn greenfelt(number: u32) -> Deal {
        let mut cards: Vec<Card> = Suit::ALL
            .into_iter()
            .flat_map(|suit| (1..=13).filter_map(move |rank| Card::new(rank, suit)))
            .collect();
        let mut state = u64::from(number);
        for _ in 0..7 {
            for place in 0..cards.len() {
                state = state * 16_807 % 0x7fff_ffff;
                cards.swap(place, (state % 52) as usize);
            }
        }
        cards.reverse();
        Deal { cards }
    }

    /// The deal of a name: a canonical number such as `7`, a seed such as `seed:7`, or a number of
    /// Greenfelt such as `greenfelt:7`.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn named(rules: &Rules, name: &str) -> Result<Deal, NumberError> {
        let name = name.trim();
        let short = || name.chars().take(80).collect();
        if let Some(number) = name.strip_prefix("greenfelt:") {
            let number = number.trim().parse().ok().filter(|n| (1..0x7fff_ffff).contains(n));
            let whole = rules.pack_size() == 52;
            let number = number.filter(|_| whole);
            return number.map(Deal::greenfelt).ok_or_else(|| NumberError::NotOfGreenfelt(short()));
        }
        match name.strip_prefix("seed:") {
            Some(seed) => {
                let seed = seed.trim().parse();
                let seed = seed.map_err(|_| NumberError::NotASeed(short()));
                Ok(Deal::seeded(rules, seed?))
            }
            None => Ok(Deal::numbered(name.parse()?)),
        }
    }

    /// A deal drawn from a stream.
    pub fn shuffled(rules: &Rules, rng: &mut Rng) -> Deal {
        let mut cards: Vec<Card> = rules.pack().collect();
        rng.shuffle(&mut cards);
        Deal { cards }
    }

    /// A deal of these cards, whatever they are: [`Position::check`](super::Position::check) tells
    /// whether they make a pack.
    pub fn from_cards(cards: Vec<Card>) -> Deal {
        Deal { cards }
    }

    /// The cards in the order in which they are dealt.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }
}
