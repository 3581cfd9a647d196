//! Positions other than a game's start: read from text or named, then thought about.

use std::fmt;
use std::sync::Arc;

use patience_lab::stats::student;
use patience_model::{Game, Rng};
use patience_plan::{Budget, Cancel, Stats};

use super::planners;
use crate::advice::{Advice, MoveAdvice};
use crate::call::{Call, CallError};
use crate::kit::Kit;

/// A position of a game whose type has been erased.
pub struct AnyPosition {
    game: String,
    inner: Box<dyn Placed>,
}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyPosition({})", self.game)
    }
}

impl AnyPosition {
    pub(super) fn new(game: String, inner: Box<dyn Placed>) -> AnyPosition {
        AnyPosition { game, inner }
    }

    /// Thinks about the position; to be watched and cancelled.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn watch(
        &self,
        planner: &str,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Stats),
    ) -> Result<Advice, CallError> {
        let call = Call::parse(planner)?;
        let mut advice = self.inner.advise(&call, budget, seed, cancel, watch)?;
        advice.game.clone_from(&self.game);
        Ok(advice)
    }
}

/// A position with its game.
pub(super) trait Placed {
    fn advise(
        &self,
        planner: &Call,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Stats),
    ) -> Result<Advice, CallError>;
}

struct At<G: Game> {
    kit: Arc<Kit<G>>,
    state: G::State,
}

impl<G> Placed for At<G>
where
    G: Game + Send + Sync + 'static,
{
    fn advise(
        &self,
        planner: &Call,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Stats),
    ) -> Result<Advice, CallError> {
        advise(&self.kit, &self.state, planner, budget, seed, cancel, watch)
    }
}

/// The position of a text.
pub(super) fn read<G>(kit: &Arc<Kit<G>>, text: &str) -> Result<Box<dyn Placed>, String>
where
    G: Game + Send + Sync + 'static,
{
    let read = kit.read.ok_or("this game is not read from text")?;
    let state = read(&kit.game, text)?;
    Ok(Box::new(At { kit: Arc::clone(kit), state }))
}

/// The position of a deal's name, or of its number where deals have no other names.
pub(super) fn deal<G>(kit: &Arc<Kit<G>>, name: &str) -> Result<Box<dyn Placed>, String>
where
    G: Game + Send + Sync + 'static,
{
    let state = match (kit.named, kit.numbered) {
        (Some(named), _) => named(&kit.game, name)?,
        (None, Some(numbered)) => {
            let number = name.parse().map_err(|_| format!("`{name}` is no deal's number"))?;
            numbered(&kit.game, number)?
        }
        (None, None) => return Err("this game's deals have no numbers".to_owned()),
    };
    Ok(Box::new(At { kit: Arc::clone(kit), state }))
}

/// Thinks about a state; a planner gets only what the player knows of it.
pub(super) fn advise<G: Game + 'static>(
    kit: &Kit<G>,
    state: &G::State,
    call: &Call,
    budget: &Budget,
    seed: u64,
    cancel: &Cancel,
    watch: &mut dyn FnMut(&Stats),
) -> Result<Advice, CallError> {
    let planner = planners::planner(kit, call)?;
    let root = (kit.root)(&kit.game, state);
    let mut search = planner.search(&kit.game, root, Rng::named(seed, &["planner"]));
    let stats = search.run(budget, cancel, watch);
    let moves = search.estimates().into_iter().map(|estimate| {
        let half = estimate.error.map(|e| student(e.freedom, 0.95) * e.value);
        let end = |sign: f64| Some(estimate.value? + sign * half?);
        MoveAdvice {
            action: kit.action_text(state, estimate.action),
            value: estimate.value,
            low: end(-1.0),
            high: end(1.0),
            visits: estimate.visits,
            samples: estimate.visits,
            sure: search.is_sure(estimate.action),
        }
    });
    Ok(Advice {
        game: String::new(),
        planner: call.to_string(),
        seed,
        position: kit.show.as_ref().map_or(String::new(), |s| (s.state)(&kit.game, state)),
        best: search.best().map(|action| kit.action_text(state, action)),
        moves: moves.collect(),
        stats,
    })
}
