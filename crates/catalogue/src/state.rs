//! A game in progress whose type has been erased: what front ends play with and people look at.

use std::fmt;

use patience_model::{Label, Rng, Scene, Standing};
use patience_plan::{Budget, Cancel, StopReason};
use serde::Serialize;

use crate::advice::{Advice, Measure};
use crate::asked::{Asks, Searched};
use crate::call::{Call, CallError};
use crate::game::AnyGame;
use crate::kit::Objective;
use crate::path::stream;
use crate::position::Position;
use crate::solved::{Checked, Invalid, SolveError, Solved};
use crate::think::Question;
use crate::trace::Trace;
use crate::twig::Twig;

/// A game in progress, whatever the game.
///
/// Chance has a stream of its own that belongs to the state, so the same seed and the same moves
/// give the same game, and a copy goes on like the original.
pub struct AnyState {
    game: AnyGame,
    inner: Box<dyn Position>,
    chance: Rng,
    moves: u64,
    result: f64,
    weight: f64,
    /// What the player did and saw, where that is all there is to show.
    told: Vec<String>,
    seen: String,
    /// Where the game has been, as far as play can come back there.
    places: Vec<String>,
}

/// What a move brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The reward.
    pub reward: f64,
    /// What the player saw.
    pub observation: String,
}

/// A move that the rules allow.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LegalMove {
    /// Its name: what is played, and what a list of moves has.
    pub name: String,
    /// What it is called, and where it happens.
    #[serde(flatten)]
    pub label: Label,
}

impl AnyState {
    pub(crate) fn new(game: AnyGame, inner: Box<dyn Position>, seed: u64, number: u64) -> Self {
        let places = Vec::from_iter(inner.place());
        AnyState {
            game,
            inner,
            chance: stream("chance", seed, number),
            moves: 0,
            result: 0.0,
            weight: 1.0,
            told: Vec::new(),
            seen: String::new(),
            places,
        }
    }

    /// The same with this stream for chance.
    pub(crate) fn with_chance(self, chance: Rng) -> Self {
        AnyState { chance, ..self }
    }

    /// The game.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The legal actions in the game's notation and order; none if the game is over.
    pub fn actions(&self) -> Vec<String> {
        self.inner.actions()
    }

    /// The same with what people call them.
    pub fn legal(&self) -> Vec<LegalMove> {
        self.inner.labels()
    }

    /// How many actions are legal.
    pub fn count(&self) -> usize {
        self.inner.count()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.count() == 0
    }

    /// Whether the minimising player is to move.
    pub fn minimising(&self) -> bool {
        self.inner.minimising()
    }

    /// Takes the action with this number in the order of [`AnyState::actions`]; `None`, and nothing
    /// happens, if there is none.
    pub fn step(&mut self, action: usize) -> Option<Turn> {
        let (name, turn) = self.inner.step(action, &mut self.chance)?;
        Some(self.stepped(&name, turn))
    }

    /// Plays the move of this name.
    ///
    /// # Errors
    /// If it is not legal: says why, and nothing happens.
    pub fn play(&mut self, name: &str) -> Result<Turn, String> {
        let turn = self.inner.play(name, &mut self.chance)?;
        Ok(self.stepped(name, turn))
    }

    fn stepped(&mut self, name: &str, turn: Turn) -> Turn {
        self.moves += 1;
        self.result += self.weight * turn.reward;
        self.weight *= self.inner.discount();
        self.places.extend(self.inner.place());
        if self.inner.is_tracked() {
            let seen = if turn.observation.is_empty() { "nothing" } else { &turn.observation };
            self.told.push(format!("{}. {name}: saw {seen}", self.told.len() + 1));
        }
        self.seen.clone_from(&turn.observation);
        turn
    }

    /// How many moves were made.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The discounted sum of the rewards so far.
    pub fn result(&self) -> f64 {
        self.result
    }

    /// The state's key, for games that have one: equal for equal states.
    pub fn key(&self) -> Option<u64> {
        self.inner.key()
    }

    /// Whether the game goes on alike from both, chance aside, for games whose states have keys.
    pub fn goes_on_like(&self, other: &AnyState) -> Option<bool> {
        self.inner.same(&*other.inner)
    }

    /// What the player knows as numbers, for games that can be put into arrays; see [`AnyGame::layout`].
    pub fn observed(&self) -> Option<Vec<i16>> {
        self.inner.observed()
    }

    /// The fixed numbers of the legal actions, in the order of [`AnyState::actions`], for games that can
    /// be put into arrays.
    pub fn numbers(&self) -> Option<Vec<usize>> {
        self.inner.numbers()
    }

    /// The position as the player may see it; nothing if the game has no text. Where the position is
    /// not seen, what the player did and saw.
    pub fn text(&self) -> String {
        match (self.inner.is_tracked(), self.told.is_empty()) {
            (false, _) => self.inner.text(),
            (true, false) => self.told.join("\n"),
            (true, true) => {
                "Not all is seen in this game: what you do and see will be listed here.".to_owned()
            }
        }
    }

    /// What was seen of the last move.
    pub fn seen(&self) -> &str {
        &self.seen
    }

    /// What people call the game.
    pub fn title(&self) -> String {
        self.inner.title().unwrap_or_else(|| self.game.to_string())
    }

