//! Hindsight optimisation (Klondike paper, section "Hindsight Optimization"): every action is
//! tried on samples of the hidden cards, each solved as if all cards were known.

use patience_model::{Game, Rng};
use patience_plan::{
    Counts, Estimate, ParameterError, Planner, Root, Search, StandardError, Status, Stepped,
};

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
    ties: Ties,
    of_decision: bool,
}

/// Which of several actions is taken after which as many samples were won. The paper does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first in the order of preference.
    #[default]
    Preferred,
    /// Any of them.
    Random,
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
        mut rng: Rng,
    ) -> Box<dyn Search<Klondike> + 'g> {
        let mut actions = Vec::new();
        game.actions(&root.sample(game, &mut rng), &mut actions);
        let won = vec![0; actions.len()];
        let Hop { samples, solver, ties, of_decision } = self.clone();
        let samples = u64::from(samples) * if of_decision { 1 } else { actions.len() as u64 };
        // The actions are tried in the order in which equals are taken.
        if ties == Ties::Random {
            rng.shuffle(&mut actions);
        }
        Box::new(HopSearch { game, root, rng, samples, solver, actions, won, tried: 0, nodes: 0 })
    }

    fn ends(&self) -> bool {
        true
    }
}

struct HopSearch<'g> {
    game: &'g Klondike,
    root: Root<Klondike>,
    rng: Rng,
    /// Samples in all.
    samples: u64,
    solver: NestedRollout,
    actions: Vec<Action>,
    /// By action, how many samples were won.
    won: Vec<u32>,
    /// Samples so far, of all actions in turn.
    tried: u64,
    nodes: u64,
}

impl HopSearch<'_> {
    /// Samples of the action at a place.
    fn tries(&self, place: usize) -> u64 {
        let actions = self.actions.len().max(1) as u64;
        self.tried / actions + u64::from((place as u64) < self.tried % actions)
    }

    fn sample(&mut self) -> State {
        self.root.sample(self.game, &mut self.rng).dealt(&mut self.rng)
    }
}

impl Stepped for HopSearch<'_> {
    /// One sample of one action.
    fn step(&mut self) -> Status {
        let actions = self.actions.len();
        if actions == 0 || self.tried >= self.samples {
            return Status::Complete;
        }
        let place = (self.tried % actions as u64) as usize;
        let mut state = self.sample();
        self.game.step(&mut state, self.actions[place], &mut self.rng);
        let (won, nodes) = self.solver.wins(self.game, &state, &mut self.rng);
        self.won[place] += u32::from(won);
        self.nodes += nodes + 1;
        self.tried += 1;
        Status::Running
    }

    fn counts(&self) -> Counts {
        Counts { iterations: self.tried, model_calls: self.nodes, nodes: 0, bytes: 0 }
    }
}

impl Search<Klondike> for HopSearch<'_> {
    fn estimates(&self) -> Vec<Estimate<Action>> {
        let estimate = |(place, &action): (usize, &Action)| {
            let visits = self.tries(place);
            let share = f64::from(self.won[place]) / visits as f64;
            let spread = share * (1.0 - share) / (visits.max(2) - 1) as f64;
            let error = StandardError { value: spread.sqrt(), freedom: visits.max(2) - 1 };
            // A share of games won.
            let ends = wilson(share, visits);
            let estimate = Estimate::new(action, (visits > 0).then_some(share), visits);
            estimate.with_error((visits > 1).then_some(error)).within(ends)
        };
        self.actions.iter().enumerate().map(estimate).collect()
    }

    /// Of equals the first.
    fn best(&self) -> Option<Action> {
        let mut best: Option<(f64, Action)> = None;
        for (place, &action) in self.actions.iter().enumerate() {
            let share = f64::from(self.won[place]) / self.tries(place).max(1) as f64;
            if best.is_none_or(|(most, _)| share > most) {
                best = Some((share, action));
            }
        }
        best.map(|(_, action)| action)
    }
}

/// Wilson's 95% interval of a share of games won.
pub(in crate::klondike) fn wilson(share: f64, tries: u64) -> Option<(f64, f64)> {
    if tries == 0 {
        return None;
    }
    let (tries, z2) = (tries as f64, 1.96_f64.powi(2));
    let middle = (share + z2 / (2.0 * tries)) / (1.0 + z2 / tries);
    let half = (z2 * (share * (1.0 - share) + z2 / (4.0 * tries)) / tries).sqrt();
    let half = half / (1.0 + z2 / tries);
    Some(((middle - half).max(0.0), (middle + half).min(1.0)))
}
