//! The planners by name: what each is, what it guarantees, and how its string is understood.

use std::sync::Arc;

use patience_model::Game;
use patience_plan::uct::{Backup, Recommend, Settings};
use patience_plan::{
    AlphaBetaParameters, ArtdpParameters, DefaultPolicy, Despot, DespotParameters, Exploration,
    PgIdParameters, Pimc, Planner, Random, Repeat, Shared, SparseSampling, Zero,
};

use crate::advice::Measure;
use crate::call::{Arguments, Call, CallError};
use crate::info::PlannerInfo;
use crate::kit::{Kit, Made};
use crate::params::{Auto, Params, Value};
use crate::uct;
use crate::whole::{self, WHOLE};
use crate::{params, words};

words! {
    /// What a node backs up.
    pub enum BackupRule { Mean = "mean", Max = "max", Cautious = "cautious" }
}
words! {
    /// By what the action is recommended.
    pub enum RecommendBy { Value = "value", Visits = "visits" }
}
words! {
    /// How PG-ID draws actions.
    enum Draw { Interval = "interval", Boltzmann = "boltzmann" }
}

impl From<RecommendBy> for Recommend {
    fn from(by: RecommendBy) -> Self {
        match by {
            RecommendBy::Value => Recommend::Value,
            RecommendBy::Visits => Recommend::Visits,
        }
    }
}

impl BackupRule {
    /// The backup, for values in a range of this width.
    pub fn within(self, range: f64) -> Backup {
        match self {
            BackupRule::Mean => Backup::Mean,
            BackupRule::Max => Backup::Max,
            BackupRule::Cautious => Backup::Cautious { range },
        }
    }
}

params! {
    struct MonteCarloParams {
        /// Episodes; inf: as many as the budget allows
        #[alias("trajectories")]
        iterations: Option<u64> = "inf", min 1;
        /// Moves after which a rollout is cut
        limit: u32 = "100000", min 1;
        /// Recommend the action by value or by visits
        recommend: RecommendBy = "value";
    }
}
params! {
    struct AlphaBetaParams {
        /// Moves to look ahead
        depth: Option<u32> = "inf";
        /// The smallest sum of rewards possible; with high, ends a search at a sure win
        low: Auto<f64> = "auto";
        /// The largest sum of rewards possible
        high: Auto<f64> = "auto";
        /// Try moves in random order; false: in the game's
        shuffle: bool = "true";
        /// Evaluation function at the leaves, by name; auto: the game's first; zero: none
        eval: String = "auto";
    }
}
params! {
    struct SparseSamplingParams {
        /// Moves to look ahead
        depth: u32 = "3", min 1;
        /// Samples per action
        width: u32 = "5", min 1;
        /// Evaluation function at the leaves, by name; auto: the game's first; zero: none
        eval: String = "auto";
    }
}
params! {
    struct DespotParams {
        /// Scenarios that stand for the belief and for chance
        scenarios: u32 = "500", min 1;
        /// What every node of a policy costs, in units of reward, lest it fits the scenarios and nothing else
        lambda: f64 = "0.01", min 0;
        /// Moves to look ahead; nothing is counted after them
        depth: u32 = "90", min 1;
        /// A trial leaves alone what is uncertain by less than this part of the root's gap
        target: f64 = "0.95", min 0;
        /// How it goes on where the tree ends: a policy of the game by name, or repeat, the best action again and again; auto: the game's first if it has one
        default: String = "auto";
    }
}
params! {
    struct PimcParams {
        /// States drawn per decision; inf: as many as the budget allows
        samples: Option<u64> = "inf", min 1;
        /// Episodes of UCT in each
        iterations: u64 = "100", min 1;
        /// Factor of the bonus c*sqrt(ln t / s), in units of reward
        c: f64 = "1.4", min 0;
        /// Moves after which a rollout is cut
        limit: u32 = "100000", min 1;
    }
}
params! {
    struct ValueIterationParams {
        /// Done when no value changes by more than this in a sweep
        epsilon: f64 = "1e-9";
    }
}
params! {
    struct LrtdpParams {
        /// A state is solved when nothing below it changes by more than this
        epsilon: f64 = "1e-6";
        /// Evaluation function for the initial values, by name; zero: none, admissible where all rewards are costs; auto: the game's first
        eval: String = "zero";
    }
}
params! {
    struct ArtdpParams {
        /// Of Boltzmann exploration, in units of reward
        temperature: f64 = "1";
        /// Moves after which a trial starts anew
        #[alias("length")]
        trial_length: Option<u32> = "inf";
        /// Evaluation function at the leaves, by name; auto: the game's first; zero: none
        eval: String = "auto";
    }
}
params! {
    struct PgIdParams {
        /// How actions are drawn
        exploration: Draw = "interval";
        /// For exploration=boltzmann, in units of reward
        temperature: f64 = "1";
        /// The horizon grows when the sampling error at the root is below this
        error: f64 = "1";
        /// Half the width of a confidence interval before the first sample, in units of reward
        width: f64 = "6";
        /// The horizon at the start
        horizon: u32 = "1";
        /// The horizon beyond which it does not grow
        max_horizon: u32 = "1000";
        /// Evaluation function at the leaves, by name; auto: the game's first; zero: none
        eval: String = "auto";
    }
}

