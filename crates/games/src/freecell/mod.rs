//! FreeCell and its family: one engine with parameters, and provably shortest solutions (Paul and
//! Helmert, "Optimal Solitaire Game Solutions using A* Search and Deadlock Analysis", 2016).
//!
//! A [`Board`] is what lies on the table and what texts describe; a [`State`] is the same position
//! for the fast engine, [`FreeCell`]. [`Metric`] says what counts as one move.
//! [`SatisficingSearch`] finds any solution, [`OptimalSearch`] a shortest one with its proof, and
//! [`Distance`] the steps to go after every move; [`validator`] is independent of them and replays
//! what they report.
//!
//! ```
//! use patience_games::freecell::{Board, FreeCell, FreeCellTable, Metric, Optimal, OptimalSearch};
//! use patience_games::freecell::{Rules, notation, validator};
//! use patience_plan::{Budget, Cancel, Search, Stepped, Verdict};
//!
//! let rules = Rules::FREECELL;
//! let game = FreeCellTable::new(FreeCell::new(rules, Metric::Table1).unwrap());
//! let board = Board::deal(&rules, 3).unwrap();
//! let mut search = OptimalSearch::new(&game, &board, Optimal::default());
//! search.run(&Budget::UNLIMITED.with_memory(1 << 30), &Cancel::new());
//! let found = search.finding();
//! assert_eq!(found.verdict, Verdict::Optimal);
//! assert_eq!(validator::verify(&rules, game.metric(), &board, &found.moves), Ok(70));
//! println!("{}", notation::standard(&rules, game.metric(), &board, &found.moves));
//! ```

pub mod notation;
pub mod validator;

mod bench;
mod board;
mod deal;
mod engine;
mod entry;
mod heuristics;
mod rules;
mod search;
mod table;

pub use crate::cards::{Card, NotACard, RANKS};
pub use board::{Board, BoardError, BoardFault};
pub use deal::{LAST_DEAL, NoSuchDeal};
pub use engine::{FreeCell, GameError, Move, Packing, State};
pub use entry::entry;
pub use heuristics::{Deadlock, Heuristic};
pub use notation::{NotationError, NotationFault, Place, Step};
pub use rules::{
    Build, Fill, MAX_CELLS, MAX_COLUMNS, Metric, MetricError, Rules, RulesError, Sequence,
};
pub use search::{
    Distance, Optimal, OptimalSearch, Satisficing, SatisficingSearch, Shortest, Work,
};
pub use table::FreeCellTable;
pub use validator::{Fault, Invalid};
