//! Nested rollouts over a value function (Bjarnason, Tadepalli and Fern 2007), for deals of which
//! all cards are known.
//!
//! Level 0 is a greedy search that looks one move ahead; level n tries every action, plays on with
//! level n − 1, and takes the action whose play came to the best end. With several value functions
//! the next one takes over, at its own level, where no action leads to more than the state is worth
//! itself; the last one plays on until there is no action left.
//!
//! **Guarantees**: ends by itself; a win is a win. Not complete: no win is no proof.

use patience_model::Rng;
use patience_plan::{Cancel, ParameterError};

use super::state::{Stand, State};
use super::value::{Heuristic, Value};
use super::{Action, Card, KINDS, Klondike};

/// The search: value functions with the levels of their searches, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedRollout {
    stages: Vec<(Heuristic, u32)>,
}

/// How a nested rollout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Whether it found a way to win.
    pub won: bool,
    /// Successors that were valued.
    pub nodes: u64,
}

/// Higher levels would take days.
const HIGHEST: u32 = 5;

/// A win is worth more than any sum of weights.
const WIN: i32 = i32::MAX;

impl NestedRollout {
    /// A search of this level with H2 alone.
    ///
    /// # Errors
    /// If the level is above 5.
    pub fn new(level: u32) -> Result<NestedRollout, ParameterError> {
        NestedRollout::check("level", level)?;
        Ok(NestedRollout { stages: vec![(Heuristic::ENDING, level)] })
    }

    /// A search of two stages: H1 at one level, then H2 at another.
    ///
    /// # Errors
    /// If a level is above 5.
    pub fn two_stages(opening: u32, ending: u32) -> Result<NestedRollout, ParameterError> {
        NestedRollout::check("opening", opening)?;
        NestedRollout::check("level", ending)?;
        let stages = vec![(Heuristic::OPENING, opening), (Heuristic::ENDING, ending)];
        Ok(NestedRollout { stages })
    }

    fn check(name: &'static str, level: u32) -> Result<(), ParameterError> {
        let expected = "a whole number from 0 to 5";
        ParameterError::check(name, level, |&n| n <= HIGHEST, expected).map(drop)
    }

    /// Plays from a state; cards that are not fixed yet are drawn first, from the stream.
    pub fn play(&self, game: &Klondike, state: &State, rng: &mut Rng, cancel: &Cancel) -> Played {
        let state = state.dealt(rng);
        let mut stages = [None, None];
        for (place, (heuristic, level)) in stages.iter_mut().zip(&self.stages) {
            *place = Some((heuristic.of(&state), *level));
        }
        let mut run = Run { game, stages, nodes: 0, cancel };
        let won = state.stand == Stand::Won || run.search(0, self.stages[0].1, state) == WIN;
        Played { won, nodes: run.nodes }
    }
}

struct Run<'a> {
    game: &'a Klondike,
    stages: [Option<(Value, u32)>; 2],
    nodes: u64,
    cancel: &'a Cancel,
}

impl Run<'_> {
    /// Plays to the end of what a search of this level can do; the value of the end.
    fn search(&mut self, stage: usize, level: u32, mut state: State) -> i32 {
        let Some((value, _)) = self.stages[stage] else { return i32::MIN };
        let later = self.stages.get(stage + 1).copied().flatten();
        loop {
            let here = value.at(&state);
            let mut best: Option<(i32, State)> = None;
            self.each_successor(&state, |run, next| {
                run.nodes += 1;
                let worth = match level {
                    _ if next.stand == Stand::Won => WIN,
                    0 => value.at(&next),
                    _ => run.search(stage, level - 1, next),
                };
                if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                    best = Some((worth, next));
                }
                worth != WIN
            });
            let Some((worth, next)) = best else { return here };
            if worth == WIN {
                return WIN;
            }
            if let Some((_, level)) = later
                && worth <= here
            {
                return self.search(stage + 1, level, state);
            }
            state = next;
            if level > 0 && self.cancel.is_cancelled() {
                return here;
            }
        }
    }

    /// Calls for every successor, in the order of preference, until it is told to stop.
    #[inline]
    fn each_successor(&mut self, state: &State, mut each: impl FnMut(&mut Self, State) -> bool) {
        // Nothing is drawn any more.
        let mut rng = Rng::new(0);
        for (kind, mut cards) in KINDS.into_iter().zip(self.game.groups(state)) {
            while cards != 0 {
                let card = Card::at(cards.trailing_zeros());
                cards &= cards - 1;
                let mut next = *state;
                self.game.play(&mut next, Action { kind, card }, &mut rng);
                if next.layout.won(&next.core) {
                    next.stand = Stand::Won;
                }
                if !each(self, next) {
                    return;
                }
            }
        }
    }
}
