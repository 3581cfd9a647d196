//! Sparse sampling (Kearns, Mansour and Ng): the stage-wise look-ahead tree that the UCT paper's
//! introduction starts from.

use patience_model::{Game, Rng};

use crate::{
    Counts, Estimate, Evaluation, ParameterError, Planner, Root, Search, Status, Stepped, Zero,
};

/// The look-ahead tree of Kearns, Mansour and Ng: every action of every state is sampled `width`
/// times, down to `depth`; an action's value is the mean over its samples, a state's value that
/// of its best action, and the evaluation function closes the horizon.
///
/// Guarantees, once complete: with discount γ < 1, K actions and bounded rewards, a depth
/// proportional to 1/(1−γ) log(1/(ε(1−γ))) and a width polynomial in K, 1/ε and 1/(1−γ) make the
/// recommended action ε-optimal, however many states there are. The work is (K · width)^depth.
/// Not anytime: until then, the best mean among the samples finished at the root.
///
/// One step is one model call. The tree is gone through depth first, one branch being held; at
/// every state the actions take turns, so that at the root they have been sampled alike at any
/// time. The planner wants certainty: of a belief it takes one drawn state.
#[derive(Clone, Debug)]
pub struct SparseSampling<E = Zero> {
    depth: u32,
    width: u32,
    evaluation: E,
}

impl<E> SparseSampling<E> {
    /// A planner with this depth, width and evaluation function.
    ///
    /// # Errors
    /// If depth or width is 0.
    pub fn new(depth: u32, width: u32, evaluation: E) -> Result<Self, ParameterError> {
        let expected = "a whole number above 0";
        ParameterError::check("depth", depth, |&d| d > 0, expected)?;
        ParameterError::check("width", width, |&w| w > 0, expected)?;
        Ok(SparseSampling { depth, width, evaluation })
    }
}

impl<G: Game, E: Evaluation<G> + Clone + 'static> Planner<G> for SparseSampling<E> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, mut rng: Rng) -> Box<dyn Search<G> + 'g> {
        let state = root.sample(game, &mut rng);
        let mut actions = Vec::new();
        game.actions(&state, &mut actions);
        let mut search = SparseSamplingSearch {
            game,
            fallback: (!actions.is_empty()).then(|| rng.pick(&actions)),
            rng,
            evaluation: self.evaluation.clone(),
            depth: self.depth as usize,
            width: u64::from(self.width),
            branch: Vec::new(),
            sums: Vec::new(),
            complete: actions.is_empty(),
            buffer: actions,
            model_calls: 0,
        };
        if !search.complete {
            search.enter(state);
        }
        Box::new(search)
    }

    fn ends(&self) -> bool {
        true
    }
}

/// A state on the current branch.
struct Level<S> {
    state: S,
    minimising: bool,
    /// Where its actions begin in `sums`, and how many there are.
    first: usize,
    actions: u64,
    /// Samples finished; the actions take turns.
    finished: u64,
    /// Reward of the sample under way.
    reward: f64,
}

/// An action and the sum of its samples.
struct Sum<A> {
    action: A,
    sum: f64,
}

struct SparseSamplingSearch<'g, G: Game, E> {
    game: &'g G,
    rng: Rng,
    evaluation: E,
    depth: usize,
    width: u64,
    branch: Vec<Level<G::State>>,
    sums: Vec<Sum<G::Action>>,
    buffer: Vec<G::Action>,
    fallback: Option<G::Action>,
    complete: bool,
    model_calls: u64,
}

impl<G: Game, E: Evaluation<G>> SparseSamplingSearch<'_, G, E> {
    /// Puts a state, whose actions are in `buffer`, on the branch.
    fn enter(&mut self, state: G::State) {
        let first = self.sums.len();
        self.sums.extend(self.buffer.iter().map(|&action| Sum { action, sum: 0.0 }));
        let minimising = self.game.minimising(&state);
        let actions = self.buffer.len() as u64;
        self.branch.push(Level { state, minimising, first, actions, finished: 0, reward: 0.0 });
    }

    /// Hands the value of a sampled state up the branch, as far as states are done with it.
    fn back_up(&mut self, mut value: f64) {
        loop {
            let at_root = self.branch.len() == 1;
            let Some(level) = self.branch.last_mut() else { return };
            let turn = (level.finished % level.actions) as usize;
            let sum = level.reward + self.game.discount() * value;
            self.sums[level.first + turn].sum += sum;
            level.finished += 1;
            if level.finished < level.actions * self.width {
                return;
            }
            if at_root {
                self.complete = true;
                return;
            }
            let (first, minimising) = (level.first, level.minimising);
            let sums = self.sums[first..].iter().map(|s| s.sum);
            let best = if minimising {
                sums.fold(f64::INFINITY, f64::min)
            } else {
                sums.fold(f64::NEG_INFINITY, f64::max)
            };
            value = best / self.width as f64;
            self.sums.truncate(first);
            self.branch.pop();
        }
    }
}

impl<G: Game, E: Evaluation<G>> Stepped for SparseSamplingSearch<'_, G, E> {
    fn step(&mut self) -> Status {
        let deepest = self.branch.len() == self.depth;
        let Some(level) = self.branch.last_mut().filter(|_| !self.complete) else {
            return Status::Complete;
        };
        let mut state = level.state.clone();
        let turn = (level.finished % level.actions) as usize;
        let action = self.sums[level.first + turn].action;
        level.reward = self.game.step(&mut state, action, &mut self.rng).reward;
        self.model_calls += 1;
        self.game.actions(&state, &mut self.buffer);
        if self.buffer.is_empty() {
            self.back_up(0.0);
        } else if deepest {
            let value = self.evaluation.value(self.game, &state);
            self.back_up(value);
        } else {
            self.enter(state);
        }
        if self.complete { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        let bytes = self.branch.capacity() * size_of::<Level<G::State>>()
            + self.sums.capacity() * size_of::<Sum<G::Action>>()
            + self.buffer.capacity() * size_of::<G::Action>();
        Counts {
            iterations: self.model_calls,
            model_calls: self.model_calls,
            nodes: self.branch.len() as u64,
            bytes: bytes as u64,
        }
    }
}

impl<G: Game, E: Evaluation<G>> Search<G> for SparseSamplingSearch<'_, G, E> {
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let Some(root) = self.branch.first() else { return Vec::new() };
        let estimate = |i: u64| {
            let sum = &self.sums[root.first + i as usize];
            let visits = root.finished / root.actions + u64::from(i < root.finished % root.actions);
            let value = (visits > 0).then(|| sum.sum / visits as f64);
            Estimate::new(sum.action, value, visits)
        };
        (0..root.actions).map(estimate).collect()
    }

    fn best(&self) -> Option<G::Action> {
        let minimising = self.branch.first()?.minimising;
        let mut best: Option<(G::Action, f64)> = None;
        for estimate in self.estimates() {
            let Some(value) = estimate.value else { continue };
            if best.is_none_or(|(_, b)| if minimising { value < b } else { value > b }) {
                best = Some((estimate.action, value));
            }
        }
        best.map(|(action, _)| action).or(self.fallback)
    }
}
