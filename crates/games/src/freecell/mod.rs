//! FreeCell and its family: one engine with parameters, and provably shortest solutions (Paul and
//! Helmert, "Optimal Solitaire Game Solutions using A* Search and Deadlock Analysis", 2016).
//!
//! A [`Board`] is what lies on the table and what texts speak of; a [`State`] is the same for the
//! fast engine, [`FreeCell`]. [`Metric`] says what one move is. [`solve()`] finds any solution,
//! [`optimal()`] a shortest one with its proof; [`validator`] knows nothing of either and replays
//! what they report.
//!
//! ```
//! use patience_games::freecell::{Board, FreeCell, Heuristic, Metric, Rules, Shown};
//! use patience_games::freecell::{notation, optimal, validator};
//! use patience_plan::{Budget, Cancel};
//!
//! let rules = Rules::FREECELL;
//! let game = FreeCell::new(rules, Metric::Table1).unwrap();
//! let board = Board::deal(&rules, 3).unwrap();
//! let budget = Budget::UNLIMITED.with_memory(1 << 30);
//! let (shown, _) =
//!     optimal(&game, &board, Heuristic::Best, &budget, &Cancel::new(), &mut |_| {});
//! let Shown::Optimal(steps) = shown else { panic!("the budget is large enough") };
//! assert_eq!(validator::verify(&rules, game.metric(), &board, &steps), Ok(70));
//! println!("{}", notation::standard(&rules, game.metric(), &board, &steps));
//! ```

pub mod notation;
pub mod validator;

mod blockers;
mod board;
mod card;
mod deadlock;
mod deal;
mod digging;
mod encoded;
mod engine;
mod escape;
mod game;
mod heuristic;
mod hitting_set;
mod optimal;
mod order;
mod packing;
mod quick;
mod rules;
mod satisficing;
mod score;
mod shortest;
mod state;

pub use board::{Board, BoardError, BoardFault};
pub use card::{Card, NotACard, RANKS};
pub use deadlock::Deadlock;
pub use deal::{LAST_DEAL, NoSuchDeal};
pub use engine::{FreeCell, GameError, Move};
pub use heuristic::Heuristic;
pub use notation::{NotationError, NotationFault, Place, Step};
pub use optimal::{Bounds, News, Shown, optimal, optimal_on};
pub use packing::Packing;
pub use rules::{
    Build, Fill, MAX_CELLS, MAX_COLUMNS, Metric, MetricError, Rules, RulesError, Sequence,
};
pub use satisficing::{Verdict, solve};
pub use shortest::{Shortest, Work};
pub use state::State;
pub use validator::{Fault, Invalid};
