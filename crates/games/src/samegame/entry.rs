//! SameGame and its relatives by name.

use patience_catalogue::{
    AnyGame, Arguments, Auto, CallError, Checked, GameEntry, GameInfo, Invalid, Kit, Measure,
    Objective, Params, PlannerInfo, Value, Words, params,
};

use super::bench::BENCHMARKS;
use super::{
    Board, Grid, GroupCodes, LARGEST, MOST_COLOURS, Penalty, Portfolio, RandomPolicy, Rewards,
    SameGame, SameGameError, Scoring, TABU_BIAS, TabuBandit, TabuColor, Word, verify,
};

impl Value for Rewards {
    const KIND: &'static str = "a way to reward";
    const WORDS: &'static [&'static str] = &["samegame", "bubblebreaker", "clickomania"];

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Value for Penalty {
    const KIND: &'static str = "a penalty";
    const WORDS: &'static [&'static str] = &["seed", "none", "above-two"];

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// Columns, rows and colours, as in `15x15x5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size(usize, usize, usize);

impl Value for Size {
    const KIND: &'static str = "columns, rows and colours such as 15x15x5";

    fn read(text: &str) -> Option<Self> {
        let parts: Option<Vec<usize>> = text.split('x').map(|part| part.parse().ok()).collect();
        match parts?[..] {
            [width, height, colours] => Some(Size(width, height, colours)),
            _ => None,
        }
    }
}

params! {
    struct BoardParams {
        /// Columns
        width: usize = "15", min 1, max 32;
        /// Rows
        height: usize = "15", min 1, max 32;
        /// Colours
        colours: usize = "5", min 2, max 10;
        /// All three at once, such as 15x15x5; auto: as they are given one by one
        size: Auto<Size> = "auto";
        /// samegame: (n-2)^2 per group of n; bubblebreaker: n(n-1); clickomania: 1 per tile
        rewards: Rewards = "samegame";
        /// Of SameGame, for n tiles of a colour left: seed: (n-2)^2; above-two: the same for n > 2 only
        penalty: Penalty = "seed";
    }
}
params! {
    struct PortfolioParams {
        /// Threads, each with lines of its own: the result depends on how many there are
        threads: usize = "1", min 1, max 1024;
    }
}

const INFO: GameInfo = GameInfo {
    name: "samegame",
    title: "SameGame",
    summary: "groups of tiles of one colour are removed, the larger the better; also Bubble Breaker and Clickomania",
    rewards: "per group of n tiles (n - 2)^2, 1000 for an empty board, a penalty for what is left; or as `rewards` says",
    paper: "Baier and Winands 2012, section 5",
    version: 2,
    planner: "nmcts(iterations=200/500, c=0.1/0, scale=3000, policy=informed, starts=inf)",
    solver: "portfolio",
    optimiser: "portfolio",
    positions: "rows of digits from the top, “.” where there is no tile",
    score: "Score",
    variants: &[
        ("samegame", "SameGame"),
        ("samegame(rewards=bubblebreaker)", "Bubble Breaker"),
        ("samegame(rewards=clickomania)", "Clickomania"),
        ("samegame(width=10, height=10, colours=4)", "Small"),
    ],
    page: 3,
    parameters: BoardParams::PARAMS,
    words: &[GERMAN],
    ..GameInfo::NEW
};

const PORTFOLIO: PlannerInfo = PlannerInfo {
    name: "portfolio",
    summary: "lines found by NRPA, improved by searching again from the middle of them, and weeded out",
    guarantee: "anytime; optimal only where no score can be higher",
    iteration: "rollout",
    solves: true,
    games: &["samegame"],
    parameters: PortfolioParams::PARAMS,
    ..PlannerInfo::NEW
};

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    GameEntry::new(INFO, game)
        .with_searches(&[&PORTFOLIO])
        .with_benchmarks(BENCHMARKS)
        .with_specs(specs![
            "nmcts-figure-1",
            "nmcts-figure-2",
            "nmcts-figure-3",
            "nmcts-figure-4",
            "nmcts-figure-5",
            "nmcts-figure-6",
            "nmcts-figure-7",
        ])
        .told_by_positions(told)
}

