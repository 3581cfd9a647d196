//! FreeCell and its family on the table: the moves of the validator.

use patience_games::freecell::{
    Board, Card, FreeCell, Metric, Place, Rules, State, Step, notation, validator,
};

use super::cards::{home, words};
use super::view::{Pile, PileKind, Scene, Standing, TableMove};
use super::{Measure, Seat, Setup, TableError};
use crate::call::Call;
use crate::registry::{AnyGame, AnyState, freecell_game};

#[derive(Clone, Debug)]
pub(super) struct FreeCellSeat {
    game: AnyGame,
    name: String,
    pub(super) engine: FreeCell,
    pub(super) board: Board,
}

impl FreeCellSeat {
    pub(super) fn new(game: AnyGame, call: &Call, setup: &Setup) -> Result<Self, TableError> {
        let wrong = |error: &dyn std::fmt::Display| TableError::Setup(error.to_string());
        let engine = freecell_game(call)?;
        let rules = *engine.rules();
        let name = call.value("rules").unwrap_or("freecell").to_owned();
        let board = match &setup.position {
            Some(text) => Board::read(&rules, text).map_err(|error| wrong(&error))?,
            None => Board::deal(&rules, setup.number()?).map_err(|error| wrong(&error))?,
        };
        Ok(FreeCellSeat { game, name, engine, board })
    }

    pub(super) fn rules(&self) -> &Rules {
        self.engine.rules()
    }

    pub(super) fn metric(&self) -> Metric {
        self.engine.metric()
    }

    /// The pile of a place, of the foundations that of the card's suit.
    fn pile(&self, place: Place, card: Option<Card>) -> String {
        match place {
            Place::Column(n) => format!("c{}", n + 1),
            Place::Cell(_) => format!("cell {}", place.letter()),
            Place::Home => card.map_or("home".to_owned(), |c| format!("f{}", letter(c))),
        }
    }

    fn moved(&self, step: &Step) -> Option<Card> {
        match step.from {
            Place::Cell(n) => self.board.cells.get(usize::from(n)).copied().flatten(),
            Place::Column(n) => {
                let column = self.board.columns.get(usize::from(n))?;
                column.get(column.len().checked_sub(usize::from(step.count))?).copied()
            }
            Place::Home => None,
        }
    }

    pub(super) fn described(&self, step: &Step) -> TableMove {
        let card = self.moved(step);
        let called = card.map_or("the card".to_owned(), |c| words(c.rank(), letter(c)));
        let more =
            if step.count > 1 { format!(" and {} more", step.count - 1) } else { String::new() };
        let to = match step.to {
            Place::Home => "home".to_owned(),
            Place::Cell(_) => format!("to cell {}", step.to.letter()),
            Place::Column(n) => format!("to column {}", n + 1),
        };
        TableMove {
            name: name(step),
            label: format!("{called}{more} {to}"),
            from: Some(self.pile(step.from, card)),
            to: Some(self.pile(step.to, card)),
            count: usize::from(step.count),
            ..TableMove::default()
        }
    }

    /// Every step that keeps to the rules, but to the first free cell and the first empty column
    /// only: the others are the same.
    pub(super) fn steps(&self) -> Vec<Step> {
        let cell = self.board.cells.iter().position(Option::is_none);
        let column = self.board.columns.iter().position(Vec::is_empty);
        let first = |step: &Step| match step.to {
            Place::Cell(n) => Some(usize::from(n)) == cell,
            Place::Column(n) if self.board.columns[usize::from(n)].is_empty() => {
                Some(usize::from(n)) == column
            }
            _ => true,
        };
        let mut steps = validator::steps(self.rules(), self.metric(), &self.board);
        steps.retain(first);
        steps
    }
}

impl FreeCellSeat {
    /// A planner's action is a step in standard notation, but on a board of its own: columns and
    /// cells may be in another order there. The cards tell what is meant.
    fn on_this_board(&self, action: &str) -> Option<Step> {
        let theirs = State::of(&self.board).board(self.rules());
        // Without a count one card moves.
        let between = action.len() == 2 && action.bytes().all(|b| b.is_ascii_digit());
        let text = if between { format!("{action}v1") } else { action.to_owned() };
        let read = notation::read_standard(self.rules(), self.metric(), &theirs, &text);
        let step = *read.ok()?.first()?;
        let seat = FreeCellSeat { board: theirs, ..self.clone() };
        let card = seat.moved(&step)?;
        let column = |found: Option<usize>| found.map(|n| Place::Column(n as u8));
        let Board { columns, cells, .. } = &self.board;
        let from = match cells.iter().position(|cell| *cell == Some(card)) {
            Some(n) => Place::Cell(n as u8),
            None => column(columns.iter().position(|cards| cards.contains(&card)))?,
        };
        let to = match step.to {
            Place::Home => Place::Home,
            Place::Cell(_) => Place::Cell(cells.iter().position(Option::is_none)? as u8),
            Place::Column(n) => {
                let onto = seat.board.columns[usize::from(n)].last();
                column(columns.iter().position(|cards| cards.last() == onto))?
            }
        };
        let step = Step { from, to, count: step.count };
        validator::check(self.rules(), self.metric(), &self.board, &step).is_ok().then_some(step)
    }
}

