//! Rollout policies that learn within a search, for every game: MAST, N-grams, playout policy
//! adaptation. All go by the action alone, so they help where an action means much the same wherever it
//! is played. None has a guarantee of its own; a tree above them converges as with any rollout that
//! gives every action a chance.

use std::hash::Hash;

use patience_model::Game;
use rustc_hash::FxHashMap;

use crate::rollout::{Played, Policy, Workspace};

/// The longest sequence of moves that is told apart.
const LONGEST: usize = 3;
/// Moves in a row, the last one last.
type Gram<A> = [Option<Played<A>>; LONGEST];

/// A mean that grows.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    count: f64,
    mean: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.mean += (value - self.mean) / self.count;
    }
}

/// A draw of a rollout: who made it, what was drawn, and where the choices are.
#[derive(Clone, Copy, Debug)]
struct Draw {
    opponent: bool,
    drawn: usize,
    from: usize,
    to: usize,
}

/// What rollouts have learnt in a search.
#[derive(Clone, Debug)]
pub struct Learnt<A> {
    /// By sequences of moves: what the episodes came to in which they occur.
    grams: FxHashMap<Gram<A>, Mean>,
    /// All episodes.
    all: Mean,
    /// The policy of playout policy adaptation: logits of moves.
    logits: FxHashMap<Played<A>, f64>,
    /// The draws of the episode in hand, and what they were drawn from.
    draws: Vec<Draw>,
    choices: Vec<A>,
    /// A buffer.
    weights: Vec<f64>,
}

impl<A> Default for Learnt<A> {
    fn default() -> Self {
        Learnt {
            grams: FxHashMap::default(),
            all: Mean::default(),
            logits: FxHashMap::default(),
            draws: Vec::new(),
            choices: Vec::new(),
            weights: Vec::new(),
        }
    }
}

impl<A: Copy + Eq + Hash> Learnt<A> {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.grams.clear();
        self.logits.clear();
        self.draws.clear();
        self.choices.clear();
        self.all = Mean::default();
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let grams = self.grams.len() * (size_of::<(Gram<A>, Mean)>() + 1) * 8 / 7;
        let logits = self.logits.len() * (size_of::<(Played<A>, f64)>() + 1) * 8 / 7;
        (grams + logits) as u64
    }

    /// Credits every sequence of up to `longest` moves of an episode with what it came to.
    fn credit(&mut self, moves: &[Played<A>], longest: usize, value: f64) {
        self.all.add(value);
        for end in 1..=moves.len() {
            for length in 1..=longest.min(end) {
                self.grams.entry(gram(&moves[end - length..end])).or_default().add(value);
            }
        }
    }

    /// What a move is worth after others: the mean over the sequences that end with it and were seen
    /// at least so often; single moves count from the first time.
    fn worth(
        &self,
        before: &[Played<A>],
        played: Played<A>,
        longest: usize,
        least: f64,
    ) -> Option<f64> {
        let (mut sum, mut found) = (0.0, 0.0);
        for length in 1..=longest.min(before.len() + 1) {
            let mut key = gram(&before[before.len() + 1 - length..]);
            key.rotate_left(1);
            key[LONGEST - 1] = Some(played);
            if let Some(mean) = self.grams.get(&key)
                && (length == 1 || mean.count >= least)
            {
                sum += mean.mean;
                found += 1.0;
            }
        }
        (found > 0.0).then(|| sum / found)
    }
}

/// These moves, at most [`LONGEST`], at the end of a key.
fn gram<A: Copy>(moves: &[Played<A>]) -> Gram<A> {
    let mut key = [None; LONGEST];
    for (place, &played) in key[LONGEST - moves.len()..].iter_mut().zip(moves) {
        *place = Some(played);
    }
    key
}

/// An index drawn in proportion to these weights.
fn draw<G: Game>(workspace: &mut Workspace<G>) -> usize {
    let weights = &workspace.learnt.weights;
    let mut left = workspace.rng.unit() * weights.iter().sum::<f64>();
    for (i, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return i;
        }
    }
    weights.len() - 1
}

/// Turns logits into weights, the largest 1.
fn exponentials(logits: &mut [f64]) {
    let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - top).exp());
}

/// Move-average sampling (MAST, Finnsson and Björnsson 2008): actions are drawn in proportion to
/// exp(mean/temperature), where the mean is that of all episodes in which the player played the action
/// anywhere; one that was never played has the mean of all episodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mast {
    /// In units of reward.
    pub temperature: f64,
}

