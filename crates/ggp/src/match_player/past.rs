//! What the player has done and seen: can it have happened?

use patience::gdl::belief::{BeliefError, BeliefTree};
use patience::gdl::{GdlGame, GdlState, Move, Percepts, RunError, World};
use patience::model::{Game, Rng};

/// More moves of the other roles at a time than these are not all followed by a [`BeliefTree`].
const MOST_MOVES: usize = 4_096;

/// What the player has done and seen, to find out whether it can have happened.
pub(super) struct Past<W: World> {
    tree: BeliefTree<W>,
    /// Whether all that can have happened is followed.
    complete: bool,
}

impl<W: World> Past<W> {
    pub(super) fn new(game: &GdlGame<W>) -> Self {
        let mut past = Past { tree: BeliefTree::new(game.clone()), complete: true };
        past.count(game, &game.start(&mut Rng::new(0)));
        past
    }

    /// Counts what the other roles can do here.
    fn count(&mut self, game: &GdlGame<W>, state: &GdlState<W::Position>) {
        let mut moves = Vec::new();
        let mut count = 1usize;
        for role in (0..game.role_count()).filter(|&role| role != game.role()) {
            game.network().legal(&state.position, role, &mut moves);
            count = count.saturating_mul(moves.len());
        }
        self.complete &= count <= MOST_MOVES;
    }

    /// Goes on, and gives a state that agrees with all that was seen. Without one the last step is
    /// taken back; `None` if it cannot be.
    pub(super) fn observe(
        &mut self,
        game: &GdlGame<W>,
        own: Move,
        seen: Percepts,
        rng: &mut Rng,
    ) -> Option<Result<GdlState<W::Position>, Unknown>> {
        self.tree.observe(own, seen);
        match self.tree.sample(rng) {
            Ok(state) => {
                self.count(game, &state);
                return Some(Ok(state));
            }
            Err(BeliefError::Run(error)) => return Some(Err(Unknown::Late(error))),
            Err(BeliefError::Tries { .. }) => return None,
            Err(BeliefError::Impossible { .. }) => {}
        }
        let history = self.tree.history().filter(|_| self.complete)?.to_vec();
        self.tree = BeliefTree::new(game.clone());
        for &(own, seen) in &history[..history.len().saturating_sub(1)] {
            self.tree.observe(own, seen);
        }
        Some(Err(Unknown::Impossible))
    }
}

/// Why no state is known that agrees with what was seen.
pub(super) enum Unknown {
    /// There is none.
    Impossible,
    /// It was not found in time. It may be later.
    Late(RunError),
}
