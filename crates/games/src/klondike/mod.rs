//! Klondike, the solitaire, with one to three cards turned at a time.
//!
//! - [`Rules`], [`Card`], [`Deal`] (by canonical number below 52!, by seed), [`Position`] at any
//!   moment of a game with unknown cards marked, and the text formats that people have ([`mod@format`]);
//! - the obvious engine on plain piles, [`Rules::moves`] and [`Rules::play`], and the validator,
//!   [`replay`];
//! - [`KlondikeTable`], the game on the table for people;
//! - [`solver`]: all cards known, is there a way to win, and which is the shortest?
//! - [`Klondike`], the game with hidden cards for planners, in the action space of Bjarnason, Fern
//!   and Tadepalli 2009; [`UniformPlay`] and [`Greedy`] for playouts, [`SolverLeaf`] to value a
//!   leaf by the solver, [`NestedRollout`] to solve a deal by rollouts;
//! - [`StockKlondike`], the same where turning the stock is a decision: the stock unknown until it is
//!   turned, limited redeals, Las Vegas; [`OverStocks`], planners of the one for the other;
//! - [`best`], the strongest player.
//!
//! ```
//! use patience_games::klondike::solver::{Thoughtful, ThoughtfulSearch};
//! use patience_games::klondike::{KlondikeTable, Rules, Scoring, replay};
//! use patience_plan::{Budget, Cancel, Search, Stepped, Verdict};
//!
//! let table = KlondikeTable::new(Rules::draw(3)?, Scoring::Win);
//! let start = table.deal("seed:1")?;
//! let mut search = ThoughtfulSearch::new(&table, start.clone(), Thoughtful::default())?;
//! search.run(&Budget::UNLIMITED, &Cancel::new());
//! let solution = search.finding();
//! assert_eq!(solution.verdict, Verdict::Solved);
//! assert!(replay(table.rules(), &start, &solution.moves)?.is_won(table.rules()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bench;
pub mod best;
mod card;
mod deal;
mod entry;
mod error;
pub mod format;
mod game;
mod number;
mod position;
mod reference;
mod rules;
mod scoring;
pub mod solver;
mod stock_play;
mod stocks;
mod table;
mod translate;

pub use card::{Card, CardError, Suit};
pub use deal::Deal;
pub use entry::entry;
pub use error::{Place, PositionError};
pub use game::{
    Action, Ending, Greedy, Heuristic, Hop, Kind, Klondike, KlondikeError, NestedRollout,
    SolverLeaf, State, StockAction, StockKlondike, StockState, TakingBack, Ties, UniformPlay,
};
pub use number::{DealNumber, NumberError};
pub use position::{Column, Position};
pub use reference::{Illegal, Move, MoveError, ReplayError, length, replay};
pub use rules::{Rules, RulesError, View};
pub use scoring::{Scoring, Seen};
pub use stock_play::{StockGreedy, StockSolverLeaf};
pub use stocks::OverStocks;
pub use table::KlondikeTable;
