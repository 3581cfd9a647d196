//! Whole runs of a planner or solver, typed to the bottom: games from start to end, decisions judged
//! by exact values, positions solved. Experiments are made of these.

use std::sync::Arc;

use patience_model::{Game, Rng};
use patience_plan::{Budget, Cancel, Planner, Root, Search, StopReason};

use crate::call::{Call, CallError};
use crate::kit::{Kit, Objective};
use crate::planners;
use crate::solved::{self, SolveError, Solved};

/// Where a run starts.
#[derive(Clone, Copy, Debug)]
pub enum Start<'s> {
    /// At a position of chance.
    Chance,
    /// At a deal of the game's own number.
    Deal(&'s str),
    /// At a position in text.
    Text(&'s str),
}

/// The random streams of a run, each by its purpose.
pub struct Streams<'s> {
    /// Streams that runs to be compared have in common: the deal, the world's chance.
    pub shared: &'s dyn Fn(&str) -> Rng,
    /// Streams of this run alone: the planner's own chance.
    pub own: &'s dyn Fn(&str) -> Rng,
}

impl std::fmt::Debug for Streams<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Streams")
    }
}

/// Why a run has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// It was cancelled.
    #[error("interrupted")]
    Interrupted,
    /// It failed.
    #[error("{0}")]
    Failed(String),
}

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

/// Plays games.
pub trait Plays: Send + Sync {
    /// Whether the planner's searches, and the opponent's, end by themselves.
    fn ends(&self) -> (bool, bool);

    /// Whether the planner can keep its tree below a move.
    fn advances(&self) -> bool;

    /// Plays a game.
    ///
    /// # Errors
    /// If it was cancelled, or the start is none.
    fn play(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
        cancel: &Cancel,
    ) -> Result<Played, RunError>;
}

/// How decisions are judged.
#[derive(Clone, Debug)]
pub struct Judging {
    /// The planner.
    pub planner: String,
    /// What it has spent at each checkpoint.
    pub checkpoints: Vec<Budget>,
    /// Searches from one start, over which is averaged.
    pub runs: u64,
}

/// Judges decisions.
pub trait Judges: Send + Sync {
    /// At each checkpoint, the share of searches whose recommendation is not optimal, and what it is
    /// worth less than an optimal one in the mean.
    ///
    /// # Errors
    /// If it was cancelled.
    fn judge(&self, streams: &Streams<'_>, cancel: &Cancel) -> Result<Vec<(f64, f64)>, RunError>;
}

/// Solves positions.
pub trait Solves: Send + Sync {
    /// What the goal is called.
    fn goal(&self) -> &'static str;

    /// By what solutions are judged.
    fn objective(&self) -> Objective;

    /// The names of the solver's own figures.
    fn figures(&self) -> &'static [&'static str];

    /// Solves a position.
    ///
    /// # Errors
    /// If it was cancelled, the start is none, or the solution does not stand.
    fn solve(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
        cancel: &Cancel,
    ) -> Result<Solved, RunError>;
}

/// The state at a start.
fn begin_at<G: Game + 'static>(
    kit: &Kit<G>,
    start: Start<'_>,
    streams: &Streams<'_>,
) -> Result<G::State, RunError> {
    let failed = |what: &str| RunError::Failed(what.to_owned());
    match start {
        Start::Chance => Ok((kit.start)(&kit.game, &mut (streams.shared)("start"))),
        Start::Deal(name) => {
            let deal = kit.numbered.as_ref().ok_or_else(|| failed("deals have no numbers"))?;
            deal(&kit.game, name).map_err(RunError::Failed)
        }
        Start::Text(text) => {
            let read = kit.read.as_ref().ok_or_else(|| failed("it is not read from text"))?;
            read(&kit.game, text).map_err(RunError::Failed)
        }
    }
}

