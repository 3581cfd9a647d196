//! Games and planners by name: parameters are declared once, and types are erased once.
//!
//! A folder of games brings a [`GameEntry`]; a [`Registry`] is a list of them. A string such as
//! `sailing(size=10)` makes an [`AnyGame`], which starts [`AnyState`]s; a state is played, shown,
//! advised on ([`Advice`]), solved ([`Solved`]) and verified without anybody knowing its type. A
//! [`Table`] is a state with its moves so far, as people play it.
#![deny(missing_docs)]

mod advice;
mod arrays;
mod asked;
mod batch;
mod bench;
mod call;
mod ensemble;
mod game;
mod gather;
mod info;
mod kit;
mod link;
mod params;
mod path;
mod planners;
mod policies;
mod position;
mod registry;
mod review;
pub mod run;
mod setup;
mod solved;
mod state;
mod table;
mod think;
mod trace;
mod twig;
mod uct;
mod whole;
mod yardstick;

pub use advice::{Advice, Hint, Measure, MoveAdvice};
pub use arrays::Layout;
pub use asked::{Asked, Searched, search_together};
pub use batch::{Arrays, Batch};
pub use bench::{Benchmark, Measured, Work};
pub use call::{Arguments, Call, CallError};
pub use ensemble::{EnsembleError, merge_trees, tree_seed};
pub use game::AnyGame;
pub use gather::Gathered;
pub use info::{Deals, GameInfo, PlannerInfo, Words};
pub use kit::{Kit, Lift, Lower, Made, Objective, Track};
pub use params::{Auto, Param, Params, PerLevel, Value, whole};
pub use path::{Origin, Path, chance_of};
pub use planners::{BackupRule, RecommendBy};
pub use policies::limited;
pub use registry::{GameEntry, Registry};
pub use review::{Better, Fate, Mark, Point, Review, Reviewing};
pub use setup::{Setup, TableError};
pub use solved::{Checked, Invalid, SolveError, Solved};
pub use state::{AnyState, LegalMove, Turn};
pub use table::{Proof, Solvers, Table, View};
pub use trace::{Episode, Trace, TracedEdge, TracedNode};
pub use twig::{Seen, Twig};
pub use yardstick::Difficulty;

use patience_model::Game;
use patience_plan::Planner;

/// Makes the planner that a string names, for a game whose type is known.
///
/// # Errors
/// Says where the string is wrong and what was expected.
pub fn planner<G: Game + 'static>(
    kit: &Kit<G>,
    text: &str,
) -> Result<Box<dyn Planner<G>>, CallError> {
    Ok(planners::planner(kit, &Call::parse(text)?)?.1)
}
