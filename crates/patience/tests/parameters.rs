//! Parameters are declared once and read once: what a table, a planner and a solver make of a string
//! is the same, and a default that is given is the same as one that is not.

use std::collections::BTreeSet;

use patience::model::Scene;
use patience::plan::Stats;
use patience::prelude::*;
use patience::{Param, PlannerInfo, Setup, Table};

use crate::small;

/// The planners and solvers that a game has, each once.
fn searches(game: &AnyGame) -> Vec<&'static PlannerInfo> {
    let mut all = game.planners();
    for info in game.solvers() {
        if !all.iter().any(|other| other.name == info.name) {
            all.push(info);
        }
    }
    all
}

/// All that a short search says, but for the clock; with the name of what it is a search by.
fn said(game: &AnyGame, info: &PlannerInfo, call: &str) -> String {
    let budget = Budget::iterations(20);
    let mut told = String::new();
    // A solver sees what is hidden from planners, so one that is both may be one of them alone here.
    if game.planners().iter().any(|planner| planner.name == info.name) {
        // What thinks about the cards as they lie is asked there.
        let game = if game.check(info.name).is_ok() { game.clone() } else { game.table() };
        let advice = game.advise(call, &budget, 3).unwrap_or_else(|e| panic!("{game}: {e}"));
        let Advice { best, moves, lost, measure, stats, .. } = advice;
        let stats = Stats { seconds: 0.0, ..stats };
        told += &format!("{best:?} {moves:?} {lost:?} {measure:?} {stats:?}\n");
    }
    if game.solvers().iter().any(|solver| solver.name == info.name) {
        let on_table = game.table().solvers().iter().any(|s| s.name == info.name);
        let game = if on_table { game.table() } else { game.clone() };
        let solved = game.start(3).solve(Some(call), &budget, 3, &Cancel::new(), &mut |_| ());
        let solved = solved.unwrap_or_else(|error| panic!("{game}: {error}"));
        let stats = Stats { seconds: 0.0, ..solved.stats };
        told += &format!("{:?}\n", Solved { solver: String::new(), stats, ..solved });
    }
    told
}

#[test]
fn every_listed_planner_and_solver_is_made_with_its_defaults_and_with_them_given() {
    let mut made = BTreeSet::new();
    for text in small::games() {
        let game = patience::registry().game(text).unwrap();
        for info in searches(&game) {
            made.insert(info.name);
            let plain = said(&game, info, info.name);
            for p in info.parameters {
                for key in [p.name].iter().chain(p.aliases) {
                    let given = format!("{}({key}={})", info.name, p.default);
                    assert_eq!(said(&game, info, &given), plain, "{given} on {text}");
                }
            }
        }
    }
    let listed = patience::registry().planners().chain(patience::registry().solvers());
    assert_eq!(made, listed.map(|info| info.name).collect());
}

