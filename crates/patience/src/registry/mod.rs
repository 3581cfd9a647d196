//! Games and planners by name: here types are erased, once.

mod freecell;
mod games;
mod gdl;
mod klondike;
mod planners;
mod samegame;
mod solutions;
mod state;
mod twig;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use patience_lab::stats::student;
use patience_lab::{Arm, Resolve, Spec, SpecFault, Task};
use patience_model::{Game, Rng};
use patience_plan::{Budget, Cancel, Search, Stats, StopReason};
use serde::Serialize;

pub(crate) use freecell::game as freecell_game;
pub use freecell::{freecell_metric, freecell_rules};
pub(crate) use gdl::{kit_of as gdl_kit, named as described_game};
pub use planners::PlannerInfo;
pub(crate) use planners::{planner, solver};
pub use state::{AnyState, Turn};
use state::{Of, Position};
pub use twig::{Seen, Twig};

use crate::advice::{Advice, MoveAdvice};
use crate::batch::Batch;
use crate::call::{Arguments, Call, CallError, Param};
use crate::kit::Kit;
use crate::tasks;

/// What there is to know of a game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GameInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// What is rewarded.
    pub rewards: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// A planner that plays it sensibly, for those who name none.
    pub planner: &'static str,
    /// Its parameters.
    pub parameters: &'static [Param],
}

type Build = dyn Fn(&Arguments<'_>) -> Result<AnyGame, CallError> + Send + Sync;

/// A game that can be made from a string.
pub struct GameEntry {
    info: GameInfo,
    build: Box<Build>,
    /// What parameters are if nobody says, where people play.
    played: &'static [(&'static str, &'static str)],
}

impl GameEntry {
    /// A game with this description, made from its arguments.
    pub fn new(
        info: GameInfo,
        build: impl Fn(&Arguments<'_>) -> Result<AnyGame, CallError> + Send + Sync + 'static,
    ) -> Self {
        GameEntry { info, build: Box::new(build), played: &[] }
    }

    /// Where people play, these parameters have other values if nobody says what they are.
    pub fn as_played(self, played: &'static [(&'static str, &'static str)]) -> Self {
        GameEntry { played, ..self }
    }
}

impl fmt::Debug for GameEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameEntry").field("info", &self.info).finish_non_exhaustive()
    }
}

/// The games and planners that can be named.
///
/// ```
/// use patience::prelude::*;
/// let registry = Registry::standard();
/// let game = registry.game("tic-tac-toe")?;
/// let advice = game.advise("uct(trajectories=1000)", &Budget::UNLIMITED, 7)?;
/// assert_eq!(advice.moves.len(), 9);
/// # Ok::<(), CallError>(())
/// ```
#[derive(Debug)]
pub struct Registry {
    games: Vec<GameEntry>,
}

impl Registry {
    /// All built-in games.
    pub fn standard() -> Self {
        Registry { games: games::standard() }
    }

    /// Adds a game of your own, which then goes by its name in specs too.
    pub fn add(&mut self, entry: GameEntry) {
        self.games.push(entry);
    }

    /// What games there are.
    pub fn games(&self) -> impl Iterator<Item = &GameInfo> {
        self.games.iter().map(|entry| &entry.info)
    }

    /// What planners there are: those for many games, then those of single games.
    pub fn planners(&self) -> impl Iterator<Item = &'static PlannerInfo> {
        let own = games::PLANNERS.iter().copied().flatten();
        planners::PLANNERS.iter().chain(solutions::PLANNERS).chain(own)
    }

    /// What solvers there are: those for many games, then those of single games.
    pub fn solvers(&self) -> impl Iterator<Item = &'static PlannerInfo> {
        solutions::PLANNERS.iter().chain(games::SOLVERS.iter().copied().flatten())
    }

    /// Makes the game that a string names.
    ///
    /// # Errors
    /// Says where the string is wrong and what was expected.
    pub fn game(&self, text: &str) -> Result<AnyGame, CallError> {
        self.build(text, |call, _| call)
    }

    /// The same as people play it: where the papers' game has rules that only its authors have, such
    /// as that a game of Klondike is over once greedy play would win it, the usual ones.
    ///
    /// # Errors
    /// Says where the string is wrong and what was expected.
    pub fn played(&self, text: &str) -> Result<AnyGame, CallError> {
        self.build(text, |call, entry| {
            entry.played.iter().fold(call, |call, (key, value)| call.or(key, value))
        })
    }

    fn build(
        &self,
        text: &str,
        complete: impl Fn(Call, &GameEntry) -> Call,
    ) -> Result<AnyGame, CallError> {
        let call = Call::parse(text)?;
        let Some(entry) = self.games.iter().find(|entry| entry.info.name == call.name()) else {
            let names: Vec<&str> = self.games().map(|info| info.name).collect();
            return Err(call.unknown("game", &names));
        };
        let call = complete(call, entry);
        let mut game = (entry.build)(&call.arguments(entry.info.parameters)?)?;
        game.text = text.trim().to_owned();
        game.planner = game.planner.or(Some(entry.info.planner));
        Ok(game)
    }

    /// Makes the task of an arm of a spec.
    ///
    /// # Errors
    /// Says which key is wrong and what was expected.
    pub fn task(&self, _spec: &Spec, arm: &Arm) -> Result<Box<dyn Task>, SpecFault> {
        let game = self.game(&arm.game).map_err(|e| SpecFault::new("game", e.to_string()))?;
        let mut reader = arm.task_reader();
        let kind = reader.word("kind", &["convergence", "play", "solve"])?;
        let task = match reader.need("kind", kind)?.as_str() {
            "convergence" => game.inner.convergence(arm, &mut reader)?,
            "solve" => game.inner.solve(arm, &mut reader)?,
            _ => game.inner.play(arm, &mut reader)?,
        };
        reader.finish()?;
        Ok(task)
    }

    /// The same as the lab wants it.
    pub fn resolve(&self) -> Box<Resolve<'_>> {
        Box::new(|spec, arm| self.task(spec, arm))
    }
}

