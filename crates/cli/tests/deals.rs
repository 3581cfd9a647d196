//! Deals are named the same way in every command.

use crate::support;

use serde_json::Value;
use support::{Bench, GAMES};

/// What `hint` and `play` show, and what `solve` writes for them.
struct Shown<'b> {
    bench: &'b Bench,
    game: &'b str,
}

impl Shown<'_> {
    fn hint(&self, deal: &[&str]) -> String {
        let few = ["--iterations", "1", "--time", "0.05", "--json"];
        let advice = self.bench.json(&[&["hint", self.game], deal, &few].concat());
        advice["position"].as_str().unwrap().to_owned()
    }

    /// The first position of a game that is watched.
    fn play(&self, deal: &[&str]) -> String {
        let few = ["--watch", "--planner", "random", "--time", "0.01"];
        let text = self.bench.ok(&[&["play", self.game], deal, &few].concat());
        let end = text.find("\n1. ").or(text.find("\nlost after")).or(text.find("\nover after"));
        text[..end.unwrap_or(text.len())].trim_end().to_owned()
    }

    /// The same by the way of a file.
    fn solve(&self, deal: &[&str]) -> String {
        let format = if self.game.starts_with("klondike") { "pysol" } else { "text" };
        let whole = self.bench.ok(&[&["solve", self.game], deal, &["--write", format]].concat());
        self.bench.write("whole.txt", whole);
        self.hint(&["whole.txt"])
    }
}

#[test]
fn a_deal_is_the_same_in_solve_hint_and_play() {
    let bench = Bench::new();
    for game in ["klondike", "klondike(draw=1)", "freecell", "freecell(cells=3)", "samegame"] {
        let shown = Shown { bench: &bench, game };
        let seven = shown.hint(&["7"]);
        let seed = shown.hint(&["seed:7"]);
        for (ways, position) in [
            (&[&["7"][..], &["--deal", "7"], &["--deal=7"]][..], &seven),
            (&[&["seed:7"][..], &["--deal", "seed:7"], &["--seed", "7"]], &seed),
        ] {
            for way in ways {
                assert_eq!(shown.hint(way), *position, "{game}, {way:?}");
                assert_eq!(shown.play(way), position.trim_end(), "{game}, {way:?}");
                // What lies face down is seen by solvers only: this is what a player knows of it.
                if !game.starts_with("klondike") {
                    assert_eq!(shown.solve(way), *position, "{game}, {way:?}");
                }
            }
        }
        // Nobody needs to name a deal.
        assert_eq!(shown.hint(&[]).trim_end(), shown.play(&[]), "{game}");
    }
}

#[test]
fn numbers_and_seeds_name_the_same_deal_where_a_game_has_no_numbers() {
    let bench = Bench::new();
    let written = |game: &str, deal: &[&str]| {
        let format = if game == "klondike" { "pysol" } else { "text" };
        bench.ok(&[&["solve", game], deal, &["--write", format]].concat())
    };
    assert_eq!(written("samegame", &["7"]), written("samegame", &["seed:7"]));
    for game in ["klondike", "freecell", "samegame"] {
        assert_eq!(written(game, &["7"]), written(game, &["--deal", "7"]));
        assert_eq!(written(game, &["seed:7"]), written(game, &["--seed", "7"]));
        let both = written(game, &["seed:7"]) + &written(game, &["seed:8"]);
        assert_eq!(written(game, &["seed:7..8"]), both);
        assert_eq!(written(game, &["--seeds", "7..8"]), both);
        assert_eq!(written(game, &["seed:7", "--deal", "seed:8"]), both);
        // A number is a deal, also where a file is called so.
        let seven = written(game, &["7"]);
        bench.write("7", written(game, &["8"]));
        assert_eq!(written(game, &["7"]), seven);
        assert_ne!(written(game, &["./7"]), seven);
    }
    assert_ne!(written("klondike", &["7"]), written("klondike", &["seed:7"]));
}