impl<G: Game> Policy<G> for Mast {
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        workspace: &mut Workspace<G>,
    ) -> Option<G::Action> {
        game.actions(state, &mut workspace.legal);
        if workspace.legal.is_empty() {
            return None;
        }
        let opponent = game.minimising(state);
        let sign = if opponent { -1.0 } else { 1.0 };
        let learnt = &mut workspace.learnt;
        let mut weights = std::mem::take(&mut learnt.weights);
        weights.clear();
        weights.extend(workspace.legal.iter().map(|&action| {
            let mean = learnt.grams.get(&gram(&[(opponent, action)])).unwrap_or(&learnt.all);
            sign * mean.mean / self.temperature
        }));
        exponentials(&mut weights);
        learnt.weights = weights;
        let drawn = draw(workspace);
        Some(workspace.legal[drawn])
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&self, workspace: &mut Workspace<G>, value: f64) {
        workspace.learnt.credit(&workspace.moves, 1, value);
    }
}

/// N-gram selection (NST, Tak, Winands and Björnsson 2012): mostly the action of the highest mean over
/// the sequences of one to three moves that end with it, otherwise any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NGrams {
    /// How often any action is taken instead.
    pub epsilon: f64,
    /// How often a sequence of two or three moves must have been seen to count.
    pub least: u32,
}

impl<G: Game> Policy<G> for NGrams {
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        workspace: &mut Workspace<G>,
    ) -> Option<G::Action> {
        game.actions(state, &mut workspace.legal);
        if workspace.legal.is_empty() {
            return None;
        }
        if workspace.rng.chance(self.epsilon) {
            return Some(workspace.rng.pick(&workspace.legal));
        }
        let opponent = game.minimising(state);
        let sign = if opponent { -1.0 } else { 1.0 };
        let (learnt, least) = (&workspace.learnt, f64::from(self.least));
        let before = workspace.moves.len().saturating_sub(LONGEST - 1);
        let before = &workspace.moves[before..];
        let (mut best, mut equals) = ((f64::NEG_INFINITY, workspace.legal[0]), 0);
        for &action in &workspace.legal {
            let worth = learnt.worth(before, (opponent, action), LONGEST, least);
            let value = sign * worth.unwrap_or(learnt.all.mean);
            if value > best.0 {
                (best, equals) = ((value, action), 1);
            } else if value == best.0 {
                // Of equals each alike, in one pass.
                equals += 1;
                if workspace.rng.below(equals) == 0 {
                    best.1 = action;
                }
            }
        }
        Some(best.1)
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&self, workspace: &mut Workspace<G>, value: f64) {
        workspace.learnt.credit(&workspace.moves, LONGEST, value);
    }
}

/// Playout policy adaptation (PPA, Cazenave 2015): rollouts draw in proportion to exp(logit), and after
/// an episode that was better than the mean of all for a player, the logits of that player's moves in
/// the rollout move towards them, by the gradient of their likelihood times `rate`. In games of win and
/// loss those are the moves of the winner, as in the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptivePlayouts {
    /// The paper's α.
    pub rate: f64,
}

impl<G: Game> Policy<G> for AdaptivePlayouts {
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        workspace: &mut Workspace<G>,
    ) -> Option<G::Action> {
        game.actions(state, &mut workspace.legal);
        if workspace.legal.is_empty() {
            return None;
        }
        let opponent = game.minimising(state);
        let learnt = &mut workspace.learnt;
        let mut weights = std::mem::take(&mut learnt.weights);
        weights.clear();
        let logits = &learnt.logits;
        weights.extend(
            workspace.legal.iter().map(|&a| logits.get(&(opponent, a)).copied().unwrap_or(0.0)),
        );
        exponentials(&mut weights);
        learnt.weights = weights;
        let drawn = draw(workspace);
        let learnt = &mut workspace.learnt;
        let from = learnt.choices.len();
        learnt.choices.extend_from_slice(&workspace.legal);
        learnt.draws.push(Draw { opponent, drawn, from, to: learnt.choices.len() });
        Some(workspace.legal[drawn])
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&self, workspace: &mut Workspace<G>, value: f64) {
        let Learnt { all, logits, draws, choices, weights, .. } = &mut workspace.learnt;
        let better = value - all.mean;
        all.add(value);
        for &Draw { opponent, drawn, from, to } in &*draws {
            // The opponent is glad of small values.
            if (opponent && better >= 0.0) || (!opponent && better <= 0.0) {
                continue;
            }
            let legal = &choices[from..to];
            weights.clear();
            weights
                .extend(legal.iter().map(|&a| logits.get(&(opponent, a)).copied().unwrap_or(0.0)));
            exponentials(weights);
            let sum: f64 = weights.iter().sum();
            for (place, (&action, weight)) in legal.iter().zip(&*weights).enumerate() {
                let target = if place == drawn { 1.0 } else { 0.0 };
                *logits.entry((opponent, action)).or_default() +=
                    self.rate * (target - weight / sum);
            }
        }
        draws.clear();
        choices.clear();
    }
}
