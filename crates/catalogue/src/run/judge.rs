//! A planner's decisions at the start or some moves later, judged by the exact values of the actions.

use std::sync::Arc;

use patience_model::Game;
use patience_plan::{Budget, Cancel, Planner, Root, Search, StopReason};

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
    /// Searches from one position, over which is averaged.
    pub runs: u64,
    /// Moves at random that lead to the position.
    pub after: u64,
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

/// Games at random that are begun for a position after some moves, which none of them may end.
const TRIES: u32 = 100_000;

/// A position, and what was played and seen on the way to it.
struct Reached<G: Game> {
    state: G::State,
    past: Vec<(G::Action, G::Obs)>,
}

impl<G: Game + 'static> JudgesOf<G> {
    /// The position of a unit: the start, or where a game at random is after so many moves.
    fn position(&self, streams: &Streams<'_>) -> Result<Reached<G>, RunError> {
        let (game, after) = (&self.kit.game, self.judging.after);
        let start = begin_at(&self.kit, Start::Chance, streams)?;
        let mut rng = (streams.shared)("moves before");
        let mut legal = Vec::new();
        for _ in 0..TRIES {
            let mut reached = Reached::<G> { state: start.clone(), past: Vec::new() };
            for _ in 0..after {
                game.actions(&reached.state, &mut legal);
                if legal.is_empty() {
                    break;
                }
                let action = rng.pick(&legal);
                let obs = game.step(&mut reached.state, action, &mut rng).obs;
                reached.past.push((action, obs));
            }
            game.actions(&reached.state, &mut legal);
            if !legal.is_empty() {
                return Ok(reached);
            }
        }
        let why = format!("of {TRIES} games at random none goes on after {after} moves");
        Err(RunError::Failed(why))
    }

    /// What the player knows there.
    fn root(&self, reached: &Reached<G>) -> Root<G> {
        let mut tracker = self.kit.track.map(|track| track(&self.kit.game));
        if let Some(tracker) = &mut tracker {
            reached.past.iter().for_each(|&(action, obs)| tracker.observe(action, obs));
        }
        self.kit.root_of(tracker.as_deref(), &reached.state)
    }
}

/// A tie is one up to rounding: the exact values come from sums of probabilities.
const TIE: f64 = 1e-7;

impl<G> Judges for JudgesOf<G>
where
    G: Game + Send + Sync + 'static,
{
    fn judge(&self, streams: &Streams<'_>, cancel: &Cancel) -> Result<Vec<(f64, f64)>, RunError> {
        let game = &self.kit.game;
        let reached = self.position(streams)?;
        let state = &reached.state;
        let Some(oracle) = &self.kit.oracle else {
            return Err(RunError::Failed("no exact values are known".to_owned()));
        };
        let exact = oracle(game, state);
        if exact.is_empty() {
            let after = self.judging.after;
            let why = format!("after {after} moves exact values take too long to find here");
            return Err(RunError::Failed(why));
        }
        let values = exact.iter().map(|&(_, value)| value);
        let optimum = match game.minimising(state) {
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
            let root = || self.root(&reached);
            let search = begin(&*self.planner, &mut searches, game, stream, root);
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
