//! `patience hint`: what every move is worth, and that it can be made.

use crate::support;

use serde_json::Value;
use support::{BACK, Bench};

#[test]
fn chances_have_intervals() {
    let bench = Bench::new();
    let advice = bench.json(&["hint", "klondike", "seed:1", "--iterations", "200", "--json"]);
    let moves = advice["moves"].as_array().unwrap();
    assert!(moves.len() > 1);
    for m in moves {
        for key in ["action", "value", "low", "high", "samples", "sure"] {
            assert!(m.get(key).is_some(), "{m}");
        }
        assert!((0.0..=1.0).contains(&m["value"].as_f64().unwrap()), "{m}");
    }
}

/// A hint tells the steps to go, or that there is no solution.
#[test]
fn steps_to_go_have_bounds() {
    let bench = Bench::new();
    let lost = bench.ok(&["hint", "freecell", "11982", "--time", "60"]);
    assert!(lost.contains("Lost. There is no solution"), "{lost}");
    assert_eq!(lost.matches("loses").count(), 11, "{lost}");
    bench.write("end.txt", "Foundations: H-K C-K D-K S-J\n: KS QS\n:\n:\n:\n:\n:\n:\n:\n");
    let said = bench.json(&["hint", "freecell", "end.txt", "--json"]);
    assert_eq!((&said["planner"], &said["best"]), (&"distance".into(), &"1h".into()));
    let home = said["moves"].as_array().unwrap().iter().find(|m| m["action"] == "1h").unwrap();
    assert_eq!((&home["value"], &home["sure"]), (&2.0.into(), &true.into()));
    bench.fails(&["hint", "klondike", "--planner", "distance"], 2, &["no planner distance"]);
}

/// Nothing lies face down here, and greedy play wins: the paper's game is over.
const OPEN: &str = "Foundations: C-8 D-7 H-4 S-2\nTalon: 8D 5S\nRedeals: 11\n\
    KS QH JS TD 9C 8H 7S 6H\nKH QS JH TS 9D 8S 7H 6S 5H 4S\nKD QC JD TC 9H\nKC QD JC TH 9S\n:\n:\n3S\n";

#[test]
fn hints_go_on_to_the_last_card() {
    let bench = Bench::new();
    bench.write("open.txt", format!("\u{feff}{OPEN}"));
    bench.write("back.txt", BACK);
    let advice = bench.json(&["hint", "klondike", "open.txt", "--iterations", "100", "--json"]);
    let moves = advice["moves"].as_array().unwrap();
    let best = moves.iter().find(|m| m["action"] == advice["best"]).unwrap();
    assert_eq!((&best["sure"], &best["value"]), (&true.into(), &1.0.into()), "{advice}");
    let advice = bench.json(&["hint", "klondike", "back.txt", "--iterations", "100", "--json"]);
    assert_eq!(advice["best"], "f8S-c", "{advice}");
    // The paper's game is there for those who ask for it.
    let paper = bench.json(&["hint", "klondike(end=greedy)", "open.txt", "--json"]);
    assert!(paper["best"].is_null(), "{paper}");
    for position in ["open.txt", "back.txt"] {
        let text = bench.ok(&["play", "klondike", position, "--watch", "--time", "0.02"]);
        assert!(text.contains("won after"), "{text}");
    }
    let wrong = ["hint", "klondike(back=useful, view=strict)"];
    bench.fails(&wrong, 3, &["column 15", "back can only be any"]);
}

#[test]
fn planners_that_are_offered_play_the_game() {
    let bench = Bench::new();
    for game in ["klondike", "klondike(view=strict)", "freecell", "samegame", "tic-tac-toe"] {
        let message = bench.fails(&["hint", game, "--planner", "nonsense"], 2, &["(there are: "]);
        let names = message.split_once("(there are: ").unwrap().1;
        let names: Vec<&str> = names.trim_end().trim_end_matches(')').split(", ").collect();
        assert!(names.contains(&"uct"), "{message}");
        for name in names {
            bench.ok(&["hint", game, "--planner", name, "--iterations", "1", "--time", "0.1"]);
        }
    }
}

/// A string that was tried as a solver does the same as a planner.
#[test]
fn planners_stop_after_the_rollouts_that_they_were_given() {
    let bench = Bench::new();
    let hint = ["hint", "samegame", "seed:3", "--json", "--planner"];
    for planner in ["mcts(rollouts=10)", "nrpa(rollouts=10)", "beam(rollouts=10, runs=inf)"] {
        let stats = bench.json(&[&hint[..], &[planner]].concat())["stats"].clone();
        let stopped = (&stats["iterations"], &stats["stop"]);
        assert_eq!(stopped, (&10.into(), &"iterations".into()), "{planner}");
    }
    let none = [&hint[..], &["mcts(rollouts=0)"]].concat();
    bench.fails(&none, 3, &["column 15: rollouts is 0"]);
}

#[test]
fn a_hint_says_what_the_best_solution_brings_or_that_the_game_is_over() {
    let bench = Bench::new();
    bench.write("easy.txt", "00\n11\n");
    for planner in ["nmcs", "beam"] {
        let hint = ["hint", "samegame", "easy.txt", "--planner", planner];
        let text = bench.ok(&hint);
        assert!(text.contains("1000") && !text.contains("is a guess"), "{text}");
    }
    bench.write("over.txt", "0101\n1010\n");
    // A search that waited for its time would outlast the test.
    let hint = ["hint", "samegame", "over.txt", "--time", "10000"];
    let text = bench.ok(&hint);
    assert!(text.ends_with("\nThe game is over.\n") && text.contains("0101"), "{text}");
    let advice = bench.json(&[&hint[..], &["--json"]].concat());
    assert_eq!((&advice["best"], &advice["stats"]["stop"]), (&Value::Null, &"complete".into()));
}

/// A hint is on the game that `play` shows: all that it names can be played there.
#[test]
fn every_hint_can_be_played() {
    let bench = Bench::new();
    for (game, deal) in [
        ("klondike(draw=1e0)", "seed:7"),
        ("klondike", "7"),
        ("klondike(view=strict, redeals=2)", "seed:3"),
        ("freecell(cells=3e0)", "7"),
        ("samegame(width=1e1, height=1e1)", "1"),
        ("sailing(size=5)", "seed:2"),
        ("tiger", "1"),
    ] {
        let hint = ["hint", game, "--deal", deal, "--iterations", "300", "--json"];
        let advice = bench.json(&hint);
        let moves = advice["moves"].as_array().unwrap();
        assert!(!moves.is_empty(), "{game}");
        for m in moves {
            let setup = serde_json::json!({ "game": game, "deal": deal });
            let saved = serde_json::json!({ "setup": setup, "moves": m["moves"] });
            bench.write("saved.json", saved.to_string());
            assert!(!m["moves"].as_array().unwrap().is_empty(), "{game}: {m}");
            // Without a terminal it goes no further than to open the game.
            bench.fails(&["play", "--load", "saved.json"], 2, &["play needs a terminal"]);
        }
    }
}
