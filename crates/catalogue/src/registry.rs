//! Games by name.

use std::fmt;

use crate::bench::Benchmark;
use crate::call::{Arguments, Call, CallError};
use crate::game::AnyGame;
use crate::info::{GameInfo, PlannerInfo};
use crate::planners;

type Build = dyn Fn(&Arguments<'_>) -> Result<AnyGame, CallError> + Send + Sync;
/// A game from the text of its rules, for the role that is named.
type FromRules = fn(&str, Option<&str>) -> Result<AnyGame, String>;

/// The parameters that the text of a position tells of its game.
type Told = fn(&str) -> Vec<(&'static str, String)>;

/// A game that can be made from a string: what a folder of games brings.
pub struct GameEntry {
    info: GameInfo,
    build: Box<Build>,
    searches: &'static [&'static PlannerInfo],
    benchmarks: &'static [Benchmark],
    specs: &'static [(&'static str, &'static str)],
    told: Option<Told>,
    rules: Option<FromRules>,
}

impl GameEntry {
    /// A game with this description, made from its arguments.
    pub fn new(
        info: GameInfo,
        build: impl Fn(&Arguments<'_>) -> Result<AnyGame, CallError> + Send + Sync + 'static,
    ) -> Self {
        let build = Box::new(build);
        GameEntry {
            info,
            build,
            searches: &[],
            benchmarks: &[],
            specs: &[],
            told: None,
            rules: None,
        }
    }

    /// The planners and solvers that are this game's own.
    pub fn with_searches(self, searches: &'static [&'static PlannerInfo]) -> Self {
        GameEntry { searches, ..self }
    }

    /// What is measured of it.
    pub fn with_benchmarks(self, benchmarks: &'static [Benchmark]) -> Self {
        GameEntry { benchmarks, ..self }
    }

    /// The experiments of papers on it: the name and the text of each spec.
    pub fn with_specs(self, specs: &'static [(&'static str, &'static str)]) -> Self {
        GameEntry { specs, ..self }
    }

    /// Some parameters need not be given with a position, because its text tells them.
    pub fn told_by_positions(self, told: Told) -> Self {
        GameEntry { told: Some(told), ..self }
    }

    /// The game can also be made from the text of rules.
    pub fn from_rules(self, rules: FromRules) -> Self {
        GameEntry { rules: Some(rules), ..self }
    }
}

impl GameEntry {
    /// The call with what parameters are where people play.
    fn as_played(&self, call: Call) -> Call {
        self.info.played.iter().fold(call, |call, (key, value)| call.or(key, value))
    }
}

impl fmt::Debug for GameEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameEntry").field("info", &self.info).finish_non_exhaustive()
    }
}

/// The games and planners that can be named.
#[derive(Debug, Default)]
pub struct Registry {
    games: Vec<GameEntry>,
}

impl Registry {
    /// No games.
    pub fn new() -> Self {
        Registry::default()
    }

    /// Adds a game, which then goes by its name in specs too.
    pub fn add(&mut self, entry: GameEntry) {
        self.games.push(entry);
    }

    /// What games there are.
    pub fn games(&self) -> impl Iterator<Item = &GameInfo> {
        self.games.iter().map(|entry| &entry.info)
    }

    /// What planners and solvers there are: those for many games, then those of single games.
    fn searches(&self) -> impl Iterator<Item = &'static PlannerInfo> {
        let own = self.games.iter().flat_map(|entry| entry.searches.iter().copied());
        planners::general().chain(own)
    }

    /// What planners there are: those for many games, then those of single games.
    pub fn planners(&self) -> impl Iterator<Item = &'static PlannerInfo> {
        self.searches().filter(|info| info.advises)
    }

    /// What solvers there are: those for many games, then those of single games.
    pub fn solvers(&self) -> impl Iterator<Item = &'static PlannerInfo> {
        self.searches().filter(|info| info.solves)
    }

    /// The name and the text of every spec of a paper's table or figure.
    pub fn specs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.games.iter().flat_map(|entry| entry.specs.iter().copied())
    }

    /// What is measured of games.
    pub fn benchmarks(&self) -> impl Iterator<Item = &'static Benchmark> {
        self.games.iter().flat_map(|entry| entry.benchmarks)
    }

    /// Makes the game that a string names.
    ///
    /// # Errors
    /// Says where the string is wrong and what was expected.
    pub fn game(&self, text: &str) -> Result<AnyGame, CallError> {
        self.build(text, |call, _| call)
    }

    /// The game as people play it, by the parameters that the text of a position tells where they are
    /// not given.
    ///
    /// # Errors
    /// Says where the string is wrong and what was expected.
    pub fn played_from(&self, text: &str, position: &str) -> Result<AnyGame, CallError> {
        self.build(text, |call, entry| {
            let told = entry.told.map_or_else(Vec::new, |told| told(position));
            let call = told.iter().fold(call, |call, (key, value)| call.or(key, value));
            entry.as_played(call)
        })
    }

    /// The same as people play it: where the papers' game has rules that only its authors have, such
    /// as that a game is over once greedy play would win it, the usual ones.
    ///
    /// # Errors
    /// Says where the string is wrong and what was expected.
    pub fn played(&self, text: &str) -> Result<AnyGame, CallError> {
        self.build(text, |call, entry| entry.as_played(call))
    }

    /// A game from the text of its rules, for the role that is named.
    ///
    /// # Errors
    /// Says what is wrong with the rules.
    pub fn described(&self, rules: &str, role: Option<&str>) -> Result<AnyGame, String> {
        let entry = self.games.iter().find_map(|entry| Some((entry, entry.rules?)));
        let (entry, from_rules) = entry.ok_or("no game here is made from rules")?;
        Ok(from_rules(rules, role)?.described(entry.info))
    }

    /// What is known of the game that a string names, without making it.
    ///
    /// # Errors
    /// If there is no such game, or the string cannot be read.
    pub fn info(&self, text: &str) -> Result<&GameInfo, CallError> {
        Ok(&self.entry(&Call::parse(text)?)?.info)
    }

    fn entry(&self, call: &Call) -> Result<&GameEntry, CallError> {
        let entry = self.games.iter().find(|entry| entry.info.name == call.name());
        entry.ok_or_else(|| {
            let names: Vec<&str> = self.games().map(|info| info.name).collect();
            call.unknown("game", &names)
        })
    }

    fn build(
        &self,
        text: &str,
        complete: impl Fn(Call, &GameEntry) -> Call,
    ) -> Result<AnyGame, CallError> {
        let call = Call::parse(text)?;
        let entry = self.entry(&call)?;
        let call = complete(call, entry);
        let game = (entry.build)(&call.arguments(entry.info.parameters)?)?;
        Ok(game.described(entry.info).called(text.trim()))
    }
}
