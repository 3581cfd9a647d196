//! The interfaces that people and scripts rely on.

use crate::support;

use std::process::{Command, Stdio};

use serde_json::Value;
use support::{Bench, PLAY, keys};

#[test]
fn bench_gives_name_unit_value_and_signature() {
    let bench = Bench::new();
    let rows = bench.json(&["bench", "sparse-sampling", "--json"]);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["name"], "sparse-sampling/sailing-5");
    assert_eq!(rows[0]["unit"], "1/s");
    assert!(rows[0]["value"].as_f64().unwrap() > 0.0);
    let signature = rows[0]["signature"].as_str().unwrap();
    assert!(signature.starts_with("iterations=") && signature.contains(" best="), "{signature}");
    let text = bench.run(&["bench", "--list"]);
    assert!(text.out.contains("uct/connect-four/200k") && text.err.is_empty());
    let list = bench.json(&["bench", "--list", "--json"]);
    let lines = list.as_array().unwrap().iter().map(|row| {
        format!("{}: {}\n", row["name"].as_str().unwrap(), row["what"].as_str().unwrap())
    });
    assert_eq!(lines.collect::<String>(), text.out);
    bench.fails(&["bench", "nonsense"], 2, &["no such benchmark", "runner/100k-units"]);
}

#[test]
fn the_keys_of_solutions_are_documented() {
    let page = include_str!("../../../docs/formats.md");
    let bench = Bench::new();
    let calls: [&[&str]; 12] = [
        &["solve", "klondike", "seed:7", "--difficulty", "1", "--numbered"],
        &["solve", "klondike", "seed:6..7"],
        &["solve", "klondike", "seed:6..7", "--summary"],
        &["solve", "freecell", "3", "--optimal"],
        &["solve", "samegame", "seed:1", "--rollouts", "5"],
        &["solve", "freecell", "--winnable", "1"],
        &["verify", "klondike", "seed:7", "none.txt"],
        &["verify", "samegame", "seed:1", "h4", "--score", "7"],
        &["verify", "freecell", "range.json"],
        &["hint", "freecell", "1", "--time", "0.1"],
        &["hint", "klondike", "seed:7", "--iterations", "10"],
        &["play", "samegame", "--planner", "random", "--watch"],
    ];
    bench.write("range.json", bench.ok(&["solve", "freecell", "1..2", "--json"]));
    bench.write("none.txt", "turn");
    for call in calls {
        let ended = bench.run(&[call, &["--json"]].concat());
        assert!([0, 1].contains(&ended.code), "{call:?}: {ended:?}");
        let mut found = Vec::new();
        // A watched game has a value per line, all others have one value.
        for value in serde_json::Deserializer::from_str(&ended.out).into_iter::<Value>() {
            keys(&value.unwrap(), &mut found);
        }
        assert!(!found.is_empty(), "{call:?}");
        for key in found {
            assert!(page.contains(&format!("`{key}`")), "{call:?}: {key} is not in the page");
        }
    }
}

#[test]
fn a_report_says_what_it_wrote() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    let swept = "[[arm]]\nname = \"uct {n}\"\ngame = \"tic-tac-toe\"\nplanner = \"uct(iterations={n})\"\n\
        sweep = { n = [5, 10] }\n[[chart]]\nkind = \"sweep\"\narms = \"uct *\"\n";
    let drawn = PLAY.replace("name = \"small\"", "name = \"drawn\"") + swept;
    bench.write("drawn.toml", drawn);
    for spec in ["small", "drawn"] {
        let file = format!("{spec}.toml");
        bench.ok(&["experiment", "run", &file, "--units", "2", "--store", "S.db"]);
    }
    let report = |name: &str, more: &[&str]| {
        let call = ["experiment", "report", name, "--store", "S.db"];
        let ended = bench.run(&[&call[..], more].concat());
        assert_eq!(ended.code, 0, "{ended:?}");
        ended
    };
    // A table is not drawn.
    let none = report("small", &["--svg", "none"]);
    assert_eq!(none.err, "plots: nothing written to none: there is no chart to draw\n");
    assert_eq!(std::fs::read_dir(bench.path("none")).unwrap().count(), 0);
    let both = report("drawn", &["--svg", "plots", "--html", "R.html", "--json"]);
    assert_eq!(both.err, "report: R.html\nplots: 1 file written to plots\n");
    let files: Vec<_> = std::fs::read_dir(bench.path("plots")).unwrap().collect();
    assert_eq!(files.len(), 1);
    assert!(bench.path("plots/drawn-1.svg").exists() && bench.path("R.html").exists());
    let read: Value = serde_json::from_str(&both.out).unwrap();
    let check = &read["experiments"][0]["claims"][0]["checks"][0];
    assert!(check["p"].is_number() || check["p"].is_null(), "{check}");
    assert!(check.as_object().unwrap().contains_key("p"), "{check}");
    assert_eq!(report("drawn", &[]).err, "");
}

