//! A game whose type has been erased.

use std::fmt;
use std::sync::Arc;

use patience_model::Game;
use patience_plan::{Budget, Cancel};

use crate::advice::Advice;
use crate::arrays::Layout;
use crate::batch::{Batch, Many};
use crate::call::{Call, CallError};
use crate::info::{Deals, GameInfo, PlannerInfo};
use crate::kit::Kit;
use crate::planners;
use crate::position::{Of, Position};
use crate::run::{self, Judges, Judging, Playing, Plays, RunError, Solves, Start, Streams};
use crate::state::AnyState;

/// A game whose type has been erased.
#[derive(Clone)]
pub struct AnyGame {
    pub(crate) text: String,
    pub(crate) info: GameInfo,
    pub(crate) inner: Arc<dyn Erased>,
    /// The same as it lies on the table, where planners think about something more abstract.
    table: Option<Arc<dyn Erased>>,
    /// The files that it was made from: each with its name and its text.
    files: Vec<(String, Arc<str>)>,
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
        AnyGame::from(Arc::new(kit.shared()))
    }
}

impl<G> From<Arc<Kit<G>>> for AnyGame
where
    G: Game + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    fn from(kit: Arc<Kit<G>>) -> Self {
        let info = GameInfo::NEW;
        AnyGame { text: String::new(), info, inner: Arc::new(kit), table: None, files: Vec::new() }
    }
}

impl AnyGame {
    /// The same with another game as what lies on the table: one whose kit says that it is
    /// [thought of](Kit::thought_of_as) as this one.
    pub fn on_table(mut self, table: AnyGame) -> Self {
        self.table = Some(table.inner);
        self
    }

    /// The game as it lies on the table: every move that people make, and what they see.
    pub fn table(&self) -> AnyGame {
        let inner = Arc::clone(self.table.as_ref().unwrap_or(&self.inner));
        AnyGame { inner, table: None, ..self.clone() }
    }

    /// The same, made from a file of this text: results depend on it, not on the file's name alone.
    pub fn made_from(mut self, file: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        self.files.push((file.into(), text.into()));
        self
    }

