//! The baseline of a game that lists its actions in an order of preference.

use patience_model::{Game, Rng};

use crate::{Counts, Estimate, Planner, Root, Search, Status, Stepped};

/// Recommends the first legal action in the game's order: greedy where that order is one of
/// preference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct First;

impl<G: Game> Planner<G> for First {
    fn search<'g>(&self, game: &'g G, root: Root<G>, mut rng: Rng) -> Box<dyn Search<G> + 'g> {
        let mut actions = Vec::new();
        game.actions(&root.sample(game, &mut rng), &mut actions);
        Box::new(Listed(actions))
    }

    fn ends(&self) -> bool {
        true
    }
}

struct Listed<A>(Vec<A>);

impl<A> Stepped for Listed<A> {
    fn step(&mut self) -> Status {
        Status::Complete
    }

    fn counts(&self) -> Counts {
        Counts::default()
    }
}

impl<G: Game> Search<G> for Listed<G::Action> {
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let unknown = |&action| Estimate::untried(action);
        self.0.iter().map(unknown).collect()
    }

    fn best(&self) -> Option<G::Action> {
        self.0.first().copied()
    }
}
