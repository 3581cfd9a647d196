//! `patience solve`: one command for every game.

use crate::support;

use serde_json::Value;
use support::{Bench, GAMES, keys};

#[test]
fn help_lists_the_parameters_and_the_solvers_of_a_game() {
    let bench = Bench::new();
    let solvers = bench.json(&["solvers", "--json"]);
    let games = bench.json(&["games", "--json"]);
    for game in games.as_array().unwrap().iter().filter(|game| game["solver"] != "") {
        let name = game["name"].as_str().unwrap();
        let help = bench.ok(&["solve", name, "--help"]);
        let has = |option: &str| {
            let option = option.replace('_', "-");
            help.contains(&format!("--{option} ")) || help.contains(&format!("--no-{option} "))
        };
        for parameter in game["parameters"].as_array().unwrap() {
            let parameter = parameter["name"].as_str().unwrap();
            assert!(has(parameter), "{name}: {parameter}\n{help}");
        }
        let wrong = ["solve", name, "1", "--solver", "nonsense"];
        let known = bench.fails(&wrong, 2, &["no solver nonsense", "(there are: "]);
        let known = known.trim_end().trim_end_matches(')').split_once("(there are: ").unwrap().1;
        let known: Vec<&str> = known.split(", ").collect();
        assert!(known.contains(&game["solver"].as_str().unwrap()), "{known:?}");
        for solver in solvers.as_array().unwrap() {
            let own = solver["games"].as_array().unwrap().contains(&name.into());
            if !own || !known.contains(&solver["name"].as_str().unwrap()) {
                continue;
            }
            assert!(has(solver["name"].as_str().unwrap()), "{name}: {solver}\n{help}");
            for parameter in solver["parameters"].as_array().unwrap() {
                let parameter = parameter["name"].as_str().unwrap();
                assert!(parameter == "threads" || has(parameter), "{name}: {parameter}\n{help}");
            }
        }
        assert!(help.contains(&format!("[default: {}]", game["solver"].as_str().unwrap())));
    }
}

#[test]
fn an_answer_has_the_same_keys_for_every_game() {
    let bench = Bench::new();
    let mut all = Vec::new();
    for game in GAMES {
        let answer = bench.json(&game.solve(&["--json"]));
        let mut found = Vec::new();
        keys(&answer, &mut found);
        found.sort();
        all.push(found);
        assert_eq!((&answer["game"], &answer["deal"]), (&game.name.into(), &game.deal.into()));
        assert_eq!((&answer["seed"], &answer["verdict"]), (&1.into(), &"solved".into()));
        let moves = answer["moves"].as_array().unwrap();
        assert!(!moves.is_empty() && answer["length"] == moves.len(), "{answer}");
        let stats = &answer["stats"];
        assert!(stats["iterations"].as_u64() > Some(0) && stats["nodes"].as_u64() > Some(0));
        assert!(stats["seconds"].as_f64() >= Some(0.0), "{answer}");
    }
    assert!(all.iter().all(|found| *found == all[0]), "{all:?}");
}

/// Whatever `solve` prints, `verify` reads.
#[test]
fn what_is_printed_can_be_verified() {
    let bench = Bench::new();
    let ways: [&[&str]; 4] = [&[], &["--numbered"], &["--quiet"], &["--json"]];
    for game in GAMES {
        let answer = bench.json(&game.solve(&["--json"]));
        for way in ways {
            bench.write("said.txt", bench.ok(&game.solve(way)));
            let said = bench.json(&["verify", game.name, game.deal, "said.txt", "--json"]);
            assert_eq!(said["valid"], true, "{way:?}: {said}");
            for key in ["value", "length", "reached"] {
                assert_eq!(said[key], answer[key], "{way:?}: {key} of {said}");
            }
        }
    }
}

#[test]
fn quiet_output_is_the_solution_and_nothing_else() {
    let bench = Bench::new();
    for game in GAMES {
        let answer = bench.json(&game.solve(&["--json"]));
        let quiet = bench.run(&game.solve(&["--quiet"]));
        assert_eq!((quiet.code, quiet.err.as_str()), (0, ""));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&quiet.out), words(answer["solution"].as_str().unwrap()));
        let said = bench.ok(&game.solve(&[]));
        assert!(said.starts_with("# ") && said.ends_with(&quiet.out), "{said}");
    }
    // Without a solution there is nothing to pipe: what is known goes to standard error.
    let none = bench.run(&["solve", "freecell", "11982", "--quiet"]);
    assert_eq!((none.code, none.out.trim()), (1, ""), "{none:?}");
    assert!(none.err.contains("deal 11982 of freecell: no solution"), "{none:?}");
}

