//! PG-ID: on-line search by sampled trajectories with iterative deepening (Péret and Garcia 2004),
//! as the UCT paper compares with it in section 3.2.

mod search;

use patience_model::{Keyed, Rng};

use crate::{Evaluation, ParameterError, Planner, Root, Search, Zero};
use search::PgIdSearch;

/// How [`PgId`] draws actions along a trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exploration {
    /// The action whose confidence interval reaches highest.
    IntervalEstimation,
    /// Boltzmann exploration with this temperature, in units of reward; infinite draws all
    /// actions alike ("uncontrolled" search).
    Boltzmann {
        /// The temperature.
        temperature: f64,
    },
}

/// How [`PgId`] searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PgIdParameters {
    /// How actions are drawn along a trajectory.
    pub exploration: Exploration,
    /// The horizon grows when the sampling error estimated at the root is below this.
    pub error: f64,
    /// Half the width of the confidence interval before the first sample; after n samples it is
    /// this divided by √(n + 1).
    pub width: f64,
    /// The horizon at the start.
    pub horizon: u32,
    /// The horizon beyond which it does not grow.
    pub max_horizon: u32,
}

impl Default for PgIdParameters {
    fn default() -> Self {
        PgIdParameters {
            exploration: Exploration::IntervalEstimation,
            error: 1.0,
            width: 6.0,
            horizon: 1,
            max_horizon: 1000,
        }
    }
}

/// Receding-horizon search by sampled trajectories, deepened as its sampling error falls.
///
/// What is Péret and Garcia's, as far as it is publicly summarised: trajectories from the root
/// to a horizon instead of a whole sparse-sampling tree; statistics for every (state, depth); the
/// evaluation function at the horizon; actions drawn by interval estimation or by a Boltzmann
/// distribution; a horizon that grows only when the sampling error estimated at the root, from
/// confidence intervals handed up the tree, is small, since deepening at constant sampling makes
/// decisions worse.
///
/// What is our choice:
/// - Values are those of the maximum-likelihood model, backed up along the trajectory from its
///   end; when the horizon grows, all states are backed up once from the deepest to the root.
/// - The error of an action sampled n times is `width` / √(n + 1), plus the discounted mean error
///   of its successors. At the horizon and where the game is over the error is 0.
/// - An action never sampled in a state has the state's initial value. Left out of the backup, it
///   would make every state look bad that was visited less often than it has actions, and each
///   deepening would be a setback.
/// - A state's value is that of its best action, its error how far the interval of any action
///   reaches beyond that value.
/// - The horizon stays while no state at it has a future.
///
/// Guarantees: anytime. With Boltzmann exploration every action goes on being sampled; interval
/// estimation of fixed `width` can give up an action for good after unlucky samples, so it is not
/// consistent. The default parameters, in minutes of the sailing problem, are a compromise found
/// on its lakes from 2×2 to 20×20, so figures from these lakes flatter it.
///
/// One step is one trajectory, of at most `horizon` model calls. The planner wants certainty: of
/// a belief it takes one drawn state.
#[derive(Clone, Debug)]
pub struct PgId<E = Zero> {
    parameters: PgIdParameters,
    evaluation: E,
}

impl<E> PgId<E> {
    /// A planner with this evaluation function at the horizon.
    ///
    /// # Errors
    /// If a parameter is not above 0, error or width are not finite, or the horizon begins beyond
    /// its limit.
    pub fn new(parameters: PgIdParameters, evaluation: E) -> Result<Self, ParameterError> {
        for (name, value) in [("error", parameters.error), ("width", parameters.width)] {
            let right = |v: &f64| *v > 0.0 && v.is_finite();
            ParameterError::check(name, value, right, "a finite number above 0")?;
        }
        if let Exploration::Boltzmann { temperature } = parameters.exploration {
            ParameterError::check("temperature", temperature, |&t| t > 0.0, "a number above 0")?;
        }
        let (horizon, most) = (parameters.horizon, parameters.max_horizon);
        ParameterError::check("horizon", horizon, |&h| h > 0, "a whole number above 0")?;
        let expected = "no less than horizon and at most 100000";
        ParameterError::check(
            "max_horizon",
            most,
            |&m| (horizon..=100_000).contains(&m),
            expected,
        )?;
        Ok(PgId { parameters, evaluation })
    }
}

impl<G: Keyed, E: Evaluation<G> + Clone + 'static> Planner<G> for PgId<E> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, mut rng: Rng) -> Box<dyn Search<G> + 'g> {
        let state = root.sample(game, &mut rng);
        let evaluation = self.evaluation.clone();
        Box::new(PgIdSearch::new(game, state, self.parameters, evaluation, rng))
    }

    fn ends(&self) -> bool {
        false
    }
}
