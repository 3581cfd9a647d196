//! Searches for whole solutions by name: MCTS, nested search, NRPA and beams. The same names are
//! planners, which advise on a move, and solvers, which deal with a whole position.

use patience_model::Game;
use patience_plan::beam::BeamSettings;
use patience_plan::nested::{Advance, Choice, Level, Limit, NestedSettings, Untried};
use patience_plan::nrpa::NrpaSettings;

use crate::call::{Arguments, CallError};
use crate::info::PlannerInfo;
use crate::kit::{Kit, Made};
use crate::params::{Params, PerLevel, Value, time};
use crate::policies::{Base, Limited};
use crate::{params, words};

/// How long a search of a level goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Span {
    /// So many iterations, or so long.
    Limit(Limit),
    /// As many iterations as its share of the solver's rollouts allows.
    Share,
}

impl Value for Span {
    const KIND: &'static str = "whole numbers, times such as 250ms or 4s, or share";

    fn read(text: &str) -> Option<Self> {
        Some(match text {
            "share" => Span::Share,
            _ => Span::Limit(match time(text) {
                Some(time) => Limit::Time(time),
                None => Limit::Iterations(u64::read(text)?),
            }),
        })
    }
}

words! {
    /// How a level goes on.
    enum Going { Global = "global", Sampled = "sampled", Solution = "solution" }
}

params! {
    struct MctsParams {
        /// How rollouts choose their moves, by name
        policy: String = "random";
        /// Of a start: rollouts, a time such as 250ms or 4s, or share: the solver's rollouts shared
        /// out among the starts
        iterations: Span = "1000";
        /// Searches of the highest level, each from nothing; inf: no end
        starts: Option<u64> = "1", min 1;
        /// The exploration factor C of UCB1-Tuned
        c: f64 = "1", min 0;
        /// The range of results, by which C is multiplied and results divided where they should be
        /// within [0, 1]
        scale: f64 = "1";
        /// It stops after so many rollouts, if the budget is not spent before
        rollouts: Option<u64> = "inf", min 1;
    }
}
params! {
    struct NmctsParams {
        /// How rollouts choose their moves, by name
        policy: String = "random";
        /// Of a search of each level from level 1 up, or its time such as 250ms or 4s, or for one level
        /// share: the solver's rollouts shared out; so many levels there are
        iterations: PerLevel<Span> = "100/100";
        /// The exploration factor C of UCB1-Tuned, of each level or of all; auto: 1 for level 1 and 0
        /// above
        c: String = "auto";
        /// The range of results, by which C is multiplied and results divided where they should be
        /// within [0, 1]
        scale: f64 = "1";
        /// Of each level or of all: global; or action by action, to the most sampled action (sampled)
        /// or along the best solution (solution)
        advance: PerLevel<Going> = "global";
        /// Action by action: the first so many moves of the episode, of each level or of all
        actions: PerLevel<Option<u32>> = "inf";
        /// Searches of the highest level, each from nothing; inf: no end
        starts: Option<u64> = "1", min 1;
        /// It stops after so many rollouts, if the budget is not spent before
        rollouts: Option<u64> = "inf", min 1;
    }
}
params! {
    struct NmcsParams {
        /// How rollouts choose their moves, by name
        policy: String = "random";
        /// The level of nesting
        level: u32 = "3", min 1, max 16;
        /// Searches of the highest level, each from nothing; inf: no end
        starts: Option<u64> = "1", min 1;
        /// It stops after so many rollouts, if the budget is not spent before
        rollouts: Option<u64> = "inf", min 1;
    }
}
params! {
    struct NrpaParams {
        /// How moves are coded, by name; auto: the game's first
        coding: String = "auto";
        /// The highest level
        level: u32 = "3", min 1, max 8;
        /// Of a call of each level
        iterations: u32 = "100";
        /// Of level 1 before each adaptation; more is stabilised NRPA
        playouts: u32 = "1";
        /// How far a policy is moved
        alpha: f64 = "1";
        /// A call ends when its best sequence came again so often
        repetitions: Option<u32> = "inf";
        /// The logarithm of the number of weights of a policy
        table_bits: u32 = "16", min 4, max 22;
        /// Searches of the highest level, each from nothing; inf: no end
        starts: Option<u64> = "1", min 1;
        /// It stops after so many rollouts, if the budget is not spent before
        rollouts: Option<u64> = "inf", min 1;
    }
}
params! {
    struct BeamParams {
        /// How rollouts choose their moves, by name
        policy: String = "random";
        /// Rollouts from a state, the best of which judges it
        samples: u32 = "1", min 1, max 1000000;
        /// States kept of a layer in the first run
        width: usize = "100", min 1;
        /// The factor by which the width grows from run to run
        growth: f64 = "2";
        /// The width grows no further than this, or than the first width if that is greater
        widest: usize = "100000", min 1;
        /// Judgements are raised by random numbers of up to this
        noise: f64 = "0";
        /// How many runs there are; inf: no end
        runs: Option<u64> = "1", min 1;
        /// It stops after so many states were expanded, each with all its children judged
        rollouts: Option<u64> = "inf", min 1;
    }
}

