//! What the player has done and seen: can it have happened?

use patience::gdl::belief::{BeliefError, BeliefTree};
use patience::gdl::{GdlGame, GdlState, Move, Percepts, RunError, World};
use patience::model::Rng;

/// What the player has done and seen, to find out whether it can have happened.
pub(super) struct Past<W: World>(BeliefTree<W>);

impl<W: World> Past<W> {
    pub(super) fn new(game: &GdlGame<W>) -> Self {
        Past(BeliefTree::new(game.clone()))
    }

    /// Whether nothing that was found agrees with all that was seen.
    pub(super) fn is_astray(&self) -> bool {
        self.0.is_astray()
    }

    /// Draws a state that agrees with all that was seen, as [`Past::observe`] does.
    pub(super) fn draw(&mut self, rng: &mut Rng) -> Result<GdlState<W::Position>, BeliefError> {
        self.0.sample(rng)
    }

    /// Goes on, and gives a state that agrees with all that was seen, or, where so much can have
    /// happened that none is found, nearly does. What cannot have happened is taken back.
    pub(super) fn observe(
        &mut self,
        own: Move,
        seen: Percepts,
        rng: &mut Rng,
    ) -> Result<GdlState<W::Position>, Unknown> {
        self.0.observe(own, seen);
        self.0.sample(rng).map_err(|error| match error {
            BeliefError::Run(error) => Unknown::Late(error),
            BeliefError::Impossible { .. } => {
                self.0.take_back();
                Unknown::Impossible
            }
        })
    }
}

/// Why no state is known that agrees with what was seen.
pub(super) enum Unknown {
    /// There is none.
    Impossible,
    /// It was not found in time. It may be later.
    Late(RunError),
}
