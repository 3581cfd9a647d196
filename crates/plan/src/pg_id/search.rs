//! PG-ID's search: trajectories, confidence intervals, and the growing horizon.

use patience_model::{Keyed, Rng};

use super::{Exploration, PgIdParameters};
use crate::boltzmann::boltzmann;
use crate::empirical_model::EmpiricalModel;
use crate::{Counts, Estimate, Evaluation, Search, Status, Stepped};

/// The root is the first state met.
const ROOT: u32 = 0;

/// What the search keeps of a (state, depth) beside the model.
struct Side {
    error: f64,
    depth: u32,
}

pub(super) struct PgIdSearch<'g, G: Keyed, E> {
    game: &'g G,
    rng: Rng,
    parameters: PgIdParameters,
    evaluation: E,
    root: G::State,
    horizon: u32,
    model: EmpiricalModel<(G::Key, u32), G::Action>,
    side: Vec<Side>,
    /// How many states with a future were met at each depth.
    open: Vec<u64>,
    path: Vec<u32>,
    actions: Vec<G::Action>,
    preferences: Vec<f64>,
    weights: Vec<f64>,
    trajectories: u64,
    model_calls: u64,
}

impl<'g, G: Keyed, E: Evaluation<G>> PgIdSearch<'g, G, E> {
    /// A search from this state.
    pub(super) fn new(
        game: &'g G,
        state: G::State,
        parameters: PgIdParameters,
        evaluation: E,
        rng: Rng,
    ) -> Self {
        let mut search = PgIdSearch {
            game,
            rng,
            parameters,
            evaluation,
            horizon: parameters.horizon,
            model: EmpiricalModel::new(),
            side: Vec::new(),
            open: Vec::new(),
            path: Vec::new(),
            actions: Vec::new(),
            preferences: Vec::new(),
            weights: Vec::new(),
            trajectories: 0,
            model_calls: 0,
            root: state.clone(),
        };
        search.meet(&state, 0);
        if !search.model.node(ROOT).over {
            search.visit(ROOT, &state);
        }
        search
    }

    /// The node of a state at a depth.
    fn meet(&mut self, state: &G::State, depth: u32) -> u32 {
        let key = (self.game.key(state), depth);
        if let Some(node) = self.model.find(key) {
            return node;
        }
        self.game.actions(state, &mut self.actions);
        let over = self.actions.is_empty();
        let initial = (!over).then(|| self.evaluation.value(self.game, state));
        let node = self.model.add(key, initial, self.game.minimising(state));
        self.side.push(Side { error: self.parameters.width, depth });
        if self.open.len() <= depth as usize {
            self.open.resize(depth as usize + 1, 0);
        }
        self.open[depth as usize] += u64::from(!over);
        node
    }

    /// Lists a state's actions, if that was not done.
    fn visit(&mut self, node: u32, state: &G::State) {
        if !self.model.is_expanded(node) {
            self.game.actions(state, &mut self.actions);
            self.model.expand(node, &self.actions);
        }
    }

    /// The error of a state's value: none where there is nothing to sample.
    fn error(&self, node: u32) -> f64 {
        let side = &self.side[node as usize];
        if side.depth >= self.horizon || self.model.node(node).over { 0.0 } else { side.error }
    }

    /// Value and error of an action.
    fn interval(&self, arm: usize, initial: f64) -> (f64, f64) {
        let discount = self.game.discount();
        let mut value = 0.0;
        let mut below = 0.0;
        for (node, p, reward) in self.model.successors(arm) {
            value += p * (reward + discount * self.model.node(node).value);
            below += p * self.error(node);
        }
        let samples = self.model.arm(arm).samples;
        let value = if samples == 0 { initial } else { value };
        let own = self.parameters.width / (samples as f64 + 1.0).sqrt();
        (value, own + discount * below)
    }

    fn back_up(&mut self, node: u32) {
        let entry = self.model.node(node);
        let sign = if entry.minimising { -1.0 } else { 1.0 };
        let initial = entry.initial;
        let mut best = f64::NEG_INFINITY;
        let mut reach = f64::NEG_INFINITY;
        for arm in self.model.arms(node) {
            let (value, error) = self.interval(arm, initial);
            best = best.max(sign * value);
            reach = reach.max(sign * value + error);
        }
        if best > f64::NEG_INFINITY {
            self.model.set_value(node, sign * best);
            self.side[node as usize].error = reach - best;
        }
    }

