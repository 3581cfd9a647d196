//! Games whose moves are decided by something that is no planner of ours, such as a program in another
//! language.

use std::sync::Arc;

use patience_catalogue::run::{Played, Playing, Plays, RunError, Start, Streams, Tell};
use patience_catalogue::{AnyGame, AnyState};
use patience_model::Rng;
use patience_plan::Cancel;

/// Decides the moves of a game.
pub trait Decides: Send + Sync {
    /// The place of a move among the legal ones, of which there are two at least. All its chance comes
    /// from the stream. It sees the state as a program does that plays: what is hidden is not told by the
    /// state's text, its moves and their observations.
    ///
    /// # Errors
    /// Says why there is no decision: the game cannot go on.
    fn decide(&self, state: &AnyState, rng: Rng) -> Result<usize, String>;
}

/// Plays games by what it decides.
pub(super) struct Decided {
    pub(super) game: AnyGame,
    pub(super) decides: Arc<dyn Decides>,
    pub(super) playing: Playing,
}

/// Moves after which a game that was given no limit is taken for endless.
const ENDLESS: u64 = 1_000_000;

impl Decided {
    /// The move of a planner that plays for the minimising player.
    fn reply(
        &self,
        opponent: &str,
        state: &AnyState,
        mut rng: Rng,
        cancel: &Cancel,
    ) -> Result<usize, RunError> {
        let (budget, seed) = (&self.playing.budget, rng.next_u64());
        let advice = state.advise(opponent, budget, seed, cancel, &mut |_| ());
        let best = advice.map_err(|error| RunError::Failed(error.to_string()))?.best;
        if cancel.is_cancelled() {
            return Err(RunError::Interrupted);
        }
        let place = state.actions().iter().position(|action| Some(action) == best.as_ref());
        place.ok_or_else(|| RunError::Failed(format!("{opponent} recommends no move")))
    }
}

impl Plays for Decided {
    fn ends(&self) -> (bool, bool) {
        let opponent = self.playing.opponent.as_ref();
        (true, opponent.is_none_or(|opponent| self.game.ends(opponent).unwrap_or(true)))
    }

    fn advances(&self) -> bool {
        false
    }

    fn figures(&self) -> &'static [&'static str] {
        &[]
    }

    fn play_told(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
        cancel: &Cancel,
        _tell: Option<Tell<'_>>,
    ) -> Result<Played, RunError> {
        let mut state = self.game.begin(start, streams)?;
        let most = self.playing.max_moves.unwrap_or(ENDLESS);
        while state.moves() < most {
            if cancel.is_cancelled() {
                return Err(RunError::Interrupted);
            }
            let stream = || (streams.own)(&format!("move {}", state.moves()));
            let place = match (state.count(), &self.playing.opponent) {
                (0, _) => break,
                (1, _) => 0,
                (_, Some(opponent)) if state.minimising() => {
                    self.reply(opponent, &state, stream(), cancel)?
                }
                _ => self.decides.decide(&state, stream()).map_err(RunError::Failed)?,
            };
            if state.step(place).is_none() {
                let message = format!("there is no move at place {place} after {}", state.moves());
                return Err(RunError::Failed(message));
            }
        }
        let ended = state.is_over();
        if !ended && self.playing.max_moves.is_none() {
            let message = format!("the game is not over after {ENDLESS} moves: set `max_moves`");
            return Err(RunError::Failed(message));
        }
        Ok(Played { result: state.result(), moves: state.moves(), ended })
    }
}
