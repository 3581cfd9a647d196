//! Games described in GDL by name, and the planners for them.

use std::sync::Arc;

use patience_catalogue::{
    AnyGame, Arguments, BackupRule, CallError, GameEntry, GameInfo, Kit, Made, Params, PlannerInfo,
    RecommendBy, params, words,
};
use patience_plan::uct::{Rollout, Selection, Settings};
use patience_plan::{Root, Tracker};

use crate::belief::{BeliefTree, SharedBelief};
use crate::bench::BENCHMARKS;
use crate::{
    Described, ExactPlanner, GdlGame, GroundLimits, Hindsight, Move, Norns, Opponents, Percepts,
    RuleError, RuleFile, Several, Source, World, built_in,
};

params! {
    struct RulesParams {
        /// A rule file, or the name of a game that comes with the program
        file: String = "monty_hall";
        /// The role that decides; auto: the only one
        role: String = "auto";
    }
}

words! {
    /// What the other roles do in a search.
    enum OthersBy { Search = "search", Random = "random" }
}

params! {
    struct NornsParams {
        /// Simulations per move; inf: as many as the budget allows
        #[alias("simulations")]
        iterations: Option<u64> = "inf", min 1;
        /// Factor of the bias c*sqrt(ln t / s)
        c: f64 = "2", min 0;
        /// What a node backs up; max trusts moves that were tried a few times
        backup: BackupRule = "cautious";
        /// Recommend the action by value or by visits
        recommend: RecommendBy = "value";
        /// Nodes that a simulation may add
        expand: u32 = "1";
        /// Moves that may be played in search of a proof, beside the simulations; 0: the paper's NORNS
        exact: u64 = "3e6";
        /// The other roles search too, or move at random
        opponents: OthersBy = "search";
        /// Moves after which a simulation is cut
        limit: u32 = "1000", min 1;
    }
}

params! {
    struct HindsightParams {
        /// States sampled per move; inf: as many as the budget allows
        #[alias("worlds")]
        samples: Option<u64> = "inf", min 1;
        /// Simulations in each
        #[alias("each")]
        iterations: u64 = "100", min 1;
        /// Factor of the bias c*sqrt(ln t / s)
        c: f64 = "0.7", min 0;
        /// Moves after which a simulation is cut
        limit: u32 = "1000", min 1;
    }
}

params! {
    struct ExactParams {
        /// Beliefs to look at before giving up
        beliefs: u64 = "1e6", min 1;
    }
}

const INFO: GameInfo = GameInfo {
    name: "gdl",
    title: "Described game",
    summary: "any game described in GDL or GDL-II; other roles move at random",
    rewards: "at the end: the goal of the role, divided by 100",
    paper: "Geisser, Keller and Mattmueller 2014",
    planner: "norns",
    parameters: RulesParams::PARAMS,
    ..GameInfo::NEW
};

/// Planners for games with percepts.
const OWN: PlannerInfo = PlannerInfo { hidden: true, games: &["gdl"], ..PlannerInfo::NEW };

const NORNS: PlannerInfo = PlannerInfo {
    name: "norns",
    summary: "belief-state tree for the past, UCT on own actions and percepts for the future; a tree for each role where several decide",
    guarantee: "anytime; asymptotically optimal where one role decides; sound where several do",
    paper: "Geisser, Keller and Mattmueller 2014, section 3",
    version: 3,
    iteration: "simulation",
    parameters: NornsParams::PARAMS,
    ..OWN
};

const HINDSIGHT: PlannerInfo = PlannerInfo {
    name: "hindsight",
    summary: "UCT in sampled states as if all were seen: for comparison, blind to the worth of information",
    guarantee: "anytime; not optimal where information has value",
    paper: "Geisser, Keller and Mattmueller 2014, section 1",
    iteration: "sampled state",
    parameters: HindsightParams::PARAMS,
    ..OWN
};

