//! Values and priors from outside: networks and other programs that know states as arrays.

use std::sync::Arc;

use patience_model::{Encoded, Game};

use crate::rollout::Workspace;
use crate::uct::{Judged, Leaf};

/// States as arrays, row by row: what [`Encoded`] says of them.
#[derive(Clone, Copy, Debug)]
pub struct States<'a> {
    /// How many states there are.
    pub count: usize,
    /// What the player sees, one row per state, as many numbers each as [`Encoded::highest`] has.
    pub observations: &'a [i16],
    /// 1 for each move that is legal, one row per state of [`Encoded::moves`].
    pub legal: &'a [u8],
    /// Whether the minimising player is to move, state by state.
    pub minimising: &'a [bool],
}

/// States that are gathered, from one search or from many, to be asked about together.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    count: usize,
    observations: Vec<i16>,
    legal: Vec<u8>,
    minimising: Vec<bool>,
}

impl Rows {
    /// How many states there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.count = 0;
        self.observations.clear();
        self.legal.clear();
        self.minimising.clear();
    }

    /// Adds states of a game. One in which the game is over is worth nothing more, and nobody need be
    /// asked.
    pub fn add<G: Encoded>(&mut self, game: &G, states: &[Judged<G>]) {
        let (width, moves) = (game.highest().len(), game.moves());
        for judged in states.iter().filter(|judged| !judged.legal.is_empty()) {
            let (seen, legal) = (self.observations.len(), self.legal.len());
            self.observations.resize(seen + width, 0);
            self.legal.resize(legal + moves, 0);
            game.observe(&judged.state, None, &mut self.observations[seen..]);
            for &action in &judged.legal {
                self.legal[legal + game.number(&judged.state, action)] = 1;
            }
            self.minimising.push(game.minimising(&judged.state));
            self.count += 1;
        }
    }

    /// What an evaluator is shown of them.
    pub fn states(&self) -> States<'_> {
        let Rows { count, observations, legal, minimising } = self;
        States { count: *count, observations, legal, minimising }
    }

    /// Gives states that were added what an evaluator thought of them, row by row from the first of these
    /// on; how many rows that were.
    pub fn answer<G: Encoded>(
        game: &G,
        states: &mut [Judged<G>],
        values: &[f64],
        logits: &[f32],
    ) -> usize {
        let (mut row, moves) = (0, game.moves());
        for judged in states {
            judged.value = 0.0;
            judged.priors.clear();
            if judged.legal.is_empty() {
                continue;
            }
            judged.value = values[row];
            let number = |&action: &G::Action| game.number(&judged.state, action);
            let logits = &logits[row * moves..(row + 1) * moves];
            judged.priors.extend(judged.legal.iter().map(|action| logits[number(action)]));
            softmax(&mut judged.priors);
            row += 1;
        }
        row
    }
}

/// What is thought of states, row by row.
#[derive(Debug)]
pub struct Judgements<'a> {
    /// The discounted sum of rewards from each state on, from the maximising player's view.
    pub values: &'a mut [f64],
    /// How likely each move seems, as logits, one row per state. Those of moves that are not legal are
    /// not read. As they are handed over all are 0: every move alike.
    pub logits: &'a mut [f32],
}

/// Values states and their moves, many at once.
///
/// It must give the same answer for the same state whatever stands beside it, for a search to be
/// reproducible.
pub trait Evaluator: Send + Sync {
    /// Judges these states.
    fn evaluate(&self, states: States<'_>, judgements: Judgements<'_>);
}

impl<E: Evaluator + ?Sized> Evaluator for Arc<E> {
    fn evaluate(&self, states: States<'_>, judgements: Judgements<'_>) {
        (**self).evaluate(states, judgements);
    }
}

/// A leaf that asks an evaluator, for `selection=puct` and `root=gumbel`; with a batch it is asked of many
/// states at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluated<E>(pub E);

impl<G: Encoded, E: Evaluator> Leaf<G> for Evaluated<E> {
    fn evaluate(&self, game: &G, state: G::State, workspace: &mut Workspace<G>) -> f64 {
        let mut legal = Vec::new();
        game.actions(&state, &mut legal);
        let mut judged = [Judged { state, legal, value: 0.0, priors: Vec::new() }];
        self.judge(game, &mut judged, workspace);
        judged[0].value
    }

    fn judges(&self) -> bool {
        true
    }

    fn judge(&self, game: &G, states: &mut [Judged<G>], _workspace: &mut Workspace<G>) {
        let mut rows = Rows::default();
        rows.add(game, states);
        let (mut values, mut logits) = (vec![0.0; rows.count], vec![0.0; rows.legal.len()]);
        if rows.count > 0 {
            let judgements = Judgements { values: &mut values, logits: &mut logits };
            self.0.evaluate(rows.states(), judgements);
        }
        Rows::answer(game, states, &values, &logits);
    }
}

/// A leaf that whoever steps the search judges, so that one evaluator can be asked about the leaves of
/// many searches at once: see [`Search::asked`](crate::Search::asked).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked;

impl<G: Game> Leaf<G> for Asked {
    fn evaluate(&self, _game: &G, _state: G::State, _workspace: &mut Workspace<G>) -> f64 {
        unreachable!("the search waits for whoever steps it")
    }

    fn judges(&self) -> bool {
        true
    }

    fn waits(&self) -> bool {
        true
    }
}

/// Turns logits into shares. Of moves that all seem alike nothing is known: there are no priors then.
fn softmax(logits: &mut Vec<f32>) {
    if logits.iter().all(|logit| *logit == logits[0]) {
        return logits.clear();
    }
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - top).exp());
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= sum);
}
