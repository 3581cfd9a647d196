//! Runs: the same table on any number of threads and after any interruption.

use crate::support;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use patience_lab::{
    Arm, Column, Crew, LabError, Progress, Row, RunOptions, Shard, Spec, SpecFault, Store, Streams,
    Task, TaskError, Versions, check, merge, report, run,
};
use patience_plan::{Cancel, Halt};
use support::{enrol, resolve, run_on, spec, table};

#[test]
fn threads_do_not_matter() {
    let dir = tempfile::tempdir().unwrap();
    let spec = spec(300, "");
    let tables: Vec<_> = [1, 2, 5]
        .iter()
        .map(|threads| {
            let path = dir.path().join(format!("{threads}.db"));
            let mut store = Store::open(&path).unwrap();
            let summary = run_on(&spec, &mut store, *threads).unwrap();
            assert!(summary.complete && summary.ran == 600);
            table(&path)
        })
        .collect();
    assert_eq!(tables[0].len(), 600);
    assert_eq!(tables[0], tables[1]);
    assert_eq!(tables[0], tables[2]);
}

#[test]
fn a_longer_run_goes_on_from_a_shorter_one() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (dir.path().join("one.db"), dir.path().join("two.db"));
    run_on(&spec(50, ""), &mut Store::open(&one).unwrap(), 2).unwrap();
    let summary = run_on(&spec(80, ""), &mut Store::open(&one).unwrap(), 2).unwrap();
    assert_eq!((summary.before, summary.ran, summary.total), (100, 60, 160));
    run_on(&spec(80, ""), &mut Store::open(&two).unwrap(), 1).unwrap();
    assert_eq!(table(&one), table(&two));
    let again = run_on(&spec(80, ""), &mut Store::open(&one).unwrap(), 2).unwrap();
    assert_eq!((again.before, again.ran, again.complete), (160, 0, true));
}

#[test]
fn a_changed_arm_never_mixes_with_old_rows() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let mut store = Store::open(&path).unwrap();
    let old = spec(20, "");
    run_on(&old, &mut store, 1).unwrap();
    let text = old.text.replace("coin(0.75)", "coin(0.8)");
    let new = Spec::parse("coins.toml", &text, false).unwrap();
    let hash = |spec: &Spec, arm: usize| spec.arms[arm].hash(&Versions::new(Vec::new()));
    assert_eq!(hash(&old, 0), hash(&new, 0));
    assert_ne!(hash(&old, 1), hash(&new, 1));
    let summary = run_on(&new, &mut store, 1).unwrap();
    assert_eq!((summary.before, summary.ran), (20, 20));
    let found = report(store.reading(), &[]).unwrap();
    assert_eq!(found.experiments[0].arms[1].units, 20);
    assert_eq!(store.reading().list().unwrap()[0].other, 20);
}

/// Making a game may take long.
#[test]
fn what_was_checked_is_run_without_making_tasks_again() {
    let dir = tempfile::tempdir().unwrap();
    let made = AtomicU64::new(0);
    let counted = |spec: &Spec, arm: &Arm| {
        made.fetch_add(1, Ordering::Relaxed);
        resolve(spec, arm)
    };
    let experiment = check(&spec(5, ""), &counted).unwrap();
    for name in ["one.db", "two.db"] {
        let mut store = Store::open(&dir.path().join(name)).unwrap();
        let options = RunOptions::default();
        let summary = experiment.run(&mut store, &options, &Cancel::new(), &mut |_| ()).unwrap();
        assert_eq!(summary.ran, 10);
    }
    assert_eq!(made.into_inner(), 2);
}

#[test]
fn cancel_keeps_what_is_finished() {
    let dir = tempfile::tempdir().unwrap();
    let (cut, whole) = (dir.path().join("cut.db"), dir.path().join("whole.db"));
    let spec = spec(150, ", pause_ms = 5");
    let cancel = Cancel::new();
    let mut store = Store::open(&cut).unwrap();
    let mut calls = 0;
    let begin = Instant::now();
    let options = RunOptions { threads: 2, ..RunOptions::default() };
    let summary = run(&spec, &resolve, &mut store, &options, &cancel, &mut |p: &Progress| {
        calls += 1;
        assert!(p.done <= p.total && p.arms.len() == 2);
        if p.done > 0 {
            cancel.cancel();
        }
    })
    .unwrap();
    assert!(!summary.complete && summary.ran > 0 && summary.ran < 300, "{summary:?}");
    assert!(calls >= 2 && begin.elapsed() < Duration::from_secs(5));
    assert_eq!(table(&cut).len() as u64, summary.ran);
    run_on(&spec, &mut store, 1).unwrap();
    run_on(&spec, &mut Store::open(&whole).unwrap(), 2).unwrap();
    assert_eq!(table(&cut), table(&whole));
}