#[test]
fn verdicts_have_exit_codes() {
    let bench = Bench::new();
    for (deal, code, verdict) in [
        (&["klondike", "seed:1"][..], 0, "solved"),
        (&["klondike", "seed:6"], 1, "unsolvable"),
        (&["klondike", "seed:10", "--nodes", "1"], 4, "unknown"),
        (&["freecell", "1"], 0, "solved"),
        (&["freecell", "11982"], 1, "unsolvable"),
        (&["freecell", "3", "--optimal", "--metric", "table1"], 0, "optimal"),
        (&["samegame", "seed:1", "--rollouts", "10"], 0, "solved"),
    ] {
        let ended = bench.run(&[&["solve"], deal, &["--json"]].concat());
        assert_eq!(ended.code, code, "{deal:?}: {ended:?}");
        let answer: Value = serde_json::from_str(&ended.out).unwrap();
        assert_eq!(answer["verdict"], verdict, "{deal:?}");
        let solved = ["solved", "optimal"].contains(&verdict);
        assert_eq!(answer["solution"].is_string(), solved, "{answer}");
    }
    // Of several deals only what is not known counts.
    bench.ok(&["solve", "klondike", "seed:5..6"]);
    let cut = bench.run(&["solve", "klondike", "seed:9..10", "--nodes", "60"]);
    assert_eq!(cut.code, 4, "{cut:?}");
}

#[test]
fn budgets_end_with_bounds() {
    let bench = Bench::new();
    for limit in [["--memory", "6M"], ["--time", "0.05"]] {
        let args = ["solve", "freecell", "1", "--optimal", "--metric", "single", "--json"];
        let ended = bench.run(&[&args[..], &limit].concat());
        assert_eq!(ended.code, 4, "{ended:?}");
        let answer: Value = serde_json::from_str(&ended.out).unwrap();
        let (lower, value) = (answer["bounds"]["lower"].as_f64(), answer["value"].as_f64());
        let stop = limit[0].trim_start_matches('-');
        assert_eq!(answer["stats"]["stop"], stop, "{answer}");
        // A busy machine may not get as far as a first solution in so little time.
        match answer["verdict"].as_str() {
            Some("unknown") if stop == "time" => assert_eq!(value, None),
            verdict => {
                assert_eq!(verdict, Some("solved"), "{answer}");
                assert!(lower >= Some(70.0) && lower < value, "{answer}");
                assert_eq!(answer["bounds"]["upper"], answer["value"]);
            }
        }
    }
}

#[test]
fn a_search_of_more_than_a_second_tells_how_it_stands() {
    let bench = Bench::new();
    let args = ["solve", "freecell", "1", "--optimal", "--metric", "single", "--time", "1.5"];
    let told = bench.run(&args);
    assert_eq!(told.code, 4, "{told:?}");
    for part in ["deal 1: best ", ", bound ", " nodes, ", " MB, "] {
        assert!(told.err.contains(part), "{part}: {told:?}");
    }
    let quiet = bench.run(&[&args[..], &["--quiet"]].concat());
    assert_eq!(quiet.err, "");
}

#[test]
fn a_shortest_solution_is_proven() {
    let bench = Bench::new();
    for (metric, length) in [("table1", 70), ("single", 73), ("supermove", 70)] {
        for heuristic in ["h3", "best"] {
            let game = format!("freecell(metric={metric})");
            let solver = ["--optimal", "--heuristic", heuristic, "--json"];
            let answer = bench.json(&[&["solve", &game, "3"], &solver[..]].concat());
            assert_eq!(answer["verdict"], "optimal");
            assert_eq!(answer["length"], length, "{metric}, {heuristic}");
            let bounds = &answer["bounds"];
            assert_eq!((&bounds["lower"], &bounds["upper"]), (&answer["value"], &answer["value"]));
        }
    }
    let said = bench.ok(&["solve", "freecell", "3", "--optimal"]);
    assert!(said.contains("shortest solution: 70 moves, no solution is shorter"), "{said}");
}

