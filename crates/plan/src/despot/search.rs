//! A search in progress: trials that narrow the gap at the root.

use patience_model::{Game, Rng};

use super::DespotParameters;
use super::carry::DefaultPolicy;
use super::scenario::{Chance, Default, Scenario};
use crate::{Counts, Estimate, Evaluation, Root, Search, Status, Stepped};

const ROOT: usize = 0;
const NONE: usize = usize::MAX;

/// So many plays of a scenario are a step.
const PLAYS: usize = 64;

/// A gap below this is none: what is left is rounding.
const CLOSED: f64 = 1e-9;

/// A belief: the scenarios that come here. All values are sums over them, weighed by γ^depth/K, so that
/// a policy's value at the root is the sum of its parts.
struct Node<G: Game> {
    parent: usize,
    depth: u32,
    scenarios: Vec<Scenario<G>>,
    /// What the default policy comes to: ℓ₀ in the paper.
    default: f64,
    /// Bounds of what the best policy comes to, less λ for each of its nodes: ℓ and μ.
    lower: f64,
    upper: f64,
    /// The upper bound without λ: U.
    most: f64,
    /// Its edges, once it is expanded.
    edges: Option<(usize, usize)>,
}

/// An action of a belief.
struct Edge<A> {
    action: A,
    /// The rewards of this move in all scenarios.
    reward: f64,
    /// The beliefs after it, one for each observation.
    children: (usize, usize),
    trials: u64,
}

/// The scenarios of an action with one observation.
struct After<G: Game> {
    obs: G::Obs,
    scenarios: Vec<Scenario<G>>,
    /// What the default policy comes to in them, and what they are worth at most.
    default: f64,
    most: f64,
}

/// What is under way between two steps.
enum Work<G: Game> {
    /// The first step is still to come: nothing is drawn before it.
    None,
    /// The default policy is being settled: the one that is best from the root on.
    Settle { starts: Vec<Scenario<G>>, tried: usize, sum: f64, most: f64 },
    /// Every action is being tried in every scenario of a node.
    Expand {
        node: usize,
        actions: Vec<G::Action>,
        tried: usize,
        first: usize,
        reward: f64,
        after: Vec<After<G>>,
    },
    /// A trial goes on at this node; a new one begins at the root.
    Trial(usize),
}

pub(super) struct DespotSearch<'g, G: Game, E, D> {
    game: &'g G,
    parameters: DespotParameters,
    upper: E,
    /// The default policy that was given, if one was.
    given: D,
    root: Root<G>,
    rng: Rng,
    chance: Chance<G>,
    policy: Default<G::Action>,
    root_actions: Vec<G::Action>,
    nodes: Vec<Node<G>>,
    edges: Vec<Edge<G::Action>>,
    work: Work<G>,
    legal: Vec<G::Action>,
    /// The target gap of the trial under way: ξ times the root's gap.
    target: f64,
    /// Scenarios that are held by nodes.
    held: usize,
    steps: u64,
}

impl<'g, G: Game, E: Evaluation<G>, D: DefaultPolicy<G>> DespotSearch<'g, G, E, D> {
    pub(super) fn new(
        parameters: DespotParameters,
        (upper, given): (E, D),
        game: &'g G,
        root: Root<G>,
        rng: Rng,
    ) -> Self {
        let mut root_actions = Vec::new();
        game.actions(&root.sample(game, &mut rng.clone()), &mut root_actions);
        DespotSearch {
            game,
            parameters,
            upper,
            given,
            root,
            rng,
            chance: Chance::none(),
            policy: Default::Random,
            root_actions,
            nodes: Vec::new(),
            edges: Vec::new(),
            work: Work::None,
            legal: Vec::new(),
            target: 0.0,
            held: 0,
            steps: 0,
        }
    }

