//! Where a search starts: at a state, or at a belief.

use std::any::Any;
use std::fmt::Debug;

use patience_model::{Game, Hidden, Rng};

/// States that the player may be in, with their probabilities.
pub trait Belief<G: Game>: Send {
    /// Draws a state.
    fn sample(&self, game: &G, rng: &mut Rng) -> G::State;

    /// A state drawn anew by what the player knows in this one, if that follows from the state: the belief
    /// there. Then a search can plan on beliefs that it meets.
    fn redraw(&self, _game: &G, _state: &G::State, _rng: &mut Rng) -> Option<G::State> {
        None
    }

    /// The belief itself, for planners of a game that know how it is made.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}

/// The belief that follows from what is known in a game with a [`Hidden`] part.
#[derive(Clone, Debug)]
pub struct Guess<K>(pub K);

impl<G: Hidden> Belief<G> for Guess<G::Known>
where
    G::Known: Send,
{
    fn sample(&self, game: &G, rng: &mut Rng) -> G::State {
        game.draw(&self.0, rng)
    }

    fn redraw(&self, game: &G, state: &G::State, rng: &mut Rng) -> Option<G::State> {
        Some(game.draw(&game.known(state), rng))
    }
}

/// Where a search starts.
pub enum Root<G: Game> {
    /// The player knows the state.
    Certain(G::State),
    /// The player has a belief; every simulation starts from a state drawn from it.
    Belief(Box<dyn Belief<G>>),
}

impl<G: Game> Root<G> {
    /// A state to start a simulation from.
    #[inline]
    pub fn sample(&self, game: &G, rng: &mut Rng) -> G::State {
        match self {
            Root::Certain(state) => state.clone(),
            Root::Belief(belief) => belief.sample(game, rng),
        }
    }
}

impl<G: Game> Debug for Root<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Root::Certain(_) => "Certain",
            Root::Belief(_) => "Belief",
        })
    }
}

/// Follows a match on behalf of a player who does not see everything: it is told what the player has
/// done and seen, and nothing else.
pub trait Tracker<G: Game>: Send {
    /// A move was played, and this was seen of it.
    fn observe(&mut self, action: G::Action, obs: G::Obs);

    /// Where a search starts now.
    fn root(&self) -> Root<G>;

    /// Why what was seen leads nowhere, if it does not.
    fn lost(&self) -> Option<String> {
        None
    }

    /// Whether nothing was found that agrees with what was seen, though there may be something.
    fn is_astray(&self) -> bool {
        false
    }
}