    fn choose(&mut self, node: u32) -> usize {
        let entry = self.model.node(node);
        let sign = if entry.minimising { -1.0 } else { 1.0 };
        let initial = entry.initial;
        let arms = self.model.arms(node);
        self.preferences.clear();
        match self.parameters.exploration {
            Exploration::IntervalEstimation => {
                // Equals are taken in random order, or the game's first action would be favoured.
                let mut best = (arms.start, f64::NEG_INFINITY);
                let mut equals = 0;
                for arm in arms {
                    let (value, error) = self.interval(arm, initial);
                    let reach = sign * value + error;
                    if reach > best.1 {
                        best = (arm, reach);
                        equals = 1;
                    } else if reach == best.1 {
                        equals += 1;
                        if self.rng.below(equals) == 0 {
                            best.0 = arm;
                        }
                    }
                }
                best.0
            }
            Exploration::Boltzmann { temperature } => {
                let discount = self.game.discount();
                for arm in arms.clone() {
                    let value = self.model.action_value(arm, discount).unwrap_or(initial);
                    self.preferences.push(sign * value);
                }
                let rng = &mut self.rng;
                arms.start + boltzmann(&self.preferences, temperature, &mut self.weights, rng)
            }
        }
    }

    fn trajectory(&mut self) {
        let mut state = self.root.clone();
        let mut at = ROOT;
        self.path.clear();
        for depth in 1..=self.horizon {
            self.visit(at, &state);
            self.path.push(at);
            let arm = self.choose(at);
            let action = self.model.arm(arm).action;
            let step = self.game.step(&mut state, action, &mut self.rng);
            self.model_calls += 1;
            let to = self.meet(&state, depth);
            self.model.record(arm, to, step.reward);
            at = to;
            if self.model.node(to).over {
                break;
            }
        }
        while let Some(node) = self.path.pop() {
            self.back_up(node);
        }
    }

    /// Lets the horizon grow by one if the sampling error allows it.
    fn deepen(&mut self) {
        let has_future = self.open.get(self.horizon as usize).is_some_and(|&n| n > 0);
        let small = self.error(ROOT) < self.parameters.error;
        if !(small && has_future && self.horizon < self.parameters.max_horizon) {
            return;
        }
        self.horizon += 1;
        // What was certain at the horizon is so no longer: every error above has to be told.
        let mut nodes: Vec<u32> = (0..self.side.len() as u32).collect();
        nodes.sort_by_key(|&node| std::cmp::Reverse(self.side[node as usize].depth));
        for node in nodes {
            self.back_up(node);
        }
    }
}

impl<G: Keyed, E: Evaluation<G>> Stepped for PgIdSearch<'_, G, E> {
    fn step(&mut self) -> Status {
        if self.model.node(ROOT).over {
            return Status::Complete;
        }
        self.trajectory();
        self.trajectories += 1;
        self.deepen();
        Status::Running
    }

    fn counts(&self) -> Counts {
        Counts {
            iterations: self.trajectories,
            model_calls: self.model_calls,
            nodes: self.model.len() as u64,
            bytes: self.model.bytes() + (self.side.capacity() * size_of::<Side>()) as u64,
        }
    }
}

impl<G: Keyed, E: Evaluation<G>> Search<G> for PgIdSearch<'_, G, E> {
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        self.model.estimates(ROOT, self.game.discount())
    }

    fn best(&self) -> Option<G::Action> {
        self.model.best_action(ROOT, self.game.discount())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Zero;
    use patience_model::{Game, Step};

    /// A walk without end.
    struct Walk;

    impl Game for Walk {
        type State = ();
        type Action = ();
        type Obs = ();

        fn start(&self, _rng: &mut Rng) {}

        fn actions(&self, _state: &(), out: &mut Vec<()>) {
            out.clear();
            out.push(());
        }

        fn step(&self, _state: &mut (), _action: (), _rng: &mut Rng) -> Step<()> {
            Step { reward: 1.0, obs: () }
        }
    }

    impl Keyed for Walk {
        type Key = ();

        fn key(&self, _state: &()) {}
    }

    #[test]
    fn a_deeper_horizon_is_felt_at_the_root_at_once() {
        let parameters = PgIdParameters::default();
        let mut search = PgIdSearch::new(&Walk, (), parameters, Zero, Rng::new(1));
        while search.horizon < 4 {
            let before = search.horizon;
            search.step();
            // The state that was at the horizon was never sampled: its error is the whole width.
            let grew = search.horizon > before;
            assert_eq!(grew, search.error(ROOT) >= parameters.width);
        }
        assert_eq!(search.model.node(ROOT).value, 3.0, "what was seen within the old horizon");
    }
}