const EXACT: PlannerInfo = PlannerInfo {
    name: "exact",
    summary: "all beliefs that can be reached, equal ones merged: the certified optimum of small games against others at random",
    guarantee: "exact once complete, others moving at random; before that the best plan found so far",
    version: 2,
    iteration: "thousand moves",
    parameters: ExactParams::PARAMS,
    ..OWN
};

/// The specs of papers on described games.
const SPECS: &[(&str, &str)] = &[
    ("norns-figure-3", include_str!("../experiments/norns-figure-3.toml")),
    ("norns-small-games", include_str!("../experiments/norns-small-games.toml")),
    ("norns-variants", include_str!("../experiments/norns-variants.toml")),
];

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    GameEntry::new(INFO, game)
        .with_searches(&[&NORNS, &HINDSIGHT, &EXACT])
        .with_benchmarks(BENCHMARKS)
        .with_specs(SPECS)
        .from_rules(|rules, role| {
            let rules = RuleFile::read(Source::new("rules", rules));
            of_rules(&rules.map_err(|error| error.to_string())?, role).map_err(|wrong| wrong.1)
        })
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let RulesParams { file, role } = RulesParams::read(arguments)?;
    let role = Some(role.as_str()).filter(|role| *role != "auto");
    let wrong = |error: RuleError| arguments.blame("file", error.to_string());
    let rules = RuleFile::open(&file).map_err(wrong)?;
    let game = of_rules(&rules, role);
    let game = game.map_err(|(parameter, why)| arguments.blame(parameter, why))?;
    // The rules of a game that comes with the program have its version.
    let comes_along = built_in(&file).is_some_and(|own| own.text() == rules.source.text());
    Ok(if comes_along { game } else { game.made_from(file, rules.source.text()) })
}

/// The game of a rule file, or which parameter is wrong and why.
fn of_rules(rules: &RuleFile, role: Option<&str>) -> Result<AnyGame, (&'static str, String)> {
    let described = rules.described(&GroundLimits::default());
    let described = described.map_err(|error| ("file", error.to_string()))?;
    let role = described.role(role).map_err(|why| ("role", why))?;
    match described {
        Described::Grounded(world) => of_role(world, role).map(|kit| kit.encoded().into()),
        Described::Lifted(world, _) => of_role(world, role).map(AnyGame::from),
    }
    .map_err(|error| ("role", error.to_string()))
}

fn of_role<W: World>(world: Arc<W>, role: usize) -> Result<Kit<GdlGame<W>>, crate::GameError> {
    Ok(kit(GdlGame::of_role(world, role)?))
}

/// A described game as a role plays it, with the planners for it.
pub fn kit<W: World>(game: GdlGame<W>) -> Kit<GdlGame<W>> {
    let sees_all = game.sees_all();
    let kit = Kit::new(game)
        .shown()
        .search(&NORNS, |_, p: NornsParams| norns(&p))
        .search(&HINDSIGHT, |_, p: HindsightParams| {
            Ok(Box::new(Hindsight::new(p.samples, p.iterations, p.c, p.limit)?))
        })
        .search(&EXACT, |_, p: ExactParams| Ok(Box::new(ExactPlanner::new(p.beliefs)?)));
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

fn norns<W: World>(p: &NornsParams) -> Made<GdlGame<W>> {
    let settings = Settings {
        iterations: p.iterations,
        selection: Selection::Ucb1 { c: p.c },
        backup: p.backup.within(1.0),
        recommend: p.recommend.into(),
        expand: Some(p.expand),
        ..Settings::default()
    };
    let opponents = match p.opponents {
        OthersBy::Search => Opponents::Search,
        OthersBy::Random => Opponents::Random,
    };
    let several = Several::new(p.c, p.iterations, p.limit)?;
    let rollout = Rollout { limit: p.limit, ..Rollout::default() };
    Ok(Box::new(Norns::new(settings, rollout, several, opponents, p.exact)?))
}
