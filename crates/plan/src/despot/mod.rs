//! Regularised DESPOT (Ye, Somani, Hsu and Lee 2017): a belief tree on a few scenarios, between bounds.

mod carry;
mod scenario;
mod search;

use patience_model::{Game, Rng};

use crate::{Evaluation, ParameterError, Planner, Root, Search};

pub use carry::{ByKnown, DefaultPolicy, Repeat};
use search::DespotSearch;

/// What regularised DESPOT goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DespotParameters {
    /// K: how many scenarios stand for the belief and for chance.
    pub scenarios: u32,
    /// λ: what every node of a policy costs, in units of reward.
    pub lambda: f64,
    /// D: moves to look ahead. Nothing is counted after them.
    pub depth: u32,
    /// ξ: a trial leaves alone what is uncertain by less than this part of the root's gap.
    pub target: f64,
}

impl Default for DespotParameters {
    /// Those of the paper's experiments.
    fn default() -> Self {
        DespotParameters { scenarios: 500, lambda: 0.01, depth: 90, target: 0.95 }
    }
}

/// Determinised sparse partially observable tree: actions and observations below the root, but only those
/// observations that come up in one of K scenarios, each a state drawn from the belief with a random stream
/// of its own. Trials go down where the upper bound is highest and what is uncertain is most. The lower bound
/// of a node is what a default policy comes to on its scenarios: one that is [given](Despot::going_on), or the
/// one action that is best repeated from the root on (at random where it is not legal), or each action alike.
/// The upper bound is an evaluation
/// function of states that must never be too small, averaged over scenarios.
///
/// The best policy for K scenarios may be one that has learnt them by heart; so each node of a policy in
/// the tree costs λ, and where that is not won back the default policy goes on.
///
/// Guarantees: anytime; the gap between the bounds never grows. Once complete the recommended policy is
/// the best on these scenarios less λ per node, if the upper bound is one. Then with high probability its
/// true value is near that of any small policy, the nearer the more scenarios there are, whatever the number
/// of states and observations (Ye et al. 2017, Theorem 1). For one player.
///
/// The scenarios are reproducible: with `key` the first number of the search's stream, scenario k starts at
/// the state drawn from the root by `Rng::numbered(key, k)`; the next number is the key of its stream, and
/// chance in its move at depth d comes from `Rng::numbered(that key, d)`.
///
/// A step plays at most 64 scenarios, whether to settle the default policy or to work out a belief of a
/// trial, so that a search can be stopped soon.
#[derive(Clone, Debug)]
pub struct Despot<E, D = Repeat> {
    parameters: DespotParameters,
    upper: E,
    default: D,
}

impl<E> Despot<E> {
    /// A planner with this upper bound of what a state is worth, that repeats one action where its tree ends.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(parameters: DespotParameters, upper: E) -> Result<Self, ParameterError> {
        let above_0 = "a whole number above 0";
        ParameterError::check("scenarios", parameters.scenarios, |&k| k > 0, above_0)?;
        ParameterError::check("depth", parameters.depth, |&d| d > 0, above_0)?;
        let sound = |x: &f64| x.is_finite() && *x >= 0.0;
        let not_negative = "a finite number that is not negative";
        ParameterError::check("lambda", parameters.lambda, sound, not_negative)?;
        let share = |x: &f64| (0.0..1.0).contains(x);
        ParameterError::check("target", parameters.target, share, "a share below 1")?;
        Ok(Despot { parameters, upper, default: Repeat })
    }

    /// The same with this default policy.
    pub fn going_on<D>(self, default: D) -> Despot<E, D> {
        Despot { parameters: self.parameters, upper: self.upper, default }
    }
}

impl<G, E, D> Planner<G> for Despot<E, D>
where
    G: Game,
    E: Evaluation<G> + Clone + 'static,
    D: DefaultPolicy<G> + Clone + 'static,
{
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g> {
        let bounds = (self.upper.clone(), self.default.clone());
        Box::new(DespotSearch::new(self.parameters, bounds, game, root, rng))
    }

    fn ends(&self) -> bool {
        true
    }
}
