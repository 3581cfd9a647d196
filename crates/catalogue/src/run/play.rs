//! Games from start to end by a planner that decides every move.

use std::sync::Arc;

use patience_model::Game;
use patience_plan::{Budget, Cancel, Planner, Search, StopReason};

use super::{RunError, Start, Streams, begin, begin_at};
use crate::call::{Call, CallError};
use crate::kit::Kit;
use crate::planners;

/// How games are played.
#[derive(Clone, Debug, Default)]
pub struct Playing {
    /// The planner.
    pub planner: String,
    /// A planner for the minimising player, if it is another.
    pub opponent: Option<String>,
    /// What a decision may spend.
    pub budget: Budget,
    /// Whether the tree below the move played is kept.
    pub reuse: bool,
    /// Games are cut after so many moves.
    pub max_moves: Option<u64>,
}

/// A game that was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The discounted sum of its rewards.
    pub result: f64,
    /// Its moves.
    pub moves: u64,
    /// Whether it came to its end.
    pub ended: bool,
}

/// What a planner said of the move that it chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The value, if it had one.
    pub value: Option<f64>,
    /// Whether it is proven.
    pub sure: bool,
    /// Figures of the search's own, by the names of [`Plays::figures`]; none where it gave none.
    pub figures: Vec<f64>,
}

/// Hears what is said before each move.
pub type Tell<'t> = &'t mut dyn FnMut(Told);

/// Plays games.
pub trait Plays: Send + Sync {
    /// Whether the planner's searches, and the opponent's, end by themselves.
    fn ends(&self) -> (bool, bool);

    /// Whether the planner can keep its tree below a move.
    fn advances(&self) -> bool;

    /// The names of the figures of its searches.
    fn figures(&self) -> &'static [&'static str];

    /// Plays a game.
    ///
    /// # Errors
    /// If it was cancelled, or the start is none.
    fn play(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
        cancel: &Cancel,
    ) -> Result<Played, RunError> {
        self.play_told(start, streams, cancel, None)
    }

    /// The same, with what the planner says of the moves that it chooses.
    ///
    /// # Errors
    /// If it was cancelled, or the start is none.
    fn play_told(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
        cancel: &Cancel,
        tell: Option<Tell<'_>>,
    ) -> Result<Played, RunError>;
}

struct PlaysOf<G: Game> {
    kit: Arc<Kit<G>>,
    planner: Box<dyn Planner<G>>,
    opponent: Option<Box<dyn Planner<G>>>,
    playing: Playing,
}

pub(crate) fn playing<G>(kit: Arc<Kit<G>>, playing: &Playing) -> Result<Box<dyn Plays>, CallError>
where
    G: Game + Send + Sync + 'static,
{
    let planner = planners::planner(&kit, &Call::parse(&playing.planner)?)?.1;
    let opponent = match &playing.opponent {
        Some(opponent) => Some(planners::planner(&kit, &Call::parse(opponent)?)?.1),
        None => None,
    };
    Ok(Box::new(PlaysOf { kit, planner, opponent, playing: playing.clone() }))
}

/// Moves after which a game that was given no limit is taken for endless.
const ENDLESS: u64 = 1_000_000;

impl<G> Plays for PlaysOf<G>
where
    G: Game + Send + Sync + 'static,
{
    fn ends(&self) -> (bool, bool) {
        (self.planner.ends(), self.opponent.as_ref().is_none_or(|opponent| opponent.ends()))
    }

    fn advances(&self) -> bool {
        self.planner.advances()
    }

    fn figures(&self) -> &'static [&'static str] {
        self.planner.figures()
    }

    fn play_told(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
        cancel: &Cancel,
        mut tell: Option<Tell<'_>>,
    ) -> Result<Played, RunError> {
        let game = &self.kit.game;
        let mut state = begin_at(&self.kit, start, streams)?;
        // The world's chance is not the planner's, and is the same for all that are compared.
        let mut chance = (streams.shared)("chance");
        let mut tracker = self.kit.track.map(|track| track(game));
        let (mut result, mut weight, mut moves) = (0.0, 1.0, 0);
        let mut legal = Vec::new();
        // One search for either side; each starts in the memory of its last one.
        let mut searches: [Option<Box<dyn Search<G> + '_>>; 2] = [None, None];
        // Whether the planner's search stands where the game does, so that it can follow a move.
        let mut here = false;
        while moves < self.playing.max_moves.unwrap_or(ENDLESS) {
            game.actions(&state, &mut legal);
            let action = match legal[..] {
                [] => break,
                [only] => only,
                _ => {
                    let (planner, last) = match &self.opponent {
                        Some(opponent) if game.minimising(&state) => (opponent, &mut searches[1]),
                        _ => (&self.planner, &mut searches[0]),
                    };
                    let search = match last {
                        Some(search) if here => search,
                        last => {
                            let stream = (streams.own)(&format!("move {moves}"));
                            begin(&**planner, last, game, stream, || {
                                self.kit.root_of(tracker.as_deref(), &state)
                            })
                        }
                    };
                    let stats = search.run(&self.playing.budget, cancel);
                    if stats.stop == Some(StopReason::Cancelled) {
                        return Err(RunError::Interrupted);
                    }
                    here = true;
                    let best = search.best().ok_or_else(|| {
                        RunError::Failed(format!("no move was recommended after {moves}"))
                    })?;
                    if let Some(tell) = &mut tell {
                        let all = search.estimates();
                        let said = all.iter().find(|estimate| estimate.action == best);
                        tell(Told {
                            value: said.and_then(|said| said.value),
                            sure: said.is_some_and(|said| said.proven),
                            figures: search.figures().into_iter().map(|(_, f)| f).collect(),
                        });
                    }
                    best
                }
            };
            let step = game.step(&mut state, action, &mut chance);
            result += weight * step.reward;
            weight *= game.discount();
            moves += 1;
            if let Some(tracker) = &mut tracker {
                tracker.observe(action, step.obs);
            }
            here &= self.playing.reuse
                && searches[0].as_mut().is_some_and(|search| {
                    let root = self.kit.root_of(tracker.as_deref(), &state);
                    search.advance(action, step.obs, root)
                });
        }
        game.actions(&state, &mut legal);
        let ended = legal.is_empty();
        if !ended && self.playing.max_moves.is_none() {
            let message = format!("the game is not over after {ENDLESS} moves: set `max_moves`");
            return Err(RunError::Failed(message));
        }
        Ok(Played { result, moves, ended })
    }
}