#[test]
fn options_and_strings_are_two_ways_to_say_a_parameter() {
    let bench = Bench::new();
    let position = |args: &[&str]| bench.json(&[&["solve"], args, &["--json"]].concat());
    for (string, option) in [
        (&["freecell(cells=3)", "1"][..], &["freecell", "1", "--cells", "3"][..]),
        (&["klondike(draw=1)", "seed:7"], &["klondike", "seed:7", "--draw", "1"]),
        (
            &["samegame( width = 1e1, height=1e1 )", "1", "--rollouts", "10"],
            &["samegame", "1", "--width", "10", "--height", "10", "--rollouts", "10"],
        ),
        (
            &["freecell", "3", "--solver", "optimal(heuristic=h2)"],
            &["freecell", "3", "--optimal", "--heuristic", "h2"],
        ),
    ] {
        let (string, option) = (position(string), position(option));
        for key in ["position", "solution", "value", "verdict"] {
            assert_eq!(string[key], option[key], "{key}");
        }
    }
    for (args, code, fragments) in [
        (&["freecell(cells=3, cells=4)", "1"][..], 3, &["column 19", "cells is given twice"][..]),
        (&["freecell(cells=3)", "1", "--cells", "3"], 2, &["cells is given twice", "as an option"]),
        (&["freecell(cells=99)", "1"], 3, &["cells is 99, expected a whole number from 0 to 12"]),
        (&["freecell", "1", "--cells", "99"], 3, &["cells is 99, expected"]),
        (&["freecell(cell=3)", "1"], 3, &["column 10", "did you mean `cells`"]),
        (&["freecell", "1", "--rules", "bakers"], 3, &["did you mean `bakers-game`"]),
        (&["klondike", "1", "--draw", "4"], 3, &["draw is 4, expected a whole number from 1 to 3"]),
        (&["samegame", "1", "--size", "15x33x5"], 3, &["33 rows, expected 1 to 32"]),
        (&["samegame", "1", "--penalty", "all"], 3, &["penalty is all, expected one of seed"]),
        (&["freecell", "1", "--optimal", "--distance"], 2, &["--optimal", "--distance"]),
        (&["freecell", "1", "--heuristic", "h2"], 2, &["heuristic", "optimal, not of satisficing"]),
        (
            &["freecell", "1", "--solver", "optimal(threads=1)", "--threads", "2"],
            2,
            &["given twice"],
        ),
        (&["freecell", "1", "--solver", "optimall"], 2, &["no solver optimall", "`optimal`"]),
        (&["freecell(metric=table1, rules=king-albert)", "1"], 3, &["metric", "one at a time"]),
        (&["klondike(redeals=2)", "seed:1"], 2, &["klondike(redeals=2) has no solver"]),
        (&["tic-tac-toe", "1"], 2, &["tic-tac-toe has no solver of its own", "freecell"]),
        (&["klondyke", "1"], 2, &["klondyke", "klondike"]),
    ] {
        bench.fails(&[&["solve"], args].concat(), code, fragments);
    }
}

#[test]
fn the_family_is_solved_by_name() {
    let bench = Bench::new();
    for rules in ["bakers-game", "eight-off", "seahaven-towers"] {
        let solved = bench.json(&["solve", "freecell", "4..5", "--rules", rules, "--json"]);
        assert_eq!(solved["summary"]["unknown"], 0, "{rules}");
    }
    bench.write("small.txt", ": AC AD AH AS\n: 2S 2H\n: 2D 2C\n");
    let rules = "freecell(columns=3, ranks=2, cells=1)";
    let solved = bench.json(&["solve", rules, "small.txt", "--optimal", "--json"]);
    assert_eq!((&solved["verdict"], &solved["length"]), (&"optimal".into(), &8.into()));
}

