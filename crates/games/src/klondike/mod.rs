//! Klondike, the solitaire, with one to three cards turned at a time.
//!
//! - [`Rules`], [`Card`], [`Deal`] (by canonical number below 52!, by seed), [`Position`] at any
//!   moment of a game with unknown cards marked, and the text formats that people have ([`mod@format`]);
//! - the obvious engine on plain piles, [`Rules::moves`] and [`Rules::play`], and the validator,
//!   [`replay`];
//! - [`solver`]: all cards known, is there a way to win?
//! - [`Klondike`], the game with hidden cards for planners, in the action space of Bjarnason, Fern
//!   and Tadepalli 2009; [`UniformPlay`] and [`Greedy`] for playouts, [`SolverLeaf`] to value a
//!   leaf by the solver;
//! - [`best`], the strongest player.
//!
//! ```
//! use patience_games::klondike::solver::{Solver, SolverOptions, Verdict};
//! use patience_games::klondike::{Deal, Position, Rules, replay};
//! use patience_plan::Cancel;
//!
//! let rules = Rules::draw(3)?;
//! let start = Position::deal(&rules, &Deal::seeded(&rules, 1));
//! let solution = Solver::new(rules, SolverOptions::default())?.solve(&start, &Cancel::new())?;
//! assert_eq!(solution.verdict, Verdict::Won);
//! assert!(replay(&rules, &start, &solution.moves)?.is_won(&rules));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod best;
mod card;
mod deal;
mod error;
pub mod format;
mod game;
mod number;
mod position;
mod reference;
mod rules;
mod scoring;
pub mod solver;
mod stock_game;
mod stock_play;
mod table;

pub use card::{Card, CardError, Suit};
pub use deal::Deal;
pub use error::{Place, PositionError};
pub use game::{
    Action, Ending, Greedy, Heuristic, Hop, Kind, Klondike, KlondikeError, NestedRollout,
    SolverLeaf, State, TakingBack, Ties, UniformPlay,
};
pub use number::{DealNumber, NumberError};
pub use position::{Column, Position};
pub use reference::{Illegal, Move, MoveError, ReplayError, replay};
pub use rules::{Rules, RulesError, View};
pub use scoring::{Scoring, Seen};
pub use solver::way;
pub use stock_game::{StockKlondike, StockState};
pub use stock_play::{StockGreedy, StockSolverLeaf};
pub use table::KlondikeTable;
