//! `patience verify`: one command for every game.

use crate::support;

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;
use support::{Bench, GAMES, LATE};

/// Two moves clear it: 1000 points.
const EASY: &str = "00\n11\n";

#[test]
fn an_answer_needs_no_deal() {
    let bench = Bench::new();
    for game in GAMES {
        let out = bench.ok(&game.solve(&["--json"]));
        let answer: Value = serde_json::from_str(&out).unwrap();
        bench.write("one.json", &out);
        let said = bench.json(&["verify", game.name, "one.json", "--json"]);
        assert_eq!((&said["valid"], &said["deal"]), (&true.into(), &game.deal.into()));
        assert_eq!(said["value"], answer["value"]);
        assert!(bench.ok(&["verify", game.name, "one.json"]).starts_with("a solution: "));
        // What is claimed must be so.
        let mut other = answer.clone();
        other["value"] = 7.into();
        bench.write("other.json", other.to_string());
        let said = bench.run(&["verify", game.name, "other.json"]);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.out.contains("it comes to ") && said.out.contains(", not 7"), "{said:?}");
    }
}

#[test]
fn the_answers_of_a_range_are_verified_one_by_one() {
    let bench = Bench::new();
    for (game, range) in [("klondike", "seed:7..9"), ("freecell", "1..3")] {
        let all = bench.json(&["solve", game, range, "--json"]);
        bench.write("range.json", all.to_string());
        let text = bench.ok(&["verify", game, "range.json"]);
        assert!(text.ends_with("3 solutions in 3 answers\n"), "{text}");
        let mut wrong = all.clone();
        let solution = wrong["deals"][1]["solution"].as_str().unwrap().trim_end().to_owned();
        let (shorter, _) = solution.rsplit_once(char::is_whitespace).unwrap();
        wrong["deals"][1]["solution"] = shorter.into();
        // A list alone is as good.
        bench.write("range.json", wrong["deals"].to_string());
        let said = bench.run(&["verify", game, "range.json"]);
        assert_eq!(said.code, 1, "{said:?}");
        let second = said.out.lines().nth(1).unwrap();
        let name = all["deals"][1]["deal"].as_str().unwrap();
        assert!(second.starts_with(&format!("{name}: not a solution: ")), "{second}");
        let said = bench.run(&["verify", game, "range.json", "--json"]);
        let said: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(said["valid"], false);
        let valid: Vec<&Value> =
            said["deals"].as_array().unwrap().iter().map(|deal| &deal["valid"]).collect();
        assert_eq!(valid, [true, false, true]);
        // The answers say by which rules they are.
        let given = format!("{game}()");
        bench.fails(&["verify", &given, "range.json"], 2, &["leave out its parameters"]);
        bench.fails(&["verify", game, "1", "range.json"], 3, &["range.json: one answer"]);
    }
}

/// Who reads the JSON of a list need not count its answers first.
#[test]
fn a_list_of_one_is_still_a_list() {
    let bench = Bench::new();
    bench.write("list.json", bench.ok(&["solve", "freecell", "1..1", "--json"]));
    let said = bench.json(&["verify", "freecell", "list.json", "--json"]);
    assert_eq!(said["deals"].as_array().unwrap().len(), 1);
    let text = bench.ok(&["verify", "freecell", "list.json"]);
    assert!(text.ends_with("1 solution in 1 answer\n"), "{text}");
}

#[test]
fn nothing_to_replay_is_no_success() {
    let bench = Bench::new();
    bench.write("none.json", "[]");
    for json in [&[][..], &["--json"]] {
        let args = [&["verify", "klondike", "none.json"], json].concat();
        bench.fails(&args, 3, &["none.json: the list of answers is empty"]);
    }
    bench.fails(&["solve", "klondike", "none.json"], 3, &["the list of answers is empty"]);
    // Neither can be won.
    for (game, deal) in [("klondike", "seed:6"), ("freecell", "11982")] {
        let lost = bench.run(&["solve", game, deal, "--json"]);
        assert_eq!(lost.code, 1, "{lost:?}");
        bench.write("lost.json", &lost.out);
        for way in [&[][..], &["--json"]] {
            let said = bench.run(&[&["verify", game, "lost.json"], way].concat());
            assert_eq!(said.code, 1, "{said:?}");
            let expected = "its verdict is unsolvable: there is nothing to replay";
            assert!(said.out.contains(expected), "{said:?}");
        }
        let named = ["verify", game, deal, "lost.json"];
        bench.fails(&named, 3, &["lost.json: the answer has no solution"]);
    }
}

