//! A described game as people see it.

use patience_model::{Game, Scene, Shown, Text};

use super::{GdlGame, Percepts, World};

impl<W: World> GdlGame<W> {
    /// What the deciding role saw of its last move: the percepts of `obs`, which came with the step
    /// to `state`. Empty where all moves are seen, for then there are no percepts.
    pub fn obs_text(&self, state: &<Self as Game>::State, obs: Percepts) -> String {
        let world = self.network();
        if self.sees_all() || world.seen(&state.position, self.role()) != obs {
            return String::new();
        }
        world.percept_texts(&state.position, self.role()).join(" ")
    }
}

impl<W: World> Shown for GdlGame<W> {
    fn title(&self) -> String {
        self.name().unwrap_or("Described game").to_owned()
    }

    /// The facts that hold; where the role does not see all, only what it saw of the last move.
    fn scene(&self, state: &Self::State) -> Scene {
        if self.sees_all() {
            return Scene::Text { text: self.state_text(state), seen: String::new() };
        }
        let obs = self.network().seen(&state.position, self.role());
        Scene::Text { text: String::new(), seen: self.obs_text(state, obs) }
    }
}
