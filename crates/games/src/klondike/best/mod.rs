//! The player for hidden cards: a search over what can be seen, with the thoughtful solver at its
//! leaves.
//!
//! A sample deals the face-down cards at random and goes down a tree whose nodes are what the player
//! would see: the class of positions (see [`solver`](super::solver)) and the cards turned up. At the
//! first new node the solver tries to win this deal within a few nodes. So a plan that needs luck to
//! be right about a card is worth what it wins over all deals that look alike, down to the depth of
//! the tree; only below it does the solver see all cards.
//!
//! What was measured (on the same deals) and kept:
//! - few nodes for the solver and many samples: 100 nodes decide as well as 1000 and cost a sixth;
//! - the n-th sample of every move at the root is the same deal;
//! - the tree is kept from one move to the next, and ways to the same node share it;
//! - moves that need no second thought, and positions in which no card can be turned up any more,
//!   cost no samples;
//! - with few cards face down the game is solved instead of sampled (`belief.rs`).
//!
//! Measured and not kept: sequential halving at the root, optimism for untried moves by their
//! parent's mean, the solver's own first move tried first, stopping early where one move is clearly
//! ahead, and nodes worth their best move instead of their mean (at 400 samples 38% of 1000 deals
//! instead of 48%: samples are few and each wins or loses, so the best of several is mostly luck).
//!
//! **Guarantees.** Anytime and deterministic. It never reads what lies face down. With no card
//! unknown it plays by the solver's exact answer, with few unknown by exact values where its nodes suffice. A move is called [`proven`] only if its value
//! holds for every order of the face-down cards.
//!
//! [`proven`]: patience_plan::Estimate::proven

mod answer;
mod belief;
mod bound;
mod branches;
mod game;
mod loss;
mod mix;
mod odds;
mod search;
mod sight;
mod tree;
mod way;

use patience_model::Rng;
use patience_plan::{ParameterError, Planner, Root, Search};

use super::Klondike;
pub use bound::{Bound, BoundSettings};
use search::BestSearch;

/// How [`Best`] searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestSettings {
    /// Samples per decision, with those kept from the move before. `None`: as many as the budget
    /// allows, and then every legal move is looked at, even where one needs no second thought.
    pub samples: Option<u64>,
    /// Nodes of the solver at a leaf.
    pub nodes: u64,
    /// What a leaf is worth that the solver cannot decide within its nodes.
    pub unknown: f64,
    /// How much is explored: the factor of the upper confidence bound.
    pub c: f64,
}

impl Default for BestSettings {
    fn default() -> Self {
        BestSettings { samples: None, nodes: 100, unknown: 0.5, c: 0.5 }
    }
}

/// The player.
///
/// ```
/// use patience_games::klondike::best::{Best, BestSettings};
/// use patience_games::klondike::{Deal, Klondike, Rules};
/// use patience_model::Rng;
///
/// let game = Klondike::new(Rules::default())?;
/// let player = Best::new(BestSettings { samples: Some(50), ..BestSettings::default() })?;
/// let deals = (1..=5).map(|seed| game.deal(&Deal::seeded(game.rules(), seed)));
/// let won = deals.filter(|deal| deal.as_ref().is_ok_and(|d| player.play(&game, d, Rng::new(1))));
/// assert!(won.count() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Best {
    settings: BestSettings,
}

impl Best {
    /// A player with these settings.
    ///
    /// # Errors
    /// If one is out of range.
    pub fn new(settings: BestSettings) -> Result<Best, ParameterError> {
        let above_0 = "a whole number above 0";
        if let Some(samples) = settings.samples {
            ParameterError::check("samples", samples, |&n| n > 0, above_0)?;
        }
        ParameterError::check("nodes", settings.nodes, |&n| n > 0, above_0)?;
        let expected = "a number from 0 to 1";
        ParameterError::check("unknown", settings.unknown, |v| (0.0..=1.0).contains(v), expected)?;
        let expected = "a finite number that is not negative";
        ParameterError::check("c", settings.c, |c| c.is_finite() && *c >= 0.0, expected)?;
        Ok(Best { settings })
    }
}

impl Planner<Klondike> for Best {
    fn search<'g>(
        &self,
        game: &'g Klondike,
        root: Root<Klondike>,
        rng: Rng,
    ) -> Box<dyn Search<Klondike> + 'g> {
        Box::new(BestSearch::new(self.settings, game, root, rng))
    }

    fn ends(&self) -> bool {
        self.settings.samples.is_some()
    }

    fn figures(&self) -> &'static [&'static str] {
        answer::FIGURES
    }

    fn advances(&self) -> bool {
        true
    }
}
