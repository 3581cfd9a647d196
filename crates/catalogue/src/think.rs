//! Thinking about a position, on the game itself or on a more abstract one above it.

use std::sync::Arc;

use patience_model::{Game, Rng};
use patience_plan::{
    Budget, Cancel, Estimate, Root, Search, Stats, StopReason, Tracker, Verdict, watched,
};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::advice::Measure;
use crate::call::{Call, CallError};
use crate::info::PlannerInfo;
use crate::kit::{Kit, Lift, Lower};
use crate::planners;
use crate::trace::{self, Trace};
use crate::twig::{Namer, Twig};

/// How long and by whom a position is thought about.
pub(crate) struct Question<'q> {
    pub(crate) planner: &'q Call,
    pub(crate) budget: &'q Budget,
    pub(crate) seed: u64,
    pub(crate) cancel: &'q Cancel,
}

/// What is thought of a position, in the moves of the game that is asked about.
pub(crate) struct Thought<A> {
    pub(crate) moves: Vec<Considered<A>>,
    /// The best one's place.
    pub(crate) best: Option<usize>,
    /// Why it is preferred, where its value alone does not say.
    pub(crate) why: Option<&'static str>,
    pub(crate) measure: Measure,
    pub(crate) minimising: bool,
    pub(crate) verdict: Verdict,
    pub(crate) stats: Stats,
}

/// What is thought of one action of the planner's game.
pub(crate) struct Considered<A> {
    /// In the notation of the planner's game.
    pub(crate) text: String,
    /// The moves that it comes to.
    pub(crate) moves: Vec<A>,
    pub(crate) estimate: Estimate<()>,
}

/// The two-sided 95% quantile of Student's distribution.
pub(crate) fn student(freedom: u64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom as f64) {
        Ok(t) => t.inverse_cdf(0.975),
        Err(_) => f64::INFINITY,
    }
}

impl<A> Thought<A> {
    pub(crate) fn of<G: Game + 'static>(
        kit: &Kit<G>,
        state: &G::State,
        measure: Measure,
        search: &dyn Search<G>,
        stats: Stats,
        lower: &dyn Fn(G::Action) -> Vec<A>,
    ) -> Self {
        let mut estimates = search.estimates();
        let best = search.best();
        if estimates.is_empty() {
            // A solver says nothing of the other moves.
            let mut legal = Vec::new();
            kit.game.actions(state, &mut legal);
            let value = search.finding().value;
            let known = |action| Estimate::new(action, value.filter(|_| Some(action) == best), 0);
            estimates.extend(legal.into_iter().map(known));
        }
        let best = best.and_then(|best| estimates.iter().position(|e| e.action == best));
        let considered = |estimate: Estimate<G::Action>| {
            let Estimate { action, value, visits, error, low, high, proven } = estimate;
            let half = error.map(|e| student(e.freedom) * e.value);
            let end = |sign: f64| Some(value? + sign * half?);
            let (low, high) = (low.or(end(-1.0)), high.or(end(1.0)));
            Considered {
                text: kit.action_text(state, action),
                moves: lower(action),
                estimate: Estimate { action: (), value, visits, error, low, high, proven },
            }
        };
        Thought {
            moves: estimates.into_iter().map(considered).collect(),
            best,
            why: search.reason(),
            measure,
            minimising: kit.game.minimising(state) || measure == Measure::StepsToGo,
            verdict: search.finding().verdict,
            stats,
        }
    }
}

/// Thinks about a state; `watch` hears about ten times a second of what is known by then.
pub(crate) fn think<G: Game + 'static, A>(
    kit: &Kit<G>,
    state: &G::State,
    root: Root<G>,
    question: &Question<'_>,
    lower: &dyn Fn(G::Action) -> Vec<A>,
    watch: &mut dyn FnMut(&Thought<A>),
) -> Result<Thought<A>, CallError> {
    let (info, planner) = planners::planner(kit, question.planner)?;
    let measure = planners::measure(kit, info);
    let rng = Rng::named(question.seed, &["planner"]);
    let mut search = planner.search(&kit.game, root, rng);
    let mut legal = Vec::new();
    kit.game.actions(state, &mut legal);
    let stats = if legal.is_empty() {
        // Some searches would play empty episodes until the time is up.
        let stop = Some(StopReason::Complete);
        Stats { counts: search.counts(), seconds: 0.0, stop }
    } else {
        watched(&mut *search, question.budget, question.cancel, &mut |search, stats| {
            watch(&Thought::of(kit, state, measure, search, *stats, lower));
        })
    };
    Ok(Thought::of(kit, state, measure, &*search, stats, lower))
}

