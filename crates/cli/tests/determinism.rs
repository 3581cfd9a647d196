//! The same spec gives the same rows: on one thread and on two, at once and resumed, in shards, in
//! another language and time zone, and by another build of the program.

use crate::support;

use std::process::Command;

use support::Bench;

/// Small arms of every kind of task, on games with chance, hidden cards, rules from text and none.
const SPEC: &str = r#"
name = "all-kinds"
seed = 5
units = 12
task = { kind = "play" }

[[arm]]
name = "uct with chance"
game = "sailing(size=4)"
planner = "uct(iterations=60, scale=10)"
task = { kind = "play", max_moves = 60 }

[[arm]]
name = "hidden cards"
game = "klondike"
planner = "best(samples=5)"
task = { kind = "play" }

[[arm]]
name = "rules"
game = "gdl(file=monty_hall)"
planner = "norns(iterations=50)"
task = { kind = "play" }

[[arm]]
name = "curve"
game = "pgame(branching=3, depth=5)"
planner = "uct"
task = { kind = "convergence", at = [1, 10, 100] }

[[arm]]
name = "deals"
game = "freecell"
planner = "satisficing"
task = { kind = "solve", first_deal = 1 }

[[arm]]
name = "score"
game = "samegame"
planner = "mcts(iterations=200)"
task = { kind = "solve" }

[[chart]]
kind = "table"
"#;

fn export(bench: &Bench, store: &str) -> String {
    bench.ok(&["experiment", "export", "--store", store, "--format", "jsonl"])
}

fn run(bench: &Bench, store: &str, more: &[&str]) -> String {
    let args = ["experiment", "run", "all.toml", "--store", store];
    bench.ok(&[&args[..], more].concat());
    export(bench, store)
}

#[test]
fn the_same_spec_gives_the_same_rows() {
    let bench = Bench::new();
    bench.write("all.toml", SPEC);
    let one = run(&bench, "one.db", &["--threads", "1"]);
    assert_eq!(one.lines().count(), 6 * 12);
    assert_eq!(run(&bench, "two.db", &["--threads", "2"]), one, "two threads");
    // Fewer units first, and the rest later.
    run(&bench, "later.db", &["--threads", "2", "--units", "5"]);
    assert_eq!(run(&bench, "later.db", &["--threads", "1"]), one, "resumed");
    run(&bench, "even.db", &["--shard", "0/2"]);
    run(&bench, "odd.db", &["--shard", "1/2"]);
    bench.ok(&["experiment", "merge", "odd.db", "even.db", "--store", "merged.db"]);
    assert_eq!(export(&bench, "merged.db"), one, "in shards");
    // Elsewhere: other words, other numbers, other clocks.
    let args = ["experiment", "run", "all.toml", "--store", "far.db", "--threads", "2"];
    let mut command: Command = bench.command(&args);
    command.envs([("LC_ALL", "de_DE.UTF-8"), ("LANG", "ar_EG.UTF-8"), ("TZ", "Pacific/Apia")]);
    assert!(command.output().unwrap().status.success());
    assert_eq!(export(&bench, "far.db"), one, "another locale and time zone");
    // And what is said of them is the same.
    assert_eq!(bench.timeless_report("two.db"), bench.timeless_report("one.db"));
}

/// `PATIENCE_OTHER` names another build of the same commit, such as target/release/patience.
#[test]
#[ignore = "needs another build of the program, named by PATIENCE_OTHER"]
fn another_build_gives_the_same_rows() {
    let other = std::env::var("PATIENCE_OTHER").expect("PATIENCE_OTHER names a program");
    let bench = Bench::new();
    let spec = bench.write("all.toml", SPEC);
    let here = run(&bench, "here.db", &[]);
    let store = bench.path("there.db");
    let status = Command::new(other)
        .args(["experiment", "run"])
        .arg(spec)
        .arg("--store")
        .arg(&store)
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(export(&bench, "there.db"), here);
}