    /// The files that it was made from, each with its text.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(file, text)| (file.as_str(), &**text))
    }

    /// What there is to know of it.
    pub fn info(&self) -> &GameInfo {
        &self.info
    }

    /// What the game can do beside being played.
    pub fn capabilities(&self) -> &[&'static str] {
        self.inner.capabilities()
    }

    /// A planner that plays it sensibly.
    pub fn planner(&self) -> &'static str {
        self.inner.suits().unwrap_or(self.info.planner)
    }

    /// The solver that says soonest whether a position can be solved.
    pub fn solver(&self) -> Option<&'static str> {
        Some(self.info.solver).filter(|solver| self.has_solver(solver))
    }

    /// The solver that looks for the best solution.
    pub fn optimiser(&self) -> Option<&'static str> {
        Some(self.info.optimiser).filter(|solver| self.has_solver(solver))
    }

    fn has_solver(&self, call: &str) -> bool {
        let call = Call::parse(call);
        call.is_ok_and(|call| self.solvers().iter().any(|info| info.name == call.name()))
    }

    /// The planners that can be used on it, on the table too.
    pub fn planners(&self) -> Vec<&'static PlannerInfo> {
        self.searches().into_iter().filter(|info| info.advises).collect()
    }

    /// The solvers that can be used on it, on the table too.
    pub fn solvers(&self) -> Vec<&'static PlannerInfo> {
        // A solver works on the game itself, never on a more abstract one above it.
        self.all(|game| game.solvers())
    }

    fn searches(&self) -> Vec<&'static PlannerInfo> {
        self.all(|game| game.searches())
    }

    /// What there is for the game and for its table, each once.
    fn all(&self, of: fn(&dyn Erased) -> Vec<&'static PlannerInfo>) -> Vec<&'static PlannerInfo> {
        let mut all = of(&*self.inner);
        for info in self.table.iter().flat_map(|table| of(&**table)) {
            if !all.iter().any(|other| other.name == info.name) {
                all.push(info);
            }
        }
        all
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
        self.start(seed).advise(planner, budget, seed, &Cancel::new(), &mut |_| ())
    }

    /// The deal of this seed, and the same seed for chance.
    pub fn start(&self, seed: u64) -> AnyState {
        self.nth(seed, 0)
    }

    /// The n-th game of a seed; 0 is the first one.
    pub(crate) fn nth(&self, seed: u64, number: u64) -> AnyState {
        AnyState::new(self.clone(), self.inner.start(seed, number), seed, number)
    }

    /// A deal by its name: `seed:7` is that of a seed; `7` is that of a number, where the game has
    /// numbers of its own, and else that of the seed. `seed` is that of chance.
    ///
    /// # Errors
    /// If there is no such deal.
    pub fn deal(&self, name: &str, seed: u64) -> Result<AnyState, String> {
        let inner = match DealName::read(name, self.info.deals)? {
            DealName::Seed(seed) => self.inner.start(seed, 0),
            DealName::Own(name) => self.inner.numbered(name).map_err(|why| no_deal(name, &why))?,
        };
        Ok(AnyState::new(self.clone(), inner, seed, 0))
    }

    /// What is in the arrays of the game, if it can be put into arrays.
    pub fn layout(&self) -> Option<Layout> {
        self.inner.layout()
    }

    /// Where a run starts, with the streams of the run: what [`AnyGame::playing`] plays from.
    ///
    /// # Errors
    /// If there is no such start.
    pub fn begin(&self, start: Start<'_>, streams: &Streams<'_>) -> Result<AnyState, RunError> {
        let state = AnyState::new(self.clone(), self.inner.begin(start, streams)?, 0, 0);
        Ok(state.with_chance((streams.shared)("chance")))
    }

    /// So many games side by side, for games that can be put into arrays.
    pub fn batch(&self, games: usize) -> Option<Batch> {
        self.batch_on(games, 1)
    }

    /// The same, stepped by so many threads. The games are the same on any number of them.
    pub fn batch_on(&self, games: usize, threads: usize) -> Option<Batch> {
        Some(Batch::new(self.inner.batch(games, threads)?, self.info.deals))
    }

    /// The same game by another name, which is shown wherever it is named.
    pub fn called(mut self, name: impl Into<String>) -> Self {
        self.text = name.into();
        self
    }

    /// The same game with what there is to know of it.
    pub fn described(self, info: GameInfo) -> Self {
        AnyGame { info, ..self }
    }

    /// A position from text, for games that can be read.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    pub fn read(&self, text: &str, seed: u64) -> Result<AnyState, String> {
        let made = self.inner.read(text);
        let inner = made.unwrap_or_else(|| Err(format!("{self} is not read from text")))?;
        Ok(AnyState::new(self.clone(), inner, seed, 0))
    }

    /// Says why no game begins at a position from text.
    ///
    /// # Errors
    /// If it cannot be read, or was played on.
    pub fn check_start(&self, text: &str) -> Result<(), String> {
        self.inner.check_start(text)
    }

    /// The formats in which positions can be written.
    pub fn formats(&self) -> Vec<&'static str> {
        self.inner.formats()
    }

    /// Games from start to end by a planner that decides every move.
    ///
    /// # Errors
    /// If a planner's string is wrong.
    pub fn playing(&self, playing: &Playing) -> Result<Box<dyn Plays>, CallError> {
        self.inner.playing(playing)
    }

    /// A planner's decisions at the start, judged by the exact values.
    ///
    /// # Errors
    /// If a planner's string is wrong, or no exact values are known.
    pub fn judging(&self, judging: &Judging) -> Result<Box<dyn Judges>, CallError> {
        self.inner.judging(judging)
    }

    /// Positions solved as a whole, by a solver of the game on the table or of the planners' game.
    ///
    /// # Errors
    /// If the solver's string is wrong.
    pub fn solving(&self, solver: &str, budget: &Budget) -> Result<Box<dyn Solves>, CallError> {
        let call = Call::parse(solver)?;
        if let Some(table) = &self.table
            && table.own().iter().any(|info| info.name == call.name())
        {
            return table.solving(&call, budget);
        }
        if !self.has_solver(call.name()) && planners::general().all(|i| i.name != call.name()) {
            let known: Vec<&str> = self.solvers().iter().map(|info| info.name).collect();
            return Err(call.unknown("solver", &known));
        }
        self.inner.solving(&call, budget)
    }

    /// The versions of what results by a planner or solver depend on.
    pub fn versions(&self, planner: &str) -> Vec<(String, u32)> {
        let mut versions = vec![(self.info.name.to_owned(), self.info.version)];
        if let Ok(call) = Call::parse(planner)
            && let Some(info) = self.searches().into_iter().find(|info| info.name == call.name())
        {
            versions.push((info.name.to_owned(), info.version));
        }
        versions
    }
}

impl fmt::Display for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a deal is called.
pub(crate) enum DealName<'n> {
    /// The deal of a seed.
    Seed(u64),
    /// One of the game's own.
    Own(&'n str),
}

impl<'n> DealName<'n> {
    /// A name in a game with such deals: `seed:7` is that of a seed, and so is `7` where the game has no
    /// numbers of its own.
    pub(crate) fn read(name: &'n str, deals: Deals) -> Result<Self, String> {
        let name = name.trim();
        let bare = (deals == Deals::Seeds).then_some(name);
        let Some(digits) = name.strip_prefix("seed:").or(bare) else {
            return Ok(DealName::Own(name));
        };
        let seed = digits.trim().parse();
        seed.map(DealName::Seed).map_err(|_| no_deal(name, "a number such as 7 is expected"))
    }
}

