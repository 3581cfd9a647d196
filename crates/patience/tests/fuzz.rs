//! Bad input for every reader of the facade: names, deals, positions, solutions, specs, tables. None
//! panics, none takes long, and what is read back is what was written.

#[path = "../../../fuzz/mutate.rs"]
mod mutate;

use patience::lab::{self, Done, Spec};
use patience::prelude::*;
use patience::{Setup, Table};

use mutate::{for_long, shortly};

/// Games that are read from text, and how else they may be called.
const GAMES: &[&str] = &[
    "klondike",
    "klondike(draw=1)",
    "freecell",
    "freecell(cells=2)",
    "samegame",
    "samegame(width=5, height=4, colours=3)",
    "black-hole",
    "golf",
    "tic-tac-toe",
    "connect-four",
    "2048",
];

/// The first line and the rest.
fn parts(bytes: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    (first.to_owned(), rest.to_owned())
}

/// Games whose making is quick: what is large is refused by its parameters' ranges.
fn game(name: &str) -> Result<AnyGame, String> {
    patience::registry().played(name).map_err(|error| error.to_string())
}

/// A name, and a planner's or solver's string for it.
fn strings(bytes: &[u8]) -> String {
    let (name, planner) = parts(bytes);
    match game(&name) {
        Err(error) => error,
        Ok(game) => match game.check(&planner) {
            Err(error) => error.to_string(),
            Ok(()) => "a planner".to_owned(),
        },
    }
}

fn string_seeds() -> Vec<Vec<u8>> {
    let registry = patience::registry();
    let games = registry.games().map(|info| info.name);
    let planners: Vec<&str> =
        registry.planners().chain(registry.solvers()).map(|info| info.name).collect();
    games
        .flat_map(|game| planners.iter().map(move |p| format!("{game}\n{p}").into_bytes()))
        .collect()
}

/// A game and the name of a deal.
fn deals(bytes: &[u8]) -> String {
    let (name, deal) = parts(bytes);
    let Ok(game) = game(&name) else { return "no game".to_owned() };
    match game.table().deal(&deal, 1) {
        Err(error) => error,
        Ok(state) => format!("a deal of {} moves", state.count().min(3)),
    }
}

fn deal_seeds() -> Vec<Vec<u8>> {
    let names = ["1", "seed:7", "32000", "seed:18446744073709551615", "1000000"];
    let all = patience::registry().games().map(|info| info.name);
    all.flat_map(|game| names.map(|name| format!("{game}\n{name}").into_bytes())).collect()
}

/// A game and a position in any format: what is read is written and read again as the same.
fn positions(bytes: &[u8]) -> String {
    let (name, text) = parts(bytes);
    let Ok(game) = game(&name) else { return "no game".to_owned() };
    let table = game.table();
    let state = match table.read(&text, 1) {
        Err(error) => return error,
        Ok(state) => state,
    };
    let whole = state.whole_text();
    let again =
        table.read(&whole, 1).unwrap_or_else(|e| panic!("{e}, in what was written:\n{whole}"));
    assert_eq!(again.whole_text(), whole);
    assert_eq!(again.actions(), state.actions());
    let _ = (state.scene(), state.title(), table.check_start(&text));
    for format in table.formats() {
        let _ = state.write(format);
    }
    let mut played = state;
    while !played.is_over() && played.moves() < 3 {
        played.step(0).expect("a legal move is played");
    }
    "a position".to_owned()
}

fn position_seeds() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for name in GAMES {
        let table = game(name).unwrap().table();
        let state = table.deal("seed:1", 1).unwrap();
        all.push(format!("{name}\n{}", state.whole_text()).into_bytes());
        for format in table.formats() {
            let text = state.write(format).unwrap();
            all.push(format!("{name}\n{text}").into_bytes());
        }
    }
    all
}

