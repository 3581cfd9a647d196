//! Runs that are killed or interrupted at any moment end up with the same table, to the bit.
#![cfg(unix)]

use crate::support;

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use patience::model::Rng;
use serde_json::Value;
use support::{Bench, Ended, Running};

/// Units of some hundredths of a second: games and curves.
const SPEC: &str = r#"
name = "steady"
seed = 11
units = 40
task = { kind = "play", iterations = 1500, opponent = "random", won_at = 1 }

[[arm]]
name = "uct"
game = "connect-four"
planner = "uct"
published = { value = 0.95, plus_minus = 0.03, confidence = 0.95 }

[[arm]]
name = "mc"
game = "connect-four"
planner = "mc"

[[arm]]
name = "curve"
game = "pgame(branching=4, depth=6)"
planner = "uct(selection=depth, horizon=6)"
task = { kind = "play", iterations = 15000 }

[[chart]]
kind = "table"

[[claim]]
text = "UCT wins more often than MC"
check = "difference"
arm = "uct"
minus = "mc"
above = 0
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("steady.toml", SPEC);
    bench
}

fn run<'a>(store: &'a str, threads: &'a str) -> Vec<&'a str> {
    vec!["experiment", "run", "steady.toml", "--store", store, "--threads", threads]
}

/// Pairs of arm and unit that a store holds; 0 if there is none yet.
fn stored(bench: &Bench, store: &str) -> u64 {
    let listed = bench.run(&["experiment", "list", "--store", store, "--json"]);
    if listed.code != 0 {
        return 0;
    }
    let rows: Value = serde_json::from_str(&listed.out).unwrap();
    rows.as_array().unwrap().iter().map(|row| row["done"].as_u64().unwrap()).sum()
}