#[test]
fn answers_that_contradict_themselves_are_refused() {
    let bench = Bench::new();
    for game in GAMES {
        let answer = bench.json(&game.solve(&["--json"]));
        let other = if game.name == "freecell" { "klondike" } else { "freecell" };
        let next = bench.run(&["solve", game.name, "2", "--iterations", "1", "--json"]);
        let next: Value = serde_json::from_str(&next.out).unwrap();
        let position = next["position"].clone();
        let said = format!("`deal` is {}, but `position` is another", game.deal);
        for (key, value, expected) in [
            ("game", other.into(), format!("`game` is {other}, expected {}", game.name)),
            ("game", format!("{}(nonsense=1)", game.name).into(), "no parameter nonsense".into()),
            ("deal", "seed:2".into(), "`deal` is seed:2, but `position` is another".to_owned()),
            ("position", position, said),
            ("position", "".into(), "`position`: ".to_owned()),
            ("verdict", "unsolvable".into(), "`verdict` is unsolvable, but there is".to_owned()),
        ] {
            let mut wrong = answer.clone();
            wrong[key] = value;
            bench.write("one.json", wrong.to_string());
            bench.fails(&["verify", game.name, "one.json"], 3, &[&expected]);
            // In a list too.
            bench.write("list.json", format!("[{answer}, {wrong}]"));
            let named = ["list.json, answer 2: ", &expected];
            bench.fails(
                &["verify", game.name, "list.json"],
                3,
                &named[usize::from(key == "game")..],
            );
        }
    }
}

#[test]
fn steps_that_the_rules_forbid_are_no_solution() {
    let bench = Bench::new();
    bench.write("easy.txt", EASY);
    for (args, said) in [
        (&["klondike", "seed:1", "turn w-f w-9"][..], "move 3"),
        (&["klondike", "seed:1", "turn\r\n# a comment\r\nturn"], "after 2 moves the goal is not"),
        (&["freecell", "7", "1a 1a"], "line 1, step 2 (“1a”): cell a cannot take a card"),
        (&["samegame", "easy.txt", "a1\n a2"], "line 2, column 2: step 2: there is no tile at a2"),
        (&["samegame", "easy.txt", "a1 a1", "--score", "999"], "it comes to 1000, not 999"),
    ] {
        // The answer no is no error: it has its own exit code.
        let wrong = bench.run(&[&["verify"], args].concat());
        assert_eq!((wrong.code, wrong.err.as_str()), (1, ""), "{wrong:?}");
        assert!(wrong.out.starts_with("not a solution: ") && wrong.out.contains(said), "{wrong:?}");
        let json = bench.run(&[&["verify"], args, &["--json"]].concat());
        let json: Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!(json["valid"], false);
        assert!(json["error"].as_str().unwrap().contains(said), "{json}");
    }
    // Too short, and of another deal.
    let full = bench.ok(&["solve", "freecell", "7", "--quiet"]);
    let all: Vec<&str> = full.split_whitespace().collect();
    let cut = all[..all.len() - 2].join(" ");
    let ended = bench.run(&["verify", "freecell", "7", &cut]);
    assert_eq!(ended.code, 1);
    assert!(ended.out.contains("the goal is not reached"), "{}", ended.out);
    assert_eq!(bench.run(&["verify", "freecell", "8", &full]).code, 1);
}

