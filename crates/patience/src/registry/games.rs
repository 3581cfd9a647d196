//! The games by name.

use std::sync::{Arc, LazyLock};

use patience_games::pgame::{MoveValues, PGameError};
use patience_games::sailing::{Optimal, Perturbed};
use patience_games::tiger::TigerError;
use patience_games::{ConnectFour, PGame, Sailing, TicTacToe, Tiger};

use super::{GameEntry, GameInfo, PlannerInfo};
use crate::call::{Arguments, CallError, Param};
use crate::kit::Kit;

/// All built-in games.
pub(super) fn standard() -> Vec<GameEntry> {
    vec![
        GameEntry::new(PGAME, |arguments| Ok(pgame(arguments)?.into())),
        GameEntry::new(SAILING, |arguments| Ok(sailing(arguments)?.into())),
        GameEntry::new(TIC_TAC_TOE, |_| {
            Ok(Kit::new(TicTacToe).text().keyed().undo().outcomes().into())
        }),
        GameEntry::new(CONNECT_FOUR, |_| {
            Ok(Kit::new(ConnectFour).text().keyed().undo().outcomes().into())
        }),
        GameEntry::new(TIGER, |arguments| Ok(tiger(arguments)?.into())),
        super::klondike::entry(),
        super::freecell::entry(),
        super::samegame::entry(),
        super::gdl::entry(),
    ]
}

/// The planners of single games.
pub(super) const PLANNERS: &[&[PlannerInfo]] =
    &[super::klondike::PLANNERS, super::samegame::PLANNERS, super::gdl::PLANNERS];

/// The solvers.
pub(super) const SOLVERS: &[&[PlannerInfo]] =
    &[super::klondike::SOLVERS, super::freecell::SOLVERS, super::samegame::SOLVERS];

const PGAME: GameInfo = GameInfo {
    name: "pgame",
    summary: "a random minimax tree: the sum of the moves' values decides who wins",
    rewards: "at the end: 1 if MAX wins, 1/2 for a draw, 0 if MIN wins",
    paper: "Kocsis and Szepesvari 2006, section 3.1",
    planner: "uct",
    parameters: &[
        Param { name: "branching", default: "2", meaning: "moves in every position" },
        Param { name: "depth", default: "20", meaning: "moves in every game" },
        Param {
            name: "values",
            default: "uniform",
            meaning: "uniform: whole numbers in [0,127] for MAX and [-127,0] for MIN; plus-minus-one: 1 or -1",
        },
    ],
};

/// Exact values are known of P-games up to this B^(D/2).
const MOST_LEAVES: f64 = 4e6;

fn pgame(arguments: &Arguments<'_>) -> Result<Kit<PGame>, CallError> {
    let branching = arguments.small("branching")?.unwrap_or(2);
    let depth = arguments.small("depth")?.unwrap_or(20);
    let values = match arguments.word("values", &["uniform", "plus-minus-one"])? {
        "uniform" => MoveValues::Uniform,
        _ => MoveValues::PlusMinusOne,
    };
    let game = PGame::new(branching, depth, values).map_err(|error| {
        let parameter = match error {
            PGameError::Branching(_) => "branching",
            PGameError::Depth(_) => "depth",
        };
        arguments.blame(parameter, error.to_string())
    })?;
    let kit = Kit::new(game).text().keyed().undo().outcomes();
    // A proof needs about B^(D/2) leaves: beyond this it would take minutes.
    let leaves = f64::from(branching).powf(f64::from(depth) / 2.0);
    Ok(if leaves <= MOST_LEAVES { kit.oracle(PGame::minimax_values) } else { kit })
}

