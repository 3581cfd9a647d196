//! Klondike by name.

use std::sync::Arc;

use patience_catalogue::{
    AnyGame, Arguments, Auto, CallError, Checked, Deals, GameEntry, GameInfo, Invalid, Kit, Made,
    Measure, Objective, Params, PlannerInfo, Words, limited, params, words,
};
use patience_model::Hidden;
use patience_plan::uct::{Rollout, Selection, Settings, Uct, Uniform};
use patience_plan::{First, ParameterError, Root};

use super::bench::BENCHMARKS;
use super::best::{Best, BestSettings, Bound, BoundSettings};
use super::format::Format;
use super::solver::{Optimal, Thoughtful};
use super::{
    Deal, Ending, Greedy, Hop, Klondike, KlondikeTable, Move, NestedRollout, OverStocks, Position,
    Rules, Scoring, SolverLeaf, StockGreedy, StockKlondike, StockSolverLeaf, TakingBack, Ties,
    UniformPlay, View, length, replay,
};
use crate::cards;

words! {
    /// Which cards may come back from the foundations.
    enum Back { Useful = "useful", Any = "any" }
}
words! {
    /// When a game is won.
    enum End { Greedy = "greedy", Home = "home" }
}
words! {
    /// What is known of the stock.
    enum Stock { Plus = "plus", Strict = "strict" }
}
words! {
    /// What is rewarded.
    enum Reward { Win = "win", Vegas = "vegas" }
}
words! {
    /// What samples are counted for.
    enum Of { Action = "action", Decision = "decision" }
}
words! {
    /// Which of equals is taken.
    enum Equals { Preferred = "preferred", Random = "random" }
}

params! {
    struct KlondikeParams {
        /// Cards turned at a time
        draw: u32 = "3", min 1, max 3;
        /// Which cards may come back from the foundations: useful (the paper's rule: a card can be laid
        /// on it at once) or any (as people play)
        back: Back = "useful";
        /// When a game is won: greedy (the paper's rule: nothing lies face down and greedy play wins) or
        /// home (all cards are home, as people play)
        end: End = "greedy";
        /// How often the waste may be turned over
        redeals: Option<u32> = "inf";
        /// plus: the whole stock is known; strict: a card of the stock is unknown until it is turned
        view: Stock = "plus";
        /// win: 1 for a win; vegas: 52 to pay, 5 for each card on a foundation
        scoring: Reward = "win";
    }
}
params! {
    struct BestParams {
        /// Sampled deals per decision; inf: as many as the budget allows
        samples: Option<u64> = "inf", min 1;
        /// Nodes of the solver at a leaf
        nodes: u64 = "100", min 1;
        /// What a leaf is worth that the solver cannot decide
        unknown: f64 = "0.5", min 0, max 1;
        /// How much is explored: the factor of the upper confidence bound
        c: f64 = "0.5", min 0;
    }
}
params! {
    struct HopParams {
        /// Samples of each action, or of a decision
        samples: u32 = "10", min 1;
        /// Nesting of the rollouts
        level: u32 = "0", min 0, max 5;
        /// action: so many samples for every action; decision: for all together
        of: Of = "action";
        /// Which of equals is taken: preferred (the first in the greedy order) or random
        ties: Equals = "preferred";
    }
}
params! {
    struct NestedParams {
        /// Nesting of the rollouts with the function that ends games
        level: u32 = "1", min 0, max 5;
        /// Two stages: first the function that opens games, at this level; auto: one stage
        opening: Auto<u32> = "auto", min 0, max 5;
    }
}
params! {
    struct ThoughtfulParams {
        /// Nodes to search at most
        nodes: Option<u64> = "inf", min 1;
        /// Let cards come back from the foundations
        take_back: bool = "true";
    }
}

params! {
    struct OptimalParams {
        /// Nodes and states to search at most; then the bounds by then count
        expansions: Option<u64> = "inf", min 1;
        /// Threads; the solution is the same on any number of them
        threads: usize = "1", min 1, max 1024;
    }
}

params! {
    struct BoundParams {
        /// Orders of the face-down cards that are drawn for every loss
        orders: u32 = "96", min 1;
        /// Cards turned up on a way at most; what is lost later does not count
        reveals: u32 = "21", min 0;
        /// Nodes of the solver for an order
        nodes: u64 = "10000", min 1;
        /// Orders judged in a deal at most; then what is lost by then counts
        judged: u64 = "20000", min 0;
    }
}

