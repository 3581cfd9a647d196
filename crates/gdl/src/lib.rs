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
//! | [`RuleFile`], [`built_in`] | rules from a file or by name |
//! | [`Description::read`] | text to rules, with the place of everything |
//! | [`check()`] | what is wrong, where, and what to write instead |
//! | [`Lifted`] | runs everything valid, rule by rule |
//! | [`ground()`], [`Network`], [`Position`] | the propositional network; only what a move changes is touched |
//! | [`Sliced`] | 256 random playouts at once, one bit each |
//! | [`export`] | the network as JSON, C and CUDA |
//! | [`transcript`] | matches written down by one engine and followed by another |
//! | [`World`], [`GdlGame`] | positions as values, and a role's view as a game of the model |
//! | [`belief`], [`Norns`], [`Several`] | the belief-state tree of NORNS, and search with it |
//! | [`Exact`] | the certified optimum of a small game with hidden information |
#![deny(missing_docs)]

mod bench;
mod check;
mod datalog;
mod engine;
mod entry;
pub mod export;
mod ground;
mod lifted;
mod logic;
mod network;
mod play;
mod rules;
mod text;
pub mod transcript;

pub use bench::{EngineSpeed, GdlSpeed, speed};
pub use check::{Strictness, check, roles_without_goal};
pub use engine::{Engine, EngineError, Reasoner, RunError};
pub use entry::{entry, kit};
pub use ground::{GroundError, GroundLimits, ground};
pub use lifted::{Lifted, LiftedPosition, LiftedWorld};
pub use logic::{TermId, Terms};
pub use network::{Grounded, Network, Position, Sizes, Sliced, Tally};
pub use play::{
    Exact, ExactError, ExactPlanner, GameError, GdlGame, GdlState, Hindsight, Move, Norns,
    Opponents, Percepts, Several, SeveralSearch, World, belief,
};
pub use rules::{Described, GAMES, NoText, RuleError, RuleFile, built_in, deciding_role, text};
pub use text::{
    Atom, Code, Condition, Description, Diagnostic, Place, Rule, Severity, Source, Span, Symbol,
    Symbols, Term, read_ground_term, sexp,
};
