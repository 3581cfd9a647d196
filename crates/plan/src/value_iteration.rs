//! Value iteration over the states that can be reached from the root.

use std::collections::VecDeque;
use std::fmt;

use patience_model::{Keyed, Outcome, Outcomes, Rng};
use rustc_hash::FxHashMap;

use crate::empirical_model::map_bytes;
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
            game,
            epsilon: self.epsilon,
            index: FxHashMap::from_iter([(game.key(&state), 0)]),
            values: vec![0.0],
            waiting: VecDeque::from([state]),
            states: Vec::new(),
            arms: Vec::new(),
            chances: Vec::new(),
            status: if root_actions.is_empty() { Status::Complete } else { Status::Running },
            residual: if root_actions.is_empty() { 0.0 } else { f64::INFINITY },
            root_actions,
            actions: Vec::new(),
            outcomes: Vec::new(),
            steps: 0,
            sweeps: 0,
            model_calls: 0,
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

/// A state's actions: where they end in `arms` (they begin where the last state's end).
struct State {
    arms_end: usize,
    minimising: bool,
}

/// An action: its expected reward, and where its outcomes end in `chances`.
struct Arm {
    reward: f64,
    chances_end: usize,
}

/// An outcome: how likely it is, and the state that it leads to.
struct Chance {
    probability: f64,
    state: usize,
}

/// Value iteration under way, with its table of values.
pub struct ValueIterationSearch<'g, G: Outcomes + Keyed> {
    game: &'g G,
    epsilon: f64,
    index: FxHashMap<G::Key, usize>,
    /// By the order in which states were found; the root is the first.
    values: Vec<f64>,
    /// States found whose actions are not yet listed.
    waiting: VecDeque<G::State>,
    states: Vec<State>,
    arms: Vec<Arm>,
    chances: Vec<Chance>,
    root_actions: Vec<G::Action>,
    actions: Vec<G::Action>,
    outcomes: Vec<Outcome<G::State, G::Obs>>,
    status: Status,
    residual: f64,
    steps: u64,
    sweeps: u64,
    model_calls: u64,
}

/// States listed in one step: few enough that a budget of time or memory is met closely.
const STATES_PER_STEP: usize = 256;

impl<G: Outcomes + Keyed> ValueIterationSearch<'_, G> {
    /// The value of a state; `None` if the root does not lead to it, or it was not yet found.
    pub fn value(&self, key: &G::Key) -> Option<f64> {
        self.index.get(key).map(|&state| self.values[state])
    }

    /// All states found so far with their values, in no particular order.
    pub fn values(&self) -> impl Iterator<Item = (&G::Key, f64)> + '_ {
        self.index.iter().map(|(key, &state)| (key, self.values[state]))
    }

    /// The largest change of a value in the last sweep; infinite before the first, 0
    /// where the game is over at the root.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    fn list_states(&mut self) {
        for _ in 0..STATES_PER_STEP {
            let Some(state) = self.waiting.pop_front() else { return };
            self.game.actions(&state, &mut self.actions);
            for &action in &self.actions {
                self.game.outcomes(&state, action, &mut self.outcomes);
                self.model_calls += 1;
                let mut reward = 0.0;
                for outcome in self.outcomes.drain(..) {
                    reward += outcome.probability * outcome.step.reward;
                    let found = self.values.len();
                    let next = *self.index.entry(self.game.key(&outcome.state)).or_insert(found);
                    if next == found {
                        self.values.push(0.0);
                        self.waiting.push_back(outcome.state);
                    }
                    self.chances.push(Chance { probability: outcome.probability, state: next });
                }
                self.arms.push(Arm { reward, chances_end: self.chances.len() });
            }
            let minimising = self.game.minimising(&state);
            self.states.push(State { arms_end: self.arms.len(), minimising });
        }
    }

    /// Where a state's actions are in `arms`.
    fn arms(&self, state: usize) -> std::ops::Range<usize> {
        let begin = state.checked_sub(1).map_or(0, |before| self.states[before].arms_end);
        begin..self.states[state].arms_end
    }

    fn action_value(&self, arm: usize, discount: f64) -> f64 {
        let begin = arm.checked_sub(1).map_or(0, |before| self.arms[before].chances_end);
        let chances = &self.chances[begin..self.arms[arm].chances_end];
        let next: f64 = chances.iter().map(|c| c.probability * self.values[c.state]).sum();
        self.arms[arm].reward + discount * next
    }

    fn sweep(&mut self) {
        let discount = self.game.discount();
        self.residual = 0.0;
        let mut settled = true;
        for state in (0..self.states.len()).rev() {
            let arms = self.arms(state);
            if arms.is_empty() {
                continue;
            }
            let values = arms.map(|arm| self.action_value(arm, discount));
            let value = if self.states[state].minimising {
                values.fold(f64::INFINITY, f64::min)
            } else {
                values.fold(f64::NEG_INFINITY, f64::max)
            };
            let change = (value - self.values[state]).abs();
            self.residual = self.residual.max(change);
            // Asked of each change, since `max` swallows one that is not a number.
            settled &= change < self.epsilon;
            self.values[state] = value;
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
        if self.waiting.is_empty() {
            self.sweep();
        } else {
            self.list_states();
        }
        self.status
    }

    fn counts(&self) -> Counts {
        let bytes = self.values.capacity() * size_of::<f64>()
            + self.waiting.capacity() * size_of::<G::State>()
            + self.states.capacity() * size_of::<State>()
            + self.arms.capacity() * size_of::<Arm>()
            + self.chances.capacity() * size_of::<Chance>();
        Counts {
            iterations: self.steps,
            model_calls: self.model_calls,
            nodes: self.values.len() as u64,
            bytes: bytes as u64 + map_bytes(&self.index),
        }
    }
}

impl<G: Outcomes + Keyed> Search<G> for ValueIterationSearch<'_, G> {
    /// Values are those of the current table, `None` before the first sweep; visits are sweeps.
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let estimate = |(arm, &action): (usize, &G::Action)| {
            let swept = self.sweeps > 0;
            let value = swept.then(|| self.action_value(arm, self.game.discount()));
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
            let minimising = self.states[0].minimising;
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
            .field("states", &self.values.len())
            .field("sweeps", &self.sweeps)
            .field("residual", &self.residual)
            .finish_non_exhaustive()
    }
}
