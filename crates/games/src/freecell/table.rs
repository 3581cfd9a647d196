//! FreeCell as it lies on the table: columns and cells keep their places, and moves are those of
//! the validator.

use patience_model::{Game, Label, Pile, PileKind, Rng, Scene, Shown, Step as Outturn, Text};

use super::engine::{FreeCell, Move, State};
use super::{Board, Card, Metric, Place, Rules, Step, notation, validator};
use crate::cards::{SUITS, and_more, gathered, words};

/// The game on the table. People and solvers use its boards and steps, planners the states and
/// moves of the fast engine; [`lift`](FreeCellTable::lift) and [`lower`](FreeCellTable::lower)
/// translate.
#[derive(Clone, Debug)]
pub struct FreeCellTable {
    engine: FreeCell,
}

impl FreeCellTable {
    /// The table of a game.
    pub fn new(engine: FreeCell) -> Self {
        FreeCellTable { engine }
    }

    /// The fast engine.
    pub fn engine(&self) -> &FreeCell {
        &self.engine
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.engine.rules()
    }

    /// What one move is.
    pub fn metric(&self) -> Metric {
        self.engine.metric()
    }

    /// The deal of a number.
    ///
    /// # Errors
    /// If there is no such deal.
    pub fn deal(&self, number: &str) -> Result<Board, String> {
        let number = number.parse().map_err(|_| "a whole number is expected".to_owned())?;
        Board::deal(self.rules(), number).map_err(|error| error.to_string())
    }

    /// A board from its text.
    ///
    /// # Errors
    /// Says where the text is wrong.
    pub fn read(&self, text: &str) -> Result<Board, String> {
        Board::read(self.rules(), text).map_err(|error| error.to_string())
    }

    /// The state of the fast engine.
    pub fn lift(&self, board: &Board) -> State {
        State::of(board)
    }

    /// The step on the table for a move of the fast engine.
    pub fn lower(&self, board: &Board, m: Move) -> Step {
        self.engine.step_on(board, &State::of(board), m)
    }

    /// Every step that keeps to the rules, but only to the first free cell and the first empty
    /// column: the others are equivalent.
    pub(super) fn steps(&self, board: &Board) -> Vec<Step> {
        let cell = board.cells.iter().position(Option::is_none);
        let column = board.columns.iter().position(Vec::is_empty);
        let first = |step: &Step| match step.to {
            Place::Cell(n) => Some(usize::from(n)) == cell,
            Place::Column(n) if board.columns[usize::from(n)].is_empty() => {
                Some(usize::from(n)) == column
            }
            _ => true,
        };
        let mut steps = validator::steps(self.rules(), self.metric(), board);
        steps.retain(first);
        steps
    }
}

/// The deepest card that a step moves.
fn moved(board: &Board, step: &Step) -> Option<Card> {
    match step.from {
        Place::Cell(n) => board.cells.get(usize::from(n)).copied().flatten(),
        Place::Column(n) => {
            let column = board.columns.get(usize::from(n))?;
            column.get(column.len().checked_sub(usize::from(step.count))?).copied()
        }
        Place::Home => None,
    }
}

fn letter(card: Card) -> char {
    SUITS[usize::from(card.suit())].0
}

/// The pile of a place; among the foundations, that of the card's suit.
fn pile(place: Place, card: Option<Card>) -> String {
    match place {
        Place::Column(n) => format!("c{}", n + 1),
        Place::Cell(_) => format!("cell {}", place.letter()),
        Place::Home => card.map_or("home".to_owned(), |c| format!("f{}", letter(c))),
    }
}

fn cards_home(board: &Board) -> u32 {
    board.home.iter().map(|&n| u32::from(n)).sum()
}

impl Game for FreeCellTable {
    type State = Board;
    type Action = Step;
    type Obs = ();

    /// A random deal.
    fn start(&self, rng: &mut Rng) -> Board {
        Board::shuffled(self.rules(), rng)
    }

    fn actions(&self, board: &Board, out: &mut Vec<Step>) {
        out.clear();
        out.extend(validator::steps(self.rules(), self.metric(), board));
    }

    fn step(&self, board: &mut Board, step: Step, _rng: &mut Rng) -> Outturn<()> {
        validator::make(board, &step);
        Outturn { reward: f64::from(u8::from(step.to == Place::Home)), obs: () }
    }
}

impl Text for FreeCellTable {
    fn state_text(&self, board: &Board) -> String {
        board.to_string()
    }

    /// As in standard notation, and between columns always with its count.
    fn action_text(&self, _board: &Board, step: Step) -> String {
        match (step.from, step.to, step.count) {
            (Place::Column(_), Place::Column(_), 1) => format!("{step}v1"),
            _ => step.to_string(),
        }
    }

    fn read_action(&self, board: &Board, text: &str) -> Result<Step, String> {
        let read = notation::read_standard(self.rules(), self.metric(), board, text);
        let steps = read.map_err(|error| error.fault.to_string())?;
        match steps[..] {
            [step] => Ok(step),
            _ => Err("one step is expected".to_owned()),
        }
    }
}

impl Shown for FreeCellTable {
    fn title(&self) -> String {
        self.rules().title()
    }

    fn scene(&self, board: &Board) -> Scene {
        let mut piles = Vec::new();
        for (number, cell) in (0..).zip(&board.cells) {
            let id = pile(Place::Cell(number), None);
            let cards = cell.iter().map(Card::to_string).collect();
            piles.push(Pile::new(id.clone(), PileKind::Cell, id, cards));
        }
        for ((letter, name), rank) in SUITS.into_iter().zip(board.home) {
            let (id, name) = (format!("f{letter}"), format!("foundation of {name}"));
            piles.push(Pile::new(id, PileKind::Foundation, name, gathered(rank, letter)));
        }
        for (number, column) in (1..).zip(&board.columns) {
            let cards = column.iter().map(Card::to_string).collect();
            let (id, name) = (format!("c{number}"), format!("column {number}"));
            piles.push(Pile::new(id, PileKind::Column, name, cards));
        }
        Scene::Cards { piles }
    }

    fn label(&self, board: &Board, step: Step) -> Label {
        let card = moved(board, &step);
        let called = card.map_or("the card".to_owned(), |c| words(c.rank(), letter(c)));
        let count = usize::from(step.count);
        let to = match step.to {
            Place::Home => "home".to_owned(),
            Place::Cell(_) => format!("to cell {}", step.to.letter()),
            Place::Column(n) => format!("to column {}", n + 1),
        };
        let label = format!("{} {to}", and_more(called, count));
        let safe = step.to == Place::Home
            && card.is_some_and(|card| self.engine.is_safe_home(&self.lift(board), card));
        Label::cards(label, pile(step.from, card), pile(step.to, card), count).safe(safe)
    }

    fn won(&self, board: &Board) -> bool {
        board.is_solved(self.rules())
    }

    /// Cards that are home.
    fn score(&self, board: &Board, _result: f64) -> f64 {
        f64::from(cards_home(board))
    }

    fn place(&self, board: &Board) -> Option<String> {
        let mut codes = State::of(board).below_codes().to_vec();
        codes.extend(board.home);
        Some(format!("{codes:?}"))
    }
}
