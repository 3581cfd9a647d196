//! Hindsight optimisation (Klondike paper, section "Hindsight Optimization"): every action is
//! tried on samples of the hidden cards, each solved as if all cards were known.

use patience_model::{Game, Rng};
pub use patience_plan::determinise::Ties;
use patience_plan::determinise::{Clairvoyant, Determinised, Values};
use patience_plan::{Counts, Estimate, ParameterError, Planner, Root, Search, StandardError};

use super::nested::NestedRollout;
use super::state::State;
use super::{Action, Klondike};

/// HOP: recommends the action after which most samples were won.
///
/// **Guarantees**: ends by itself. It values clairvoyance: where the face-down cards decide what
/// is right, it takes for certain what is luck (the paper's "averaging over clairvoyance").
#[derive(Clone, Debug)]
pub struct Hop {
    samples: u32,
    solver: NestedRollout,
    /// The paper does not say which of equals is taken.
    ties: Ties,
    of_decision: bool,
}

impl Hop {
    /// So many samples for each action of a decision, each solved by a nested rollout.
    ///
    /// # Errors
    /// If there is to be no sample.
    pub fn new(samples: u32, solver: NestedRollout) -> Result<Hop, ParameterError> {
        ParameterError::check("samples", samples, |&n| n > 0, "a whole number above 0")?;
        Ok(Hop { samples, solver, ties: Ties::default(), of_decision: false })
    }

    /// The same with so many samples for a decision, dealt out to its actions in turn.
    pub fn with_samples_of_decision(mut self) -> Hop {
        self.of_decision = true;
        self
    }

    /// The same with another choice among equals.
    pub fn with_ties(mut self, ties: Ties) -> Hop {
        self.ties = ties;
        self
    }
}

impl Planner<Klondike> for Hop {
    fn search<'g>(
        &self,
        game: &'g Klondike,
        root: Root<Klondike>,
        rng: Rng,
    ) -> Box<dyn Search<Klondike> + 'g> {
        let search = Determinised::new(game, root, rng, self.solver.clone(), self.ties);
        let actions = if self.of_decision { 1 } else { search.actions().len() as u64 };
        Box::new(search.with_samples(u64::from(self.samples) * actions))
    }

    fn ends(&self) -> bool {
        true
    }
}

/// A sample is solved after one action, each in its turn.
impl Clairvoyant<Klondike> for NestedRollout {
    fn search(
        &mut self,
        game: &Klondike,
        state: State,
        rng: &mut Rng,
        values: &mut Values<Action>,
    ) -> Counts {
        let mut state = state.dealt(rng);
        let Some(action) = values.turn() else { return Counts::default() };
        game.step(&mut state, action, rng);
        let (won, nodes) = self.wins(game, &state, rng);
        values.add(action, f64::from(u8::from(won)), 1);
        Counts { model_calls: nodes + 1, ..Counts::default() }
    }

    /// A share of games won.
    fn with_error(&self, estimate: Estimate<Action>) -> Estimate<Action> {
        let (Some(share), visits) = (estimate.value, estimate.visits) else { return estimate };
        let freedom = visits.max(2) - 1;
        let value = (share * (1.0 - share) / freedom as f64).sqrt();
        let error = (visits > 1).then_some(StandardError { value, freedom });
        estimate.with_error(error).within(wilson(share, visits))
    }
}

/// Wilson's 95% interval of a share of games won.
fn wilson(share: f64, tries: u64) -> Option<(f64, f64)> {
    if tries == 0 {
        return None;
    }
    let (tries, z2) = (tries as f64, 1.96_f64.powi(2));
    let middle = (share + z2 / (2.0 * tries)) / (1.0 + z2 / tries);
    let half = (z2 * (share * (1.0 - share) + z2 / (4.0 * tries)) / tries).sqrt();
    let half = half / (1.0 + z2 / tries);
    Some(((middle - half).max(0.0), (middle + half).min(1.0)))
}
