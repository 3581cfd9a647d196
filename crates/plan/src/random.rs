//! The baseline: any legal action.

use patience_model::{Game, Rng};

use crate::{Counts, Estimate, Planner, Root, Search, Status, Stepped};

/// Recommends a legal action, each alike, without looking at anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Random;

impl<G: Game> Planner<G> for Random {
    fn search<'g>(&self, game: &'g G, root: Root<G>, mut rng: Rng) -> Box<dyn Search<G> + 'g> {
        let mut actions = Vec::new();
        game.actions(&root.sample(game, &mut rng), &mut actions);
        let choice = if actions.is_empty() { 0 } else { rng.index(actions.len()) };
        Box::new(Choice { actions, choice })
    }

    fn ends(&self) -> bool {
        true
    }
}

struct Choice<A> {
    actions: Vec<A>,
    choice: usize,
}

impl<A> Stepped for Choice<A> {
    fn step(&mut self) -> Status {
        Status::Complete
    }

    fn counts(&self) -> Counts {
        Counts::default()
    }
}

impl<G: Game> Search<G> for Choice<G::Action> {
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let unknown = |&action| Estimate::untried(action);
        self.actions.iter().map(unknown).collect()
    }

    fn best(&self) -> Option<G::Action> {
        self.actions.get(self.choice).copied()
    }
}
