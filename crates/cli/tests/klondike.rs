//! Klondike on the command line: solve, verify, hint, and what is said of bad input.

use crate::support;

use serde_json::Value;
use support::Bench;

#[test]
fn a_deal_is_solved_and_the_moves_are_verified() {
    let bench = Bench::new();
    let out = bench.ok(&["solve", "klondike", "--seed", "1", "--json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&answer["verdict"], &answer["draw"]), (&"won".into(), &3.into()));
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.len() >= 52, "{moves:?}");
    assert!(answer["nodes"].as_u64().unwrap() > 0 && answer["seconds"].as_f64().unwrap() >= 0.0);
    bench.write("one.json", &out);
    assert!(bench.ok(&["verify", "klondike", "one.json"]).contains("the game is won"));

    // As text too, and the canonical number names the same deal.
    let text = bench.ok(&["solve", "klondike", "--seed", "1"]);
    bench.write("one.txt", &text);
    let number = answer["deal"].as_str().unwrap();
    for deal in [["--seed", "1"], ["--deal", number]] {
        bench.ok(&[&["verify", "klondike", "one.txt"], &deal[..]].concat());
    }
    let said = bench.json(&["verify", "klondike", "one.json", "--json"]);
    assert_eq!((&said["valid"], &said["moves"]), (&true.into(), &moves.len().into()));

    // Another deal, and moves that are cut short, are not won.
    let other = bench.run(&["verify", "klondike", "one.txt", "--seed", "2"]);
    assert_eq!(other.code, 1, "{other:?}");
    assert!(other.out.contains("not a solution: move "), "{other:?}");
    bench.write("short.txt", "turn\r\n# a comment\r\nturn");
    let short = bench.run(&["verify", "klondike", "short.txt", "--seed", "1"]);
    assert_eq!(short.code, 1, "{short:?}");
    assert!(short.out.contains("after 2 moves 0 of 52 cards are home"), "{short:?}");
}

#[test]
fn verdicts_have_exit_codes() {
    let bench = Bench::new();
    // Seeds found by the solver: 1 is won, 6 is lost, draw 3.
    let summary = bench.json(&["solve", "klondike", "--seeds", "1..40", "--summary", "--json"]);
    let count = |key: &str| summary[key].as_u64().unwrap();
    assert_eq!((count("deals"), count("unknown")), (40, 0));
    assert_eq!(count("won") + count("lost"), 40);
    let number = |key: &str| summary[key].as_f64().unwrap();
    assert!(number("low") < number("share") && number("share") < number("high"));
    for key in ["median", "mean", "p99", "max"] {
        assert!(summary["times"][key].as_f64().unwrap() >= 0.0, "{summary}");
    }
    let all = bench.json(&["solve", "klondike", "--seeds", "1..40", "--json", "--threads", "2"]);
    let lost = all.as_array().unwrap().iter().find(|answer| answer["verdict"] == "lost").unwrap();
    let seed = lost["seed"].to_string();
    assert_eq!(bench.run(&["solve", "klondike", "--seed", &seed]).code, 1);
    let budget = bench.run(&["solve", "klondike", "--seed", &seed, "--nodes", "1", "--json"]);
    assert_eq!(budget.code, 4, "{budget:?}");
    assert!(budget.out.contains("\"unknown\""));
    let list = bench.json(&["solve", "klondike", "--seed", "1", "--winnable", "3", "--json"]);
    let won: Vec<&Value> =
        all.as_array().unwrap().iter().filter(|answer| answer["verdict"] == "won").collect();
    for (found, expected) in list.as_array().unwrap().iter().zip(won) {
        assert_eq!(found["seed"], expected["seed"]);
    }
    assert_eq!(list.as_array().unwrap().len(), 3);
}

#[test]
fn a_deal_has_a_difficulty() {
    let bench = Bench::new();
    let args = ["solve", "klondike", "--seed", "1", "--difficulty", "4", "--json"];
    let answer = bench.json(&args);
    let score = &answer["difficulty"];
    assert_eq!(score["games"], 4);
    let (won, share) = (score["won"].as_f64().unwrap(), score["share"].as_f64().unwrap());
    assert!(share == won / 4.0 && share <= 1.0, "{score}");
    // The same every time.
    assert_eq!(bench.json(&args)["difficulty"], *score);
    bench.fails(&["solve", "klondike", "--seed", "1", "--difficulty", "0"], 2, &["--difficulty"]);
    // The player takes cards back, so it says nothing of a game in which none may be.
    let without = ["solve", "klondike", "--seed", "1", "--difficulty", "4", "--no-take-back"];
    bench.fails(&without, 2, &["--difficulty", "--no-take-back"]);
    // It is the game of hints: this position is won only by cards that come back at any time.
    bench.write("back.txt", BACK);
    let answer = bench.json(&["solve", "klondike", "back.txt", "--difficulty", "8", "--json"]);
    assert!(answer["difficulty"]["won"].as_u64().unwrap() > 0, "{answer}");
}

/// A position three moves from the end, with a card of the stock left.
const LATE: &str = "Foundations: C-K D-K H-K S-T\nTalon: JS\nWaste:\nKS\nQS\n:\n:\n:\n:\n:\n";

#[test]
fn positions_are_solved_and_thought_about() {
    let bench = Bench::new();
    bench.write("late.txt", LATE.replace('\n', "\r\n"));
    let answer = bench.json(&["solve", "klondike", "late.txt", "--json"]);
    assert_eq!(answer["verdict"], "won");
    assert_eq!(answer["moves"].as_array().unwrap().len(), 4);
    let advice = bench.json(&["hint", "klondike", "seed:1", "--iterations", "200", "--json"]);
    let moves = advice["moves"].as_array().unwrap();
    assert!(moves.len() > 1);
    for m in moves {
        for key in ["action", "value", "low", "high", "samples", "sure"] {
            assert!(m.get(key).is_some(), "{m}");
        }
        assert!((0.0..=1.0).contains(&m["value"].as_f64().unwrap()), "{m}");
    }
    // The same deal by its number, and as a text in which all cards are named or hidden.
    let dealt = bench.json(&["solve", "klondike", "--seed", "1", "--json"]);
    bench.write("one.txt", dealt["position"].as_str().unwrap());
    for at in [dealt["deal"].as_str().unwrap(), "one.txt"] {
        let again = bench.json(&["hint", "klondike", at, "--iterations", "200", "--json"]);
        assert_eq!(again["moves"], advice["moves"], "{at}");
    }
}

#[test]
fn a_seed_is_the_same_deal_in_every_command() {
    let bench = Bench::new();
    let position = |args: &[&str]| {
        let few = ["--iterations", "5", "--json"];
        bench.json(&[&["hint"], args, &few].concat())["position"].clone()
    };
    for game in ["klondike", "klondike(draw=1)", "klondike(view=strict)"] {
        assert_eq!(position(&[game, "--seed", "7"]), position(&[game, "seed:7"]), "{game}");
        // Nobody needs to name a seed.
        assert_eq!(position(&[game]), position(&[game, "seed:0"]), "{game}");
    }
    assert_eq!(position(&["freecell", "--seed", "7"]), position(&["freecell", "7"]));
    position(&["freecell"]);
    bench.fails(&["hint", "freecell", "--seed", "0"], 3, &["--seed 0", "numbered 1"]);
}

/// Nothing lies face down here, and greedy play wins: the paper's game is over.
const OPEN: &str = "Foundations: C-8 D-7 H-4 S-2\nTalon: 8D 5S\nRedeals: 11\n\
    KS QH JS TD 9C 8H 7S 6H\nKH QS JH TS 9D 8S 7H 6S 5H 4S\nKD QC JD TC 9H\nKC QD JC TH 9S\n:\n:\n3S\n";
/// Only by taking two cards back, one onto the other, can this be won.
const BACK: &str = "Foundations: C-4 D-7 H-7 S-8\nTalon:\n9D\n<8D> KC\n<9S> <8H> KS\n\
    <TS> <9H> <TD> KH\n<JS> <TH> <JD> KD\n<QS> <JH> <QD> <QH> JC\n<QC> <TC> <9C> <8C> <7C> <5C> 6C\n";

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
        let watch = ["play", "klondike", "--position", position, "--watch", "--time", "0.02"];
        let text = bench.ok(&watch);
        assert!(text.contains("won after"), "{text}");
    }
    let wrong = ["hint", "klondike(back=useful, view=strict)"];
    bench.fails(&wrong, 3, &["column 15", "back can only be any"]);
    let unfit = ["hint", "klondike(view=strict)", "--planner", "best"];
    bench.fails(&unfit, 3, &["best does not play this game, or not by these rules"]);
}

