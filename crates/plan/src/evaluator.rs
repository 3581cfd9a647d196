//! Values and priors from outside: networks and other programs that know states as arrays.

use std::sync::Arc;

use patience_model::Encoded;

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
        // A game that is over is worth nothing more, and nobody need be asked.
        let asked = || states.iter().filter(|judged| !judged.legal.is_empty());
        let (count, width, moves) = (asked().count(), game.highest().len(), game.moves());
        let mut observations = vec![0; count * width];
        let mut legal = vec![0; count * moves];
        for (row, judged) in asked().enumerate() {
            game.observe(&judged.state, None, &mut observations[row * width..(row + 1) * width]);
            for &action in &judged.legal {
                legal[row * moves + game.number(&judged.state, action)] = 1;
            }
        }
        let (mut values, mut logits) = (vec![0.0; count], vec![0.0; count * moves]);
        if count > 0 {
            let asked = States { count, observations: &observations, legal: &legal };
            self.0.evaluate(asked, Judgements { values: &mut values, logits: &mut logits });
        }
        let mut row = 0;
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
    }
}

/// Turns logits into shares.
fn softmax(logits: &mut [f32]) {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - top).exp());
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= sum);
}
