//! Games on the table, as people play them: every move by its name, what can be seen, undo, and
//! hints in the same words. The page and the terminal are two ways to look at a [`Table`].
//!
//! A table is its [`Setup`] and the moves so far, nothing else: whoever has these two can go on
//! with the game, so a link or a file holds all of it.
//!
//! ```
//! use patience::Registry;
//! use patience::table::{Setup, Table};
//! let setup = Setup::deal("freecell", "1");
//! let mut table = Table::open(&Registry::standard(), &setup, &[])?;
//! let first = table.view().legal[0].name.clone();
//! table.play(&first)?;
//! assert_eq!(table.moves(), [first]);
//! table.undo();
//! assert!(table.moves().is_empty());
//! # Ok::<(), patience::table::TableError>(())
//! ```

mod cards;
mod described;
mod distance;
mod freecell;
mod general;
mod hint;
mod klondike;
mod proof;
mod samegame;
mod setup;
mod view;

use crate::registry::{AnyState, Registry};

pub use distance::DISTANCE;
pub use hint::{Hint, HintMove, Measure};
pub use proof::{Proof, Verdict};
pub use setup::{Setup, TableError};
pub use view::{Pile, PileKind, Scene, Standing, TableMove, View};

/// A game with its moves so far.
#[derive(Debug)]
pub struct Table {
    setup: Setup,
    start: Box<dyn Seat>,
    now: Box<dyn Seat>,
    moves: Vec<String>,
}

/// More moves than any game of a person has; a longer list is refused.
const MOST_MOVES: usize = 5000;

impl Table {
    /// Sets the game up and plays the moves.
    ///
    /// # Errors
    /// Says what is wrong with the setup, or which move is not legal and why.
    pub fn open(registry: &Registry, setup: &Setup, moves: &[String]) -> Result<Table, TableError> {
        let start = setup::sit_down(registry, setup)?;
        let now = start.copy();
        let mut table = Table { setup: setup.clone(), start, now, moves: Vec::new() };
        for name in moves {
            table.play(name)?;
        }
        Ok(table)
    }

    /// How it was set up.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The moves so far, by their names.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal: the table is then as it was.
    pub fn play(&mut self, name: &str) -> Result<(), TableError> {
        let number = self.moves.len() + 1;
        if number > MOST_MOVES {
            return Err(TableError::TooManyMoves(MOST_MOVES));
        }
        let wrong = |why| TableError::Move { number, name: name.chars().take(40).collect(), why };
        self.now.play(name).map_err(wrong)?;
        self.moves.push(name.to_owned());
        Ok(())
    }

    /// Takes the last move back and names it; `None` at the start.
    pub fn undo(&mut self) -> Option<String> {
        let last = self.moves.pop()?;
        self.now = self.at(self.moves.len());
        Some(last)
    }

    /// The position after the first `count` moves.
    fn at(&self, count: usize) -> Box<dyn Seat> {
        let mut seat = self.start.copy();
        for name in &self.moves[..count] {
            // They were played before.
            let _ = seat.play(name);
        }
        seat
    }

    /// All that a player may know.
    pub fn view(&self) -> View {
        let seat = &self.now;
        View {
            game: self.setup.game.clone(),
            title: seat.title(),
            deal: self.setup.deal.clone(),
            moves: self.moves.clone(),
            standing: seat.standing(),
            score: seat.score(),
            scene: seat.scene(),
            legal: seat.legal(),
            text: seat.text(),
            planner: seat.planner(),
            measure: seat.measure(),
        }
    }
}

impl Clone for Table {
    fn clone(&self) -> Self {
        Table {
            setup: self.setup.clone(),
            start: self.start.copy(),
            now: self.now.copy(),
            moves: self.moves.clone(),
        }
    }
}

/// A kind of game on the table.
trait Seat: Send + std::fmt::Debug {
    fn copy(&self) -> Box<dyn Seat>;
    /// What people call it.
    fn title(&self) -> String;
    fn legal(&self) -> Vec<TableMove>;
    /// Plays a move by its name; says why not, and then changes nothing.
    fn play(&mut self, name: &str) -> Result<(), String>;
    fn scene(&self) -> Scene;
    fn standing(&self) -> Standing;
    fn score(&self) -> Option<f64>;
    /// The position as text, in a format that can be pasted where there is one. What lies face
    /// down stays unknown.
    fn text(&self) -> String;
    /// The planner that gives hints unless another is named.
    fn planner(&self) -> String;
    /// The planner whose tree is shown unless another is named.
    fn tree_planner(&self) -> String {
        self.planner()
    }
    /// What hints measure.
    fn measure(&self) -> Measure;
    /// The position for planners: nothing in it that the player does not know.
    fn thought(&self) -> Result<AnyState, String>;
    /// The moves on the table that a planner's action comes to.
    fn way(&self, action: &str) -> Vec<String> {
        vec![action.to_owned()]
    }
    /// Equal for positions between which no progress lies; `None` where no play comes back.
    fn place(&self) -> Option<String> {
        None
    }
    /// Whether the planner's own text of the position would tell what the player does not know.
    fn conceals(&self) -> bool {
        false
    }
    /// The FreeCell board, for hints by distance and for shortest solutions.
    fn freecell(&self) -> Option<&freecell::FreeCellSeat> {
        None
    }
    /// The Klondike position, for its solver.
    fn klondike(&self) -> Option<&klondike::KlondikeSeat> {
        None
    }
    /// The SameGame board, for its solver.
    fn samegame(&self) -> Option<&samegame::SameGameSeat> {
        None
    }
}
