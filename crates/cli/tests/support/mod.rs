//! Runs the real binary in a folder of its own.
#![allow(dead_code)] // Each test file uses its part.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A game that can be solved, with a deal that is soon solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solvable {
    pub(crate) name: &'static str,
    pub(crate) deal: &'static str,
    options: &'static [&'static str],
}

impl Solvable {
    /// The arguments that solve the deal.
    pub(crate) fn solve<'a>(&self, more: &[&'a str]) -> Vec<&'a str> {
        [&["solve", self.name, self.deal], self.options, more].concat()
    }
}

/// Games of every kind that can be solved.
pub(crate) const GAMES: [Solvable; 4] = [
    Solvable { name: "klondike", deal: "seed:1", options: &[] },
    Solvable { name: "freecell", deal: "7", options: &[] },
    Solvable { name: "black-hole", deal: "seed:1", options: &[] },
    Solvable { name: "samegame", deal: "seed:1", options: &["--rollouts", "50", "--threads", "1"] },
];

/// A position of Klondike four moves from the end, with a card of the stock left.
pub(crate) const LATE: &str =
    "Foundations: C-K D-K H-K S-T\nTalon: JS\nWaste:\nKS\nQS\n:\n:\n:\n:\n:\n";
/// Only by taking two cards back, one onto the other, can this be won.
pub(crate) const BACK: &str = "Foundations: C-4 D-7 H-7 S-8\nTalon:\n9D\n<8D> KC\n<9S> <8H> KS\n\
    <TS> <9H> <TD> KH\n<JS> <TH> <JD> KD\n<QS> <JH> <QD> <QH> JC\n<QC> <TC> <9C> <8C> <7C> <5C> 6C\n";

/// All keys of a value, those inside it too.
pub(crate) fn keys(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, inner)| {
            into.push(key.clone());
            keys(inner, into);
        }),
        Value::Array(items) => items.iter().for_each(|item| keys(item, into)),
        _ => {}
    }
}

/// A folder with the binary at hand.
pub(crate) struct Bench {
    dir: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        Bench { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_patience"));
        command.args(args).current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn start(&self, args: &[&str]) -> Running {
        let mut command = self.command(args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Running { child: Some(child) }
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ended {
        ended(self.command(args).output().unwrap())
    }

    /// Runs what must succeed, and gives what it printed.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let ended = self.run(args);
        assert_eq!(ended.code, 0, "{args:?}: {ended:?}");
        ended.out
    }

    /// The same for JSON; nothing else may be on standard output.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.ok(args)).unwrap()
    }

    /// Runs what must fail so: nothing on standard output, one message on standard error.
    pub(crate) fn fails(&self, args: &[&str], code: i32, fragments: &[&str]) -> String {
        let ended = self.run(args);
        let shown: Vec<String> = args.iter().map(|a| a.chars().take(80).collect()).collect();
        assert_eq!(ended.code, code, "{shown:?}: {}", ended.err);
        assert_eq!(ended.out, "", "{shown:?}");
        assert!(ended.err.starts_with("error: "), "{shown:?}: {}", ended.err);
        assert!(!ended.err.contains("panicked"), "{shown:?}: {}", ended.err);
        for fragment in fragments {
            assert!(ended.err.contains(fragment), "{}\nshould contain\n{fragment}", ended.err);
        }
        ended.err
    }

    /// The report without what depends on the clock.
    pub(crate) fn timeless_report(&self, store: &str) -> Value {
        let mut report = self.json(&["experiment", "report", "--store", store, "--json"]);
        forget_time(&mut report);
        report
    }

    /// Everything that tests compare of a store.
    pub(crate) fn results(&self, store: &str) -> (Value, String, String) {
        let export =
            |format| self.ok(&["experiment", "export", "--store", store, "--format", format]);
        (self.timeless_report(store), export("csv"), export("jsonl"))
    }
}

/// A process that does not outlive its test, however the test ends.
pub(crate) struct Running {
    child: Option<Child>,
}

impl Running {
    pub(crate) fn child(&mut self) -> &mut Child {
        self.child.as_mut().unwrap()
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.child().try_wait().unwrap().is_some()
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Ended {
        ended(self.child.take().unwrap().wait_with_output().unwrap())
    }

    /// SIGKILL: nothing of it gets to tidy up.
    pub(crate) fn kill(mut self) -> Ended {
        self.child().kill().unwrap();
        self.end()
    }

    /// Sends a signal, such as `-INT`.
    #[cfg(unix)]
    pub(crate) fn signal(&mut self, name: &str) {
        let id = self.child().id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn ended(output: Output) -> Ended {
    Ended {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn forget_time(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for key in ["seconds", "updated", "created"] {
                map.remove(key);
            }
            map.values_mut().for_each(forget_time);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_time),
        _ => {}
    }
}

/// All files of a folder with their contents.
pub(crate) fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// A small experiment with everything in it: a proportion with its published figure, a chart and
/// a claim.
pub(crate) const PLAY: &str = r#"
name = "small"
title = "A small experiment"
paper = "none"
notes = "For tests."
seed = 3
units = 40
task = { kind = "play", opponent = "random", won_at = 1 }

[quick]
units = 12

[[arm]]
name = "uct"
game = "tic-tac-toe"
planner = "uct(iterations=50)"
published = { column = "won", value = 0.9, plus_minus = 0.05, confidence = 0.95, units = 200 }

[[arm]]
name = "random"
game = "tic-tac-toe"
planner = "random"

[[chart]]
kind = "table"

[[claim]]
text = "UCT wins more often than chance"
check = "difference"
arm = "uct"
minus = "random"
column = "won"
above = 0
"#;
