//! Klondike by name.

mod solvers;

use patience_games::klondike::best::{Best, BestSettings};
use patience_games::klondike::{
    Deal, Ending, Greedy, Hop, Klondike, NestedRollout, Position, Rules, Scoring, SolverLeaf,
    State, TableGreedy, TableKlondike, TableSolverLeaf, TakingBack, Ties, UniformPlay, View,
    format,
};
use patience_plan::uct::Rollout;
use patience_plan::{First, Planner, Root};

pub(super) use solvers::SOLVERS;

use super::planners::param;
use super::{GameEntry, GameInfo, PlannerInfo};
use crate::call::{Arguments, CallError};
use crate::kit::Kit;

const INFO: GameInfo = GameInfo {
    name: "klondike",
    summary: "the solitaire: seven columns, four foundations, a stock that is turned",
    rewards: "1 for a win, with the move that wins",
    paper: "Bjarnason, Fern and Tadepalli 2009",
    planner: "best",
    parameters: &[
        param("draw", "3", "cards turned at a time, 1 to 3"),
        param(
            "back",
            "useful",
            "which cards may come back from the foundations: useful (a card can be laid on it at once) or any; in hints and games any, if nobody says",
        ),
        param(
            "end",
            "greedy",
            "when a game is won: greedy (nothing lies face down and greedy play wins) or home (all cards are home); in hints and games home, if nobody says",
        ),
        param("redeals", "inf", "how often the waste may be turned over; see below"),
        param(
            "view",
            "plus",
            "plus: the whole stock is known; strict: a card of the stock is unknown until it is turned; see below",
        ),
        param(
            "scoring",
            "win",
            "win: 1 for a win; vegas: 52 to pay, 5 for each card on a foundation. With limited redeals, strict view or vegas, turning the stock is a move of its own",
        ),
    ],
};

pub(super) fn entry() -> GameEntry {
    GameEntry::new(INFO, |arguments| {
        let draw = arguments.small("draw")?.unwrap_or(3);
        let rules = Rules::draw(draw);
        let rules = rules.map_err(|error| arguments.blame("draw", error.to_string()))?;
        let redeals = arguments.small_or_inf("redeals")?.flatten();
        let view = match arguments.word("view", &["plus", "strict"])? {
            "strict" => View::Strict,
            _ => View::Plus,
        };
        let scoring = match arguments.word("scoring", &["win", "vegas"])? {
            "vegas" => Scoring::Vegas,
            _ => Scoring::Win,
        };
        if redeals.is_some() || view != View::Plus || scoring != Scoring::Win {
            // There any card comes back, and games are played to the end.
            for (key, only) in PLAYED {
                if arguments.text(key).is_some_and(|value| value != *only) {
                    let why = format!("{key} can only be {only} where turning the stock is a move");
                    return Err(arguments.blame(key, why));
                }
            }
            let rules = rules.with_redeals(redeals).with_view(view);
            let leaf = SolverLeaf::new(TABLE_LEAF.0, TABLE_LEAF.1);
            let leaf = leaf.map_err(|error| arguments.refuse(&error))?;
            return Ok(on_a_table(TableKlondike::new(rules, scoring), leaf).into());
        }
        Ok(klondike(rules, arguments)?.into())
    })
    .as_played(PLAYED)
}

/// The rules that people play by, where the paper's are others.
const PLAYED: &[(&str, &str)] = &[("back", "any"), ("end", "home")];

/// Planners of Klondike alone.
pub(super) const PLANNERS: &[PlannerInfo] = &[GREEDY, HOP, BEST];

const BEST: PlannerInfo = PlannerInfo {
    name: "best",
    summary: "the strongest player: a tree over what can be seen, the thoughtful solver at its leaves",
    guarantee: "anytime; exact once no card is unknown; what it calls sure is proven",
    paper: "",
    needs: "",
    hidden: true,
    iteration: "sampled deal",
    games: &["klondike"],
    parameters: &[
        param("samples", "inf", "sampled deals per decision; inf: as many as the budget allows"),
        param("nodes", "100", "nodes of the solver at a leaf"),
        param("unknown", "0.5", "what a leaf is worth that the solver cannot decide, 0 to 1"),
        param("c", "0.5", "how much is explored: the factor of the upper confidence bound"),
    ],
};

fn best(
    _game: &Klondike,
    arguments: &Arguments<'_>,
) -> Result<Box<dyn Planner<Klondike>>, CallError> {
    let default = BestSettings::default();
    let best = Best::new(BestSettings {
        samples: arguments.whole_or_inf("samples")?.unwrap_or(default.samples),
        nodes: arguments.whole("nodes")?.unwrap_or(default.nodes),
        unknown: arguments.number("unknown")?.unwrap_or(default.unknown),
        c: arguments.number("c")?.unwrap_or(default.c),
    });
    Ok(Box::new(best.map_err(|error| arguments.refuse(&error))?))
}

const GREEDY: PlannerInfo = PlannerInfo {
    name: "greedy",
    summary: "the first action in the paper's order of preference",
    guarantee: "none",
    paper: "Bjarnason, Fern and Tadepalli 2009, section Planning in Klondike",
    needs: "",
    hidden: true,
    iteration: "",
    games: &["klondike"],
    parameters: &[],
};