    /// Goes on with what is under way.
    fn go_on(&mut self) {
        self.work = match std::mem::replace(&mut self.work, Work::None) {
            Work::None => self.begin(),
            Work::Settle { starts, tried, sum, most } => self.settle(starts, tried, sum, most),
            Work::Expand { node, actions, tried, first, reward, after } => {
                self.expand(node, actions, tried, first, reward, after)
            }
            Work::Trial(node) => self.trial(node),
        }
    }

    /// Draws the scenarios.
    fn begin(&mut self) -> Work<G> {
        let starts =
            self.chance.draw(self.game, &self.root, self.parameters.scenarios, &mut self.rng);
        Work::Settle { starts, tried: 0, sum: 0.0, most: f64::NEG_INFINITY }
    }

    /// Plays each default policy in each scenario from the root on, only the given one if there is one:
    /// `tried` of these pairs were played, the policy under way has `sum`, and the best so far has `most`.
    fn settle(
        &mut self,
        starts: Vec<Scenario<G>>,
        tried: usize,
        mut sum: f64,
        mut most: f64,
    ) -> Work<G> {
        let given = self.given.action(self.game, &starts[0].state).is_some();
        let policies = if given { 1 } else { 1 + self.root_actions.len() };
        let pairs = starts.len() * policies;
        let end = pairs.min(tried + PLAYS);
        for pair in tried..end {
            let policy = match pair / starts.len() {
                0 if given => Default::Given,
                0 => Default::Random,
                number => Default::Repeat(self.root_actions[number - 1]),
            };
            let (start, last) = (&starts[pair % starts.len()], self.parameters.depth);
            sum += self.chance.play(self.game, start, (policy, &self.given), 0, last);
            if (pair + 1) % starts.len() == 0 {
                if sum > most {
                    (most, self.policy) = (sum, policy);
                }
                sum = 0.0;
            }
        }
        if end < pairs {
            return Work::Settle { starts, tried: end, sum, most };
        }
        let worth = starts.iter().map(|start| self.upper.value(self.game, &start.state)).sum();
        self.add_node(NONE, 0, starts, most, worth);
        // So that there is something to recommend even where the bounds meet at once.
        self.expansion(ROOT)
    }

    /// What one unit of reward counts at this depth, in one scenario.
    fn weight(&self, depth: u32) -> f64 {
        self.game.discount().powi(depth as i32) / f64::from(self.parameters.scenarios)
    }

    /// A belief, with what the default policy comes to in its scenarios and what they are worth at most.
    fn add_node(
        &mut self,
        parent: usize,
        depth: u32,
        scenarios: Vec<Scenario<G>>,
        default: f64,
        most: f64,
    ) {
        let weight = self.weight(depth);
        let default = weight * default;
        let most = (weight * most).max(default);
        let upper = default.max(most - self.parameters.lambda);
        self.held += scenarios.len();
        let lower = default;
        self.nodes.push(Node {
            parent,
            depth,
            scenarios,
            default,
            lower,
            upper,
            most,
            edges: None,
        });
    }

    fn expansion(&self, node: usize) -> Work<G> {
        let mut actions = Vec::new();
        self.game.actions(&self.nodes[node].scenarios[0].state, &mut actions);
        let first = self.edges.len();
        Work::Expand { node, actions, tried: 0, first, reward: 0.0, after: Vec::new() }
    }

