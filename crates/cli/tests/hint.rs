//! `patience hint`: what every move is worth, and that it can be made.

use crate::support;

use serde_json::Value;
use support::{BACK, Bench};

/// The best move is the one of the highest value, or it is said why another is preferred; and what is
/// not proven has no interval.
#[test]
fn the_best_move_is_the_best_one_shown_or_it_is_said_why() {
    let bench = Bench::new();
    let mut reasons = 0;
    for (game, deal) in (1..=8).flat_map(|n| [("klondike", n), ("klondike(view=plus)", n)]) {
        let deal = format!("seed:{deal}");
        let advice = bench.json(&["hint", game, &deal, "--iterations", "900", "--json"]);
        let moves = advice["moves"].as_array().unwrap();
        assert!(moves.len() > 1);
        let value = |m: &Value| m["value"].as_f64().unwrap_or(0.0);
        for m in moves {
            for key in ["action", "value", "low", "high", "samples", "sure"] {
                assert!(m.get(key).is_some(), "{m}");
            }
            assert!((0.0..=1.0).contains(&value(m)), "{m}");
            assert!(m["sure"] == true || m["low"].is_null(), "{m}");
        }
        let best = moves.iter().find(|m| m["action"] == advice["best"]).unwrap();
        let most = moves.iter().map(value).fold(0.0, f64::max);
        let why = advice["why"].as_str();
        assert!(value(best) >= most || why.is_some(), "{advice}");
        reasons += u32::from(why.is_some());
        let text = bench.ok(&["hint", game, &deal, "--iterations", "900"]);
        assert_eq!(text.contains("Why the best: "), why.is_some(), "{text}");
    }
    assert!(reasons > 8, "{reasons}");
}

/// The same text with all cards in other places that nobody has seen.
fn swapped(text: &str) -> String {
    let talon = |line: &str| line.starts_with("Talon:");
    let is_down = |word: &str| word.starts_with('<');
    let bare = |word: &str| word.trim_matches(['<', '>']).to_owned();
    let words = |line: &str| -> Vec<String> {
        let all = line.split_whitespace();
        all.filter(|w| (talon(line) && *w != "Talon:") || is_down(w)).map(bare).collect()
    };
    let mut cards: Vec<String> = text.lines().flat_map(words).collect();
    assert_eq!(cards.len(), 45);
    cards.rotate_left(7);
    let mut cards = cards.into_iter();
    let mut line = |line: &str| -> String {
        let talon = talon(line);
        let mut put = |word: &str| match (talon && word != "Talon:", is_down(word)) {
            (true, _) => cards.next().unwrap(),
            (_, true) => format!("<{}>", cards.next().unwrap()),
            _ => word.to_owned(),
        };
        line.split_whitespace().map(&mut put).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(|l| line(l) + "\n").collect()
}

/// All that `hint` prints, and what `play` shows and says before a card is turned, is the same if all
/// that was never seen lies otherwise.
#[test]
fn nothing_is_told_that_was_never_seen() {
    let bench = Bench::new();
    let text = bench.ok(&["solve", "klondike", "seed:7", "--write", "pysol"]);
    bench.write("a.txt", &text);
    bench.write("b.txt", swapped(&text));
    let said = |args: &[&str]| -> [String; 2] {
        ["a.txt", "b.txt"].map(|file| {
            let args: Vec<&str> =
                args.iter().map(|a| if *a == "FILE" { file } else { a }).collect();
            bench.ok(&args)
        })
    };
    let timeless = |text: String| -> String {
        let without = |line: &str| !line.contains(" iterations, ") && !line.contains("\"seconds\"");
        text.lines().filter(|line| without(line)).collect::<Vec<_>>().join("\n")
    };
    for more in [&[][..], &["--json"], &["--planner", "uct"]] {
        let hint = [&["hint", "klondike", "FILE", "--iterations", "400"], more].concat();
        let [a, b] = said(&hint).map(timeless);
        assert_eq!(a, b);
    }
    let watch = ["play", "klondike", "FILE", "--watch", "--planner", "best(samples=20)"];
    let [a, b] = said(&watch).map(|text| {
        let first = text.split("\n\nTalon").next().unwrap();
        first.to_owned()
    });
    assert_eq!(a, b);
    assert!(a.contains("turn the stock 8 times") && a.contains("??"), "{a}");
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
    let wrong = ["hint", "klondike(back=useful, redeals=2)"];
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

/// What is told and what comes true, as a table, a diagram and a list of decisions; proven moves are left
/// out, and the same seeds give the same on any number of threads.
#[test]
fn chances_are_compared_with_how_games_end() {
    let bench = Bench::new();
    let game = ["reliability", "klondike(view=plus)", "--planner", "best(samples=20)"];
    let more = ["seed:1..6", "--svg", "told.svg", "--csv", "told.csv"];
    let text = bench.ok(&[&game[..], &more].concat());
    assert!(text.contains("Brier score 0.") && text.contains("of 6 games won"), "{text}");
    let svg = std::fs::read_to_string(bench.path("told.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("uncorrected"), "{svg}");
    let csv = std::fs::read_to_string(bench.path("told.csv")).unwrap();
    let mut rows = csv.lines();
    assert_eq!(rows.next(), Some("deal,value,sure,won,mean,face_down,samples"));
    assert!(rows.clone().count() > 60 && rows.all(|row| row.split(',').count() == 7), "{csv}");
    let json = |threads| {
        let more = ["--seeds", "1..6", "--json", "--threads", threads];
        bench.json(&[&game[..], &more].concat())
    };
    // A deal of a seed is the one that every other command means by it.
    assert!(csv.lines().nth(1).unwrap().starts_with("seed:1,"), "{csv}");
    let (one, three) = (json("1"), json("3"));
    assert_eq!(one, three);
    let decisions: u64 = one["told"]["bins"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bin| bin["decisions"].as_u64().unwrap())
        .sum();
    assert_eq!(one["told"]["decisions"], decisions);
    assert!(one["proven"].as_u64().unwrap() > 0);
    bench.fails(&["reliability", "sailing", "--seeds", "1..2"], 2, &["no chances to win"]);
    bench.fails(&["reliability", "klondike", "--seeds", "1..2"], 2, &["a budget of iterations"]);
    bench.fails(&["reliability", "klondike", "--seeds", "2..1"], 2, &["below the first"]);
}