const HOP: PlannerInfo = PlannerInfo {
    name: "hop",
    summary: "hindsight optimisation: every action on samples of the hidden cards, each played by nested rollouts as if all cards were known",
    guarantee: "ends by itself; optimistic where the hidden cards decide what is right",
    paper: "Bjarnason, Fern and Tadepalli 2009, section Hindsight Optimization",
    needs: "",
    hidden: true,
    iteration: "sample of an action",
    games: &["klondike"],
    parameters: &[
        param("samples", "10", "samples of each action, or of a decision"),
        param("level", "0", "nesting of the rollouts, 0 to 5"),
        param(
            "of",
            "action",
            "action: so many samples for every action; decision: for all together",
        ),
        param(
            "ties",
            "preferred",
            "which of equals is taken: preferred (the first in the greedy order) or random",
        ),
    ],
};

/// Longer than any playout.
const LONGEST: u32 = 10_000;

/// The leaf `solver`: nodes, and the value of a deal that they do not decide.
const SOLVER_LEAF: (u64, f64) = (1000, 0.2);

/// The same on a table, where a leaf is reached slowly.
const TABLE_LEAF: (u64, f64) = (300, 0.2);

/// The game move by move, for rules that the paper's action space does not cover.
fn on_a_table(game: TableKlondike, leaf: SolverLeaf) -> Kit<TableKlondike> {
    let solver = TableSolverLeaf::new(&game, leaf);
    let suits = match (game.scoring(), &solver) {
        (Scoring::Vegas, _) => "uct(c=1, scale=100, eval=greedy)",
        (Scoring::Win, None) => "uct(c=1, eval=greedy)",
        (Scoring::Win, Some(_)) => "uct(c=0.5, eval=solver)",
    };
    let kit = Kit::new(game)
        .suited_to(suits)
        .leaf("greedy", Rollout { policy: TableGreedy, limit: LONGEST });
    let kit = match solver {
        Some(solver) => kit.leaf("solver", solver),
        None => kit,
    };
    kit.text()
        .hidden()
        .numbered(|game, seed| {
            game.deal(&Deal::seeded(game.rules(), seed)).map_err(|error| error.to_string())
        })
        .reading(|game, text| {
            let position = position(game.rules(), text)?;
            game.state(&position).map_err(|error| error.to_string())
        })
}

fn klondike(rules: Rules, arguments: &Arguments<'_>) -> Result<Kit<Klondike>, CallError> {
    let game = Klondike::new(rules).map_err(|error| arguments.blame("draw", error.to_string()))?;
    let back = match arguments.word("back", &["useful", "any"])? {
        "any" => TakingBack::Any,
        _ => TakingBack::Useful,
    };
    let ending = match arguments.word("end", &["greedy", "home"])? {
        "home" => Ending::Home,
        _ => Ending::Greedy,
    };
    let leaf = SolverLeaf::new(SOLVER_LEAF.0, SOLVER_LEAF.1);
    let leaf = leaf.map_err(|error| arguments.refuse(&error))?;
    let kit = Kit::new(game.with_taking_back(back).with_ending(ending))
        .text()
        .encoded()
        .opened(|game, state| Root::Certain(game.open(state)))
        .planner(&BEST, best)
        .leaf("uniform", Rollout { policy: UniformPlay, limit: LONGEST })
        .leaf("greedy", Rollout { policy: Greedy, limit: LONGEST })
        .leaf("solver", leaf)
        .planner(&GREEDY, |_, _| Ok(Box::new(First)))
        .planner(&HOP, hop)
        .numbered(|game, seed| start(game, &Deal::seeded(game.rules(), seed)))
        .reading(read);
    Ok(solvers::add(kit))
}

fn hop(
    _game: &Klondike,
    arguments: &Arguments<'_>,
) -> Result<Box<dyn Planner<Klondike>>, CallError> {
    let samples = arguments.small("samples")?.unwrap_or(10);
    let solver = NestedRollout::new(arguments.small("level")?.unwrap_or(0));
    let ties = match arguments.word("ties", &["preferred", "random"])? {
        "random" => Ties::Random,
        _ => Ties::Preferred,
    };
    let decision = arguments.word("of", &["action", "decision"])? == "decision";
    let hop = solver.and_then(|solver| Hop::new(samples, solver)).map(|hop| hop.with_ties(ties));
    let hop = hop.map(|hop| if decision { hop.with_samples_of_decision() } else { hop });
    Ok(Box::new(hop.map_err(|error| arguments.refuse(&error))?))
}

fn start(game: &Klondike, deal: &Deal) -> Result<State, String> {
    game.deal(deal).map_err(|error| error.to_string())
}

fn read(game: &Klondike, text: &str) -> Result<State, String> {
    let position = position(game.rules(), text)?;
    game.state(&position).map_err(|error| error.to_string())
}

/// A position in one of the formats, or a deal's name: a canonical number, or a seed.
fn position(rules: &Rules, text: &str) -> Result<Position, String> {
    let name = text.trim();
    // 52! has 68 digits; the shortest text of digits that is a position has 156.
    let number = (1..100).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_digit());
    if number || name.starts_with("seed:") {
        let deal = Deal::named(rules, name).map_err(|error| error.to_string())?;
        return Ok(Position::deal(rules, &deal));
    }
    format::read(rules, text).map_err(|error| error.to_string())
}