#[test]
fn an_experiment_is_run_and_reported() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    let run = ["experiment", "run", "small.toml", "--quick", "--store", "S.db", "--threads", "2"];
    let said = bench.ok(&run);
    assert!(said.contains("24 units") && said.contains("24/24"), "{said}");
    // A second time there is nothing left to do.
    let summary = bench.json(&[&run[..], &["--json"]].concat());
    let summary = &summary[0];
    assert_eq!((&summary["ran"], &summary["before"]), (&Value::from(0), &Value::from(24)));
    assert_eq!(summary["complete"], true);

    let args = ["experiment", "report", "--store", "S.db", "--html", "R.html", "--json"];
    let report = bench.json(&args);
    let experiment = &report["experiments"][0];
    assert_eq!((&experiment["name"], &experiment["quick"]), (&"small".into(), &true.into()));
    assert_eq!((&experiment["done"], &experiment["total"]), (&24.into(), &24.into()));
    let arms = experiment["arms"].as_array().unwrap();
    assert_eq!(arms.len(), 2);
    for arm in arms {
        assert_eq!(arm["units"], 12);
        assert_eq!(arm["columns"].as_array().unwrap().len(), 3);
        for column in arm["columns"].as_array().unwrap() {
            let number = |key: &str| column["at95"][key].as_f64().unwrap();
            let value = column["value"].as_f64().unwrap();
            assert!(number("low") <= value && value <= number("high"), "{column}");
            assert_eq!(column["units"], 12);
            assert!(column["at99"]["low"].as_f64().unwrap() <= number("low"));
        }
    }
    let published = &arms[0]["columns"][0]["published"];
    assert_eq!((&published["value"], &published["units"]), (&0.9.into(), &200.into()));
    let verdict = published["verdict"].as_str().unwrap();
    assert!(["inside", "above", "below"].contains(&verdict), "{verdict}");
    assert!(arms[1]["columns"][0]["published"].is_null());
    let claim = &experiment["claims"][0];
    assert_eq!(claim["text"], "UCT wins more often than chance");
    assert!(claim["verdict"].is_string(), "{claim}");

    let html = std::fs::read_to_string(bench.path("R.html")).unwrap();
    assert!(html.contains("A small experiment") && html.contains("For tests."));
    // Self-contained: nothing is loaded from elsewhere.
    for outside in ["src=\"http", "href=\"http", "<script src", "<link ", "@import", "url(http"] {
        assert!(!html.contains(outside), "{outside}");
    }
    let text = bench.ok(&["experiment", "report", "--store", "S.db", "small"]);
    assert!(text.contains("UCT wins more often than chance"), "{text}");
    let list = bench.json(&["experiment", "list", "--store", "S.db", "--json"]);
    assert_eq!((&list[0]["name"], &list[0]["done"]), (&"small".into(), &24.into()));
    let near = ["experiment", "report", "--store", "S.db", "smal"];
    bench.fails(&near, 2, &["no experiment `smal`", "did you mean `small`"]);
}

#[test]
fn exports_can_be_read_back_to_the_bit() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    bench.ok(&["experiment", "run", "small.toml", "--units", "5", "--store", "S.db"]);
    let csv = bench.ok(&["experiment", "export", "--store", "S.db"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "experiment,arm,unit,column,x,value");
    assert_eq!(lines.len(), 1 + 2 * 5 * 3);
    let out = bench.run(&[
        "experiment",
        "export",
        "--store",
        "S.db",
        "--format",
        "jsonl",
        "--out",
        "rows.jsonl",
    ]);
    assert_eq!((out.code, out.out.as_str()), (0, ""));
    let rows = std::fs::read_to_string(bench.path("rows.jsonl")).unwrap();
    let mut numbers = Vec::new();
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        for column in row["columns"].as_array().unwrap() {
            numbers.push(column["value"].as_f64().unwrap().to_bits());
        }
    }
    let last = |line: &&str| line.rsplit(',').next().unwrap().parse::<f64>().unwrap().to_bits();
    assert_eq!(numbers, lines[1..].iter().map(last).collect::<Vec<_>>());
}

