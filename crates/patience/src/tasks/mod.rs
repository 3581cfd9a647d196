//! What the units of an experiment do.

mod convergence;
mod decided;
mod play;
mod solve;
mod starts;

pub use decided::Decides;
pub use starts::position_files;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use patience_catalogue::run::{RunError, Streams};
use patience_catalogue::{AnyGame, CallError, Registry};
use patience_lab::{Arm, Resolve, Spec, SpecFault, Task, TaskError, Versions};

/// Makes the task of an arm of a spec.
///
/// # Errors
/// Says which key is wrong and what was expected.
pub fn task(registry: &Registry, _spec: &Spec, arm: &Arm) -> Result<Box<dyn Task>, SpecFault> {
    task_of(&game(registry, arm)?, arm, None)
}

/// The same as the lab wants it. Arms on the same game share it: making one may take long.
pub fn resolve(registry: &Registry) -> Box<Resolve<'_>> {
    let made: Mutex<HashMap<String, AnyGame>> = Mutex::default();
    Box::new(move |_, arm| {
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        let game = match made.get(&arm.game) {
            Some(game) => game.clone(),
            None => {
                let game = game(registry, arm)?;
                made.insert(arm.game.clone(), game.clone());
                game
            }
        };
        task_of(&game, arm, None)
    })
}

fn game(registry: &Registry, arm: &Arm) -> Result<AnyGame, SpecFault> {
    registry.game(&arm.game).map_err(|error| SpecFault::new("game", error.to_string()))
}

/// Makes the task of an arm of a spec whose game was made already. Where something else than a planner
/// decides the moves, the arm's planner is its name.
///
/// # Errors
/// Says which key is wrong and what was expected.
pub fn task_of(
    game: &AnyGame,
    arm: &Arm,
    decides: Option<Arc<dyn Decides>>,
) -> Result<Box<dyn Task>, SpecFault> {
    let mut reader = arm.task_reader();
    let kind = reader.word("kind", &["convergence", "play", "solve"])?;
    let kind = reader.need("kind", kind)?;
    if decides.is_some() && kind != "play" {
        return Err(reader.fault("kind", "what is no planner of ours can only play"));
    }
    let task = match kind.as_str() {
        "convergence" => convergence::convergence(game, arm, &mut reader)?,
        "play" => play::play(game, arm, &mut reader, decides)?,
        "solve" => solve::solve(game, arm, &mut reader)?,
        other => unreachable!("the reader gives one of the words, not {other}"),
    };
    reader.finish()?;
    Ok(task)
}

/// What results of a planner or solver depend on: versions, and the files that the game is made from.
fn depends(game: &AnyGame, planner: &str) -> Vec<(String, u32)> {
    let files = game.files().map(|(file, text)| Versions::of_files(file, [text]));
    game.versions(planner).into_iter().chain(files).collect()
}

/// The fault that a planner's string is wrong.
fn wrong(key: &str) -> impl Fn(CallError) -> SpecFault {
    move |error| SpecFault::new(key, error.to_string())
}

/// The streams of a unit as runs want them.
fn with_streams<R>(streams: &patience_lab::Streams<'_>, run: impl FnOnce(&Streams<'_>) -> R) -> R {
    let shared = |purpose: &str| streams.shared(purpose);
    let own = |purpose: &str| streams.own(purpose);
    run(&Streams { shared: &shared, own: &own })
}

fn failed(error: RunError) -> TaskError {
    match error {
        RunError::Interrupted => TaskError::Interrupted,
        RunError::Failed(why) => TaskError::Failed(why),
    }
}