/// Even a run that would be over before the first beat.
#[test]
fn a_flag_that_is_raised_before_runs_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let mut store = Store::open(&path).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let mut last = None;
    let options = RunOptions { threads: 2, ..RunOptions::default() };
    // A unit of its own would fail the run.
    let spec = spec(3, ", panic_at = 0");
    let summary =
        run(&spec, &resolve, &mut store, &options, &cancel, &mut |p| last = Some(p.done)).unwrap();
    assert_eq!((summary.ran, summary.complete, last), (0, false, Some(0)));
    assert_eq!(table(&path), []);
}

#[test]
fn a_panic_names_arm_and_unit_and_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let mut store = Store::open(&path).unwrap();
    let error = run_on(&spec(100, ", panic_at = 40"), &mut store, 2).unwrap_err();
    let LabError::Task { unit, message, .. } = &error else { panic!("{error}") };
    assert_eq!(*unit, 40);
    assert!(message.contains("panicked: unit 40 is one too many"), "{message}");
    let kept = table(&path);
    // One of the two workers may still have been at unit 39, or ahead at the other arm's 40.
    assert!(kept.len() >= 78, "{}", kept.len());
    assert!(!kept.iter().any(|row| row.2 == 40));
}

#[test]
fn shards_merged_are_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let spec = spec(61, "");
    let whole = dir.path().join("whole.db");
    run_on(&spec, &mut Store::open(&whole).unwrap(), 2).unwrap();
    let mut parts = Vec::new();
    for i in 0..3 {
        let path = dir.path().join(format!("part {i}.db"));
        let mut store = Store::open(&path).unwrap();
        let options = RunOptions { threads: 2, shard: Shard::new(i, 3).unwrap() };
        let summary =
            run(&spec, &resolve, &mut store, &options, &Cancel::new(), &mut |_| ()).unwrap();
        assert!(summary.complete && summary.total < 61);
        parts.push(path);
    }
    let merged = dir.path().join("merged.db");
    let mut store = Store::open(&merged).unwrap();
    let brought = merge(&mut store, &parts).unwrap();
    assert_eq!((brought.added, brought.same), (122, 0));
    assert_eq!(table(&merged), table(&whole));
    let error = merge(&mut store, &[&merged]).unwrap_err();
    assert!(error.to_string().contains("into itself"), "{error}");
    let busy = Store::open(&parts[0]).unwrap();
    assert!(matches!(merge(&mut store, &parts[..1]), Err(LabError::Busy { .. })));
    drop(busy);
    let again = merge(&mut store, &parts[..1]).unwrap();
    assert_eq!((again.added, again.same), (0, 42));
    let both = [report(store.reading(), &[]), report(Store::open(&whole).unwrap().reading(), &[])]
        .map(|r| {
            let mut experiment = r.unwrap().experiments.remove(0);
            // Timings are kept apart from results.
            experiment.arms.iter_mut().for_each(|a| a.seconds = 0.0);
            (serde_json::to_string(&experiment.arms).unwrap(), experiment.done)
        });
    assert_eq!(both[0], both[1]);
}

/// What other machines have done is in the store, but it is not of this shard.
#[test]
fn a_shard_counts_its_own_units() {
    let dir = tempfile::tempdir().unwrap();
    let spec = spec(10, "");
    let mut store = Store::open(&dir.path().join("s.db")).unwrap();
    let mut on = |shard| {
        let options = RunOptions { threads: 1, shard };
        let mut last = None;
        let mut watch = |now: &Progress| last = Some((now.done, now.total));
        run(&spec, &resolve, &mut store, &options, &Cancel::new(), &mut watch).unwrap();
        last.unwrap()
    };
    let one = Shard::new(0, 2).unwrap();
    assert_eq!(on(one), (10, 10));
    assert_eq!(on(Shard::WHOLE), (20, 20));
    assert_eq!(on(one), (10, 10), "of 20 that are stored");
}

