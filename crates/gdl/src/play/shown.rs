//! A described game as people see it.

use patience_model::{Label, Scene, Shown, Text};

use super::grid::Grid;
use super::{GdlGame, Move, World};

impl<W: World> GdlGame<W> {
    /// The board that the initial facts form, or the first moves name, if all is seen.
    fn grid(&self) -> Option<Grid> {
        if !self.sees_all() {
            return None;
        }
        let world = self.network();
        let start = world.position();
        let moves = || {
            let mut moves = Vec::new();
            for role in 0..self.role_count() {
                let mut say = |number| moves.push(world.move_text(role, number));
                world.for_each_legal(&start, role, &mut say);
            }
            moves
        };
        Grid::of(&world.facts(&start)).or_else(|| Grid::of_moves(&moves()))
    }
}

impl<W: World> Shown for GdlGame<W> {
    fn title(&self) -> String {
        self.name().unwrap_or("Described game").to_owned()
    }

    /// The facts that hold, as a board where they form one; where the role does not see all, only what
    /// it saw of the last move.
    fn scene(&self, state: &Self::State) -> Scene {
        let seen = String::new();
        if self.sees_all() {
            let facts = self.network().facts(&state.position);
            return match self.grid().and_then(|grid| grid.rows(&facts)) {
                Some((rows, text)) => Scene::Grid { rows, text, seen },
                None => Scene::Text { text: self.state_text(state), seen },
            };
        }
        let obs = self.network().seen(&state.position, self.role());
        Scene::Text { text: String::new(), seen: self.obs_text(state, obs) }
    }

    fn label(&self, state: &Self::State, action: Move) -> Label {
        let text = self.action_text(state, action);
        let (cells, count) = self.grid().map_or_else(Default::default, |grid| grid.squares(&text));
        Label { cells, count, ..Label::words(text) }
    }
}
