//! Golf: seven columns of five cards, a stock of sixteen and one card turned. The last card of a column
//! goes onto the waste if its rank is one above or below that of the card there; a card of the stock
//! can be turned onto it at any time. The game is won when the columns are empty.
//!
//! The order of the stock is hidden. Ace and king are no neighbours; in the strict game nothing goes onto
//! a king.

mod encoded;
mod entry;
mod validator;

use patience_model::{Game, Hidden, Keyed, Label, Pile, PileKind, Rng, Scene, Shown, Step, Text};

pub use entry::entry;
pub use validator::{Replayed, replay};

use crate::cards::{Card, chain};

/// How many columns there are.
pub const COLUMNS: usize = 7;
/// How many cards a column has at the start.
pub const DEPTH: usize = 5;
/// How many cards the stock has at the start.
pub const STOCK: usize = 52 - COLUMNS * DEPTH - 1;

/// The rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Golf {
    /// Whether nothing goes onto a king.
    pub strict: bool,
}

/// A game in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The columns, each from its first card on; only the first so many as in `left` are there.
    columns: [[Card; DEPTH]; COLUMNS],
    left: [u8; COLUMNS],
    waste: Card,
    /// The stock, the next card last; only the first `stock_left` are there.
    stock: [Card; STOCK],
    stock_left: u8,
    /// Whether cards of the stock were dealt because the text of the position did not name them.
    guessed: bool,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The last card of a column, by its place from 0, goes onto the waste.
    Column(u8),
    /// The next card of the stock is turned onto the waste.
    Turn,
}

/// What can be wrong with the text of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A word is no card.
    #[error("line {0}: {1}")]
    Card(usize, crate::cards::NotACard),
    /// A card comes twice.
    #[error("line {0}: {1} is here for the second time")]
    Twice(usize, Card),
    /// A line is missing.
    #[error(
        "expected a line `waste:` with a card, and a line `stock:` with its cards or their number"
    )]
    Missing,
    /// A column or the stock is too long, or there are too many columns.
    #[error(
        "line {0}: there are {COLUMNS} columns of at most {DEPTH} cards and a stock of at most {STOCK}"
    )]
    TooMany(usize),
}

/// What the player knows: all but the order of the stock, whose cards are in the order of the deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known(State);

impl State {
    /// The cards of a column that are left.
    pub fn column(&self, column: usize) -> &[Card] {
        &self.columns[column][..usize::from(self.left[column])]
    }

    /// The stock, the next card last.
    pub fn stock(&self) -> &[Card] {
        &self.stock[..usize::from(self.stock_left)]
    }

    /// The card on the waste.
    pub fn waste(&self) -> Card {
        self.waste
    }

    fn of(columns: &[Vec<Card>; COLUMNS], waste: Card, stock: &[Card]) -> Self {
        let mut state = State {
            columns: [[waste; DEPTH]; COLUMNS],
            left: [0; COLUMNS],
            waste,
            stock: [waste; STOCK],
            stock_left: stock.len() as u8,
            guessed: false,
        };
        state.stock[..stock.len()].copy_from_slice(stock);
        for (place, column) in columns.iter().enumerate() {
            state.columns[place][..column.len()].copy_from_slice(column);
            state.left[place] = column.len() as u8;
        }
        state
    }
}

impl Golf {
    /// Whether some cards can surely not leave the columns, because too few cards are neighbours of
    /// theirs.
    pub fn is_dead_end(&self, state: &State) -> bool {
        let mut above = chain::NONE;
        (0..COLUMNS).for_each(|column| chain::count(state.column(column), &mut above));
        let mut below = above;
        chain::count(state.stock().iter().chain([&state.waste]), &mut below);
        if self.strict {
            below[12] = 0;
        }
        !chain::can_lie(&above, &below, false)
    }

    /// That every card is known, or the reason why not.
    ///
    /// # Errors
    /// If the text of the position did not name the cards of the stock.
    pub fn check_known(&self, state: &State) -> Result<(), String> {
        match state.guessed {
            true => Err("the cards of the stock must be named here, not only counted".to_owned()),
            false => Ok(()),
        }
    }

