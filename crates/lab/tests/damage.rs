//! Damaged stores: a row that is not as it was written is named, never shown and never passed on.

use crate::support;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use patience_lab::{
    Category, Column, ExportFormat, LabError, Reading, Row, Store, export, merge, merge_into,
    report, rescue,
};
use support::{enrol, run_on, spec, table};

fn edit(path: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap(); // Damage knows no rules.
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
        assert!(list.to_string().contains("damaged"), "{list}");
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

/// The rows that a store shows are all that were written, and no others.
fn shown(path: &Path, rows: &HashSet<(u64, Vec<u64>)>) -> Result<(), LabError> {
    let reading = Reading::open(path)?;
    let mut seen = HashSet::new();
    for experiment in reading.experiments()? {
        for arm in reading.arms(&experiment.name)? {
            for (unit, values) in reading.rows(&arm, u64::MAX)? {
                let bits = values.iter().map(|v| v.to_bits()).collect();
                assert!(rows.contains(&(unit, Vec::clone(&bits))), "unit {unit} of {}", arm.name);
                seen.insert((unit, bits));
            }
        }
    }
    for listing in reading.list()? {
        assert_eq!(listing.done, listing.total, "{listing:?}");
    }
    assert_eq!(seen.len(), rows.len(), "rows are gone and nobody says so");
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

/// Rows that are gone, one or many, are named, and everything that reads refuses the store.
#[test]
fn rows_that_are_gone_are_missed() {
    let dir = tempfile::tempdir().unwrap();
    let (good, bad) = (dir.path().join("good.db"), dir.path().join("bad.db"));
    run_on(&spec(40, ""), &mut Store::open(&good).unwrap(), 1).unwrap();
    for (sql, said) in [
        (
            "DELETE FROM results WHERE arm = 2 AND unit = 3",
            "1 of 40 units of arm `b` of `coins` are gone (probably 3)",
        ),
        (
            "DELETE FROM results WHERE arm = 1 AND (unit = 7 OR unit >= 30)",
            "11 of 40 units of arm `a` of `coins` are gone (probably 7, 30 to 39)",
        ),
        ("DELETE FROM results WHERE arm = 2", "40 of 40 units of arm `b` of `coins` are gone"),
        ("DELETE FROM arms WHERE id = 2", "what is gone: arm `b` of `coins`"),
        ("UPDATE arms SET name = 'c' WHERE id = 2", "the arms of `coins` are damaged"),
        ("UPDATE versions SET current = 0", "the arms of `coins` are damaged"),
        ("DELETE FROM versions WHERE arm = 1", "the arms of `coins` are damaged"),
        ("DELETE FROM experiments", "what is gone: experiment `coins`"),
        ("UPDATE experiments SET units = 30", "the spec of `coins` is damaged"),
        (
            "UPDATE experiments SET text = replace(text, 'coins', 'coinz')",
            "the spec of `coins` is damaged",
        ),
        ("DELETE FROM sums", "its sums are gone"),
        ("UPDATE sums SET count = count + 1", "its sums do not fit their checksum"),
        ("UPDATE sums SET sum = sum + 1", "its sums do not fit their checksum"),
    ] {
        std::fs::copy(&good, &bad).unwrap();
        edit(&bad, sql);
        let before = std::fs::read(&bad).unwrap();
        let whole = dir.path().join("whole.db");
        let mut results = readings(&bad);
        results.push(merge_into(&whole, &[&bad]).map(|_| ()));
        results.push(merge_into(&bad, &[&good]).map(|_| ()));
        for result in results {
            let error = result.unwrap_err();
            assert!(error.to_string().contains(said), "{sql}: {error}");
            assert!(error.to_string().contains("experiment rescue"), "{sql}: {error}");
            assert_eq!(error.category(), Category::BadInput, "{sql}");
        }
        assert_eq!(std::fs::read(&bad).unwrap(), before, "{sql}");
        assert!(!whole.exists());
    }
    // A header that says the version before does not hide the sums.
    std::fs::copy(&good, &bad).unwrap();
    edit(&bad, "DELETE FROM results WHERE arm = 2 AND unit = 3");
    let mut bytes = std::fs::read(&bad).unwrap();
    bytes[63] = 2;
    std::fs::write(&bad, bytes).unwrap();
    assert!(readings(&bad).iter().all(Result::is_err));
}

/// As many rows as there were, each with a checksum that fits, and yet one is not of this store.
#[test]
fn a_row_of_another_run_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (dir.path().join("one.db"), dir.path().join("other.db"));
    for path in [&one, &other] {
        run_on(&spec(40, ""), &mut Store::open(path).unwrap(), 1).unwrap();
    }
    // The same values, but it took another time.
    let connection = rusqlite::Connection::open(&one).unwrap();
    connection.execute("ATTACH ?1 AS other", [other.to_str().unwrap()]).unwrap();
    let columns = "value, seconds, seal";
    let theirs = format!("SELECT {columns} FROM other.results WHERE arm = 2 AND unit = 3");
    let sql = format!("UPDATE results SET ({columns}) = ({theirs}) WHERE arm = 2 AND unit = 3");
    assert_eq!(connection.execute(&sql, []).unwrap(), 1);
    connection.execute_batch("DETACH other").unwrap();
    connection.close().unwrap();
    for result in readings(&one) {
        let error = result.unwrap_err();
        assert!(error.to_string().contains("experiment rescue"), "{error}");
        assert_eq!(error.category(), Category::BadInput);
    }
}

/// A row that is there already is not stored again, and not counted again.
#[test]
fn a_row_that_is_stored_twice_counts_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let mut store = Store::open(&path).unwrap();
    let columns = vec![Column::proportion("won"), Column::mean("score")];
    let arm = enrol(&mut store, &spec(9, ""), &columns)[0];
    let row = |unit, seconds| Row { arm, unit, values: vec![1.0, 2.0], seconds };
    store.append(&[row(1, 0.5), row(2, 0.5), row(1, 0.25)]).unwrap();
    store.append(&[row(2, 0.125), row(3, 0.5)]).unwrap();
    drop(store);
    assert_eq!(table(&path).len(), 3);
    report(&Reading::open(&path).unwrap(), &[]).unwrap();
}

