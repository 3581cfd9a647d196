//! The game trait and its capabilities.

use std::fmt::Debug;
use std::hash::Hash;

use crate::Rng;

/// What one move brings: the reward, and what the player sees of what happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<O> {
    /// Reward of this move, from the maximising player's view.
    pub reward: f64,
    /// What is seen. A search tree is keyed by (action, observation).
    pub obs: O,
}

/// A game: rules with run-time parameters, played on a small plain state.
///
/// Rewards come with each step, never only at the end; a planner maximises their discounted sum
/// (costs are negative rewards).
pub trait Game {
    /// Everything that changes during play; cheap to copy.
    type State: Clone;
    /// A move.
    type Action: Copy + Eq + Hash + Debug;
    /// What is seen after a move: `()` for puzzles, the outcome for problems with chance, what the
    /// player gets to see for hidden information.
    type Obs: Copy + Eq + Hash + Debug;

    /// A start position: the deal, the starting wind.
    fn start(&self, rng: &mut Rng) -> Self::State;

    /// Replaces the contents of `out` by the legal actions, in an order that depends only on what
    /// the player knows. No action is left if and only if the game is over.
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Plays a legal action. All chance comes from `rng`.
    fn step(&self, state: &mut Self::State, action: Self::Action, rng: &mut Rng)
    -> Step<Self::Obs>;

    /// The factor by which rewards shrink per step.
    fn discount(&self) -> f64 {
        1.0
    }

    /// Whether the player to move wants rewards to be small: the opponent in a two-player
    /// zero-sum game.
    fn minimising(&self, _state: &Self::State) -> bool {
        false
    }
}

/// States have a key: equal exactly for states in which the game goes on alike.
pub trait Keyed: Game {
    /// The key's type, packed as small as it goes.
    type Key: Copy + Eq + Hash + Debug;

    /// The key of a state.
    fn key(&self, state: &Self::State) -> Self::Key;
}

/// A move can be taken back, so that a depth-first search needs one state only.
pub trait Undo: Game {
    /// What must be remembered to take a move back.
    type Token;

    /// Plays a legal action like [`Game::step`], and says how to take it back.
    fn apply(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        rng: &mut Rng,
    ) -> (Step<Self::Obs>, Self::Token);

    /// Takes the last move back.
    fn undo(&self, state: &mut Self::State, token: Self::Token);
}

/// One way in which a move can turn out.
#[derive(Clone, Debug)]
pub struct Outcome<S, O> {
    /// How likely it is.
    pub probability: f64,
    /// The state that follows.
    pub state: S,
    /// Reward and observation.
    pub step: Step<O>,
}

/// The outcomes of a move can be listed with their probabilities.
pub trait Outcomes: Game {
    /// Replaces the contents of `out` by all outcomes of a legal action; their probabilities sum
    /// to 1 and each outcome has an observation of its own.
    fn outcomes(
        &self,
        state: &Self::State,
        action: Self::Action,
        out: &mut Vec<Outcome<Self::State, Self::Obs>>,
    );
}

/// A part of the state is hidden from the player.
///
/// A planner is given [`Hidden::Known`], never the state: the true deal stays with whoever runs
/// the game.
pub trait Hidden: Game {
    /// All that the player knows: what is open, and what follows from the play so far.
    type Known: Clone + PartialEq + Debug;

    /// What the player knows in this state.
    fn known(&self, state: &Self::State) -> Self::Known;

    /// A state that agrees with what is known, drawn with the probability that the player must
    /// give it.
    fn draw(&self, known: &Self::Known, rng: &mut Rng) -> Self::State;
}

/// A game that can be shown as text.
pub trait Text: Game {
    /// The state as the player may see it, on one or several lines.
    fn state_text(&self, state: &Self::State) -> String;

    /// An action in the game's notation.
    fn action_text(&self, state: &Self::State, action: Self::Action) -> String;

    /// What the player sees of a step that led to this state; empty if there is nothing to see.
    fn obs_text(&self, _state: &Self::State, obs: Self::Obs) -> String {
        obs_text(&obs)
    }

    /// The legal action that a text names.
    ///
    /// # Errors
    /// Says why there is none such.
    fn read_action(&self, state: &Self::State, text: &str) -> Result<Self::Action, String> {
        let mut legal = Vec::new();
        self.actions(state, &mut legal);
        if legal.is_empty() {
            return Err("the game is over".to_owned());
        }
        let named = |action: &Self::Action| self.action_text(state, *action) == text;
        legal.into_iter().find(named).ok_or_else(|| "this is no legal move".to_owned())
    }
}

/// An observation of a game that has no words for it: as programmers write it, nothing for `()` and
/// `None`, and what is in `Some`.
pub fn obs_text(obs: &impl Debug) -> String {
    match format!("{obs:?}").as_str() {
        "()" | "None" => String::new(),
        text => match text.strip_prefix("Some(").and_then(|text| text.strip_suffix(')')) {
            Some(inner) => inner.to_owned(),
            None => text.to_owned(),
        },
    }
}
