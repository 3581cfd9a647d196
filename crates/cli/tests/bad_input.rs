//! Wrong usage, wrong specs, wrong stores: each with its exit code and a message that helps.

use crate::support;

use support::{Bench, PLAY, files};

#[test]
fn wrong_usage_is_2() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    let run = ["experiment", "run", "small.toml"];
    for (more, fragments) in [
        (["--threads", "many"].as_slice(), ["--threads", "invalid"].as_slice()),
        (&["--threads", "-1"], &["'-1' for '--threads", "expected a number of threads up to 1024"]),
        (&["--threads", "99999999999999999999"], &["--threads"]),
        (&["--units", "0"], &["--units", "expected a whole number from 1 to 1000000000"]),
        (&["--units", "10000000000"], &["--units"]),
        (&["--quik"], &["--quik", "--quick"]),
        (&["--shard", "3/3"], &["shard 3/3", "0/4"]),
        (&["--shard", "0/0"], &["shard 0/0"]),
        (&["--shard=-1/3"], &["-1/3"]),
        (&["--shard", "1"], &["shard \"1\"", "i/n"]),
        (&["--shard", "a/b"], &["shard \"a/b\""]),
        (&["--shard", ""], &["shard \"\""]),
        (&["--shard", "1/99999999999999999999999"], &["expected i/n"]),
        (&["--shard", "💥/💥"], &["expected i/n"]),
    ] {
        bench.fails(&[&run[..], more].concat(), 2, fragments);
    }
    for args in [
        ["hint"].as_slice(),
        &["hint", "tiger", "--seed", "-3"],
        &["hint", "tiger", "--seed", "x"],
        &["hint", "tiger", "--time", "soon"],
        &["nonsense"],
        &["experiment"],
        &["experiment", "merge", "--store", "S.db"],
        &["reproduce", "--full"],
    ] {
        let ended = bench.run(args);
        assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{args:?}");
    }
    for time in ["0", "-1", "nan", "inf", "1e300", "1x"] {
        for command in [
            ["hint", "tiger"].as_slice(),
            &["solve", "klondike", "seed:7"],
            &["solve", "freecell", "1"],
            &["solve", "samegame", "seed:1"],
            &["gdl", "play", "tictactoe"],
        ] {
            let expected = ["--time", "expected a time above 0", "5m"];
            bench.fails(&[command, &["--time", time]].concat(), 2, &expected);
        }
    }
    for number in ["many", "1.5", "-1", "1e-1", "1e40"] {
        for option in ["--iterations", "--model-calls", "--seed"] {
            let expected = [option, "expected a whole number such as 10000, 10_000 or 1e4"];
            bench.fails(&["hint", "tiger", option, number], 2, &expected);
        }
    }
    let near = ["reproduce", "uct-figure-9", "--dir", "out"];
    bench.fails(&near, 2, &["no spec uct-figure-9", "did you mean `uct-figure-"]);
    for command in ["run", "check"] {
        let near = ["experiment", command, "uct-figure-9"];
        bench.fails(&near, 2, &["no such file or spec", "did you mean `uct-figure-"]);
    }
    bench.fails(&["hint", "tigre"], 2, &["no game tigre", "did you mean `tiger`"]);
    bench.fails(&["hint", "tiger", "--planner", "utc"], 2, &["no planner utc"]);
    assert_eq!(files(&bench.path(".")).len(), 1, "something was written");
    assert!(!bench.path("out").exists());
}

#[test]
fn wrong_strings_are_3() {
    let bench = Bench::new();
    for (args, fragments) in [
        (["hint", "sailing(size=1)"].as_slice(), ["column 14", "from 2 to 1000"].as_slice()),
        (&["hint", "tiger", "--planner", "uct(tres=1)"], &["column 5", "did you mean `trees`"]),
        (&["hint", "tiger", "--planner", "artdp"], &["a hidden part"]),
        (&["hint", ""], &["expected a name"]),
        (&["hint", "tiger", "--planner", "", "--json"], &["expected a name"]),
    ] {
        bench.fails(args, 3, fragments);
    }
    let long = "x".repeat(100_000);
    let error = bench.fails(&["hint", &long], 3, &["longer than 4096 bytes"]);
    assert!(error.len() < 1000);
    let nested = format!("uct({})", "c=1,".repeat(20_000));
    bench.fails(&["hint", "tiger", "--planner", &nested], 3, &["longer than"]);
}

#[test]
fn a_spec_that_cannot_be_read_is_3() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("folder")).unwrap();
    bench.write("binary.toml", b"name = \"\xff\xfe\"");
    bench.write("small.toml", PLAY);
    let long = "n".repeat(5000);
    for (spec, fragments) in [
        ("missing.toml", ["missing.toml", "no such file or spec", "uct-figure-2"].as_slice()),
        ("folder", &["folder", "cannot read the spec"]),
        ("binary.toml", &["binary.toml", "cannot read the spec", "UTF-8"]),
        ("small.toml/more", &["no such file or spec"]),
        ("", &["no such file or spec"]),
    ] {
        for command in ["run", "check"] {
            bench.fails(&["experiment", command, spec], 3, fragments);
        }
    }
    let ended = bench.run(&["experiment", "run", &long]);
    assert_eq!(ended.code, 2, "a name that no spec has: {ended:?}");
    assert!(!ended.err.contains("panicked"));
    assert_eq!(files(&bench.path(".")).len(), 2, "something was written");
}

