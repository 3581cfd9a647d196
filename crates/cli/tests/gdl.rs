//! `patience gdl`: what it shows, and what it says of bad input.

use crate::support;

use support::Bench;

/// A die is rolled in secret; who peeks pays, who guesses wrong gets nothing.
const DIE: &str = "\
; A die with two sides.
(role random) (role player)
(side 1) (side 2)
(init start)
(<= (legal random (roll ?s)) (true start) (side ?s))
(<= (legal player noop) (true start))
(<= (legal random noop) (not (true start)))
(<= (legal player (guess ?s)) (true (die ?x)) (side ?s))
(<= (legal player peek) (true (die ?x)) (not (true peeked)))
(<= (next (die ?s)) (does random (roll ?s)))
(<= (next (die ?s)) (true (die ?s)))
(<= (next peeked) (does player peek))
(<= (next peeked) (true peeked))
(<= (next right) (does player (guess ?s)) (true (die ?s)))
(<= (next wrong) (does player (guess ?s)) (not (true (die ?s))))
(<= (sees player (die ?s)) (does player peek) (true (die ?s)))
(<= terminal (true right))
(<= terminal (true wrong))
(<= (goal player 80) (true right) (true peeked))
(<= (goal player 100) (true right) (not (true peeked)))
(<= (goal player 0) (not (true right)))
(goal random 0)
";