#[test]
fn a_range_is_solved_in_order_on_any_number_of_threads() {
    let bench = Bench::new();
    for (game, range, names) in [
        ("klondike", &["seed:5..7", "seed:1"][..], &["seed:5", "seed:6", "seed:7", "seed:1"][..]),
        ("freecell", &["1..3", "9"], &["1", "2", "3", "9"]),
        ("samegame", &["--seeds", "1..2", "--rollouts", "300"], &["seed:1", "seed:2"]),
    ] {
        let solve = [&["solve", game], range, &["--json"]].concat();
        let both =
            ["1", "3"].map(|threads| bench.json(&[&solve[..], &["--threads", threads]].concat()));
        let deals = both[0]["deals"].as_array().unwrap();
        let found: Vec<&str> = deals.iter().map(|deal| deal["deal"].as_str().unwrap()).collect();
        assert_eq!(found, names);
        for (a, b) in deals.iter().zip(both[1]["deals"].as_array().unwrap()) {
            for key in ["deal", "verdict", "value", "solution"] {
                assert_eq!(a[key], b[key]);
            }
        }
        let summary = &both[0]["summary"];
        assert_eq!((&summary["deals"], &summary["untried"]), (&names.len().into(), &0.into()));
        let count = |verdict: &str| deals.iter().filter(|deal| deal["verdict"] == verdict).count();
        for verdict in ["optimal", "solved", "unsolvable", "unknown"] {
            assert_eq!(summary[verdict], count(verdict), "{summary}");
        }
        let values: Vec<f64> = deals.iter().filter_map(|deal| deal["value"].as_f64()).collect();
        let total: f64 = values.iter().sum();
        assert_eq!(summary["total"], total);
        assert_eq!(summary["mean"], total / values.len() as f64);
        assert_eq!(summary["most"], values.iter().copied().fold(0.0, f64::max));
        for key in ["median", "mean", "p99", "max"] {
            assert!(summary["times"][key].as_f64() >= Some(0.0), "{summary}");
        }
        let text = bench.ok(&[&["solve", game], range].concat());
        assert!(text.contains(&format!("\n{} deals of {game}: ", names.len())), "{text}");
    }
}

#[test]
fn a_summary_has_the_share_with_its_interval() {
    let bench = Bench::new();
    let summary = bench.json(&["solve", "klondike", "--seeds", "1..40", "--summary", "--json"]);
    let count = |key: &str| summary[key].as_u64().unwrap();
    assert_eq!((count("deals"), count("unknown")), (40, 0));
    assert_eq!(count("solved") + count("unsolvable"), 40);
    let number = |key: &str| summary[key].as_f64().unwrap();
    assert_eq!(number("share"), count("solved") as f64 / 40.0);
    assert!(number("low") < number("share") && number("share") < number("high"));
    // One deal has a summary too.
    let text = bench.ok(&["solve", "klondike", "seed:1", "--summary"]);
    assert!(text.starts_with("1 deal of klondike: 0 optimal, 1 solved"), "{text}");
}

#[test]
fn deals_with_a_solution_are_found() {
    let bench = Bench::new();
    let all = bench.json(&["solve", "klondike", "--seeds", "5..12", "--json"]);
    let solved: Vec<&Value> = all["deals"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|answer| answer["verdict"] == "solved")
        .map(|answer| &answer["deal"])
        .collect();
    let found = bench.json(&["solve", "klondike", "--winnable", "3", "--seed", "5", "--json"]);
    let names: Vec<&Value> =
        found["deals"].as_array().unwrap().iter().map(|answer| &answer["deal"]).collect();
    assert_eq!(names, solved[..3]);
    // Numbers of the game's own where it has some.
    let found = bench.json(&["solve", "freecell", "--winnable", "2", "--json"]);
    assert_eq!(
        (&found["deals"][0]["deal"], &found["deals"][1]["deal"]),
        (&"1".into(), &"2".into())
    );
    let text = bench.ok(&["solve", "freecell", "--winnable", "2"]);
    assert_eq!(text.lines().count(), 2);
    bench.fails(&["solve", "klondike", "--winnable", "0"], 2, &["--winnable", "from 1 to"]);
    bench.fails(&["solve", "klondike", "seed:1", "--winnable", "1"], 2, &["--winnable"]);
}

#[test]
fn a_deal_has_a_difficulty() {
    let bench = Bench::new();
    let args = ["solve", "klondike", "seed:1", "--difficulty", "4", "--json"];
    let answer = bench.json(&args);
    let score = &answer["difficulty"];
    assert_eq!(score["games"], 4);
    let (won, share) = (score["won"].as_f64().unwrap(), score["share"].as_f64().unwrap());
    assert!(share == won / 4.0 && share <= 1.0, "{score}");
    // The same every time.
    assert_eq!(bench.json(&args)["difficulty"], *score);
    bench.fails(&["solve", "klondike", "seed:1", "--difficulty", "0"], 2, &["--difficulty"]);
    // It is the game of hints: this position is won only by cards that come back at any time.
    bench.write("back.txt", support::BACK);
    let answer = bench.json(&["solve", "klondike", "back.txt", "--difficulty", "8", "--json"]);
    assert!(answer["difficulty"]["won"].as_u64().unwrap() > 0, "{answer}");
    let without = bench.run(&["solve", "klondike", "back.txt", "--no-take-back", "--json"]);
    assert_eq!(without.code, 1, "{without:?}");
}