/// A limit of the search's own holds like a budget's, also where a step does much.
#[test]
fn a_limit_of_a_search_is_kept_like_that_of_a_budget() {
    let mut tried = 0;
    for text in small::variants() {
        let game = patience::registry().played(text).unwrap().table();
        for info in game.solvers() {
            let limits = ["expansions", "nodes", "rollouts"];
            let own = info.parameters.iter().find(|p| limits.contains(&p.name));
            let Some(key) = own.filter(|p| p.default == "inf").map(|p| p.name) else { continue };
            let spent = |call: &str, budget: &Budget| {
                let start = game.deal(game.info().first_deal(), 1).unwrap();
                let solved = start.solve(Some(call), budget, 1, &Cancel::new(), &mut |_| ());
                solved.unwrap_or_else(|error| panic!("{call} on {text}: {error}")).stats.counts
            };
            for limit in [1, 10, 100] {
                let own = spent(&format!("{}({key}={limit})", info.name), &Budget::UNLIMITED);
                let budget = spent(info.name, &Budget::iterations(limit));
                assert_eq!(own, budget, "{}({key}={limit}) on {text}", info.name);
                assert!(own.iterations <= limit, "{}({key}={limit}) on {text}: {own:?}", info.name);
            }
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn what_is_not_listed_for_a_game_is_not_made() {
    for text in small::games() {
        let game = patience::registry().game(text).unwrap();
        for info in patience::registry().planners() {
            let listed = game.planners().iter().any(|p| p.name == info.name);
            let made = game.check(info.name).is_ok() || game.table().check(info.name).is_ok();
            assert_eq!(listed, made, "{} on {text}", info.name);
        }
        for info in patience::registry().solvers() {
            let listed = game.solvers().iter().any(|p| p.name == info.name);
            let made = game.solving(info.name, &Budget::iterations(1));
            assert_eq!(listed, made.is_ok(), "{} on {text}", info.name);
        }
    }
}

#[test]
fn every_variant_has_the_planners_and_solvers_that_it_names() {
    for text in small::variants() {
        for game in [patience::registry().game(text), patience::registry().played(text)] {
            let table = game.unwrap().table();
            table.check(table.planner()).unwrap_or_else(|error| panic!("{text}: {error}"));
            for planner in table.planners() {
                table.check(planner.name).unwrap_or_else(|error| panic!("{text}: {error}"));
            }
            for solver in table.solver().into_iter().chain(table.optimiser()) {
                assert!(table.solving(solver, &Budget::iterations(1)).is_ok(), "{text}");
            }
            for solver in table.solvers() {
                let made = table.solving(solver.name, &Budget::iterations(1));
                assert!(made.is_ok(), "{} on {text}", solver.name);
            }
        }
    }
}

#[test]
fn a_default_of_a_game_that_is_given_changes_nothing() {
    let registry = patience::registry();
    let say = |game: AnyGame| {
        let Advice { best, moves, position, .. } =
            game.advise(game.planner(), &Budget::iterations(5), 3).unwrap();
        format!("{} {best:?} {moves:?} {position}", game.start(3).whole_text())
    };
    for info in registry.games() {
        let plain = say(registry.game(info.name).unwrap());
        let played = say(registry.played(info.name).unwrap().table());
        for p in info.parameters {
            let given = format!("{}({}={})", info.name, p.name, p.default);
            let made = registry.game(&given).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(say(made), plain, "{given}");
            // Where people play by other rules than the papers', those are the defaults.
            if info.played.iter().all(|(key, _)| *key != p.name) {
                assert_eq!(say(registry.played(&given).unwrap().table()), played, "{given}");
            }
        }
        for (key, value) in info.played {
            let given = format!("{}({key}={value})", info.name);
            assert_eq!(say(registry.played(&given).unwrap().table()), played, "{given}");
        }
    }
}

#[test]
fn what_is_declared_of_a_parameter_holds() {
    let registry = patience::registry();
    let searches: Vec<&PlannerInfo> = registry.planners().chain(registry.solvers()).collect();
    let all = registry.games().map(|info| (info.name, info.parameters));
    for (name, parameters) in all.chain(searches.iter().map(|info| (info.name, info.parameters))) {
        for p in parameters {
            let Param { default, words, .. } = *p;
            assert!(!p.meaning.is_empty() && !p.meaning.ends_with('.'), "{name}: {p:?}");
            let word = ["auto", "inf"].contains(&default) || words.contains(&default);
            assert!(words.is_empty() || word, "{name}: {p:?}");
            let same = |other: &&Param| other.is(p.name) || p.aliases.iter().any(|a| other.is(a));
            assert_eq!(parameters.iter().filter(same).count(), 1, "{name}: {p:?}");
        }
    }
    // Every word is taken, and a number outside its range is refused.
    for info in registry.games() {
        for p in info.parameters {
            for word in p.words {
                let text = format!("{}({}={word})", info.name, p.name);
                assert!(registry.game(&text).is_ok(), "{text}: {:?}", registry.game(&text));
            }
            let (below, above) = (p.min.map(|min| min - 1.0), p.max.map(|max| max + 1.0));
            for number in below.into_iter().chain(above) {
                let text = format!("{}({}={number})", info.name, p.name);
                let error = registry.game(&text).unwrap_err().to_string();
                assert!(error.contains("expected"), "{error}");
            }
        }
    }
    for text in small::games() {
        let game = registry.game(text).unwrap();
        for info in searches.iter().filter(|info| info.advises) {
            let Some(game) =
                [game.clone(), game.table()].into_iter().find(|g| g.check(info.name).is_ok())
            else {
                continue;
            };
            for p in info.parameters {
                for word in p.words {
                    let text = format!("{}({}={word})", info.name, p.name);
                    // Some ingredients need what this game may lack.
                    if let Err(error) = game.check(&text) {
                        assert!(error.to_string().contains("the capability `"), "{error}");
                    }
                }
                let (below, above) = (p.min.map(|min| min - 1.0), p.max.map(|max| max + 1.0));
                for number in below.into_iter().chain(above) {
                    let text = format!("{}({}={number})", info.name, p.name);
                    let error = game.check(&text).unwrap_err().to_string();
                    assert!(error.contains("expected"), "{error}");
                }
            }
        }
    }
}

#[test]
fn older_names_of_parameters_are_understood_but_not_beside_the_new_ones() {
    let lake = patience::registry().game("sailing(size=3)").unwrap();
    let think = |planner: &str| lake.advise(planner, &Budget::UNLIMITED, 1).unwrap().moves;
    assert_eq!(think("uct(trajectories=30)"), think("uct(iterations=30)"));
    assert_ne!(think("uct(trajectories=30)"), think("uct(iterations=40)"));
    let error = lake.check("uct(iterations=30, trajectories=30)").unwrap_err();
    assert_eq!(error.column(), 20);
    assert!(error.to_string().contains("given twice"), "{error}");
}

/// Plays on at random, and plays every hint at every step.
fn hints_can_be_played(table: &mut Table, steps: usize) {
    let mut rng = Rng::new(7);
    for step in 0..steps {
        let budget = Budget::iterations(8);
        let hint = table.hint(None, &budget, step as u64, &Cancel::new(), &mut |_| ()).unwrap();
        for m in &hint.moves {
            let mut on = table.clone();
            for name in &m.moves {
                on.play(name).unwrap_or_else(|error| panic!("{}: {error}", m.action));
            }
        }
        let legal = table.view().legal;
        if legal.is_empty() {
            return;
        }
        table.play(&legal[rng.index(legal.len())].name).unwrap();
    }
}

/// The table once read `draw` by itself, and took 1e0 for 3.
#[test]
fn a_number_is_the_same_number_at_the_table_and_for_planners() {
    let setup = r#"{"game":"klondike(draw=1e0)","deal":"seed:7"}"#;
    let setup: Setup = serde_json::from_str(setup).unwrap();
    let mut table = Table::open(patience::registry(), &setup, &[]).unwrap();
    let plain = Setup::deal("klondike(draw=1)", "seed:7");
    let plain = Table::open(patience::registry(), &plain, &[]).unwrap();
    assert_eq!(table.view().title, "Klondike, one card at a time");
    assert_eq!(table.state().whole_text(), plain.state().whole_text());
    assert_eq!(table.view().legal, plain.view().legal);
    let think = |table: &Table| {
        let budget = Budget::iterations(100);
        table.hint(None, &budget, 1, &Cancel::new(), &mut |_| ()).unwrap().moves
    };
    assert_eq!(think(&table), think(&plain));
    hints_can_be_played(&mut table, 40);
    assert!(table.moves().len() > 30);

    let game = "samegame(width=1e1, height=1e1)";
    let setup = Setup::deal(game, "3");
    let mut table = Table::open(patience::registry(), &setup, &[]).unwrap();
    let Scene::Tiles { width, height, columns } = table.view().scene else { panic!("no tiles") };
    assert_eq!((width, height, columns.len(), columns[0].len()), (10, 10, 10, 10));
    let planners = patience::registry().game(game).unwrap();
    assert_eq!(planners.start(3).text(), table.view().text);
    let said = |game: &AnyGame| game.advise("nrpa", &Budget::iterations(20), 3).unwrap().moves;
    let plain = patience::registry().game("samegame(width=10, height=10)").unwrap();
    assert_eq!(said(&planners), said(&plain));
    hints_can_be_played(&mut table, 20);
}
