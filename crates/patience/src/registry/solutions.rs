//! Searches for whole solutions by name: MCTS, nested search, NRPA and beams. The same names are
//! planners, which advise on a move, and solvers, which deal with a whole position.

use std::time::Duration;

use patience_model::Game;
use patience_plan::beam::BeamSettings;
use patience_plan::nested::{Advance, Choice, Level, Limit, NestedSettings, Solves, Untried};
use patience_plan::nrpa::NrpaSettings;
use patience_plan::{ParameterError, Planner};

use super::planners::{PlannerInfo, param};
use crate::call::{Arguments, Call, CallError, Param};
use crate::kit::Kit;
use crate::solutions::{Base, Limited, Whole};
use crate::solver::Solver;

const POLICY: Param = param("policy", "random", "how rollouts choose their moves, by name");
const STARTS: Param =
    param("starts", "1", "searches of the highest level, each from nothing; inf: no end");
const ROLLOUTS: Param =
    param("rollouts", "inf", "it stops after so many rollouts, if the budget is not spent before");

const MCTS: &[Param] = &[
    POLICY,
    param(
        "iterations",
        "1000",
        "of a start: rollouts, a time such as 250ms or 4s, or share: the solver's rollouts shared out among the starts",
    ),
    STARTS,
    param("c", "1", "the exploration factor C of UCB1-Tuned"),
    SCALE,
    ROLLOUTS,
];
const SCALE: Param = param(
    "scale",
    "1",
    "the range of results, by which C is multiplied and results divided where they should be within [0, 1]",
);
const NMCTS: &[Param] = &[
    POLICY,
    param(
        "iterations",
        "100/100",
        "of a search of each level from level 1 up, or its time such as 250ms or 4s, or for one level share: the solver's rollouts shared out; so many levels there are",
    ),
    param("c", "1/0", "the exploration factor C of UCB1-Tuned, of each level or of all"),
    SCALE,
    param(
        "advance",
        "global",
        "of each level or of all: global; or action by action, to the most sampled action (sampled) or along the best solution (solution)",
    ),
    param(
        "actions",
        "inf",
        "action by action: the first so many moves of the episode, of each level or of all",
    ),
    STARTS,
    ROLLOUTS,
];
const NMCS: &[Param] =
    &[POLICY, param("level", "3", "the level of nesting, 1 to 16"), STARTS, ROLLOUTS];
const NRPA: &[Param] = &[
    param("coding", "the game's first", "how moves are coded, by name"),
    param("level", "3", "the highest level, 1 to 8"),
    param("iterations", "100", "of a call of each level"),
    param("playouts", "1", "of level 1 before each adaptation; more is stabilised NRPA"),
    param("alpha", "1", "how far a policy is moved"),
    param("repetitions", "inf", "a call ends when its best sequence came again so often"),
    param("table_bits", "16", "the logarithm of the number of weights of a policy, 4 to 22"),
    STARTS,
    ROLLOUTS,
];
const BEAM: &[Param] = &[
    POLICY,
    param("samples", "1", "rollouts from a state, the best of which judges it"),
    param("width", "100", "states kept of a layer in the first run"),
    param("growth", "2", "the factor by which the width grows from run to run"),
    param("widest", "100000", "the width grows no further than this"),
    param("noise", "0", "judgements are raised by random numbers of up to this"),
    param("runs", "1", "how many runs there are; inf: no end"),
    param(
        "rollouts",
        "inf",
        "it stops after so many states were expanded, each with all its children judged",
    ),
];

const fn info(
    name: &'static str,
    summary: &'static str,
    guarantee: &'static str,
    paper: &'static str,
    parameters: &'static [Param],
) -> PlannerInfo {
    PlannerInfo {
        name,
        summary,
        guarantee,
        paper,
        needs: "deterministic",
        hidden: false,
        iteration: "rollout",
        games: &[],
        parameters,
    }
}

