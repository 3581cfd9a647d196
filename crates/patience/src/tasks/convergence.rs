//! How fast decisions become right: a planner is stopped at checkpoints and its recommendation is
//! judged by the exact values of the actions (Figures 2, 3 and 4 of the UCT paper).

use patience_catalogue::AnyGame;
use patience_catalogue::run::{Judges, Judging};
use patience_lab::{Arm, Column, Reader, SpecFault, Streams, Task, TaskError};
use patience_plan::{Budget, Cancel};

use super::{depends, failed, with_streams, wrong};

/// How a decision is judged.
#[derive(Clone, Copy, PartialEq)]
enum Measure {
    /// 1 if the action is not optimal.
    Failure,
    /// How much the action is worth less than an optimal one.
    Error,
}

struct Convergence {
    judges: Box<dyn Judges>,
    measure: Measure,
    at: Vec<f64>,
    depends: Vec<(String, u32)>,
}

/// Makes the task. Keys: `measure` (failure or error), `by` (iterations or model_calls), `at`
/// (checkpoints), `runs` (searches per unit, averaged), `after` (moves at random before the position).
pub(super) fn convergence(
    game: &AnyGame,
    arm: &Arm,
    reader: &mut Reader<'_>,
) -> Result<Box<dyn Task>, SpecFault> {
    if !game.capabilities().contains(&"exact values") {
        let message = "a convergence task needs a game whose exact values are known";
        return Err(SpecFault::new("game", message));
    }
    let measure = match reader.word("measure", &["failure", "error"])?.as_deref() {
        Some("error") => Measure::Error,
        None | Some(_) => Measure::Failure,
    };
    let budget = match reader.word("by", &["iterations", "model_calls"])?.as_deref() {
        Some("model_calls") => Budget::model_calls,
        None | Some(_) => Budget::iterations,
    };
    let at = reader.numbers("at")?;
    let at = reader.need("at", at)?;
    let runs = reader.integer("runs", 1..=1_000_000)?.unwrap_or(1) as u64;
    let after = reader.integer("after", 0..=1_000_000)?.unwrap_or(0) as u64;
    let rising = at.windows(2).all(|pair| pair[0] < pair[1]);
    let whole = at.iter().all(|&n| n.fract() == 0.0 && (1.0..1e15).contains(&n));
    if at.is_empty() || !rising || !whole {
        return Err(reader.fault("at", "expected rising whole numbers from 1"));
    }
    let checkpoints = at.iter().map(|&n| budget(n as u64)).collect();
    let judging = Judging { planner: arm.planner.clone(), checkpoints, runs, after };
    let judges = game.judging(&judging).map_err(wrong("planner"))?;
    Ok(Box::new(Convergence { judges, measure, at, depends: depends(game, &arm.planner) }))
}

impl Task for Convergence {
    fn columns(&self) -> Vec<Column> {
        let column = || match self.measure {
            Measure::Failure => Column::rate("failure"),
            Measure::Error => Column::mean("error"),
        };
        self.at.iter().map(|&x| column().at(x)).collect()
    }

    fn depends(&self) -> Vec<(String, u32)> {
        self.depends.clone()
    }

    fn run(&self, _unit: u64, streams: &Streams, cancel: &Cancel) -> Result<Vec<f64>, TaskError> {
        let judged = with_streams(streams, |streams| self.judges.judge(streams, cancel));
        let value = |(failure, error): (f64, f64)| match self.measure {
            Measure::Failure => failure,
            Measure::Error => error,
        };
        Ok(judged.map_err(failed)?.into_iter().map(value).collect())
    }
}