/// Thinks about a state and gives the first levels of the search's tree.
pub(crate) fn tree<G: Game + 'static>(
    kit: &Kit<G>,
    state: &G::State,
    root: impl Fn() -> Root<G>,
    question: &Question<'_>,
    depth: u32,
) -> Result<Vec<Twig>, CallError> {
    let (_, planner) = planners::planner(kit, question.planner)?;
    let rng = Rng::named(question.seed, &["planner"]);
    let mut search = planner.search(&kit.game, root(), rng);
    search.run(question.budget, question.cancel);
    Ok(Namer::new(kit, state, root()).twigs(search.tree(depth)))
}

/// Where a search starts in a game whose past is known.
pub(crate) fn root<G: Game + 'static>(
    kit: &Kit<G>,
    past: &[(G::Action, G::Obs)],
    state: &G::State,
) -> Root<G> {
    let mut tracker = kit.track.map(|track| track(&kit.game));
    if let Some(tracker) = &mut tracker {
        past.iter().for_each(|&(action, obs)| tracker.observe(action, obs));
    }
    kit.root_of(tracker.as_deref() as Option<&dyn Tracker<G>>, state)
}

/// A more abstract game, on which planners think about another one.
pub(crate) trait Thinking<T: Game>: Send + Sync {
    /// The planners that can be used.
    fn planners(&self) -> Vec<&'static PlannerInfo>;

    /// Whether the planner's searches end by themselves.
    fn ends(&self, planner: &Call) -> Result<bool, CallError>;

    /// What the values of a planner are.
    fn measure(&self, planner: &Call) -> Measure;

    /// The planner that suits it, where it is not that of the game.
    fn suits(&self) -> Option<&'static str>;

    fn think(
        &self,
        table: &T,
        state: &T::State,
        question: &Question<'_>,
        watch: &mut dyn FnMut(&Thought<T::Action>),
    ) -> Result<Thought<T::Action>, CallError>;

    fn tree(
        &self,
        table: &T,
        state: &T::State,
        question: &Question<'_>,
        depth: u32,
    ) -> Result<Vec<Twig>, CallError>;

    fn trace(
        &self,
        table: &T,
        state: &T::State,
        question: &Question<'_>,
    ) -> Result<Trace, CallError>;
}

pub(crate) struct Above<A: Game, T: Game> {
    pub(crate) kit: Arc<Kit<A>>,
    pub(crate) lift: Lift<A, T>,
    pub(crate) lower: Lower<A, T>,
}

impl<A: Game + 'static, T: Game> Above<A, T> {
    fn lift(&self, table: &T, state: &T::State, call: &Call) -> Result<A::State, CallError> {
        (self.lift)(&self.kit.game, table, state).map_err(|why| CallError::new(call, why))
    }
}

impl<A, T> Thinking<T> for Above<A, T>
where
    A: Game + Send + Sync + 'static,
    T: Game + Send + Sync + 'static,
{
    fn planners(&self) -> Vec<&'static PlannerInfo> {
        planners::of(&self.kit)
    }

    fn ends(&self, planner: &Call) -> Result<bool, CallError> {
        Ok(planners::planner(&self.kit, planner)?.1.ends())
    }

    fn measure(&self, planner: &Call) -> Measure {
        planners::planner(&self.kit, planner)
            .map_or(self.kit.measure, |(info, _)| planners::measure(&self.kit, info))
    }

    fn suits(&self) -> Option<&'static str> {
        self.kit.suits
    }

    fn think(
        &self,
        table: &T,
        state: &T::State,
        question: &Question<'_>,
        watch: &mut dyn FnMut(&Thought<T::Action>),
    ) -> Result<Thought<T::Action>, CallError> {
        let lifted = self.lift(table, state, question.planner)?;
        let lower = |action| (self.lower)(&self.kit.game, table, state, action);
        let root = root(&self.kit, &[], &lifted);
        think(&self.kit, &lifted, root, question, &lower, watch)
    }

    fn tree(
        &self,
        table: &T,
        state: &T::State,
        question: &Question<'_>,
        depth: u32,
    ) -> Result<Vec<Twig>, CallError> {
        let lifted = self.lift(table, state, question.planner)?;
        tree(&self.kit, &lifted, || root(&self.kit, &[], &lifted), question, depth)
    }

    fn trace(
        &self,
        table: &T,
        state: &T::State,
        question: &Question<'_>,
    ) -> Result<Trace, CallError> {
        let lifted = self.lift(table, state, question.planner)?;
        trace::trace(&self.kit, &lifted, || root(&self.kit, &[], &lifted), question)
    }
}
