//! Every game with every planner, by name, and what is said when a name is wrong.

use std::collections::BTreeSet;

use patience::plan::{Stats, StopReason};
use patience::prelude::*;

use crate::small;

/// Everything of an advice that must not depend on the clock.
fn timeless(advice: Advice) -> Advice {
    Advice { stats: Stats { seconds: 0.0, ..advice.stats }, ..advice }
}

#[test]
fn names_are_unique() {
    let registry = patience::registry();
    let unique = |names: Vec<&str>| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    assert!(unique(registry.games().map(|info| info.name).collect()));
    let solvers = registry.solvers().filter(|info| !info.advises);
    // Games may have searches of their own under one name: it is looked up in the game.
    let searches: Vec<_> =
        registry.planners().chain(solvers).map(|info| (info.name, info.games)).collect();
    for (i, (name, games)) in searches.iter().enumerate() {
        let same = |(other, of): &(&str, &[&str])| {
            let shared = of.iter().any(|game| games.contains(game));
            name == other && (games.is_empty() || of.is_empty() || shared)
        };
        assert!(!searches[i + 1..].iter().any(same), "{name}");
    }
}

#[test]
fn every_planner_plays_every_game_whose_capabilities_it_needs() {
    let registry = patience::registry();
    let more = ["sailing(size=3, start=random, run=2)", "freecell", "samegame"];
    for text in small::games().into_iter().chain(more) {
        let game = registry.game(text).unwrap();
        for planner in registry.planners() {
            let name = small::name(text);
            if !planner.games.is_empty() && !planner.games.contains(&name) {
                assert!(game.check(planner.name).is_err());
                continue;
            }
            let name = planner.name;
            // A planner of the game's own may think about the cards as they lie on the table.
            let on_table = !planner.games.is_empty() && game.check(name).is_err();
            let game = if on_table { game.table() } else { game.clone() };
            // A solver recommends nothing before it has found a solution.
            let most = if planner.proves { 10_000 } else { 60 };
            let advice = game.advise(name, &Budget::iterations(most), 3);
            if !planner.hidden && game.capabilities().contains(&"hidden") {
                assert!(advice.unwrap_err().to_string().contains("a hidden part"));
                continue;
            }
            if !planner.needs.is_empty() && !game.capabilities().contains(&planner.needs) {
                let message = advice.unwrap_err().to_string();
                let needs = format!("{} needs a game with the capability `", planner.name);
                assert!(message.contains(&needs), "{message}");
                assert!(message.contains(&format!("`{}`", planner.needs)), "{message}");
                assert!(game.check(planner.name).is_err());
                continue;
            }
            let advice = advice.unwrap();
            assert!(game.check(name).is_ok());
            assert_eq!((advice.game.as_str(), advice.planner.as_str()), (text, name));
            assert!(!advice.moves.is_empty(), "{name} on {text}");
            let best = advice.best.clone().unwrap_or_else(|| panic!("{name} on {text}"));
            assert!(advice.moves.iter().any(|m| m.action == best), "{name} on {text}: {best}");
            let stop = advice.stats.stop;
            assert!(
                matches!(stop, Some(StopReason::Iterations | StopReason::Complete)),
                "{name} on {text}: {stop:?}"
            );
            // A step of these is many iterations.
            assert!(planner.proves || advice.stats.counts.iterations <= most, "{name} on {text}");
            for m in &advice.moves {
                assert!(m.value.is_none_or(f64::is_finite), "{name} on {text}: {m:?}");
                let bounds = m.low.zip(m.high).zip(m.value);
                assert!(bounds.is_none_or(|((low, high), value)| low <= value && value <= high));
            }
            let again = game.advise(name, &Budget::iterations(most), 3).unwrap();
            assert_eq!(timeless(advice), timeless(again), "{name} on {text}");
        }
    }
}

#[test]
fn another_seed_is_another_search() {
    let registry = patience::registry();
    for (text, planner) in [("tic-tac-toe", "uct"), ("sailing(size=3)", "artdp"), ("tiger", "mc")] {
        let game = registry.game(text).unwrap();
        let moves = |seed| game.advise(planner, &Budget::iterations(50), seed).unwrap().moves;
        assert_eq!(moves(1), moves(1), "{planner} on {text}");
        assert!((2..6).any(|seed| moves(seed) != moves(1)), "{planner} on {text}");
    }
}

#[test]
fn a_planner_says_whether_it_ends_by_itself() {
    let game = patience::registry().game("sailing(size=2)").unwrap();
    for (planner, ends) in [
        ("uct", false),
        ("uct(iterations=inf)", false),
        ("uct(iterations=50)", true),
        ("mc", false),
        ("mmmc(iterations=5)", true),
        ("artdp", false),
        ("pg-id", false),
        ("random", true),
        ("sparse-sampling", true),
        ("value-iteration", true),
    ] {
        assert_eq!(game.ends(planner), Ok(ends), "{planner}");
        if ends {
            let advice = game.advise(planner, &Budget::UNLIMITED, 1).unwrap();
            assert_eq!(advice.stats.stop, Some(StopReason::Complete), "{planner}");
        }
    }
}

