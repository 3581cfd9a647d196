//! NORNS (Geißer, Keller and Mattmüller 2014, section 3).

use patience_model::Rng;
use patience_plan::uct::{Rollout, Settings, Uct, Uniform};
use patience_plan::{ParameterError, Planner, Root, Search};

use super::Several;
use crate::game::GdlGame;
use crate::world::World;

/// What the other roles are taken to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponents {
    /// They search as well, each for its own goal.
    Search,
    /// They move at random.
    Random,
}

/// NORNS: each simulation draws a present from the belief-state tree, then simulates a future by UCT
/// on the tree of own actions and percepts. The tree is kept below the move that was played.
///
/// **Guarantees.** Anytime; asymptotically optimal where one role decides (section 4). Where several
/// decide, see [`Several`].
#[derive(Clone, Debug)]
pub struct Norns {
    alone: Uct<Rollout<Uniform>>,
    several: Several,
    opponents: Opponents,
}

impl Norns {
    /// NORNS with these ingredients of UCT, which value leaves by this rollout.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(
        settings: Settings,
        rollout: Rollout<Uniform>,
        several: Several,
        opponents: Opponents,
    ) -> Result<Self, ParameterError> {
        Ok(Norns { alone: Uct::new(settings, rollout)?, several, opponents })
    }

    fn is_alone<W: World>(&self, game: &GdlGame<W>) -> bool {
        let world = game.network();
        let others = (0..game.role_count()).filter(|&r| r != game.role() && !world.is_chance(r));
        self.opponents == Opponents::Random || others.count() == 0
    }
}

impl<W: World> Planner<GdlGame<W>> for Norns {
    fn search<'g>(
        &self,
        game: &'g GdlGame<W>,
        root: Root<GdlGame<W>>,
        rng: Rng,
    ) -> Box<dyn Search<GdlGame<W>> + 'g> {
        match self.is_alone(game) {
            true => self.alone.search(game, root, rng),
            false => self.several.search(game, root, rng),
        }
    }

    fn ends(&self) -> bool {
        Planner::<GdlGame<W>>::ends(&self.several) && Planner::<GdlGame<W>>::ends(&self.alone)
    }

    fn advances(&self) -> bool {
        true
    }
}
