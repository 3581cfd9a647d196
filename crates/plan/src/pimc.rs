//! Perfect-information Monte-Carlo: UCT in states that are drawn from the belief, as if they were seen.

use patience_model::{Game, Rng};

use crate::determinise::{Ties, Values};
use crate::uct::{Leaf, Selection, Settings, Uct};
use crate::{Counts, Estimate, ParameterError, Planner, Root, Search, Status, Stepped};

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
    fn search<'g>(&self, game: &'g G, root: Root<G>, mut rng: Rng) -> Box<dyn Search<G> + 'g> {
        let values = Values::new(game, &root, &mut rng, Ties::Random);
        let (pimc, counts) = (self.clone(), Counts::default());
        Box::new(Sampling { game, root, rng, pimc, values, sample: None, counts })
    }

    fn ends(&self) -> bool {
        self.samples.is_some()
    }
}

/// The search: one sample after the other, each episode by episode.
struct Sampling<'g, G: Game, L> {
    game: &'g G,
    root: Root<G>,
    rng: Rng,
    pimc: Pimc<L>,
    values: Values<G::Action>,
    sample: Option<Box<dyn Search<G> + 'g>>,
    counts: Counts,
}

impl<G: Game, L: Leaf<G> + Clone + 'static> Sampling<'_, G, L> {
    /// What is known, with the first sample as far as it is.
    fn so_far(&self) -> Values<G::Action> {
        let mut values = self.values.clone();
        if let Some(sample) = self.sample.as_ref().filter(|_| values.samples() == 0) {
            add(&mut values, &**sample);
        }
        values
    }
}

fn add<G: Game>(values: &mut Values<G::Action>, sample: &dyn Search<G>) {
    for estimate in sample.estimates() {
        if let Some(value) = estimate.value {
            values.add(estimate.action, value, estimate.visits);
        }
    }
}

impl<G: Game, L: Leaf<G> + Clone + 'static> Stepped for Sampling<'_, G, L> {
    /// One episode in a sample.
    fn step(&mut self) -> Status {
        if self.values.enough(self.pimc.samples) {
            return Status::Complete;
        }
        let sample = self.sample.get_or_insert_with(|| {
            let state = self.root.sample(self.game, &mut self.rng);
            let stream = Rng::new(self.rng.next_u64());
            self.pimc.uct.search(self.game, Root::Certain(state), stream)
        });
        let before = sample.counts();
        let status = sample.step();
        let after = sample.counts();
        // A sample in which nothing can be done counts too, or a budget would never be spent.
        self.counts.iterations += (after.iterations - before.iterations).max(1);
        self.counts.model_calls += after.model_calls - before.model_calls;
        (self.counts.nodes, self.counts.bytes) = (after.nodes, after.bytes);
        if status != Status::Running || after.iterations >= self.pimc.iterations {
            add(&mut self.values, &**sample);
            self.values.count();
            self.sample = None;
        }
        Status::Running
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<G: Game, L: Leaf<G> + Clone + 'static> Search<G> for Sampling<'_, G, L> {
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        self.so_far().estimates().collect()
    }

    fn best(&self) -> Option<G::Action> {
        self.so_far().best()
    }
}
