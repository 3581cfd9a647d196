//! How fast decisions become right: a planner is stopped at checkpoints and its recommendation is
//! judged by the exact values of the actions (Figures 2, 3 and 4 of the UCT paper).

use std::sync::Arc;

use patience_lab::{Arm, Column, Reader, SpecFault, Streams, Task, TaskError};
use patience_model::Game;
use patience_plan::{Budget, Cancel, Planner, Search, StopReason};

use super::{arm_planner, begin};
use crate::kit::Kit;

/// How a decision is judged.
#[derive(Clone, Copy, PartialEq)]
enum Measure {
    /// 1 if the action is not optimal.
    Failure,
    /// How much the action is worth less than an optimal one.
    Error,
}

/// What is counted towards a checkpoint.
#[derive(Clone, Copy)]
enum By {
    Iterations,
    ModelCalls,
}

struct Convergence<G: Game> {
    kit: Arc<Kit<G>>,
    planner: Box<dyn Planner<G>>,
    measure: Measure,
    by: By,
    checkpoints: Vec<u64>,
    runs: u64,
}

/// A tie is one up to rounding: the exact values come from sums of probabilities.
const TIE: f64 = 1e-7;

/// Makes the task. Keys: `measure` (failure or error), `by` (iterations or model_calls), `at`
/// (checkpoints), `runs` (searches per unit, averaged).
pub(crate) fn convergence<G>(
    kit: Arc<Kit<G>>,
    arm: &Arm,
    reader: &mut Reader<'_>,
) -> Result<Box<dyn Task>, SpecFault>
where
    G: Game + Send + Sync + 'static,
{
    if kit.oracle.is_none() {
        let message = "a convergence task needs a game whose exact values are known";
        return Err(SpecFault::new("game", message));
    }
    let planner = arm_planner(&kit, arm)?;
    let measure = reader.word("measure", &["failure", "error"])?;
    let by = reader.word("by", &["iterations", "model_calls"])?;
    let at = reader.numbers("at")?;
    let at = reader.need("at", at)?;
    let runs = reader.integer("runs", 1..=1_000_000)?.unwrap_or(1) as u64;
    let rising = at.windows(2).all(|pair| pair[0] < pair[1]);
    let whole = at.iter().all(|&n| n.fract() == 0.0 && (1.0..1e15).contains(&n));
    if at.is_empty() || !rising || !whole {
        return Err(reader.fault("at", "expected rising whole numbers from 1"));
    }
    Ok(Box::new(Convergence {
        kit,
        planner,
        measure: match measure.as_deref() {
            Some("error") => Measure::Error,
            _ => Measure::Failure,
        },
        by: match by.as_deref() {
            Some("model_calls") => By::ModelCalls,
            _ => By::Iterations,
        },
        checkpoints: at.iter().map(|&n| n as u64).collect(),
        runs,
    }))
}

impl<G> Task for Convergence<G>
where
    G: Game + Send + Sync + 'static,
{
    fn columns(&self) -> Vec<Column> {
        let column = || match self.measure {
            Measure::Failure => Column::rate("failure"),
            Measure::Error => Column::mean("error"),
        };
        self.checkpoints.iter().map(|&x| column().at(x as f64)).collect()
    }

    fn run(&self, _unit: u64, streams: &Streams, cancel: &Cancel) -> Result<Vec<f64>, TaskError> {
        let game = &self.kit.game;
        let state = (self.kit.start)(game, &mut streams.shared("start"));
        let oracle = self.kit.oracle.as_ref().expect("checked when the task was made");
        let values = oracle(game, &state);
        let optimum = self.optimum(&state, &values);
        let loss = |value: f64| (value - optimum).abs();
        let mut sums = vec![0.0; self.checkpoints.len()];
        if values.iter().all(|&(_, value)| loss(value) <= TIE) {
            // Every move is right, so no planner can fail: nothing to search.
            return Ok(sums);
        }
        let mut searches: Option<Box<dyn Search<G> + '_>> = None;
        for run in 0..self.runs {
            let stream = streams.own(&format!("run {run}"));
            let search = begin(&*self.planner, &mut searches, game, stream, || {
                let tracker = self.kit.track.map(|track| track(game));
                self.kit.root_of(tracker.as_deref(), &state)
            });
            for (sum, &checkpoint) in sums.iter_mut().zip(&self.checkpoints) {
                let budget = match self.by {
                    By::Iterations => Budget::iterations(checkpoint),
                    By::ModelCalls => Budget::model_calls(checkpoint),
                };
                let stats = search.run(&budget, cancel);
                if stats.stop == Some(StopReason::Cancelled) {
                    return Err(TaskError::Interrupted);
                }
                let chosen = search.best();
                let found = values.iter().find(|(action, _)| Some(*action) == chosen);
                let &(_, value) = found.ok_or_else(|| {
                    TaskError::Failed(format!("{chosen:?} was recommended but is not legal"))
                })?;
                *sum += match self.measure {
                    Measure::Failure => f64::from(u8::from(loss(value) > TIE)),
                    Measure::Error => loss(value),
                };
            }
        }
        Ok(sums.iter().map(|sum| sum / self.runs as f64).collect())
    }
}

impl<G: Game> Convergence<G> {
    fn optimum(&self, state: &G::State, values: &[(G::Action, f64)]) -> f64 {
        let values = values.iter().map(|&(_, value)| value);
        if self.kit.game.minimising(state) {
            values.fold(f64::INFINITY, f64::min)
        } else {
            values.fold(f64::NEG_INFINITY, f64::max)
        }
    }
}