words! {
    /// The planners for all games, by name.
    enum Named {
        Uct = "uct",
        Mc = "mc",
        Mmmc = "mmmc",
        AlphaBeta = "alpha-beta",
        SparseSampling = "sparse-sampling",
        Despot = "despot",
        Pimc = "pimc",
        ValueIteration = "value-iteration",
        PolicyIteration = "policy-iteration",
        Lrtdp = "lrtdp",
        Artdp = "artdp",
        PgId = "pg-id",
        Random = "random",
    }
}

/// The planners for all games.
const PLANNERS: &[PlannerInfo] = &[
    PlannerInfo {
        name: "uct",
        summary: "bandits applied to trees: UCT and its relatives by parameters; POMCP and single-observer ISMCTS where something is hidden",
        guarantee: "anytime; converges to the optimum with width=inf where every action is tried without end: under any such rule with max or bellman backup, with mean or power backup if the best have nearly all tries in the end, so not with uniform, boltzmann or dents",
        version: 2,
        paper: "Kocsis and Szepesvari 2006, section 2.3; Bjarnason, Fern, Tadepalli 2009, Algorithm 1",
        hidden: true,
        iteration: "episode",
        parameters: uct::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "mc",
        summary: "flat Monte-Carlo: every action alike, then play at random",
        guarantee: "anytime; finds the best action against random continuation, not the optimum",
        paper: "Kocsis and Szepesvari 2006, section 2.1",
        hidden: true,
        iteration: "episode",
        parameters: MonteCarloParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "mmmc",
        summary: "Monte-Carlo with minimax value update: uniform episodes, all kept, max backup",
        guarantee: "anytime; converges to the optimum, slowly",
        paper: "Kocsis and Szepesvari 2006, section 3.1",
        hidden: true,
        iteration: "episode",
        parameters: MonteCarloParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "alpha-beta",
        summary: "alpha-beta that counts leaves; a random move until it is done",
        guarantee: "exact once complete; not anytime; deterministic games only",
        paper: "Kocsis and Szepesvari 2006, section 3.1",
        needs: "undo",
        iteration: "leaf",
        parameters: AlphaBetaParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "sparse-sampling",
        summary: "a whole look-ahead tree of fixed depth and width",
        guarantee: "near-optimal for depth and width large enough, whatever the number of states",
        paper: "Kearns, Mansour and Ng 2002",
        iteration: "model call",
        parameters: SparseSamplingParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "despot",
        summary: "regularised DESPOT: a belief tree on sampled scenarios, searched between bounds",
        guarantee: "anytime; once complete the best policy for its scenarios less lambda per node, if the upper bound is one; for one player",
        paper: "Ye, Somani, Hsu and Lee 2017",
        version: 2,
        needs: "upper",
        hidden: true,
        iteration: "64 plays of a scenario",
        parameters: DespotParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "pimc",
        summary: "perfect-information Monte-Carlo: UCT in drawn states as if they were seen, for comparison",
        guarantee: "anytime; not the optimum where information has value",
        paper: "Ginsberg 2001; Long, Sturtevant, Buro and Furtak 2010",
        needs: "hidden",
        hidden: true,
        iteration: "episode in a drawn state",
        parameters: PimcParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "value-iteration",
        summary: "sweeps over all states that can be reached",
        guarantee: "within epsilon times the length of the game once complete, if the game ends under every policy or discounts",
        paper: "the optimal values of Kocsis and Szepesvari 2006, section 3.2",
        needs: "outcomes",
        iteration: "sweep, or 256 states listed",
        parameters: ValueIterationParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "policy-iteration",
        summary: "values a policy over all states that can be reached, improves it, and so on",
        guarantee: "no action of the policy can be improved by more than the error of its values, if the game ends or discounts",
        paper: "Howard 1960; against an opponent Hoffman and Karp 1966",
        needs: "outcomes",
        iteration: "sweep, or 256 states listed",
        parameters: ValueIterationParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "lrtdp",
        summary: "labelled real-time dynamic programming: trials of good play, states labelled once solved",
        guarantee: "optimal up to epsilon times the length of the game once complete, for one player, if initial values are not too small",
        paper: "Bonet and Geffner 2003",
        needs: "outcomes",
        iteration: "trial",
        parameters: LrtdpParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "artdp",
        summary: "adaptive real-time dynamic programming with Boltzmann exploration",
        guarantee: "anytime; converges where every policy ends",
        paper: "Barto, Bradtke and Singh 1995",
        needs: "key",
        iteration: "model call",
        parameters: ArtdpParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "pg-id",
        summary: "sampled trajectories with iterative deepening, controlled by the sampling error",
        guarantee: "anytime; no bound is known",
        paper: "Peret and Garcia 2004",
        needs: "key",
        iteration: "trajectory",
        parameters: PgIdParams::PARAMS,
        ..PlannerInfo::NEW
    },
    PlannerInfo {
        name: "random",
        summary: "any legal action, each alike",
        hidden: true,
        ..PlannerInfo::NEW
    },
];