#[test]
fn words_that_name_no_deal_are_told_alike() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("empty")).unwrap();
    let huge = "9".repeat(68);
    let huge_range = format!("1..{}", "9".repeat(30));
    for (game, word, code, fragments) in [
        ("klondike", "nowhere", 3, &["nowhere: no such file", "not a deal such as 7"][..]),
        ("samegame", "seed:x", 3, &["seed:x: no such file", "seed:7"]),
        ("klondike", huge.as_str(), 3, &["the numbers end at 52! - 1"]),
        ("freecell", "0", 3, &["`0` is no deal", "numbered 1 to"]),
        ("samegame", "empty", 3, &["empty: ", "no file *.txt"]),
        ("freecell", "9..2", 2, &["9..2: the last number is below the first"]),
        ("freecell", "1..20000000", 2, &["more than 10000000 deals; take them in parts"]),
        ("freecell", &huge_range, 2, &["too large for a range"]),
    ] {
        for command in ["solve", "hint", "play"] {
            let mut args = vec![command, game, word];
            args.extend((command == "play").then_some("--watch"));
            bench.fails(&args, code, fragments);
            args[2] = "--deal";
            args.insert(3, word);
            bench.fails(&args, code, fragments);
        }
        bench.fails(&["verify", game, word, "a1"], code, fragments);
    }
    for command in ["hint", "play"] {
        bench.fails(&[command, "freecell", "1..2"], 2, &["1..2: one deal is expected"]);
        let both = [command, "freecell", "1", "--deal", "2"];
        bench.fails(&both, 2, &["--deal <DEAL>"]);
    }
    assert_eq!(bench.run(&["solve", "freecell"]).code, 2);
    bench.fails(&["solve", "freecell", "--optimal"], 2, &["which deal?", "1..40"]);
}

#[test]
fn several_positions_come_from_a_folder() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("boards")).unwrap();
    bench.write("boards/2.txt", "00\n11\n");
    bench.write("boards/1.txt", "0101\n1010\n");
    bench.write("boards/README.md", "Two boards.\n");
    let args = ["solve", "samegame", "boards", "seed:1..2", "--rollouts", "300", "--json"];
    let solved = bench.json(&args);
    let deals = solved["deals"].as_array().unwrap();
    let names: Vec<_> = deals.iter().map(|deal| deal["deal"].as_str().unwrap()).collect();
    assert_eq!(names, ["boards/1.txt", "boards/2.txt", "seed:1", "seed:2"]);
    // Nothing can be removed from the first, which is charged; the second is cleared.
    assert_eq!((&deals[0]["value"], &deals[1]["value"]), (&0.0.into(), &1000.0.into()));
    assert_eq!(deals[1]["reached"], true);
    bench.write("all.json", solved.to_string());
    bench.ok(&["verify", "samegame", "all.json"]);
    // Who reads the JSON of a folder need not count its files first.
    std::fs::remove_file(bench.path("boards/1.txt")).unwrap();
    let one = bench.json(&["solve", "samegame", "boards", "--rollouts", "300", "--json"]);
    assert_eq!(one["deals"].as_array().unwrap().len(), 1);
    let file = ["solve", "samegame", "boards/2.txt", "--rollouts", "300", "--json"];
    assert_eq!(bench.json(&file)["value"], 1000.0);
}

#[test]
fn an_answer_is_a_position_too() {
    let bench = Bench::new();
    let first = bench.json(&["solve", "klondike(draw=1)", "seed:7", "--json"]);
    bench.write("seven.json", first.to_string());
    let again = bench.json(&["solve", "klondike", "seven.json", "--json"]);
    for key in ["game", "position", "moves", "verdict"] {
        assert_eq!(again[key], first[key], "{key}");
    }
    assert_eq!(again["deal"], "seven.json");
    // Parameters that are given count.
    let other = bench.json(&["solve", "klondike", "seven.json", "--draw", "3", "--json"]);
    assert_eq!(
        (&other["position"], &other["game"]),
        (&first["position"], &"klondike(draw=3)".into())
    );
    for game in GAMES {
        let answer = bench.ok(&game.solve(&["--json"]));
        bench.write("answer.json", &answer);
        let shown = Shown { bench: &bench, game: game.name };
        assert_eq!(shown.hint(&["answer.json"]), shown.hint(&[game.deal]));
        assert_eq!(shown.play(&["answer.json"]), shown.play(&[game.deal]));
        bench.write("list.json", format!("[{answer}, {answer}]"));
        let few = ["--iterations", "5", "--json"];
        let both = bench.run(&[&["solve", game.name, "list.json"], &few[..]].concat());
        let both: Value = serde_json::from_str(&both.out).unwrap();
        let names: Vec<&Value> =
            both["deals"].as_array().unwrap().iter().map(|deal| &deal["deal"]).collect();
        assert_eq!(names, ["list.json, answer 1", "list.json, answer 2"]);
        bench.fails(&["hint", game.name, "list.json"], 2, &["one deal is expected"]);
        let other = if game.name == "freecell" { "klondike" } else { "freecell" };
        let wrong = format!("answer.json: `game` is {}, expected {other}", game.name);
        bench.fails(&["solve", other, "answer.json"], 3, &[&wrong]);
    }
}