/// An export that fails has written nothing.
#[test]
fn nothing_is_exported_from_a_store_that_lost_rows() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    run_on(&spec(40, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
    edit(&path, "DELETE FROM results WHERE arm = 2 AND unit = 39");
    let mut out = Vec::new();
    export(&Reading::open(&path).unwrap(), &[], ExportFormat::Csv, &mut out).unwrap_err();
    assert_eq!(out, b"");
}

/// What is whole is kept, what is gone is named, and a run brings it back to the bit.
#[test]
fn a_rescue_and_a_run_bring_back_all_rows() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let (good, bad) = (at("good.db"), at("bad.db"));
    let spec = spec(400, "");
    run_on(&spec, &mut Store::open(&good).unwrap(), 1).unwrap();
    let row = "WHERE arm = 2 AND unit = 3";
    for (number, (sql, kept, lost)) in [
        (format!("DELETE FROM results {row}"), 799, "arm `b` of `coins`: 1 unit is gone"),
        (
            format!("UPDATE results SET seconds = seconds + 1 {row}"),
            799,
            "arm `b` of `coins`: 1 unit is gone",
        ),
        (
            "DELETE FROM results WHERE arm = 1 AND unit > 9".to_owned(),
            410,
            "arm `a` of `coins`: 390 units are gone",
        ),
        ("DELETE FROM arms WHERE id = 2".to_owned(), 400, "arm `b` of `coins`: 400 units are gone"),
        (
            "DELETE FROM sums WHERE part <> 'spec'".to_owned(),
            800,
            "arm `a` of `coins`: perhaps some units are gone",
        ),
        (
            "UPDATE experiments SET units = 401".to_owned(),
            0,
            "the spec of `coins` is damaged: give it again with --spec",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        std::fs::copy(&good, &bad).unwrap();
        edit(&bad, &sql);
        let before = std::fs::read(&bad).unwrap();
        let new = at(&format!("{number}.db"));
        let rescued = rescue(&bad, &new, &[]).unwrap();
        assert_eq!(rescued.kept, kept, "{sql}");
        assert_eq!(rescued.lost[0].to_string(), lost, "{sql}");
        assert_eq!(std::fs::read(&bad).unwrap(), before, "{sql}");
        let summary = run_on(&spec, &mut Store::open(&new).unwrap(), 2).unwrap();
        assert_eq!((summary.before, summary.ran), (kept, 800 - kept), "{sql}");
        assert_eq!(table(&new), table(&good), "{sql}");
        Reading::open(&new).unwrap().check_rows().unwrap();
        // Nobody's store is written over.
        let error = rescue(&bad, &new, &[]).unwrap_err();
        assert_eq!(error.category(), Category::Usage);
    }
    // With the spec at hand the rows are kept too.
    std::fs::copy(&good, &bad).unwrap();
    edit(&bad, "UPDATE experiments SET text = 'nothing'");
    let rescued = rescue(&bad, &at("given.db"), &[spec]).unwrap();
    assert_eq!((rescued.kept, rescued.lost.len()), (800, 0));
    assert_eq!(table(&at("given.db")), table(&good));
}

/// Pages full of rubbish: a rescue reads around them.
#[test]
fn a_rescue_reads_around_damaged_pages() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let (good, bad) = (at("good.db"), at("bad.db"));
    let spec = spec(2000, "");
    run_on(&spec, &mut Store::open(&good).unwrap(), 1).unwrap();
    let bytes = std::fs::read(&good).unwrap();
    let mut rng = patience_model::Rng::new(3);
    let (mut rescues, mut kept) = (0, 0);
    for number in 0..20 {
        let mut changed = bytes.clone();
        let page = 4096 * (1 + rng.below(bytes.len() as u64 / 4096 - 1) as usize);
        changed[page..page + 4096].fill(0xA5);
        std::fs::write(&bad, changed).unwrap();
        let new = at(&format!("{number}.db"));
        let Ok(rescued) = rescue(&bad, &new, std::slice::from_ref(&spec)) else {
            assert!(!new.exists());
            continue;
        };
        rescues += 1;
        kept += rescued.kept;
        run_on(&spec, &mut Store::open(&new).unwrap(), 2).unwrap();
        assert_eq!(table(&new), table(&good), "page {page}");
    }
    assert!(rescues >= 10 && kept > 3000 * rescues, "{kept} rows of {rescues} stores");
}

/// A store of the version before has no sums; it gets them when somebody writes to it.
#[test]
fn an_older_store_is_summed_up_when_it_is_written_to() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    run_on(&spec(10, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("DROP TABLE sums; PRAGMA user_version = 2").unwrap();
    connection.close().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    report(&Reading::open(&path).unwrap(), &[]).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "reading changes nothing");
    run_on(&spec(20, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
    assert_eq!(table(&path).len(), 40);
    edit(&path, "DELETE FROM results WHERE arm = 1 AND unit = 5");
    assert!(readings(&path).iter().all(Result::is_err));
}
