//! Damaged stores: a row that is not as it was written is named, never shown and never passed on.

use crate::support;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use patience_lab::{
    Category, Column, ExportFormat, LabError, Reading, Row, Store, export, merge, merge_into,
    report,
};
use support::{enrol, run_on, spec, table};

fn edit(path: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(path).unwrap();
    assert!(connection.execute(sql, []).unwrap() > 0);
    connection.close().unwrap();
}

/// What all that reads rows says of a store.
fn readings(path: &Path) -> Vec<Result<(), LabError>> {
    let read = |what: &dyn Fn(&Reading) -> Result<(), LabError>| {
        Reading::open(path).and_then(|reading| what(&reading))
    };
    vec![
        Store::open(path).and_then(|mut store| run_on(&spec(40, ""), &mut store, 1)).map(|_| ()),
        read(&|r| report(r, &[]).map(|_| ())),
        read(&|r| r.list().map(|_| ())),
        read(&|r| export(r, &[], ExportFormat::Csv, &mut std::io::sink()).map(|_| ())),
    ]
}

#[test]
fn a_changed_row_is_named_and_goes_nowhere() {
    let dir = tempfile::tempdir().unwrap();
    let good = dir.path().join("good.db");
    run_on(&spec(40, ""), &mut Store::open(&good).unwrap(), 1).unwrap();
    let bad = dir.path().join("bad.db");
    let row = "WHERE arm = 2 AND unit = 3";
    let other = "(SELECT value FROM results WHERE arm = 2 AND unit = 4)";
    for sql in [
        format!("UPDATE results SET value = x'00' {row}"),
        format!("UPDATE results SET value = zeroblob(16) {row}"),
        format!("UPDATE results SET value = {other} {row}"),
        format!("UPDATE results SET seconds = seconds + 1 {row}"),
        format!("UPDATE results SET seal = seal + 1 {row}"),
    ] {
        std::fs::copy(&good, &bad).unwrap();
        edit(&bad, &sql);
        let before = std::fs::read(&bad).unwrap();
        for result in readings(&bad) {
            let error = result.unwrap_err();
            let said = error.to_string();
            assert!(said.contains("unit 3 of arm `b` is damaged (wrong checksum)"), "{said}");
            assert_eq!(error.category(), Category::BadInput, "{sql}");
        }
        assert_eq!(std::fs::read(&bad).unwrap(), before, "{sql}");
        let whole = dir.path().join("whole.db");
        let error = merge_into(&whole, &[&good, &bad]).unwrap_err();
        assert!(error.to_string().contains("bad.db: unit 3 of arm `b` is damaged"), "{error}");
        assert!(!whole.exists());
    }
    // A row that has moved, and columns that were changed under it.
    for sql in [
        "UPDATE results SET unit = 90 WHERE arm = 2 AND unit = 3",
        "UPDATE results SET unit = -3 WHERE arm = 2 AND unit = 3",
        "UPDATE arms SET columns = replace(columns, 'won', 'wun')",
        "UPDATE arms SET columns = replace(columns, 'proportion', 'mean')",
    ] {
        std::fs::copy(&good, &bad).unwrap();
        edit(&bad, sql);
        let list = Reading::open(&bad).unwrap().list().unwrap_err();
        assert!(list.to_string().contains("is damaged"), "{list}");
        let mut store = Store::open(&dir.path().join("other.db")).unwrap();
        let error = merge(&mut store, &[&bad]).unwrap_err();
        assert_eq!(error.category(), Category::BadInput);
        assert!(store.reading().experiments().unwrap().is_empty());
    }
}

#[test]
fn values_that_no_unit_can_have_are_refused_when_read() {
    let dir = tempfile::tempdir().unwrap();
    let columns = vec![Column::proportion("won"), Column::mean("score"), Column::rate("share")];
    let cases = [
        ([0.5, 1.0, 1.0], "`won` is 0.5, not 0 or 1"),
        ([1.0, f64::INFINITY, 1.0], "`score` is inf, not a finite number"),
        ([1.0, f64::NAN, 1.0], "`score` is NaN, not a finite number"),
        ([1.0, 1.0, 1.5], "`share` is 1.5, not from 0 to 1"),
    ];
    for (i, (values, fragment)) in cases.into_iter().enumerate() {
        let mut store = Store::open(&dir.path().join(format!("{i}.db"))).unwrap();
        let numbers = enrol(&mut store, &spec(9, ""), &columns);
        let row = Row { arm: numbers[0], unit: 5, values: values.to_vec(), seconds: 0.1 };
        store.append(&[row]).unwrap();
        let error = report(store.reading(), &[]).unwrap_err();
        assert!(error.to_string().contains("unit 5 of arm `a` is damaged"), "{error}");
        assert!(error.to_string().contains(fragment), "{error}");
        assert_eq!(error.category(), Category::BadInput);
    }
}