#[test]
fn the_values_that_parameters_are_said_to_take_are_taken() {
    let registry = patience::registry();
    for text in [
        "pgame(values=plus-minus-one)",
        "sailing(start=random)",
        "sailing(epsilon=0)",
        "sailing(run=18446744073709551615)",
        "tiger(horizon=10000, discount=1)",
    ] {
        registry.game(text).unwrap();
    }
    let sailing = registry.game("sailing(size=2)").unwrap();
    let board = registry.game("tic-tac-toe").unwrap();
    for text in [
        "uct(iterations=200, trees=20, width=inf, c=1)",
        "uct(iterations=1e3, trees=2, width=1)",
        "uct(selection=depth, horizon=4, c=0)",
        "uct(selection=tuned, scale=10)",
        "uct(selection=uniform, expand=inf, recommend=visits)",
        "uct(eval=perturbed, stop=visits, merge=true)",
        "uct(eval=rollout, limit=7, expand=0)",
        "mc(iterations=3, limit=2, recommend=visits)",
        "sparse-sampling(eval=zero, width=2)",
        "artdp(eval=perturbed, length=5, temperature=0.5)",
        "pg-id(exploration=boltzmann, temperature=2, eval=zero, max_horizon=1)",
    ] {
        let advice = sailing.advise(text, &Budget::iterations(30), 1).unwrap();
        assert!(advice.best.is_some(), "{text}");
    }
    for text in ["alpha-beta(low=-1, high=1, shuffle=false, eval=zero)", "alpha-beta(depth=2)"] {
        assert!(board.advise(text, &Budget::iterations(30), 1).unwrap().best.is_some(), "{text}");
    }
}