/// What a board tells of the game that it is of: its size. What is none is read by the largest, so that
/// the error is about the board.
fn told(text: &str) -> Vec<(&'static str, String)> {
    let most = [("width", LARGEST), ("height", LARGEST), ("colours", MOST_COLOURS)];
    let Ok(grid) = text.parse::<Grid>() else {
        return most.map(|(key, most)| (key, most.to_string())).to_vec();
    };
    let colours = grid.columns().iter().flatten().max().map_or(2, |most| usize::from(*most) + 1);
    vec![
        ("width", grid.columns().len().max(1).to_string()),
        ("height", grid.height().max(1).to_string()),
        ("colours", colours.max(2).to_string()),
    ]
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let mut p = BoardParams::read(arguments)?;
    if let Auto(Some(Size(width, height, colours))) = p.size {
        (p.width, p.height, p.colours) = (width, height, colours);
    }
    if SameGame::<u64, 16>::fits(p.width, p.height) {
        Ok(kit::<u64, 16>(&p, arguments)?.into())
    } else {
        Ok(kit::<u128, 32>(&p, arguments)?.into())
    }
}

fn kit<W: Word, const N: usize>(
    p: &BoardParams,
    arguments: &Arguments<'_>,
) -> Result<Kit<SameGame<W, N>>, CallError> {
    let scoring = Scoring { rewards: p.rewards, penalty: p.penalty };
    let game = SameGame::<W, N>::new(p.width, p.height, p.colours, scoring).map_err(|error| {
        let parameter = match error {
            _ if p.size.0.is_some() => "size",
            SameGameError::Size { what: "columns", .. } => "width",
            SameGameError::Size { .. } => "height",
            _ => "colours",
        };
        arguments.blame(parameter, error.to_string())
    })?;
    Ok(Kit::new(game)
        .shown()
        .measured_by(Measure::Score)
        .encoded()
        .keyed()
        .undo()
        .outcomes()
        .seeded(seeded)
        .reading(|game, text| game.read(text).map_err(|error| error.to_string()))
        .beginning(begins)
        .deterministic()
        .policy("random", RandomPolicy)
        .policy("tabu", TabuColor)
        .policy("informed", TabuBandit::default())
        .coded("tabu", GroupCodes::tabu(TABU_BIAS))
        .coded("plain", GroupCodes::PLAIN)
        .solved_when("cleared", |_, board| board.width() == 0, Objective::Score)
        .verified(checked)
        .format("text", |game, board| Ok(game.grid(board).to_string()))
        .search(&PORTFOLIO, |_, p: PortfolioParams| Ok(Box::new(Portfolio { threads: p.threads }))))
}

/// The board of a seed.
fn seeded<W: Word, const N: usize>(game: &SameGame<W, N>, seed: u64) -> Board<W, N> {
    let (width, height) = game.size();
    let grid = Grid::seeded(width, height, game.colours(), seed).expect("the game has this size");
    game.board(&grid).expect("the game has this size")
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

/// Replays a solution on the plain board.
fn checked<W: Word, const N: usize>(
    game: &SameGame<W, N>,
    board: &Board<W, N>,
    text: &str,
) -> Result<Checked, Invalid> {
    let verified =
        verify(&game.grid(board), game.scoring(), text).map_err(|error| match error {
            // A step that the rules forbid is an answer; what is no solution at all is bad input.
            SameGameError::Step { .. } => Invalid::Step(error.to_string()),
            _ => Invalid::Text(error.to_string()),
        })?;
    Ok(Checked {
        value: verified.score,
        length: verified.moves.len(),
        reached: verified.cleared,
        over: verified.over,
        end: verified.left.to_string(),
    })
}

const GERMAN: Words = Words::german(&[
    ("{n} tiles of colour {m} at {cell} for {n1}", "{n} Steine der Farbe {m} bei {cell} für {n1}"),
    ("Small", "Klein"),
]);
