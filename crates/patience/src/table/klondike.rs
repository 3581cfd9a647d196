//! Klondike on the table: every move of the obvious engine, turns of the stock included.

use patience_games::klondike::format::{self, Format};
use patience_games::klondike::{Card, Deal, Move, Position, Rules, Suit, View};
use patience_model::Rng;

use super::cards::{HIDDEN, home, words};
use super::view::{Pile, PileKind, Scene, Standing, TableMove};
use super::{Measure, Seat, Setup, TableError};
use crate::call::Call;
use crate::registry::{AnyGame, AnyState};

#[derive(Clone, Debug)]
pub(super) struct KlondikeSeat {
    game: AnyGame,
    pub(super) rules: Rules,
    vegas: bool,
    /// The true cards: only the solver that proves, and the rules, look at what lies face down.
    pub(super) position: Position,
}

/// The planner whose tree is shown: the strongest one keeps classes of positions in its own.
const TREE: &str = "uct(c=1, eval=uniform)";

impl KlondikeSeat {
    pub(super) fn new(game: AnyGame, call: &Call, setup: &Setup) -> Result<Self, TableError> {
        let rules = rules(call)?;
        let position = match &setup.position {
            Some(text) => read(&rules, text)?,
            None => {
                let name = setup.deal.as_deref().unwrap_or("seed:1").trim();
                let deal = Deal::named(&rules, name);
                Position::deal(&rules, &deal.map_err(|e| TableError::Setup(e.to_string()))?)
            }
        };
        let vegas = call.value("scoring") == Some("vegas");
        Ok(KlondikeSeat { game, rules, vegas, position })
    }

    /// Whether planners have the paper's action space, in which turning the stock is no move.
    fn is_papers(&self) -> bool {
        self.rules.redeals().is_none() && self.rules.view() == View::Plus && !self.vegas
    }

    fn column(&self, column: u8, count: usize) -> Option<Card> {
        let up = &self.position.columns[usize::from(column)].up;
        up.len().checked_sub(count).and_then(|i| up.get(i)).copied()
    }

    fn described(&self, m: Move) -> TableMove {
        let pile = |column: u8| format!("c{}", column + 1);
        let foundation = |card: Option<Card>| card.map(|c| format!("f{}", c.suit().letter()));
        let called = |card: Option<Card>| {
            card.map_or("the card".to_owned(), |c| words(c.rank(), c.suit().letter()))
        };
        let waste = self.position.waste.last().copied();
        let (from, to, count, label) = match m {
            Move::Turn => {
                let count = self.position.stock.len().min(usize::from(self.rules.draws()));
                (Some("stock".into()), Some("waste".into()), count, "turn the stock".to_owned())
            }
            Move::Redeal => {
                let count = self.position.waste.len();
                let label = "turn the waste over".to_owned();
                (Some("waste".into()), Some("stock".into()), count, label)
            }
            Move::WasteToFoundation => {
                let label = format!("{} home from the waste", called(waste));
                (Some("waste".into()), foundation(waste), 1, label)
            }
            Move::WasteToColumn(to) => {
                let label = format!("{} from the waste to column {}", called(waste), to + 1);
                (Some("waste".into()), Some(pile(to)), 1, label)
            }
            Move::ColumnToFoundation(from) => {
                let card = self.column(from, 1);
                let label = format!("{} home from column {}", called(card), from + 1);
                (Some(pile(from)), foundation(card), 1, label)
            }
            Move::ColumnToColumn { from, to, count } => {
                let count = usize::from(count);
                let card = called(self.column(from, count));
                let more =
                    if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
                let label = format!("{card}{more} from column {} to column {}", from + 1, to + 1);
                (Some(pile(from)), Some(pile(to)), count, label)
            }
            Move::FoundationToColumn { suit, to } => {
                let card = called(Card::new(self.position.foundations[suit as usize], suit));
                let label = format!("{card} back to column {}", to + 1);
                (Some(format!("f{}", suit.letter())), Some(pile(to)), 1, label)
            }
        };
        TableMove { name: m.to_string(), label, from, to, count, ..TableMove::default() }
    }
}

/// The rules of the string's parameters, which the registry has judged before.
fn rules(call: &Call) -> Result<Rules, TableError> {
    let number = |key| call.value(key).and_then(|text| text.parse::<u32>().ok());
    let rules = Rules::draw(number("draw").unwrap_or(3));
    let rules = rules.map_err(|error| TableError::Setup(error.to_string()))?;
    let strict = call.value("view") == Some("strict");
    let view = if strict { View::Strict } else { View::Plus };
    Ok(rules.with_redeals(number("redeals")).with_view(view))
}

