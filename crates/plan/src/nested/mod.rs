//! Nested Monte-Carlo tree search (Baier and Winands 2012): one engine for deterministic games.
//!
//! | search | settings |
//! |---|---|
//! | single-player MCTS | one [`Level::global`] |
//! | multi-start MCTS | one level, several `starts` |
//! | NMCTS of level n | n levels, each with its own parameters |
//! | action-by-action search | [`Level::by_action`], on any level |
//! | NMCS of level n | n times [`Level::nmcs`] |
//!
//! Level 0 is a rollout by a [`BasePolicy`]; a search of level n values its leaves by searches of
//! level n − 1 and hands their best solution up (Listing 2). The best solution found is kept
//! ([`NestedSearch::solution`]), at every moment.
//!
//! **Guarantees.** Anytime: the best solution never gets worse, and replaying it brings its value.
//! Deterministic for a given stream unless a level is limited by time. With C above 0 every action
//! of every node of the highest level's tree is tried without end, so in a finite game its global
//! search finds an optimal solution in the limit. Chance is not modelled: on a game with chance a
//! solution is only what happened once.

mod base;
mod frame;
mod search;
mod settings;
mod solution;

use patience_model::{Game, Rng};

pub use base::BasePolicy;
pub use search::NestedSearch;
pub use settings::{Advance, Choice, Level, Limit, NestedSettings};
pub use solution::Solution;

pub use crate::tree::Untried;
use crate::{ParameterError, Planner, Root, Search};

/// The planner: parameters of all levels, and the base policy.
#[derive(Clone, Debug)]
pub struct Nested<B> {
    settings: NestedSettings,
    base: B,
}

impl<B> Nested<B> {
    /// A planner with these levels.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(settings: NestedSettings, base: B) -> Result<Self, ParameterError> {
        settings.check()?;
        Ok(Nested { settings, base })
    }

    /// The parameters.
    pub fn settings(&self) -> &NestedSettings {
        &self.settings
    }

    /// Starts a search, by its own type.
    pub fn solver<'g, G: Game>(
        &self,
        game: &'g G,
        root: &Root<G>,
        rng: Rng,
    ) -> NestedSearch<'g, G, B>
    where
        B: BasePolicy<G>,
    {
        NestedSearch::new(self.settings.clone(), self.base.clone(), game, root, rng)
    }
}

impl<G: Game, B: BasePolicy<G> + 'static> Planner<G> for Nested<B> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g> {
        Box::new(self.solver(game, &root, rng))
    }

    fn ends(&self) -> bool {
        self.settings.starts.is_some()
    }
}
