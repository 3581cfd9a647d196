//! Games described in GDL by name, and the planners for them.

use std::sync::Arc;

use patience_gdl::belief::{BeliefTree, SharedBelief};
use patience_gdl::{
    ExactPlanner, GdlGame, GroundLimits, Hindsight, Move, Norns, Opponents, Percepts, Several,
    World,
};
use patience_plan::uct::{Backup, Recommend, Rollout, Selection, Settings};
use patience_plan::{Planner, Root, Tracker};

use super::planners::param;
use super::{AnyGame, GameEntry, GameInfo, PlannerInfo};
use crate::call::{Arguments, CallError, Param};
use crate::described::{Described, RuleFile};
use crate::kit::Kit;

const INFO: GameInfo = GameInfo {
    name: "gdl",
    summary: "any game described in GDL or GDL-II; other roles move at random",
    rewards: "at the end: the goal of the role, divided by 100",
    paper: "Geisser, Keller and Mattmueller 2014",
    planner: "norns",
    parameters: &[
        Param {
            name: "file",
            default: "monty_hall",
            meaning: "a rule file, or the name of a game that comes with the program",
        },
        Param { name: "role", default: "the only one", meaning: "the role that decides" },
    ],
};

pub(super) fn entry() -> GameEntry {
    GameEntry::new(INFO, game)
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let file = arguments.text("file").unwrap_or("monty_hall");
    let wrong = |error: String| arguments.blame("file", error);
    let rules = RuleFile::open(file).map_err(|error| wrong(error.to_string()))?;
    let described = rules.described(&GroundLimits::default());
    let described = described.map_err(|error| wrong(error.to_string()))?;
    let role = described.role(arguments.text("role"));
    let role = role.map_err(|error| arguments.blame("role", error))?;
    match described {
        Described::Grounded(world) => kit(world, role).map(|kit| kit.encoded().into()),
        Described::Lifted(world, _) => kit(world, role).map(AnyGame::from),
    }
    .map_err(|error| arguments.blame("role", error.to_string()))
}

/// A described game as a role plays it, with the planners for it.
pub(crate) fn kit<W: World>(
    world: Arc<W>,
    role: usize,
) -> Result<Kit<GdlGame<W>>, patience_gdl::GameError> {
    Ok(kit_of(GdlGame::of_role(world, role)?))
}

/// The same under a name of its own.
pub(crate) fn named<W: World>(
    world: Arc<W>,
    role: usize,
    name: &str,
) -> Result<AnyGame, patience_gdl::GameError> {
    let mut game = AnyGame::from(kit(world, role)?);
    game.text = name.to_owned();
    game.planner = Some(INFO.planner);
    Ok(game)
}

/// The same for a game that is made already.
pub(crate) fn kit_of<W: World>(game: GdlGame<W>) -> Kit<GdlGame<W>> {
    let sees_all = game.sees_all();
    let kit = Kit::new(game)
        .text()
        .planner(&PLANNERS[0], |_, arguments| norns(arguments))
        .planner(&PLANNERS[1], |_, arguments| hindsight(arguments))
        .planner(&PLANNERS[2], |_, arguments| exact(arguments));
    // Where all moves are seen, everybody knows the state.
    if sees_all { kit } else { kit.tracked(|game| Box::new(Past::new(game))) }
}

/// The past of NORNS, told only what the role did and saw.
struct Past<W: World>(SharedBelief<W>);

impl<W: World> Past<W> {
    fn new(game: &GdlGame<W>) -> Self {
        Past(SharedBelief::new(BeliefTree::new(game.clone())))
    }
}

impl<W: World> Tracker<GdlGame<W>> for Past<W> {
    fn observe(&mut self, action: Move, obs: Percepts) {
        self.0.observe(action, obs);
    }

    fn root(&self) -> Root<GdlGame<W>> {
        Root::Belief(Box::new(self.0.clone()))
    }

    fn lost(&self) -> Option<String> {
        self.0.lost().map(|lost| lost.to_string())
    }

    fn is_astray(&self) -> bool {
        self.0.is_astray()
    }
}

const LIMIT: Param = param("limit", "1000", "moves after which a simulation is cut");