/// All of them.
pub(super) const PLANNERS: &[PlannerInfo] = &[
    info(
        "mcts",
        "Monte-Carlo tree search that keeps the best solution, from one start or several",
        "anytime; with c above 0 a single start finds an optimal solution in the limit",
        "Baier and Winands 2012, section 2.3",
        MCTS,
    ),
    info(
        "nmcts",
        "nested Monte-Carlo tree search: a search values its leaves by searches of the level below",
        "anytime; with c above 0 at the highest level, global search finds an optimal solution in the limit",
        "Baier and Winands 2012, section 4",
        NMCTS,
    ),
    info(
        "nmcs",
        "nested Monte-Carlo search: every action once, then the next action of the best solution",
        "anytime; no bound is known",
        "Cazenave 2009; Baier and Winands 2012, section 4",
        NMCS,
    ),
    PlannerInfo {
        needs: "codes",
        ..info(
            "nrpa",
            "nested rollout policy adaptation: playouts learn the codes of good moves",
            "anytime; bounded memory; no bound is known",
            "Rosin 2011; Cazenave 2020",
            NRPA,
        )
    },
    PlannerInfo {
        iteration: "state expanded",
        ..info(
            "beam",
            "layer by layer, the best so many states of each, judged by rollouts",
            "bounded memory; a beam as wide as the widest layer sees every state",
            "",
            BEAM,
        )
    },
];

/// The search that a string names, for this game; `None` if it is none of these.
fn search<G: Game + 'static>(
    kit: &Kit<G>,
    call: &Call,
) -> Result<Option<Box<dyn Solves<G>>>, CallError> {
    let Some(info) = PLANNERS.iter().find(|info| info.name == call.name()) else { return Ok(None) };
    let arguments = call.arguments(info.parameters)?;
    if kit.is_hidden() {
        let message = format!("{} cannot plan for a game with a hidden part", info.name);
        return Err(CallError::new(call, message));
    }
    if !kit.capabilities().contains(&info.needs) {
        let (name, needs) = (info.name, info.needs);
        let message = format!("{name} needs a game with the capability `{needs}`");
        return Err(CallError::new(call, message));
    }
    let made = match info.name {
        "mcts" => (base(kit, &arguments)?.nested)(mcts(&arguments)?),
        "nmcts" => (base(kit, &arguments)?.nested)(nmcts(&arguments)?),
        "nmcs" => (base(kit, &arguments)?.nested)(nmcs(&arguments)?),
        "nrpa" => {
            let names: Vec<&str> = kit.solutions.codings.iter().map(|c| c.name).collect();
            let name = arguments.word("coding", &names)?;
            let coded = kit.solutions.codings.iter().find(|coded| coded.name == name);
            (coded.expect("one of the names").nrpa)(nrpa(&arguments)?)
        }
        _ => {
            let samples = arguments.small("samples")?.unwrap_or(1);
            let least = |&n: &u32| (1..=1_000_000).contains(&n);
            ParameterError::check("samples", samples, least, "1 to a million")
                .map_err(|error| arguments.refuse(&error))?;
            (base(kit, &arguments)?.beam)(beam(&arguments)?, samples)
        }
    };
    made.map(Some).map_err(|error| arguments.refuse(&error))
}

/// The planner that a string names, for this game; `None` if it is none of these.
pub(super) fn planner<G: Game + 'static>(
    kit: &Kit<G>,
    call: &Call,
) -> Result<Option<Box<dyn Planner<G>>>, CallError> {
    let Some(planner) = search(kit, call)? else { return Ok(None) };
    Ok(Some(match rollouts(call)? {
        Some(rollouts) => Box::new(Limited { planner, rollouts }),
        None => planner,
    }))
}

/// The rollouts after which a search stops.
fn rollouts(call: &Call) -> Result<Option<u64>, CallError> {
    let info = PLANNERS.iter().find(|info| info.name == call.name());
    let arguments = call.arguments(info.map_or(&[], |info| info.parameters))?;
    let rollouts = arguments.whole_or_inf("rollouts")?.flatten();
    if rollouts == Some(0) {
        return Err(arguments.blame("rollouts", "rollouts is 0, expected a number above 0, or inf"));
    }
    Ok(rollouts)
}

