//! A described game as people see it.

use patience_model::{Scene, Shown, Text};

use super::{GdlGame, World};

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
