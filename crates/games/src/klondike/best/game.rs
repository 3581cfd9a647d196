//! A game from its start to its end.

use patience_model::{Game, Rng};
use patience_plan::{Budget, Cancel, Planner, Root};

use super::super::{Klondike, State};
use super::Best;

/// Samples per decision of a player who names none.
const SAMPLES: u64 = 50;

impl Best {
    /// Plays a game from a state to its end and says whether it was won. The state must fix what is
    /// face down, or it is drawn; the player sees none of it.
    pub fn play(&self, game: &Klondike, start: &State, mut rng: Rng) -> bool {
        let mut state = *start;
        let player = Rng::new(rng.next_u64());
        let mut search = self.search(game, Root::Certain(game.open(&state)), player);
        let budget = match self.settings.samples {
            Some(_) => Budget::UNLIMITED,
            None => Budget::iterations(SAMPLES),
        };
        loop {
            search.run(&budget, &Cancel::new());
            let Some(action) = search.best() else { return game.is_won(&state) };
            let step = game.step(&mut state, action, &mut rng);
            search.advance(action, step.obs, Root::Certain(game.open(&state)));
        }
    }
}