    /// What lies on the table.
    pub fn scene(&self) -> Scene {
        match self.inner.scene() {
            Some(Scene::Text { text, .. }) if !self.inner.is_tracked() => {
                Scene::Text { text, seen: self.seen.clone() }
            }
            Some(Scene::Grid { rows, text, .. }) if !self.inner.is_tracked() => {
                Scene::Grid { rows, text, seen: self.seen.clone() }
            }
            Some(scene @ (Scene::Cards { .. } | Scene::Tiles { .. })) => scene,
            _ => Scene::Text { text: self.text(), seen: self.seen.clone() },
        }
    }

    /// Whether the game goes on.
    pub fn standing(&self) -> Standing {
        let over = || if self.is_over() { Standing::Over } else { Standing::Open };
        self.inner.standing().unwrap_or_else(over)
    }

    /// The score.
    pub fn score(&self) -> f64 {
        self.inner.score(self.result)
    }

    /// What the values of its usual planner are.
    pub fn measure(&self) -> Measure {
        let call = Call::parse(self.game.planner());
        call.map_or(Measure::Value, |call| self.inner.measure(&call))
    }

    /// What the values of a planner are.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn measure_of(&self, planner: &str) -> Result<Measure, CallError> {
        Ok(self.inner.measure(&Call::parse(planner)?))
    }

    /// Whether the position holds what the player must not see.
    pub fn conceals(&self) -> bool {
        self.inner.conceals()
    }

    /// The position with all that is hidden in it, for those who solve it.
    pub fn whole_text(&self) -> String {
        self.inner.whole_text()
    }

    /// By what solutions are judged.
    pub fn objective(&self) -> Objective {
        self.inner.objective()
    }

    /// What the goal is called, such as `cleared`.
    pub fn goal(&self) -> &'static str {
        self.inner.goal()
    }

    /// The position in one of the game's formats; see [`AnyGame::formats`].
    ///
    /// # Errors
    /// If there is no such format, or the position cannot be written in it.
    pub fn write(&self, format: &str) -> Result<String, String> {
        self.inner.write(format)
    }

    /// Thinks about the position. `watch` hears about ten times a second of what is known by then.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn advise(
        &self,
        planner: &str,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Advice),
    ) -> Result<Advice, CallError> {
        let planner = Call::parse(planner)?;
        let named = |advice: Advice| Advice {
            game: self.game.to_string(),
            position: self.text(),
            ..advice
        };
        let question = Question { planner: &planner, budget, seed, cancel };
        let mut watch = |advice: Advice| watch(&named(advice));
        self.inner.advise(&question, &self.places, &mut watch).map(named)
    }

    /// Starts a search for which an evaluator is to be asked.
    pub(crate) fn asks<'s>(
        &'s self,
        planner: &'s Call,
        seed: u64,
    ) -> Result<Box<dyn Asks + 's>, CallError> {
        self.inner.asks(planner, seed)
    }

    /// What such a search of this position came to.
    pub(crate) fn searched(&self, search: &dyn Asks, seconds: f64, stop: StopReason) -> Searched {
        let mut searched = search.searched(&self.places, seconds, stop);
        searched.advice.game = self.game.to_string();
        searched.advice.position = self.text();
        searched
    }

    /// Thinks about the position, and gives the first levels of the search's tree, so many actions
    /// deep; nothing if the planner keeps no tree.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn tree(
        &self,
        planner: &str,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        depth: u32,
    ) -> Result<Vec<Twig>, CallError> {
        let planner = Call::parse(planner)?;
        self.inner.tree(&Question { planner: &planner, budget, seed, cancel }, depth)
    }

    /// Thinks about the position for the budget's number of iterations, and writes each of them down.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn trace(
        &self,
        planner: &str,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
    ) -> Result<Trace, CallError> {
        let planner = Call::parse(planner)?;
        self.inner.trace(&Question { planner: &planner, budget, seed, cancel })
    }

    /// Solves the position, by the solver named or the one that suits the game. Whatever is found was
    /// replayed by the game's validator. `watch` hears about ten times a second of what is known by
    /// then.
    ///
    /// # Errors
    /// If there is no such solver for this game, or its solution does not stand.
    pub fn solve(
        &self,
        solver: Option<&str>,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Solved),
    ) -> Result<Solved, SolveError> {
        let Some(solver) = solver.or(self.game.solver()) else {
            return Err(SolveError::None(self.game.to_string()));
        };
        let solver = Call::parse(solver)?;
        let named = |solved: Solved| Solved { game: self.game.to_string(), seed, ..solved };
        let mut watch = |solved: &Solved| watch(&named(solved.clone()));
        let rng = Rng::named(seed, &["solver"]);
        self.inner.solve(&solver, rng, budget, cancel, &mut watch).map(named)
    }

    /// Replays a solution from its text by the game's validator.
    ///
    /// # Errors
    /// Says which step breaks a rule, or what cannot be read.
    pub fn verify(&self, solution: &str) -> Result<Checked, Invalid> {
        self.inner.verify(solution)
    }

    /// A solution with a number and words for every step.
    pub fn numbered(&self, moves: &[String]) -> Vec<String> {
        self.inner.numbered(moves)
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState {
            game: self.game.clone(),
            inner: self.inner.copy(),
            chance: self.chance.clone(),
            told: self.told.clone(),
            seen: self.seen.clone(),
            places: self.places.clone(),
            ..*self
        }
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyState({}, {} moves)", self.game, self.moves)
    }
}
