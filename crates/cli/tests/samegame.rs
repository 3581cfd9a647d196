//! SameGame on the command line: solving, verifying, and what is said of bad input.

use crate::support;

use serde_json::Value;
use support::Bench;

/// Two moves clear it: 1000 points.
const EASY: &str = "00\n11\n";

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} in {value}"))
}

/// Whatever `solve` prints, `verify` reads.
#[test]
fn what_is_printed_can_be_verified() {
    let bench = Bench::new();
    let solve = ["solve", "samegame", "seed:1", "--rollouts", "50", "--threads", "1"];
    for way in [None, Some("--json")] {
        let asked: Vec<&str> = solve.into_iter().chain(way).collect();
        bench.write("said.txt", bench.ok(&asked));
        let verified = bench.json(&["verify", "samegame", "seed:1", "said.txt", "--json"]);
        assert_eq!(verified["valid"], true, "{way:?}: {verified}");
        assert!(verified["moves"].as_u64() > Some(20), "{way:?}: {verified}");
    }
}

#[test]
fn a_board_is_solved_and_the_solution_verified() {
    let bench = Bench::new();
    let board = bench.ok(&["verify", "samegame", "seed:3", "", "--json"]);
    let board: Value = serde_json::from_str(&board).unwrap();
    let rows: Vec<&str> =
        board["left"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
    assert_eq!(rows.len(), 15);
    bench.write("b.txt", rows.join("\n"));
    for rewards in ["samegame", "bubblebreaker", "clickomania"] {
        for penalty in ["seed", "none"] {
            let scoring = ["--penalty", penalty, "--rewards", rewards];
            let args = ["--time", "0.5", "--threads", "1", "--json"];
            let solve = [&["solve", "samegame", "b.txt"], &args[..], &scoring[..]].concat();
            let solved = bench.json(&solve);
            let solution = solved["solution"].as_str().unwrap();
            assert!(number(&solved, "rollouts") > 0.0 && number(&solved, "seconds") > 0.0);
            let score = solved["score"].to_string();
            let verify = ["verify", "samegame", "b.txt", solution, "--score", &score, "--json"];
            let verified = bench.json(&[&verify[..], &scoring[..]].concat());
            assert_eq!(verified["cleared"], solved["cleared"]);
            assert_eq!((&verified["over"], &verified["valid"]), (&true.into(), &true.into()));
        }
    }
}

#[test]
fn several_boards_have_a_total_and_a_mean() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("boards")).unwrap();
    bench.write("boards/b.txt", EASY);
    bench.write("boards/a.txt", "0101\n1010\n");
    let args = ["solve", "samegame", "boards", "seed:1..2", "--rollouts", "300", "--threads", "2"];
    let solved = bench.json(&[&args[..], &["--json"]].concat());
    let boards = solved["boards"].as_array().unwrap();
    let names: Vec<_> = boards.iter().map(|board| board["board"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "b", "seed:1", "seed:2"]);
    // Nothing can be removed from the first, which is charged; the second is cleared.
    assert_eq!((number(&boards[0], "score"), number(&boards[1], "score")), (0.0, 1000.0));
    let total: f64 = boards.iter().map(|board| number(board, "score")).sum();
    assert_eq!((number(&solved, "total"), number(&solved, "mean")), (total, total / 4.0));
    assert_eq!(solved["complete"], true);
    let text = bench.ok(&args);
    assert!(text.contains("4 boards: total ") && text.contains("mean "), "{text}");
    assert!(text.ends_with("--json prints the solutions\n"), "{text}");
    // With rollouts alone the result is the same every time.
    let again = bench.json(&[&args[..], &["--json"]].concat());
    for (a, b) in boards.iter().zip(again["boards"].as_array().unwrap()) {
        assert_eq!((&a["score"], &a["solution"]), (&b["score"], &b["solution"]));
    }
}

/// Who reads the JSON of a folder need not count its files first.
#[test]
fn a_folder_of_one_board_is_still_a_folder() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("boards")).unwrap();
    bench.write("boards/a.txt", EASY);
    let solved = bench.json(&["solve", "samegame", "boards", "--rollouts", "300", "--json"]);
    assert_eq!(solved["boards"].as_array().unwrap().len(), 1);
    assert_eq!((number(&solved, "total"), number(&solved, "mean")), (1000.0, 1000.0));
    let solved = bench.json(&["solve", "samegame", "boards/a.txt", "--rollouts", "300", "--json"]);
    assert_eq!(number(&solved, "score"), 1000.0);
}

