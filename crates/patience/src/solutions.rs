//! What a game brings for searches that look for a whole solution: rollout policies, codes of moves,
//! and the question that is asked of a finished game.

use patience_lab::{Column, TaskError};
use patience_model::{Game, Keyed, Rng};
use patience_plan::beam::{Beam, BeamSettings, Sampled};
use patience_plan::nested::{BasePolicy, Nested, NestedSettings, Solves};
use patience_plan::nrpa::{Coding, Nrpa, NrpaSettings};
use patience_plan::uct::Rollout;
use patience_plan::{
    Branch, Budget, Cancel, Counts, Estimate, ParameterError, Planner, Root, Search, Stats, Status,
    Stepped, StopReason,
};

use crate::kit::Kit;
use crate::solver::Solver;

type MadeSolves<G> = Result<Box<dyn Solves<G>>, ParameterError>;
type MakeNested<G> = dyn Fn(NestedSettings) -> MadeSolves<G> + Send + Sync;
type MakeBeam<G> = dyn Fn(BeamSettings, u32) -> MadeSolves<G> + Send + Sync;
type MakeNrpa<G> = dyn Fn(NrpaSettings) -> MadeSolves<G> + Send + Sync;

/// A rollout policy, and the searches that are made with it.
pub(crate) struct Base<G: Game> {
    pub(crate) name: &'static str,
    pub(crate) nested: Box<MakeNested<G>>,
    /// A beam that judges states by so many rollouts each.
    pub(crate) beam: Box<MakeBeam<G>>,
}

/// A way to code moves.
pub(crate) struct Coded<G: Game> {
    pub(crate) name: &'static str,
    pub(crate) nrpa: Box<MakeNrpa<G>>,
}

/// A question asked of a finished game: its name, and the answer.
type Goal<G> = (&'static str, fn(&G, &<G as Game>::State) -> bool);

/// All this of a game; nothing for games with chance, a hidden part or two players.
pub(crate) struct Solutions<G: Game> {
    pub(crate) bases: Vec<Base<G>>,
    pub(crate) codings: Vec<Coded<G>>,
    pub(crate) goal: Option<Goal<G>>,
}

impl<G: Game> Default for Solutions<G> {
    fn default() -> Self {
        Solutions { bases: Vec::new(), codings: Vec::new(), goal: None }
    }
}

impl<G: Game + 'static> Kit<G> {
    /// One player, no chance and nothing hidden: a solution found is a solution kept. Brings nested
    /// search, multi-start MCTS and beams, with random rollouts.
    pub fn deterministic(mut self) -> Self
    where
        G: Keyed,
        G::Action: Send,
    {
        self.capability("deterministic");
        self.policy("random", Rollout::default())
    }

    /// Adds a rollout policy, by the name that the parameter `policy` of nested searches and beams
    /// takes; one of the same name is replaced. For games that are [`deterministic`](Kit::deterministic).
    pub fn policy(mut self, name: &'static str, policy: impl BasePolicy<G> + 'static) -> Self
    where
        G: Keyed,
    {
        let judge = policy.clone();
        let base = Base {
            name,
            nested: Box::new(move |settings| Ok(Box::new(Nested::new(settings, policy.clone())?))),
            beam: Box::new(move |settings, rollouts| {
                let judge = Sampled { policy: judge.clone(), rollouts };
                Ok(Box::new(Beam::new(settings, judge)?))
            }),
        };
        let bases = &mut self.solutions.bases;
        match bases.iter_mut().find(|other| other.name == name) {
            Some(same) => *same = base,
            None => bases.push(base),
        }
        self
    }

    /// Adds a way to code moves: NRPA, which learns by codes. The first is what it takes if none is
    /// named.
    pub fn coded(mut self, name: &'static str, coding: impl Coding<G> + 'static) -> Self {
        if self.solutions.codings.is_empty() {
            self.capability("codes");
        }
        let nrpa =
            move |settings| -> MadeSolves<G> { Ok(Box::new(Nrpa::new(settings, coding.clone())?)) };
        self.solutions.codings.push(Coded { name, nrpa: Box::new(nrpa) });
        self
    }

    /// What is asked of a game when it has ended; solvers report the answers in a column of this
    /// name.
    pub fn goal(mut self, name: &'static str, reached: fn(&G, &G::State) -> bool) -> Self {
        self.solutions.goal = Some((name, reached));
        self
    }
}

