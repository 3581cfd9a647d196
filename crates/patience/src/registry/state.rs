//! A game in progress whose type has been erased.

use std::fmt;
use std::sync::Arc;

use patience_model::{Game, Rng};
use patience_plan::{Budget, Cancel, Root};

use super::twig::{Namer, Twig};
use super::{AnyGame, advise};
use crate::advice::Advice;
use crate::call::{Call, CallError};
use crate::kit::Kit;

/// A game in progress, whatever the game: what front ends play with.
///
/// Chance has a stream of its own that belongs to the state, so the same seed and the same moves
/// give the same game, and a copy goes on like the original.
///
/// ```
/// use patience::prelude::*;
/// let mut state = Registry::standard().game("tic-tac-toe")?.start(7);
/// while let Some(last) = state.actions().len().checked_sub(1) {
///     state.step(last);
/// }
/// assert_eq!(state.result(), -1.0 + 2.0);
/// # Ok::<(), CallError>(())
/// ```
pub struct AnyState {
    game: AnyGame,
    inner: Box<dyn Position>,
    chance: Rng,
    moves: u64,
    result: f64,
    weight: f64,
}

/// What a move brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The reward.
    pub reward: f64,
    /// What the player saw.
    pub observation: String,
}

impl AnyState {
    pub(super) fn new(game: AnyGame, inner: Box<dyn Position>, seed: u64) -> Self {
        let chance = Rng::named(seed, &["chance"]);
        AnyState { game, inner, chance, moves: 0, result: 0.0, weight: 1.0 }
    }

    /// The game.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The legal actions in the game's notation and order; none if the game is over.
    pub fn actions(&self) -> Vec<String> {
        self.inner.actions()
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
        let turn = self.inner.step(action, &mut self.chance)?;
        self.moves += 1;
        self.result += self.weight * turn.reward;
        self.weight *= self.inner.discount();
        Some(turn)
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

    /// The position as the player may see it; nothing if the game has no text.
    pub fn text(&self) -> String {
        self.inner.text()
    }

    /// Thinks about the position.
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
        let named = |advice: Advice| Advice { game: self.game.to_string(), ..advice };
        let mut watch = |advice: &Advice| watch(&named(advice.clone()));
        let call = Call::parse(planner)?;
        self.inner.advise(&call, budget, seed, cancel, &mut watch).map(named)
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
        self.inner.tree(&Call::parse(planner)?, budget, seed, cancel, depth)
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState {
            game: self.game.clone(),
            inner: self.inner.copy(),
            chance: self.chance.clone(),
            ..*self
        }
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyState({}, {} moves)", self.game, self.moves)
    }
}

/// What can be done with a state without knowing its type.
pub(super) trait Position: Send {
    fn actions(&self) -> Vec<String>;
    fn count(&self) -> usize;
    fn minimising(&self) -> bool;
    fn discount(&self) -> f64;
    fn step(&mut self, action: usize, chance: &mut Rng) -> Option<Turn>;
    fn key(&self) -> Option<u64>;
    fn text(&self) -> String;
    fn copy(&self) -> Box<dyn Position>;
    fn advise(
        &self,
        planner: &Call,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Advice),
    ) -> Result<Advice, CallError>;
    fn tree(
        &self,
        planner: &Call,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        depth: u32,
    ) -> Result<Vec<Twig>, CallError>;
}

/// A state with its game.
pub(super) struct Of<G: Game> {
    pub(super) kit: Arc<Kit<G>>,
    pub(super) state: G::State,
    /// What was done and seen, where that is all a player knows.
    past: Vec<(G::Action, G::Obs)>,
}

impl<G: Game + 'static> Of<G> {
    pub(super) fn new(kit: Arc<Kit<G>>, state: G::State) -> Self {
        Of { kit, state, past: Vec::new() }
    }

    /// Where a search starts.
    pub(super) fn root(&self) -> Root<G> {
        let mut tracker = self.kit.track.map(|track| track(&self.kit.game));
        if let Some(tracker) = &mut tracker {
            for &(action, obs) in &self.past {
                tracker.observe(action, obs);
            }
        }
        self.kit.root_of(tracker.as_deref(), &self.state)
    }

    fn legal(&self) -> Vec<G::Action> {
        let mut legal = Vec::new();
        self.kit.game.actions(&self.state, &mut legal);
        legal
    }
}

impl<G> Position for Of<G>
where
    G: Game + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    fn actions(&self) -> Vec<String> {
        self.legal().into_iter().map(|a| self.kit.action_text(&self.state, a)).collect()
    }

    fn count(&self) -> usize {
        self.legal().len()
    }

    fn minimising(&self) -> bool {
        self.kit.game.minimising(&self.state)
    }

    fn discount(&self) -> f64 {
        self.kit.game.discount()
    }

    fn step(&mut self, action: usize, chance: &mut Rng) -> Option<Turn> {
        let action = *self.legal().get(action)?;
        let step = self.kit.game.step(&mut self.state, action, chance);
        if self.kit.track.is_some() {
            self.past.push((action, step.obs));
        }
        let observation = match format!("{:?}", step.obs) {
            nothing if nothing == "()" => String::new(),
            seen => seen,
        };
        Some(Turn { reward: step.reward, observation })
    }

    fn key(&self) -> Option<u64> {
        self.kit.key.map(|key| key(&self.kit.game, &self.state))
    }

    fn text(&self) -> String {
        self.kit.state_text(&self.state)
    }

    fn copy(&self) -> Box<dyn Position> {
        let (kit, state) = (Arc::clone(&self.kit), self.state.clone());
        Box::new(Of { kit, state, past: self.past.clone() })
    }

    fn advise(
        &self,
        planner: &Call,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Advice),
    ) -> Result<Advice, CallError> {
        advise(self, planner, budget, seed, cancel, watch)
    }

    fn tree(
        &self,
        planner: &Call,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        depth: u32,
    ) -> Result<Vec<Twig>, CallError> {
        let planner = super::planner(&self.kit, planner)?;
        let rng = Rng::named(seed, &["planner"]);
        let mut search = planner.search(&self.kit.game, self.root(), rng);
        search.run(budget, cancel);
        let namer = Namer::new(&self.kit, &self.state, self.root());
        Ok(namer.twigs(search.tree(depth)))
    }
}