/// An archive holds what it describes, and the same rows make the same archive.
#[test]
fn results_are_exported_with_all_that_belongs_to_them() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    bench.ok(&["experiment", "run", "small.toml", "--units", "5", "--store", "S.db"]);
    let export = |to| ["experiment", "export", "--store", "S.db", "--to", to];
    bench.ok(&export("one"));
    bench.ok(&export("two"));
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    let about = read("one/ro-crate-metadata.json");
    assert_eq!(about, read("two/ro-crate-metadata.json"));
    let about: Value = serde_json::from_str(&about).unwrap();
    let graph = about["@graph"].as_array().unwrap();
    let entity = |id: &Value| graph.iter().find(|entity| entity["@id"] == *id).unwrap();
    let root = entity(&"./".into());
    let mut names = vec!["ro-crate-metadata.json".to_owned()];
    for part in root["hasPart"].as_array().unwrap() {
        let (name, file) = (part["@id"].as_str().unwrap(), entity(&part["@id"]));
        let text = read(&format!("one/{name}"));
        assert_eq!(file["sha256"], patience::data::sha256(text.as_bytes()), "{name}");
        assert_eq!(file["contentSize"], text.len().to_string(), "{name}");
        names.push(name.to_owned());
    }
    let mut inside: Vec<String> = std::fs::read_dir(bench.path("one"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    inside.sort();
    names.sort();
    assert_eq!(inside, names);
    assert_eq!(read("one/rows.csv"), bench.ok(&["experiment", "export", "--store", "S.db"]));
    assert!(read("one/Cargo.lock").contains("patience-model"));
    let run = entity(&root["mentions"][0]["@id"]);
    assert_eq!(entity(&run["object"][0]["@id"])["encodingFormat"], "application/toml");
    assert!(entity(&run["instrument"]["@id"])["softwareVersion"].is_string());
    // As one archive: the same files, which another program unpacks, and the same bytes again.
    bench.ok(&export("packed.tar.zst"));
    let packed = std::fs::read(bench.path("packed.tar.zst")).unwrap();
    bench.fails(&export("packed.tar.zst"), 3, &["expected a new file"]);
    std::fs::remove_file(bench.path("packed.tar.zst")).unwrap();
    bench.ok(&export("packed.tar.zst"));
    assert_eq!(packed, std::fs::read(bench.path("packed.tar.zst")).unwrap());
    let mut tar = Vec::new();
    let mut unpacked = ruzstd::decoding::StreamingDecoder::new(&packed[..]).unwrap();
    std::io::Read::read_to_end(&mut unpacked, &mut tar).unwrap();
    assert_eq!(tar.len() % 512, 0);
    let (mut at, mut found) = (0, Vec::new());
    while tar[at] != 0 {
        let field = |from: usize, to: usize| {
            let text = std::str::from_utf8(&tar[at + from..at + to]).unwrap();
            text.trim_end_matches(['\0', ' ']).to_owned()
        };
        let number = |from, to| usize::from_str_radix(&field(from, to), 8).unwrap();
        let blank = |n: usize| if (148..156).contains(&n) { 32 } else { usize::from(tar[at + n]) };
        assert_eq!(number(148, 156), (0..512).map(blank).sum::<usize>());
        let (name, size) = (field(0, 100), number(124, 136));
        let name = name.strip_prefix("packed/").unwrap().to_owned();
        let text = std::str::from_utf8(&tar[at + 512..at + 512 + size]).unwrap();
        assert_eq!(text, read(&format!("one/{name}")));
        found.push(name);
        at += 512 + size.next_multiple_of(512);
    }
    found.sort();
    assert_eq!(found, names);
    assert!(tar[at..].iter().all(|byte| *byte == 0) && tar.len() - at >= 1024);
    // What is there is not written over.
    bench.fails(&export("one"), 3, &["expected a new or an empty folder"]);
}

#[test]
fn games_and_planners_are_listed_with_all_there_is_to_know() {
    let bench = Bench::new();
    let games = bench.json(&["games", "--json"]);
    let names: Vec<&str> =
        games.as_array().unwrap().iter().map(|g| g["name"].as_str().unwrap()).collect();
    for name in ["pgame", "sailing", "tic-tac-toe", "connect-four", "tiger"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for game in games.as_array().unwrap() {
        for key in ["summary", "rewards", "paper"] {
            assert!(game[key].is_string(), "{game}");
        }
        let planners = game["planners"].as_array().unwrap();
        assert!(planners.contains(&"uct".into()) && planners.contains(&"random".into()));
        assert!(game["capabilities"].is_array());
        for parameter in game["parameters"].as_array().unwrap() {
            for key in ["name", "default", "meaning"] {
                assert!(!parameter[key].as_str().unwrap().is_empty(), "{parameter}");
            }
        }
    }
    let planners = bench.json(&["planners", "--json"]);
    for planner in planners.as_array().unwrap() {
        for key in ["name", "summary", "guarantee"] {
            assert!(!planner[key].as_str().unwrap().is_empty(), "{planner}");
        }
        for key in ["paper", "needs", "iteration"] {
            assert!(planner[key].is_string(), "{planner}");
        }
        assert!(planner["parameters"].is_array());
        // What is listed in JSON is in the text too.
        let name = planner["name"].as_str().unwrap();
        let text = bench.ok(&["planners", name]);
        assert!(text.contains(planner["guarantee"].as_str().unwrap()), "{text}");
    }
    let uct = bench.json(&["planners", "uct", "--json"]);
    assert_eq!(uct.as_array().unwrap().len(), 1);
    assert!(uct[0]["paper"].as_str().unwrap().contains("section 2.3"));
    bench.fails(&["planners", "utc"], 2, &["no planner utc"]);
    bench.fails(&["games", "sailin", "--json"], 2, &["did you mean `sailing`"]);
}

#[test]
fn a_hint_is_the_same_in_text_and_json() {
    let bench = Bench::new();
    let args = ["hint", "tic-tac-toe", "--planner", "uct(iterations=500)", "--seed", "4"];
    let advice = bench.json(&[&args[..], &["--json"]].concat());
    assert_eq!(advice["planner"], "uct(iterations=500)");
    assert_eq!((&advice["seed"], &advice["stats"]["stop"]), (&4.into(), &"complete".into()));
    assert_eq!(advice["stats"]["iterations"], 500);
    let moves = advice["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 9);
    let visits: u64 = moves.iter().map(|m| m["visits"].as_u64().unwrap()).sum();
    assert_eq!(visits, 500);
    let text = bench.ok(&args);
    let best = advice["best"].as_str().unwrap();
    let marked = text.lines().find(|line| line.contains("<- best")).unwrap();
    assert!(marked.starts_with(&format!("{best} ")), "{text}");
    assert!(text.contains("500 iterations"), "{text}");
    for m in moves {
        let value = format!("{:.4}", m["value"].as_f64().unwrap());
        assert!(text.contains(&value), "{text}\nshould contain {value}");
    }
    // Without a limit a search that would never end gets a second.
    let advice = bench.json(&["hint", "tiger", "--json"]);
    assert_eq!(advice["stats"]["stop"], "time");
    let args = ["hint", "tiger", "--planner", "uct(iterations=inf)", "--json"];
    assert_eq!(bench.json(&args)["stats"]["stop"], "time");
    let calls = bench.json(&["hint", "tiger", "--model-calls", "1000", "--json"]);
    assert_eq!(calls["stats"]["stop"], "model_calls");
}

#[test]
fn a_hint_that_runs_out_of_memory_says_so() {
    let bench = Bench::new();
    let args = ["hint", "connect-four", "--memory", "1", "--time", "60", "--json"];
    let ended = bench.run(&args);
    assert_eq!(ended.code, 4, "{}", ended.err);
    let advice: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(advice["stats"]["stop"], "memory");
    assert!(advice["best"].is_string());
}

#[test]
fn memory_is_written_alike_everywhere() {
    let bench = Bench::new();
    for memory in ["512", "512M", "0.5gb"] {
        bench.ok(&["solve", "freecell", "1", "--memory", memory]);
        bench.ok(&["solve", "klondike", "seed:7", "--memory", memory]);
        bench.ok(&["hint", "tiger", "--iterations", "10", "--memory", memory]);
        let play = ["gdl", "play", "tictactoe", "--role", "x", "--planner", "random"];
        bench.ok(&[&play[..], &["--memory", memory]].concat());
    }
    for command in [
        ["solve", "freecell", "1"].as_slice(),
        &["solve", "klondike", "seed:7"],
        &["hint", "tiger"],
        &["gdl", "play", "tictactoe"],
        &["ggp"],
    ] {
        for wrong in ["0", "1X", "much"] {
            let expected =
                ["--memory", "an amount of memory above 0, such as 512 (megabytes), 512M or 4G"];
            bench.fails(&[command, &["--memory", wrong]].concat(), 2, &expected);
        }
    }
}

#[test]
fn completions_are_written_for_every_shell() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = bench.ok(&["completions", shell]);
        assert!(script.contains("patience") && script.contains("reproduce"), "{shell}");
    }
    assert_eq!(bench.run(&["completions", "csh"]).code, 2);
}

#[test]
fn help_and_version_are_no_errors() {
    let bench = Bench::new();
    for args in [
        ["--help"].as_slice(),
        &["--version"],
        &["help", "experiment", "run"],
        &["bench", "--help"],
        &["experiment", "report", "-h"],
    ] {
        let ended = bench.run(args);
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{args:?}");
        assert!(!ended.out.is_empty());
    }
    let ended = bench.run(&[]);
    assert_eq!((ended.code, ended.out.as_str()), (2, ""));
    assert!(ended.err.contains("Usage"), "{}", ended.err);
}

#[test]
fn the_help_of_every_command_has_examples() {
    let bench = Bench::new();
    for command in [
        ["reproduce"].as_slice(),
        &["experiment", "run"],
        &["experiment", "resume"],
        &["experiment", "report"],
        &["experiment", "list"],
        &["experiment", "export"],
        &["experiment", "merge"],
        &["experiment", "check"],
        &["solve"],
        &["solve", "klondike"],
        &["solve", "freecell"],
        &["solve", "samegame"],
        &["review"],
        &["verify"],
        &["verify", "klondike"],
        &["verify", "freecell"],
        &["verify", "samegame"],
        &["gdl", "check"],
        &["gdl", "ground"],
        &["gdl", "trace"],
        &["gdl", "play"],
        &["ggp"],
        &["play"],
        &["serve"],
        &["hint"],
        &["games"],
        &["planners"],
        &["solvers"],
        &["bench"],
        &["completions"],
    ] {
        let help = bench.ok(&[command, &["--help"]].concat());
        let example = format!("\n  patience {}", command.join(" "));
        assert!(help.contains("\nExample") && help.contains(&example), "{help}");
    }
    // Those that need nothing else work as they stand.
    bench.ok(&["games", "sailing", "tiger"]);
    bench.ok(&["planners", "uct", "norns"]);
    bench.ok(&["experiment", "check", "uct-figure-2"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let bench = Bench::new();
    for args in ["planners --json", "completions bash", "planners", "--help", "bench --list"] {
        let patience = env!("CARGO_BIN_EXE_patience");
        // The reader is gone before the first byte, or after the first line.
        for reader in ["true", "head -1", "sleep 0"] {
            let script = format!("{{ '{patience}' {args}; echo $? >code; }} 2>err | {reader}");
            let done = Command::new("sh")
                .args(["-c", &script])
                .current_dir(bench.path("."))
                .stdout(Stdio::null())
                .status()
                .unwrap();
            assert!(done.success());
            let read = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
            assert_eq!(read("err"), "", "{args} | {reader}");
            assert_eq!(read("code"), "0\n", "{args} | {reader}");
        }
    }
}

#[test]
fn specs_are_checked_without_being_run() {
    let bench = Bench::new();
    bench.write("small.toml", PLAY);
    let said = bench.ok(&["experiment", "check", "small.toml"]);
    assert_eq!(said, "small (full): 2 arms of 40 units\nsmall (quick): 2 arms of 12 units\n");
    let said = bench.ok(&["experiment", "check", "uct-figure-2"]);
    assert!(said.contains("uct-figure-2 (full): 8 arms of 200 units"), "{said}");
    assert_eq!(support::files(&bench.path(".")).len(), 1);
}
