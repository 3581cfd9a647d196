//! Whole runs of a planner or solver, typed to the bottom: games from start to end, decisions judged
//! by exact values, positions solved. Experiments are made of these.

mod judge;
mod play;
mod solve;

use patience_model::{Game, Rng};
use patience_plan::{Planner, Root, Search};

pub(crate) use judge::judging;
pub use judge::{Judges, Judging};
pub(crate) use play::playing;
pub use play::{Played, Playing, Plays, Tell, Told};
pub use solve::Solves;
pub(crate) use solve::solving;

use crate::kit::Kit;

/// Where a run starts.
#[derive(Clone, Copy, Debug)]
pub enum Start<'s> {
    /// At a position of chance.
    Chance,
    /// At a deal of the game's own number.
    Deal(&'s str),
    /// At a position in text.
    Text(&'s str),
}

/// The random streams of a run, each by its purpose.
pub struct Streams<'s> {
    /// Streams that runs to be compared have in common: the deal, the world's chance.
    pub shared: &'s dyn Fn(&str) -> Rng,
    /// Streams of this run alone: the planner's own chance.
    pub own: &'s dyn Fn(&str) -> Rng,
}

impl std::fmt::Debug for Streams<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Streams")
    }
}

/// Why a run has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// It was cancelled.
    #[error("interrupted")]
    Interrupted,
    /// It failed.
    #[error("{0}")]
    Failed(String),
}

/// The state at a start.
pub(crate) fn begin_at<G: Game + 'static>(
    kit: &Kit<G>,
    start: Start<'_>,
    streams: &Streams<'_>,
) -> Result<G::State, RunError> {
    let failed = |what: &str| RunError::Failed(what.to_owned());
    match start {
        Start::Chance => Ok((kit.start)(&kit.game, &mut (streams.shared)("start"))),
        Start::Deal(name) => {
            let deal = kit.numbered.as_ref().ok_or_else(|| failed("deals have no numbers"))?;
            deal(&kit.game, name).map_err(RunError::Failed)
        }
        Start::Text(text) => {
            let read = kit.read.as_ref().ok_or_else(|| failed("it is not read from text"))?;
            read(&kit.game, text).map_err(RunError::Failed)
        }
    }
}

/// Starts a search, in the memory of the last one if it can.
fn begin<'s, 'g, G: Game>(
    planner: &dyn Planner<G>,
    last: &'s mut Option<Box<dyn Search<G> + 'g>>,
    game: &'g G,
    rng: Rng,
    root: impl Fn() -> Root<G>,
) -> &'s mut Box<dyn Search<G> + 'g> {
    let restarted = last.as_mut().is_some_and(|search| search.restart(root(), rng.clone()));
    if !restarted {
        *last = None;
    }
    last.get_or_insert_with(|| planner.search(game, root(), rng))
}