/// Planners for games with percepts.
pub(super) const PLANNERS: &[PlannerInfo] = &[
    PlannerInfo {
        name: "norns",
        summary: "belief-state tree for the past, UCT on own actions and percepts for the future; a tree for each role where several decide",
        guarantee: "anytime; asymptotically optimal where one role decides; sound where several do",
        paper: "Geisser, Keller and Mattmueller 2014, section 3",
        needs: "",
        hidden: true,
        iteration: "simulation",
        games: &["gdl"],
        parameters: &[
            param("simulations", "inf", "simulations per move; inf: as many as the budget allows"),
            param("c", "2", "factor of the bias c*sqrt(ln t / s)"),
            param(
                "backup",
                "max",
                "what a node tells its parent: max, mean, or cautious, which is better where moves are many and simulations few",
            ),
            param("recommend", "value", "recommend the action by value or by visits"),
            param("expand", "1", "nodes that a simulation may add"),
            param(
                "exact",
                "3e6",
                "moves that may be played in search of a proof, beside the simulations; 0: the paper's NORNS",
            ),
            param(
                "opponents",
                "search",
                "the other roles search too, or move at random: search, random",
            ),
            LIMIT,
        ],
    },
    PlannerInfo {
        name: "hindsight",
        summary: "UCT in sampled states as if all were seen: for comparison, blind to the worth of information",
        guarantee: "anytime; not optimal where information has value",
        paper: "Geisser, Keller and Mattmueller 2014, section 1",
        needs: "",
        hidden: true,
        iteration: "sampled state",
        games: &["gdl"],
        parameters: &[
            param("worlds", "inf", "states sampled per move; inf: as many as the budget allows"),
            param("each", "100", "simulations in each"),
            param("c", "0.7", "factor of the bias c*sqrt(ln t / s)"),
            LIMIT,
        ],
    },
    PlannerInfo {
        name: "exact",
        summary: "all beliefs that can be reached, equal ones merged: the certified optimum of small games against others at random",
        guarantee: "exact once complete, others moving at random; any legal move where beliefs do not suffice",
        paper: "",
        needs: "",
        hidden: true,
        iteration: "thousand moves",
        games: &["gdl"],
        parameters: &[param("beliefs", "1e6", "beliefs to look at before giving up")],
    },
];

type Made<W> = Result<Box<dyn Planner<GdlGame<W>>>, CallError>;

fn norns<W: World>(arguments: &Arguments<'_>) -> Made<W> {
    let simulations = arguments.whole_or_inf("simulations")?.flatten();
    let c = arguments.number("c")?.unwrap_or(2.0);
    let limit = arguments.small("limit")?.unwrap_or(1000);
    let settings = Settings {
        trajectories: simulations,
        selection: Selection::Ucb1 { c },
        backup: match arguments.word("backup", &["max", "mean", "cautious"])? {
            "mean" => Backup::Mean,
            "cautious" => Backup::Cautious { range: 1.0 },
            _ => Backup::Max,
        },
        recommend: match arguments.word("recommend", &["value", "visits"])? {
            "visits" => Recommend::Visits,
            _ => Recommend::Value,
        },
        expand: Some(arguments.small("expand")?.unwrap_or(1)),
        ..Settings::default()
    };
    let opponents = match arguments.word("opponents", &["search", "random"])? {
        "random" => Opponents::Random,
        _ => Opponents::Search,
    };
    let exact = arguments.whole("exact")?.unwrap_or(3_000_000);
    let made = Several::new(c, simulations, limit).and_then(|several| {
        Norns::new(settings, Rollout { limit, ..Rollout::default() }, several, opponents, exact)
    });
    Ok(Box::new(made.map_err(|error| arguments.refuse(&error))?))
}

fn hindsight<W: World>(arguments: &Arguments<'_>) -> Made<W> {
    let worlds = arguments.whole_or_inf("worlds")?.flatten();
    let each = arguments.whole("each")?.unwrap_or(100);
    let c = arguments.number("c")?.unwrap_or(0.7);
    let limit = arguments.small("limit")?.unwrap_or(1000);
    let made = Hindsight::new(worlds, each, c, limit);
    Ok(Box::new(made.map_err(|error| arguments.refuse(&error))?))
}

fn exact<W: World>(arguments: &Arguments<'_>) -> Made<W> {
    let made = ExactPlanner::new(arguments.whole("beliefs")?.unwrap_or(1_000_000));
    Ok(Box::new(made.map_err(|error| arguments.refuse(&error))?))
}
