//! Klondike as it lies on the table, for people: every move of the obvious engine, turns of the stock
//! included.

use std::borrow::Cow;

use patience_model::{Game, Label, Pile, PileKind, Rng, Scene, Shown, Step, Text};

use super::format::{self, Format};
use super::scoring::seen_text;
use super::{
    Card, Deal, Move, NumberError, Position, PositionError, Rules, Scoring, Seen, Suit, View,
};
use crate::cards::{SUITS, and_more, gathered, words};

/// The game on the table. Its state holds the true cards; what it shows is what the player may know.
///
/// Planners think about [`Klondike`](super::Klondike) or, where turning the stock is a decision, about
/// [`StockKlondike`](super::StockKlondike); [`lift`](KlondikeTable::lift),
/// [`lift_stock`](KlondikeTable::lift_stock) and [`lower`](KlondikeTable::lower) translate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KlondikeTable {
    rules: Rules,
    scoring: Scoring,
}

impl KlondikeTable {
    /// The table of a game.
    pub fn new(rules: Rules, scoring: Scoring) -> KlondikeTable {
        KlondikeTable { rules, scoring }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What a game is worth.
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// Whether the rules are those of the paper, in whose action space turning the stock is no move.
    pub fn has_paper_rules(&self) -> bool {
        self.rules.redeals().is_none()
            && self.rules.view() == View::Plus
            && self.scoring == Scoring::Win
    }

    /// The deal of a name: a canonical number such as `7`, or a seed such as `seed:7`.
    ///
    /// # Errors
    /// If it is neither.
    pub fn deal(&self, name: &str) -> Result<Position, NumberError> {
        Ok(Position::deal(&self.rules, &Deal::named(&self.rules, name)?))
    }

    /// A position from text; what it leaves open is unknown.
    ///
    /// # Errors
    /// If the text is no position by these rules.
    pub fn read(&self, text: &str) -> Result<Position, PositionError> {
        format::read(&self.rules, text)
    }

    /// The same to be played: nobody can turn up a card that is unknown, so those are dealt, each order
    /// alike, and the same order every time.
    pub(super) fn dealt<'p>(&self, position: &'p Position) -> Cow<'p, Position> {
        match position.check_known() {
            Ok(()) => Cow::Borrowed(position),
            Err(_) => {
                let mut rng = Rng::named(0, &["table", "unknown"]);
                Cow::Owned(position.filled(&self.rules, &mut rng))
            }
        }
    }
}

impl Game for KlondikeTable {
    type State = Position;
    type Action = Move;
    type Obs = Seen;

    /// A deal at random.
    fn start(&self, rng: &mut Rng) -> Position {
        Position::deal(&self.rules, &Deal::shuffled(&self.rules, rng))
    }

    fn actions(&self, position: &Position, out: &mut Vec<Move>) {
        out.clear();
        if !position.is_won(&self.rules) {
            out.extend(self.rules.moves(&self.dealt(position)));
        }
    }

    fn step(&self, position: &mut Position, action: Move, _rng: &mut Rng) -> Step<Seen> {
        if let Cow::Owned(dealt) = self.dealt(position) {
            *position = dealt;
        }
        let first = position.is_start();
        self.scoring.play(&self.rules, position, action, first)
    }
}

impl Text for KlondikeTable {
    /// PySol's text, with unknown cards where the player does not see them.
    fn state_text(&self, position: &Position) -> String {
        Format::Pysol.write(&position.seen(self.rules.view())).unwrap_or_default()
    }

    fn action_text(&self, _position: &Position, action: Move) -> String {
        action.to_string()
    }

    fn obs_text(&self, _position: &Position, seen: Seen) -> String {
        seen_text(seen)
    }

    fn read_action(&self, position: &Position, text: &str) -> Result<Move, String> {
        let m: Move = text.trim().parse().map_err(|error: super::MoveError| error.to_string())?;
        if position.is_won(&self.rules) {
            return Err("the game is over".to_owned());
        }
        self.rules.check(&self.dealt(position), m).map_err(|reason| reason.to_string())?;
        Ok(m)
    }
}

fn called(card: Option<Card>) -> String {
    card.map_or("the card".to_owned(), |card| words(card.rank(), card.suit().letter()))
}

fn column(number: u8) -> String {
    format!("c{}", number + 1)
}

fn foundation(suit: Suit) -> String {
    format!("f{}", suit.letter())
}

/// The card of a column on which all but the last `count - 1` lie.
fn top(position: &Position, column: u8, count: usize) -> Option<Card> {
    let up = &position.columns.get(usize::from(column))?.up;
    up.get(up.len().checked_sub(count)?).copied()
}