#[test]
fn check_says_whether_it_is_a_game() {
    let bench = Bench::new();
    bench.write("die.gdl", DIE);
    assert!(bench.ok(&["gdl", "check", "die.gdl"]).contains("die.gdl: ok"));
    let played = bench.ok(&["gdl", "check", "die.gdl", "--matches", "20"]);
    assert!(played.contains("20 random matches"), "{played}");
    let report = bench.json(&["gdl", "check", "tictactoe", "--json"]);
    assert_eq!((&report["ok"], report["findings"].as_array().unwrap().len()), (&true.into(), 0));

    // Every finding shows its line with carets, and says what to write.
    bench.write(
        "bad.gdl",
        DIE.replace("(goal random 0)", "(goal random 101) (<= (p ?x) (not (q ?x)))"),
    );
    let ended = bench.run(&["gdl", "check", "bad.gdl"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    for part in ["bad.gdl:22:1", "(goal random 101)", "^^^", "help: ", "not ok: "] {
        assert!(ended.out.contains(part), "{}\nshould contain {part}", ended.out);
    }
    let ended = bench.run(&["gdl", "check", "bad.gdl", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let findings = report["findings"].as_array().unwrap();
    assert!(ended.code == 1 && findings.len() >= 2, "{report}");
    for finding in findings {
        assert!(
            finding["line"].as_u64().unwrap() > 0 && !finding["help"].as_str().unwrap().is_empty()
        );
    }

    bench.write("open.gdl", "(role x");
    let ended = bench.run(&["gdl", "check", "open.gdl"]);
    assert!(ended.code == 1 && ended.out.contains("open.gdl:1:1"), "{ended:?}");
    let error = bench.fails(&["gdl", "check", "tictacto"], 3, &["tictacto: No such file"]);
    assert!(error.contains("did you mean `tictactoe`?"), "{error}");
}

/// What is no text is not read as something else.
#[test]
fn rules_and_transcripts_are_text() {
    let bench = Bench::new();
    let odd = [&DIE.as_bytes()[..60], b"; caf\xe9\n", &DIE.as_bytes()[60..]].concat();
    let line = 1 + DIE[..60].matches('\n').count();
    bench.write("odd.gdl", odd);
    let expected = format!("odd.gdl: line {line}: this is no text (UTF-8 is expected)");
    for command in ["check", "ground", "trace", "play"] {
        bench.fails(&["gdl", command, "odd.gdl"], 3, &[&expected]);
    }
    bench.fails(&["hint", "gdl(file=odd.gdl)"], 3, &[&expected]);
    let ended = bench.run(&["bench", "gdl", "odd.gdl"]);
    assert!(ended.code == 3 && ended.err.contains(&expected), "{ended:?}");
    bench.write("odd.trace", b"ROLES x o\nMATCH 1\nSTATE 0\t\xff\n");
    let follow = ["gdl", "trace", "tictactoe", "--follow", "odd.trace"];
    bench.fails(&follow, 3, &["odd.trace: line 3: this is no text (UTF-8 is expected)"]);
}

#[test]
fn a_role_without_a_goal_is_told() {
    let bench = Bench::new();
    let rules = "(role x) (role y) (init a) (legal x go) (legal y go) (<= (next b) (does x go)) \
                 (<= terminal (true b)) (<= (goal x 100) (true b))";
    bench.write("one.gdl", rules);
    let ended = bench.run(&["gdl", "check", "one.gdl"]);
    assert_eq!(ended.code, 1);
    assert!(ended.out.contains("no rule gives the role `y` a goal"), "{}", ended.out);
    assert_eq!(bench.run(&["gdl", "check", "one.gdl", "--lenient"]).code, 0);
    let play = |role: &str| {
        bench.run(&[
            "gdl",
            "play",
            "one.gdl",
            "--role",
            role,
            "--planner",
            "random",
            "--games",
            "3",
        ])
    };
    let ended = play("y");
    assert_eq!(ended.code, 0, "{ended:?}");
    for part in
        ["no rule gives the role y a goal: it scores 0", "y had no goal at the end of 3 matches"]
    {
        assert!(ended.err.contains(part), "{}\nshould contain {part}", ended.err);
    }
    assert!(!play("x").err.contains("x had no goal"));
    // Nobody has one.
    bench.write("none.gdl", rules.replace("(<= (goal x 100) (true b))", ""));
    let ended = bench.run(&["gdl", "check", "none.gdl"]);
    assert!(ended.code == 1 && ended.out.contains("everybody scores 0"), "{}", ended.out);
}

/// What no reading of the rules finds out is found by playing, and told by name.
#[test]
fn games_that_cannot_be_played_are_diagnosed() {
    let bench = Bench::new();
    let check = |name: &str, text: &str| {
        bench.write(name, text);
        let ended = bench.run(&["gdl", "check", name, "--matches", "3", "--max-moves", "50"]);
        assert_eq!(ended.code, 1, "{ended:?}");
        ended.out
    };
    let endless = "(role x) (init a) (legal x go) (<= (next a) (true a)) (<= terminal (true b)) \
                   (goal x 0) (<= (next b) (true b) (does x go))";
    assert!(check("endless.gdl", endless).contains("not over after 50 moves (--max-moves)"));
    let stuck = "(role x) (init a) (<= (legal x go) (true a)) (<= (next b) (does x go)) \
                 (<= terminal (true c)) (<= (next c) (true c)) (goal x 0)";
    assert!(check("stuck.gdl", stuck).contains("after 1 moves the role x has no legal move"));
    let two = "(role x) (init a) (legal x go) (<= (next b) (does x go)) (<= terminal (true b)) \
               (<= (goal x 0) (true b)) (goal x 100)";
    let said = check("two.gdl", two);
    assert!(said.contains("the role x has the goals") && said.contains("100"), "{said}");
    let played = |name: &str, expected: &str| {
        bench.fails(
            &["gdl", "play", name, "--planner", "random", "--max-moves", "50"],
            3,
            &[expected],
        );
    };
    played("endless.gdl", "endless.gdl: the game is not over after 50 moves");
    played("stuck.gdl", "stuck.gdl: after 1 moves the role x has no legal move");
    played("two.gdl", "two.gdl: at the end the role x has the goals");
}

#[test]
fn ground_shows_sizes() {
    let bench = Bench::new();
    let text = bench.ok(&["gdl", "ground", "tictactoe"]);
    assert!(text.contains("gates") && text.contains("seconds"), "{text}");
    let sizes = bench.json(&["gdl", "ground", "tictactoe", "--json"]);
    assert!(sizes["grounded"] == true && sizes["gates"].as_u64().unwrap() > 10, "{sizes}");
    let ended = bench.run(&["gdl", "ground", "tictactoe", "--instances", "10"]);
    assert!(ended.code == 4 && ended.out.contains("more than 10 instances"), "{ended:?}");
}

#[test]
fn transcripts_are_written_and_followed() {
    let bench = Bench::new();
    bench.write("die.gdl", DIE);
    for game in ["die.gdl", "tictactoe"] {
        let write = ["gdl", "trace", game, "--seed", "1", "--matches", "2"];
        let text = bench.ok(&write);
        assert!(text.starts_with("ROLES ") && text.ends_with("END ok\n"), "{text}");
        assert_eq!(text.matches("\nMATCH ").count(), 2);
        for engine in ["lifted", "grounded"] {
            // Both engines write the same, and follow what the other wrote.
            assert_eq!(bench.ok(&[&write[..], &["--engine", engine]].concat()), text);
            bench.write("t.trace", text.to_uppercase());
            let follow = ["gdl", "trace", game, "--follow", "t.trace", "--engine", engine];
            assert!(bench.ok(&follow).contains("no difference in 2 matches"));
            let report = bench.json(&[&follow[..], &["--json"]].concat());
            assert!(report["same"] == true && report["matches"] == 2, "{report}");
        }
        let changed = text.replacen("LEGAL", "LEGAL random\t(fly 1)\nLEGAL", 1);
        let changed = if game == "die.gdl" {
            changed
        } else {
            text.replacen("(control x)", "(control o)", 1)
        };
        bench.write("wrong.trace", changed);
        let ended = bench.run(&["gdl", "trace", game, "--follow", "wrong.trace"]);
        assert_eq!(ended.code, 1, "{ended:?}");
        assert!(
            ended.out.contains("wrong.trace: line ") && ended.out.contains(" differ"),
            "{ended:?}"
        );
    }
    bench.write("no.trace", "HELLO\n");
    bench.fails(&["gdl", "trace", "tictactoe", "--follow", "no.trace"], 3, &["no.trace: line 1"]);
    bench.write("empty.trace", "");
    bench.fails(
        &["gdl", "trace", "tictactoe", "--follow", "empty.trace"],
        3,
        &["not a transcript"],
    );
    bench.fails(&["gdl", "trace", "tictactoe", "--follow", "none.trace"], 3, &["none.trace: "]);
}

#[test]
fn play_gives_the_mean_score_with_its_interval() {
    let bench = Bench::new();
    bench.write("die.gdl", DIE);
    let play = [
        "gdl",
        "play",
        "die.gdl",
        "--role",
        "player",
        "--planner",
        "norns(iterations=300)",
        "--games",
        "20",
        "--seed",
        "1",
        "--json",
    ];
    let report = bench.json(&play);
    // Peeking is worth 80 for certain, guessing 50 on average.
    assert_eq!((&report["score"], &report["games"]), (&80.0.into(), &20.into()));
    assert_eq!((&report["role"], &report["engine"]), (&"player".into(), &"grounded".into()));
    let number = |key: &str| report[key].as_f64().unwrap();
    assert!(number("low") <= 80.0 && 80.0 <= number("high"));
    // The same on any number of threads.
    let again = bench.json(&[&play[..], &["--threads", "1"]].concat());
    assert_eq!(again["scores"], report["scores"]);
    // Without the worth of information: one of two sides.
    let blind = bench.json(&[
        "gdl",
        "play",
        "die.gdl",
        "--planner",
        "hindsight(worlds=10, each=50)",
        "--games",
        "40",
        "--json",
    ]);
    assert!(blind["score"].as_f64().unwrap() < 75.0, "{blind}");
    let exact =
        bench.json(&["gdl", "play", "die.gdl", "--planner", "exact", "--games", "5", "--json"]);
    assert_eq!(exact["score"], 80.0);
    let text = bench.ok(&["gdl", "play", "die.gdl", "--planner", "random", "--games", "3"]);
    assert!(text.contains("mean score"), "{text}");
}

#[test]
fn several_roles_are_played() {
    let bench = Bench::new();
    let report = bench.json(&[
        "gdl",
        "play",
        "tictactoe",
        "--role",
        "x",
        "--planner",
        "norns(iterations=300)",
        "--games",
        "20",
        "--json",
    ]);
    assert!(report["score"].as_f64().unwrap() > 85.0, "{report}");
    let own = bench.json(&[
        "gdl",
        "play",
        "tictactoe",
        "--role",
        "o",
        "--planner",
        "norns(iterations=300)",
        "--opponents",
        "norns(iterations=300)",
        "--games",
        "4",
        "--json",
    ]);
    assert_eq!(own["games"], 4);
    bench.fails(&["gdl", "play", "tictactoe"], 2, &["several roles decide", "x, o"]);
    bench.fails(&["gdl", "play", "tictactoe", "--role", "z"], 2, &["there is no role z", "x, o"]);
    bench.fails(&["gdl", "play", "tiger", "--role", "random"], 2, &["the role random is chance"]);
    let wrong = ["gdl", "play", "tiger", "--planner", "norns(iteration=3)"];
    bench.fails(&wrong, 3, &["column 7", "did you mean `iterations`?"]);
    bench.fails(&["gdl", "play", "tiger", "--time", "-1"], 2, &[]);
}

/// Moves come from standard input, by number or as terms.
#[test]
fn you_can_take_part() {
    use std::io::Write;
    let bench = Bench::new();
    bench.write("die.gdl", DIE);
    let mut command = bench.command(&["gdl", "play", "die.gdl", "--as", "player"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"fly\nPEEK\n1\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for part in ["fly is not legal", "You see: (die ", "player: "] {
        assert!(text.contains(part), "{text}\nshould contain {part}");
    }
    assert!(!text.contains("(roll "), "nothing hidden is shown: {text}");
    let ended = bench.run(&["gdl", "play", "die.gdl", "--as", "player"]);
    assert_eq!(ended.code, 4, "the input ended before the match: {ended:?}");
}

/// A clock that runs out before anything was thought of still leaves a legal move.
#[test]
fn a_clock_may_be_too_short() {
    let bench = Bench::new();
    for planner in ["norns", "norns(exact=0)", "hindsight", "uct"] {
        let play = ["gdl", "play", "mastermind", "--planner", planner, "--time", "0.000001"];
        let played = bench.json(&[&play[..], &["--games", "10", "--json"]].concat());
        assert_eq!(played["games"], 10, "{planner}");
    }
}

#[test]
fn bench_measures_every_engine() {
    let bench = Bench::new();
    let speeds = bench.json(&["bench", "gdl", "tictactoe", "tiger", "--seconds", "0.05", "--json"]);
    let speeds = speeds.as_array().unwrap();
    assert_eq!(speeds.len(), 2);
    for speed in speeds {
        let engines = speed["engines"].as_array().unwrap();
        let names: Vec<&str> = engines.iter().map(|e| e["engine"].as_str().unwrap()).collect();
        assert_eq!(names, ["grounded", "sliced", "lifted"]);
        assert!(engines.iter().all(|e| e["playouts"].as_f64().unwrap() > 0.0), "{speed}");
    }
    let error = bench.run(&["bench", "gdl", "nothing.gdl"]);
    assert!(error.code == 3 && error.err.contains("nothing.gdl: No such file"), "{error:?}");
    let endless = "(role x) (init a) (legal x go) (<= (next a) (true a)) (<= terminal (true b)) \
                   (goal x 0)";
    bench.write("endless.gdl", endless);
    let error = bench.run(&["bench", "gdl", "endless.gdl", "--seconds", "0.05"]);
    assert!(error.code == 4 && error.err.contains("no random match ended"), "{error:?}");
    bench.write("empty.gdl", "(hello world)");
    let error = bench.run(&["bench", "gdl", "empty.gdl"]);
    assert!(error.code == 3 && error.err.contains("empty.gdl:1:1: error"), "{error:?}");
}

/// Rules of which one takes 50⁸ steps once this holds.
#[cfg(unix)]
fn wide(once: &str) -> String {
    let numbers: String = (0..50).map(|n| format!("(d {n})")).collect();
    let all: String = "abcefghi".chars().map(|x| format!("(d ?{x}) ")).collect();
    format!(
        "(role x) (init (step 0)) (legal x go) (legal x wait) {numbers}
         (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))
         (<= bad {once} {all} (not (never ?a ?b ?c ?e ?f ?g ?h ?i)))
         (<= terminal bad) (<= terminal (true (step 2))) (goal x 50)"
    )
}

/// Interrupts a command as soon as it can be, and some time after.
#[cfg(unix)]
fn interrupted(bench: &Bench, args: &[&str]) -> support::Ended {
    let mut running = bench.start(args);
    let status = format!("/proc/{}/status", running.child().id());
    let begin = std::time::Instant::now();
    let handles = || {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        caught.is_some_and(|mask| mask & 2 != 0)
    };
    while !handles() && begin.elapsed().as_secs() < 30 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    running.signal("-INT");
    let begin = std::time::Instant::now();
    while !running.is_over() {
        assert!(begin.elapsed().as_secs() < 120, "{args:?} does not end");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    running.end()
}

/// A derivation that takes for ever is ended by the first Ctrl-C, and told by name.
#[cfg(unix)]
#[test]
fn one_derivation_is_interrupted() {
    let bench = Bench::new();
    bench.write("wide.gdl", wide(""));
    bench.write("late.gdl", wide("(true (step 1))"));
    bench.write(
        "wide.toml",
        "name = \"wide\"\nseed = 1\nunits = 2\ntask = { kind = \"play\", iterations = 10 }\n\
         [[arm]]\nname = \"a\"\ngame = \"gdl(file=wide.gdl)\"\nplanner = \"norns\"\n",
    );
    bench.write("late.trace", "STATE 0\t(step 0)\nMOVE\tgo\nSTATE 1\t(step 1)\nTERMINAL\n");
    for args in [
        &["gdl", "ground", "wide.gdl"][..],
        &["gdl", "check", "wide.gdl", "--matches", "1"],
        &["gdl", "trace", "wide.gdl"],
        &["gdl", "trace", "wide.gdl", "--engine", "lifted"],
        &["gdl", "trace", "late.gdl", "--engine", "lifted"],
        &["gdl", "trace", "late.gdl", "--engine", "lifted", "--follow", "late.trace"],
        &["gdl", "play", "wide.gdl"],
        &["hint", "gdl(file=wide.gdl)"],
        &["bench", "gdl", "wide.gdl"],
        &["experiment", "run", "wide.toml", "--store", "wide.db"],
    ] {
        let ended = interrupted(&bench, args);
        assert_eq!(ended.code, 4, "{args:?}: {ended:?}");
        let told = [ended.out.as_str(), &ended.err].concat();
        assert!(told.contains("stopped (at the rules of `bad`)"), "{args:?}: {ended:?}");
    }
    // In the middle of a match; time ends it too, and then what is known is said.
    let play = ["gdl", "play", "late.gdl", "--ground", "0.1", "--games", "3"];
    let ended = interrupted(&bench, &play);
    assert_eq!(ended.code, 4, "{ended:?}");
    assert!(ended.out.contains("no match was finished; 0 of 3 matches"), "{ended:?}");
}

/// What is known of a transcript is printed when it is known.
#[cfg(unix)]
#[test]
fn transcripts_are_printed_step_by_step() {
    use std::io::{BufRead, BufReader};
    let bench = Bench::new();
    // A match of ten thousand million moves, of which somebody reads twenty lines.
    let endless = "(role x) (init a) (legal x go) (<= (next a) (true a)) (<= terminal (true b)) \
                   (goal x 0) (<= (next b) (true b) (does x go))";
    bench.write("endless.gdl", endless);
    let trace = ["gdl", "trace", "endless.gdl", "--max-moves", "10000000000"];
    let mut running = bench.start(&trace);
    let mut lines = BufReader::new(running.child().stdout.take().unwrap()).lines();
    for expected in ["ROLES x", "MATCH 1", "STATE 0\ta", "LEGAL x\tgo", "MOVE\tgo"] {
        assert_eq!(lines.next().unwrap().unwrap(), expected);
    }
    drop(lines);
    let begin = std::time::Instant::now();
    while !running.is_over() {
        assert!(begin.elapsed().as_secs() < 120, "nobody reads, and it does not end");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(running.end().code, 0);
    // What was printed before Ctrl-C can be followed.
    let mut running = bench.start(&trace);
    let mut text = String::new();
    let mut out = BufReader::new(running.child().stdout.take().unwrap());
    while text.lines().count() < 100 {
        assert!(out.read_line(&mut text).unwrap() > 0);
    }
    running.signal("-INT");
    std::io::Read::read_to_string(&mut out, &mut text).unwrap();
    assert_eq!(running.end().code, 4);
    assert!(text.ends_with('\n'));
    bench.write("cut.trace", text);
    let follow = ["gdl", "trace", "endless.gdl", "--follow", "cut.trace"];
    assert!(bench.ok(&follow).contains("no difference in 1 matches"));
}

/// Only matches that came to their end count.
#[cfg(unix)]
#[test]
fn interrupted_matches_do_not_count() {
    let bench = Bench::new();
    let play = [
        "gdl",
        "play",
        "tictactoe",
        "--role",
        "x",
        "--planner",
        "norns(iterations=3000)",
        "--games",
        "1000000",
        "--threads",
        "1",
        "--json",
    ];
    let ended = interrupted(&bench, &play);
    assert_eq!(ended.code, 4, "{ended:?}");
    let report: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let games = report["games"].as_u64().unwrap();
    assert_eq!(report["asked"], 1_000_000);
    assert!(games < 1_000_000 && report["scores"].as_array().unwrap().len() as u64 == games);
    let text = bench.ok(&["gdl", "play", "exploding_bomb", "--planner", "exact", "--games", "3"]);
    assert!(text.contains("; 3 matches of"), "{text}");
}

/// Described games go by name wherever games do.
#[test]
fn hints_are_given_for_described_games() {
    let bench = Bench::new();
    let advice = bench.json(&["hint", "gdl(file=exploding_bomb)", "--planner", "exact", "--json"]);
    assert_eq!(advice["moves"].as_array().unwrap().len(), 1);
    assert!((advice["moves"][0]["value"].as_f64().unwrap() - 0.9).abs() < 1e-9, "{advice}");
    bench.fails(&["hint", "gdl(file=nothing)"], 3, &["column 10", "nothing: No such file"]);
    bench.fails(&["hint", "gdl(file=tictactoe)"], 3, &["several roles decide"]);
}

/// Nobody here has a GPU: a compiler that is a script stands for one, and one that is not there is named.
#[cfg(unix)]
#[test]
fn bench_asks_a_gpu_only_where_it_is_told_to() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let run = |args: &[&str], compiler: &std::path::Path| {
        let all = [&["bench", "gdl", "tictactoe", "--seconds", "10ms", "--json"], args].concat();
        bench.command(&all).env("NVCC", compiler).output().unwrap()
    };
    let missing = bench.path("missing");
    assert!(run(&[], &missing).status.success());
    let failed = run(&["--gpu"], &missing);
    assert_eq!(failed.status.code(), Some(5));
    let message = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(message.contains("missing cannot be run") && message.contains("NVCC"), "{message}");

    // Output and source are the last two words; what is "compiled" prints figures.
    let script = "#!/bin/sh\ngrep -q __global__ \"$5\" || exit 1\n\
        printf '#!/bin/sh\\necho playouts 50 moves 400 stuck 0 seconds 0.5\\n' > \"$4\"\nchmod +x \"$4\"\n";
    let compiler = bench.write("compiler", script);
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).unwrap();
    let told = run(&["--gpu"], &compiler);
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let speeds: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    let engines = speeds[0]["engines"].as_array().unwrap();
    let gpu = engines.iter().find(|engine| engine["engine"] == "gpu").unwrap();
    assert_eq!((gpu["playouts"].as_f64(), gpu["states"].as_f64()), (Some(100.0), Some(800.0)));
}