const INFO: GameInfo = GameInfo {
    name: "klondike",
    title: "Klondike",
    summary: "the solitaire: seven columns, four foundations, a stock that is turned",
    rewards: "1 for a win, with the move that wins",
    paper: "Bjarnason, Fern and Tadepalli 2009",
    version: 3,
    planner: "best",
    solver: "thoughtful",
    optimiser: "optimal",
    yardstick: "best(samples=50)",
    deals: Deals::Ranks,
    positions: "Solvitaire JSON, PySol text or 52×RRS",
    score: "Home",
    variants: &[
        ("klondike(draw=3)", "Three cards"),
        ("klondike(draw=1)", "One card"),
        ("klondike(draw=2)", "Two cards"),
        ("klondike(draw=3, view=strict, redeals=2, scoring=vegas)", "Las Vegas"),
    ],
    page: 1,
    played: PLAYED,
    parameters: KlondikeParams::PARAMS,
    words: &[cards::GERMAN, GERMAN],
    ..GameInfo::NEW
};

/// The rules that people play by, where the paper's are others.
const PLAYED: &[(&str, &str)] = &[("back", "any"), ("end", "home"), ("view", "strict")];

/// What they are where redeals are limited or points count.
const ONLY: &[(&str, &str)] = &[("back", "any"), ("end", "home")];

const OWN: PlannerInfo = PlannerInfo { hidden: true, games: &["klondike"], ..PlannerInfo::NEW };

const BEST: PlannerInfo = PlannerInfo {
    name: "best",
    summary: "the strongest player: a tree over what can be seen, the thoughtful solver at its leaves",
    guarantee: "anytime; exact once no card is unknown; what it calls sure is proven",
    version: 3,
    iteration: "sampled deal",
    measure: Some(Measure::WinProbability),
    parameters: BestParams::PARAMS,
    ..OWN
};

/// The same where turns are not free: what it tells is what greedy play makes of its plan.
const BEST_PLANNING: PlannerInfo = PlannerInfo { measure: None, ..BEST };

const GREEDY: PlannerInfo = PlannerInfo {
    name: "greedy",
    summary: "the first action in the paper's order of preference",
    paper: "Bjarnason, Fern and Tadepalli 2009, section Planning in Klondike",
    ..OWN
};

const HOP: PlannerInfo = PlannerInfo {
    name: "hop",
    summary: "hindsight optimisation: every action on samples of the hidden cards, each played by nested rollouts as if all cards were known",
    guarantee: "ends by itself; optimistic where the hidden cards decide what is right",
    paper: "Bjarnason, Fern and Tadepalli 2009, section Hindsight Optimization",
    iteration: "sample of an action",
    parameters: HopParams::PARAMS,
    ..OWN
};

/// With all cards known.
const KNOWING: PlannerInfo = PlannerInfo {
    advises: false,
    solves: true,
    games: &["klondike"],
    iteration: "node",
    ..PlannerInfo::NEW
};

const NESTED: PlannerInfo = PlannerInfo {
    name: "nested",
    summary: "nested rollouts over a hand-coded value function, with all cards known",
    guarantee: "ends by itself; a win is a win, no win is no proof",
    paper: "Bjarnason, Tadepalli and Fern 2007",
    parameters: NestedParams::PARAMS,
    ..KNOWING
};

const THOUGHTFUL: PlannerInfo = PlannerInfo {
    name: "thoughtful",
    version: 2,
    summary: "with all cards known: a win, or the proof that there is none",
    guarantee: "complete and exact; lengths are not the least",
    proves: true,
    parameters: ThoughtfulParams::PARAMS,
    ..KNOWING
};

const OPTIMAL: PlannerInfo = PlannerInfo {
    name: "optimal",
    summary: "with all cards known: a shortest solution with its proof, by A* below the thoughtful solver's",
    guarantee: "the length is the least there is, or unsolvable is proven, by exhaustion; turning the waste over is not counted",
    proves: true,
    iteration: "node or expanded state",
    parameters: OptimalParams::PARAMS,
    ..KNOWING
};

