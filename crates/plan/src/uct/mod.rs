//! UCT: bandits applied to trees (Kocsis and Szepesvári 2006), one engine with named ingredients.
//!
//! | planner | settings |
//! |---|---|
//! | UCT | [`Settings::default`] |
//! | Sparse UCT | `width` = w |
//! | HOP-UCT | `width` = 1, many `trees` |
//! | Ensemble-UCT | many `trees` |
//! | Ensemble-Sparse-UCT | many `trees`, `width` = w |
//! | flat Monte-Carlo (MC) | [`Settings::monte_carlo`]: uniform selection, nothing below the root is kept |
//! | Monte-Carlo with minimax update (MMMC) | [`Settings::minimax_monte_carlo`]: uniform selection, whole episodes are kept, max backup |
//!
//! **Guarantees.** With UCB1 and mean backup, rewards within [0, 1] and `c` = √2 times the horizon,
//! the value of the root converges to the optimum with a bias of O(log n / n) and the probability
//! of recommending a wrong action falls to zero polynomially (Theorem 6), for any finite-horizon
//! game whose observations determine the state, and for hidden parts on the tree of actions and
//! observations. With a finite `width` it converges to the optimum of a sampled game instead
//! (Klondike paper, analysis of Sparse UCT). Anytime; deterministic for a given stream.

mod branches;
mod episode;
mod leaf;
mod merge;
mod search;
mod tree;

use std::marker::PhantomData;
use std::sync::Arc;

use patience_model::{Game, Rng};

pub use episode::UctSearch;
pub use leaf::{Evaluate, Leaf};
pub use merge::{ByKey, Merge, Merging, Separate};
pub use tree::bytes_per_node_and_edge;

pub use crate::rollout::{Policy, Rollout, Uniform, Workspace};
use crate::tree::Bandit;
pub use crate::tree::{Backup, Selection};
use crate::{ParameterError, Planner, Root, Search};

/// Which action is recommended in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recommend {
    /// The one of the highest value.
    Value,
    /// The one tried most often; of equals the one of higher value.
    Visits,
}

/// The ingredients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Episodes per tree; `None`: as many as the budget allows.
    pub iterations: Option<u64>,
    /// Trees, one after the other, whose root values are averaged.
    pub trees: u32,
    /// Outcomes sampled per action and node (Sparse UCT's w); `None`: a new one at every visit.
    /// For roots that are certain: with a belief every episode draws another state, so the same
    /// noise does not make the same outcome, and a tree that meets it again learns what is hidden.
    pub width: Option<u32>,
    /// The bandit rule.
    pub selection: Selection,
    /// Nodes that an episode may add; `None`: all that it visits. After that the leaf is valued.
    pub expand: Option<u32>,
    /// Whether an episode stops at a node with probability 1/visits (section 3.2): an approximate
    /// iterative deepening for problems without a horizon.
    pub stop_episodes: bool,
    /// What a node tells its parent.
    pub backup: Backup,
    /// What is recommended.
    pub recommend: Recommend,
}

impl Default for Settings {
    /// Plain UCT with UCB1, for rewards within [0, 1].
    fn default() -> Self {
        Settings {
            iterations: None,
            trees: 1,
            width: None,
            selection: Selection::Ucb1 { c: std::f64::consts::SQRT_2 },
            expand: Some(1),
            stop_episodes: false,
            backup: Backup::Mean,
            recommend: Recommend::Value,
        }
    }
}

impl Settings {
    /// Whether the episodes through a root action are independent of one another, so that their
    /// mean has a standard error.
    fn independent(&self) -> bool {
        self.selection == Selection::Uniform && self.backup == Backup::Mean
    }

    /// Whether a tree can be kept below a move. Sampled outcomes of a limited width belong to the
    /// numbers of the edges, and a bias that decays with depth to the depth: both change when the
    /// root moves. Of several trees only the last is there.
    fn advances(&self) -> bool {
        let by_depth = matches!(self.selection, Selection::DepthDecayed { .. });
        self.trees == 1 && self.width.is_none() && !by_depth
    }

    /// Vanilla Monte-Carlo planning: actions at the root tried alike, the rest is rollout.
    pub fn monte_carlo() -> Self {
        Settings { selection: Selection::Uniform, expand: Some(0), ..Settings::default() }
    }

    /// Monte-Carlo planning with minimax value update (section 3.1).
    pub fn minimax_monte_carlo() -> Self {
        Settings {
            selection: Selection::Uniform,
            expand: None,
            backup: Backup::Max,
            ..Settings::default()
        }
    }
}

