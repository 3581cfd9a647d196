//! What a game brings for searches that look for a whole solution: rollout policies and codes of moves.

use patience_model::{Game, Keyed, Rng};
use patience_plan::beam::{Beam, BeamSettings, Sampled};
use patience_plan::nested::{BasePolicy, Nested, NestedSettings};
use patience_plan::nrpa::{Coding, Nrpa, NrpaSettings};
use patience_plan::uct::Rollout;
use patience_plan::{
    Branch, Budget, Cancel, Counts, DepthFirst, Estimate, Finding, Planner, Root, Search, Stats,
    Status, Stepped,
};

use crate::kit::{Kit, Made};

type MakeNested<G> = dyn Fn(NestedSettings) -> Made<G> + Send + Sync;
type MakeBeam<G> = dyn Fn(BeamSettings, u32) -> Made<G> + Send + Sync;
type MakeNrpa<G> = dyn Fn(NrpaSettings) -> Made<G> + Send + Sync;

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

/// All this of a game; nothing for games with chance, a hidden part or two players.
pub(crate) struct Policies<G: Game> {
    pub(crate) bases: Vec<Base<G>>,
    pub(crate) codings: Vec<Coded<G>>,
}

impl<G: Game> Default for Policies<G> {
    fn default() -> Self {
        Policies { bases: Vec::new(), codings: Vec::new() }
    }
}

impl<G: Game + 'static> Kit<G> {
    /// One player, no chance and nothing hidden: a solution found is a solution kept. Brings nested
    /// search, multi-start MCTS and beams, with random rollouts.
    pub fn deterministic(mut self) -> Self
    where
        G: Keyed,
        G::Action: Send,
        G::Key: Send,
    {
        self.capability("deterministic");
        self.depth_first =
            Some(|goal, dead_end| Box::new(DepthFirst::new(goal).with_dead_ends(dead_end)));
        self.with_goal().policy("random", Rollout::default())
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
        let bases = &mut self.policies.bases;
        match bases.iter_mut().find(|other| other.name == name) {
            Some(same) => *same = base,
            None => bases.push(base),
        }
        self
    }

    /// Adds a way to code moves: NRPA, which learns by codes. The first is what it takes if none is
    /// named.
    pub fn coded(mut self, name: &'static str, coding: impl Coding<G> + 'static) -> Self {
        self.capability("codes");
        let nrpa =
            move |settings| -> Made<G> { Ok(Box::new(Nrpa::new(settings, coding.clone())?)) };
        self.policies.codings.push(Coded { name, nrpa: Box::new(nrpa) });
        self
    }
}

/// The same planner, whose searches stop after so many iterations, whatever the budget.
pub fn limited<G: Game + 'static>(
    planner: impl Planner<G> + 'static,
    iterations: Option<u64>,
) -> Box<dyn Planner<G>> {
    match iterations {
        Some(iterations) => Box::new(Limited { planner: Box::new(planner), iterations }),
        None => Box::new(planner),
    }
}

/// A planner whose searches stop after so many iterations, whatever the budget.
pub(crate) struct Limited<G: Game> {
    pub(crate) planner: Box<dyn Planner<G>>,
    pub(crate) iterations: u64,
}

impl<G: Game> Planner<G> for Limited<G> {
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g> {
        let search = self.planner.search(game, root, rng);
        Box::new(LimitedSearch { search, iterations: self.iterations })
    }

    fn ends(&self) -> bool {
        true
    }

    fn figures(&self) -> &'static [&'static str] {
        self.planner.figures()
    }
}

struct LimitedSearch<'g, G: Game> {
    search: Box<dyn Search<G> + 'g>,
    iterations: u64,
}

impl<G: Game> LimitedSearch<'_, G> {
    /// The budget without what lies beyond the search's own limit.
    fn limited(&self, budget: &Budget) -> Budget {
        let iterations = budget.iterations.map_or(self.iterations, |n| n.min(self.iterations));
        Budget { iterations: Some(iterations), ..*budget }
    }
}

impl<G: Game> Stepped for LimitedSearch<'_, G> {
    fn step(&mut self) -> Status {
        if self.counts().iterations >= self.iterations {
            return Status::Complete;
        }
        self.search.step()
    }

    fn counts(&self) -> Counts {
        self.search.counts()
    }

    fn within(&mut self, budget: &Budget) {
        self.search.within(&self.limited(budget));
    }

    fn drive(&mut self, budget: &Budget, cancel: &Cancel) -> Stats {
        self.search.drive(&self.limited(budget), cancel)
    }
}

impl<G: Game> Search<G> for LimitedSearch<'_, G> {
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        self.search.estimates()
    }

    fn best(&self) -> Option<G::Action> {
        self.search.best()
    }

    fn finding(&self) -> Finding<G::Action> {
        self.search.finding()
    }

    fn figures(&self) -> Vec<(&'static str, f64)> {
        self.search.figures()
    }

    fn certificate(&self) -> Option<String> {
        self.search.certificate()
    }

    fn tree(&self, depth: u32) -> Vec<Branch<G::Action, G::Obs>> {
        self.search.tree(depth)
    }

    fn restart(&mut self, root: Root<G>, rng: Rng) -> bool {
        self.search.restart(root, rng)
    }
}
