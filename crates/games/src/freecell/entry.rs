//! FreeCell and its family by name.

use std::sync::Arc;

use patience_catalogue::{
    AnyGame, Arguments, Auto, CallError, Checked, Deals, GameEntry, GameInfo, Invalid, Kit,
    Measure, Objective, Params, PlannerInfo, Value, Words, limited, params, words,
};
use patience_plan::uct::Rollout;

use super::bench::BENCHMARKS;
use super::{
    Board, Build, Distance, Fill, FreeCell, FreeCellTable, GameError, Heuristic, Metric,
    NotationFault, Optimal, Rules, RulesError, Satisficing, Sequence, notation, validator,
};
use crate::cards;

impl Value for Rules {
    const KIND: &'static str = "a game of the family";
    const WORDS: &'static [&'static str] = &{
        let mut names = [""; Rules::PRESETS.len()];
        let mut n = 0;
        while n < names.len() {
            names[n] = Rules::PRESETS[n].0;
            n += 1;
        }
        names
    };

    fn read(text: &str) -> Option<Self> {
        Rules::named(text)
    }
}

impl Value for Metric {
    const KIND: &'static str = "a metric";
    const WORDS: &'static [&'static str] = &["single", "table1", "supermove"];

    fn read(text: &str) -> Option<Self> {
        Metric::named(text)
    }
}

impl Value for Heuristic {
    const KIND: &'static str = "a heuristic";
    const WORDS: &'static [&'static str] = &Heuristic::NAMES;

    fn read(text: &str) -> Option<Self> {
        Heuristic::named(text)
    }
}

words! {
    /// What goes onto what in columns.
    enum BuildBy { Alternating = "alternating", Suit = "suit", Rank = "rank" }
}
words! {
    /// What may go into an empty column.
    enum FillBy { Any = "any", Kings = "kings", Nothing = "nothing" }
}
words! {
    /// How many cards move at once.
    enum MoveBy { Single = "single", Room = "room", Unlimited = "unlimited" }
}

params! {
    struct FamilyParams {
        /// The game of the family
        rules: Rules = "freecell";
        /// What one move is: single (one card), table1 (the paper's) or supermove (a run at once);
        /// auto: supermove, and single where cards move one by one
        metric: Auto<Metric> = "auto";
        /// Cells, each for one card; auto: as in rules
        cells: Auto<u8> = "auto", min 0, max 12;
        /// Columns; auto: as in rules
        columns: Auto<u8> = "auto", min 1, max 10;
        /// What goes onto what in columns; auto: as in rules
        build: Auto<BuildBy> = "auto";
        /// What may go into an empty column; auto: as in rules
        fill: Auto<FillBy> = "auto";
        /// Cards that move at once: single, room (as cells allow) or unlimited; auto: as in rules
        sequence: Auto<MoveBy> = "auto";
        /// Cards that lie in cells at the start; auto: as in rules
        filled: Auto<u8> = "auto";
        /// Ranks per suit; auto: as in rules
        ranks: Auto<u8> = "auto", min 1, max 13;
    }
}
params! {
    struct OptimalParams {
        /// What a solution costs at least: best, or the paper's h0 to h4
        heuristic: Heuristic = "best";
        /// States to expand at most; then the bounds by then count
        expansions: Option<u64> = "inf", min 1;
        /// Threads; the solution is the same on any number of them
        threads: usize = "1", min 1, max 1024;
    }
}
params! {
    struct SatisficingParams {
        /// States to expand at most
        expansions: Option<u64> = "inf", min 1;
    }
}