    /// Tries every action in every scenario of a node: `tried` of these pairs were tried, the edges from
    /// `first` on are complete, and the action under way has come to `reward` and `after`.
    fn expand(
        &mut self,
        node: usize,
        actions: Vec<G::Action>,
        tried: usize,
        first: usize,
        mut reward: f64,
        mut after: Vec<After<G>>,
    ) -> Work<G> {
        let Node { depth, ref scenarios, .. } = self.nodes[node];
        let count = scenarios.len();
        let (pairs, last) = (count * actions.len(), self.parameters.depth);
        let end = pairs.min(tried + PLAYS);
        for pair in tried..end {
            let action = actions[pair / count];
            let Scenario { number, ref state } = self.nodes[node].scenarios[pair % count];
            let mut next = Scenario::<G> { number, state: state.clone() };
            let step = self.chance.step(self.game, &mut next, action, depth);
            reward += step.reward;
            self.game.actions(&next.state, &mut self.legal);
            // Where the game is over, or nothing more is counted, there is nothing to come.
            if depth + 1 < last && !self.legal.is_empty() {
                let policy = (self.policy, &self.given);
                let default = self.chance.play(self.game, &next, policy, depth + 1, last);
                let most = self.upper.value(self.game, &next.state);
                match after.iter_mut().find(|same| same.obs == step.obs) {
                    Some(same) => {
                        same.default += default;
                        same.most += most;
                        same.scenarios.push(next);
                    }
                    None => {
                        after.push(After { obs: step.obs, scenarios: vec![next], default, most });
                    }
                }
            }
            if (pair + 1) % count == 0 {
                let children = self.nodes.len();
                for After { scenarios, default, most, .. } in after.drain(..) {
                    self.add_node(node, depth + 1, scenarios, default, most);
                }
                let children = (children, self.nodes.len());
                let reward = self.weight(depth) * std::mem::take(&mut reward);
                self.edges.push(Edge { action, reward, children, trials: 0 });
            }
        }
        if end < pairs {
            return Work::Expand { node, actions, tried: end, first, reward, after };
        }
        self.nodes[node].edges = Some((first, self.edges.len()));
        self.take_up(node);
        let next = if node == ROOT { None } else { self.next(node) };
        Work::Trial(next.unwrap_or(ROOT))
    }

    /// What an edge comes to by a value of the nodes after it.
    fn through(&self, edge: &Edge<G::Action>, of: impl Fn(&Node<G>) -> f64) -> f64 {
        edge.reward + self.nodes[edge.children.0..edge.children.1].iter().map(of).sum::<f64>()
    }

    /// Makes the bounds of a node of those after it.
    fn back_up(&mut self, node: usize) {
        let Some((first, last)) = self.nodes[node].edges else { return };
        let least = f64::NEG_INFINITY;
        let (mut lower, mut upper, mut most) = (least, least, least);
        for edge in &self.edges[first..last] {
            lower = lower.max(self.through(edge, |node| node.lower));
            upper = upper.max(self.through(edge, |node| node.upper));
            most = most.max(self.through(edge, |node| node.most));
        }
        let (lambda, here) = (self.parameters.lambda, &mut self.nodes[node]);
        here.lower = here.lower.max(lower - lambda);
        here.upper = here.upper.min(here.default.max(upper - lambda)).max(here.lower);
        here.most = here.most.min(here.default.max(most));
    }

    /// Whether a policy that goes on from here cannot be better than the default policy further up: all
    /// that could be won there is less than what the nodes down to here cost.
    fn is_blocked(&self, node: usize) -> bool {
        let depth = self.nodes[node].depth;
        let (mut at, mut blocked) = (node, false);
        while at != NONE && !blocked {
            let above = &self.nodes[at];
            let cost = self.parameters.lambda * f64::from(depth - above.depth + 1);
            blocked = above.most - above.default <= cost && self.parameters.lambda > 0.0;
            at = above.parent;
        }
        blocked
    }

    /// How much more than its share of the target gap is uncertain here: the weighted excess uncertainty.
    fn excess(&self, node: usize) -> f64 {
        let node = &self.nodes[node];
        let share = node.scenarios.len() as f64 / f64::from(self.parameters.scenarios);
        node.upper - node.lower - share * self.target
    }

    fn gap(&self) -> f64 {
        self.nodes.first().map_or(f64::INFINITY, |root| root.upper - root.lower)
    }

    fn is_complete(&self) -> bool {
        let expanded = self.nodes.first().is_some_and(|root| root.edges.is_some());
        expanded
            && self.gap()
                <= CLOSED * (1.0 + self.nodes.first().map_or(0.0, |root| root.upper.abs()))
    }