const BOUND: PlannerInfo = PlannerInfo {
    name: "bound",
    summary: "with all cards known: whether the deal can be won, and a bound on what any player wins who does not see them",
    guarantee: "the mean of `bound` over deals is no less than the share that any player without sight wins",
    paper: "Brown, Smith and Sun 2010",
    parameters: BoundParams::PARAMS,
    ..KNOWING
};

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    GameEntry::new(INFO, game)
        .with_searches(&[&BEST, &GREEDY, &HOP, &NESTED, &THOUGHTFUL, &OPTIMAL, &BOUND])
        .with_benchmarks(BENCHMARKS)
        .with_specs(specs![
            "klondike-baselines",
            "klondike-table-1",
            "klondike-table-2",
            "klondike-best",
            "klondike-stock",
            "klondike-bounds",
            "klondike-thoughtful",
        ])
}

/// Longer than any playout.
const LONGEST: u32 = 10_000;

/// The leaf `solver`: nodes, and the value of a deal that they do not decide.
const SOLVER_LEAF: (u64, f64) = (1000, 0.2);

/// The same where turning the stock is a move and a leaf is reached slowly.
const STOCK_LEAF: (u64, f64) = (300, 0.2);

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let p = KlondikeParams::read(arguments)?;
    let rules = Rules::draw(p.draw).map_err(|error| arguments.blame("draw", error.to_string()))?;
    let view = match p.view {
        Stock::Plus => View::Plus,
        Stock::Strict => View::Strict,
    };
    let scoring = match p.scoring {
        Reward::Win => Scoring::Win,
        Reward::Vegas => Scoring::Vegas,
    };
    let rules = rules.with_redeals(p.redeals).with_view(view);
    let table = KlondikeTable::new(rules, scoring);
    if table.has_paper_rules() {
        return papers(&p, table, arguments);
    }
    let game = StockKlondike::new(rules, scoring);
    let game = match game.turns_are_free() {
        true => game.with_game(known_stock(&p, rules, arguments)?).unwrap_or(game),
        false => {
            // There any card comes back, and games are played to the end.
            let others = [("back", p.back == Back::Any), ("end", p.end == End::Home)];
            for ((key, only), (_, fits)) in ONLY.iter().zip(others) {
                if arguments.has(key) && !fits {
                    let why = format!(
                        "{key} can only be {only} where redeals are limited or points count"
                    );
                    return Err(arguments.blame(key, why));
                }
            }
            game
        }
    };
    with_stock(game, table, arguments)
}

/// The game by the paper's rules, of which all of the stock is known.
fn known_stock(
    p: &KlondikeParams,
    rules: Rules,
    arguments: &Arguments<'_>,
) -> Result<Klondike, CallError> {
    let wrong = |error: super::KlondikeError| arguments.blame("draw", error.to_string());
    let game = Klondike::new(rules.with_view(View::Plus).with_redeals(None)).map_err(wrong)?;
    let back = match p.back {
        Back::Useful => TakingBack::Useful,
        Back::Any => TakingBack::Any,
    };
    let ending = match p.end {
        End::Greedy => Ending::Greedy,
        End::Home => Ending::Home,
    };
    Ok(game.with_taking_back(back).with_ending(ending))
}

/// The paper's game.
fn papers(
    p: &KlondikeParams,
    table: KlondikeTable,
    arguments: &Arguments<'_>,
) -> Result<AnyGame, CallError> {
    let game = known_stock(p, *table.rules(), arguments)?;
    let leaf = SolverLeaf::new(SOLVER_LEAF.0, SOLVER_LEAF.1);
    let leaf = leaf.map_err(|error| arguments.refuse(&error))?;
    let kit = Kit::new(game)
        .text()
        .encoded()
        .opened(|game, state| Root::Certain(game.open(state)))
        .leaf("uniform", Rollout { policy: UniformPlay, limit: LONGEST })
        .leaf("greedy", Rollout { policy: Greedy, limit: LONGEST })
        .leaf("solver", leaf)
        .search(&BEST, |_, p: BestParams| best(&p))
        .search(&GREEDY, |_, ()| Ok(Box::new(First)))
        .search(&HOP, |_, p: HopParams| hop(&p))
        .search(&NESTED, |_, p: NestedParams| {
            Ok(Box::new(match p.opening.0 {
                Some(opening) => NestedRollout::two_stages(opening, p.level)?,
                None => NestedRollout::new(p.level)?,
            }))
        })
        .solved_when("won", |game, state| game.is_won(state), Objective::Win)
        .seeded(|game, seed| {
            let deal = Deal::seeded(game.rules(), seed);
            game.deal(&deal).expect("a deal by the game's own rules")
        })
        .numbered(move |game, name| {
            let position = table.deal(name).map_err(|error| error.to_string())?;
            game.state(&position).map_err(|error| error.to_string())
        })
        .reading(move |game, text| {
            let position = super::format::read(game.rules(), text);
            let position = position.map_err(|error| error.to_string())?;
            game.state(&position).map_err(|error| error.to_string())
        });
    let kit = Arc::new(kit);
    let table = on_table(table).thought_of_as(
        Arc::clone(&kit),
        |game, table, position| table.lift(game, position).map_err(|error| error.to_string()),
        |_, table, position, action| table.lower(position, action).unwrap_or_default(),
    );
    Ok(AnyGame::from(kit).on_table(table.into()))
}