/// The planner: ingredients, how a leaf is valued, and whether nodes are merged.
///
/// ```
/// use patience_model::{Game, Rng, Step};
/// use patience_plan::{Budget, Cancel, Planner, Root, Search};
/// use patience_plan::uct::{Rollout, Settings, Uct};
///
/// /// Roll a die up to five times; stop whenever you like and keep the last roll.
/// struct Dice;
/// impl Game for Dice {
///     type State = (u8, u8); // rolls left, last roll
///     type Action = bool; // roll again?
///     type Obs = u8;
///     fn start(&self, rng: &mut Rng) -> (u8, u8) {
///         (4, rng.below(6) as u8 + 1)
///     }
///     fn actions(&self, s: &(u8, u8), out: &mut Vec<bool>) {
///         out.clear();
///         if s.0 > 0 {
///             out.extend([false, true]);
///         }
///     }
///     fn step(&self, s: &mut (u8, u8), roll: bool, rng: &mut Rng) -> Step<u8> {
///         *s = if roll { (s.0 - 1, rng.below(6) as u8 + 1) } else { (0, s.1) };
///         let reward = if s.0 == 0 { f64::from(s.1) / 6.0 } else { 0.0 };
///         Step { reward, obs: s.1 }
///     }
/// }
///
/// let uct: Uct<Rollout<_>> = Uct::new(Settings::default(), Rollout::default())?;
/// let mut search = uct.search(&Dice, Root::Certain((4, 3)), Rng::new(1));
/// search.run(&Budget::iterations(2_000), &Cancel::new());
/// assert_eq!(search.best(), Some(true)); // a three is not worth keeping
/// # Ok::<(), patience_plan::ParameterError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Uct<L, M = Separate> {
    settings: Settings,
    bandit: Arc<Bandit>,
    leaf: L,
    merge: PhantomData<M>,
}

impl<L, M: Merging> Uct<L, M> {
    /// A planner with these ingredients.
    ///
    /// # Errors
    /// If a parameter is out of range, or two do not go together.
    pub fn new(settings: Settings, leaf: L) -> Result<Self, ParameterError> {
        let above_0 = "a whole number above 0";
        ParameterError::check("trees", settings.trees, |&n| n > 0, above_0)?;
        if let Some(n) = settings.iterations {
            ParameterError::check("iterations", n, |&n| n > 0, above_0)?;
        }
        if settings.trees > 1 && settings.iterations.is_none() {
            let expected = "1, or a number of iterations with it: the episodes of each tree";
            return Err(ParameterError::new("trees", settings.trees, expected));
        }
        if let Some(width) = settings.width {
            ParameterError::check("width", width, |&w| w > 0, "a whole number above 0, or inf")?;
        }
        if let Selection::Ucb1 { c } | Selection::DepthDecayed { c, .. } | Selection::Tuned { c } =
            settings.selection
        {
            let expected = "a finite number that is not negative";
            ParameterError::check("c", c, |c| c.is_finite() && *c >= 0.0, expected)?;
        }
        if let Selection::DepthDecayed { horizon, .. } = settings.selection {
            let expected = "a whole number from 1 to 10000";
            ParameterError::check("horizon", horizon, |h| (1..=10_000).contains(h), expected)?;
        }
        if matches!(settings.selection, Selection::Tuned { .. }) && settings.backup.of_actions() {
            let expected = "mean, because UCB1-Tuned needs the variance of a mean";
            return Err(ParameterError::new("backup", settings.backup.name(), expected));
        }
        if let Backup::Cautious { range } = settings.backup {
            let expected = "a finite number above 0";
            ParameterError::check("range", range, |r| r.is_finite() && *r > 0.0, expected)?;
        }
        if M::MERGES && settings.backup.of_actions() {
            let expected = "mean, because nodes are merged and others need one parent per node";
            return Err(ParameterError::new("backup", settings.backup.name(), expected));
        }
        let bandit = Arc::new(Bandit::new(settings.selection));
        Ok(Uct { settings, bandit, leaf, merge: PhantomData })
    }

    /// The ingredients.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

impl<G: Game, L: Leaf<G> + Clone + 'static, M: Merge<G> + 'static> Planner<G> for Uct<L, M> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g> {
        let (bandit, leaf) = (Arc::clone(&self.bandit), self.leaf.clone());
        Box::new(UctSearch::<G, L, M>::new(self.settings, bandit, leaf, game, root, rng))
    }

    fn ends(&self) -> bool {
        self.settings.iterations.is_some()
    }

    fn advances(&self) -> bool {
        self.settings.advances()
    }
}