/// The name of a step: as in standard notation, and between columns always with its count.
pub(super) fn name(step: &Step) -> String {
    match (step.from, step.to, step.count) {
        (Place::Column(_), Place::Column(_), 1) => format!("{step}v1"),
        _ => step.to_string(),
    }
}

fn letter(card: Card) -> char {
    ['C', 'D', 'H', 'S'][usize::from(card.suit())]
}

impl Seat for FreeCellSeat {
    fn copy(&self) -> Box<dyn Seat> {
        Box::new(self.clone())
    }

    fn title(&self) -> String {
        match self.name.as_str() {
            "freecell" => "FreeCell".to_owned(),
            "bakers-game" => "Baker's Game".to_owned(),
            "eight-off" => "Eight Off".to_owned(),
            "seahaven-towers" => "Seahaven Towers".to_owned(),
            "forecell" => "ForeCell".to_owned(),
            "relaxed-freecell" => "Relaxed FreeCell".to_owned(),
            "king-albert" => "King Albert".to_owned(),
            "beleaguered-castle" => "Beleaguered Castle".to_owned(),
            "streets-and-alleys" => "Streets and Alleys".to_owned(),
            other => format!("FreeCell with {} cells", other.trim_start_matches("freecell-")),
        }
    }

    fn legal(&self) -> Vec<TableMove> {
        let steps = validator::steps(self.rules(), self.metric(), &self.board);
        steps.iter().map(|step| self.described(step)).collect()
    }

    fn play(&mut self, name: &str) -> Result<(), String> {
        let read = notation::read_standard(self.rules(), self.metric(), &self.board, name);
        let steps = read.map_err(|error| error.fault.to_string())?;
        let [step] = steps[..] else { return Err("one step is expected".to_owned()) };
        validator::make(&mut self.board, &step);
        Ok(())
    }

    fn scene(&self) -> Scene {
        let mut piles = Vec::new();
        let pile = |id, kind, name, cards| Pile { id, kind, name, cards };
        for (number, cell) in (0..).zip(&self.board.cells) {
            let id = self.pile(Place::Cell(number), None);
            let cards = cell.iter().map(Card::to_string).collect();
            piles.push(pile(id.clone(), PileKind::Cell, id, cards));
        }
        for suit in 0..4 {
            let letter = ['C', 'D', 'H', 'S'][suit];
            let name = format!("foundation of {}", ["clubs", "diamonds", "hearts", "spades"][suit]);
            let cards = home(self.board.home[suit], letter);
            piles.push(pile(format!("f{letter}"), PileKind::Foundation, name, cards));
        }
        for (number, column) in (1..).zip(&self.board.columns) {
            let cards = column.iter().map(Card::to_string).collect();
            let (id, name) = (format!("c{number}"), format!("column {number}"));
            piles.push(pile(id, PileKind::Column, name, cards));
        }
        Scene::Cards { piles }
    }

    fn standing(&self) -> Standing {
        if self.board.is_solved(self.rules()) {
            Standing::Won
        } else if validator::steps(self.rules(), self.metric(), &self.board).is_empty() {
            Standing::Over
        } else {
            Standing::Open
        }
    }

    fn score(&self) -> Option<f64> {
        Some(f64::from(self.board.home.iter().map(|&n| u32::from(n)).sum::<u32>()))
    }

    fn text(&self) -> String {
        self.board.to_string()
    }

    fn planner(&self) -> String {
        super::DISTANCE.to_owned()
    }

    fn tree_planner(&self) -> String {
        "uct(scale=52)".to_owned()
    }

    fn measure(&self) -> Measure {
        Measure::StepsToGo
    }

    fn thought(&self) -> Result<AnyState, String> {
        self.game.read(&self.text(), 0)
    }

    fn way(&self, action: &str) -> Vec<String> {
        Vec::from_iter(self.on_this_board(action).map(|step| name(&step)))
    }

    fn place(&self) -> Option<String> {
        let mut codes = State::of(&self.board).below_codes().to_vec();
        codes.extend(self.board.home);
        Some(format!("{codes:?}"))
    }

    fn freecell(&self) -> Option<&FreeCellSeat> {
        Some(self)
    }
}