#[test]
fn a_score_is_told_of_games_that_go_on_too() {
    let bench = Bench::new();
    bench.write("easy.txt", EASY);
    bench.write("s.txt", "a1\na1\n");
    let text = bench.ok(&["verify", "samegame", "easy.txt", "s.txt"]);
    assert_eq!(text, "a solution: score 1000 after 2 moves; cleared\n");
    let text = bench.ok(&["verify", "samegame", "easy.txt", "a1"]);
    assert_eq!(text, "a solution: score 0 after 1 move; moves are left\n");
    let json = bench.json(&["verify", "samegame", "easy.txt", "a1", "--json"]);
    assert_eq!(
        (&json["over"], &json["valid"], &json["end"]),
        (&false.into(), &true.into(), &"..\n00".into())
    );
    assert!(json.get("error").is_none(), "{json}");
    bench.fails(&["verify", "samegame", "easy.txt", "a1", "--score", "nan"], 2, &["a number"]);
}

#[test]
fn words_that_are_no_solution_are_bad_input() {
    let bench = Bench::new();
    bench.write("easy.txt", EASY);
    bench.write("moves", "turn\nw-9x\n");
    bench.write("half.json", "{\"solution\": ");
    for (args, code, fragments) in [
        (&["klondike", "seed:1", "moves"][..], 3, &["moves: line 2", "`w-9x` is not a move"][..]),
        (&["freecell", "7", "1x"], 3, &["step 1 (“1x”)", "written like 26, 3a, bh"]),
        (&["freecell", "1", "half.json"], 3, &["half.json: "]),
        (&["samegame", "easy.txt", "a1 zz"], 3, &["column 4: step 2: `zz`, expected a cell"]),
        (&["samegame", "easy.txt", "none.txt"], 3, &["none.txt: cannot read"]),
        (&["samegame", "seed:1..2", "a1"], 2, &["seed:1..2: one deal is expected"]),
        (&["samegame", "a1"], 2, &["which deal?"]),
        (&["freecell", "-", "-"], 2, &["`-` can stand only once"]),
        (&["freecell", "1", "1a", "--deal", "2"], 2, &["one deal is expected"]),
    ] {
        bench.fails(&[&["verify"], args].concat(), code, fragments);
    }
    bench.fails(&["solve", "freecell", "-", "-"], 2, &["`-` can stand only once"]);
    bench.write("answer", "{\"game\": \"klondike\", \"position\": \"\", \"moves\": []}");
    bench.fails(&["verify", "klondike", "answer"], 3, &["answer: `position`: it is empty"]);
}

/// The pipe of the help.
#[test]
fn solve_can_be_piped_into_verify() {
    let bench = Bench::new();
    for game in GAMES {
        for (way, words) in [(&[][..], &[game.deal, "-"][..]), (&["--json"], &["-"])] {
            let solved = bench.ok(&game.solve(way));
            let mut command = bench.command(&[&["verify", game.name], words].concat());
            let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            child.stdin.take().unwrap().write_all(solved.as_bytes()).unwrap();
            let out = child.wait_with_output().unwrap();
            assert!(out.status.success() && out.stdout.starts_with(b"a solution: "), "{out:?}");
        }
    }
}

#[test]
fn answers_keep_the_parameters_of_their_game() {
    let bench = Bench::new();
    for (game, deal) in [("klondike(draw=1)", "seed:7"), ("freecell(cells=3, metric=single)", "1")]
    {
        bench.write("one.json", bench.ok(&["solve", game, deal, "--json"]));
        let name = game.split('(').next().unwrap();
        let said = bench.json(&["verify", name, "one.json", "--json"]);
        assert_eq!((&said["game"], &said["valid"]), (&game.into(), &true.into()));
        // The same solution by other rules.
        let text = bench.ok(&["solve", game, deal, "--quiet"]);
        bench.ok(&["verify", game, deal, &text]);
        assert_ne!(bench.run(&["verify", name, deal, &text]).code, 0);
    }
    bench.write("late.txt", LATE.replace('\n', "\r\n"));
    let late = bench.json(&["solve", "klondike", "late.txt", "--json"]);
    assert_eq!((&late["verdict"], &late["length"]), (&"solved".into(), &4.into()));
}
