//! A planner's decisions at the start, judged by the exact values of the actions.

use std::sync::Arc;

use patience_model::Game;
use patience_plan::{Budget, Cancel, Planner, Search, StopReason};

use super::{RunError, Start, Streams, begin, begin_at};
use crate::call::{Call, CallError};
use crate::kit::Kit;
use crate::planners;

/// How decisions are judged.
#[derive(Clone, Debug)]
pub struct Judging {
    /// The planner.
    pub planner: String,
    /// What it has spent at each checkpoint.
    pub checkpoints: Vec<Budget>,
    /// Searches from one start, over which is averaged.
    pub runs: u64,
}

/// Judges decisions.
pub trait Judges: Send + Sync {
    /// At each checkpoint, the share of searches whose recommendation is not optimal, and what it is
    /// worth less than an optimal one in the mean.
    ///
    /// # Errors
    /// If it was cancelled.
    fn judge(&self, streams: &Streams<'_>, cancel: &Cancel) -> Result<Vec<(f64, f64)>, RunError>;
}

struct JudgesOf<G: Game> {
    kit: Arc<Kit<G>>,
    planner: Box<dyn Planner<G>>,
    judging: Judging,
}

pub(crate) fn judging<G>(kit: Arc<Kit<G>>, judging: &Judging) -> Result<Box<dyn Judges>, CallError>
where
    G: Game + Send + Sync + 'static,
{
    let call = Call::parse(&judging.planner)?;
    let planner = planners::planner(&kit, &call)?.1;
    Ok(Box::new(JudgesOf { kit, planner, judging: judging.clone() }))
}

/// A tie is one up to rounding: the exact values come from sums of probabilities.
const TIE: f64 = 1e-7;

impl<G> Judges for JudgesOf<G>
where
    G: Game + Send + Sync + 'static,
{
    fn judge(&self, streams: &Streams<'_>, cancel: &Cancel) -> Result<Vec<(f64, f64)>, RunError> {
        let game = &self.kit.game;
        let state = begin_at(&self.kit, Start::Chance, streams)?;
        let Some(oracle) = &self.kit.oracle else {
            return Err(RunError::Failed("no exact values are known".to_owned()));
        };
        let exact = oracle(game, &state);
        let values = exact.iter().map(|&(_, value)| value);
        let optimum = match game.minimising(&state) {
            true => values.fold(f64::INFINITY, f64::min),
            false => values.fold(f64::NEG_INFINITY, f64::max),
        };
        let loss = |value: f64| (value - optimum).abs();
        let mut sums = vec![(0.0, 0.0); self.judging.checkpoints.len()];
        if exact.iter().all(|&(_, value)| loss(value) <= TIE) {
            // Every move is right, so no planner can fail: nothing to search.
            return Ok(sums);
        }
        let mut searches: Option<Box<dyn Search<G> + '_>> = None;
        for run in 0..self.judging.runs {
            let stream = (streams.own)(&format!("run {run}"));
            let search = begin(&*self.planner, &mut searches, game, stream, || {
                let tracker = self.kit.track.map(|track| track(game));
                self.kit.root_of(tracker.as_deref(), &state)
            });
            for (sum, budget) in sums.iter_mut().zip(&self.judging.checkpoints) {
                let stats = search.run(budget, cancel);
                if stats.stop == Some(StopReason::Cancelled) {
                    return Err(RunError::Interrupted);
                }
                let chosen = search.best();
                let found = exact.iter().find(|(action, _)| Some(*action) == chosen);
                let &(_, value) = found.ok_or_else(|| {
                    RunError::Failed(format!("{chosen:?} was recommended but is not legal"))
                })?;
                sum.0 += f64::from(u8::from(loss(value) > TIE));
                sum.1 += loss(value);
            }
        }
        let runs = self.judging.runs as f64;
        Ok(sums.iter().map(|(failed, lost)| (failed / runs, lost / runs)).collect())
    }
}
