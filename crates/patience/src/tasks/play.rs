//! Games played from start to end by a planner that decides every move.

use std::sync::Arc;

use patience_lab::{Arm, Column, Reader, SpecFault, Streams, Task, TaskError};
use patience_model::Game;
use patience_plan::{Budget, Cancel, Planner, Search, StopReason};

use super::starts::Starts;
use super::{arm_planner, begin, planner};
use crate::kit::Kit;

struct Play<G: Game> {
    kit: Arc<Kit<G>>,
    planner: Box<dyn Planner<G>>,
    opponent: Option<Box<dyn Planner<G>>>,
    budget: Budget,
    reuse: bool,
    won_at: Option<f64>,
    max_moves: Option<u64>,
    starts: Starts<G>,
}

/// Moves after which a game that was given no limit is taken for endless.
const ENDLESS: u64 = 1_000_000;

/// Makes the task. Keys: `iterations` and `model_calls` (budget per decision), `reuse` (keep the
/// tree below the move played), `opponent` (a planner for the minimising player), `won_at` (the
/// return from which a game counts as won), `max_moves` (games are cut after so many, and the column
/// `ended` says how many were not), and where games start, see [`Starts`].
pub(crate) fn play<G>(
    kit: Arc<Kit<G>>,
    arm: &Arm,
    reader: &mut Reader<'_>,
) -> Result<Box<dyn Task>, SpecFault>
where
    G: Game + Send + Sync + 'static,
{
    let own = arm_planner(&kit, arm)?;
    let opponent = reader.text("opponent")?;
    let opponent = opponent.map(|text| planner(&kit, "task.opponent", &text)).transpose()?;
    let count = |n: Option<i64>| n.map(|n| n as u64);
    let budget = Budget {
        iterations: count(reader.integer("iterations", 1..=i64::MAX)?),
        model_calls: count(reader.integer("model_calls", 1..=i64::MAX)?),
        ..Budget::UNLIMITED
    };
    for (key, planner) in [("planner", Some(&own)), ("task.opponent", opponent.as_ref())] {
        if budget.is_unlimited() && planner.is_some_and(|planner| !planner.ends()) {
            let message = "its searches do not end by themselves: give the task `iterations` or \
                           `model_calls`, or the planner `trajectories`";
            return Err(SpecFault::new(key, message));
        }
    }
    let reuse = reader.flag("reuse")?.unwrap_or(false);
    if reuse && opponent.is_some() {
        return Err(reader.fault("reuse", "a tree is kept only without an opponent"));
    }
    if reuse && !own.advances() {
        return Err(reader.fault("reuse", "this planner cannot keep its tree below a move"));
    }
    let won_at = reader.number("won_at", f64::NEG_INFINITY..=f64::INFINITY)?;
    let max_moves = count(reader.integer("max_moves", 1..=i64::MAX)?);
    let starts = Starts::read(&kit, reader)?;
    Ok(Box::new(Play { kit, planner: own, opponent, budget, reuse, won_at, max_moves, starts }))
}

impl<G> Task for Play<G>
where
    G: Game + Send + Sync + 'static,
{
    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::mean("return"), Column::mean("moves")];
        if self.won_at.is_some() {
            columns.insert(0, Column::proportion("won"));
        }
        if self.max_moves.is_some() {
            columns.push(Column::proportion("ended"));
        }
        columns
    }

    fn run(&self, unit: u64, streams: &Streams, cancel: &Cancel) -> Result<Vec<f64>, TaskError> {
        let game = &self.kit.game;
        let mut state = self.starts.state(&self.kit, unit, streams)?;
        // The world's chance is not the planner's, and is the same for all arms.
        let mut chance = streams.shared("chance");
        let mut tracker = self.kit.track.map(|track| track(game));
        let (mut sum, mut weight, mut moves) = (0.0, 1.0, 0);
        let mut legal = Vec::new();
        // One search for either side; each starts in the memory of its last one.
        let mut searches: [Option<Box<dyn Search<G> + '_>>; 2] = [None, None];
        // Whether the planner's search stands where the game does, so that it can follow a move.
        let mut here = false;
        while moves < self.max_moves.unwrap_or(ENDLESS) {
            game.actions(&state, &mut legal);
            let action = match legal[..] {
                [] => break,
                [only] => only,
                _ => {
                    let (planner, last) = match &self.opponent {
                        Some(opponent) if game.minimising(&state) => (opponent, &mut searches[1]),
                        _ => (&self.planner, &mut searches[0]),
                    };
                    let search = match last {
                        Some(search) if here => search,
                        last => {
                            let stream = streams.own(&format!("move {moves}"));
                            begin(&**planner, last, game, stream, || {
                                self.kit.root_of(tracker.as_deref(), &state)
                            })
                        }
                    };
                    let stats = search.run(&self.budget, cancel);
                    if stats.stop == Some(StopReason::Cancelled) {
                        return Err(TaskError::Interrupted);
                    }
                    here = true;
                    search.best().ok_or_else(|| {
                        TaskError::Failed(format!("no move was recommended after {moves}"))
                    })?
                }
            };
            let step = game.step(&mut state, action, &mut chance);
            sum += weight * step.reward;
            weight *= game.discount();
            moves += 1;
            if let Some(tracker) = &mut tracker {
                tracker.observe(action, step.obs);
            }
            here &= self.reuse
                && searches[0].as_mut().is_some_and(|search| {
                    let root = self.kit.root_of(tracker.as_deref(), &state);
                    search.advance(action, step.obs, root)
                });
        }
        game.actions(&state, &mut legal);
        let ended = legal.is_empty();
        if !ended && self.max_moves.is_none() {
            let message = format!("the game is not over after {ENDLESS} moves: set `max_moves`");
            return Err(TaskError::Failed(message));
        }
        let mut values = vec![sum, moves as f64];
        if let Some(won_at) = self.won_at {
            values.insert(0, f64::from(u8::from(sum >= won_at)));
        }
        if self.max_moves.is_some() {
            values.push(f64::from(u8::from(ended)));
        }
        Ok(values)
    }
}
