//! Games played from start to end by a planner that decides every move.

use std::sync::Arc;

use patience_catalogue::AnyGame;
use patience_catalogue::run::{Playing, Plays};
use patience_lab::{Arm, Column, Reader, SpecFault, Streams, Task, TaskError};
use patience_plan::{Budget, Cancel};

use super::decided::{Decided, Decides};
use super::starts::Starts;
use super::{depends, failed, with_streams, wrong};

struct Play {
    plays: Box<dyn Plays>,
    won_at: Option<f64>,
    cut: bool,
    starts: Starts,
    depends: Vec<(String, u32)>,
}

/// Makes the task. Keys: `iterations` and `model_calls` (budget per decision), `reuse` (keep the
/// tree below the move played), `opponent` (a planner for the minimising player), `won_at` (the
/// return from which a game counts as won), `max_moves` (games are cut after so many, and the column
/// `ended` says how many were not), and where games start, see [`Starts`].
pub(super) fn play(
    game: &AnyGame,
    arm: &Arm,
    reader: &mut Reader<'_>,
    decides: Option<Arc<dyn Decides>>,
) -> Result<Box<dyn Task>, SpecFault> {
    if decides.is_none() {
        game.check(&arm.planner).map_err(wrong("planner"))?;
    }
    let opponent = reader.text("opponent")?;
    let count = |n: Option<i64>| n.map(|n| n as u64);
    let budget = Budget {
        iterations: count(reader.integer("iterations", 1..=i64::MAX)?),
        model_calls: count(reader.integer("model_calls", 1..=i64::MAX)?),
        ..Budget::UNLIMITED
    };
    let reuse = reader.flag("reuse")?.unwrap_or(false);
    let won_at = reader.number("won_at", f64::NEG_INFINITY..=f64::INFINITY)?;
    let max_moves = count(reader.integer("max_moves", 1..=i64::MAX)?);
    let mut depends = depends(game, &arm.planner);
    depends.extend(opponent.iter().flat_map(|opponent| game.versions(opponent)));
    let playing = Playing { planner: arm.planner.clone(), opponent, budget, reuse, max_moves };
    let plays: Box<dyn Plays> = match decides {
        Some(decides) => {
            if let Some(opponent) = &playing.opponent {
                game.check(opponent).map_err(wrong("task.opponent"))?;
            }
            Box::new(Decided { game: game.clone(), decides, playing: playing.clone() })
        }
        None => game.playing(&playing).map_err(wrong("task.opponent"))?,
    };
    let (own, other) = plays.ends();
    for (key, ends) in [("planner", own), ("task.opponent", other)] {
        if budget.is_unlimited() && !ends {
            let message = "its searches do not end by themselves: give the task `iterations` or \
                           `model_calls`, or the planner `iterations`";
            return Err(SpecFault::new(key, message));
        }
    }
    if reuse && playing.opponent.is_some() {
        return Err(reader.fault("reuse", "a tree is kept only without an opponent"));
    }
    if reuse && !plays.advances() {
        return Err(reader.fault("reuse", "this planner cannot keep its tree below a move"));
    }
    let starts = Starts::read(game, reader)?;
    depends.extend(starts.depends());
    Ok(Box::new(Play { plays, won_at, cut: max_moves.is_some(), starts, depends }))
}

impl Task for Play {
    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::mean("return"), Column::mean("moves")];
        if self.won_at.is_some() {
            columns.insert(0, Column::proportion("won"));
        }
        if self.cut {
            columns.push(Column::proportion("ended"));
        }
        columns
    }

    fn depends(&self) -> Vec<(String, u32)> {
        self.depends.clone()
    }

    fn run(&self, unit: u64, streams: &Streams, cancel: &Cancel) -> Result<Vec<f64>, TaskError> {
        let played = self.starts.at(unit, |start| {
            with_streams(streams, |streams| self.plays.play(start, streams, cancel))
        })?;
        let played = played.map_err(failed)?;
        let mut values = vec![played.result, played.moves as f64];
        if let Some(won_at) = self.won_at {
            values.insert(0, f64::from(u8::from(played.result >= won_at)));
        }
        if self.cut {
            values.push(f64::from(u8::from(played.ended)));
        }
        Ok(values)
    }
}