params! {
    struct DepthFirstParams {
        /// Nodes to search at most
        nodes: Option<u64> = "inf", min 1;
    }
}

words! {
    /// The searches for whole solutions, by name.
    enum Named {
        Mcts = "mcts",
        Nmcts = "nmcts",
        Nmcs = "nmcs",
        Nrpa = "nrpa",
        Beam = "beam",
        DepthFirst = "depth-first",
    }
}

const SOLUTIONS: PlannerInfo =
    PlannerInfo { needs: "deterministic", iteration: "rollout", solves: true, ..PlannerInfo::NEW };

/// All of them.
pub(crate) const WHOLE: &[PlannerInfo] = &[
    PlannerInfo {
        name: "mcts",
        summary: "Monte-Carlo tree search that keeps the best solution, from one start or several",
        guarantee: "anytime; with c above 0 a single start finds an optimal solution in the limit",
        paper: "Baier and Winands 2012, section 2.3",
        parameters: MctsParams::PARAMS,
        ..SOLUTIONS
    },
    PlannerInfo {
        name: "nmcts",
        summary: "nested Monte-Carlo tree search: a search values its leaves by searches of the level below",
        guarantee: "anytime; with c above 0 at the highest level, global search finds an optimal solution in the limit",
        paper: "Baier and Winands 2012, section 4",
        parameters: NmctsParams::PARAMS,
        ..SOLUTIONS
    },
    PlannerInfo {
        name: "nmcs",
        summary: "nested Monte-Carlo search: every action once, then the next action of the best solution",
        guarantee: "anytime; no bound is known",
        paper: "Cazenave 2009; Baier and Winands 2012, section 4",
        parameters: NmcsParams::PARAMS,
        ..SOLUTIONS
    },
    PlannerInfo {
        name: "nrpa",
        summary: "nested rollout policy adaptation: playouts learn the codes of good moves",
        guarantee: "anytime; bounded memory; no bound is known",
        paper: "Rosin 2011; Cazenave 2020",
        needs: "codes",
        parameters: NrpaParams::PARAMS,
        ..SOLUTIONS
    },
    PlannerInfo {
        name: "beam",
        summary: "layer by layer, the best so many states of each, judged by rollouts",
        guarantee: "bounded memory; a beam as wide as the widest layer sees every state",
        iteration: "state expanded",
        parameters: BeamParams::PARAMS,
        ..SOLUTIONS
    },
    PlannerInfo {
        name: "depth-first",
        version: 2,
        summary: "all that can be reached, deep first, with a table of what was seen: any solution",
        guarantee: "complete; unsolvable is proven by exhaustion; lengths are not the least",
        needs: "goal",
        iteration: "node",
        advises: false,
        proves: true,
        parameters: DepthFirstParams::PARAMS,
        ..SOLUTIONS
    },
];

/// Makes the search of this name.
pub(crate) fn make<G: Game + 'static>(
    kit: &Kit<G>,
    name: &str,
    arguments: &Arguments<'_>,
) -> Result<Made<G>, CallError> {
    let Some(named) = Named::read(name) else {
        return Err(CallError::new(arguments.call(), format!("there is no planner {name}")));
    };
    let (made, rollouts) = match named {
        Named::Mcts => {
            let p = MctsParams::read(arguments)?;
            ((base(kit, arguments)?.nested)(mcts(&p, arguments)?), p.rollouts)
        }
        Named::Nmcts => {
            let p = NmctsParams::read(arguments)?;
            ((base(kit, arguments)?.nested)(nmcts(&p, arguments)?), p.rollouts)
        }
        Named::Nmcs => {
            let p = NmcsParams::read(arguments)?;
            let levels = vec![Level::nmcs(); p.level as usize];
            let settings = NestedSettings { levels, starts: p.starts };
            ((base(kit, arguments)?.nested)(settings), p.rollouts)
        }
        Named::Nrpa => {
            let p = NrpaParams::read(arguments)?;
            let names: Vec<&str> = kit.policies.codings.iter().map(|c| c.name).collect();
            let name = arguments.choose("coding", &names)?;
            let coded = kit.policies.codings.iter().find(|coded| coded.name == name);
            ((coded.expect("one of the names").nrpa)(nrpa(&p)), p.rollouts)
        }
        Named::Beam => {
            let p = BeamParams::read(arguments)?;
            ((base(kit, arguments)?.beam)(beam(&p), p.samples), p.rollouts)
        }
        Named::DepthFirst => {
            let (Some(make), Some((_, goal))) = (kit.depth_first, kit.goal) else {
                let message = "depth-first needs a game with the capability `goal`";
                return Err(CallError::new(arguments.call(), message));
            };
            (Ok(make(goal, kit.dead_end)), DepthFirstParams::read(arguments)?.nodes)
        }
    };
    Ok(match (made, rollouts) {
        (Ok(planner), Some(iterations)) => Ok(Box::new(Limited { planner, iterations })),
        (made, _) => made,
    })
}