/// The planners and solvers for all games.
pub(crate) fn general() -> impl Iterator<Item = &'static PlannerInfo> {
    PLANNERS.iter().chain(WHOLE)
}

/// The planners and solvers that fit a game, its own first.
pub(crate) fn of<G: Game + 'static>(kit: &Kit<G>) -> Vec<&'static PlannerInfo> {
    let own = kit.searches.iter().map(|(info, _)| *info);
    let fits = |info: &&PlannerInfo| unfit(kit, info, info.solves && !info.advises).is_none();
    own.chain(general().filter(fits)).collect()
}

/// The solvers that fit a game, its own first.
pub(crate) fn solvers_of<G: Game + 'static>(kit: &Kit<G>) -> Vec<&'static PlannerInfo> {
    let own = kit.searches.iter().map(|(info, _)| *info);
    let general = general().filter(|info| unfit(kit, info, true).is_none());
    own.chain(general).filter(|info| info.solves).collect()
}

/// What the values of a planner are.
pub(crate) fn measure<G: Game>(kit: &Kit<G>, info: &PlannerInfo) -> Measure {
    info.measure.unwrap_or(kit.measure)
}

/// Why a planner for all games cannot play this one, if it cannot; a solver sees what is hidden.
fn unfit<G: Game + 'static>(kit: &Kit<G>, info: &PlannerInfo, sees_all: bool) -> Option<String> {
    if kit.is_hidden() && !info.hidden && !sees_all {
        return Some(format!("{} cannot plan for a game with a hidden part", info.name));
    }
    let lacks = !info.needs.is_empty() && !kit.capabilities().contains(&info.needs);
    lacks.then(|| format!("{} needs a game with the capability `{}`", info.name, info.needs))
}

/// A planner with what there is to know of it.
type Found<G> = (&'static PlannerInfo, Box<dyn Planner<G>>);

/// Makes the planner that a string names, for this game.
pub(crate) fn planner<G: Game + 'static>(kit: &Kit<G>, call: &Call) -> Result<Found<G>, CallError> {
    find(kit, call, "planner", false)
}

/// Makes the solver that a string names, for this game.
pub(crate) fn solver<G: Game + 'static>(kit: &Kit<G>, call: &Call) -> Result<Found<G>, CallError> {
    find(kit, call, "solver", true)
}