/// A game whose type has been erased.
#[derive(Clone)]
pub struct AnyGame {
    text: String,
    planner: Option<&'static str>,
    inner: Arc<dyn Erased>,
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyGame({})", self.text)
    }
}

impl<G> From<Kit<G>> for AnyGame
where
    G: Game + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    fn from(kit: Kit<G>) -> Self {
        AnyGame { text: String::new(), planner: kit.suits, inner: Arc::new(Arc::new(kit)) }
    }
}

impl AnyGame {
    /// What the game can do beside being played.
    pub fn capabilities(&self) -> &[&'static str] {
        self.inner.capabilities()
    }

    /// A planner that plays it sensibly.
    pub fn planner(&self) -> &'static str {
        self.planner.unwrap_or("uct")
    }

    /// Whether this planner can play this game, and its string is right.
    ///
    /// # Errors
    /// Says where the string is wrong and what was expected.
    pub fn check(&self, planner: &str) -> Result<(), CallError> {
        self.ends(planner).map(drop)
    }

    /// Whether the planner's searches end by themselves; others must be given a budget.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn ends(&self, planner: &str) -> Result<bool, CallError> {
        self.inner.ends(&Call::parse(planner)?)
    }

    /// Thinks about the start position of the deal of this seed.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn advise(&self, planner: &str, budget: &Budget, seed: u64) -> Result<Advice, CallError> {
        self.watch(planner, budget, seed, &Cancel::new(), &mut |_| ())
    }

    /// The same, to be watched and cancelled.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn watch(
        &self,
        planner: &str,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Advice),
    ) -> Result<Advice, CallError> {
        self.start(seed).advise(planner, budget, seed, cancel, watch)
    }

    /// A game begun: the deal of this seed, and the same seed for chance.
    pub fn start(&self, seed: u64) -> AnyState {
        AnyState::new(self.clone(), self.inner.start(seed), seed)
    }

    /// The deal of this number, for games that number their deals.
    ///
    /// # Errors
    /// If the game has no numbers, or none such.
    pub fn numbered(&self, number: u64, seed: u64) -> Result<AnyState, String> {
        let made = self.inner.numbered(number);
        let inner = made.unwrap_or_else(|| Err(format!("{self} does not number its deals")))?;
        Ok(AnyState::new(self.clone(), inner, seed))
    }

    /// So many games side by side, for games that can be put into arrays.
    pub fn batch(&self, games: usize) -> Option<Batch> {
        self.inner.batch(games)
    }

    /// The same game by another name, which is shown wherever it is named.
    pub fn called(mut self, name: impl Into<String>) -> Self {
        self.text = name.into();
        self
    }

    /// A position from text, for games that can be read.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    pub fn read(&self, text: &str, seed: u64) -> Result<AnyState, String> {
        let made = self.inner.read(text);
        let inner = made.unwrap_or_else(|| Err(format!("{self} is not read from text")))?;
        Ok(AnyState::new(self.clone(), inner, seed))
    }
}

impl fmt::Display for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Who watches is told this often.
const EVERY: Duration = Duration::from_millis(100);
/// And the first time so soon: people wait for it.
const SOON: Duration = Duration::from_millis(40);

