//! Units run elsewhere: the same table to the bit, whatever is lost, comes twice or out of order.

// Lists of ranges of units often have one.
#![allow(clippy::single_range_in_vec_init)]

use crate::support;

use patience_lab::{Crew, Done, LabError, Ledger, Places, Store, check};
use patience_plan::Cancel;
use support::{resolve, run_on, spec, table};

fn alone(units: u64) -> Vec<(String, String, u64, Vec<u64>)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("alone.db");
    run_on(&spec(units, ""), &mut Store::open(&path).unwrap(), 2).unwrap();
    table(&path)
}

#[test]
fn the_table_is_that_of_one_machine_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let spec = spec(20, "");
    let crews = [(); 2].map(|()| Crew::new(spec.clone(), &resolve).unwrap());
    let mut ledger =
        Ledger::open(check(&spec, &resolve).unwrap(), Store::open(&path).unwrap()).unwrap();
    // Two machines, their chunks in turn and backwards, every third chunk twice.
    let chunks: Vec<_> = (0..14).map(|i| i * 3..(i * 3 + 3).min(40)).collect();
    for (i, chunk) in chunks.iter().enumerate().rev() {
        let done = crews[i % 2].run(std::slice::from_ref(chunk), &Cancel::new()).unwrap();
        let sent = Done::unpack(&Done::pack(&done)).unwrap();
        assert_eq!(sent, done);
        assert_eq!(ledger.take(&sent).unwrap(), chunk.end - chunk.start);
        if i % 3 == 0 {
            assert_eq!(ledger.take(&sent).unwrap(), 0, "a unit that comes twice is stored once");
        }
    }
    let summary = ledger.summary();
    assert!(summary.complete && summary.ran == 40 && summary.before == 0);
    assert!(ledger.chunk(1.0).is_empty(), "nothing is left");
    drop(ledger);
    assert_eq!(table(&path), alone(20));
}

#[test]
fn what_is_stored_is_not_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    run_on(&spec(5, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
    let spec = spec(7, "");
    let crew = Crew::new(spec.clone(), &resolve).unwrap();
    let mut ledger =
        Ledger::open(check(&spec, &resolve).unwrap(), Store::open(&path).unwrap()).unwrap();
    // Units 5 and 6 of both arms.
    let mut left = Vec::new();
    loop {
        match ledger.chunk(1.0) {
            empty if empty.is_empty() => break,
            chunk => left.extend(chunk),
        }
    }
    assert_eq!(left, [10..11, 11..12, 12..13, 13..14]);
    ledger.take(&crew.run(&left, &Cancel::new()).unwrap()).unwrap();
    let summary = ledger.summary();
    assert_eq!((summary.before, summary.ran, summary.complete), (10, 4, true));
    drop(ledger);
    assert_eq!(table(&path), alone(7));
}

#[test]
fn what_is_no_result_is_refused_and_nothing_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let spec = spec(3, "");
    let crew = Crew::new(spec.clone(), &resolve).unwrap();
    let mut ledger =
        Ledger::open(check(&spec, &resolve).unwrap(), Store::open(&path).unwrap()).unwrap();
    let good = crew.run(&[0..1, 2..3], &Cancel::new()).unwrap();
    let with = |change: &dyn Fn(&mut Done)| {
        let mut bad = good.clone();
        change(&mut bad[1]);
        bad
    };
    let foreign = ledger.take(&with(&|done| done.hash ^= 1)).unwrap_err();
    assert!(foreign.to_string().contains("another version of the program"), "{foreign}");
    for bad in [
        with(&|done| done.values[0] = 0.5),
        with(&|done| done.values.push(1.0)),
        with(&|done| done.unit = 3),
        with(&|done| done.seconds = f64::NAN),
    ] {
        assert!(matches!(ledger.take(&bad), Err(LabError::Task { .. })));
    }
    assert_eq!(ledger.progress().done, 0);
    assert_eq!(ledger.take(&good).unwrap(), 2);
    assert!(crew.run(&[5..7], &Cancel::new()).is_err(), "there are six units in all");
    let bytes = Done::pack(&good);
    for cut in 1..bytes.len() {
        let whole = Done::unpack(&bytes[..cut]);
        assert!(whole.is_none_or(|all| all.len() < 2));
    }
}

#[test]
fn a_crew_that_is_cancelled_gives_what_it_has() {
    let spec = spec(3, "");
    let crew = Crew::new(spec, &resolve).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(crew.run(&[0..2], &cancel).unwrap(), []);
}

#[test]
fn a_task_that_panics_is_an_error() {
    let crew = Crew::new(spec(3, ", panic_at = 1"), &resolve).unwrap();
    let error = crew.run(&[0..1, 2..3], &Cancel::new()).unwrap_err();
    assert!(error.to_string().contains("arm `a`, unit 1: the task panicked"), "{error}");
}

#[test]
fn chunks_are_about_as_long_as_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(100, "");
    let store = Store::open(&folder.path().join("s.db")).unwrap();
    let crew = Crew::new(spec.clone(), &resolve).unwrap();
    let mut ledger = Ledger::open(check(&spec, &resolve).unwrap(), store).unwrap();
    // Nothing is known: one unit at a time, the arms in turn.
    let (first, second) = (ledger.chunk(1.0), ledger.chunk(1.0));
    assert_eq!((&first, &second), (&vec![0..1], &vec![1..2]));
    let timed = |chunk: &[Places], seconds: f64| {
        let done = crew.run(chunk, &Cancel::new()).unwrap();
        done.into_iter().map(|done| Done { seconds, ..done }).collect::<Vec<_>>()
    };
    ledger.take(&timed(&first, 0.05)).unwrap();
    ledger.take(&timed(&second, 0.15)).unwrap();
    // A unit of both arms is 0.2 seconds: five of each, as near as sums of such numbers come.
    let third = ledger.chunk(1.0);
    assert!(third == [2..11] || third == [2..12], "{third:?}");
    let mut handed_out: Vec<u64> = [first, second, third].concat().into_iter().flatten().collect();
    loop {
        match ledger.chunk(1.0) {
            empty if empty.is_empty() => break,
            chunk => handed_out.extend(chunk.into_iter().flatten()),
        }
    }
    assert!(handed_out.iter().copied().eq(0..200), "each unit is handed out once");
}