#[test]
fn a_merge_that_contradicts_takes_nothing_over() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a.db"), dir.path().join("b.db"));
    let spec = spec(10, "");
    run_on(&spec, &mut Store::open(&a).unwrap(), 1).unwrap();
    let mut store = Store::open(&b).unwrap();
    let columns = vec![Column::proportion("won"), Column::mean("score")];
    let numbers = enrol(&mut store, &spec, &columns);
    let other = Row { arm: numbers[1], unit: 7, values: vec![1.0, 1.0], seconds: 0.0 };
    store.append(&[other]).unwrap();
    drop(store);
    let before = table(&a);
    let error = merge(&mut Store::open(&a).unwrap(), &[&b]).unwrap_err();
    assert!(error.to_string().contains("unit 7 of arm `b` of `coins`"), "{error}");
    assert_eq!(table(&a), before);
}

#[test]
fn a_merge_with_other_columns_takes_nothing_over() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a.db"), dir.path().join("b.db"));
    run_on(&spec(5, ""), &mut Store::open(&a).unwrap(), 1).unwrap();
    let other = vec![Column::proportion("won"), Column::mean("other")];
    enrol(&mut Store::open(&b).unwrap(), &spec(9, ""), &other);
    let before = table(&a);
    let error = merge(&mut Store::open(&a).unwrap(), &[&b]).unwrap_err();
    assert!(error.to_string().contains("arm `a` of `coins` has other columns"), "{error}");
    assert_eq!(table(&a), before);
}

/// The runner's overhead; the figure is printed, not asserted: it depends on the machine.
/// `cargo test -p patience-lab --release --test all overhead -- --nocapture`
#[test]
fn overhead() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let mut store = Store::open(&path).unwrap();
    let begin = Instant::now();
    let summary = run_on(&spec(50_000, ""), &mut store, 2).unwrap();
    drop(store);
    println!("100,000 trivial units in {:.2} s, store included", begin.elapsed().as_secs_f64());
    assert_eq!((summary.ran, table(&path).len()), (100_000, 100_000));
}

/// A task whose game gave up in the middle of a move when it was told to stop, and which returns
/// numbers all the same.
struct CutShort(Cancel);

impl Task for CutShort {
    fn columns(&self) -> Vec<Column> {
        vec![Column::mean("score")]
    }

    fn run(&self, unit: u64, _: &Streams<'_>, _: &Cancel) -> Result<Vec<f64>, TaskError> {
        if unit < 3 {
            return Ok(vec![unit as f64]);
        }
        self.0.cancel();
        let begin = std::time::Instant::now();
        while !Halt::is_due() && begin.elapsed().as_secs() < 20 {
            std::thread::yield_now();
        }
        Ok(vec![-1.0])
    }
}

/// What is left of a unit that was cut short is no result, in a run and in a crew.
#[test]
fn a_unit_that_was_cut_short_is_not_stored() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let spec = support::spec(9, "");
    let cutting = |cancel: &Cancel| {
        let cancel = cancel.clone();
        move |_: &Spec, _: &Arm| -> Result<Box<dyn Task>, SpecFault> {
            Ok(Box::new(CutShort(cancel.clone())))
        }
    };
    for threads in [1, 2] {
        let cancel = Cancel::new();
        let mut store = Store::open(&path).unwrap();
        let options = RunOptions { threads, ..RunOptions::default() };
        let summary =
            run(&spec, &cutting(&cancel), &mut store, &options, &cancel, &mut |_| ()).unwrap();
        assert!(!summary.complete);
        drop(store);
        let rows = table(&path);
        assert!(rows.iter().all(|row| row.2 < 3), "{rows:?}");
    }
    let cancel = Cancel::new();
    let crew = Crew::new(spec.clone(), &cutting(&cancel)).unwrap();
    let done = crew.run(&[0..9, 9..18], &cancel).unwrap();
    assert_eq!(done.iter().map(|done| done.unit).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2]);
}
