//! How hard a deal is: how often a quick player wins it, seeing what a player sees.

use patience_model::Standing;
use patience_plan::{Budget, Cancel};
use serde::Serialize;

use crate::setup::TableError;
use crate::state::AnyState;

/// How often a quick player won a deal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Difficulty {
    /// Games won.
    pub won: u64,
    /// Games played.
    pub games: u64,
    /// The share that was won.
    pub share: f64,
}

impl AnyState {
    /// Plays on so many times by the game's [yardstick](crate::GameInfo::yardstick), each time with
    /// streams of its own. `watch` hears after every game what was found so far.
    ///
    /// # Errors
    /// If the game has no yardstick.
    pub fn difficulty(
        &self,
        games: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Difficulty),
    ) -> Result<Difficulty, TableError> {
        let planner = self.game().info().yardstick;
        if planner.is_empty() {
            let why = format!("{} has no player by whom difficulty is measured", self.game());
            return Err(TableError::Unfit(why));
        }
        let mut found = Difficulty::default();
        while found.games < games && !cancel.is_cancelled() {
            let won = self.played_out(planner, found.games * 1_000_000, cancel)?;
            found.games += 1;
            found.won += u64::from(won);
            found.share = found.won as f64 / found.games as f64;
            watch(&found);
        }
        Ok(found)
    }

    /// Whether the planner wins from here.
    fn played_out(&self, planner: &str, seed: u64, cancel: &Cancel) -> Result<bool, TableError> {
        let mut game = self.clone();
        while game.standing() == Standing::Open && !cancel.is_cancelled() {
            let seed = seed + game.moves();
            let advice = game.advise(planner, &Budget::UNLIMITED, seed, cancel, &mut |_| ())?;
            let best = advice.moves.iter().find(|m| Some(&m.action) == advice.best.as_ref());
            let Some(best) = best.filter(|m| !m.moves.is_empty() && !m.again) else { break };
            for name in &best.moves {
                game.play(name).map_err(TableError::Setup)?;
            }
        }
        Ok(game.standing() == Standing::Won)
    }
}
