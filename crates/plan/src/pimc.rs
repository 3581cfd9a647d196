//! Perfect-information Monte-Carlo: UCT in states that are drawn from the belief, as if they were seen.

use patience_model::{Game, Rng};

use crate::determinise::{Clairvoyant, Determinised, Ties, Values};
use crate::uct::{Leaf, Selection, Settings, Uct};
use crate::{Budget, Cancel, Counts, ParameterError, Planner, Root, Search};

/// Draws states from the belief, searches each by UCT as if it were seen, and averages the values of
/// actions (Ginsberg 2001; Long, Sturtevant, Buro and Furtak 2010): a baseline for planners that reckon
/// with what is hidden.
///
/// What is seen of a drawn state is all of it now; of what chance changes later only what observations tell.
///
/// Guarantees: anytime. Not optimal, however long it searches: to who believes to see everything
/// information is worth nothing.
#[derive(Clone, Debug)]
pub struct Pimc<L> {
    uct: Uct<L>,
    samples: Option<u64>,
    iterations: u64,
}

impl<L> Pimc<L> {
    /// A planner with so many samples (`None`: as many as the budget allows), episodes in each, and bonus.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(
        samples: Option<u64>,
        iterations: u64,
        c: f64,
        leaf: L,
    ) -> Result<Self, ParameterError> {
        let above_0 = "a whole number above 0";
        ParameterError::check("iterations", iterations, |&n| n > 0, above_0)?;
        if let Some(n) = samples {
            ParameterError::check("samples", n, |&n| n > 0, above_0)?;
        }
        let settings = Settings { selection: Selection::Ucb1 { c }, ..Settings::default() };
        Ok(Pimc { uct: Uct::new(settings, leaf)?, samples, iterations })
    }
}

impl<G: Game, L: Leaf<G> + Clone + 'static> Planner<G> for Pimc<L> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g> {
        let search = Determinised::new(game, root, rng, self.clone(), Ties::Random);
        match self.samples {
            Some(samples) => Box::new(search.with_samples(samples)),
            None => Box::new(search),
        }
    }

    fn ends(&self) -> bool {
        self.samples.is_some()
    }
}

impl<G: Game, L: Leaf<G> + Clone + 'static> Clairvoyant<G> for Pimc<L> {
    fn search(
        &mut self,
        game: &G,
        state: G::State,
        rng: &mut Rng,
        values: &mut Values<G::Action>,
    ) -> Counts {
        let stream = Rng::new(rng.next_u64());
        let mut search = self.uct.search(game, Root::Certain(state), stream);
        let stats = search.run(&Budget::iterations(self.iterations), &Cancel::new());
        for estimate in search.estimates() {
            if let Some(value) = estimate.value {
                values.add(estimate.action, value, estimate.visits);
            }
        }
        stats.counts
    }
}