/// The game by name.
const INFO: GameInfo = GameInfo {
    name: "freecell",
    title: "FreeCell",
    summary: "the solitaire with all cards in sight and a few free cells, and its family",
    rewards: "1 for every card that goes home",
    paper: "Paul and Helmert 2016",
    planner: "uct(scale=52)",
    solver: "satisficing",
    optimiser: "optimal",
    deals: Deals::Numbers(32_000),
    positions: "one column per line, with lines for foundations and cells",
    score: "Home",
    variants: &[
        ("freecell", "FreeCell"),
        ("freecell(rules=bakers-game)", "Baker's Game"),
        ("freecell(rules=eight-off)", "Eight Off"),
        ("freecell(rules=seahaven-towers)", "Seahaven Towers"),
        ("freecell(rules=forecell)", "ForeCell"),
        ("freecell(rules=relaxed-freecell)", "Relaxed FreeCell"),
        ("freecell(rules=king-albert)", "King Albert"),
        ("freecell(rules=beleaguered-castle)", "Beleaguered Castle"),
        ("freecell(rules=streets-and-alleys)", "Streets and Alleys"),
        ("freecell(rules=freecell-0)", "FreeCell without cells"),
        ("freecell(rules=freecell-1)", "FreeCell with one cell"),
        ("freecell(rules=freecell-2)", "FreeCell with two cells"),
        ("freecell(rules=freecell-3)", "FreeCell with three cells"),
    ],
    page: 2,
    parameters: FamilyParams::PARAMS,
    words: &[cards::GERMAN, GERMAN],
    ..GameInfo::NEW
};

const SOLVER: PlannerInfo = PlannerInfo {
    iteration: "expanded state",
    advises: true,
    solves: true,
    proves: true,
    measure: Some(Measure::StepsToGo),
    games: &["freecell"],
    ..PlannerInfo::NEW
};

const OPTIMAL: PlannerInfo = PlannerInfo {
    name: "optimal",
    summary: "a shortest solution with its proof: any solution first, then A* below it",
    guarantee: "the length is the least there is, or unsolvable is proven, by exhaustion",
    paper: "Paul and Helmert 2016",
    version: 10,
    parameters: OptimalParams::PARAMS,
    ..SOLVER
};

const SATISFICING: PlannerInfo = PlannerInfo {
    name: "satisficing",
    summary: "any solution at once: greedy search, begun anew with other weights",
    guarantee: "complete; unsolvable is proven by exhaustion; lengths are not the least",
    version: 10,
    parameters: SatisficingParams::PARAMS,
    ..SOLVER
};

const DISTANCE: PlannerInfo = PlannerInfo {
    name: "distance",
    summary: "how many steps every move leaves to go, between proven bounds",
    guarantee: "anytime; bounds are proven, and the best move's value once complete",
    paper: "Paul and Helmert 2016",
    ..SOLVER
};

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    GameEntry::new(INFO, game)
        .with_searches(&[&OPTIMAL, &SATISFICING, &DISTANCE])
        .with_benchmarks(BENCHMARKS)
        .with_specs(specs!["freecell-table-1", "freecell-5000", "freecell-heuristics"])
}