/// A bit anywhere in the file: what is read is right or refused, and it is never our fault.
#[test]
fn a_flipped_bit_is_never_shown_as_a_result() {
    let dir = tempfile::tempdir().unwrap();
    let good = dir.path().join("good.db");
    run_on(&spec(40, ""), &mut Store::open(&good).unwrap(), 1).unwrap();
    let rows: HashSet<_> = table(&good).into_iter().map(|row| (row.2, row.3)).collect();
    let bytes = std::fs::read(&good).unwrap();
    let (bad, whole) = (dir.path().join("bad.db"), dir.path().join("whole.db"));
    let mut rng = patience_model::Rng::new(11);
    let mut refused = 0;
    for _ in 0..200 {
        let mut changed = bytes.clone();
        let at = rng.next_u64() as usize % changed.len();
        changed[at] ^= 1 << (rng.next_u64() % 8);
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(dir.path().join(format!("bad.db{suffix}")));
        }
        std::fs::write(&bad, &changed).unwrap();
        let mut results = vec![shown(&bad, &rows), merge_into(&whole, &[&bad]).map(|_| ())];
        assert_eq!(whole.exists(), results[1].is_ok(), "byte {at}");
        if whole.exists() {
            results.push(shown(&whole, &rows));
            std::fs::remove_file(&whole).unwrap();
        }
        results.extend(readings(&bad));
        refused += u64::from(results.iter().any(Result::is_err));
        for error in results.into_iter().filter_map(Result::err) {
            // A column that is renamed is one of another program, for all we know.
            assert_ne!(error.category(), Category::Fault, "byte {at}: {error}");
        }
    }
    assert!(refused > 40, "{refused}");
}

/// All rows that a store shows are among those that were written.
fn shown(path: &Path, rows: &HashSet<(u64, Vec<u64>)>) -> Result<(), LabError> {
    let reading = Reading::open(path)?;
    for experiment in reading.experiments()? {
        for arm in reading.arms(&experiment.name)? {
            for (unit, values) in reading.rows(&arm, u64::MAX)? {
                let bits = values.iter().map(|v| v.to_bits()).collect();
                assert!(rows.contains(&(unit, bits)), "unit {unit} of {}", arm.name);
            }
        }
    }
    for listing in reading.list()? {
        assert!(listing.done <= listing.total, "{listing:?}");
    }
    Ok(())
}

#[test]
fn a_merge_takes_all_sources_or_none_and_leaves_no_new_store() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| -> PathBuf { dir.path().join(name) };
    let (a, b, missing, foreign) = (at("a.db"), at("b.db"), at("missing.db"), at("foreign.db"));
    run_on(&spec(10, ""), &mut Store::open(&a).unwrap(), 1).unwrap();
    std::fs::write(&foreign, "something else").unwrap();
    // The same unit with other values.
    let mut store = Store::open(&b).unwrap();
    let columns = vec![Column::proportion("won"), Column::mean("score")];
    let numbers = enrol(&mut store, &spec(10, ""), &columns);
    store
        .append(&[Row { arm: numbers[1], unit: 7, values: vec![1.0, -5.0], seconds: 0.0 }])
        .unwrap();
    drop(store);
    for (last, said) in [
        (&missing, "missing.db: cannot read the store"),
        (&foreign, "foreign.db: this is not a store"),
        (&b, "b.db: unit 7 of arm `b` of `coins` has other values than in"),
    ] {
        let whole = at("whole.db");
        let error = merge_into(&whole, &[&a, last]).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        for suffix in ["", "-wal", "-shm"] {
            assert!(!at(&format!("whole.db{suffix}")).exists(), "{said}");
        }
        // One that was there stays, as it was.
        let old = at("old.db");
        run_on(&spec(2, ""), &mut Store::open(&old).unwrap(), 1).unwrap();
        let before = table(&old);
        assert!(merge_into(&old, &[&a, last]).is_err());
        assert!(merge(&mut Store::open(&old).unwrap(), &[&a, last]).is_err());
        assert_eq!(table(&old), before, "{said}");
    }
    // Twice the same source is once, and itself is not taken.
    let merged = merge_into(&at("whole.db"), &[&a, &a]).unwrap();
    assert_eq!((merged.added, merged.same), (20, 0));
    assert_eq!(table(&at("whole.db")), table(&a));
    let error = merge_into(&a, &[&a]).unwrap_err();
    assert!(error.to_string().contains("into itself"), "{error}");
}
