//! What the units of an experiment do.

mod convergence;
mod play;
mod solve;
mod starts;

pub(crate) use convergence::convergence;
pub(crate) use play::play;
pub(crate) use solve::solve;
pub use starts::position_files;

use patience_lab::{Arm, SpecFault};
use patience_model::{Game, Rng};
use patience_plan::{Planner, Root, Search};

use crate::call::Call;
use crate::kit::Kit;
use crate::registry;

/// The planner that a key of an arm names.
fn planner<G: Game + 'static>(
    kit: &Kit<G>,
    key: &str,
    text: &str,
) -> Result<Box<dyn Planner<G>>, SpecFault> {
    let made = Call::parse(text).and_then(|call| registry::planner(kit, &call));
    made.map_err(|error| SpecFault::new(key, error.to_string()))
}

/// The planner of an arm.
fn arm_planner<G: Game + 'static>(
    kit: &Kit<G>,
    arm: &Arm,
) -> Result<Box<dyn Planner<G>>, SpecFault> {
    planner(kit, "planner", &arm.planner)
}

/// Starts a search, in the memory of the last one if it can.
fn begin<'s, 'g, G: Game>(
    planner: &dyn Planner<G>,
    last: &'s mut Option<Box<dyn Search<G> + 'g>>,
    game: &'g G,
    rng: Rng,
    root: impl Fn() -> Root<G>,
) -> &'s mut Box<dyn Search<G> + 'g> {
    let restarted = last.as_mut().is_some_and(|search| search.restart(root(), rng.clone()));
    if !restarted {
        *last = None;
    }
    last.get_or_insert_with(|| planner.search(game, root(), rng))
}
