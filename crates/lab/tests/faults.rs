//! Faults put in on purpose, many and at random: processes killed at any moment, bytes changed, pages
//! swapped, files cut. After each, no finished unit is lost without a word, none is doubled, and what a
//! run ends with is what an undisturbed one ends with.

use crate::{kill, support};

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use patience_lab::{Category, ExportFormat, LabError, Reading, Store, export, report, rescue};
use patience_model::Rng;
use support::{run_on, spec, table};

type Rows = BTreeSet<(String, String, u64, Vec<u64>)>;

const UNITS: u64 = 300;

/// The files of a store: itself and its log.
fn copy(from: &Path, into: &Path) {
    for suffix in ["", "-wal"] {
        let name = |path: &Path| PathBuf::from(format!("{}{suffix}", path.display()));
        let _ = std::fs::remove_file(name(into));
        if name(from).exists() {
            std::fs::copy(name(from), name(into)).unwrap();
        }
    }
    let _ = std::fs::remove_file(format!("{}-shm", into.display()));
}

/// Changes a file in one of many ways, and says how.
fn damage(path: &Path, rng: &mut Rng) -> String {
    let mut bytes = std::fs::read(path).unwrap();
    let pages = bytes.len() / 4096;
    let what = match rng.index(6) {
        0 => {
            let at = rng.index(bytes.len());
            bytes[at] ^= 1 << rng.index(8);
            format!("a bit of byte {at}")
        }
        1 | 2 => {
            let at: Vec<usize> = (0..1 + rng.index(8)).map(|_| rng.index(bytes.len())).collect();
            at.iter().for_each(|&at| bytes[at] = rng.next_u64() as u8);
            format!("bytes {at:?}")
        }
        // What SQLite says of a page: how many cells there are, and where.
        3 if pages > 0 => {
            let page = rng.index(pages);
            let at = 4096 * page + rng.index(12);
            bytes[at] = rng.next_u64() as u8;
            format!("byte {at} of the head of page {page}")
        }
        4 if pages > 1 => {
            let (one, two) = (rng.index(pages), rng.index(pages));
            for n in 0..4096 {
                bytes.swap(4096 * one + n, 4096 * two + n);
            }
            format!("pages {one} and {two} swapped")
        }
        _ => {
            let length = rng.index(bytes.len());
            bytes.truncate(length);
            format!("cut to {length} bytes")
        }
    };
    std::fs::write(path, bytes).unwrap();
    what
}

/// What everything that reads says of a store, and the rows that it shows.
fn read(path: &Path) -> Result<Rows, LabError> {
    let reading = Reading::open(path)?;
    report(&reading, &[])?;
    export(&reading, &[], ExportFormat::JsonLines, &mut std::io::sink())?;
    reading.check_rows()?;
    let mut rows = Rows::new();
    for experiment in reading.experiments()? {
        for arm in reading.arms(&experiment.name)? {
            for (unit, values) in reading.rows(&arm, u64::MAX)? {
                let bits = values.iter().map(|value| value.to_bits()).collect();
                let row = (experiment.name.clone(), arm.name.clone(), unit, bits);
                assert!(rows.insert(row), "a unit comes twice");
            }
        }
    }
    Ok(rows)
}

/// Damages stores; gives how many were refused, and how many rescues brought back how many rows.
fn damaged(faults: u64, seed: u64) -> (u64, u64, u64) {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let (closed, open, bad, new) = (at("closed.db"), at("open.db"), at("bad.db"), at("new.db"));
    let all = spec(UNITS, "");
    run_on(&all, &mut Store::open(&closed).unwrap(), 1).unwrap();
    let whole: Rows = table(&closed).into_iter().collect();
    assert_eq!(whole.len() as u64, 2 * UNITS);
    // As a kill leaves it: most of it is in the log.
    let mut store = Store::open(&at("writing.db")).unwrap();
    run_on(&all, &mut store, 1).unwrap();
    copy(&at("writing.db"), &open);
    drop(store);
    let mut rng = Rng::named(seed, &["damage"]);
    let (mut refused, mut rescued, mut kept) = (0, 0, 0);
    for _ in 0..faults {
        let in_log = rng.chance(0.2);
        copy(if in_log { &open } else { &closed }, &bad);
        let file = if in_log { at("bad.db-wal") } else { bad.clone() };
        let what = damage(&file, &mut rng);
        match read(&bad) {
            // A log that ends early is a store of an earlier moment: fewer rows, and it says so.
            Ok(rows) if in_log => assert!(rows.is_subset(&whole), "{what}"),
            Ok(rows) if rows.is_empty() => {
                // An empty file is no store yet.
                assert!(std::fs::metadata(&bad).is_ok_and(|file| file.len() == 0), "{what}");
            }
            Ok(rows) => assert!(rows == whole, "{what}: {} rows are shown as all", rows.len()),
            Err(error) => {
                refused += 1;
                let empty = std::fs::metadata(&bad).is_ok_and(|file| file.len() == 0);
                assert!(error.category() == Category::BadInput || empty, "{what}: {error}");
            }
        }
        for suffix in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{suffix}", new.display()));
        }
        let Ok(found) = rescue(&bad, &new, std::slice::from_ref(&all)) else { continue };
        rescued += 1;
        kept += found.kept;
        let rows = read(&new).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(rows.is_subset(&whole) && rows.len() as u64 == found.kept, "{what}");
        // Only what is gone is run again.
        let summary = run_on(&all, &mut Store::open(&new).unwrap(), 2).unwrap();
        assert!(summary.complete && summary.before <= found.kept, "{what}");
        let after: Rows = table(&new).into_iter().collect();
        assert!(after.is_superset(&whole), "{what}");
    }
    (refused, rescued, kept)
}

