//! Stores: what is not one is refused and left as it is; a full disk loses nothing.

use crate::support;

use std::path::Path;

use patience_lab::{Category, LabError, Reading, Store, merge};
use support::{run_on, spec, table};

fn refused(path: &Path, fragment: &str) {
    let before = std::fs::read(path).unwrap();
    let files = || {
        let mut names: Vec<_> = std::fs::read_dir(path.parent().unwrap())
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    let neighbours = files();
    let dir = tempfile::tempdir().unwrap();
    let mut other = Store::open(&dir.path().join("other.db")).unwrap();
    for error in [
        Store::open(path).map(|_| ()).unwrap_err(),
        merge(&mut other, &[path]).map(|_| ()).unwrap_err(),
    ] {
        assert!(error.to_string().contains(fragment), "{error}");
        assert_eq!(error.category(), Category::BadInput);
    }
    assert_eq!(std::fs::read(path).unwrap(), before, "the file was changed");
    // At most our own lock is new.
    let new: Vec<_> = files().into_iter().filter(|f| !neighbours.contains(f)).collect();
    assert!(
        new.iter().all(|f| {
            let name = f.to_string_lossy();
            name.ends_with(".lock") || name.ends_with("-shm") || name.ends_with("-wal")
        }),
        "{new:?}"
    );
}

#[test]
fn foreign_and_damaged_files_are_refused_untouched() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);

    let foreign = at("foreign.db");
    let connection = rusqlite::Connection::open(&foreign).unwrap();
    connection.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1);").unwrap();
    connection.close().unwrap();
    refused(&foreign, "SQLite file of another program");

    let noise = at("noise.db");
    let mut rng = patience_model::Rng::new(5);
    let bytes: Vec<u8> = (0..10_000).map(|_| rng.next_u64() as u8).collect();
    std::fs::write(&noise, bytes).unwrap();
    refused(&noise, "not even a SQLite file");

    let short = at("short.db");
    std::fs::write(&short, "SQLite format 3\0").unwrap();
    refused(&short, "not even a SQLite file");

    let good = at("good.db");
    run_on(&spec(2000, ""), &mut Store::open(&good).unwrap(), 1).unwrap();
    let bytes = std::fs::read(&good).unwrap();
    let truncated = at("truncated.db");
    std::fs::write(&truncated, &bytes[..bytes.len() / 2]).unwrap();
    refused(&truncated, "damaged");

    let garbled = at("garbled.db");
    let mut changed = bytes.clone();
    changed[5000..9000].fill(0xA5);
    std::fs::write(&garbled, changed).unwrap();
    refused(&garbled, "damaged");

    let later = at("later.db");
    let mut changed = bytes.clone();
    changed[60..64].copy_from_slice(&99u32.to_be_bytes());
    std::fs::write(&later, changed).unwrap();
    refused(&later, "version 99");

    let error = Store::open(dir.path()).unwrap_err();
    assert!(error.to_string().contains("this is a directory"), "{error}");
}

#[test]
fn an_empty_file_becomes_a_store_and_a_missing_one_cannot_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let error = Reading::open(&path).unwrap_err();
    assert!(error.to_string().contains("there is no store"), "{error}");
    assert!(!path.exists());
    std::fs::write(&path, "").unwrap();
    run_on(&spec(3, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
    assert_eq!(table(&path).len(), 6);
}

#[test]
fn a_store_of_a_strange_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("what? 100%25 #1 é.db");
    run_on(&spec(3, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
    run_on(&spec(4, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
    assert_eq!(table(&path).len(), 8);
}

#[test]
fn one_writer_many_readers() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let mut store = Store::open(&path).unwrap();
    run_on(&spec(5, ""), &mut store, 1).unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, LabError::Busy { .. }), "{error}");
    assert_eq!(error.category(), Category::Usage);
    assert_eq!(table(&path).len(), 10); // While the writer is there.
    drop(store);
    Store::open(&path).unwrap();
}

#[test]
fn a_full_disk_stops_the_run_and_keeps_what_was_stored() {
    let dir = tempfile::tempdir().unwrap();
    let (path, whole) = (dir.path().join("s.db"), dir.path().join("whole.db"));
    let mut store = Store::open(&path).unwrap();
    run_on(&spec(1000, ""), &mut store, 2).unwrap();
    let before = table(&path);
    store.limit_bytes(200_000).unwrap();
    let error = run_on(&spec(20_000, ""), &mut store, 2).unwrap_err();
    assert!(error.to_string().contains("full"), "{error}");
    assert!(error.to_string().contains("make room and resume"), "{error}");
    assert_eq!(error.category(), Category::Fault);
    drop(store);
    let after = table(&path);
    assert!(after.len() >= before.len());
    assert!(before.iter().all(|row| after.contains(row)));
    let spec = spec(5000, "");
    run_on(&spec, &mut Store::open(&path).unwrap(), 2).unwrap();
    run_on(&spec, &mut Store::open(&whole).unwrap(), 2).unwrap();
    let below = |rows: Vec<(String, String, u64, Vec<u64>)>| -> Vec<_> {
        rows.into_iter().filter(|row| row.2 < 5000).collect()
    };
    assert_eq!(below(table(&path)), table(&whole));
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "x").unwrap();
    for path in [file.join("s.db"), dir.path().join("missing/s.db")] {
        let error = Store::open(&path).unwrap_err();
        assert!(error.to_string().contains("s.db"), "{error}");
        assert_eq!(error.category(), Category::Fault);
    }
}