#[test]
fn positions_are_written_in_formats_that_are_read_back() {
    let bench = Bench::new();
    for (game, deal, formats) in [
        ("klondike", "seed:7", &["rrs", "solvitaire", "pysol", "solvitaire", "rrs", "pysol"][..]),
        ("freecell", "7", &["text"]),
        ("samegame", "seed:7", &["text"]),
    ] {
        let first = bench.ok(&["solve", game, deal, "--write", formats[0]]);
        bench.write("at.txt", &first);
        for format in formats {
            let text = bench.ok(&["solve", game, "at.txt", "--write", format]);
            bench.write("at.txt", text);
        }
        assert_eq!(bench.ok(&["solve", game, "at.txt", "--write", formats[0]]), first, "{game}");
        let args: &[&str] = if game == "samegame" { &["--rollouts", "5"] } else { &[] };
        let solve = |at| bench.json(&[&["solve", game, at, "--json"], args].concat());
        assert_eq!(solve("at.txt")["solution"], solve(deal)["solution"], "{game}");
    }
    // In the middle of a game.
    let known = "Foundations: C-K D-K H-K S-8\nTalon: TS\nWaste: JS\n9S\n<QS> KS\n:\n:\n:\n:\n:\n";
    bench.write("known.txt", known);
    let wrong = ["solve", "klondike", "known.txt", "--write", "rrs"];
    bench.fails(&wrong, 2, &["known.txt: --write rrs", "a game in progress"]);
    let unknown = ["solve", "klondike", "known.txt", "--write", "text"];
    bench.fails(&unknown, 2, &["solvitaire, pysol, rrs"]);
}

/// With cards that nobody has seen there is nothing to prove.
#[test]
fn a_position_with_unknown_cards_is_not_solved() {
    let bench = Bench::new();
    bench.write("half.txt", FIGURE.replace('\n', "\r\n"));
    let unknown = ["the card is unknown, but all cards must be known here"];
    bench.fails(&["solve", "klondike", "half.txt"], 3, &unknown);
    bench.write("blank.txt", support::LATE.replace("JS", "??"));
    // Where the stock is known by the rules, nobody can think about it either.
    for (command, game) in [("solve", "klondike"), ("hint", "klondike(view=plus)")] {
        let fragments = ["the card is unknown", "the stock, card 1"];
        bench.fails(&[command, game, "blank.txt"], 3, &fragments);
    }
    assert!(bench.ok(&["hint", "klondike", "blank.txt"]).contains("turn the stock"));
    let json = bench.ok(&["solve", "klondike", "half.txt", "--write", "solvitaire"]);
    let piles: Value = serde_json::from_str(&json).unwrap();
    // The next card of the stock is the last one here and the first one there.
    assert_eq!(piles["stock"], serde_json::json!(["QC", "6H", "JD", "7C", "8H"]));
    assert_eq!(piles["tableau piles"][2], serde_json::json!(["??", "TC", "9D"]));
    bench.write("half.json", json);
    assert_eq!(bench.ok(&["solve", "klondike", "half.json", "--write", "pysol"]), FIGURE);
}

/// The position of the guide's section on hindsight.
const FIGURE: &str = "Foundations: C-2 D-5 H-3 S-7\nTalon: 8H 7C JD 6H QC\nWaste: TH 7D 9S 4H JH\n\
    KS QH JS TD 9C 8D\nKC QD\n<??> TC 9D\nKH QS\n5C\nKD\n\
    <??> <??> <??> <??> TS 9H 8S 7H 6C 5H\n";

/// The number of cores must not decide what counted iterations come to.
#[test]
fn iterations_are_those_of_one_thread_unless_threads_are_named() {
    let bench = Bench::new();
    let args = ["solve", "samegame", "seed:5", "--rollouts", "400", "--json"];
    let [silent, one, two] = [&[][..], &["--threads", "1"], &["--threads", "2"]]
        .map(|threads| bench.json(&[&args[..], threads].concat()));
    for answer in [&silent, &one, &two] {
        assert_eq!(answer["stats"]["iterations"], 400, "{answer}");
        assert_eq!(answer["stats"]["stop"], "iterations");
    }
    assert_eq!((&silent["value"], &silent["solution"]), (&one["value"], &one["solution"]));
}

