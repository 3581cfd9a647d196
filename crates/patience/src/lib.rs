//! Patience solves, plays and measures one-player games.
//!
//! This crate is the facade: the [`Registry`] of games and planners by name, the [`Advice`] that
//! every front end shows, the tasks of experiments, and the crates behind it under one roof.
//!
//! ```
//! use patience::prelude::*;
//!
//! let registry = Registry::standard();
//! let sailing = registry.game("sailing(size=5)")?;
//! let planner = "uct(trajectories=2000, scale=10, eval=perturbed, stop=visits, merge=true)";
//! let advice = sailing.advise(planner, &Budget::UNLIMITED, 1)?;
//! println!("{} is best of {} moves", advice.best.unwrap(), advice.moves.len());
//! # Ok::<(), CallError>(())
//! ```
#![deny(missing_docs)]

mod advice;
mod batch;
pub mod bench;
mod call;
mod described;
mod ensemble;
mod kit;
mod matches;
mod player;
mod registry;
mod solutions;
mod solver;
pub mod specs;
pub mod table;
mod tasks;

pub use advice::{Advice, MoveAdvice};
pub use batch::{Arrays, Batch};
pub use call::{Arguments, Call, CallError, Param, whole};
pub use described::{Described, NoText, RuleError, RuleFile, deciding_role, text};
pub use ensemble::{EnsembleError, merge_trees, tree_seed};
pub use kit::Kit;
pub use matches::{Choose, MatchError, MatchPlan, MatchResult, Matches};
pub use patience_games as games;
pub use patience_gdl as gdl;
pub use patience_lab as lab;
pub use patience_model as model;
pub use patience_plan as plan;
pub use player::{Cancelled, Player, Seat};
pub use registry::{
    AnyGame, AnyState, GameEntry, GameInfo, PlannerInfo, Registry, Seen, Turn, Twig,
};
pub use registry::{freecell_metric, freecell_rules};
pub use solver::Solver;
pub use tasks::position_files;

/// All that most programs need.
pub mod prelude {
    pub use crate::{
        Advice, AnyGame, AnyState, Call, CallError, GameEntry, GameInfo, Kit, Registry,
    };
    pub use patience_model::{Game, Hidden, Keyed, Outcome, Outcomes, Rng, Step, Text, Undo};
    pub use patience_plan::uct;
    pub use patience_plan::{Budget, Cancel, Planner, Root, Search, Stats, StopReason};
}

/// The examples of the README and of the guide under `docs/`, compiled and run as tests.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../docs/first-steps.md")]
    mod first_steps {}
    #[doc = include_str!("../../../docs/model.md")]
    mod model {}
    #[doc = include_str!("../../../docs/adding-a-game.md")]
    mod adding_a_game {}
    #[doc = include_str!("../../../docs/planners.md")]
    mod planners {}
    #[doc = include_str!("../../../docs/experiments.md")]
    mod experiments {}
    #[doc = include_str!("../../../docs/formats.md")]
    mod formats {}
    #[doc = include_str!("../../../docs/gdl.md")]
    mod gdl {}
    #[doc = include_str!("../../../docs/samegame.md")]
    mod samegame {}
    #[doc = include_str!("../../../docs/klondike.md")]
    mod klondike {}
    #[doc = include_str!("../../../docs/exit-codes.md")]
    mod exit_codes {}
}
