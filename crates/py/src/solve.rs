//! Whole deals and boards: what `patience solve` does, one function per game. Every solution was
//! replayed by the game's validator before it is given.

mod freecell;
mod klondike;
mod samegame;

pub(crate) use freecell::solve_freecell;
pub(crate) use klondike::solve_klondike;
pub(crate) use samegame::solve_samegame;

use std::time::Duration;

use pyo3::prelude::*;

use crate::error::usage;

/// Seconds that were asked for.
fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    let wrong = || usage("time takes a number of seconds above 0");
    match time {
        Some(s) if s <= 0.0 => Err(wrong()),
        Some(s) => Duration::try_from_secs_f64(s).map(Some).map_err(|_| wrong()),
        None => Ok(None),
    }
}