/// Solves positions by a search for a whole solution. Its columns: `score`, the game's goal,
/// `rollouts`, `moves`, `memory` in bytes, and its natural logarithm `ln_memory`, by whose
/// differences arms can be compared in proportion.
pub(crate) struct Whole<G: Game> {
    pub(crate) planner: Box<dyn Solves<G>>,
    pub(crate) rollouts: Option<u64>,
    pub(crate) goal: Option<Goal<G>>,
}

impl<G: Game> Solver<G> for Whole<G> {
    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::mean("score")];
        columns.extend(self.goal.map(|(name, _)| Column::proportion(name)));
        columns.extend(["rollouts", "moves", "memory", "ln_memory"].map(Column::mean));
        columns
    }

    fn solve(
        &self,
        game: &G,
        state: &G::State,
        rng: Rng,
        cancel: &Cancel,
    ) -> Result<Vec<f64>, TaskError> {
        let mut search = self.planner.solve(game, &Root::Certain(state.clone()), rng);
        let budget = Budget { iterations: self.rollouts, ..Budget::UNLIMITED };
        let stats = search.run(&budget, cancel);
        if stats.stop == Some(StopReason::Cancelled) {
            return Err(TaskError::Interrupted);
        }
        let moves = search.solution().map_or(&[][..], |solution| &solution.moves);
        let (score, end) = replay(game, state, moves)?;
        let claimed = search.solution().map_or(0.0, |solution| solution.value);
        if (score - claimed).abs() > 1e-6 * claimed.abs().max(1.0) {
            let message = format!("a solution of {claimed} comes to {score} when it is replayed");
            return Err(TaskError::Failed(message));
        }
        let bytes = stats.counts.bytes as f64;
        let mut values = vec![score];
        values.extend(self.goal.map(|(_, reached)| f64::from(u8::from(reached(game, &end)))));
        let rollouts = stats.counts.iterations as f64;
        values.extend([rollouts, moves.len() as f64, bytes, bytes.max(1.0).ln()]);
        Ok(values)
    }
}

/// A planner whose searches stop after so many rollouts, whatever the budget.
pub(crate) struct Limited<G: Game> {
    pub(crate) planner: Box<dyn Solves<G>>,
    pub(crate) rollouts: u64,
}

impl<G: Game> Planner<G> for Limited<G> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g> {
        let search = self.planner.search(game, root, rng);
        Box::new(LimitedSearch { search, rollouts: self.rollouts })
    }

    fn ends(&self) -> bool {
        true
    }
}

struct LimitedSearch<'g, G: Game> {
    search: Box<dyn Search<G> + 'g>,
    rollouts: u64,
}

impl<G: Game> Stepped for LimitedSearch<'_, G> {
    fn step(&mut self) -> Status {
        if self.counts().iterations >= self.rollouts {
            return Status::Complete;
        }
        self.search.step()
    }

    fn counts(&self) -> Counts {
        self.search.counts()
    }
}

impl<G: Game> Search<G> for LimitedSearch<'_, G> {
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        self.search.estimates()
    }

    fn best(&self) -> Option<G::Action> {
        self.search.best()
    }

    fn tree(&self, depth: u32) -> Vec<Branch<G::Action, G::Obs>> {
        self.search.tree(depth)
    }

    fn restart(&mut self, root: Root<G>, rng: Rng) -> bool {
        self.search.restart(root, rng)
    }

    fn run(&mut self, budget: &Budget, cancel: &Cancel, watch: &mut dyn FnMut(&Stats)) -> Stats {
        let iterations = budget.iterations.map_or(self.rollouts, |n| n.min(self.rollouts));
        let budget = Budget { iterations: Some(iterations), ..*budget };
        self.search.run(&budget, cancel, watch)
    }
}

/// Plays a solution by the rules: what it brings, and where it ends.
fn replay<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[G::Action],
) -> Result<(f64, G::State), TaskError> {
    let mut state = state.clone();
    // No chance: the stream is there because every step takes one.
    let mut rng = Rng::new(0);
    let (mut sum, mut weight, mut legal) = (0.0, 1.0, Vec::new());
    for (number, &action) in (1..).zip(moves) {
        game.actions(&state, &mut legal);
        if !legal.contains(&action) {
            let message = format!("step {number} of a solution, {action:?}, is not legal");
            return Err(TaskError::Failed(message));
        }
        sum += weight * game.step(&mut state, action, &mut rng).reward;
        weight *= game.discount();
    }
    Ok((sum, state))
}
