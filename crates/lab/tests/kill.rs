//! Kills a running experiment at random moments and resumes it: the table is the same to the bit.

use crate::support;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use patience_lab::{Category, Store};
use patience_model::Rng;
use support::{run_on, spec, table};

const STORE: &str = "PATIENCE_LAB_TEST_STORE";
const THREADS: &str = "PATIENCE_LAB_TEST_THREADS";
const UNITS: u64 = 60;

/// The process that is killed: this test binary again, running this test alone.
#[test]
fn child() {
    let Ok(path) = std::env::var(STORE) else { return };
    let threads = std::env::var(THREADS).unwrap().parse().unwrap();
    let mut store = Store::open(Path::new(&path)).unwrap();
    run_on(&spec(UNITS, ", pause_ms = 10"), &mut store, threads).unwrap();
}

pub(crate) fn start(path: &Path, threads: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::child"])
        .env(STORE, path)
        .env(THREADS, threads.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// What the process runs.
pub(crate) fn killed_spec() -> patience_lab::Spec {
    spec(UNITS, ", pause_ms = 10")
}

fn rows_of(path: &Path) -> Vec<(String, String, u64, Vec<u64>)> {
    if path.exists() { table(path) } else { Vec::new() }
}

fn killed_and_resumed(threads: usize) {
    let dir = tempfile::tempdir().unwrap();
    let (path, whole) = (dir.path().join("s.db"), dir.path().join("whole.db"));
    let mut rng = Rng::named(11, &["kill", &threads.to_string()]);
    let mut kept = 0;
    let mut interrupted = 0;
    for round in 0..8 {
        let mut child = start(&path, threads);
        // The first rounds hit the start and the creation of the store, the others the middle.
        let begin = Instant::now();
        while round >= 3 && rows_of(&path).len() <= kept && begin.elapsed().as_secs() < 20 {
            std::thread::sleep(Duration::from_millis(2));
        }
        let most = if round < 3 { 25 } else { 60 };
        std::thread::sleep(Duration::from_millis(rng.below(most)));
        child.kill().unwrap(); // SIGKILL: nothing of the child gets to tidy up.
        child.wait().unwrap();
        let rows = rows_of(&path);
        assert!(rows.len() >= kept, "a stored unit was lost");
        interrupted += u32::from(rows.len() > kept && rows.len() < 2 * UNITS as usize);
        kept = rows.len();
    }
    assert!(interrupted >= 3, "too few kills hit the middle of a run: {interrupted}");
    assert!(start(&path, threads).wait().unwrap().success());
    run_on(&spec(UNITS, ", pause_ms = 10"), &mut Store::open(&whole).unwrap(), 2).unwrap();
    assert_eq!(table(&path).len() as u64, 2 * UNITS);
    assert_eq!(table(&path), table(&whole));
}

#[test]
fn on_one_thread() {
    killed_and_resumed(1);
}

#[test]
fn on_two_threads() {
    killed_and_resumed(2);
}

#[test]
fn a_second_process_is_refused_until_the_first_is_dead() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let mut child = start(&path, 1);
    let begin = Instant::now();
    let error = loop {
        match Store::open(&path) {
            Err(error) => break error,
            Ok(store) => drop(store), // The child is not that far yet: it fails and is started anew.
        }
        if child.try_wait().unwrap().is_some() {
            child = start(&path, 1);
        }
        assert!(begin.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(error.to_string().contains("another process is running on this store"), "{error}");
    assert_eq!(error.category(), Category::Usage);
    child.kill().unwrap();
    child.wait().unwrap();
    Store::open(&path).unwrap();
}

/// A disk that is really full, or a quota: the system refuses to let the file grow.
#[cfg(target_os = "linux")]
#[test]
fn the_system_refuses_to_write() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    run_on(&spec(20, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
    let before = table(&path);
    // Files may have 64 blocks of 512 or 1024 bytes; the signal about it is ignored, so that
    // writing fails with an error.
    let status = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 64; exec \"$0\" --exact kill::full_disk_child --nocapture",
        ])
        .arg(std::env::current_exe().unwrap())
        .env(STORE, &path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "the child did not see the error that it expects");
    let after = table(&path);
    assert!(after.len() >= before.len() && before.iter().all(|row| after.contains(row)));
    run_on(&spec(30, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
}

#[test]
fn full_disk_child() {
    let Ok(path) = std::env::var(STORE) else { return };
    let mut store = Store::open(Path::new(&path)).unwrap();
    let error = run_on(&spec(100_000, ""), &mut store, 2).unwrap_err();
    assert_eq!(error.category(), Category::Fault);
    assert!(error.to_string().contains("cannot store results"), "{error}");
}