#[test]
fn one_is_no_plural() {
    let bench = Bench::new();
    let range = bench.ok(&["solve", "klondike", "--seeds", "1..1"]);
    assert!(range.contains("\n1 deal, draw 3: 1 won"), "{range}");
    bench.write("last.txt", LATE.replace("S-T\nTalon: JS", "S-Q\nTalon:").replace("\nQS", "\n:"));
    let solved = bench.ok(&["solve", "klondike", "last.txt"]);
    assert!(solved.contains("won in 1 move ("), "{solved}");
    bench.write("moves.txt", solved);
    let said = bench.ok(&["verify", "klondike", "moves.txt", "--from", "last.txt"]);
    assert_eq!(said, "moves.txt: 1 move, all legal: the game is won\n");
    let solved = bench.ok(&["solve", "klondike", "last.txt", "--json"]);
    bench.write("one.json", format!("[{solved}]"));
    let said = bench.ok(&["verify", "klondike", "one.json"]);
    assert_eq!(said, "one.json: 1 solution in 1 answer, 1 move, all legal: the game is won\n");
}

#[test]
fn nothing_to_replay_is_no_success() {
    let bench = Bench::new();
    bench.write("none.json", "[]");
    for json in [&[][..], &["--json"]] {
        let args = [&["verify", "klondike", "none.json"], json].concat();
        bench.fails(&args, 3, &["none.json: there is no answer in the list: nothing to replay"]);
    }
    // Seed 6 cannot be won.
    let lost = bench.run(&["solve", "klondike", "--seed", "6", "--json"]);
    assert_eq!(lost.code, 1, "{lost:?}");
    bench.write("lost.json", &lost.out);
    let said = bench.run(&["verify", "klondike", "lost.json"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.out.contains("its verdict is lost: there is nothing to replay"), "{said:?}");
    bench.write("list.json", format!("[{}]", lost.out));
    let said = bench.run(&["verify", "klondike", "list.json"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.out.contains("no solution in 1 answer: there is nothing to replay"), "{said:?}");
    let said = bench.run(&["verify", "klondike", "list.json", "--json"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.out.contains("\"valid\": false"), "{said:?}");
}

#[test]
fn answers_that_contradict_themselves_are_refused() {
    let bench = Bench::new();
    let answer = bench.json(&["solve", "klondike", "--seed", "1", "--json"]);
    let number = answer["deal"].as_str().unwrap();
    for (key, value, expected) in [
        ("game", "freecell".into(), vec!["`game` is freecell", "klondike"]),
        ("seed", 2.into(), vec!["`seed` is 2, deal ", "but `position` is deal", number]),
        ("deal", "7".into(), vec!["`deal` is 7, but `position` is deal", number]),
        ("position", LATE.into(), vec!["`seed` is 1, deal", "`position` is no start of a deal"]),
    ] {
        let mut other: Value = answer.clone();
        other[key] = value;
        bench.write("one.json", other.to_string());
        bench.fails(&["verify", "klondike", "one.json"], 3, &expected);
        // In a list too, also where nothing is claimed.
        other["verdict"] = "lost".into();
        bench.write("list.json", format!("[{answer}, {other}]"));
        let named = [vec!["list.json, answer 2"], expected].concat();
        bench.fails(&["verify", "klondike", "list.json"], 3, &named);
    }
}

#[test]
fn answers_say_whether_cards_may_come_back() {
    let bench = Bench::new();
    bench.write("back.txt", BACK);
    let mut answer = bench.json(&["solve", "klondike", "back.txt", "--json"]);
    assert_eq!(answer["take_back"], true);
    let lost = bench.run(&["solve", "klondike", "back.txt", "--no-take-back", "--json"]);
    let said: Value = serde_json::from_str(&lost.out).unwrap();
    assert_eq!((lost.code, &said["take_back"]), (1, &false.into()), "{said}");
    answer["take_back"] = false.into();
    bench.write("answer.json", answer.to_string());
    let refused = bench.run(&["verify", "klondike", "answer.json"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.out.contains("a card is taken back, but `take_back` is false"), "{refused:?}");
    // What was written before there was such a key is read as it was.
    answer.as_object_mut().unwrap().remove("take_back");
    bench.write("answer.json", answer.to_string());
    bench.ok(&["verify", "klondike", "answer.json"]);
}

#[test]
fn positions_go_from_format_to_format() {
    let bench = Bench::new();
    let rrs = bench.ok(&["solve", "klondike", "--seed", "7", "--write", "rrs"]);
    let answer = bench.json(&["solve", "klondike", "--seed", "7", "--json"]);
    assert_eq!(rrs.trim_end(), answer["position"].as_str().unwrap());
    bench.write("at.txt", &rrs);
    for format in ["solvitaire", "pysol", "solvitaire", "rrs", "pysol", "rrs"] {
        let text = bench.ok(&["solve", "klondike", "at.txt", "--write", format]);
        bench.write("at.txt", text);
    }
    assert_eq!(bench.ok(&["solve", "klondike", "at.txt", "--write", "rrs"]), rrs);

    // In the middle of a game, with cards that nobody has seen.
    let half = FIGURE.replace('\n', "\r\n");
    bench.write("half.txt", half);
    let json = bench.ok(&["solve", "klondike", "half.txt", "--write", "solvitaire"]);
    let piles: Value = serde_json::from_str(&json).unwrap();
    // The next card of the stock is the last one here and the first one there.
    assert_eq!(piles["stock"], serde_json::json!(["QC", "6H", "JD", "7C", "8H"]));
    assert_eq!(piles["tableau piles"][2], serde_json::json!(["??", "TC", "9D"]));
    bench.write("half.json", json);
    assert_eq!(bench.ok(&["solve", "klondike", "half.json", "--write", "pysol"]), FIGURE);
    let wrong = ["solve", "klondike", "half.json", "--write", "rrs"];
    bench.fails(&wrong, 2, &["half.json: --write rrs", "a game in progress"]);
    let unknown = ["solve", "klondike", "half.json", "--write", "text"];
    bench.fails(&unknown, 2, &["solvitaire, pysol, rrs"]);
}

/// The position of the guide's section on hindsight.
const FIGURE: &str = "Foundations: C-2 D-5 H-3 S-7\nTalon: 8H 7C JD 6H QC\nWaste: TH 7D 9S 4H JH\n\
    KS QH JS TD 9C 8D\nKC QD\n<??> TC 9D\nKH QS\n5C\nKD\n\
    <??> <??> <??> <??> TS 9H 8S 7H 6C 5H\n";

#[test]
fn an_answer_is_a_position_too() {
    let bench = Bench::new();
    let first = bench.ok(&["solve", "klondike", "--seed", "7", "--draw", "1", "--json"]);
    bench.write("seven.json", &first);
    let first: Value = serde_json::from_str(&first).unwrap();
    let again = bench.json(&["solve", "klondike", "seven.json", "--json"]);
    for key in ["deal", "draw", "moves", "verdict"] {
        assert_eq!(again[key], first[key], "{key}");
    }
    let other = bench.json(&["solve", "klondike", "seven.json", "--draw", "3", "--json"]);
    assert_eq!((&other["deal"], &other["draw"]), (&first["deal"], &3.into()));
    let hint = |at: &str| {
        let args = ["hint", "klondike", at, "--iterations", "5", "--json"];
        bench.json(&args)["position"].clone()
    };
    assert_eq!(hint("seven.json"), hint("seed:7"));
    bench.write("list.json", format!("[{first}]"));
    bench.fails(&["solve", "klondike", "list.json"], 3, &["list.json: this is JSON, but a list"]);
}

#[test]
fn redeals_beyond_the_rules_are_refused() {
    let bench = Bench::new();
    bench.write("nine.txt", LATE.replace("Waste:", "Waste:\nRedeals: 9"));
    bench.ok(&["solve", "klondike", "nine.txt"]);
    let limited = ["hint", "klondike(redeals=2)", "nine.txt", "--iterations", "5"];
    bench.fails(&limited, 3, &["nine.txt: the waste was turned over 9 times", "allow 2 at most"]);
}

/// No card can be moved.
const STUCK: &str = "Foundations: C-5 D-5 H-5 S-5\nTalon:\nKS QH JS TD 9C\n<6C> KD\n<6D> <6H> KH\n<6S> <7D> <7H> 8S\n\
    <8D> <8H> <9D> <9H> 8C\n<9S> <TC> <TH> <TS> <JC> 7S\n\
    <JD> <JH> <QC> <QD> <QS> <KC> 7C\n";

#[test]
fn a_game_that_is_watched_says_that_it_is_lost() {
    let bench = Bench::new();
    bench.write("stuck.txt", STUCK);
    let text = bench.ok(&["play", "klondike", "--position", "stuck.txt", "--watch"]);
    assert!(text.ends_with("\nlost after 0 moves, score 20. No move is left.\n"), "{text}");
    // Nobody can win this deal, but while the stock can be turned there are moves.
    let watch = ["play", "klondike", "--deal", "seed:6", "--watch", "--time", "0.02"];
    let text = bench.ok(&watch);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("lost after ") || last.starts_with("not won after "), "{last}");
}

#[test]
fn planners_that_are_offered_play_the_game() {
    let bench = Bench::new();
    for game in ["klondike(view=strict)", "freecell", "tic-tac-toe"] {
        let message = bench.fails(&["hint", game, "--planner", "best"], 3, &["those that do: "]);
        let names = message.split_once("those that do: ").unwrap().1;
        let names: Vec<&str> = names.trim_end().trim_end_matches(')').split(", ").collect();
        assert!(names.contains(&"uct"), "{message}");
        for name in names {
            bench.ok(&["hint", game, "--planner", name, "--iterations", "1", "--time", "0.1"]);
        }
    }
}

#[test]
fn the_answers_of_a_range_are_verified() {
    let bench = Bench::new();
    let out = bench.ok(&["solve", "klondike", "--seeds", "1..8", "--json"]);
    bench.write("range.json", &out);
    assert!(bench.ok(&["verify", "klondike", "range.json"]).contains("solutions in 8 answers"));
    let mut answers: Value = serde_json::from_str(&out).unwrap();
    let moves = answers[1]["moves"].as_array_mut().unwrap();
    moves.pop();
    bench.write("range.json", answers.to_string());
    let wrong = bench.run(&["verify", "klondike", "range.json"]);
    assert_eq!(wrong.code, 1, "{wrong:?}");
    assert!(wrong.out.contains("range.json, answer 2: not a solution"), "{wrong:?}");
    bench.fails(&["verify", "klondike", "range.json", "--draw", "1"], 2, &["leave both out"]);
    bench.fails(&["solve", "klondike", "--seed", "7", "--summary"], 2, &["--seeds"]);
}

#[test]
fn bad_input_names_the_card_and_the_place() {
    let bench = Bench::new();
    let deal = bench.json(&["solve", "klondike", "--seed", "1", "--json"]);
    let deal = deal["position"].as_str().unwrap();
    let twice = format!("{}{}", &deal[..153], &deal[..3]);
    for (name, text, expected) in [
        ("twice", twice.as_str(), vec!["is there twice", "column 1, card 1"]),
        ("short", &deal[..150], vec!["150 digits found", "52 cards of 3 digits"]),
        ("late", &LATE.replace("QS", "QD"), vec!["QD is there twice", "column 2"]),
        ("run", &LATE.replace("KS\nQS", "QS KS\n:"), vec!["KS cannot lie on QS", "column 1"]),
        ("card", &LATE.replace("QS", "1X"), vec!["`1X` is no card", "column 2, card 1"]),
        ("blank", &LATE.replace("JS", "??"), vec!["the card is unknown", "the stock, card 1"]),
        ("suits", &LATE.replace("S-T", "S-T C-2"), vec!["`C-2`", "twice"]),
        ("json", "{\"tableau\": []}", vec!["`tableau"]),
        ("empty", "", vec!["it is empty: a position is expected"]),
        ("list", "[1, 2]", vec!["this is JSON, but a list: one position is expected"]),
        ("pack", &LATE.replace("JS", ""), vec!["1 card lies nowhere, but 0 are marked", "JS"]),
    ] {
        bench.write(name, text);
        let named: Vec<&str> = std::iter::once(name).chain(expected).collect();
        bench.fails(&["solve", "klondike", name], 3, &named);
        bench.fails(&["hint", "klondike", name], 3, &named);
    }
    bench.write("binary", [b'a', b'\n', 0xff]);
    bench.fails(&["solve", "klondike", "binary"], 3, &["binary", "line 2", "UTF-8"]);
    bench.fails(
        &["solve", "klondike", "nowhere"],
        3,
        &["nowhere: there is no such file", "7 or seed:7"],
    );
    bench.fails(&["hint", "klondike", "nowhere"], 3, &["nowhere", "no such file"]);
    bench.fails(&["solve", "klondike", "seed:x"], 3, &["seed:x: there is no such file"]);
    // A deal may stand by itself, as it does in hints.
    let written =
        |deal: &[&str]| bench.ok(&[&["solve", "klondike", "--write", "pysol"], deal].concat());
    assert_eq!(written(&["7"]), written(&["--deal", "7"]));
    assert_eq!(written(&["seed:7"]), written(&["--seed", "7"]));
    assert_ne!(written(&["7"]), written(&["seed:7"]));
    bench.fails(&["solve", "klondike"], 2, &["--deal, --seed or a file"]);
    bench.fails(&["solve", "klondike", "--seed", "1", "--draw", "4"], 2, &["--draw", "not 4"]);
    bench.fails(&["solve", "klondike", "--deal", "x"], 3, &["--deal", "`x` is no deal number"]);
    let huge = "9".repeat(68);
    bench.fails(&["solve", "klondike", "--deal", &huge], 3, &["the numbers end at 52! - 1"]);
    bench.fails(&["solve", "klondike", &huge], 3, &["the numbers end at 52! - 1"]);
    bench.fails(&["hint", "klondike", &huge], 3, &["the numbers end at 52! - 1"]);
    bench.fails(&["solve", "klondike", "--seeds", "5..1"], 2, &["below the first"]);
    bench.fails(&["solve", "klondike", "--seed", "1", "--time", "0"], 2, &["--time"]);
    bench.fails(&["solve", "klondike", "--winnable", "0"], 2, &["--winnable", "from 1 to"]);
    bench.write("moves", "turn\nw-9x\n");
    bench.fails(
        &["verify", "klondike", "moves", "--seed", "1"],
        3,
        &["moves, line 2", "`w-9x` is no move"],
    );
    bench.write("answer", "{\"draw\": 3, \"position\": \"\", \"moves\": []}");
    bench.fails(&["verify", "klondike", "answer"], 3, &["answer: `position`: it is empty"]);
}
