//! FreeCell and its family by name.

mod solvers;

use patience_games::freecell::{
    Board, Build, Fill, FreeCell, GameError, Heuristic, Metric, Rules, Sequence, State,
};
use patience_plan::uct::Rollout;

pub(super) use solvers::SOLVERS;

use super::{GameEntry, GameInfo};
use crate::call::{Arguments, Call, CallError, Param};
use crate::kit::Kit;

/// The rules one by one, in place of those of the game that is named.
const CHANGES: [Param; 7] = [
    change("cells", "cells, each for one card, 0 to 12"),
    change("columns", "columns, 1 to 10"),
    change("build", "what goes onto what in columns: alternating, suit or rank"),
    change("fill", "what may go into an empty column: any, kings or nothing"),
    change("sequence", "cards that move at once: single, room (as cells allow) or unlimited"),
    change("filled", "cards that lie in cells at the start"),
    change("ranks", "ranks per suit, 1 to 13"),
];

const fn change(name: &'static str, meaning: &'static str) -> Param {
    Param { name, default: "as in rules", meaning }
}

const PARAMETERS: [Param; 9] = [
    Param {
        name: "rules",
        default: "freecell",
        meaning: "freecell, freecell-0 … freecell-3 (fewer cells), bakers-game, eight-off, seahaven-towers, forecell, relaxed-freecell, king-albert, beleaguered-castle, streets-and-alleys",
    },
    Param {
        name: "metric",
        default: "supermove; single where cards move one by one",
        meaning: "what one move is: single (one card), table1 (the paper's) or supermove (a run at once)",
    },
    CHANGES[0],
    CHANGES[1],
    CHANGES[2],
    CHANGES[3],
    CHANGES[4],
    CHANGES[5],
    CHANGES[6],
];

const INFO: GameInfo = GameInfo {
    name: "freecell",
    summary: "the solitaire with all cards in sight and a few free cells, and its family",
    rewards: "1 for every card that goes home",
    paper: "Paul and Helmert 2016",
    planner: "uct(scale=52)",
    parameters: &PARAMETERS,
};

pub(super) fn entry() -> GameEntry {
    GameEntry::new(INFO, |arguments| Ok(freecell(arguments)?.into()))
}

/// The rules that a string such as `bakers-game` or `freecell(cells=3, fill=kings)` names.
///
/// # Errors
/// Says where the string is wrong and what was expected.
pub fn freecell_rules(text: &str) -> Result<Rules, CallError> {
    let call = Call::parse(text)?;
    let names = Rules::PRESETS.map(|(name, _)| name);
    let rules = Rules::named(call.name()).ok_or_else(|| call.unknown("game", &names))?;
    changed(rules, &call.arguments(&CHANGES)?)
}

/// The metric that is meant where none is named: as people count moves, if the rules have that.
pub fn freecell_metric(rules: &Rules) -> Metric {
    if Metric::Supermove.check(rules).is_ok() { Metric::Supermove } else { Metric::Single }
}

fn changed(mut rules: Rules, arguments: &Arguments<'_>) -> Result<Rules, CallError> {
    let number = |key, value: &mut u8| {
        if let Some(n) = arguments.small(key)? {
            *value = u8::try_from(n).unwrap_or(u8::MAX);
        }
        Ok::<(), CallError>(())
    };
    number("cells", &mut rules.cells)?;
    number("columns", &mut rules.columns)?;
    number("filled", &mut rules.filled)?;
    number("ranks", &mut rules.ranks)?;
    // The first word is what `word` gives where the key is missing.
    match arguments.word("build", &["", "alternating", "suit", "rank"])? {
        "alternating" => rules.build = Build::AlternatingColour,
        "suit" => rules.build = Build::Suit,
        "rank" => rules.build = Build::Rank,
        _ => {}
    }
    match arguments.word("fill", &["", "any", "kings", "nothing"])? {
        "any" => rules.fill = Fill::Any,
        "kings" => rules.fill = Fill::Kings,
        "nothing" => rules.fill = Fill::Nothing,
        _ => {}
    }
    match arguments.word("sequence", &["", "single", "room", "unlimited"])? {
        "single" => rules.sequence = Sequence::Single,
        "room" => rules.sequence = Sequence::Room,
        "unlimited" => rules.sequence = Sequence::Unlimited,
        _ => {}
    }
    rules.check().map_err(|error| {
        use patience_games::freecell::RulesError as Error;
        let parameter = match error {
            Error::Columns(_) => "columns",
            Error::Cells(_) => "cells",
            Error::Ranks(_) => "ranks",
            Error::Filled(_) => "filled",
        };
        arguments.blame(parameter, error.to_string())
    })?;
    Ok(rules)
}

/// The game of a string such as `freecell(rules=bakers-game)`.
pub(crate) fn game(call: &Call) -> Result<FreeCell, CallError> {
    engine(&call.arguments(&PARAMETERS)?)
}

fn engine(arguments: &Arguments<'_>) -> Result<FreeCell, CallError> {
    let names = Rules::PRESETS.map(|(name, _)| name);
    let rules = Rules::named(arguments.word("rules", &names)?).unwrap_or(Rules::FREECELL);
    let rules = changed(rules, arguments)?;
    let metric = match arguments.word("metric", &["", "single", "table1", "supermove"])? {
        "" => freecell_metric(&rules),
        name => Metric::named(name).unwrap_or(Metric::Single),
    };
    FreeCell::new(rules, metric).map_err(|error| {
        let parameter = if matches!(error, GameError::Metric(_)) { "metric" } else { "rules" };
        arguments.blame(parameter, error.to_string())
    })
}

fn freecell(arguments: &Arguments<'_>) -> Result<Kit<FreeCell>, CallError> {
    let game = engine(arguments)?;
    let kit = Kit::new(game).text().keyed().undo().outcomes().encoded();
    let kit = kit.numbered(|game, number| {
        let board = Board::deal(game.rules(), number).map_err(|error| error.to_string())?;
        Ok(State::of(&board))
    });
    let kit = kit.reading(|game, text| {
        let board = Board::read(game.rules(), text).map_err(|error| error.to_string())?;
        Ok(State::of(&board))
    });
    // Random play goes round in circles: what it has not brought home by then it never will.
    let random = Rollout { limit: 500, ..Rollout::default() };
    let kit = kit.deterministic().policy("random", random);
    Ok(kit.solver(&SOLVERS[0], solvers::optimal).solver(&SOLVERS[1], solvers::satisficing))
}

/// The heuristic that a parameter names.
fn heuristic(arguments: &Arguments<'_>) -> Result<Heuristic, CallError> {
    let name = arguments.word("heuristic", &Heuristic::NAMES)?;
    Ok(Heuristic::named(name).unwrap_or(Heuristic::Best))
}
