//! Value iteration over the states that can be reached from the root.

use std::fmt;

use patience_model::{Keyed, Outcomes, Rng};

use crate::listed_model::{ListedModel, ROOT};
use crate::{Counts, Estimate, ParameterError, Planner, Root, Search, Status, Stepped};

/// Value iteration: lists the states that can be reached, then sweeps over them until no value
/// changes by `epsilon` or more in a sweep.
///
/// A sweep is Gauss–Seidel (new values are used at once) and goes from the states found last to
/// the root, since values flow that way in most problems. All values start at 0. Where the
/// opponent is to move the smallest action value is taken: minimax value iteration.
///
/// Guarantees, once complete: with discount γ < 1 every value is within ε γ / (1 − γ) of the exact
/// one; in problems that end within n moves, within ε n; in stochastic shortest path problems,
/// where every move costs something and the end can be reached, values tend to the exact ones as ε
/// tends to 0. Elsewhere it need not complete.
///
/// A step lists some states or, once all are known, is one sweep. A model call is one listing of
/// an action's outcomes. The planner wants certainty: of a belief it takes one drawn state.
#[derive(Clone, Copy, Debug)]
pub struct ValueIteration {
    epsilon: f64,
}

impl ValueIteration {
    /// A planner that sweeps until values change by less than `epsilon`.
    ///
    /// # Errors
    /// If `epsilon` is not above 0.
    pub fn new(epsilon: f64) -> Result<Self, ParameterError> {
        ParameterError::check("epsilon", epsilon, |&e| e > 0.0, "a number above 0")?;
        Ok(ValueIteration { epsilon })
    }

    /// Starts a search whose table of values can be read.
    pub fn start<'g, G: Outcomes + Keyed>(
        &self,
        game: &'g G,
        root: Root<G>,
        mut rng: Rng,
    ) -> ValueIterationSearch<'g, G> {
        let state = root.sample(game, &mut rng);
        let mut root_actions = Vec::new();
        game.actions(&state, &mut root_actions);
        ValueIterationSearch {
            epsilon: self.epsilon,
            model: ListedModel::new(game, state),
            listed: 0,
            status: if root_actions.is_empty() { Status::Complete } else { Status::Running },
            residual: if root_actions.is_empty() { 0.0 } else { f64::INFINITY },
            root_actions,
            steps: 0,
            sweeps: 0,
        }
    }
}

impl<G: Outcomes + Keyed> Planner<G> for ValueIteration {
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g> {
        Box::new(self.start(game, root, rng))
    }

    fn ends(&self) -> bool {
        true
    }
}

/// Value iteration under way, with its table of values.
pub struct ValueIterationSearch<'g, G: Outcomes + Keyed> {
    epsilon: f64,
    model: ListedModel<'g, G>,
    /// States whose actions are listed: those found first.
    listed: usize,
    root_actions: Vec<G::Action>,
    status: Status,
    residual: f64,
    steps: u64,
    sweeps: u64,
}

/// States listed in one step: few enough that a budget of time or memory is met closely.
const STATES_PER_STEP: usize = 256;

impl<G: Outcomes + Keyed> ValueIterationSearch<'_, G> {
    /// The value of a state; `None` if the root does not lead to it, or it was not yet found.
    pub fn value(&self, key: &G::Key) -> Option<f64> {
        self.model.find(key).map(|state| self.model.value(state))
    }

    /// All states found so far with their values, in no particular order.
    pub fn values(&self) -> impl Iterator<Item = (&G::Key, f64)> + '_ {
        self.model.keys().map(|(key, state)| (key, self.model.value(state)))
    }

    /// The largest change of a value in the last sweep; infinite before the first, 0
    /// where the game is over at the root.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    fn list_states(&mut self) {
        for _ in 0..STATES_PER_STEP {
            if self.listed == self.model.len() {
                return;
            }
            self.model.list(self.listed);
            self.listed += 1;
        }
    }

    fn sweep(&mut self) {
        self.residual = 0.0;
        let mut settled = true;
        for state in (0..self.model.len()).rev() {
            let Some((_, value)) = self.model.best(state) else { continue };
            let change = (value - self.model.value(state)).abs();
            self.residual = self.residual.max(change);
            // Asked of each change, since `max` swallows one that is not a number.
            settled &= change < self.epsilon;
            self.model.set_value(state, value);
        }
        self.sweeps += 1;
        if settled {
            self.status = Status::Complete;
        }
    }
}

impl<G: Outcomes + Keyed> Stepped for ValueIterationSearch<'_, G> {
    fn step(&mut self) -> Status {
        if self.status == Status::Complete {
            return Status::Complete;
        }
        self.steps += 1;
        if self.listed == self.model.len() {
            self.sweep();
        } else {
            self.list_states();
        }
        self.status
    }

    fn counts(&self) -> Counts {
        Counts {
            iterations: self.steps,
            model_calls: self.model.calls,
            nodes: self.model.len() as u64,
            bytes: self.model.bytes(),
        }
    }
}

impl<G: Outcomes + Keyed> Search<G> for ValueIterationSearch<'_, G> {
    /// Values are those of the current table, `None` before the first sweep; visits are sweeps.
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let estimate = |(arm, &action): (usize, &G::Action)| {
            let swept = self.sweeps > 0;
            let value = swept.then(|| self.model.action_value(arm));
            Estimate::new(action, value, self.sweeps)
        };
        self.root_actions.iter().enumerate().map(estimate).collect()
    }

    /// The best action by the current table, the first of equals; before the first sweep the
    /// game's first action.
    fn best(&self) -> Option<G::Action> {
        let mut best: Option<(G::Action, f64)> = None;
        for estimate in self.estimates() {
            let Some(value) = estimate.value else { continue };
            let minimising = self.model.minimising(ROOT);
            if best.is_none_or(|(_, b)| if minimising { value < b } else { value > b }) {
                best = Some((estimate.action, value));
            }
        }
        best.map(|(action, _)| action).or(self.root_actions.first().copied())
    }
}

impl<G: Outcomes + Keyed> fmt::Debug for ValueIterationSearch<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueIterationSearch")
            .field("states", &self.model.len())
            .field("sweeps", &self.sweeps)
            .field("residual", &self.residual)
            .finish_non_exhaustive()
    }
}
