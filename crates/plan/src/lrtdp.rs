//! Labelled real-time dynamic programming (Bonet and Geffner 2003).

use std::fmt;

use patience_model::{Keyed, Outcomes, Rng};

use crate::listed_model::{ListedModel, ROOT};
use crate::{
    Counts, Estimate, Evaluation, ParameterError, Planner, Root, Search, Status, Stepped, Zero,
};

/// Labelled real-time dynamic programming: trials from the root take the action that looks best and draw
/// an outcome; states are backed up on the way, and on the way back those are labelled solved below which
/// nothing changes by more than `epsilon`. States that good play does not lead to are never listed.
///
/// Guarantees, once complete: the recommended action is optimal up to `epsilon` times the expected length
/// of the game, if the initial values are at least as large as the true ones (an admissible evaluation:
/// 0 where all rewards are costs) and every state can reach the end, or rewards are discounted. For one
/// player; where an opponent moves the smallest value is taken, and nothing is guaranteed.
///
/// One step is one trial. The planner wants certainty: of a belief it takes one drawn state.
#[derive(Clone, Debug)]
pub struct Lrtdp<E = Zero> {
    epsilon: f64,
    evaluation: E,
}

impl<E> Lrtdp<E> {
    /// A planner with this evaluation function for the initial values.
    ///
    /// # Errors
    /// If `epsilon` is not above 0.
    pub fn new(epsilon: f64, evaluation: E) -> Result<Self, ParameterError> {
        ParameterError::check("epsilon", epsilon, |&e| e > 0.0, "a number above 0")?;
        Ok(Lrtdp { epsilon, evaluation })
    }
}

impl<G: Outcomes + Keyed, E: Evaluation<G> + Clone + 'static> Planner<G> for Lrtdp<E> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, mut rng: Rng) -> Box<dyn Search<G> + 'g> {
        let state = root.sample(game, &mut rng);
        let mut root_actions = Vec::new();
        game.actions(&state, &mut root_actions);
        let mut search = LrtdpSearch {
            game,
            rng,
            epsilon: self.epsilon,
            evaluation: self.evaluation.clone(),
            model: ListedModel::new(game, state),
            solved: Vec::new(),
            seen: Vec::new(),
            round: 0,
            path: Vec::new(),
            open: Vec::new(),
            closed: Vec::new(),
            actions: Vec::new(),
            root_actions,
            trials: 0,
        };
        search.value_new();
        Box::new(search)
    }

    fn ends(&self) -> bool {
        true
    }
}

struct LrtdpSearch<'g, G: Outcomes + Keyed, E> {
    game: &'g G,
    rng: Rng,
    epsilon: f64,
    evaluation: E,
    model: ListedModel<'g, G>,
    /// Labels, by state.
    solved: Vec<bool>,
    /// The round of checking in which a state was last met.
    seen: Vec<u64>,
    round: u64,
    path: Vec<usize>,
    open: Vec<usize>,
    closed: Vec<usize>,
    actions: Vec<G::Action>,
    root_actions: Vec<G::Action>,
    trials: u64,
}

/// Moves after which a trial is cut: values change on the way, so a trial that goes in circles leaves
/// them in the end, but the budget is looked at between trials.
const LONGEST: usize = 1_000;

impl<G: Outcomes + Keyed, E: Evaluation<G>> LrtdpSearch<'_, G, E> {
    /// Gives states that were just found their initial values.
    fn value_new(&mut self) {
        for number in self.solved.len()..self.model.len() {
            let state = self.model.unlisted(number).expect("a new state is not listed");
            self.game.actions(state, &mut self.actions);
            let over = self.actions.is_empty();
            let value = if over { 0.0 } else { self.evaluation.value(self.game, state) };
            self.model.set_value(number, value);
            self.solved.push(over);
            self.seen.push(0);
        }
    }

    fn list(&mut self, state: usize) {
        if !self.model.is_listed(state) {
            self.model.list(state);
            self.value_new();
        }
    }

    /// Backs a state up; gives the best action and by how much the value changed.
    fn update(&mut self, state: usize) -> Option<(usize, f64)> {
        self.list(state);
        let (arm, value) = self.model.best(state)?;
        let change = (value - self.model.value(state)).abs();
        self.model.set_value(state, value);
        Some((arm, change))
    }

    /// Runs from the root to a state that is solved, then labels on the way back.
    fn trial(&mut self) {
        self.path.clear();
        let mut state = ROOT;
        while !self.solved[state] && self.path.len() < LONGEST {
            self.path.push(state);
            let Some((arm, _)) = self.update(state) else { break };
            state = self.model.draw(arm, &mut self.rng);
        }
        while let Some(state) = self.path.pop() {
            if !self.check_solved(state) {
                break;
            }
        }
    }

    /// Labels a state and those that the best actions lead to, if none of them changes by more than
    /// epsilon; backs them up otherwise.
    fn check_solved(&mut self, state: usize) -> bool {
        if self.solved[state] {
            return true;
        }
        self.round += 1;
        self.open.clear();
        self.closed.clear();
        self.open.push(state);
        self.seen[state] = self.round;
        let mut settled = true;
        while let Some(state) = self.open.pop() {
            self.closed.push(state);
            self.list(state);
            let Some((arm, value)) = self.model.best(state) else { continue };
            if (value - self.model.value(state)).abs() > self.epsilon {
                settled = false;
                continue;
            }
            for chance in self.model.chances(arm) {
                let next = chance.state;
                if !self.solved[next] && self.seen[next] != self.round {
                    self.seen[next] = self.round;
                    self.open.push(next);
                }
            }
        }
        while let Some(state) = self.closed.pop() {
            if settled {
                self.solved[state] = true;
            } else {
                self.update(state);
            }
        }
        settled
    }
}

impl<G: Outcomes + Keyed, E: Evaluation<G>> Stepped for LrtdpSearch<'_, G, E> {
    fn step(&mut self) -> Status {
        if self.solved[ROOT] {
            return Status::Complete;
        }
        self.trial();
        self.trials += 1;
        if self.solved[ROOT] { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        let labels = self.solved.capacity() + self.seen.capacity() * size_of::<u64>();
        Counts {
            iterations: self.trials,
            model_calls: self.model.calls,
            nodes: self.model.len() as u64,
            bytes: self.model.bytes() + labels as u64,
        }
    }
}

impl<G: Outcomes + Keyed, E: Evaluation<G>> Search<G> for LrtdpSearch<'_, G, E> {
    /// Values are those of the current table: bounds of the true ones where initial values were.
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        // The root is listed first, so its actions are the first of all.
        let estimate = |(arm, &action): (usize, &G::Action)| {
            let value = self.model.is_listed(ROOT).then(|| self.model.action_value(arm));
            Estimate::new(action, value, self.trials)
        };
        self.root_actions.iter().enumerate().map(estimate).collect()
    }

    /// The best action by the current table; the game's first before the first trial.
    fn best(&self) -> Option<G::Action> {
        if !self.model.is_listed(ROOT) {
            return self.root_actions.first().copied();
        }
        self.model.best(ROOT).map(|(arm, _)| self.model.action(arm))
    }
}

impl<G: Outcomes + Keyed, E> fmt::Debug for LrtdpSearch<'_, G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LrtdpSearch")
            .field("states", &self.model.len())
            .field("trials", &self.trials)
            .finish_non_exhaustive()
    }
}
