//! How hard a deal is: how often the player wins it at a fixed small budget.

use patience_model::{Game, Rng};
use patience_plan::{Budget, Cancel, Planner, Root};

use super::super::{Klondike, State};
use super::{Best, BestSettings};

/// How often the player won a deal. A score depends on the deal, the number of games and the seed
/// alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// Games won.
    pub won: u32,
    /// Games played.
    pub plays: u32,
}

impl Difficulty {
    /// The share that was won: 1 is easy, 0 is hard or hopeless.
    pub fn share(&self) -> f64 {
        f64::from(self.won) / f64::from(self.plays.max(1))
    }
}

/// The samples per decision that a score is defined by; about a hundredth of a second per game.
const SAMPLES: u64 = 50;

/// Plays a deal so many times, each with a stream of its own, by a player of a fixed small budget.
/// `watch` hears after every game what was found so far, and says whether to go on.
pub fn difficulty(
    game: &Klondike,
    start: &State,
    plays: u32,
    seed: u64,
    watch: &mut dyn FnMut(&Difficulty) -> bool,
) -> Difficulty {
    let player =
        Best { settings: BestSettings { samples: Some(SAMPLES), ..BestSettings::default() } };
    let mut found = Difficulty { won: 0, plays: 0 };
    for play in 0..plays {
        let rng = Rng::named(seed, &["klondike", "difficulty", &play.to_string()]);
        found.won += u32::from(player.play(game, start, rng));
        found.plays += 1;
        if !watch(&found) {
            break;
        }
    }
    found
}

impl Best {
    /// Plays a game from a state to its end and says whether it was won. The state must fix what is
    /// face down, or it is drawn; the player sees none of it. For players with a number of samples.
    pub fn play(&self, game: &Klondike, start: &State, mut rng: Rng) -> bool {
        let mut state = *start;
        let player = Rng::new(rng.next_u64());
        let mut search = self.search(game, Root::Certain(game.open(&state)), player);
        let budget = match self.settings.samples {
            Some(_) => Budget::UNLIMITED,
            None => Budget::iterations(SAMPLES),
        };
        loop {
            search.run(&budget, &Cancel::new());
            let Some(action) = search.best() else { return game.is_won(&state) };
            let step = game.step(&mut state, action, &mut rng);
            search.advance(action, step.obs, Root::Certain(game.open(&state)));
        }
    }
}
