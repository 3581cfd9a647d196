//! The evaluation function of the UCT paper's section 3.2.

use std::sync::Arc;

use patience_model::{Keyed, Rng};
use patience_plan::Evaluation;

use super::{Optimal, Sailing, State};

/// The UCT paper's evaluation function: V(x) = (1 + ε(x)) V*(x), with ε(x) uniform in
/// \[−epsilon, epsilon\], drawn for every state anew but fixed for a run.
///
/// ε(x) is computed from the run's seed and the state's key whenever it is asked for, so a run
/// stores nothing and all runs share one V*.
#[derive(Clone, Debug)]
pub struct Perturbed {
    optimal: Arc<Optimal>,
    epsilon: f64,
    run: u64,
}

impl Perturbed {
    /// The paper's ε.
    pub const EPSILON: f64 = 0.1;

    /// The evaluation function of the run with this seed.
    pub fn new(optimal: Arc<Optimal>, epsilon: f64, run: u64) -> Self {
        Perturbed { optimal, epsilon, run }
    }

    /// V of a state.
    #[inline]
    pub fn value(&self, state: &State) -> f64 {
        let key = u64::from(self.optimal.lake().key(state));
        let unit = Rng::numbered(self.run, key).unit();
        (1.0 + self.epsilon * (2.0 * unit - 1.0)) * self.optimal.value(state)
    }

    /// The value function that was perturbed.
    pub fn optimal(&self) -> &Optimal {
        &self.optimal
    }
}

impl Evaluation<Sailing> for Perturbed {
    #[inline]
    fn value(&self, _lake: &Sailing, state: &State) -> f64 {
        Perturbed::value(self, state)
    }
}
