//! Versions: what changed is run again, all else is kept.

use crate::support;

use std::path::Path;

use patience_lab::{Reading, RunOptions, Spec, Store, Summary, check, html, merge_into, report};
use patience_plan::Cancel;
use support::{run_on, table, versioned};

const SPEC: &str = r#"
name = "games"
seed = 7
units = 5
task = { kind = "coin" }
[[arm]]
name = "a"
game = "klondike"
planner = "coin(0.25)"
[[arm]]
name = "b"
game = "freecell"
planner = "coin(0.75)"
"#;

/// Runs two arms on two games of these versions; gives the summary and what is said of old results.
fn run_with(path: &Path, klondike: u32, freecell: u32) -> (Summary, Vec<String>) {
    let spec = Spec::parse("games.toml", SPEC, false).unwrap();
    let resolve = versioned([("klondike", klondike), ("freecell", freecell)]);
    let experiment = check(&spec, &resolve).unwrap();
    let mut store = Store::open(path).unwrap();
    let said = experiment.outdated(store.reading()).unwrap();
    let options = RunOptions { threads: 1, ..RunOptions::default() };
    let summary = experiment.run(&mut store, &options, &Cancel::new(), &mut |_| ()).unwrap();
    (summary, said.iter().map(ToString::to_string).collect())
}

#[test]
fn one_game_changed_and_the_other_keeps_its_rows() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let (first, said) = run_with(&path, 3, 1);
    assert_eq!((first.before, first.ran, said.len()), (0, 10, 0));
    let before = table(&path);
    let (again, said) = run_with(&path, 3, 1);
    assert_eq!((again.before, again.ran, said.len()), (10, 0, 0));

    let (raised, said) = run_with(&path, 4, 1);
    assert_eq!((raised.before, raised.ran, raised.complete), (5, 5, true));
    let kept = "arm `a`: 5 units of another version kept, made with klondike 3, now klondike 4";
    assert_eq!(said, [kept]);
    assert!(before.iter().all(|row| table(&path).contains(row)));
    let listing = Reading::open(&path).unwrap().list().unwrap().remove(0);
    assert_eq!((listing.done, listing.other), (10, 5));
    let made = report(&Reading::open(&path).unwrap(), &[]).unwrap();
    let e = &made.experiments[0];
    assert_eq!((e.done, e.outdated.len(), e.outdated[0].to_string().as_str()), (10, 1, kept));
    assert_eq!(e.arms[0].versions.as_ref().unwrap().to_string(), "klondike 4, lab 1");
    assert!(html(&made).contains("klondike 4, lab 1") && html(&made).contains(kept));

    // The program from before finds its own rows, and is what was run last.
    let (back, said) = run_with(&path, 3, 1);
    assert_eq!((back.before, back.ran), (10, 0));
    assert!(said[0].ends_with("made with klondike 4, now klondike 3"), "{said:?}");
    let e = report(&Reading::open(&path).unwrap(), &[]).unwrap().experiments.remove(0);
    assert_eq!(e.arms[0].versions.as_ref().unwrap().to_string(), "klondike 3, lab 1");
}

#[test]
fn a_merge_keeps_versions_apart() {
    let dir = tempfile::tempdir().unwrap();
    let [old, new, whole] = ["old.db", "new.db", "whole.db"].map(|name| dir.path().join(name));
    run_with(&old, 3, 1);
    run_with(&new, 4, 1);
    let merged = merge_into(&whole, &[&old, &new]).unwrap();
    assert_eq!((merged.added, merged.same), (15, 5));
    // What is known stays as it was last run.
    let shown = |path: &Path| {
        let e = report(&Reading::open(path).unwrap(), &[]).unwrap().experiments.remove(0);
        (e.done, e.arms[0].versions.as_ref().unwrap().to_string())
    };
    assert_eq!(shown(&whole), (10, "klondike 3, lab 1".to_owned()));
    assert_eq!(run_with(&whole, 4, 1).0.before, 10);
    assert_eq!(shown(&whole), (10, "klondike 4, lab 1".to_owned()));
}

/// A store of the time when one number stood for all versions.
#[test]
fn a_store_from_before_is_kept_and_run_again() {
    let dir = tempfile::tempdir().unwrap();
    let [path, whole] = ["s.db", "whole.db"].map(|name| dir.path().join(name));
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(include_str!("engine-9.sql")).unwrap();
    connection.close().unwrap();
    let old = table(&path);
    assert_eq!(old.len(), 6);
    let bytes = std::fs::read(&path).unwrap();
    let said = |path: &Path| {
        let e = report(&Reading::open(path).unwrap(), &[]).unwrap().experiments.remove(0);
        (e.done, e.outdated.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let made_with = |now: &str| {
        ["a", "b"].map(|arm| {
            format!("arm `{arm}`: 3 units of another version kept, made with engine 9{now}")
        })
    };
    assert_eq!(said(&path), (0, made_with("").to_vec()));
    let listing = Reading::open(&path).unwrap().list().unwrap().remove(0);
    assert_eq!((listing.done, listing.total, listing.other), (0, 6, 6));
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "reading changes nothing");
    assert_eq!(merge_into(&whole, &[&path]).unwrap().added, 6);
    assert_eq!(said(&whole), said(&path));

    let spec = support::spec(3, ", pause_ms = 10");
    for path in [&path, &whole] {
        let summary = run_on(&spec, &mut Store::open(path).unwrap(), 1).unwrap();
        assert_eq!((summary.before, summary.ran), (0, 6));
        assert_eq!(said(path), (6, made_with(", now lab 1").to_vec()));
        let all = table(path);
        assert!(all.len() == 12 && old.iter().all(|row| all.contains(row)));
    }
}