/// The rules with their changes.
fn rules(p: &FamilyParams, arguments: &Arguments<'_>) -> Result<Rules, CallError> {
    let mut rules = p.rules;
    let changes = [
        (p.cells, &mut rules.cells),
        (p.columns, &mut rules.columns),
        (p.filled, &mut rules.filled),
        (p.ranks, &mut rules.ranks),
    ];
    for (Auto(given), value) in changes {
        *value = given.unwrap_or(*value);
    }
    rules.build = p.build.0.map_or(rules.build, |build| match build {
        BuildBy::Alternating => Build::AlternatingColour,
        BuildBy::Suit => Build::Suit,
        BuildBy::Rank => Build::Rank,
    });
    rules.fill = p.fill.0.map_or(rules.fill, |fill| match fill {
        FillBy::Any => Fill::Any,
        FillBy::Kings => Fill::Kings,
        FillBy::Nothing => Fill::Nothing,
    });
    rules.sequence = p.sequence.0.map_or(rules.sequence, |sequence| match sequence {
        MoveBy::Single => Sequence::Single,
        MoveBy::Room => Sequence::Room,
        MoveBy::Unlimited => Sequence::Unlimited,
    });
    rules.check().map_err(|error| {
        let parameter = match error {
            RulesError::Columns(_) => "columns",
            RulesError::Cells(_) => "cells",
            RulesError::Ranks(_) => "ranks",
            RulesError::Filled(_) => "filled",
        };
        arguments.blame(parameter, error.to_string())
    })?;
    Ok(rules)
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let p = FamilyParams::read(arguments)?;
    let rules = rules(&p, arguments)?;
    // As people count moves, if the rules have that.
    let usual = || match Metric::Supermove.check(&rules) {
        Ok(()) => Metric::Supermove,
        Err(_) => Metric::Single,
    };
    let engine = FreeCell::new(rules, p.metric.0.unwrap_or_else(usual)).map_err(|error| {
        let parameter = if matches!(error, GameError::Metric(_)) { "metric" } else { "rules" };
        arguments.blame(parameter, error.to_string())
    })?;
    // Random play goes round in circles: what it has not brought home by then it never will.
    let random = Rollout { limit: 500, ..Rollout::default() };
    let table = FreeCellTable::new(engine.clone());
    let (deals, texts) = (table.clone(), table.clone());
    let kit = Kit::new(engine)
        .text()
        .keyed()
        .undo()
        .outcomes()
        .encoded()
        .deterministic()
        .policy("random", random)
        .solved_when("solved", |game, state| state.is_solved(game.rules()), Objective::Length)
        .numbered(move |_, number| deals.deal(number).map(|board| deals.lift(&board)))
        .reading(move |_, text| texts.read(text).map(|board| texts.lift(&board)));
    let kit = Arc::new(kit);
    let table = Kit::new(table)
        .shown()
        .suited_to("distance")
        .solved_when("solved", |table, board| board.is_solved(table.rules()), Objective::Length)
        .numbered(FreeCellTable::deal)
        .reading(FreeCellTable::read)
        .verified(verify)
        .written(|table, board, steps| {
            notation::standard(table.rules(), table.metric(), board, steps)
        })
        .numbered_steps(|_, board, steps| notation::numbered(board, steps))
        .format("text", |_, board| Ok(board.to_string()))
        .search(&OPTIMAL, |_, p: OptimalParams| {
            let planner = Optimal { heuristic: p.heuristic, threads: p.threads };
            Ok(limited(planner, p.expansions))
        })
        .search(&SATISFICING, |_, p: SatisficingParams| Ok(limited(Satisficing, p.expansions)))
        .search(&DISTANCE, |_, ()| Ok(Box::new(Distance)))
        .thought_of_as(
            Arc::clone(&kit),
            |_, table, board| Ok(table.lift(board)),
            |_, table, board, m| vec![table.lower(board, m)],
        );
    Ok(AnyGame::from(kit).on_table(table.into()))
}

/// Replays a solution by the validator, in standard notation or as numbered steps.
fn verify(table: &FreeCellTable, board: &Board, text: &str) -> Result<Checked, Invalid> {
    let (rules, metric) = (table.rules(), table.metric());
    let numbered = text.split_whitespace().next().is_some_and(|word| word.ends_with('.'));
    let read = match numbered {
        true => notation::read_numbered(rules, metric, board, text),
        false => notation::read_standard(rules, metric, board, text),
    };
    let steps = read.map_err(|error| match error.fault {
        // A step that can be read but breaks a rule is no solution; the rest is no text of one.
        NotationFault::Rule(_) => Invalid::Step(error.to_string()),
        _ => Invalid::Text(error.to_string()),
    })?;
    let reached = match validator::verify(rules, metric, board, &steps) {
        Ok(_) => true,
        Err(validator::Invalid::Unfinished { .. }) => false,
        Err(error) => return Err(Invalid::Step(error.to_string())),
    };
    let mut end = board.clone();
    steps.iter().for_each(|step| validator::make(&mut end, step));
    Ok(Checked {
        value: steps.len() as f64,
        length: steps.len(),
        reached,
        over: reached || table.steps(&end).is_empty(),
        end: end.to_string(),
    })
}

const GERMAN: Words = Words::german(&[
    ("{card} to cell {cell}", "{card} auf Zelle {cell}"),
    ("{card} home", "{card} auf die Ablage"),
    ("cell {cell}", "Zelle {cell}"),
    ("Home", "Abgelegt"),
    ("{name} with {n} cells", "{name} mit {n} Zellen"),
    ("{name} without cells", "{name} ohne Zellen"),
    ("{name} with one cell", "{name} mit einer Zelle"),
    ("{name} with two cells", "{name} mit zwei Zellen"),
    ("{name} with three cells", "{name} mit drei Zellen"),
    ("{name} by other rules", "{name} mit anderen Regeln"),
]);
