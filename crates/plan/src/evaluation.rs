//! The evaluation function: what a state seems worth where a search stops looking.

use std::fmt;
use std::sync::Arc;

use patience_model::Game;

/// Guesses the value of a state: the discounted sum of the rewards still to come, from the
/// maximising player's view.
///
/// Section 3.2 of the UCT paper gives every planner the same one. A planner asks only for states
/// in which the game goes on; where it is over the value is 0 by definition. Any function
/// `(&game, &state) -> f64` is an evaluation.
pub trait Evaluation<G: Game>: Send + Sync {
    /// The guess for this state; finite.
    fn value(&self, game: &G, state: &G::State) -> f64;
}

/// Knows nothing: every state is worth 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zero;

impl<G: Game> Evaluation<G> for Zero {
    #[inline]
    fn value(&self, _game: &G, _state: &G::State) -> f64 {
        0.0
    }
}

impl<G: Game, F> Evaluation<G> for F
where
    F: Fn(&G, &G::State) -> f64 + Send + Sync,
{
    #[inline]
    fn value(&self, game: &G, state: &G::State) -> f64 {
        self(game, state)
    }
}

/// An evaluation function whose type is not known until the program runs.
pub struct Shared<G: Game>(pub Arc<dyn Evaluation<G>>);

impl<G: Game> Clone for Shared<G> {
    fn clone(&self) -> Self {
        Shared(Arc::clone(&self.0))
    }
}

impl<G: Game> fmt::Debug for Shared<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared")
    }
}

impl<G: Game> Evaluation<G> for Shared<G> {
    fn value(&self, game: &G, state: &G::State) -> f64 {
        self.0.value(game, state)
    }
}