/// A position from text. Who does not know a face-down card cannot turn it up, so unknown ones are
/// dealt: each order alike, and the same order every time.
fn read(rules: &Rules, text: &str) -> Result<Position, TableError> {
    let wrong = |error: &dyn std::fmt::Display| TableError::Setup(error.to_string());
    let mut position = format::read(rules, text).map_err(|error| wrong(&error))?;
    let mut unseen = position.unseen(rules);
    Rng::named(0, &["table", "unknown"]).shuffle(&mut unseen);
    let down = position.columns.iter_mut().flat_map(|column| column.down.iter_mut());
    for place in down.chain(position.stock.iter_mut()).filter(|place| place.is_none()) {
        *place = unseen.pop();
    }
    position.check(rules).map_err(|error| wrong(&error))?;
    position.check_known().map_err(|error| wrong(&error))?;
    Ok(position)
}

impl Seat for KlondikeSeat {
    fn copy(&self) -> Box<dyn Seat> {
        Box::new(self.clone())
    }

    fn title(&self) -> String {
        match self.rules.draws() {
            1 => "Klondike, one card at a time".to_owned(),
            2 => "Klondike, two cards at a time".to_owned(),
            _ => "Klondike, three cards at a time".to_owned(),
        }
    }

    fn legal(&self) -> Vec<TableMove> {
        self.rules.moves(&self.position).into_iter().map(|m| self.described(m)).collect()
    }

    fn play(&mut self, name: &str) -> Result<(), String> {
        let m: Move =
            name.parse().map_err(|error: patience_games::klondike::MoveError| error.to_string())?;
        self.rules.play(&mut self.position, m).map_err(|error| error.to_string())
    }

    fn scene(&self) -> Scene {
        let Position { columns, stock, waste, foundations, .. } = &self.position;
        let pile = |id: &str, kind, name: &str, cards| Pile {
            id: id.to_owned(),
            kind,
            name: name.to_owned(),
            cards,
        };
        let hidden = |count: usize| vec![HIDDEN.to_owned(); count];
        let mut piles = vec![
            pile("stock", PileKind::Stock, "stock", hidden(stock.len())),
            pile("waste", PileKind::Waste, "waste", waste.iter().map(Card::to_string).collect()),
        ];
        for suit in Suit::ALL {
            let letter = suit.letter();
            let cards = home(foundations[suit as usize], letter);
            let name = format!("foundation of {suit:?}").to_lowercase();
            piles.push(pile(&format!("f{letter}"), PileKind::Foundation, &name, cards));
        }
        for (number, column) in (1..).zip(columns) {
            let mut cards = hidden(column.down.len());
            cards.extend(column.up.iter().map(Card::to_string));
            let (id, name) = (format!("c{number}"), format!("column {number}"));
            piles.push(pile(&id, PileKind::Column, &name, cards));
        }
        Scene::Cards { piles }
    }

    fn standing(&self) -> Standing {
        if self.position.is_won(&self.rules) {
            Standing::Won
        } else if self.rules.moves(&self.position).is_empty() {
            Standing::Over
        } else {
            Standing::Open
        }
    }

    fn score(&self) -> Option<f64> {
        if self.vegas {
            return Some(f64::from(self.position.vegas(&self.rules)));
        }
        Some(f64::from(self.position.foundations.iter().map(|&n| u32::from(n)).sum::<u32>()))
    }

    fn text(&self) -> String {
        Format::Pysol.write(&self.position.seen(self.rules.view())).unwrap_or_default()
    }

    fn planner(&self) -> String {
        self.game.planner().to_owned()
    }

    fn tree_planner(&self) -> String {
        if self.is_papers() { TREE.to_owned() } else { self.planner() }
    }

    fn measure(&self) -> Measure {
        if self.vegas { Measure::Score } else { Measure::WinProbability }
    }

    fn thought(&self) -> Result<AnyState, String> {
        self.game.read(&self.text(), 0)
    }

    fn way(&self, action: &str) -> Vec<String> {
        if action.parse::<Move>().is_ok() {
            return vec![action.to_owned()];
        }
        let way = patience_games::klondike::way(&self.rules, &self.position, action);
        way.map(|moves| moves.iter().map(Move::to_string).collect()).unwrap_or_default()
    }

    /// Where cards lie, but not how the stock is turned: turning it is no progress.
    fn place(&self) -> Option<String> {
        let Position { columns, stock, waste, foundations, .. } = &self.position;
        let mut columns: Vec<_> = columns.iter().map(|c| (c.down.len(), c.up.clone())).collect();
        columns.sort();
        let mut turned = String::new();
        if !self.is_papers() {
            // Turning is a move of its own there: it may be all that there is to do.
            let redeals = self.position.redeals;
            let redeals = self.rules.redeals().map_or(redeals.min(1), |_| redeals);
            turned = format!("{} {redeals}", waste.len());
        }
        Some(format!("{columns:?} {foundations:?} {} {turned}", stock.len() + waste.len()))
    }

    fn klondike(&self) -> Option<&KlondikeSeat> {
        Some(self)
    }
}