    /// Takes the bounds of a node up to the root.
    fn take_up(&mut self, node: usize) {
        let mut above = node;
        while above != NONE {
            self.back_up(above);
            above = self.nodes[above].parent;
        }
    }

    /// Goes on with a trial down to a leaf, whose bounds are then worked out one move further. The trial
    /// ends where nothing is uncertain by more than its share, or where going on cannot pay.
    fn trial(&mut self, mut node: usize) -> Work<G> {
        if node == ROOT {
            self.target = self.parameters.target * self.gap();
        }
        loop {
            if self.is_blocked(node) {
                let here = &mut self.nodes[node];
                (here.upper, here.most) = (here.lower, here.lower);
                break;
            }
            if self.nodes[node].edges.is_none() {
                return self.expansion(node);
            }
            match self.next(node) {
                Some(next) => node = next,
                None => break,
            }
        }
        self.take_up(node);
        Work::Trial(ROOT)
    }

    /// Where a trial goes from a node: by the action that promises most to what is uncertain by most.
    fn next(&mut self, node: usize) -> Option<usize> {
        let (first, last) = self.nodes[node].edges?;
        let hope = |edge: &usize| self.through(&self.edges[*edge], |node| node.upper);
        let edge = (first..last).rev().max_by(|a, b| hope(a).total_cmp(&hope(b)))?;
        self.edges[edge].trials += 1;
        let (from, to) = self.edges[edge].children;
        let excess = |node: &usize| self.excess(*node);
        let next = (from..to).rev().max_by(|a, b| excess(a).total_cmp(&excess(b)));
        next.filter(|next| self.excess(*next) > 0.0)
    }
}

impl<G: Game, E: Evaluation<G>, D: DefaultPolicy<G>> Stepped for DespotSearch<'_, G, E, D> {
    fn step(&mut self) -> Status {
        if self.root_actions.is_empty() {
            return Status::Complete;
        }
        if !self.is_complete() {
            self.go_on();
            self.steps += 1;
        }
        if self.is_complete() { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        let bytes = self.nodes.len() * size_of::<Node<G>>()
            + self.edges.len() * size_of::<Edge<G::Action>>()
            + self.held * size_of::<Scenario<G>>();
        Counts {
            iterations: self.steps,
            model_calls: self.chance.model_calls,
            nodes: self.nodes.len() as u64,
            bytes: bytes as u64,
        }
    }
}

impl<G: Game, E: Evaluation<G>, D: DefaultPolicy<G>> Search<G> for DespotSearch<'_, G, E, D> {
    /// What a policy that begins with the action is known to come to, less λ for each of its nodes.
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let Some((first, last)) = self.nodes.first().and_then(|root| root.edges) else {
            return self.root_actions.iter().map(|&action| Estimate::untried(action)).collect();
        };
        let lambda = self.parameters.lambda;
        let edges = self.edges[first..last].iter();
        let estimate = |edge: &Edge<G::Action>| {
            let value = self.through(edge, |node| node.lower) - lambda;
            Estimate::new(edge.action, Some(value), edge.trials)
        };
        edges.map(estimate).collect()
    }

    /// The first action of the policy that is known to be best; that of the default policy where no other
    /// is.
    fn best(&self) -> Option<G::Action> {
        let root = self.nodes.first();
        let default = match self.policy {
            Default::Random => None,
            Default::Repeat(action) => Some(action),
            Default::Given => root
                .and_then(|root| self.given.action(self.game, &root.scenarios[0].state))
                .filter(|action| self.root_actions.contains(action)),
        };
        let mut best = default.zip(root.map(|root| root.default));
        for estimate in self.estimates() {
            if let Some(value) = estimate.value
                && best.is_none_or(|(_, most)| value > most)
            {
                best = Some((estimate.action, value));
            }
        }
        best.map(|(action, _)| action).or_else(|| self.root_actions.first().copied())
    }
}