const SAILING: GameInfo = GameInfo {
    name: "sailing",
    summary: "a boat finds its way over a lake under fluctuating wind: a stochastic shortest path",
    rewards: "per leg: minus its minutes, 1 to 8.66",
    paper: "Kocsis and Szepesvari 2006, section 3.2; Vanderbei",
    planner: "value-iteration",
    parameters: &[
        Param { name: "size", default: "10", meaning: "the lake is size x size, 2 to 1000" },
        Param {
            name: "start",
            default: "corner",
            meaning: "corner: opposite the goal; random: any state but the goal",
        },
        Param {
            name: "epsilon",
            default: "0.1",
            meaning: "of the evaluation function `perturbed`, known up to size 200: V(x) = (1 + e(x)) V*(x), e uniform in [-epsilon, epsilon]",
        },
        Param { name: "run", default: "0", meaning: "the seed of e, which is fixed for a run" },
    ],
};

/// V* is found on lakes up to this size: seconds.
const LARGEST_SOLVED: u32 = 200;

fn sailing(arguments: &Arguments<'_>) -> Result<Kit<Sailing>, CallError> {
    let size = arguments.small("size")?.unwrap_or(10);
    let lake = Sailing::new(size).map_err(|error| arguments.blame("size", error.to_string()))?;
    let epsilon = arguments.number("epsilon")?.unwrap_or(Perturbed::EPSILON);
    if !(0.0..1.0).contains(&epsilon) {
        let message = format!("epsilon is {epsilon}, expected a number from 0 to below 1");
        return Err(arguments.blame("epsilon", message));
    }
    let run = arguments.whole("run")?.unwrap_or(0);
    // V* takes a while on large lakes: it is found when somebody first asks.
    let optimal = Arc::new(LazyLock::new(move || Arc::new(Optimal::solve(&lake))));
    let for_oracle = Arc::clone(&optimal);
    let perturbed = LazyLock::new(move || Perturbed::new(Arc::clone(&optimal), epsilon, run));
    let mut kit = Kit::new(lake).text().keyed().outcomes().encoded();
    if size <= LARGEST_SOLVED {
        kit = kit
            .evaluation("perturbed", move |_: &Sailing, state: &_| perturbed.value(state))
            .oracle(move |_, state| {
                let mut values = Vec::new();
                for_oracle.action_values(state, &mut values);
                values
            });
    }
    Ok(match arguments.word("start", &["corner", "random"])? {
        "random" => kit.starting(Sailing::random_state),
        _ => kit,
    })
}

const TIC_TAC_TOE: GameInfo = GameInfo {
    name: "tic-tac-toe",
    summary: "three in a row on a board of nine",
    rewards: "at the end: 1 if the first player wins, 0 for a draw, -1 if the second wins",
    paper: "",
    planner: "uct",
    parameters: &[],
};

const CONNECT_FOUR: GameInfo = GameInfo {
    name: "connect-four",
    summary: "four in a row on six rows and seven columns",
    rewards: "at the end: 1 if the first player wins, 0 for a draw, -1 if the second wins",
    paper: "",
    planner: "uct",
    parameters: &[],
};

const TIGER: GameInfo = GameInfo {
    name: "tiger",
    summary: "listen, then open one of two doors: behind one is a tiger",
    rewards: "listening -1, the door without the tiger 10, the other -100",
    paper: "Kaelbling, Littman and Cassandra 1998",
    planner: "uct(scale=110)",
    parameters: &[
        Param { name: "horizon", default: "20", meaning: "moves at most; opening ends the game" },
        Param { name: "discount", default: "0.95", meaning: "factor by which rewards shrink" },
    ],
};

fn tiger(arguments: &Arguments<'_>) -> Result<Kit<Tiger>, CallError> {
    let horizon = arguments.small("horizon")?.unwrap_or(20);
    let discount = arguments.number("discount")?.unwrap_or(0.95);
    let game = Tiger::new(horizon, discount).map_err(|error| {
        let parameter = match error {
            TigerError::Horizon(_) => "horizon",
            TigerError::Discount(_) => "discount",
        };
        arguments.blame(parameter, error.to_string())
    })?;
    Ok(Kit::new(game).text().hidden().encoded())
}
