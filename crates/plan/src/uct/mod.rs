//! UCT: bandits applied to trees (Kocsis and Szepesvári 2006), one engine with named ingredients.
//!
//! | planner | settings |
//! |---|---|
//! | UCT | [`Settings::default`] |
//! | Sparse UCT | `width` = w |
//! | HOP-UCT | `width` = 1, many `trees` |
//! | Ensemble-UCT | many `trees`; with [`Forest`] on several threads |
//! | Ensemble-Sparse-UCT | many `trees`, `width` = w |
//! | flat Monte-Carlo (MC) | [`Settings::monte_carlo`]: uniform selection, nothing below the root is kept |
//! | Monte-Carlo with minimax update (MMMC) | [`Settings::minimax_monte_carlo`]: uniform selection, whole episodes are kept, max backup |
//!
//! | POMCP, single-observer ISMCTS | [`Settings::default`] with a root that is a [`Belief`](crate::Belief) |
//! | PFT-DPW | the same with `widen_actions` and `widen_outcomes` |
//! | AlphaZero's search | [`Selection::Puct`], a [`Leaf`] that judges |
//! | Gumbel AlphaZero's search | [`RootRule::Gumbel`], [`Selection::Improved`] |
//! | BTS, MENTS | [`Selection::Boltzmann`] with [`Backup::Max`] or [`Backup::Softmax`] |
//! | DENTS | [`Selection::Dents`] with [`Backup::Max`] |
//! | KL-UCB | [`Selection::KlUcb`] |
//! | GRAVE | `rave` with a reference |
//! | score-bounded MCTS | `prove` |
//!
//! **Guarantees.** Anytime; deterministic for a given stream. With UCB1 and mean backup every action is
//! tried without end and the best nearly always, so the value of the root converges to the optimum of any finite-horizon game whose
//! observations determine the state, and for hidden parts on the tree of actions and observations. The
//! rate that Theorem 6 states, a bias of O(log n / n), rests on a step that was never proven (Shah, Xie
//! and Xu 2022); with [`Selection::Polynomial`] a bias of O(n^−½) is. With uniform or Boltzmann selection a
//! mean converges to what that selection comes to, not to the optimum; max or Bellman backup does. With a finite `width` it converges
//! to the optimum of a sampled game instead (Klondike paper, analysis of Sparse UCT). What other
//! ingredients guarantee stands with them.
//!
//! A plain search pays nothing for ingredients that it does not use: they keep what they need beside the
//! tree, and one flag says whether there are any.

mod amaf;
mod batch;
mod branches;
mod choose;
mod entropy;
mod episode;
mod extras;
mod forest;
mod halving;
mod leaf;
mod merge;
mod proof;
mod search;
mod settings;
mod threads;
mod tree;

use std::marker::PhantomData;
use std::sync::Arc;

use patience_model::{Game, Rng};

pub use episode::UctSearch;
pub use forest::Forest;
pub use leaf::{Evaluate, Judged, Leaf, ListOutcomes, Listed};
pub use merge::{ByKey, Merge, Merging, Separate};
pub use settings::{Range, Rave, Recommend, RootRule, Settings, Widening};
pub use threads::{Pool, Threads};
pub use tree::bytes_per_node_and_edge;

pub use crate::rollout::{Played, Policy, Rollout, Uniform, Workspace};
use crate::tree::Bandit;
pub use crate::tree::{Backup, Selection};
use crate::{ParameterError, Planner, Root, Search};

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
        Self::build(settings, leaf, false)
    }

    /// The same for a leaf that lists outcomes ([`Listed`]), which proofs and Bellman backups need.
    ///
    /// # Errors
    /// If a parameter is out of range, or two do not go together.
    pub fn listing(settings: Settings, leaf: L) -> Result<Self, ParameterError> {
        Self::build(settings, leaf, true)
    }

    fn build(settings: Settings, leaf: L, lists: bool) -> Result<Self, ParameterError> {
        settings.check(M::MERGES, lists)?;
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