#[test]
fn a_wrong_game_is_told_with_column_and_near_match() {
    let registry = patience::registry();
    let mut wrong = Vec::new();
    for (text, fragments) in [
        ("", ["column 1", "expected a name"].as_slice()),
        ("sailng", &["column 1", "there is no game sailng", "did you mean `sailing`", "tiger"]),
        ("Tic-Tac-Toe", &["there is no game Tic-Tac-Toe", "did you mean `tic-tac-toe`"]),
        ("sailing(sise=3)", &["column 9", "no parameter sise", "did you mean `size`"]),
        ("sailing(size=1)", &["column 14", "size is 1, expected a whole number from 2 to 1000"]),
        ("sailing(size=1001)", &["column 14", "size is 1001, expected"]),
        ("sailing(size=5.5)", &["column 14", "size is 5.5, expected a whole number"]),
        ("sailing(size=5, epsilon=1)", &["column 25", "expected a number from 0 to below 1"]),
        ("sailing(epsilon=nan)", &["column 17", "epsilon is nan, expected a number"]),
        ("sailing(epsilon=inf)", &["column 17", "expected a number from 0 to below 1"]),
        ("sailing(start=randon)", &["column 15", "did you mean `random`"]),
        ("sailing(run=-1)", &["column 13", "expected a whole number"]),
        ("pgame(branching=0)", &["column 17", "from 1 to 10000, not 0"]),
        ("pgame(branching=2, depth=0)", &["column 26", "depth of a P-game", "not 0"]),
        ("pgame(depth=5000000000)", &["column 13", "expected a whole number"]),
        ("pgame(values=unifrom)", &["column 14", "did you mean `uniform`"]),
        ("tiger(horizon=0)", &["column 15", "from 1 to 10000 moves, not 0"]),
        ("tiger(horizon=5, discount=1.5)", &["column 27", "at most 1, not 1.5"]),
        ("tic-tac-toe(size=4)", &["column 13", "no parameter size", "its parameters: none"]),
        ("tiger(", &["column 7", "expected a parameter's name"]),
        ("tiger)", &["column 6", "expected nothing more here"]),
    ] {
        let message = registry.game(text).map(drop).unwrap_err().to_string();
        assert!(message.starts_with(&format!("`{text}`")), "{message}");
        let lacks = fragments.iter().filter(|fragment| !message.contains(**fragment));
        wrong.extend(lacks.map(|fragment| format!("{message}\n  should contain {fragment}\n")));
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn a_wrong_planner_is_told_with_column_and_near_match() {
    let registry = patience::registry();
    let sailing = registry.game("sailing(size=2)").unwrap();
    let board = registry.game("connect-four").unwrap();
    let tiger = registry.game("tiger").unwrap();
    let mut wrong = Vec::new();
    for (game, text, fragments) in [
        (&sailing, "uctt", ["column 1", "no planner uctt", "did you mean `uct`"].as_slice()),
        (&board, "alphabeta", &["no planner alphabeta", "did you mean `alpha-beta`"]),
        (&sailing, "uct(tres=3)", &["column 5", "no parameter tres", "did you mean `trees`"]),
        (&sailing, "mc(c=3)", &["column 4", "mc has no parameter c", "iterations, limit"]),
        (&sailing, "uct(c=-1)", &["column 7", "c is -1, expected a number from 0 on"]),
        (&sailing, "uct(c=inf)", &["column 7", "finite number"]),
        (&sailing, "uct(c=0, scale=inf)", &["finite number"]),
        (&sailing, "uct(trees=0)", &["column 11", "trees is 0, expected a whole number from 1 on"]),
        (&sailing, "uct(trees=4)", &["column 11", "trees is 4", "iterations"]),
        (&sailing, "uct(iterations=0)", &["column 16", "a whole number or inf from 1 on"]),
        (&sailing, "uct(width=0)", &["column 11", "a whole number or inf from 1 on"]),
        (&sailing, "uct(horizon=5)", &["column 13", "goes with selection=depth only"]),
        (&sailing, "uct(selection=depth, horizon=0)", &["column 30", "a whole number from 1 on"]),
        (&sailing, "uct(selection=depth, horizon=10001)", &["column 30", "from 1 to 10000"]),
        (&sailing, "uct(selection=ucb)", &["column 15", "did you mean `ucb1`"]),
        (&sailing, "uct(eval=perturb)", &["column 10", "rollout", "did you mean `perturbed`"]),
        (&sailing, "uct(merge=yes)", &["column 11", "expected one of false, true, across"]),
        (&sailing, "uct(p=2)", &["column 7", "p goes with backup=power only"]),
        (&sailing, "uct(threads=2)", &["column 13", "threads goes with batch or trees above 1"]),
        (&sailing, "uct(selection=boltzmann, c=7)", &["column 28", "c goes with a selection"]),
        (
            &sailing,
            "uct(selection=uniform, c=3)",
            &["column 26", "not boltzmann, dents or uniform"],
        ),
        (&sailing, "uct(eval=zero, limit=5)", &["column 22", "limit goes with eval=rollout"]),
        (
            &tiger,
            "pomcp",
            &["column 1", "no planner pomcp", "here it is uct, which plans on observ"],
        ),
        (&sailing, "GRAVE", &["no planner GRAVE", "here it is uct(sharing=grave, c=0)"]),
        (&tiger, "despot(default=chase)", &["column 16", "expected one of auto, repeat"]),
        (&sailing, "uct(prove=true, width=3)", &["column 23", "of the game itself"]),
        (&tiger, "uct(prove=true)", &["column 11", "without a hidden part"]),
        (&sailing, "uct(merge=true, backup=max)", &["column 24", "mean, because"]),
        (&sailing, "artdp(temperature=0)", &["column 19", "a number above 0"]),
        (&sailing, "artdp(length=0)", &["column 14", "trial_length is 0, expected a whole number"]),
        (&sailing, "artdp(eval=rollout)", &["column 12", "one of auto, perturbed, zero"]),
        (&sailing, "pg-id(error=inf)", &["column 13", "finite number above 0"]),
        (&sailing, "pg-id(horizon=5, max_horizon=4)", &["column 30", "no less than horizon"]),
        (&sailing, "sparse-sampling(depth=0)", &["column 23", "a whole number from 1 on"]),
        (&sailing, "value-iteration(epsilon=0)", &["column 25", "epsilon is 0"]),
        (&sailing, "random(seed=1)", &["column 8", "its parameters: none"]),
        (&board, "alpha-beta(low=1)", &["column 16", "low goes with high"]),
        (&board, "alpha-beta(high=1)", &["column 17", "high goes with low"]),
        (&board, "alpha-beta(low=1, high=0)", &["column 16", "(1, 0)", "low at most high"]),
        (&board, "alpha-beta(depth=0)", &["column 18", "above 0"]),
        (&tiger, "value-iteration", &["column 1", "a hidden part"]),
        (&tiger, "uct(merge=true)", &["column 11", "the capability `key`"]),
        (&tiger, "alpha-beta", &["a hidden part"]),
        (&sailing, "alpha-beta", &["the capability `undo`"]),
    ] {
        let message = game.check(text).expect_err(text).to_string();
        let lacks = fragments.iter().filter(|fragment| !message.contains(**fragment));
        wrong.extend(lacks.map(|fragment| format!("{message}\n  should contain {fragment}\n")));
        assert_eq!(game.advise(text, &Budget::iterations(1), 0).unwrap_err().to_string(), message);
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn numbers_at_the_edge_of_what_fits_do_no_harm() {
    let registry = patience::registry();
    let game = registry.game("sailing(size=2)").unwrap();
    for text in [
        "uct(iterations=18446744073709551615, trees=4294967295)",
        "uct(width=4294967295, expand=4294967295, limit=1)",
        "uct(scale=1e308, c=1)",
        "uct(limit=4294967295, expand=0)",
        "sparse-sampling(depth=4294967295, width=4294967295)",
        "pg-id(horizon=100000, max_horizon=100000)",
        "pg-id(width=1e308, error=1e-308)",
        "artdp(temperature=1e-308)",
        "artdp(temperature=inf)",
        "value-iteration(epsilon=1e300)",
    ] {
        let budget = Budget::model_calls(200).with_memory(1_000_000);
        let advice = game.advise(text, &Budget { iterations: Some(20), ..budget }, 1).unwrap();
        assert!(advice.best.is_some(), "{text}");
    }
}