#[test]
fn a_wrong_spec_is_3_and_names_line_key_and_expectation() {
    let bench = Bench::new();
    // What is changed in the good spec, and what is said about it.
    for (from, to, fragments) in [
        ("units = 40", "units = 0", ["spec.toml:7", "units", "from 1 to", "got 0"].as_slice()),
        ("units = 40", "units = \"40\"", &["spec.toml:7", "units", "a whole number"]),
        ("units = 40", "unit = 40", &["spec.toml:7", "unknown key", "did you mean `units`?"]),
        ("seed = 3", "seed = -3", &["spec.toml:6", "seed"]),
        ("seed = 3", "seed = 3\nsede = 4", &["spec.toml:7", "sede", "unknown key", "seed"]),
        ("seed = 3", "seed = = 3", &["spec.toml:6"]),
        ("seed = 3", "seed = 99999999999999999999", &["spec.toml:6"]),
        ("name = \"small\"", "name = \"a b\"", &["spec.toml:2", "name", "letters"]),
        ("name = \"small\"", "name = \"\"", &["spec.toml:2", "name"]),
        ("kind = \"play\"", "kind = \"plai\"", &["spec.toml:8", "task.kind", "`play`"]),
        ("won_at = 1", "won_at = \"1\"", &["spec.toml:8", "task.won_at", "a finite number"]),
        ("won_at = 1", "wonat = 1", &["spec.toml:8", "task.wonat", "`won_at`"]),
        ("planner = \"random\"", "planner = \"rnd\"", &["spec.toml:22", "no planner rnd"]),
        ("planner = \"random\"", "planner = \"mc\"", &["spec.toml:22", "do not end"]),
        ("uct(iterations=50)", "uct(iteration=50)", &["spec.toml:16", "`iterations`"]),
        ("game = \"tic-tac-toe\"", "game = \"tictactoe\"", &["spec.toml:15", "`tic-tac-toe`"]),
        ("name = \"random\"", "name = \"uct\"", &["uct"]),
        ("column = \"won\", value", "column = \"lost\", value", &["published", "lost", "won"]),
        ("plus_minus = 0.05", "plus_minus = -1", &["published.plus_minus"]),
        ("value = 0.9", "value = inf", &["published.value", "a finite number"]),
        ("kind = \"table\"", "kind = \"tabel\"", &["chart 1.kind", "`table`"]),
        ("minus = \"random\"", "minus = \"rand\"", &["claim 1", "rand"]),
        ("above = 0", "", &["claim 1"]),
        ("units = 12", "units = 1.5", &["spec.toml:11", "quick.units"]),
        ("units = 12", "unitz = 12", &["spec.toml:11", "quick.unitz", "`units`"]),
    ] {
        assert!(PLAY.contains(from), "{from}");
        bench.write("spec.toml", PLAY.replacen(from, to, 1));
        bench.fails(&["experiment", "check", "spec.toml"], 3, fragments);
        bench.fails(&["experiment", "run", "spec.toml", "--json"], 3, fragments);
    }
    for text in ["", "name = 1", "[", "\"", "\u{0}", "[[arm]]", "name = \"\u{1F4A5}\""] {
        bench.write("spec.toml", text);
        bench.fails(&["experiment", "check", "spec.toml"], 3, &["spec.toml"]);
    }
    assert_eq!(files(&bench.path(".")).len(), 1, "something was written");
}

#[test]
fn odd_but_right_options_work() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    let run = ["experiment", "run", "small.toml", "--units", "3", "--store"];
    bench.ok(&[&run[..], &["a.db", "--threads", "1024"]].concat());
    bench.ok(&[&run[..], &["b.db", "--threads", "1"]].concat());
    assert_eq!(bench.results("a.db"), bench.results("b.db"));
    // A shard beyond the last unit has nothing to do.
    let said = bench.ok(&[&run[..], &["c.db", "--shard", "900/1000"]].concat());
    assert!(said.contains("0/0"), "{said}");
    // Numbers are written in several ways.
    bench.ok(&["experiment", "run", "small.toml", "--units", "3e0", "--store", "d.db"]);
    assert_eq!(bench.results("a.db"), bench.results("d.db"));
    for number in ["1000", "1_000", "1e3"] {
        for (option, key) in [("--iterations", "iterations"), ("--model-calls", "model_calls")] {
            let advice = bench.json(&["hint", "tiger", option, number, "--seed", "1e1", "--json"]);
            assert_eq!((&advice["stats"]["stop"], &advice["seed"]), (&key.into(), &10.into()));
        }
    }
    for time in ["0.05", "0.05s", "50ms"] {
        let advice = bench.json(&["hint", "tiger", "--time", time, "--json"]);
        assert_eq!(advice["stats"]["stop"], "time");
        assert!(advice["stats"]["seconds"].as_f64().unwrap() < 1.0, "{advice}");
    }
    let odd = "a?b#c%d é.db";
    bench.ok(&[&run[..], &[odd]].concat());
    assert_eq!(bench.results("a.db"), bench.results(odd));
}