#[test]
fn scores_are_counted_by_the_rules_that_are_asked_for() {
    let bench = Bench::new();
    bench.write("b.txt", bench.ok(&["solve", "samegame", "seed:3", "--write", "text"]));
    for rewards in ["samegame", "bubblebreaker", "clickomania"] {
        for penalty in ["seed", "none"] {
            let game = format!("samegame(rewards={rewards}, penalty={penalty})");
            let solve = ["solve", &game, "b.txt", "--rollouts", "200", "--json"];
            let solved = bench.json(&solve);
            let (solution, score) = (solved["solution"].as_str().unwrap(), &solved["value"]);
            let verify = ["verify", &game, "b.txt", solution, "--score", &score.to_string()];
            let verified = bench.json(&[&verify[..], &["--json"]].concat());
            assert_eq!(verified["reached"], solved["reached"]);
            assert_eq!((&verified["over"], &verified["valid"]), (&true.into(), &true.into()));
        }
    }
}

/// Ctrl-C ends with what is known.
#[cfg(unix)]
#[test]
fn an_interrupted_search_gives_its_best() {
    let bench = Bench::new();
    for args in [
        &["samegame", "seed:1", "--time", "600"][..],
        &["freecell", "1", "--optimal", "--metric", "single"],
    ] {
        let mut running = bench.start(&[&["solve"], args, &["--json"]].concat());
        // It says how it stands after a second.
        std::thread::sleep(std::time::Duration::from_millis(1500));
        // `timeout` signals twice at once; that is still one wish.
        let id = running.child().id();
        let twice = format!("kill -INT {id}; kill -INT {id} || true");
        assert!(std::process::Command::new("sh").args(["-c", &twice]).status().unwrap().success());
        let ended = running.end();
        assert_eq!(ended.code, 4, "{ended:?}");
        let solved: Value = serde_json::from_str(&ended.out).unwrap();
        assert_eq!(solved["stats"]["stop"], "cancelled");
        bench.write("best.json", &ended.out);
        let said = bench.json(&["verify", args[0], "best.json", "--json"]);
        assert_eq!(said["value"], solved["value"]);
    }
    // Of a range, what was not begun is counted.
    let range = ["solve", "samegame", "seed:1..50", "--time", "1", "--threads", "1", "--json"];
    let mut running = bench.start(&range);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    running.signal("-INT");
    let ended = running.end();
    assert_eq!(ended.code, 4, "{ended:?}");
    let all: Value = serde_json::from_str(&ended.out).unwrap();
    let known = all["deals"].as_array().unwrap().len();
    assert!((1..50).contains(&known), "{known}");
    assert_eq!(all["summary"]["untried"], 50 - known);
}

#[test]
fn more_threads_than_any_machine_has_use_for_are_refused() {
    let bench = Bench::new();
    let refused: [&[&str]; 4] = [
        &["solve", "samegame", "seed:1", "--rollouts", "100"],
        &["solve", "klondike", "1..2"],
        &["gdl", "play", "tictactoe"],
        &["experiment", "run", "uct-figure-2"],
    ];
    for args in refused {
        let message = ["--threads", "a number of threads up to 1024"];
        bench.fails(&[args, &["--threads", "100000"]].concat(), 2, &message);
    }
}

#[test]
fn one_is_no_plural() {
    let bench = Bench::new();
    let range = bench.ok(&["solve", "klondike", "--seeds", "1..1"]);
    assert!(range.contains("\n1 deal of klondike: 0 optimal, 1 solved"), "{range}");
    bench.write(
        "last.txt",
        support::LATE.replace("S-T\nTalon: JS", "S-Q\nTalon:").replace("\nQS", "\n:"),
    );
    let solved = bench.ok(&["solve", "klondike", "last.txt"]);
    assert!(solved.contains("last.txt of klondike: won in 1 move ("), "{solved}");
    bench.write("moves.txt", solved);
    let said = bench.ok(&["verify", "klondike", "last.txt", "moves.txt"]);
    assert_eq!(said, "a solution: 1 move; won\n");
}

