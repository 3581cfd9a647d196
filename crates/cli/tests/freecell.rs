//! FreeCell at the command line: what it shows, and what it says of bad input.

use crate::support;

use support::Bench;

#[test]
fn a_shortest_solution_is_found_proven_and_verified() {
    let bench = Bench::new();
    for (metric, length) in [("table1", 70), ("single", 73), ("supermove", 70)] {
        let solved =
            bench.json(&["solve", "freecell", "3", "--optimal", "--metric", metric, "--json"]);
        assert_eq!(solved["verdict"], "optimal");
        assert_eq!((&solved["length"], &solved["lower_bound"]), (&length.into(), &length.into()));
        assert!(solved["states"].as_u64() > Some(0) && solved["bytes"].as_u64() > Some(0));
        assert!(solved["seconds"].as_f64() > Some(0.0));
        let solution = solved["solution"].as_str().unwrap();
        let verified = bench.ok(&["verify", "freecell", "3", solution, "--metric", metric]);
        assert_eq!(verified.trim(), format!("a solution: {length} moves ({metric})"));
    }
}

#[test]
fn the_first_solution_comes_first_and_the_gap_is_told() {
    let bench = Bench::new();
    let ended = bench.run(&["solve", "freecell", "2", "--optimal", "--metric", "table1"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let first = ended.err.find("first solution: ").unwrap();
    let gap = ended.err.find("lower bound 68").unwrap();
    assert!(first < gap, "{}", ended.err);
    let shortest = "shortest solution: 73 moves, no solution is shorter";
    assert!(ended.out.starts_with("# ") && ended.out.contains(shortest), "{}", ended.out);
    assert!(ended.err.contains("lower bound 68, upper bound "), "{}", ended.err);
    assert!(ended.err.contains(" states, ") && ended.err.contains(" MB, "), "{}", ended.err);
}

/// Whatever `solve` prints, `verify` reads.
#[test]
fn what_is_printed_can_be_verified() {
    let bench = Bench::new();
    let ways: [&[&str]; 4] = [&[], &["--numbered"], &["--quiet"], &["--json"]];
    for way in ways {
        let solve = [&["solve", "freecell", "7", "--metric", "single"], way].concat();
        bench.write("said.txt", bench.ok(&solve));
        let verified = bench.ok(&["verify", "freecell", "7", "said.txt", "--metric", "single"]);
        assert!(verified.starts_with("a solution: "), "{way:?}: {verified}");
    }
    bench.write("several.json", bench.ok(&["solve", "freecell", "1..2", "--json"]));
    bench.fails(&["verify", "freecell", "1", "several.json"], 3, &["several.json", "one deal"]);
    bench.write("half.json", "{\"solution\": ");
    bench.fails(&["verify", "freecell", "1", "half.json"], 3, &["half.json", "no JSON"]);
}

/// A hint tells the steps to go, or that there is no solution.
#[test]
fn a_hint_tells_the_steps_to_go() {
    let bench = Bench::new();
    let lost = bench.ok(&["hint", "freecell", "11982", "--time", "60"]);
    assert!(lost.contains("Lost. There is no solution"), "{lost}");
    assert_eq!(lost.matches("loses").count(), 11, "{lost}");
    let board = "Foundations: H-K C-K D-K S-J\n: KS QS\n:\n:\n:\n:\n:\n:\n:\n";
    bench.write("end.txt", board);
    let said = bench.json(&["hint", "freecell", "end.txt", "--json"]);
    assert_eq!((&said["planner"], &said["best"]), (&"distance".into(), &"1h".into()));
    assert_eq!(
        (&said["moves"][0]["value"], &said["moves"][0]["sure"]),
        (&2.0.into(), &true.into())
    );
    // Other planners count cards that go home.
    let uct = bench.json(&["hint", "freecell", "end.txt", "--iterations", "50", "--json"]);
    assert_eq!(uct["planner"], "uct(scale=52)");
    let wrong = ["hint", "freecell", "1", "--planner", "distance", "--iterations", "5"];
    bench.fails(&wrong, 2, &["--time"]);
    bench.fails(&["hint", "klondike", "--planner", "distance"], 3, &["distance"]);
}

#[test]
fn numbered_steps_can_be_verified_too() {
    let bench = Bench::new();
    let steps = bench.ok(&["solve", "freecell", "5", "--numbered", "--quiet"]);
    assert!(steps.starts_with("1. "), "{steps}");
    bench.write("steps.txt", &steps);
    let verified = bench.json(&["verify", "freecell", "5", "steps.txt", "--json"]);
    assert_eq!((&verified["valid"], &verified["metric"]), (&true.into(), &"supermove".into()));
    assert_eq!(verified["length"], steps.lines().count());
}

#[test]
fn ranges_have_a_summary() {
    let bench = Bench::new();
    let report = bench.json(&["solve", "freecell", "1..6", "9", "--json"]);
    let deals = report["deals"].as_array().unwrap();
    let numbers: Vec<u64> = deals.iter().map(|deal| deal["deal"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 9]);
    let summary = &report["summary"];
    assert_eq!((&summary["deals"], &summary["solved"]), (&7.into(), &7.into()));
    assert!(summary["mean_length"].as_f64() > Some(60.0));
    // The same on any number of threads.
    let one = bench.json(&["solve", "freecell", "1..6", "9", "--json", "--threads", "1"]);
    for (a, b) in deals.iter().zip(one["deals"].as_array().unwrap()) {
        assert_eq!((&a["solution"], &a["states"]), (&b["solution"], &b["states"]));
    }
    let text = bench.ok(&["solve", "freecell", "1..3"]);
    assert!(text.contains("3 deals: 0 optimal, 3 solved, 0 unsolvable, 0 unknown"), "{text}");
}

#[test]
fn a_deal_without_solution_is_told_by_the_exit_code() {
    let bench = Bench::new();
    let ended = bench.run(&["solve", "freecell", "11982", "--json"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.out.contains("\"verdict\": \"unsolvable\""), "{}", ended.out);
}

#[test]
fn budgets_end_with_bounds() {
    let bench = Bench::new();
    for limit in [["--memory", "6M"], ["--time", "0.05"]] {
        let args = ["solve", "freecell", "1", "--optimal", "--metric", "single", "--json"];
        let ended = bench.run(&[&args[..], &limit].concat());
        assert_eq!(ended.code, 4, "{ended:?}");
        let solved: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
        let (lower, length) = (solved["lower_bound"].as_u64(), solved["length"].as_u64());
        assert!(lower >= Some(70), "{solved}");
        // A busy machine may not get as far as a first solution in so little time.
        match solved["verdict"].as_str() {
            Some("unknown") if limit[0] == "--time" => assert_eq!(length, None),
            verdict => assert!(verdict == Some("solved") && lower < length, "{solved}"),
        }
    }
}

#[test]
fn the_family_is_solved_by_name() {
    let bench = Bench::new();
    for rules in ["bakers-game", "eight-off", "seahaven-towers", "freecell(cells=5)"] {
        let solved = bench.json(&["solve", "freecell", "4..5", "--rules", rules, "--json"]);
        assert_eq!(solved["summary"]["unknown"], 0, "{rules}");
    }
    let board = bench.write("small.txt", ": AC AD AH AS\n: 2S 2H\n: 2D 2C\n");
    let rules = "freecell(columns=3, ranks=2, cells=1)";
    let file = board.to_str().unwrap();
    let solved = bench.json(&["solve", "freecell", file, "--rules", rules, "--optimal", "--json"]);
    assert_eq!((&solved["verdict"], &solved["length"]), (&"optimal".into(), &8.into()));
}

#[test]
fn heuristics_can_be_chosen() {
    let bench = Bench::new();
    for heuristic in ["h2", "h3", "h4", "best"] {
        let args = ["solve", "freecell", "3", "--optimal", "--metric", "table1", "--json"];
        let solved = bench.json(&[&args[..], &["--heuristic", heuristic]].concat());
        assert_eq!(solved["length"], 70, "{heuristic}");
    }
}

#[test]
fn bad_input_is_named() {
    let bench = Bench::new();
    let full = bench.ok(&["solve", "freecell", "7", "--quiet"]);
    for (args, code, fragments) in [
        (&["solve", "freecell", "0"][..], 3, &["there is no deal 0", "1 to"][..]),
        (&["solve", "freecell", "9..2"], 2, &["below the first"]),
        (&["solve", "freecell", "1..20000000"], 2, &["more than ten million deals"]),
        (&["solve", "freecell", "none.txt"], 3, &["none.txt: cannot read"]),
        (&["solve", "freecell", "1", "--rules", "bakers"], 2, &["no game bakers", "bakers-game"]),
        (&["solve", "freecell", "1", "--rules", "freecell(cells=99)"], 3, &["99 cells", "most 12"]),
        (
            &["solve", "freecell", "1", "--rules", "king-albert", "--metric", "table1"],
            3,
            &["no metric “table1”", "one at a time"],
        ),
        (&["verify", "freecell", "7", "1x"], 3, &["step 1 (“1x”)", "written like 26, 3a, bh"]),
        (&["verify", "freecell", "-", "-"], 2, &["only one"]),
    ] {
        bench.fails(args, code, fragments);
    }
    // What clap refuses is wrong usage.
    assert_eq!(bench.run(&["solve", "freecell", "1", "--metric", "moves"]).code, 2);
    for memory in ["much", "0", "-1", "12X"] {
        let args = ["solve", "freecell", "1", &format!("--memory={memory}")];
        bench.fails(&args, 2, &["--memory", "a number of megabytes, or one such as 512M"]);
    }
    assert_eq!(bench.run(&["solve", "freecell", "1", "--time", "-3"]).code, 2);

    // A step that breaks a rule, and a solution that stops too early.
    let ended = bench.run(&["verify", "freecell", "7", "1a 1a"]);
    assert_eq!(ended.code, 1);
    let said = "not a solution: line 1, step 2 (“1a”): cell a cannot take a card";
    assert_eq!(ended.out.trim(), said);
    let all: Vec<&str> = full.split_whitespace().collect();
    let cut = all[..all.len() - 2].join(" ");
    let ended = bench.run(&["verify", "freecell", "7", &cut]);
    assert_eq!(ended.code, 1);
    assert!(ended.out.contains("2 cards are not home"), "{}", ended.out);

    // Boards: a missing card, a card twice, no card at all, a column too many.
    let deal = "2C AC\n3C\n4C\n5C\n6C\n7C\n8C\n9C\n";
    let wrong = bench.write("wrong.txt", deal);
    let file = wrong.to_str().unwrap();
    bench.fails(&["solve", "freecell", file], 3, &["wrong.txt: line 8", "missing: AD AH AS"]);
    bench.write("wrong.txt", "2C AC\n2C\n");
    let fragments = &["line 2, column 1: 2C is here for the second time"];
    bench.fails(&["solve", "freecell", file], 3, fragments);
    bench.write("wrong.txt", "");
    bench.fails(&["solve", "freecell", file], 3, &["wrong.txt", "it is empty: expected 8 columns"]);
    bench.write("wrong.txt", b"2C\n\xff\xfe\n");
    for command in [["solve", "freecell", file].as_slice(), &["verify", "freecell", file, "1a"]] {
        bench.fails(command, 3, &["wrong.txt: line 2: this is no text (UTF-8 is expected)"]);
    }
    // There is nothing in standard input.
    for command in [["solve", "freecell", "-"].as_slice(), &["verify", "freecell", "-", "1a"]] {
        bench.fails(command, 3, &["error: standard input: ", "it is empty"]);
    }
    bench.write("wrong.txt", "2C 1Z\n");
    let fragments = &["line 1, column 4: “1Z” is not a card"];
    bench.fails(&["solve", "freecell", file], 3, fragments);
    bench.write("wrong.txt", "2C\n3C\n4C\n5C\n6C\n7C\n8C\n9C\nTC\n");
    bench.fails(&["solve", "freecell", file], 3, &["9 columns, the game has 8"]);
}