    /// Whether the columns are empty.
    pub fn is_won(&self, state: &State) -> bool {
        state.left == [0; COLUMNS]
    }

    /// A position from its text: `waste:` and a card, `stock:` and its cards, the next one last, or how
    /// many there are, then a line for each column. Cards of the stock that are not named are dealt:
    /// always in the same order.
    ///
    /// # Errors
    /// Says in which line it is wrong.
    pub fn read(&self, text: &str) -> Result<State, ReadError> {
        let mut columns: [Vec<Card>; COLUMNS] = std::array::from_fn(|_| Vec::new());
        let (mut seen, mut waste, mut stock, mut unknown) = (Vec::new(), None, None, 0);
        let mut column = 0;
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let (name, rest) = line.trim().split_once(':').unwrap_or(("", line.trim()));
            let mut cards = Vec::new();
            for word in rest.split_whitespace().filter(|word| *word != ".") {
                if name == "stock"
                    && let Ok(count) = word.parse::<usize>()
                {
                    unknown = count;
                    continue;
                }
                let card: Card = word.parse().map_err(|error| ReadError::Card(number, error))?;
                if seen.contains(&card) {
                    return Err(ReadError::Twice(number, card));
                }
                seen.push(card);
                cards.push(card);
            }
            match (name, cards.as_slice()) {
                ("waste", &[card]) => waste = Some(card),
                ("stock", _) if cards.len() + unknown <= STOCK => stock = Some(cards),
                ("", _) if column < COLUMNS && cards.len() <= DEPTH => {
                    columns[column] = cards;
                    column += 1;
                }
                ("waste", _) => return Err(ReadError::Missing),
                _ => return Err(ReadError::TooMany(number)),
            }
        }
        let (Some(waste), Some(mut stock)) = (waste, stock) else { return Err(ReadError::Missing) };
        let mut others: Vec<Card> =
            (0..52).map(Card::from_index).filter(|card| !seen.contains(card)).collect();
        Rng::named(0, &["golf", "unknown"]).shuffle(&mut others);
        stock.extend(others.into_iter().take(unknown));
        Ok(State { guessed: unknown > 0, ..State::of(&columns, waste, &stock) })
    }

    fn goes_onto(&self, card: Card, waste: Card) -> bool {
        card.rank().abs_diff(waste.rank()) == 1 && !(self.strict && waste.rank() == 13)
    }
}

impl Game for Golf {
    type State = State;
    type Action = Move;
    /// The card that was turned.
    type Obs = Option<Card>;

    fn start(&self, rng: &mut Rng) -> State {
        let mut deck: Vec<Card> = (0..52).map(Card::from_index).collect();
        rng.shuffle(&mut deck);
        let columns = std::array::from_fn(|column| deck[column * DEPTH..][..DEPTH].to_vec());
        let rest = &deck[COLUMNS * DEPTH..];
        State::of(&columns, rest[STOCK], &rest[..STOCK])
    }

    fn actions(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        if self.is_won(state) {
            return;
        }
        for column in 0..COLUMNS {
            if state.column(column).last().is_some_and(|&card| self.goes_onto(card, state.waste)) {
                out.push(Move::Column(column as u8));
            }
        }
        if state.stock_left > 0 {
            out.push(Move::Turn);
        }
    }

    fn step(&self, state: &mut State, action: Move, _rng: &mut Rng) -> Step<Option<Card>> {
        // From the first move on the cards lie as they were dealt.
        state.guessed = false;
        match action {
            Move::Column(column) => {
                let column = usize::from(column);
                state.left[column] -= 1;
                state.waste = state.columns[column][usize::from(state.left[column])];
                Step { reward: 1.0, obs: None }
            }
            Move::Turn => {
                state.stock_left -= 1;
                state.waste = state.stock[usize::from(state.stock_left)];
                Step { reward: 0.0, obs: Some(state.waste) }
            }
        }
    }
}