#[test]
fn a_store_that_cannot_be_is_told() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    std::fs::create_dir(bench.path("folder")).unwrap();
    let run = ["experiment", "run", "small.toml", "--store"];
    let error = bench.fails(&[&run[..], &["no/where/S.db"]].concat(), 5, &["no/where/S.db"]);
    assert!(!bench.path("no").exists(), "{error}");
    bench.fails(&[&run[..], &["folder"]].concat(), 3, &["folder", "a directory, not a store"]);
    for command in ["report", "list", "export", "resume"] {
        let store = ["experiment", command, "--store"];
        bench.fails(&[&store[..], &["none.db"]].concat(), 3, &["none.db", "no store"]);
        bench.fails(&[&store[..], &["folder"]].concat(), 3, &["a directory, not a store"]);
    }
    bench.fails(&["serve", "--store", "none.db"], 3, &["none.db", "no store"]);
    let merge = ["experiment", "merge", "--store", "into.db", "none.db"];
    bench.fails(&merge, 3, &["none.db", "no store"]);
}

/// Everything that reads or writes a store, on a file that is none.
fn refused(bench: &Bench, store: &str, fragments: &[&str]) {
    let path = bench.path(store);
    let before = std::fs::read(&path).unwrap();
    for command in ["report", "list", "export", "resume"] {
        bench.fails(&["experiment", command, "--store", store], 3, fragments);
    }
    bench.fails(&["experiment", "run", "small.toml", "--store", store], 3, fragments);
    bench.fails(&["experiment", "merge", "--store", store, "good.db"], 3, fragments);
    bench.fails(&["experiment", "merge", "--store", "other.db", store], 3, fragments);
    assert!(before == std::fs::read(&path).unwrap(), "{store} was changed");
}

#[test]
fn a_foreign_store_is_refused_and_untouched() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    bench.ok(&["experiment", "run", "small.toml", "--units", "2", "--store", "good.db"]);
    bench.write("text.db", "Dear diary, ".repeat(100));
    bench.write("short.db", "SQLite format 3\0");
    let good = std::fs::read(bench.path("good.db")).unwrap();
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    bench.write("foreign.db", changed(68, 0));
    bench.write("newer.db", changed(63, 9));
    refused(&bench, "text.db", &["text.db", "not a store", "left as it is"]);
    refused(&bench, "short.db", &["not a store"]);
    refused(&bench, "foreign.db", &["another program", "left as it is"]);
    refused(&bench, "newer.db", &["version 9", "left as it is"]);
}

#[test]
fn a_damaged_store_is_refused_and_untouched() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    bench.ok(&["experiment", "run", "small.toml", "--store", "good.db"]);
    let good = std::fs::read(bench.path("good.db")).unwrap();
    // Everything after the header of the first page is noise.
    let mut noise = good.clone();
    for (i, byte) in noise.iter_mut().enumerate().skip(100) {
        *byte = ((i * 7919) >> 3) as u8;
    }
    bench.write("noise.db", noise);
    refused(&bench, "noise.db", &["damaged", "left as it is"]);
    // The tail is gone: what writes or checks the store sees it.
    bench.write("cut.db", &good[..good.len() / 2]);
    let before = std::fs::read(bench.path("cut.db")).unwrap();
    let run = ["experiment", "run", "small.toml", "--store", "cut.db"];
    bench.fails(&run, 3, &["damaged", "left as it is"]);
    for command in ["report", "export"] {
        let ended = bench.run(&["experiment", command, "--store", "cut.db"]);
        assert!([3, 5].contains(&ended.code) && !ended.err.contains("panicked"), "{ended:?}");
    }
    assert!(before == std::fs::read(bench.path("cut.db")).unwrap());
}

#[test]
fn what_cannot_be_written_is_a_fault() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    bench.ok(&["experiment", "run", "small.toml", "--units", "2", "--store", "S.db"]);
    let report = ["experiment", "report", "--store", "S.db"];
    let html = bench.run(&[&report[..], &["--html", "no/where.html", "--json"]].concat());
    assert_eq!((html.code, html.out.as_str()), (5, ""), "{}", html.err);
    assert!(html.err.contains("no/where.html: cannot write"), "{}", html.err);
    let svg = [&report[..], &["--svg", "S.db/plots"]].concat();
    bench.fails(&svg, 5, &["cannot make"]);
    let out = ["experiment", "export", "--store", "S.db", "--out", "/no/where.csv"];
    bench.fails(&out, 5, &["cannot write"]);
}