#[test]
fn positions_that_cannot_be_read_are_told_with_file_and_place() {
    let bench = Bench::new();
    let late = support::LATE;
    let digits = bench.ok(&["solve", "klondike", "seed:1", "--write", "rrs"]);
    let digits = digits.trim_end();
    let twice = format!("{}{}", &digits[..153], &digits[..3]);
    for (game, text, fragments) in [
        ("klondike", twice.as_str(), &["is there twice", "column 1, card 1"][..]),
        ("klondike", &digits[..150], &["150 digits found", "52 cards of 3 digits"]),
        ("klondike", &late.replace("QS", "QD"), &["QD is there twice", "column 2"]),
        ("klondike", &late.replace("KS\nQS", "QS KS\n:"), &["KS cannot lie on QS", "column 1"]),
        ("klondike", &late.replace("QS", "1X"), &["`1X` is no card", "column 2, card 1"]),
        ("klondike", &late.replace("S-T", "S-T C-2"), &["`C-2`", "twice"]),
        ("klondike", "{\"tableau\": []}", &["`tableau"]),
        ("klondike", "", &["it is empty: a position is expected"]),
        ("klondike", "[1, 2]", &["this is JSON, but a list: one position is expected"]),
        ("klondike", &late.replace("JS", ""), &["1 card lies nowhere, but 0 are marked", "JS"]),
        ("freecell", "2C AC\n3C\n4C\n5C\n6C\n7C\n8C\n9C\n", &["line 8", "missing: AD AH AS"]),
        ("freecell", "2C AC\n2C\n", &["line 2, column 1: 2C is here for the second time"]),
        ("freecell", "", &["it is empty: expected 8 columns"]),
        ("freecell", "2C 1Z\n", &["line 1, column 4: “1Z” is not a card"]),
        ("freecell", "2C\n3C\n4C\n5C\n6C\n7C\n8C\n9C\nTC\n", &["9 columns, the game has 8"]),
        ("samegame", "012\n01\n", &["line 2, column 3: this row has 2 cells, the first has 3"]),
        ("samegame", "01\n0x\n", &["line 2, column 2: `x`, expected a digit or `.`"]),
        ("samegame", "# none\n\n", &["line 1, column 1: no board"]),
        ("samegame", "0.\n.0\n", &["nothing is below this tile"]),
        ("samegame", &"0".repeat(33), &["line 1, column ", "columns"]),
        ("samegame", &"0\n".repeat(33), &["column 1: more than ", "rows"]),
    ] {
        bench.write("bad.txt", text);
        let fragments = [&["bad.txt: "], fragments].concat();
        bench.fails(&["solve", game, "bad.txt"], 3, &fragments);
        bench.fails(&["verify", game, "bad.txt", "a1"], 3, &fragments);
        bench.fails(&["hint", game, "bad.txt"], 3, &fragments);
        bench.fails(&["play", game, "bad.txt", "--watch"], 3, &fragments);
    }
    for game in GAMES {
        bench.write("bytes.txt", [b'0', b'\n', 0xff, 0xfe]);
        let fragments = ["bytes.txt: line 2: this is no text (UTF-8 is expected)"];
        bench.fails(&["solve", game.name, "bytes.txt"], 3, &fragments);
        bench.fails(&["verify", game.name, "bytes.txt", "a1"], 3, &fragments);
        // There is nothing in standard input.
        bench.fails(&["solve", game.name, "-"], 3, &["error: standard input: "]);
        bench.fails(&["verify", game.name, "-", "a1"], 3, &["error: standard input: "]);
    }
    // One bad file of a folder is told before anything is solved.
    std::fs::create_dir(bench.path("boards")).unwrap();
    bench.write("boards/a.txt", "00\n11\n");
    bench.write("boards/b.txt", "00\n1x\n");
    bench.write("boards/c.txt", "00\n11\n");
    bench.fails(&["solve", "samegame", "boards"], 3, &["boards/b.txt: line 2, column 2"]);
}

#[test]
fn redeals_beyond_the_rules_are_refused() {
    let bench = Bench::new();
    bench.write("nine.txt", support::LATE.replace("Waste:", "Waste:\nRedeals: 9"));
    bench.ok(&["solve", "klondike", "nine.txt"]);
    let limited = ["hint", "klondike(redeals=2)", "nine.txt", "--iterations", "5"];
    bench.fails(&limited, 3, &["nine.txt: the waste was turned over 9 times", "allow 2 at most"]);
}