/// The solver that a string names, for this game; `None` if it is none of these.
pub(super) fn solver<G: Game + 'static>(
    kit: &Kit<G>,
    call: &Call,
) -> Result<Option<Box<dyn Solver<G>>>, CallError> {
    let Some(planner) = search(kit, call)? else { return Ok(None) };
    let rollouts = rollouts(call)?;
    if rollouts.is_none() && !planner.ends() {
        let message =
            "it would not end by itself: give it `rollouts`, or a number of starts or runs";
        return Err(CallError::new(call, message));
    }
    Ok(Some(Box::new(Whole { planner, rollouts, goal: kit.solutions.goal })))
}

fn base<'k, G: Game>(kit: &'k Kit<G>, arguments: &Arguments<'_>) -> Result<&'k Base<G>, CallError> {
    let names: Vec<&str> = kit.solutions.bases.iter().map(|base| base.name).collect();
    let name = arguments.word("policy", &names)?;
    Ok(kit.solutions.bases.iter().find(|base| base.name == name).expect("one of the names"))
}

fn starts(arguments: &Arguments<'_>) -> Result<Option<u64>, CallError> {
    Ok(arguments.whole_or_inf("starts")?.unwrap_or(Some(1)))
}

fn mcts(arguments: &Arguments<'_>) -> Result<NestedSettings, CallError> {
    let limits = arguments.one("iterations", LIMIT, limit)?;
    let starts = starts(arguments)?;
    let limits = [limits.unwrap_or(Some(Limit::Iterations(1000)))];
    let level = Level {
        limit: shared_out(arguments, &limits, &[None], starts)?[0],
        c: arguments.number("c")?.unwrap_or(1.0),
        scale: arguments.number("scale")?.unwrap_or(1.0),
        advance: Advance::Global,
        untried: Untried::Random,
    };
    Ok(NestedSettings { levels: vec![level], starts })
}

/// The limits of all levels, the one that was left open being the share of the solver's rollouts
/// that it can have: each search of a level makes so many of the level below, for each of `actions`
/// if it goes action by action.
fn shared_out(
    arguments: &Arguments<'_>,
    limits: &[Option<Limit>],
    actions: &[Option<u32>],
    starts: Option<u64>,
) -> Result<Vec<Limit>, CallError> {
    let refuse = |message: &str| Err(arguments.blame("iterations", message));
    if limits.iter().all(Option::is_some) {
        return Ok(limits.iter().copied().flatten().collect());
    }
    if limits.iter().filter(|limit| limit.is_none()).count() > 1 {
        return refuse("share is for one level");
    }
    let rollouts = arguments.whole_or_inf("rollouts")?.flatten();
    let (Some(rollouts), Some(starts)) = (rollouts, starts) else {
        return refuse("share goes with a number of rollouts and of starts");
    };
    let mut searches = starts;
    for (limit, actions) in limits.iter().zip(actions) {
        searches = searches.saturating_mul(actions.map_or(1, u64::from));
        searches = match limit {
            Some(Limit::Iterations(n)) => searches.saturating_mul(*n),
            None => searches,
            Some(_) => return refuse("share goes with numbers of iterations, not with times"),
        };
    }
    let share = Limit::Iterations((rollouts / searches.max(1)).max(1));
    Ok(limits.iter().map(|limit| limit.unwrap_or(share)).collect())
}

fn nmcts(arguments: &Arguments<'_>) -> Result<NestedSettings, CallError> {
    let limits = arguments.each("iterations", LIMIT, limit)?;
    let limits = limits.unwrap_or_else(|| vec![Some(Limit::Iterations(100)); 2]);
    let levels = limits.len();
    let given = arguments.each("c", "a number for each level", number)?;
    // What is tried by default: level 1 explores and the levels above go by what they found.
    let mut c = vec![0.0; levels];
    c[0] = 1.0;
    let c = match given {
        Some(given) => spread(arguments, "c", given, levels)?,
        None => c,
    };
    let scale = arguments.number("scale")?.unwrap_or(1.0);
    let advances = arguments.each("advance", "global, sampled or solution", choice)?;
    let advances = spread(arguments, "advance", advances.unwrap_or(vec![None]), levels)?;
    let actions = arguments.each("actions", "whole numbers or inf", actions)?;
    let actions = spread(arguments, "actions", actions.unwrap_or(vec![None]), levels)?;
    let starts = starts(arguments)?;
    let by_action: Vec<Option<u32>> = (0..levels).map(|n| advances[n].and(actions[n])).collect();
    let limits = shared_out(arguments, &limits, &by_action, starts)?;
    let level = |n: usize| Level {
        limit: limits[n],
        c: c[n],
        scale,
        advance: match advances[n] {
            Some(choice) => Advance::ActionByAction { actions: actions[n], choice },
            None => Advance::Global,
        },
        untried: Untried::Random,
    };
    Ok(NestedSettings { levels: (0..levels).map(level).collect(), starts })
}