/// The game in which turning the stock is a decision.
fn with_stock(
    game: StockKlondike,
    table: KlondikeTable,
    arguments: &Arguments<'_>,
) -> Result<AnyGame, CallError> {
    let leaf = SolverLeaf::new(STOCK_LEAF.0, STOCK_LEAF.1);
    let leaf = leaf.map_err(|error| arguments.refuse(&error))?;
    let solver = StockSolverLeaf::new(&game, leaf);
    let free = game.turns_are_free();
    let measure = match table.scoring() {
        Scoring::Vegas => Measure::Score,
        Scoring::Win => Measure::Value,
    };
    let kit = Kit::new(game)
        .measured_by(measure)
        .leaf("uniform", Rollout { policy: Uniform, limit: LONGEST })
        .leaf("greedy", Rollout { policy: StockGreedy, limit: LONGEST });
    let kit = match (free, table.scoring()) {
        (true, _) => kit
            .search(&BEST, |_, p: BestParams| over_stocks(best(&p)))
            .search(&GREEDY, |_, ()| Ok(Box::new(First)))
            .search(&HOP, |_, p: HopParams| over_stocks(hop(&p))),
        (false, scoring) => kit.search(&BEST_PLANNING, move |_, p: BestParams| {
            let scale = if scoring == Scoring::Vegas { VEGAS } else { 1.0 };
            Ok(Box::new(planning(&p, scale)?))
        }),
    };
    let kit = match solver {
        Some(solver) => kit.leaf("solver", solver),
        None => kit,
    };
    let kit = kit
        .text()
        .opened(|game, state| Root::Certain(game.known(state)))
        .seeded(|game, seed| {
            let deal = Deal::seeded(game.rules(), seed);
            game.deal(&deal).expect("a deal by the game's own rules")
        })
        .numbered(move |game, name| {
            let position = table.deal(name).map_err(|error| error.to_string())?;
            game.state(&position).map_err(|error| error.to_string())
        })
        .reading(|game, text| {
            let position = super::format::read(game.rules(), text);
            let position = position.map_err(|error| error.to_string())?;
            game.state(&position).map_err(|error| error.to_string())
        });
    let kit = Arc::new(kit);
    let table = on_table(table).thought_of_as(
        Arc::clone(&kit),
        |game, table, position| table.lift_stock(game, position).map_err(|error| error.to_string()),
        |game, table, position, action| {
            table.lower_stock(game, position, action).unwrap_or_default()
        },
    );
    Ok(AnyGame::from(kit).on_table(table.into()))
}

/// What people play, and solvers that see all cards.
fn on_table(table: KlondikeTable) -> Kit<KlondikeTable> {
    let kit = Kit::new(table)
        .shown()
        .measured_by(Measure::WinProbability)
        .solved_when("won", |table, position| position.is_won(table.rules()), Objective::Win)
        .seeded(|table, seed| Position::deal(table.rules(), &Deal::seeded(table.rules(), seed)))
        .numbered(|table, name| table.deal(name).map_err(|error| error.to_string()))
        .reading(|table, text| table.read(text).map_err(|error| error.to_string()))
        .verified(verify)
        .solvable_if(|_, position| position.check_known().map_err(|error| error.to_string()))
        .written_whole(|_, position| {
            // A start is a line of digits; the middle of a game needs more.
            write(Format::Rrs, position).or_else(|_| write(Format::Pysol, position))
        })
        .format("solvitaire", |_, position| write(Format::Solvitaire, position))
        .format("pysol", |_, position| write(Format::Pysol, position))
        .format("rrs", |_, position| write(Format::Rrs, position));
    // It needs redeals without limit.
    if table.rules().redeals().is_some() {
        return kit;
    }
    kit.search(&THOUGHTFUL, |_, p: ThoughtfulParams| {
        let thoughtful = Thoughtful { take_back: p.take_back, ..Thoughtful::default() };
        Ok(limited(thoughtful, p.nodes))
    })
    .search(&OPTIMAL, |_, p: OptimalParams| {
        Ok(limited(Optimal { threads: p.threads }, p.expansions))
    })
    .search(&BOUND, |_, p: BoundParams| {
        let BoundParams { orders, reveals, nodes, judged } = p;
        Ok(Box::new(Bound::new(BoundSettings { orders, reveals, nodes, judged })?))
    })
}

