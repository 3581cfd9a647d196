//! Positions solved, each as a whole.

use std::sync::Arc;

use patience_lab::{Arm, Column, Reader, SpecFault, Streams, Task, TaskError};
use patience_model::Game;
use patience_plan::Cancel;

use super::starts::Starts;
use crate::call::Call;
use crate::kit::Kit;
use crate::registry;
use crate::solver::Solver;

struct Solve<G: Game> {
    kit: Arc<Kit<G>>,
    solver: Box<dyn Solver<G>>,
    starts: Starts<G>,
}

/// Makes the task. The arm's `planner` names a solver of the game. Keys: where positions come from,
/// see [`Starts`].
pub(crate) fn solve<G>(
    kit: Arc<Kit<G>>,
    arm: &Arm,
    reader: &mut Reader<'_>,
) -> Result<Box<dyn Task>, SpecFault>
where
    G: Game + Send + Sync + 'static,
{
    let made = Call::parse(&arm.planner).and_then(|call| registry::solver(&kit, &call));
    let solver = made.map_err(|error| SpecFault::new("planner", error.to_string()))?;
    let starts = Starts::read(&kit, reader)?;
    Ok(Box::new(Solve { kit, solver, starts }))
}

impl<G> Task for Solve<G>
where
    G: Game + Send + Sync + 'static,
{
    fn columns(&self) -> Vec<Column> {
        self.solver.columns()
    }

    fn run(&self, unit: u64, streams: &Streams, cancel: &Cancel) -> Result<Vec<f64>, TaskError> {
        let state = self.starts.state(&self.kit, unit, streams)?;
        self.solver.solve(&self.kit.game, &state, streams.own("solver"), cancel)
    }
}