/// One value for each level: those that were given, or the one that was given for all.
fn spread<T: Clone>(
    arguments: &Arguments<'_>,
    key: &str,
    given: Vec<T>,
    levels: usize,
) -> Result<Vec<T>, CallError> {
    match given.len() {
        1 => Ok(vec![given[0].clone(); levels]),
        n if n == levels => Ok(given),
        n => {
            let message = format!("{key} is given for {n} levels, expected 1 or {levels} values");
            Err(arguments.blame(key, message))
        }
    }
}

const LIMIT: &str = "whole numbers, times such as 250ms or 4s, or share";

/// A limit; `Some(None)` is one that is left open.
fn limit(text: &str) -> Option<Option<Limit>> {
    if text == "share" {
        return Some(None);
    }
    let seconds = |number: &str, unit: f64| {
        let seconds = number.parse::<f64>().ok()? * unit;
        Some(Limit::Time(Duration::try_from_secs_f64(seconds).ok()?))
    };
    if let Some(number) = text.strip_suffix("ms") {
        return seconds(number, 1e-3).map(Some);
    }
    match text.strip_suffix('s') {
        Some(number) => seconds(number, 1.0).map(Some),
        None => crate::call::whole(text).map(|n| Some(Limit::Iterations(n))),
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|x: &f64| !x.is_nan())
}

fn choice(text: &str) -> Option<Option<Choice>> {
    match text {
        "global" => Some(None),
        "sampled" => Some(Some(Choice::MostSampled)),
        "solution" => Some(Some(Choice::BestSolution)),
        _ => None,
    }
}

fn actions(text: &str) -> Option<Option<u32>> {
    match text {
        "inf" => Some(None),
        _ => u32::try_from(crate::call::whole(text)?).ok().map(Some),
    }
}

fn nmcs(arguments: &Arguments<'_>) -> Result<NestedSettings, CallError> {
    let level = arguments.small("level")?.unwrap_or(3);
    ParameterError::check("level", level, |n| (1..=16).contains(n), "1 to 16")
        .map_err(|error| arguments.refuse(&error))?;
    let levels = vec![Level::nmcs(); level as usize];
    Ok(NestedSettings { levels, starts: starts(arguments)? })
}

fn nrpa(arguments: &Arguments<'_>) -> Result<NrpaSettings, CallError> {
    let default = NrpaSettings::default();
    let table_bits = arguments.small("table_bits")?.unwrap_or(default.table_bits);
    // Every level has a table: more would fill the memory.
    ParameterError::check("table_bits", table_bits, |n| (4..=22).contains(n), "4 to 22")
        .map_err(|error| arguments.refuse(&error))?;
    Ok(NrpaSettings {
        level: arguments.small("level")?.unwrap_or(default.level),
        iterations: arguments.small("iterations")?.unwrap_or(default.iterations),
        playouts: arguments.small("playouts")?.unwrap_or(default.playouts),
        alpha: arguments.number("alpha")?.map_or(default.alpha, |alpha| alpha as f32),
        repetitions: arguments.small_or_inf("repetitions")?.unwrap_or(default.repetitions),
        table_bits,
        starts: starts(arguments)?,
        ..default
    })
}

fn beam(arguments: &Arguments<'_>) -> Result<BeamSettings, CallError> {
    let default = BeamSettings::default();
    let size =
        |key, value: usize| Ok::<_, CallError>(arguments.small(key)?.map_or(value, |n| n as usize));
    let width = size("width", default.width)?;
    Ok(BeamSettings {
        width,
        growth: arguments.number("growth")?.unwrap_or(default.growth),
        widest: size("widest", default.widest.max(width))?,
        noise: arguments.number("noise")?.unwrap_or(default.noise),
        runs: arguments.whole_or_inf("runs")?.unwrap_or(Some(1)),
    })
}
