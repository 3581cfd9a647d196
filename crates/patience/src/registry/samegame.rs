//! SameGame and its relatives by name.

use patience_games::SameGame;
use patience_games::samegame::{
    Board, Grid, GroupCodes, Penalty, RandomPolicy, Rewards, SameGameError, Scoring, TABU_BIAS,
    TabuBandit, TabuColor, Word,
};

use super::{AnyGame, GameEntry, GameInfo, PlannerInfo};
use crate::call::{Arguments, CallError, Param};
use crate::kit::Kit;

const INFO: GameInfo = GameInfo {
    name: "samegame",
    summary: "groups of tiles of one colour are removed, the larger the better; also Bubble Breaker and Clickomania",
    rewards: "per group of n tiles (n - 2)^2, 1000 for an empty board, a penalty for what is left; or as `rewards` says",
    paper: "Baier and Winands 2012, section 5",
    planner: "nmcts(iterations=200/500, c=0.1/0, scale=3000, policy=informed, starts=inf)",
    parameters: &[
        Param { name: "width", default: "15", meaning: "columns, 1 to 32" },
        Param { name: "height", default: "15", meaning: "rows, 1 to 32" },
        Param { name: "colours", default: "5", meaning: "2 to 10" },
        Param {
            name: "rewards",
            default: "samegame",
            meaning: "samegame: (n-2)^2 per group of n; bubblebreaker: n(n-1); clickomania: 1 per tile",
        },
        Param {
            name: "penalty",
            default: "seed",
            meaning: "of SameGame, for n tiles of a colour left: seed: (n-2)^2; above-two: the same for n > 2 only; none",
        },
    ],
};

pub(super) fn entry() -> GameEntry {
    GameEntry::new(INFO, samegame)
}

/// Planners for boards.
pub(super) const PLANNERS: &[PlannerInfo] = &[];

/// Solvers of boards.
pub(super) const SOLVERS: &[PlannerInfo] = &[];

fn samegame(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let width = arguments.small("width")?.unwrap_or(15) as usize;
    let height = arguments.small("height")?.unwrap_or(15) as usize;
    if SameGame::<u64, 16>::fits(width, height) {
        Ok(kit::<u64, 16>(arguments, width, height)?.into())
    } else {
        Ok(kit::<u128, 32>(arguments, width, height)?.into())
    }
}

/// A board as text, or `seed:7` for the one that a seed gives, as `patience solve` has them.
fn read<W: Word, const N: usize>(game: &SameGame<W, N>, text: &str) -> Result<Board<W, N>, String> {
    let read = match text.trim().strip_prefix("seed:") {
        Some(seed) => {
            let seed = seed.parse().map_err(|_| format!("{seed:?} is no seed"))?;
            let (width, height) = game.size();
            Grid::seeded(width, height, game.colours(), seed).and_then(|grid| game.board(&grid))
        }
        None => game.read(text),
    };
    read.map_err(|error| error.to_string())
}

/// A game begins on a board of its own size: one that is smaller was played on, or is another game's.
fn begins<W: Word, const N: usize>(
    game: &SameGame<W, N>,
    board: &Board<W, N>,
) -> Result<(), String> {
    let grid = game.grid(board);
    let size = (grid.columns().len(), grid.columns().iter().map(Vec::len).max().unwrap_or(0));
    let (width, height) = game.size();
    if size == (width, height) {
        return Ok(());
    }
    Err(format!("the board is {} x {}, the game's are {width} x {height}", size.0, size.1))
}

fn kit<W: Word, const N: usize>(
    arguments: &Arguments<'_>,
    width: usize,
    height: usize,
) -> Result<Kit<SameGame<W, N>>, CallError> {
    let colours = arguments.small("colours")?.unwrap_or(5) as usize;
    let rewards = match arguments.word("rewards", &["samegame", "bubblebreaker", "clickomania"])? {
        "bubblebreaker" => Rewards::BubbleBreaker,
        "clickomania" => Rewards::Clickomania,
        _ => Rewards::SameGame,
    };
    let penalty = match arguments.word("penalty", &["seed", "none", "above-two"])? {
        "none" => Penalty::None,
        "above-two" => Penalty::AboveTwo,
        _ => Penalty::Seed,
    };
    let scoring = Scoring { rewards, penalty };
    let game = SameGame::<W, N>::new(width, height, colours, scoring).map_err(|error| {
        let parameter = match error {
            SameGameError::Size { what: "columns", .. } => "width",
            SameGameError::Size { .. } => "height",
            _ => "colours",
        };
        arguments.blame(parameter, error.to_string())
    })?;
    Ok(Kit::new(game)
        .text()
        .encoded()
        .keyed()
        .undo()
        .outcomes()
        .reading(read)
        .beginning(begins)
        .deterministic()
        .policy("random", RandomPolicy)
        .policy("tabu", TabuColor)
        .policy("informed", TabuBandit::default())
        .coded("tabu", GroupCodes::tabu(TABU_BIAS))
        .coded("plain", GroupCodes::PLAIN)
        .goal("cleared", |_, board| board.width() == 0))
}
