//! Reads, checks, grounds and runs games described in GDL and GDL-II.
//!
//! ```
//! use patience_gdl::{Description, Engine, GroundLimits, Reasoner, Source, Strictness, check};
//!
//! let source = Source::new("coin.gdl", "
//!     (role random) (role player)
//!     (side heads) (side tails)
//!     (init start)
//!     (<= (legal random (toss ?s)) (side ?s))
//!     (<= (legal player (call ?s)) (side ?s))
//!     (<= (next right) (does random (toss ?s)) (does player (call ?s)))
//!     (<= terminal (not (true start)))
//!     (<= (goal player 100) (true right))
//!     (<= (goal player 0) (not (true right)))
//!     (goal random 0)");
//! let description = Description::read(source.text()).map_err(|f| f.render(&source))?;
//! for finding in check(&description) {
//!     assert!(!Strictness::Strict.refuses(&finding), "{}", finding.render(&source));
//! }
//! let mut engine =
//!     Engine::new(&description, &GroundLimits::default()).map_err(|f| f.render(&source))?;
//! let toss = engine.terms_mut().read("(toss heads)").map_err(|f| f.message)?;
//! let call = engine.terms_mut().read("(CALL heads)").map_err(|f| f.message)?;
//! engine.play_legal(&[toss, call]).map_err(|e| e.to_string())?;
//! assert_eq!((engine.terminal(), engine.goal(1)), (Ok(true), Ok(100)));
//! # Ok::<(), String>(())
//! ```
//!
//! | part | what it does |
//! |---|---|
//! | [`Description::read`] | text to rules, with the place of everything |
//! | [`check()`] | what is wrong, where, and what to write instead |
//! | [`Lifted`] | runs everything valid, rule by rule |
//! | [`ground()`], [`Network`], [`Position`] | the propositional network; only what a move changes is touched |
//! | [`Sliced`] | 256 random playouts at once, one bit each |
//! | [`transcript`] | matches written down by one engine and followed by another |
//! | [`World`], [`GdlGame`] | positions as values, and a role's view as a game of the model |
//! | [`belief`], [`Norns`], [`Several`] | the belief-state tree of NORNS, and search with it |
//! | [`Exact`] | the certified optimum of a small game with hidden information |
#![deny(missing_docs)]

pub mod belief;
mod check;
mod clause;
mod datalog;
mod encoded;
mod engine;
mod exact;
mod finding;
mod game;
mod games;
mod graph;
mod ground;
mod lifted;
mod lifted_world;
mod locally;
mod network;
mod players;
mod read;
mod reasoner;
mod role_position;
pub mod sexp;
mod source;
mod split;
mod symbol;
mod syntax;
mod terms;
pub mod transcript;
mod world;

pub use check::{Strictness, check, roles_without_goal};
pub use engine::Engine;
pub use exact::{Exact, ExactError};
pub use finding::{Code, Finding, Severity};
pub use game::{GameError, GdlGame, Move, Standing};
pub use games::{GAMES, built_in};
pub use ground::{GroundError, GroundLimits, ground};
pub use lifted::Lifted;
pub use lifted_world::{LiftedPosition, LiftedWorld};
pub use network::{Grounded, Network, Position, Sizes, Sliced, Tally};
pub use players::{ExactPlanner, Hindsight, Norns, Opponents, Several, SeveralSearch};
pub use read::read_ground_term;
pub use reasoner::{EngineError, Reasoner, RunError};
pub use source::{Place, Source, Span};
pub use symbol::{Symbol, Symbols};
pub use syntax::{Atom, Condition, Description, Rule, Term};
pub use terms::{TermId, Terms};
pub use world::{Percepts, World};
