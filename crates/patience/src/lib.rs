//! Patience solves, plays and measures one-player games.
//!
//! This crate is the facade: the [`registry`] of all built-in games and planners by name, the tasks of
//! experiments, the benchmarks, and the crates behind it under one roof.
//!
//! ```
//! use patience::prelude::*;
//!
//! let sailing = patience::registry().game("sailing(size=5)")?;
//! let planner = "uct(iterations=2000, scale=10, eval=perturbed, stop=visits, merge=true)";
//! let advice = sailing.advise(planner, &Budget::UNLIMITED, 1)?;
//! println!("{} is best of {} moves", advice.best.unwrap(), advice.moves.len());
//! # Ok::<(), CallError>(())
//! ```
#![deny(missing_docs)]

pub mod bench;
pub mod data;
mod list;
mod matches;
mod player;
pub mod reliability;
mod tasks;

pub use list::{list, registry};
pub use matches::{Choose, MatchError, MatchPlan, MatchResult, Matches};
pub use patience_catalogue::*;
pub use patience_games as games;
pub use patience_gdl as gdl;
pub use patience_gdl::{Described, NoText, RuleError, RuleFile, deciding_role, text};
pub use patience_lab as lab;
pub use patience_model as model;
pub use patience_plan as plan;
pub use player::{Cancelled, Player, RoleKit};
pub use tasks::{Decides, position_files, resolve, task, task_of};

/// All that most programs need.
pub mod prelude {
    pub use patience_catalogue::{
        Advice, AnyGame, AnyState, Call, CallError, GameEntry, GameInfo, Kit, Registry, Solved,
    };
    pub use patience_model::{Game, Hidden, Keyed, Outcome, Outcomes, Rng, Step, Text, Undo};
    pub use patience_plan::uct;
    pub use patience_plan::{
        Budget, Cancel, Planner, Root, Search, Stats, Stepped, StopReason, Verdict,
    };
}

/// The examples of the README and of the guide under `docs/`, compiled and run as tests.
#[cfg(doctest)]
mod guide {
    macro_rules! pages {
        ($($name:ident = $path:literal),+ $(,)?) => {
            $(#[doc = include_str!(concat!("../../../", $path))] mod $name {})+
        };
    }

    pages! {
        readme = "README.md",
        first_steps = "docs/first-steps.md",
        model = "docs/model.md",
        adding_a_game = "docs/adding-a-game.md",
        planners = "docs/planners.md",
        experiments = "docs/experiments.md",
        formats = "docs/formats.md",
        gdl = "docs/gdl.md",
        games = "docs/games.md",
        exit_codes = "docs/exit-codes.md",
    }
}
