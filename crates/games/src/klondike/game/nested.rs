//! Nested rollouts over a value function (Bjarnason, Tadepalli and Fern 2007), for deals of which
//! all cards are known.
//!
//! Level 0 is a greedy search that looks one move ahead; level n tries every action, plays on with
//! level n − 1, and takes the action whose play came to the best end. With several value functions
//! the next one takes over, at its own level, where no action leads to more than the state is worth
//! itself; the last one plays on until there is no action left.
//!
//! **Guarantees**: ends by itself; a win is a win. Not complete: no win is no proof.

use patience_model::{Game, Rng};
use patience_plan::{Counts, Finding, ParameterError, Planner, Root, Search, Status, Stepped};

use super::rollouts::Rollouts;
use super::state::State;
use super::value::Heuristic;
use super::{Action, Klondike};

/// The planner: value functions with the levels of their searches, one after the other. It solves a
/// deal as if all cards were known; those that are not fixed yet are drawn first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedRollout {
    stages: Vec<(Heuristic, u32)>,
}

/// Higher levels would take days.
const HIGHEST: u32 = 5;

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

    /// The rollouts from a state.
    fn rollouts<'g>(&self, game: &'g Klondike, state: &State, rng: &mut Rng) -> Rollouts<'g> {
        Rollouts::new(game, &self.stages, state.dealt(rng))
    }

    /// Whether a deal is won, and the nodes that it took.
    pub(super) fn wins(&self, game: &Klondike, state: &State, rng: &mut Rng) -> (bool, u64) {
        let mut rollouts = self.rollouts(game, state, rng);
        while !rollouts.is_over() {
            rollouts.step();
        }
        (rollouts.is_won(), rollouts.nodes())
    }
}

impl Planner<Klondike> for NestedRollout {
    fn search<'g>(
        &self,
        game: &'g Klondike,
        root: Root<Klondike>,
        mut rng: Rng,
    ) -> Box<dyn Search<Klondike> + 'g> {
        let state = root.sample(game, &mut rng);
        let rollouts = self.rollouts(game, &state, &mut rng);
        Box::new(NestedSearch { planner: self.clone(), game, rollouts, steps: 0 })
    }

    fn ends(&self) -> bool {
        true
    }
}

struct NestedSearch<'g> {
    planner: NestedRollout,
    game: &'g Klondike,
    rollouts: Rollouts<'g>,
    steps: u64,
}

impl Stepped for NestedSearch<'_> {
    /// One move of an innermost rollout, or the start of a rollout.
    fn step(&mut self) -> Status {
        if !self.rollouts.is_over() {
            self.rollouts.step();
            self.steps += 1;
        }
        if self.rollouts.is_over() { Status::Complete } else { Status::Running }
    }

    /// Nodes are successors that were valued.
    fn counts(&self) -> Counts {
        let nodes = self.rollouts.nodes();
        Counts { iterations: self.steps, model_calls: nodes, nodes, bytes: 0 }
    }
}

impl Search<Klondike> for NestedSearch<'_> {
    fn best(&self) -> Option<Action> {
        self.rollouts.first()
    }

    /// The moves up to where the game is won, and how many they are.
    fn finding(&self) -> Finding<Action> {
        if !self.rollouts.is_won() {
            return Finding::default();
        }
        let (mut state, mut moves) = (*self.rollouts.start(), Vec::new());
        for &action in self.rollouts.line() {
            if self.game.is_won(&state) {
                break;
            }
            // Every card is fixed: nothing is drawn.
            self.game.step(&mut state, action, &mut Rng::new(0));
            moves.push(action);
        }
        let length = moves.len() as f64;
        Finding::solved(moves, length)
    }

    fn restart(&mut self, root: Root<Klondike>, mut rng: Rng) -> bool {
        let state = root.sample(self.game, &mut rng);
        self.rollouts = self.planner.rollouts(self.game, &state, &mut rng);
        self.steps = 0;
        true
    }
}