fn write(format: Format, position: &Position) -> Result<String, String> {
    format.write(position).map_err(|error| error.to_string())
}

/// Replays moves by the obvious engine.
fn verify(table: &KlondikeTable, start: &Position, text: &str) -> Result<Checked, Invalid> {
    let mut moves = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for word in line.split_whitespace() {
            let parsed: Result<Move, _> = word.parse();
            moves.push(parsed.map_err(|error| Invalid::Text(format!("line {number}: {error}")))?);
        }
    }
    let rules = table.rules();
    let end = replay(rules, start, &moves).map_err(|error| Invalid::Step(error.to_string()))?;
    let reached = end.is_won(rules);
    Ok(Checked {
        value: length(&moves) as f64,
        length: moves.len(),
        reached,
        over: reached || rules.moves(&end).is_empty(),
        end: write(Format::Pysol, &end).unwrap_or_default(),
    })
}

fn best(p: &BestParams) -> Made<Klondike> {
    let BestParams { samples, nodes, unknown, c } = *p;
    Ok(Box::new(Best::new(BestSettings { samples, nodes, unknown, c })?))
}

/// About how much the results of two games in Las Vegas differ.
const VEGAS: f64 = 100.0;

/// The player where turns are not free: UCT over what is seen, with greedy play from its leaves, which
/// counts redeals as the game does. (A short depth-first search with all cards known at the leaves took ten
/// times as long and won no more.)
fn planning(p: &BestParams, scale: f64) -> Result<Uct<Rollout<StockGreedy>>, ParameterError> {
    let selection = Selection::Ucb1 { c: p.c * scale };
    let leaf = Rollout { policy: StockGreedy, limit: LONGEST };
    Uct::new(Settings { iterations: p.samples, selection, ..Settings::default() }, leaf)
}

/// A planner of the game with a known stock, where the stock must be turned.
fn over_stocks(planner: Made<Klondike>) -> Made<StockKlondike> {
    Ok(Box::new(OverStocks::new(planner?)))
}

fn hop(p: &HopParams) -> Made<Klondike> {
    let ties = match p.ties {
        Equals::Preferred => Ties::Preferred,
        Equals::Random => Ties::Random,
    };
    let hop = Hop::new(p.samples, NestedRollout::new(p.level)?)?.with_ties(ties);
    Ok(Box::new(match p.of {
        Of::Action => hop,
        Of::Decision => hop.with_samples_of_decision(),
    }))
}

const GERMAN: Words = Words::german(&[
    ("{card} from the waste to column {n}", "{card} vom offenen Stapel auf Spalte {n}"),
    ("{card} home from the waste", "{card} vom offenen Stapel auf die Ablage"),
    ("{card} home from column {n}", "{card} von Spalte {n} auf die Ablage"),
    ("{card} back to column {n}", "{card} zurück auf Spalte {n}"),
    ("turn the waste over", "offenen Stapel umdrehen"),
    ("Home", "Abgelegt"),
    ("{name}, {cards} at a time", "{name}, {cards} auf einmal"),
    ("one card", "eine Karte"),
    ("two cards", "zwei Karten"),
    ("three cards", "drei Karten"),
    ("One card", "Eine Karte"),
    ("Two cards", "Zwei Karten"),
    ("Three cards", "Drei Karten"),
    (
        "it is safe: all that can be done now can still be done after it",
        "er ist sicher: alles, was jetzt geht, geht auch danach noch",
    ),
    (
        "looking through the stock first costs nothing and shows all of it",
        "den Talon zuerst durchzusehen kostet nichts und zeigt ihn ganz",
    ),
]);