/// What planners are called elsewhere, and what that is here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("pomcp", "uct, which plans on observations where something is hidden"),
    ("po-uct", "uct, which plans on observations where something is hidden"),
    (
        "ismcts",
        "uct, which plans on observations where something is hidden (single-observer ISMCTS)",
    ),
    ("so-ismcts", "uct, which plans on observations where something is hidden"),
    ("pft-dpw", "uct(widen_outcomes=1, widen_power=0.3), where something is hidden"),
    (
        "pomcpow",
        "uct(widen_outcomes=1, widen_power=0.3) where something is hidden, its beliefs exact",
    ),
    ("alphazero", "uct(selection=puct) with an evaluator"),
    ("puct", "uct(selection=puct)"),
    ("gumbel", "uct(root=gumbel, selection=improved)"),
    ("ucb1", "uct(selection=ucb1)"),
    ("thompson", "uct(selection=thompson)"),
    ("bts", "uct(selection=boltzmann, backup=max)"),
    ("dents", "uct(selection=dents, backup=max)"),
    ("ments", "uct(selection=boltzmann, backup=softmax)"),
    ("rave", "uct(sharing=rave)"),
    ("grave", "uct(sharing=grave, c=0)"),
    ("mcts-solver", "uct(prove=true, low=-1, high=1)"),
    ("sparse-uct", "uct(width=5)"),
    ("hop-uct", "uct(width=1, trees=20, iterations=1000)"),
    ("halving", "uct(root=halving)"),
    ("vi", "value-iteration"),
    ("rtdp", "lrtdp"),
    ("minimax", "alpha-beta"),
];

fn find<G: Game + 'static>(
    kit: &Kit<G>,
    call: &Call,
    what: &str,
    solves: bool,
) -> Result<Found<G>, CallError> {
    let name = call.name();
    let wanted = |info: &PlannerInfo| if solves { info.solves } else { info.advises };
    if let Some((info, make)) = kit.searches.iter().find(|(info, _)| info.name == name)
        && wanted(info)
    {
        return Ok((info, make(&kit.game, &call.arguments(info.parameters)?)?));
    }
    let Some(info) = general().find(|info| info.name == name).filter(|info| wanted(info)) else {
        let own = kit.searches.iter().map(|(info, _)| *info);
        if own.chain(general()).any(|info| info.name == name) {
            let other = if solves { "a planner, not a solver" } else { "a solver, not a planner" };
            return Err(CallError::new(call, format!("{name} is {other}")));
        }
        let fit = if solves { solvers_of(kit) } else { of(kit) };
        let known: Vec<&str> =
            fit.into_iter().filter(|info| wanted(info)).map(|info| info.name).collect();
        let elsewhere = ELSEWHERE.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        if let Some((_, here)) = elsewhere.filter(|_| !solves) {
            return Err(call.unknown_but(what, here));
        }
        return Err(call.unknown(what, &known));
    };
    let arguments = call.arguments(info.parameters)?;
    if let Some(why) = unfit(kit, info, solves) {
        return Err(CallError::new(call, why));
    }
    let made = match Named::read(name) {
        Some(named) => make(kit, named, &arguments)?,
        None => whole::make(kit, name, &arguments)?,
    };
    Ok((info, made.map_err(|error| arguments.refuse(&error))?))
}

/// Makes one of the planners for all games.
fn make<G: Game + 'static>(
    kit: &Kit<G>,
    named: Named,
    arguments: &Arguments<'_>,
) -> Result<Made<G>, CallError> {
    // What a planner needs was asked for before.
    let lacks = || CallError::new(arguments.call(), "the game lacks what this planner needs");
    Ok(match named {
        Named::Uct => uct::make(kit, arguments)?,
        Named::Mc => monte_carlo(Settings::monte_carlo(), arguments)?,
        Named::Mmmc => monte_carlo(Settings::minimax_monte_carlo(), arguments)?,
        Named::AlphaBeta => {
            let make = kit.alpha_beta.ok_or_else(lacks)?;
            make(alpha_beta(arguments)?, evaluation(kit, arguments)?)
        }
        Named::SparseSampling => {
            let SparseSamplingParams { depth, width, .. } = Params::read(arguments)?;
            SparseSampling::new(depth, width, evaluation(kit, arguments)?)
                .map(|planner| Box::new(planner) as Box<dyn Planner<G>>)
        }
        Named::Despot => despot(kit, arguments)?,
        Named::Pimc => {
            let PimcParams { samples, iterations, c, limit } = Params::read(arguments)?;
            Pimc::new(samples, iterations, c, uct::rollout(limit))
                .map(|planner| Box::new(planner) as Box<dyn Planner<G>>)
        }
        Named::ValueIteration => {
            let make = kit.with_outcomes.as_ref().ok_or_else(lacks)?.value_iteration;
            make(ValueIterationParams::read(arguments)?.epsilon)
        }
        Named::PolicyIteration => {
            let make = kit.with_outcomes.as_ref().ok_or_else(lacks)?.policy_iteration;
            make(ValueIterationParams::read(arguments)?.epsilon)
        }
        Named::Lrtdp => {
            let make = kit.with_outcomes.as_ref().ok_or_else(lacks)?.lrtdp;
            make(LrtdpParams::read(arguments)?.epsilon, evaluation(kit, arguments)?)
        }
        Named::Artdp => {
            let make = kit.with_key.as_ref().ok_or_else(lacks)?.artdp;
            let ArtdpParams { temperature, trial_length, .. } = Params::read(arguments)?;
            make(ArtdpParameters { temperature, trial_length }, evaluation(kit, arguments)?)
        }
        Named::PgId => {
            let make = kit.with_key.as_ref().ok_or_else(lacks)?.pg_id;
            make(pg_id(arguments)?, evaluation(kit, arguments)?)
        }
        Named::Random => Ok(Box::new(Random)),
    })
}