/// Starts a search, in the memory of the last one if it can.
fn begin<'s, 'g, G: Game>(
    planner: &dyn Planner<G>,
    last: &'s mut Option<Box<dyn Search<G> + 'g>>,
    game: &'g G,
    rng: Rng,
    root: impl Fn() -> Root<G>,
) -> &'s mut Box<dyn Search<G> + 'g> {
    let restarted = last.as_mut().is_some_and(|search| search.restart(root(), rng.clone()));
    if !restarted {
        *last = None;
    }
    last.get_or_insert_with(|| planner.search(game, root(), rng))
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

    fn play(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
        cancel: &Cancel,
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
                    search.best().ok_or_else(|| {
                        RunError::Failed(format!("no move was recommended after {moves}"))
                    })?
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

struct JudgesOf<G: Game> {
    kit: Arc<Kit<G>>,
    planner: Box<dyn Planner<G>>,
    judging: Judging,
}

pub(crate) fn judging<G>(kit: Arc<Kit<G>>, judging: &Judging) -> Result<Box<dyn Judges>, CallError>
where
    G: Game + Send + Sync + 'static,
{
    let call = Call::parse(&judging.planner)?;
    let planner = planners::planner(&kit, &call)?.1;
    Ok(Box::new(JudgesOf { kit, planner, judging: judging.clone() }))
}

/// A tie is one up to rounding: the exact values come from sums of probabilities.
const TIE: f64 = 1e-7;

impl<G> Judges for JudgesOf<G>
where
    G: Game + Send + Sync + 'static,
{
    fn judge(&self, streams: &Streams<'_>, cancel: &Cancel) -> Result<Vec<(f64, f64)>, RunError> {
        let game = &self.kit.game;
        let state = begin_at(&self.kit, Start::Chance, streams)?;
        let Some(oracle) = &self.kit.oracle else {
            return Err(RunError::Failed("no exact values are known".to_owned()));
        };
        let exact = oracle(game, &state);
        let values = exact.iter().map(|&(_, value)| value);
        let optimum = match game.minimising(&state) {
            true => values.fold(f64::INFINITY, f64::min),
            false => values.fold(f64::NEG_INFINITY, f64::max),
        };
        let loss = |value: f64| (value - optimum).abs();
        let mut sums = vec![(0.0, 0.0); self.judging.checkpoints.len()];
        if exact.iter().all(|&(_, value)| loss(value) <= TIE) {
            // Every move is right, so no planner can fail: nothing to search.
            return Ok(sums);
        }
        let mut searches: Option<Box<dyn Search<G> + '_>> = None;
        for run in 0..self.judging.runs {
            let stream = (streams.own)(&format!("run {run}"));
            let search = begin(&*self.planner, &mut searches, game, stream, || {
                let tracker = self.kit.track.map(|track| track(game));
                self.kit.root_of(tracker.as_deref(), &state)
            });
            for (sum, budget) in sums.iter_mut().zip(&self.judging.checkpoints) {
                let stats = search.run(budget, cancel);
                if stats.stop == Some(StopReason::Cancelled) {
                    return Err(RunError::Interrupted);
                }
                let chosen = search.best();
                let found = exact.iter().find(|(action, _)| Some(*action) == chosen);
                let &(_, value) = found.ok_or_else(|| {
                    RunError::Failed(format!("{chosen:?} was recommended but is not legal"))
                })?;
                sum.0 += f64::from(u8::from(loss(value) > TIE));
                sum.1 += loss(value);
            }
        }
        let runs = self.judging.runs as f64;
        Ok(sums.iter().map(|(failed, lost)| (failed / runs, lost / runs)).collect())
    }
}

struct SolvesOf<G: Game> {
    kit: Arc<Kit<G>>,
    solver: Call,
    figures: &'static [&'static str],
    budget: Budget,
}

pub(crate) fn solving<G>(
    kit: Arc<Kit<G>>,
    solver: &Call,
    budget: &Budget,
) -> Result<Box<dyn Solves>, CallError>
where
    G: Game + Send + Sync + 'static,
{
    let (_, planner) = planners::solver(&kit, solver)?;
    if budget.is_unlimited() && !planner.ends() {
        let message =
            "it would not end by itself: give it `rollouts`, or a number of starts or runs";
        return Err(CallError::new(solver, message));
    }
    let figures = planner.figures();
    Ok(Box::new(SolvesOf { kit, solver: solver.clone(), figures, budget: *budget }))
}

impl<G> Solves for SolvesOf<G>
where
    G: Game + Send + Sync + 'static,
{
    fn goal(&self) -> &'static str {
        self.kit.goal.map_or("solved", |goal| goal.0)
    }

    fn objective(&self) -> Objective {
        self.kit.objective
    }

    fn figures(&self) -> &'static [&'static str] {
        self.figures
    }

    fn solve(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
        cancel: &Cancel,
    ) -> Result<Solved, RunError> {
        let state = begin_at(&self.kit, start, streams)?;
        let rng = (streams.own)("solver");
        let watch = &mut |_: &Solved| ();
        let solved =
            solved::solve(&self.kit, &state, &self.solver, rng, &self.budget, cancel, watch);
        let solved = solved.map_err(|error: SolveError| RunError::Failed(error.to_string()))?;
        if solved.stats.stop == Some(StopReason::Cancelled) {
            return Err(RunError::Interrupted);
        }
        Ok(solved)
    }
}
