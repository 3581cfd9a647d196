//! The certified optimum as a planner.

use patience_model::{Game, Rng};
use patience_plan::{
    Bounds, Counts, Estimate, Finding, ParameterError, Planner, Root, Search, Status, Stepped,
    Verdict,
};

use crate::play::belief::SharedBelief;
use crate::play::exact::{Exact, ExactError};
use crate::play::{GdlGame, Move, World};

/// Plays optimally where a number of beliefs is enough to find out how; until then it recommends the
/// best plan found so far, and any legal move before there is one.
///
/// **Guarantees.** Exact once complete, against others that move at random.
#[derive(Clone, Copy, Debug)]
pub struct ExactPlanner {
    beliefs: usize,
}

impl ExactPlanner {
    /// A planner that may visit this many beliefs.
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
        let solver = solver(game, &root, self.beliefs).ok();
        Box::new(ExactSearch { solver, actions, guess, certain: None, steps: 0 })
    }

    fn ends(&self) -> bool {
        true
    }

    fn advances(&self) -> bool {
        true
    }
}

/// The solver where the player stands.
pub(super) fn solver<W: World>(
    game: &GdlGame<W>,
    root: &Root<GdlGame<W>>,
    beliefs: usize,
) -> Result<Exact<W>, ExactError> {
    let belief = match root {
        Root::Certain(state) => return Ok(Exact::from_state(game.clone(), state.clone(), beliefs)),
        Root::Belief(belief) => belief,
    };
    let shared = belief.as_any().and_then(|any| any.downcast_ref::<SharedBelief<W>>());
    let history = shared.and_then(SharedBelief::history).ok_or(ExactError::Impossible)?;
    let mut solver = Exact::new(game.clone(), beliefs);
    history.into_iter().try_for_each(|(action, seen)| solver.observe(action, seen))?;
    Ok(solver)
}

/// Moves played in one step.
const EACH: u64 = 1_000;

struct ExactSearch<W: World> {
    /// `None` if the game is too large.
    solver: Option<Exact<W>>,
    actions: Vec<Move>,
    guess: Option<Move>,
    /// The value, and an optimal move unless the game is over.
    certain: Option<(f64, Option<Move>)>,
    steps: u64,
}

impl<W: World> Stepped for ExactSearch<W> {
    fn step(&mut self) -> Status {
        let Some(solver) = self.solver.as_mut().filter(|_| self.certain.is_none()) else {
            return Status::Complete;
        };
        self.steps += 1;
        match solver.work(solver.plays() + EACH) {
            Ok(None) => return Status::Running,
            Ok(Some(certain)) => self.certain = Some(certain),
            Err(_) => self.solver = None,
        }
        Status::Complete
    }

    fn counts(&self) -> Counts {
        let solver = self.solver.as_ref();
        Counts {
            iterations: self.steps,
            model_calls: solver.map_or(0, Exact::plays),
            nodes: solver.map_or(0, Exact::beliefs) as u64,
            bytes: solver.map_or(0, Exact::bytes),
        }
    }
}

impl<W: World> Search<GdlGame<W>> for ExactSearch<W> {
    /// Only the best move has a value: the others were pruned as soon as they could not be better.
    fn estimates(&self) -> Vec<Estimate<Move>> {
        let estimate = |&action: &Move| {
            let value =
                self.certain.filter(|(_, best)| *best == Some(action)).map(|(value, _)| value);
            Estimate::new(action, value, 0)
        };
        self.actions.iter().map(estimate).collect()
    }

    fn best(&self) -> Option<Move> {
        let planned = || self.solver.as_ref()?.bound().map(|(_, action)| action);
        self.certain.and_then(|(_, best)| best).or_else(planned).or(self.guess)
    }

    /// The certified value, once it is known. What follows the first move depends on what is seen,
    /// so there are no moves.
    fn finding(&self) -> Finding<Move> {
        let Some((value, _)) = self.certain else { return Finding::default() };
        let bounds = Bounds { lower: Some(value), upper: Some(value) };
        Finding { verdict: Verdict::Optimal, value: Some(value), bounds, ..Finding::default() }
    }

    fn advance(&mut self, action: Move, obs: crate::Percepts, _: Root<GdlGame<W>>) -> bool {
        let Some(solver) = &mut self.solver else { return false };
        if solver.observe(action, obs).is_err() {
            return false;
        }
        self.certain = None;
        solver.moves(&mut self.actions);
        self.guess = self.actions.first().copied();
        true
    }
}
