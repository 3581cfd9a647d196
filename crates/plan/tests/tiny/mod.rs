//! Problems written down as tables, small enough to be solved by hand.
#![allow(dead_code)] // every test file uses its own part

use patience_model::{Game, Keyed, Outcome, Outcomes, Rng, Step, Undo};

/// Probability, reward and next state of one outcome.
pub(crate) type Way = (f64, f64, usize);

/// States with their actions with their outcomes; play starts in state 0.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) discount: f64,
    pub(crate) states: Vec<Vec<Vec<Way>>>,
    /// States in which the opponent moves.
    pub(crate) minimising: Vec<usize>,
}

impl Table {
    pub(crate) fn new(discount: f64, states: Vec<Vec<Vec<Way>>>) -> Self {
        Table { discount, states, minimising: Vec::new() }
    }

    /// A gamble with Q(0, 0) = 1, Q(0, 1) = 0.5 · 6 + 0.5 · 0 − 1 = 2 and Q(0, 2) = −5 + 6 = 1,
    /// the 6 being the better of two actions in state 1.
    pub(crate) fn gamble() -> Self {
        Table::new(
            1.0,
            vec![
                vec![
                    vec![(1.0, 1.0, 3)],
                    vec![(0.5, -1.0, 2), (0.5, -1.0, 3)],
                    vec![(1.0, -5.0, 1)],
                ],
                vec![vec![(1.0, 2.0, 3)], vec![(1.0, 6.0, 3)]],
                vec![vec![(1.0, 6.0, 3)]],
                vec![],
            ],
        )
    }

    /// Keep on for 1 a turn and stay with probability 0.9, or leave with 8; discount 0.9.
    /// Staying is worth V = 1 + 0.9 · 0.9 V, so V = 1 / 0.19.
    pub(crate) fn tenure() -> Self {
        Table::new(0.9, vec![vec![vec![(0.9, 1.0, 0), (0.1, 1.0, 1)], vec![(1.0, 5.0, 1)]], vec![]])
    }

    /// A full binary tree in which MAX and MIN move in turn and the leaves bring these rewards.
    pub(crate) fn tree(leaves: &[f64]) -> Self {
        assert!(leaves.len().is_power_of_two());
        let inner = leaves.len() - 1;
        let end = inner;
        let mut states = Vec::new();
        let mut minimising = Vec::new();
        for node in 0..inner {
            let child = |c: usize| {
                let next = 2 * node + 1 + c;
                if next < inner { (1.0, 0.0, next) } else { (1.0, leaves[next - inner], end) }
            };
            states.push(vec![vec![child(0)], vec![child(1)]]);
            if (node + 1).ilog2() % 2 == 1 {
                minimising.push(node);
            }
        }
        states.push(vec![]);
        Table { discount: 1.0, states, minimising }
    }

    /// A random tree with rewards on all moves, all small multiples of 1/4, so that sums are exact.
    pub(crate) fn random(rng: &mut Rng, depth: u32, discount: f64) -> Self {
        let mut table = Table::new(discount, Vec::new());
        table.grow(rng, depth, false);
        table
    }

    fn grow(&mut self, rng: &mut Rng, depth: u32, minimising: bool) -> usize {
        let id = self.states.len();
        self.states.push(Vec::new());
        if minimising {
            self.minimising.push(id);
        }
        let branching = if depth == 0 { 0 } else { rng.index(4) };
        for _ in 0..branching {
            let reward = rng.index(17) as f64 / 4.0 - 2.0;
            // Now and then a player moves twice.
            let turn = if rng.chance(0.8) { !minimising } else { minimising };
            let next = self.grow(rng, depth - 1, turn);
            self.states[id].push(vec![(1.0, reward, next)]);
        }
        id
    }

    /// The value of a state, by plain recursion: only where play ends.
    pub(crate) fn solve(&self, state: usize) -> f64 {
        let values = (0..self.states[state].len()).map(|a| self.solve_action(state, a));
        match (self.states[state].is_empty(), self.minimising.contains(&state)) {
            (true, _) => 0.0,
            (_, true) => values.fold(f64::INFINITY, f64::min),
            (_, false) => values.fold(f64::NEG_INFINITY, f64::max),
        }
    }

    pub(crate) fn solve_action(&self, state: usize, action: usize) -> f64 {
        let ways = self.states[state][action].iter();
        ways.map(|&(p, r, next)| p * (r + self.discount * self.solve(next))).sum()
    }
}

impl Game for Table {
    type State = usize;
    type Action = usize;
    type Obs = usize;

    fn start(&self, _rng: &mut Rng) -> usize {
        0
    }

    fn actions(&self, state: &usize, out: &mut Vec<usize>) {
        out.clear();
        out.extend(0..self.states[*state].len());
    }

    fn step(&self, state: &mut usize, action: usize, rng: &mut Rng) -> Step<usize> {
        let ways = &self.states[*state][action];
        let mut left = rng.unit();
        let obs = ways
            .iter()
            .position(|way| {
                left -= way.0;
                left < 0.0
            })
            .unwrap_or(ways.len() - 1);
        *state = ways[obs].2;
        Step { reward: ways[obs].1, obs }
    }

    fn discount(&self) -> f64 {
        self.discount
    }

    fn minimising(&self, state: &usize) -> bool {
        self.minimising.contains(state)
    }
}

impl Keyed for Table {
    type Key = usize;

    fn key(&self, state: &usize) -> usize {
        *state
    }
}

impl Undo for Table {
    type Token = usize;

    fn apply(&self, state: &mut usize, action: usize, rng: &mut Rng) -> (Step<usize>, usize) {
        let before = *state;
        (self.step(state, action, rng), before)
    }

    fn undo(&self, state: &mut usize, before: usize) {
        *state = before;
    }
}

impl Outcomes for Table {
    fn outcomes(&self, state: &usize, action: usize, out: &mut Vec<Outcome<usize, usize>>) {
        out.clear();
        out.extend(self.states[*state][action].iter().enumerate().map(|(obs, way)| Outcome {
            probability: way.0,
            state: way.2,
            step: Step { reward: way.1, obs },
        }));
    }
}