/// Waits until more than `kept` pairs are stored, or the run has ended.
fn wait_for_more(bench: &Bench, store: &str, kept: u64, run: &mut Running) {
    let begin = Instant::now();
    while stored(bench, store) <= kept && !run.is_over() {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing is stored");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The arguments of the command that a run that was interrupted says to go on with.
fn go_on(stopped: &Ended) -> String {
    let said = stopped.err.split_once("interrupted; continue with: patience ");
    said.unwrap_or_else(|| panic!("{stopped:?}")).1.trim_end().to_owned()
}

/// On a busy machine a run may be over before a kill reaches it: then it is tried again.
fn killed_and_resumed(threads: &str) {
    let mut hits = (0..10).map(|attempt| killed_and_resumed_once(threads, attempt));
    assert!(hits.any(|interrupted| interrupted >= 2), "too few kills hit the middle of a run");
}

/// How many kills hit the middle of the run.
fn killed_and_resumed_once(threads: &str, attempt: u32) -> u32 {
    let bench = bench();
    let mut rng = Rng::named(7, &["kill", threads, &attempt.to_string()]);
    let (mut kept, mut interrupted) = (0, 0);
    for round in 0..7 {
        let mut child = bench.start(&run("S.db", threads));
        // The first kills hit the start and the making of the store, the others the middle.
        let most = if round < 3 {
            15
        } else {
            wait_for_more(&bench, "S.db", kept, &mut child);
            60
        };
        std::thread::sleep(Duration::from_millis(rng.below(most)));
        assert_eq!(child.kill().err, "");
        let now = stored(&bench, "S.db");
        assert!(now >= kept, "a stored unit was lost");
        interrupted += u32::from(now > kept && now < 120);
        kept = now;
    }
    bench.ok(&["experiment", "resume", "--store", "S.db", "--threads", threads]);
    bench.ok(&run("whole.db", "2"));
    assert_eq!(stored(&bench, "S.db"), 120);
    assert_eq!(bench.results("S.db"), bench.results("whole.db"));
    interrupted
}

#[test]
fn killed_on_one_thread() {
    killed_and_resumed("1");
}

#[test]
fn killed_on_two_threads() {
    killed_and_resumed("2");
}

#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let bench = bench();
    bench.ok(&run("whole.db", "2"));
    let mut interrupted = Vec::new();
    for n in 0..60 {
        let name = if n % 2 == 0 { "-INT" } else { "-TERM" };
        let store = &format!("int{n}.db");
        let mut child = bench.start(&run(store, "1"));
        wait_for_more(&bench, store, 0, &mut child);
        child.signal(name);
        let begin = Instant::now();
        let stopped = child.end();
        assert!(begin.elapsed() < Duration::from_secs(10));
        // On a busy machine all may be done before the signal is sent: then once more.
        if stopped.code == 0 {
            continue;
        }
        assert_eq!(stopped.code, 4, "{stopped:?}");
        let again = go_on(&stopped);
        assert_eq!(again, format!("experiment resume --store {store}"));
        let kept = stored(&bench, store);
        assert!((1..120).contains(&kept), "{kept}");
        // What was said is what is done.
        let said = bench.ok(&again.split(' ').collect::<Vec<_>>());
        assert!(said.contains(&format!("{} units", 120 - kept)), "{said} after {kept}");
        assert_eq!(bench.results(store), bench.results("whole.db"));
        interrupted.push(name);
        if interrupted.contains(&"-INT") && interrupted.contains(&"-TERM") {
            return;
        }
    }
    panic!("of all runs only these could be interrupted: {interrupted:?}");
}

#[test]
fn an_interrupted_shard_goes_on_as_a_shard() {
    let bench = bench();
    // On a busy machine all may be done before the signal is sent: then once more.
    for store in (0..30).map(|n| format!("S{n}.db")) {
        let mut child = bench.start(&[run(&store, "1"), vec!["--shard", "0/2"]].concat());
        wait_for_more(&bench, &store, 0, &mut child);
        child.signal("-INT");
        let stopped = child.end();
        if stopped.code == 0 {
            continue;
        }
        assert_eq!(stopped.code, 4, "{stopped:?}");
        assert!(stored(&bench, &store) < 60);
        bench.ok(&go_on(&stopped).split(' ').collect::<Vec<_>>());
        assert_eq!(stored(&bench, &store), 60);
        return;
    }
    panic!("no run could be interrupted");
}

#[test]
fn a_second_process_on_a_store_is_refused() {
    let bench = bench();
    let long = [run("S.db", "1"), vec!["--units", "100000"]].concat();
    let mut child = bench.start(&long);
    wait_for_more(&bench, "S.db", 0, &mut child);
    let busy = ["S.db", "another process is running on this store", "merge"];
    bench.fails(&run("S.db", "1"), 2, &busy);
    bench.fails(&["experiment", "resume", "--store", "S.db", "--json"], 2, &busy);
    // Reading is no harm.
    let report = bench.timeless_report("S.db");
    assert!(report["experiments"][0]["done"].as_u64().unwrap() > 0);
    child.kill();
    // The lock dies with the process.
    bench.ok(&[run("S.db", "1"), vec!["--units", "1"]].concat());
}

#[test]
fn shards_make_up_the_whole() {
    let bench = bench();
    let parts = ["0/3", "1/3", "2/3"];
    let stores = ["part0.db", "part1.db", "part2.db"];
    let children: Vec<Running> = parts
        .iter()
        .zip(stores)
        .map(|(shard, store)| bench.start(&[run(store, "1"), vec!["--shard", shard]].concat()))
        .collect();
    for child in children {
        let ended = child.end();
        assert_eq!(ended.code, 0, "{ended:?}");
    }
    bench.ok(&run("whole.db", "2"));
    let merge = [&["experiment", "merge", "--json", "--store", "all.db"][..], &stores].concat();
    let merged = bench.json(&merge);
    assert_eq!((&merged["added"], &merged["same"]), (&120.into(), &0.into()));
    assert_eq!(bench.results("all.db"), bench.results("whole.db"));
    let merged = bench.json(&merge);
    assert_eq!((&merged["added"], &merged["same"]), (&0.into(), &120.into()));
    // A part alone is not the whole.
    assert_ne!(bench.results("part1.db"), bench.results("whole.db"));
    bench.fails(&["experiment", "merge", "--store", "all.db", "all.db"], 2, &["into itself"]);
}

#[test]
fn an_interrupted_hint_says_what_it_knows() {
    let bench = Bench::new();
    let args = ["hint", "connect-four", "--time", "100", "--json"];
    let mut child = bench.start(&args);
    // The first word of progress: it is thinking, and Ctrl-C will be heard.
    let mut line = String::new();
    BufReader::new(child.child().stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("iterations"), "{line}");
    child.signal("-INT");
    let stopped = child.end();
    assert_eq!(stopped.code, 4);
    let advice: Value = serde_json::from_str(&stopped.out).unwrap();
    assert_eq!(advice["stats"]["stop"], "cancelled");
    assert!(advice["best"].is_string() && advice["stats"]["iterations"].as_u64().unwrap() > 0);
}

#[test]
fn an_interrupted_range_counts_what_was_not_tried() {
    let bench = Bench::new();
    let args = ["solve", "klondike", "--seeds", "1..100000", "--summary", "--threads", "1"];
    for json in [false, true] {
        let mut child = bench.start(&[&args[..], if json { &["--json"] } else { &[] }].concat());
        // The first word of progress: it is at work, and Ctrl-C will be heard.
        let mut line = String::new();
        BufReader::new(child.child().stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("/100000, ") && line.contains(" solved"), "{line}");
        child.signal("-INT");
        let stopped = child.end();
        assert_eq!(stopped.code, 4);
        if !json {
            let first = stopped.out.lines().next().unwrap();
            assert!(first.starts_with("100000 deals of klondike: 0 optimal, "), "{first}");
            assert!(first.contains(" not tried; "), "{first}");
            continue;
        }
        let summary: Value = serde_json::from_str(&stopped.out).unwrap();
        let count = |key: &str| summary[key].as_u64().unwrap();
        // One deal at most was begun and not ended.
        assert!(count("unknown") <= 1 && count("untried") > 0, "{summary}");
        let all = count("solved") + count("unsolvable") + count("unknown") + count("untried");
        assert_eq!(all, 100_000, "{summary}");
    }
}

#[test]
fn an_interrupted_reproduction_reports_what_it_knows() {
    let bench = Bench::new();
    let args = ["reproduce", "uct-figure-3", "--threads", "1", "--dir", "out"];
    let mut child = bench.start(&args);
    wait_for_more(&bench, "out/quick.db", 0, &mut child);
    child.signal("-INT");
    let stopped = child.end();
    assert_eq!(stopped.code, 4, "{}", stopped.err);
    assert!(stopped.err.contains("run the same command again to continue"), "{}", stopped.err);
    assert!(stopped.out.contains("report: out/quick.html"), "{}", stopped.out);
    assert!(std::fs::read_to_string(bench.path("out/quick.html")).unwrap().contains("<svg"));
}