fn monte_carlo<G: Game + 'static>(
    settings: Settings,
    arguments: &Arguments<'_>,
) -> Result<Made<G>, CallError> {
    let p = MonteCarloParams::read(arguments)?;
    let (iterations, recommend) = (p.iterations, p.recommend.into());
    let settings = Settings { iterations, recommend, ..settings };
    Ok(uct::plain(settings, uct::rollout(p.limit), false))
}

fn despot<G: Game + 'static>(
    kit: &Kit<G>,
    arguments: &Arguments<'_>,
) -> Result<Made<G>, CallError> {
    let DespotParams { scenarios, lambda, depth, target, .. } = Params::read(arguments)?;
    let parameters = DespotParameters { scenarios, lambda, depth, target };
    let mut names: Vec<&str> = kit.defaults.iter().map(|(name, _)| *name).collect();
    names.push("repeat");
    let name = arguments.choose("default", &names)?;
    let found = kit.defaults.iter().find(|(other, _)| *other == name);
    let default: Arc<dyn DefaultPolicy<G>> =
        found.map_or_else(|| Arc::new(Repeat) as _, |(_, policy)| Arc::clone(policy));
    let made = Despot::new(parameters, named(kit, "upper"));
    Ok(made.map(|planner| Box::new(planner.going_on(default)) as Box<dyn Planner<G>>))
}

fn alpha_beta(arguments: &Arguments<'_>) -> Result<AlphaBetaParameters, CallError> {
    let p = AlphaBetaParams::read(arguments)?;
    let bounds = match (p.low.0, p.high.0) {
        (Some(low), Some(high)) if low > high => {
            let message = format!("(low, high) is ({low}, {high}), expected low at most high");
            return Err(arguments.blame("low", message));
        }
        (Some(low), Some(high)) => Some((low, high)),
        (None, None) => None,
        (Some(_), None) => return Err(arguments.blame("low", "low goes with high")),
        (None, Some(_)) => return Err(arguments.blame("high", "high goes with low")),
    };
    Ok(AlphaBetaParameters { depth: p.depth, bounds, shuffle: p.shuffle })
}

fn pg_id(arguments: &Arguments<'_>) -> Result<PgIdParameters, CallError> {
    let p = PgIdParams::read(arguments)?;
    Ok(PgIdParameters {
        exploration: match p.exploration {
            Draw::Boltzmann => Exploration::Boltzmann { temperature: p.temperature },
            Draw::Interval => Exploration::IntervalEstimation,
        },
        error: p.error,
        width: p.width,
        horizon: p.horizon,
        max_horizon: p.max_horizon,
    })
}

/// The evaluation function that is named, the game's first, or none at all.
fn evaluation<G: Game + 'static>(
    kit: &Kit<G>,
    arguments: &Arguments<'_>,
) -> Result<Shared<G>, CallError> {
    let mut names: Vec<&str> = kit.evaluations.iter().map(|(name, _)| *name).collect();
    names.push("zero");
    Ok(named(kit, arguments.choose("eval", &names)?))
}

pub(crate) fn named<G: Game + 'static>(kit: &Kit<G>, name: &str) -> Shared<G> {
    let found = kit.evaluations.iter().find(|(other, _)| *other == name);
    found.map_or_else(|| Shared(Arc::new(Zero)), |(_, shared)| shared.clone())
}
