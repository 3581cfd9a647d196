//! Policy iteration over the states that can be reached from the root (Howard 1960).

use std::fmt;

use patience_model::{Keyed, Outcomes, Rng};

use crate::listed_model::{ListedModel, ROOT};
use crate::{Counts, Estimate, ParameterError, Planner, Root, Search, Status, Stepped};

/// Policy iteration: lists the states that can be reached, then values a policy and improves it, until
/// no action of it can be improved.
///
/// The first policy takes actions that may lead towards the end of the game, so it is proper: it ends with probability 1 wherever that is possible. A policy is valued by sweeps until no
/// value changes by `epsilon` or more. Where the opponent is to move the smallest action value is taken
/// in every sweep, so that policies of the player are improved against the best reply (Hoffman and Karp
/// 1966).
///
/// Guarantees, once complete: no action of the policy is worse than another by more than the error of
/// its values, which is that of value iteration with the same `epsilon`. For discounted problems, and
/// for those in which every state can reach the end and policies that do not are infinitely bad.
///
/// A step lists some states, or is one sweep. The planner wants certainty: of a belief it takes one
/// drawn state.
#[derive(Clone, Copy, Debug)]
pub struct PolicyIteration {
    epsilon: f64,
}

impl PolicyIteration {
    /// A planner that values policies until values change by less than `epsilon`.
    ///
    /// # Errors
    /// If `epsilon` is not above 0.
    pub fn new(epsilon: f64) -> Result<Self, ParameterError> {
        ParameterError::check("epsilon", epsilon, |&e| e > 0.0, "a number above 0")?;
        Ok(PolicyIteration { epsilon })
    }
}

impl<G: Outcomes + Keyed> Planner<G> for PolicyIteration {
    fn search<'g>(&self, game: &'g G, root: Root<G>, mut rng: Rng) -> Box<dyn Search<G> + 'g> {
        let state = root.sample(game, &mut rng);
        let mut root_actions = Vec::new();
        game.actions(&state, &mut root_actions);
        Box::new(PolicySearch {
            epsilon: self.epsilon,
            model: ListedModel::new(game, state),
            listed: 0,
            policy: Vec::new(),
            status: if root_actions.is_empty() { Status::Complete } else { Status::Running },
            root_actions,
            steps: 0,
            improvements: 0,
        })
    }

    fn ends(&self) -> bool {
        true
    }
}

struct PolicySearch<'g, G: Outcomes + Keyed> {
    epsilon: f64,
    model: ListedModel<'g, G>,
    /// States whose actions are listed: those found first.
    listed: usize,
    /// The action of each state of the player; empty before all states are listed.
    policy: Vec<usize>,
    root_actions: Vec<G::Action>,
    steps: u64,
    improvements: u64,
    status: Status,
}

/// States listed in one step: few enough that a budget of time or memory is met closely.
const STATES_PER_STEP: usize = 256;

impl<G: Outcomes + Keyed> PolicySearch<'_, G> {
    /// A policy that may reach the end from every state that can.
    fn first_policy(&mut self) {
        let len = self.model.len();
        self.policy = (0..len).map(|state| self.model.arms(state).start).collect();
        // From the end backwards: an action that may lead to a state from which the end can be reached.
        let mut before: Vec<Vec<(usize, usize)>> = vec![Vec::new(); len];
        let mut near: Vec<bool> = (0..len).map(|state| self.model.arms(state).is_empty()).collect();
        let mut found: Vec<usize> = (0..len).filter(|&state| near[state]).collect();
        for state in 0..len {
            for arm in self.model.arms(state) {
                for chance in self.model.chances(arm) {
                    before[chance.state].push((state, arm));
                }
            }
        }
        while let Some(next) = found.pop() {
            for &(state, arm) in &before[next] {
                if !near[state] {
                    near[state] = true;
                    self.policy[state] = arm;
                    found.push(state);
                }
            }
        }
    }

    /// One sweep of values; whether none changed by much.
    fn sweep(&mut self) -> bool {
        let mut settled = true;
        for state in (0..self.model.len()).rev() {
            if self.model.arms(state).is_empty() {
                continue;
            }
            let value = if self.model.minimising(state) {
                self.model.best(state).map_or(0.0, |(_, value)| value)
            } else {
                self.model.action_value(self.policy[state])
            };
            settled &= (value - self.model.value(state)).abs() < self.epsilon;
            self.model.set_value(state, value);
        }
        settled
    }

    /// Takes the best action everywhere; whether one was better than that of the policy.
    fn improve(&mut self) -> bool {
        let mut improved = false;
        for state in 0..self.model.len() {
            if self.model.minimising(state) {
                continue;
            }
            let Some((arm, value)) = self.model.best(state) else { continue };
            // What is better by less than the error of values may be none.
            if value > self.model.action_value(self.policy[state]) + self.epsilon {
                self.policy[state] = arm;
                improved = true;
            }
        }
        improved
    }
}

impl<G: Outcomes + Keyed> Stepped for PolicySearch<'_, G> {
    fn step(&mut self) -> Status {
        if self.status == Status::Complete {
            return Status::Complete;
        }
        self.steps += 1;
        if self.policy.is_empty() {
            for _ in 0..STATES_PER_STEP {
                if self.listed == self.model.len() {
                    self.first_policy();
                    break;
                }
                self.model.list(self.listed);
                self.listed += 1;
            }
            return self.status;
        }
        if self.sweep() {
            self.improvements += 1;
            if !self.improve() {
                self.status = Status::Complete;
            }
        }
        self.status
    }

    fn counts(&self) -> Counts {
        Counts {
            iterations: self.steps,
            model_calls: self.model.calls,
            nodes: self.model.len() as u64,
            bytes: self.model.bytes() + (self.policy.capacity() * size_of::<usize>()) as u64,
        }
    }
}

impl<G: Outcomes + Keyed> Search<G> for PolicySearch<'_, G> {
    /// Values are those of the policy in hand, `None` before there is one; visits are improvements.
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        // The root is listed first, so its actions are the first of all.
        let estimate = |(arm, &action): (usize, &G::Action)| {
            let value = (!self.policy.is_empty()).then(|| self.model.action_value(arm));
            Estimate::new(action, value, self.improvements)
        };
        self.root_actions.iter().enumerate().map(estimate).collect()
    }

    /// The best action by the values of the policy in hand; the game's first before there is one.
    fn best(&self) -> Option<G::Action> {
        if self.policy.is_empty() {
            return self.root_actions.first().copied();
        }
        self.model.best(ROOT).map(|(arm, _)| self.model.action(arm))
    }
}

impl<G: Outcomes + Keyed> fmt::Debug for PolicySearch<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicySearch")
            .field("states", &self.model.len())
            .field("improvements", &self.improvements)
            .finish_non_exhaustive()
    }
}
