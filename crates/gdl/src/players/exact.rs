//! The certified optimum as a planner.

use patience_model::{Game, Rng};
use patience_plan::{Counts, Estimate, ParameterError, Planner, Root, Search, Status};

use crate::belief::SharedBelief;
use crate::exact::{Exact, ExactError};
use crate::game::{GdlGame, Move};
use crate::world::World;

/// Plays optimally where so many beliefs suffice to know how; until it is done, and where they do
/// not suffice, it recommends any legal move.
///
/// **Guarantees.** Exact once complete, against others that move at random. Not anytime.
#[derive(Clone, Copy, Debug)]
pub struct ExactPlanner {
    beliefs: usize,
}

impl ExactPlanner {
    /// A planner that may look at so many beliefs.
    ///
    /// # Errors
    /// If that is none.
    pub fn new(beliefs: u64) -> Result<Self, ParameterError> {
        ParameterError::check("beliefs", beliefs, |&n| n > 0, "a whole number above 0")?;
        Ok(ExactPlanner { beliefs: usize::try_from(beliefs).unwrap_or(usize::MAX) })
    }
}

impl<W: World> Planner<GdlGame<W>> for ExactPlanner {
    fn search<'g>(
        &self,
        game: &'g GdlGame<W>,
        root: Root<GdlGame<W>>,
        rng: Rng,
    ) -> Box<dyn Search<GdlGame<W>> + 'g> {
        let mut rng = rng;
        let mut actions = Vec::new();
        game.actions(&root.sample(game, &mut rng), &mut actions);
        let guess = (!actions.is_empty()).then(|| rng.pick(&actions));
        let solver = solver(game, &root).ok();
        let search = ExactSearch {
            solver,
            most: self.beliefs,
            actions,
            guess,
            values: Vec::new(),
            steps: 0,
        };
        Box::new(search)
    }

    fn ends(&self) -> bool {
        true
    }

    fn advances(&self) -> bool {
        true
    }
}

/// The solver where the player stands.
fn solver<W: World>(game: &GdlGame<W>, root: &Root<GdlGame<W>>) -> Result<Exact<W>, ExactError> {
    let belief = match root {
        Root::Certain(state) => return Ok(Exact::from_state(game.clone(), state.clone(), FIRST)),
        Root::Belief(belief) => belief,
    };
    let shared = belief.as_any().and_then(|any| any.downcast_ref::<SharedBelief<W>>());
    let history = shared.and_then(SharedBelief::history).ok_or(ExactError::Impossible)?;
    let mut solver = Exact::new(game.clone(), FIRST);
    history.into_iter().try_for_each(|(action, seen)| solver.observe(action, seen))?;
    Ok(solver)
}

/// Beliefs of the first step; each further step may look at twice as many in all.
const FIRST: usize = 256;

struct ExactSearch<W: World> {
    solver: Option<Exact<W>>,
    most: usize,
    actions: Vec<Move>,
    guess: Option<Move>,
    values: Vec<(Move, f64)>,
    steps: u32,
}

impl<W: World> Search<GdlGame<W>> for ExactSearch<W> {
    fn step(&mut self) -> Status {
        let Some(solver) = self.solver.as_mut().filter(|_| self.values.is_empty()) else {
            return Status::Complete;
        };
        let allowed = FIRST.checked_shl(self.steps).unwrap_or(self.most).min(self.most);
        self.steps += 1;
        solver.allow(allowed);
        match solver.values() {
            Ok(values) => {
                self.values = values;
                Status::Complete
            }
            Err(ExactError::Beliefs(n)) if n < self.most => Status::Running,
            Err(_) => {
                self.solver = None;
                Status::Complete
            }
        }
    }

    fn counts(&self) -> Counts {
        let nodes = self.solver.as_ref().map_or(0, Exact::beliefs) as u64;
        let bytes = self.solver.as_ref().map_or(0, Exact::bytes);
        Counts { iterations: u64::from(self.steps), model_calls: 0, nodes, bytes }
    }

    fn estimates(&self) -> Vec<Estimate<Move>> {
        let value = |action| self.values.iter().find(|(a, _)| *a == action).map(|(_, v)| *v);
        let estimate = |&action| Estimate { action, value: value(action), visits: 0, error: None };
        self.actions.iter().map(estimate).collect()
    }

    fn best(&self) -> Option<Move> {
        let mut best: Option<(Move, f64)> = None;
        for &(action, value) in &self.values {
            // Rounding must not decide between equals.
            if best.is_none_or(|(_, other)| value > other + 1e-12) {
                best = Some((action, value));
            }
        }
        best.map(|(action, _)| action).or(self.guess)
    }

    fn advance(&mut self, action: Move, obs: crate::Percepts, _: Root<GdlGame<W>>) -> bool {
        let Some(solver) = &mut self.solver else { return false };
        if solver.observe(action, obs).is_err() {
            return false;
        }
        self.values.clear();
        solver.moves(&mut self.actions);
        self.guess = self.actions.first().copied();
        true
    }
}
