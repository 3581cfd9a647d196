//! Positions solved, each as a whole.

use std::sync::Arc;

use patience_model::Game;
use patience_plan::{Budget, Cancel, StopReason};

use super::{RunError, Start, Streams, begin_at};
use crate::call::{Call, CallError};
use crate::kit::{Kit, Objective};
use crate::planners;
use crate::solved::{self, SolveError, Solved};

/// Solves positions.
pub trait Solves: Send + Sync {
    /// What the goal is called.
    fn goal(&self) -> &'static str;

    /// By what solutions are judged.
    fn objective(&self) -> Objective;

    /// The names of the solver's own figures.
    fn figures(&self) -> &'static [&'static str];

    /// Solves a position.
    ///
    /// # Errors
    /// If it was cancelled, the start is none, or the solution does not stand.
    fn solve(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
        cancel: &Cancel,
    ) -> Result<Solved, RunError>;
}

struct SolvesOf<G: Game> {
    kit: Arc<Kit<G>>,
    solver: Call,
    figures: &'static [&'static str],
    budget: Budget,
}

pub(crate) fn solving<G>(
    kit: Arc<Kit<G>>,
    solver: &Call,
    budget: &Budget,
) -> Result<Box<dyn Solves>, CallError>
where
    G: Game + Send + Sync + 'static,
{
    let (_, planner) = planners::solver(&kit, solver)?;
    if budget.is_unlimited() && !planner.ends() {
        let message =
            "it would not end by itself: give it `rollouts`, or a number of starts or runs";
        return Err(CallError::new(solver, message));
    }
    let figures = planner.figures();
    Ok(Box::new(SolvesOf { kit, solver: solver.clone(), figures, budget: *budget }))
}

impl<G> Solves for SolvesOf<G>
where
    G: Game + Send + Sync + 'static,
{
    fn goal(&self) -> &'static str {
        self.kit.goal_name()
    }

    fn objective(&self) -> Objective {
        self.kit.objective
    }

    fn figures(&self) -> &'static [&'static str] {
        self.figures
    }

    fn solve(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
        cancel: &Cancel,
    ) -> Result<Solved, RunError> {
        let state = begin_at(&self.kit, start, streams)?;
        let rng = (streams.own)("solver");
        let watch = &mut |_: &Solved| ();
        let solved =
            solved::solve(&self.kit, &state, &self.solver, rng, &self.budget, cancel, watch);
        let solved = solved.map_err(|error: SolveError| RunError::Failed(error.to_string()))?;
        if solved.stats.stop == Some(StopReason::Cancelled) {
            return Err(RunError::Interrupted);
        }
        Ok(solved)
    }
}