#[test]
fn a_damaged_store_is_whole_refused_or_rescued() {
    let (refused, rescued, kept) = damaged(60, 1);
    assert!(refused >= 15 && rescued >= 30, "{refused} refused, {rescued} rescued");
    assert!(kept / rescued > UNITS, "{kept} rows in {rescued} rescues");
}

#[test]
#[ignore = "minutes: 1000 faults"]
fn a_thousand_damaged_stores_are_whole_refused_or_rescued() {
    let (refused, rescued, kept) = damaged(1000, 2);
    println!("1000 faults: {refused} refused, {rescued} rescued with {kept} rows");
}

/// Kills runs at random moments, with a second runner on the same store now and then.
fn killed(kills: u64, seed: u64) -> u64 {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole.db");
    run_on(&kill::killed_spec(), &mut Store::open(&whole).unwrap(), 2).unwrap();
    let whole = table(&whole);
    let mut rng = Rng::named(seed, &["kills"]);
    let (mut stores, mut kept) = (0, 0);
    for number in 0..kills {
        let path = dir.path().join(format!("{stores}.db"));
        let mut child = kill::start(&path, 1 + rng.index(2));
        std::thread::sleep(Duration::from_millis(rng.below(150)));
        if rng.chance(0.1) {
            // It is refused, or the first has not begun and is refused itself.
            let mut second = kill::start(&path, 1);
            std::thread::sleep(Duration::from_millis(rng.below(60)));
            second.kill().unwrap();
            second.wait().unwrap();
        }
        match rng.chance(0.5) {
            true => child.kill().unwrap(),
            // Nobody catches it here: it ends the process as it stands, like the other. How the
            // command ends when it is told to is tested where the command is.
            false => {
                let id = child.id().to_string();
                let _ = Command::new("kill").args(["-TERM", &id]).status().unwrap();
            }
        }
        child.wait().unwrap();
        let rows = if path.exists() { table(&path) } else { Vec::new() };
        assert!(rows.len() >= kept, "kill {number}: a stored unit was lost");
        assert!(rows.iter().all(|row| whole.contains(row)), "kill {number}");
        kept = rows.len();
        if kept == whole.len() {
            assert!(rows == whole, "kill {number}: other rows than undisturbed");
            (stores, kept) = (stores + 1, 0);
        }
    }
    stores
}

#[test]
fn runs_are_killed_and_nothing_is_lost() {
    killed(12, 1);
}

#[test]
#[ignore = "minutes: 1000 kills"]
fn a_thousand_runs_are_killed_and_nothing_is_lost() {
    let stores = killed(1000, 2);
    println!("1000 kills: {stores} experiments were completed between them");
    assert!(stores > 10, "{stores}");
}

/// A clock that jumps: a store from the future, or from before all times, is read and gone on with.
#[test]
fn the_times_of_a_store_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole.db");
    run_on(&spec(30, ""), &mut Store::open(&whole).unwrap(), 1).unwrap();
    for (created, updated) in [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN), (-1, -1), (1 << 40, 0)] {
        let path = dir.path().join(format!("{created} {updated}.db"));
        run_on(&spec(10, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
        let connection = rusqlite::Connection::open(&path).unwrap();
        // What a store holds is sealed, times too: as a store of the version before it is sealed anew.
        connection.execute_batch("DROP TABLE sums; PRAGMA user_version = 2").unwrap();
        let sql = "UPDATE experiments SET created = ?1, updated = ?2";
        connection.execute(sql, [created, updated]).unwrap();
        connection.close().unwrap();
        assert_eq!(read(&path).unwrap().len(), 20, "{created}, {updated}");
        run_on(&spec(30, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
        assert_eq!(table(&path), table(&whole), "{created}, {updated}");
        assert_eq!(read(&path).unwrap().len(), 60);
    }
}

/// A folder in which nothing can be written: what is there can be read, and the reason is said.
#[cfg(unix)]
#[test]
fn a_read_only_folder_is_read_and_not_written() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let (folder, path) = (dir.path().join("folder"), dir.path().join("folder/s.db"));
    std::fs::create_dir(&folder).unwrap();
    run_on(&spec(20, ""), &mut Store::open(&path).unwrap(), 1).unwrap();
    let _ = std::fs::remove_file(dir.path().join("folder/s.db.lock"));
    let allow = |mode| {
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    allow(0o555);
    let rows = read(&path);
    // Whoever may write anywhere is not held back by permissions.
    let mighty = std::fs::write(folder.join("try"), "").is_ok();
    let opened = Store::open(&path).map(drop);
    let made = Store::open(&folder.join("new.db")).map(drop);
    allow(0o755);
    assert_eq!(rows.unwrap().len(), 40);
    if !mighty {
        for error in [opened.unwrap_err(), made.unwrap_err()] {
            assert_eq!(error.category(), Category::Fault);
            assert!(error.to_string().contains(".db"), "{error}");
        }
    }
    assert_eq!(table(&path).len(), 40);
}