/// Whether a card is of no more use in the columns: all that could be placed on it is home, or can go
/// home as soon as it is uncovered.
fn is_safe(position: &Position, card: Option<Card>) -> bool {
    card.is_some_and(|card| {
        Suit::ALL.into_iter().filter(|&other| other != card.suit()).all(|other| {
            let behind = if other.is_red() == card.suit().is_red() { 3 } else { 2 };
            position.foundations[other as usize] + behind >= card.rank()
        })
    })
}

impl Shown for KlondikeTable {
    fn title(&self) -> String {
        let count = ["one card", "two cards", "three cards"][usize::from(self.rules.draws() - 1)];
        format!("Klondike, {count} at a time")
    }

    fn scene(&self, position: &Position) -> Scene {
        let hidden = |count: usize| vec![Pile::HIDDEN.to_owned(); count];
        let cards = |up: &[Card]| up.iter().map(Card::to_string).collect::<Vec<_>>();
        let stock = hidden(position.stock.len());
        let mut piles = vec![
            Pile::new("stock", PileKind::Stock, "stock", stock),
            Pile::new("waste", PileKind::Waste, "waste", cards(&position.waste)),
        ];
        for ((letter, name), rank) in SUITS.into_iter().zip(position.foundations) {
            let (id, name) = (format!("f{letter}"), format!("foundation of {name}"));
            piles.push(Pile::new(id, PileKind::Foundation, name, gathered(rank, letter)));
        }
        for (number, column) in (1..).zip(&position.columns) {
            let mut all = hidden(column.down.len());
            all.extend(cards(&column.up));
            let (id, name) = (format!("c{number}"), format!("column {number}"));
            piles.push(Pile::new(id, PileKind::Column, name, all));
        }
        Scene::Cards { piles }
    }

    fn label(&self, position: &Position, m: Move) -> Label {
        let waste = position.waste.last().copied();
        // A legal move has its card.
        let home = |card: Option<Card>| card.map_or("home".to_owned(), |c| foundation(c.suit()));
        match m {
            Move::Turn => {
                let count = position.stock.len().min(usize::from(self.rules.draws()));
                Label::cards("turn the stock", "stock", "waste", count)
            }
            Move::Redeal => {
                Label::cards("turn the waste over", "waste", "stock", position.waste.len())
            }
            Move::WasteToFoundation => {
                let label = format!("{} home from the waste", called(waste));
                // Of three cards turned at a time the others come in another order without it.
                let safe = self.rules.draws() == 1 && is_safe(position, waste);
                Label::cards(label, "waste", home(waste), 1).safe(safe)
            }
            Move::WasteToColumn(to) => {
                let label = format!("{} from the waste to column {}", called(waste), to + 1);
                Label::cards(label, "waste", column(to), 1)
            }
            Move::ColumnToFoundation(from) => {
                let card = top(position, from, 1);
                let label = format!("{} home from column {}", called(card), from + 1);
                Label::cards(label, column(from), home(card), 1).safe(is_safe(position, card))
            }
            Move::ColumnToColumn { from, to, count } => {
                let count = usize::from(count);
                let cards = and_more(called(top(position, from, count)), count);
                let label = format!("{cards} from column {} to column {}", from + 1, to + 1);
                Label::cards(label, column(from), column(to), count)
            }
            Move::FoundationToColumn { suit, to } => {
                let card = Card::new(position.foundations[suit as usize], suit);
                let label = format!("{} back to column {}", called(card), to + 1);
                Label::cards(label, foundation(suit), column(to), 1)
            }
        }
    }

    fn won(&self, position: &Position) -> bool {
        position.is_won(&self.rules)
    }

    /// The Las Vegas score, or how many cards are home.
    fn score(&self, position: &Position, _result: f64) -> f64 {
        match self.scoring {
            Scoring::Vegas => f64::from(position.vegas(&self.rules)),
            Scoring::Win => f64::from(position.home()),
        }
    }

    /// Where cards lie, but not how the stock is turned: turning it is no progress.
    fn place(&self, position: &Position) -> Option<String> {
        let Position { columns, stock, waste, foundations, redeals } = position;
        let mut columns: Vec<_> = columns.iter().map(|c| (c.down.len(), &c.up)).collect();
        columns.sort();
        let mut turned = String::new();
        if self.rules.redeals().is_some() {
            // There turning is more than looking.
            turned = format!("{} {redeals}", waste.len());
        } else if self.rules.view() == View::Strict && *redeals == 0 {
            // Who has seen more of the stock is further on.
            turned = format!("{}", stock.len());
        }
        Some(format!("{columns:?} {foundations:?} {} {turned}", stock.len() + waste.len()))
    }
}