/// That there is no such deal.
pub(crate) fn no_deal(name: &str, why: &str) -> String {
    format!("`{}` is no deal: {why}", name.chars().take(40).collect::<String>())
}

/// What can be done with a game without knowing its type.
pub(crate) trait Erased: Send + Sync {
    fn capabilities(&self) -> &[&'static str];
    fn suits(&self) -> Option<&'static str>;
    fn searches(&self) -> Vec<&'static PlannerInfo>;
    fn own(&self) -> Vec<&'static PlannerInfo>;
    fn solvers(&self) -> Vec<&'static PlannerInfo>;
    fn ends(&self, planner: &Call) -> Result<bool, CallError>;
    fn start(&self, seed: u64, number: u64) -> Box<dyn Position>;
    fn numbered(&self, name: &str) -> Result<Box<dyn Position>, String>;
    fn read(&self, text: &str) -> Option<Result<Box<dyn Position>, String>>;
    fn check_start(&self, text: &str) -> Result<(), String>;
    fn formats(&self) -> Vec<&'static str>;
    fn layout(&self) -> Option<Layout>;
    fn batch(&self, games: usize, threads: usize) -> Option<Box<dyn Many>>;
    fn begin(&self, start: Start<'_>, streams: &Streams<'_>)
    -> Result<Box<dyn Position>, RunError>;
    fn playing(&self, playing: &Playing) -> Result<Box<dyn Plays>, CallError>;
    fn judging(&self, judging: &Judging) -> Result<Box<dyn Judges>, CallError>;
    fn solving(&self, solver: &Call, budget: &Budget) -> Result<Box<dyn Solves>, CallError>;
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

    fn suits(&self) -> Option<&'static str> {
        self.suits.or_else(|| self.thinking.as_ref()?.suits())
    }

    fn searches(&self) -> Vec<&'static PlannerInfo> {
        match &self.thinking {
            Some(above) => self.own().into_iter().chain(above.planners()).collect(),
            None => planners::of(self),
        }
    }

    fn own(&self) -> Vec<&'static PlannerInfo> {
        self.searches.iter().map(|(info, _)| *info).collect()
    }

    /// Those of the game above do not know the whole position.
    fn solvers(&self) -> Vec<&'static PlannerInfo> {
        planners::solvers_of(self)
    }

    fn ends(&self, planner: &Call) -> Result<bool, CallError> {
        match &self.thinking {
            Some(above) if !self.own().iter().any(|info| info.name == planner.name()) => {
                above.ends(planner)
            }
            _ => Ok(planners::planner(self, planner)?.1.ends()),
        }
    }

    fn start(&self, seed: u64, number: u64) -> Box<dyn Position> {
        Box::new(Of::new(Arc::clone(self), self.deal_of(seed, number)))
    }

    fn numbered(&self, name: &str) -> Result<Box<dyn Position>, String> {
        let state = self.deal_numbered(name)?;
        Ok(Box::new(Of::new(Arc::clone(self), state)))
    }

    fn read(&self, text: &str) -> Option<Result<Box<dyn Position>, String>> {
        let made = self.read.as_ref()?(&self.game, text);
        Some(made.map(|state| Box::new(Of::new(Arc::clone(self), state)) as _))
    }

    fn check_start(&self, text: &str) -> Result<(), String> {
        let read = self.read.as_ref().ok_or("this game is not read from text")?;
        let state = read(&self.game, text)?;
        self.begins.map_or(Ok(()), |begins| begins(&self.game, &state))
    }

    fn formats(&self) -> Vec<&'static str> {
        self.formats.iter().map(|(name, _)| *name).collect()
    }

    fn layout(&self) -> Option<Layout> {
        self.coding.as_ref().map(|coding| (coding.layout)(&self.game))
    }

    fn batch(&self, games: usize, threads: usize) -> Option<Box<dyn Many>> {
        let make = self.coding.as_ref()?.batch;
        Some(make(Arc::clone(self), games, threads))
    }

    fn begin(
        &self,
        start: Start<'_>,
        streams: &Streams<'_>,
    ) -> Result<Box<dyn Position>, RunError> {
        let state = run::begin_at(self, start, streams)?;
        Ok(Box::new(Of::new(Arc::clone(self), state)))
    }

    fn playing(&self, playing: &Playing) -> Result<Box<dyn Plays>, CallError> {
        run::playing(Arc::clone(self), playing)
    }

    fn judging(&self, judging: &Judging) -> Result<Box<dyn Judges>, CallError> {
        run::judging(Arc::clone(self), judging)
    }

    fn solving(&self, solver: &Call, budget: &Budget) -> Result<Box<dyn Solves>, CallError> {
        run::solving(Arc::clone(self), solver, budget)
    }
}
