//! Klondike by name.

use patience_games::klondike::{Deal, Greedy, Klondike, Rules, State, UniformPlay, format};
use patience_plan::Root;
use patience_plan::uct::Rollout;

use super::{GameEntry, GameInfo, PlannerInfo};
use crate::call::{Arguments, CallError, Param};
use crate::kit::Kit;

const INFO: GameInfo = GameInfo {
    name: "klondike",
    summary: "the solitaire: seven columns, four foundations, a stock that is turned",
    rewards: "1 for a win, with the move that wins",
    paper: "Bjarnason, Fern and Tadepalli 2009",
    planner: "uct(c=1, eval=uniform)",
    parameters: &[Param { name: "draw", default: "3", meaning: "cards turned at a time, 1 to 3" }],
};

pub(super) fn entry() -> GameEntry {
    GameEntry::new(INFO, |arguments| Ok(klondike(arguments)?.into()))
}

/// Planners of Klondike alone.
pub(super) const PLANNERS: &[PlannerInfo] = &[];

/// Solvers of Klondike.
pub(super) const SOLVERS: &[PlannerInfo] = &[];

/// Longer than any playout.
const LONGEST: u32 = 10_000;

fn klondike(arguments: &Arguments<'_>) -> Result<Kit<Klondike>, CallError> {
    let draw = arguments.small("draw")?.unwrap_or(3);
    let rules = Rules::draw(draw).map_err(|error| arguments.blame("draw", error.to_string()))?;
    let game = Klondike::new(rules).map_err(|error| arguments.blame("draw", error.to_string()))?;
    Ok(Kit::new(game)
        .text()
        .opened(|game, state| Root::Certain(game.open(state)))
        .leaf("uniform", Rollout { policy: UniformPlay, limit: LONGEST })
        .leaf("greedy", Rollout { policy: Greedy, limit: LONGEST })
        .numbered(|game, seed| start(game, &Deal::seeded(game.rules(), seed)))
        .named(named)
        .reading(read))
}

fn start(game: &Klondike, deal: &Deal) -> Result<State, String> {
    game.deal(deal).map_err(|error| error.to_string())
}

/// `7` is the deal of that canonical number, `seed:7` the deal of that seed.
fn named(game: &Klondike, name: &str) -> Result<State, String> {
    let deal = Deal::named(game.rules(), name).map_err(|error| error.to_string())?;
    start(game, &deal)
}

fn read(game: &Klondike, text: &str) -> Result<State, String> {
    let position = format::read(game.rules(), text).map_err(|error| error.to_string())?;
    game.state(&position).map_err(|error| error.to_string())
}