/// Thinks about a position.
fn advise<G: Game + 'static>(
    at: &Of<G>,
    call: &Call,
    budget: &Budget,
    seed: u64,
    cancel: &Cancel,
    watch: &mut dyn FnMut(&Advice),
) -> Result<Advice, CallError> {
    let Of { kit, state, .. } = at;
    let planner = planners::planner(kit, call)?;
    let mut search = planner.search(&kit.game, at.root(), Rng::named(seed, &["planner"]));
    let said = |search: &dyn Search<G>, stats| {
        let moves = search.estimates().into_iter().map(|estimate| {
            let half = estimate.error.map(|e| student(e.freedom, 0.95) * e.value);
            let end = |sign: f64| Some(estimate.value? + sign * half?);
            let own = search.interval(estimate.action);
            MoveAdvice {
                action: kit.action_text(state, estimate.action),
                value: estimate.value,
                low: own.map(|ends| ends.0).or(end(-1.0)),
                high: own.map(|ends| ends.1).or(end(1.0)),
                visits: estimate.visits,
                samples: estimate.visits,
                sure: search.is_sure(estimate.action),
            }
        });
        Advice {
            game: String::new(),
            planner: call.to_string(),
            seed,
            position: kit.state_text(state),
            best: search.best().map(|action| kit.action_text(state, action)),
            moves: moves.collect(),
            stats,
        }
    };
    let mut legal = Vec::new();
    kit.game.actions(state, &mut legal);
    if legal.is_empty() {
        // Some searches would play empty episodes until the time is up.
        let stop = Some(StopReason::Complete);
        return Ok(said(&*search, Stats { counts: search.counts(), seconds: 0.0, stop }));
    }
    let begin = Instant::now();
    let mut every = SOON;
    loop {
        // A slice at a time: what is known in between is worth seeing.
        let left = budget.time.map_or(every, |time| time.saturating_sub(begin.elapsed()));
        let slice = Budget { time: Some(left.min(every)), ..*budget };
        every = EVERY;
        let mut stats = search.run(&slice, cancel);
        stats.seconds = begin.elapsed().as_secs_f64();
        let spent = budget.time.is_some_and(|time| begin.elapsed() >= time);
        if stats.stop != Some(StopReason::Time) || spent {
            return Ok(said(&*search, stats));
        }
        stats.stop = None;
        watch(&said(&*search, stats));
    }
}

/// What can be done with a game without knowing its type.
trait Erased: Send + Sync {
    fn capabilities(&self) -> &[&'static str];
    fn ends(&self, planner: &Call) -> Result<bool, CallError>;
    fn start(&self, seed: u64) -> Box<dyn Position>;
    fn numbered(&self, number: u64) -> Option<Result<Box<dyn Position>, String>>;
    fn read(&self, text: &str) -> Option<Result<Box<dyn Position>, String>>;
    fn batch(&self, games: usize) -> Option<Batch>;
    fn convergence(
        &self,
        arm: &Arm,
        reader: &mut patience_lab::Reader<'_>,
    ) -> Result<Box<dyn Task>, SpecFault>;
    fn play(
        &self,
        arm: &Arm,
        reader: &mut patience_lab::Reader<'_>,
    ) -> Result<Box<dyn Task>, SpecFault>;
    fn solve(
        &self,
        arm: &Arm,
        reader: &mut patience_lab::Reader<'_>,
    ) -> Result<Box<dyn Task>, SpecFault>;
}

impl<G> Erased for Arc<Kit<G>>
where
    G: Game + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    fn capabilities(&self) -> &[&'static str] {
        Kit::capabilities(self)
    }

    fn ends(&self, planner: &Call) -> Result<bool, CallError> {
        Ok(planners::planner(self, planner)?.ends())
    }

    fn start(&self, seed: u64) -> Box<dyn Position> {
        let state = (self.start)(&self.game, &mut Rng::named(seed, &["start"]));
        Box::new(Of::new(Arc::clone(self), state))
    }

    fn numbered(&self, number: u64) -> Option<Result<Box<dyn Position>, String>> {
        let deal = self.numbered?;
        let made = deal(&self.game, number);
        Some(made.map(|state| Box::new(Of::new(Arc::clone(self), state)) as _))
    }

    fn read(&self, text: &str) -> Option<Result<Box<dyn Position>, String>> {
        let read = self.read?;
        let made = read(&self.game, text);
        Some(made.map(|state| Box::new(Of::new(Arc::clone(self), state)) as _))
    }

    fn batch(&self, games: usize) -> Option<Batch> {
        Some(self.batch?(Arc::clone(self), games))
    }

    fn convergence(
        &self,
        arm: &Arm,
        reader: &mut patience_lab::Reader<'_>,
    ) -> Result<Box<dyn Task>, SpecFault> {
        tasks::convergence(Arc::clone(self), arm, reader)
    }

    fn play(
        &self,
        arm: &Arm,
        reader: &mut patience_lab::Reader<'_>,
    ) -> Result<Box<dyn Task>, SpecFault> {
        tasks::play(Arc::clone(self), arm, reader)
    }

    fn solve(
        &self,
        arm: &Arm,
        reader: &mut patience_lab::Reader<'_>,
    ) -> Result<Box<dyn Task>, SpecFault> {
        tasks::solve(Arc::clone(self), arm, reader)
    }
}