/// The number of cores must not decide what rollouts come to.
#[test]
fn rollouts_are_those_of_one_thread_unless_threads_are_named() {
    let bench = Bench::new();
    let args = ["solve", "samegame", "seed:5", "--rollouts", "400", "--json"];
    let [silent, one, two] = [&[][..], &["--threads", "1"], &["--threads", "2"]]
        .map(|threads| bench.json(&[&args[..], threads].concat()));
    assert_eq!((&silent["rollouts"], &two["rollouts"]), (&400.into(), &800.into()));
    assert_eq!((&silent["score"], &silent["solution"]), (&one["score"], &one["solution"]));
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
fn solutions_are_judged_by_the_plain_rules() {
    let bench = Bench::new();
    bench.write("easy.txt", EASY);
    bench.write("s.txt", "a1\na1\n");
    let text = bench.ok(&["verify", "samegame", "easy.txt", "s.txt"]);
    assert_eq!(text, "score 1000 after 2 moves; the board is cleared\n");
    let unfinished = bench.json(&["verify", "samegame", "easy.txt", "a1", "--json"]);
    assert_eq!((&unfinished["over"], &unfinished["valid"]), (&false.into(), &true.into()));
    // The answer no is no error: it has its own exit code.
    let wrong = bench.run(&["verify", "samegame", "easy.txt", "a1\n a2"]);
    assert_eq!((wrong.code, wrong.err.as_str()), (1, ""));
    let expected = "not a solution: line 2, column 2: step 2: there is no tile at a2\n";
    assert_eq!(wrong.out, expected);
    let wrong = bench.run(&["verify", "samegame", "easy.txt", "s.txt", "--score", "999", "--json"]);
    assert_eq!(wrong.code, 1);
    let answer: Value = serde_json::from_str(&wrong.out).unwrap();
    assert_eq!(answer["valid"], false);
    assert_eq!(answer["error"], "the score is 1000, not 999");
    assert!(unfinished.get("error").is_none());
    bench.fails(&["verify", "samegame", "easy.txt", "a1", "--score", "nan"], 2, &["a number"]);
    let text = bench.ok(&["verify", "samegame", "easy.txt", "a1"]);
    assert!(text.starts_with("score 0 after 1 move; moves are left"), "{text}");
}

#[test]
fn bad_boards_and_solutions_are_named_with_line_and_column() {
    let bench = Bench::new();
    bench.write("easy.txt", EASY);
    for (board, fragment) in [
        ("012\n01\n", "line 2, column 3: this row has 2 cells, the first has 3"),
        ("01\n0x\n", "line 2, column 2: `x`, expected a digit or `.`"),
        ("# none\n\n", "line 1, column 1: no board"),
        ("0.\n.0\n", "nothing is below this tile"),
    ] {
        bench.write("bad.txt", board);
        for args in
            [["solve", "samegame", "bad.txt", "--time=1"], ["verify", "samegame", "bad.txt", "a1"]]
        {
            bench.fails(&args, 3, &["bad.txt", fragment]);
        }
    }
    bench.write("wide.txt", "0".repeat(33));
    bench.fails(
        &["solve", "samegame", "wide.txt"],
        3,
        &["line 1, column 33: more than 32 columns"],
    );
    bench.write("high.txt", "0\n".repeat(33));
    bench.fails(&["solve", "samegame", "high.txt"], 3, &["line 33, column 1: more than 32 rows"]);
    bench.write("bytes.txt", [b'0', b'\n', 0xff, 0xfe]);
    bench.fails(&["solve", "samegame", "bytes.txt"], 3, &["bytes.txt: line 2: ", "UTF-8"]);
    bench.fails(&["solve", "samegame", "none.txt"], 3, &["none.txt: there is no such file"]);
    bench.fails(&["solve", "samegame", "1"], 3, &["1: there is no such file", "seed:1 or"]);
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench.fails(&["solve", "samegame", "empty"], 3, &["empty", "no file *.txt"]);
    let words = ["verify", "samegame", "easy.txt", "a1 zz"];
    bench.fails(&words, 3, &["line 1, column 4: step 2: `zz`, expected a cell such as c4"]);
    bench.fails(&["verify", "samegame", "easy.txt", "none.txt"], 3, &["none.txt", "cannot read"]);
    bench.fails(&["verify", "samegame", "seed:1..2", "a1"], 2, &["expected one board, got 2"]);
    bench.fails(&["solve", "samegame", "seed:x"], 2, &["seed:x", "is no deal's number"]);
    bench.fails(
        &["solve", "samegame", "seed:1", "--size", "15x33x5"],
        2,
        &["33 rows, expected 1 to 32"],
    );
    bench.fails(
        &["solve", "samegame", "seed:1", "--size", "9x9x11"],
        2,
        &["11 colours, expected 2 to 10"],
    );
    for time in ["0", "-1", "nan", "inf", "1e300"] {
        let time = format!("--time={time}");
        bench.fails(&["solve", "samegame", "easy.txt", &time], 2, &["number of seconds above 0"]);
    }
    for args in [["--penalty", "all"], ["--rewards", "same"], ["--size", "15"], ["--rollouts", "0"]]
    {
        let ended = bench.run(&[&["solve", "samegame", "easy.txt"], &args[..]].concat());
        assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{args:?}");
    }
}

/// Ctrl-C ends with what is known.
#[cfg(unix)]
#[test]
fn an_interrupted_search_gives_its_best() {
    let bench = Bench::new();
    let mut running = bench.start(&["solve", "samegame", "seed:1", "--time", "600", "--json"]);
    // It says how it stands after a second.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    // `timeout` signals twice at once; that is still one wish.
    let id = running.child().id();
    let twice = format!("kill -INT {id}; kill -INT {id} || true");
    assert!(std::process::Command::new("sh").args(["-c", &twice]).status().unwrap().success());
    let ended = running.end();
    assert_eq!(ended.code, 4, "{ended:?}");
    let solved: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(solved["stop"], "cancelled");
    let verify = ["verify", "samegame", "seed:1", solved["solution"].as_str().unwrap(), "--json"];
    assert_eq!(bench.json(&verify)["score"], solved["score"]);
}

#[test]
fn hints_are_given_on_boards_of_seeds() {
    let bench = Bench::new();
    let hint = |game: &str, at: &str| {
        bench.json(&["hint", game, at, "--iterations", "50", "--json"])["position"].clone()
    };
    let verify = ["verify", "samegame", "seed:3", "", "--json"];
    let rows: Vec<Value> = bench.json(&verify)["left"].as_array().unwrap().clone();
    let rows: Vec<&str> = rows.iter().flat_map(Value::as_str).collect();
    let position = hint("samegame", "seed:3");
    assert!(rows.iter().all(|row| position.as_str().unwrap().contains(row)), "{position}");
    assert_ne!(hint("samegame(width=20, height=20)", "seed:3"), position);
    bench.fails(&["hint", "samegame", "seed:x"], 3, &["\"x\" is no seed"]);
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
    bench.write("easy.txt", EASY);
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

#[test]
fn an_experiment_takes_boards_from_a_folder() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("boards")).unwrap();
    for seed in 1..=2 {
        let board = bench.json(&["verify", "samegame", &format!("seed:{seed}"), "", "--json"]);
        let rows = board["left"].as_array().unwrap().iter().flat_map(Value::as_str);
        let text: Vec<&str> = rows.collect();
        bench.write(&format!("boards/{seed}.txt"), text.join("\n"));
    }
    let spec = "name = \"small\"\nseed = 1\nunits = 5\n\n[task]\nkind = \"solve\"\n\n[[arm]]\n\
                name = \"mcts\"\ngame = \"samegame\"\nplanner = \"mcts(iterations=200)\"\n";
    bench.write("small.toml", spec);
    let run = ["experiment", "run", "small.toml", "--store", "S.db", "--boards"];
    let said = bench.ok(&[&run[..], &["boards"]].concat());
    assert!(said.contains("2/2 in all"), "{said}");
    let rows = bench.ok(&["experiment", "export", "--store", "S.db"]);
    assert!(
        rows.contains("small,mcts,1,score,") && rows.contains("small,mcts,0,cleared,"),
        "{rows}"
    );
    // Going on needs no --boards: the store has it.
    assert!(bench.ok(&["experiment", "resume", "--store", "S.db"]).contains("2/2 in all"));
    bench.fails(&[&run[..], &["nowhere"]].concat(), 3, &["--boards nowhere"]);
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench.fails(&[&run[..], &["empty"]].concat(), 3, &["no file *.txt in this folder"]);
    // What is no *.txt is no board, as in `solve`.
    bench.write("boards/README.md", "Two boards.\n");
    assert!(bench.ok(&[&run[..], &["boards"]].concat()).contains("2/2 in all"));
    bench.write("boards/0.txt", "01\n10\n");
    let message = ["0.txt", "the board is 2 x 2, the game's are 15 x 15"];
    bench.fails(&[&run[..], &["boards"]].concat(), 3, &message);
    std::fs::remove_file(bench.path("boards/0.txt")).unwrap();
    bench.write("boards/3.txt", "01234\n00005\n");
    let message = ["3.txt", "line 2, column 5: `5`, expected 0 to 4: there are 5 colours"];
    bench.fails(&[&run[..], &["boards"]].concat(), 3, &message);
}