/// A game, a seed, and a solution: it stands or it does not, and the reason is said.
fn solutions(bytes: &[u8]) -> String {
    let (name, rest) = parts(bytes);
    let (deal, solution) = rest.split_once('\n').unwrap_or((&rest, ""));
    let Ok(game) = game(&name) else { return "no game".to_owned() };
    let Ok(state) = game.table().deal(deal, 1) else { return "no deal".to_owned() };
    match state.verify(solution) {
        Err(invalid) => invalid.to_string(),
        Ok(checked) => format!("stands, {} of {}", checked.reached, checked.over),
    }
}

fn solution_seeds() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let budget = Budget::iterations(3000);
    for name in ["klondike", "freecell", "black-hole", "golf", "samegame"] {
        for deal in ["seed:1", "seed:3"] {
            let state = game(name).unwrap().table().deal(deal, 1).unwrap();
            let solved = state.solve(None, &budget, 1, &Cancel::new(), &mut |_| ()).unwrap();
            let solution = solved.solution.unwrap_or_default();
            all.push(format!("{name}\n{deal}\n{solution}").into_bytes());
        }
    }
    all
}

/// A spec is read in both versions and, if it is small, its tasks are made.
fn specs(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut said = String::new();
    for quick in [false, true] {
        match Spec::parse("fuzz.toml", &text, quick) {
            Err(error) => said += &error.to_string(),
            Ok(spec) if spec.arms.len() <= 8 => {
                let resolve = patience::resolve(patience::registry());
                said +=
                    &lab::check(&spec, &resolve).map_or_else(|e| e.to_string(), |_| "fine".into());
            }
            Ok(_) => said += "many arms",
        }
    }
    said
}

fn spec_seeds() -> Vec<Vec<u8>> {
    patience::registry().specs().map(|(_, text)| text.as_bytes().to_vec()).collect()
}

#[derive(serde::Deserialize)]
struct Question {
    setup: Setup,
    #[serde(default)]
    moves: Vec<String>,
}

/// What the page sends: a table is set up, its moves are played, and it is shown.
fn tables(bytes: &[u8]) -> String {
    let question: Question = match serde_json::from_slice(bytes) {
        Ok(question) => question,
        Err(error) => return error.to_string(),
    };
    match Table::open(patience::registry(), &question.setup, &question.moves) {
        Err(error) => error.to_string(),
        Ok(table) => {
            let view = serde_json::to_string(&table.view()).expect("a view is JSON");
            format!("a table of {}", view.len() / 1000)
        }
    }
}

fn table_seeds() -> Vec<Vec<u8>> {
    let deal = |game| format!(r#"{{"setup":{{"game":"{game}","deal":"seed:2"}},"moves":[]}}"#);
    patience::registry().games().map(|info| deal(info.name).into_bytes()).collect()
}

/// Units on their way from another machine: any bytes are refused or are units, every bit kept.
fn units(bytes: &[u8]) -> String {
    match Done::unpack(bytes) {
        None => format!("no units {}", bytes.len() % 8),
        Some(all) => {
            assert_eq!(Done::pack(&all), bytes);
            format!("units {}", all.len().min(3))
        }
    }
}

fn unit_seeds() -> Vec<Vec<u8>> {
    let unit = |unit, values: &[f64]| Done { hash: 7, unit, values: values.to_vec(), seconds: 0.5 };
    vec![Done::pack(&[unit(3, &[1.0, -0.0, f64::NAN]), unit(4, &[])]), Done::pack(&[])]
}

macro_rules! targets {
    ($($name:ident, $seeds:ident, $inputs:expr;)*) => { $(
        mod $name {
            #[test]
            fn bears_changed_inputs() {
                super::shortly(stringify!($name), super::$seeds(), $inputs, super::$name);
            }

            #[test]
            #[ignore = "PATIENCE_FUZZ_SECONDS long, five minutes if nothing is set"]
            fn bears_changed_inputs_for_long() {
                super::for_long(stringify!($name), super::$seeds(), super::$name);
            }
        }
    )* };
}

targets! {
    strings, string_seeds, 1500;
    deals, deal_seeds, 1500;
    positions, position_seeds, 1500;
    solutions, solution_seeds, 600;
    specs, spec_seeds, 400;
    tables, table_seeds, 600;
    units, unit_seeds, 1500;
}