fn base<'k, G: Game>(kit: &'k Kit<G>, arguments: &Arguments<'_>) -> Result<&'k Base<G>, CallError> {
    let names: Vec<&str> = kit.policies.bases.iter().map(|base| base.name).collect();
    let name = arguments.choose("policy", &names)?;
    Ok(kit.policies.bases.iter().find(|base| base.name == name).expect("one of the names"))
}

fn mcts(p: &MctsParams, arguments: &Arguments<'_>) -> Result<NestedSettings, CallError> {
    let limits = shared_out(arguments, &[p.iterations], &[None], p.rollouts, p.starts)?;
    let level = Level {
        limit: limits[0],
        c: p.c,
        scale: p.scale,
        advance: Advance::Global,
        untried: Untried::Random,
    };
    Ok(NestedSettings { levels: vec![level], starts: p.starts })
}

/// The limits of all levels, the one that was left open being the share of the solver's rollouts
/// that it can have: each search of a level makes so many of the level below, for each of `actions`
/// if it goes action by action.
fn shared_out(
    arguments: &Arguments<'_>,
    spans: &[Span],
    actions: &[Option<u32>],
    rollouts: Option<u64>,
    starts: Option<u64>,
) -> Result<Vec<Limit>, CallError> {
    let refuse = |message: &str| Err(arguments.blame("iterations", message));
    let open = spans.iter().filter(|span| **span == Span::Share).count();
    if open > 1 {
        return refuse("share is for one level");
    }
    let (Some(rollouts), Some(starts)) =
        (rollouts.or((open == 0).then_some(0)), starts.or((open == 0).then_some(1)))
    else {
        return refuse("share goes with a number of rollouts and of starts");
    };
    let mut searches = starts;
    for (span, actions) in spans.iter().zip(actions) {
        searches = searches.saturating_mul(actions.map_or(1, u64::from));
        match span {
            Span::Limit(Limit::Iterations(n)) => searches = searches.saturating_mul(*n),
            Span::Limit(_) if open > 0 => {
                return refuse("share goes with numbers of iterations, not with times");
            }
            Span::Limit(_) | Span::Share => {}
        }
    }
    let share = Limit::Iterations((rollouts / searches.max(1)).max(1));
    let limit = |span: &Span| match span {
        Span::Limit(limit) => *limit,
        Span::Share => share,
    };
    Ok(spans.iter().map(limit).collect())
}

fn nmcts(p: &NmctsParams, arguments: &Arguments<'_>) -> Result<NestedSettings, CallError> {
    let spans = &p.iterations.0;
    let levels = spans.len();
    // What is tried by default: level 1 explores and the levels above go by what they found.
    let c = match p.c.as_str() {
        "auto" => (0..levels).map(|n| if n == 0 { 1.0 } else { 0.0 }).collect(),
        text => {
            let read = PerLevel::<f64>::read(text).ok_or_else(|| {
                let message = format!("c is {text}, expected a number for each level");
                arguments.blame("c", message)
            })?;
            spread(arguments, "c", read, levels)?
        }
    };
    let advances = spread(arguments, "advance", p.advance.clone(), levels)?;
    let actions = spread(arguments, "actions", p.actions.clone(), levels)?;
    let by_action = |n: usize| if advances[n] == Going::Global { None } else { actions[n] };
    let counted: Vec<Option<u32>> = (0..levels).map(by_action).collect();
    let limits = shared_out(arguments, spans, &counted, p.rollouts, p.starts)?;
    let level = |n: usize| {
        let by = |choice| Advance::ActionByAction { actions: actions[n], choice };
        Level {
            limit: limits[n],
            c: c[n],
            scale: p.scale,
            advance: match advances[n] {
                Going::Global => Advance::Global,
                Going::Sampled => by(Choice::MostSampled),
                Going::Solution => by(Choice::BestSolution),
            },
            untried: Untried::Random,
        }
    };
    Ok(NestedSettings { levels: (0..levels).map(level).collect(), starts: p.starts })
}

/// One value for each level: those that were given, or the one that was given for all.
fn spread<T: Clone>(
    arguments: &Arguments<'_>,
    key: &str,
    PerLevel(given): PerLevel<T>,
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

fn nrpa(p: &NrpaParams) -> NrpaSettings {
    NrpaSettings {
        level: p.level,
        iterations: p.iterations,
        playouts: p.playouts,
        alpha: p.alpha as f32,
        repetitions: p.repetitions,
        table_bits: p.table_bits,
        starts: p.starts,
        ..NrpaSettings::default()
    }
}

fn beam(p: &BeamParams) -> BeamSettings {
    BeamSettings {
        width: p.width,
        growth: p.growth,
        widest: p.widest.max(p.width),
        noise: p.noise,
        runs: p.runs,
    }
}