/// The ranks in columns, stock and waste; suits make no difference.
impl Keyed for Golf {
    type Key = [u8; 52];

    fn key(&self, state: &State) -> [u8; 52] {
        let mut key = [0; 52];
        for column in 0..COLUMNS {
            for (part, card) in key[column * DEPTH..].iter_mut().zip(state.column(column)) {
                *part = card.rank();
            }
        }
        for (part, card) in key[COLUMNS * DEPTH..].iter_mut().zip(state.stock()) {
            *part = card.rank();
        }
        key[51] = state.waste.rank();
        key
    }
}

impl Hidden for Golf {
    type Known = Known;

    fn known(&self, state: &State) -> Known {
        let columns = std::array::from_fn(|column| state.column(column).to_vec());
        let mut stock = state.stock().to_vec();
        stock.sort();
        Known(State::of(&columns, state.waste, &stock))
    }

    fn draw(&self, known: &Known, rng: &mut Rng) -> State {
        let Known(known) = known;
        let mut stock = known.stock().to_vec();
        rng.shuffle(&mut stock);
        let columns = std::array::from_fn(|column| known.column(column).to_vec());
        State::of(&columns, known.waste, &stock)
    }
}

impl Text for Golf {
    /// Of the stock only how many cards it has.
    fn state_text(&self, state: &State) -> String {
        self.written(state, &state.stock_left.to_string())
    }

    /// The number of the column, from 1, or `turn`.
    fn action_text(&self, _state: &State, action: Move) -> String {
        match action {
            Move::Column(column) => (column + 1).to_string(),
            Move::Turn => "turn".to_owned(),
        }
    }
}

impl Golf {
    /// The text of a position with all cards of the stock that are known.
    pub fn whole_text(&self, state: &State) -> String {
        if state.guessed {
            return self.state_text(state);
        }
        let stock: Vec<String> = state.stock().iter().map(Card::to_string).collect();
        self.written(state, &stock.join(" "))
    }

    fn written(&self, state: &State, stock: &str) -> String {
        let mut text = format!("waste: {}\nstock: {stock}\n", state.waste);
        for column in 0..COLUMNS {
            let cards: Vec<String> = state.column(column).iter().map(Card::to_string).collect();
            text += if cards.is_empty() { "." } else { "" };
            text += &(cards.join(" ") + "\n");
        }
        text
    }
}

impl Shown for Golf {
    fn title(&self) -> String {
        if self.strict { "Golf, nothing onto kings" } else { "Golf" }.to_owned()
    }

    fn scene(&self, state: &State) -> Scene {
        let stock = vec![Pile::HIDDEN.to_owned(); usize::from(state.stock_left)];
        let mut piles = vec![
            Pile::new("stock", PileKind::Stock, "stock", stock),
            Pile::new("waste", PileKind::Waste, "waste", vec![state.waste.to_string()]),
        ];
        for column in 0..COLUMNS {
            let cards = state.column(column).iter().map(Card::to_string).collect();
            let (id, name) = (format!("c{}", column + 1), format!("column {}", column + 1));
            piles.push(Pile::new(id, PileKind::Column, name, cards));
        }
        Scene::Cards { piles }
    }

    fn label(&self, state: &State, action: Move) -> Label {
        match action {
            Move::Turn => Label::cards("turn the stock", "stock", "waste", 1),
            Move::Column(column) => {
                let card = state.column(usize::from(column)).last();
                let called = card.map_or("the card".to_owned(), |card| card.words());
                let label = format!("{called} from column {}", column + 1);
                Label::cards(label, format!("c{}", column + 1), "waste", 1)
            }
        }
    }

    fn won(&self, state: &State) -> bool {
        self.is_won(state)
    }

    /// Cards that have left the columns.
    fn score(&self, state: &State, _result: f64) -> f64 {
        let left: u32 = state.left.iter().map(|&left| u32::from(left)).sum();
        (COLUMNS * DEPTH) as f64 - f64::from(left)
    }
}