/// After a kill and `rm s.db` the log of the old store is still there.
#[test]
fn a_deleted_store_does_not_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.db");
    let kept = dir.path().join("kept.db");
    let mut store = Store::open(&path).unwrap();
    run_on(&spec(10, ""), &mut store, 1).unwrap();
    // As a kill leaves it: the log was not written back.
    for suffix in ["", "-wal", "-shm"] {
        let from = dir.path().join(format!("s.db{suffix}"));
        std::fs::copy(&from, dir.path().join(format!("kept.db{suffix}"))).unwrap();
    }
    drop(store);
    assert!(std::fs::metadata(dir.path().join("kept.db-wal")).unwrap().len() > 0);
    std::fs::rename(&kept, dir.path().join("elsewhere.db")).unwrap();
    for empty_file in [false, true] {
        for (suffix, other) in [("-wal", "-shm"), ("-shm", "-wal")] {
            if empty_file {
                std::fs::write(&kept, "").unwrap();
            }
            let error = Store::open(&kept).unwrap_err();
            assert!(error.to_string().contains("kept.db-"), "{error}");
            assert!(error.to_string().contains("delete it, or restore"), "{error}");
            assert_eq!(error.category(), Category::BadInput);
            assert_eq!(kept.exists(), empty_file);
            // One of them alone is refused too.
            let (hidden, away) =
                (dir.path().join(format!("kept.db{other}")), dir.path().join("away"));
            std::fs::rename(&hidden, &away).unwrap();
            let error = Store::open(&kept).unwrap_err();
            assert!(error.to_string().contains(&format!("kept.db{suffix}: ")), "{error}");
            std::fs::rename(&away, &hidden).unwrap();
        }
    }
    // With its store it is whole again, and without it a new one is empty.
    std::fs::rename(dir.path().join("elsewhere.db"), &kept).unwrap();
    drop(Store::open(&kept).unwrap());
    assert_eq!(table(&kept).len(), 20);
    for name in ["kept.db", "kept.db-wal", "kept.db-shm"] {
        let _ = std::fs::remove_file(dir.path().join(name));
    }
    drop(Store::open(&kept).unwrap());
    assert_eq!(table(&kept), []);
}

#[cfg(unix)]
#[test]
fn a_link_is_the_store_that_it_leads_to() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::create_dir(at("folder")).unwrap();
    let (path, link, folder) = (at("folder/s.db"), at("link.db"), at("other"));
    symlink("folder/s.db", &link).unwrap();
    symlink("folder", &folder).unwrap();
    let error = Store::open(&link).unwrap_err();
    assert!(error.to_string().contains("a link that leads to no file"), "{error}");
    assert!(!path.exists());
    let mut store = Store::open(&path).unwrap();
    run_on(&spec(3, ""), &mut store, 1).unwrap();
    for name in [&link, &folder.join("s.db"), &at("folder/../folder/s.db")] {
        let error = Store::open(name).unwrap_err();
        assert!(matches!(error, LabError::Busy { .. }), "{}: {error}", name.display());
        assert_eq!(table(name).len(), 6);
    }
    let mut whole = Store::open(&at("whole.db")).unwrap();
    assert!(matches!(merge(&mut whole, &[&link]), Err(LabError::Busy { .. })));
    drop(store);
    // The other way round, and what is made through the link is made where it leads.
    let by_link = Store::open(&link).unwrap();
    assert!(matches!(Store::open(&path), Err(LabError::Busy { .. })));
    drop(by_link);
    std::fs::write(&path, "").unwrap();
    run_on(&spec(2, ""), &mut Store::open(&link).unwrap(), 1).unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert_eq!(table(&path).len(), 4);
    assert_eq!(merge(&mut whole, &[&link]).unwrap().added, 4);
    assert!(!at("link.db.lock").exists() && !at("link.db-wal").exists());
}
