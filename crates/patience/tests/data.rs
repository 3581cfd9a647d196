//! The record book: runs go on where they ended, and what was changed is noticed.

use std::fs;
use std::path::Path;

use patience::data::{Checking, Dataset, Running, report};
use patience::plan::Cancel;

const CARD: &str = r#"
title = "Small golf"
game = "golf"
solver = "depth-first(nodes=20000)"
deals = "seed:1..7"
batch = 3
"#;

fn card(folder: &Path, text: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("card.toml"), text).unwrap();
}

fn go_on(folder: &Path, threads: usize) -> Dataset {
    let mut data = Dataset::open(folder).unwrap();
    let running = Running { threads, cancel: &Cancel::new(), date: "2026-01-01".to_owned() };
    data.run(&running, &|_| ()).unwrap();
    data
}

fn check(data: &Dataset) -> Result<(u64, u64), String> {
    let checking = Checking { sample: 0.5, seed: 1, cancel: &Cancel::new() };
    let verified = data.verify(&checking, &mut |_| ()).map_err(|error| error.to_string())?;
    Ok((verified.replayed, verified.solved_again))
}

#[test]
fn a_run_goes_on_and_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    card(&whole, CARD);
    card(&parts, CARD);
    let whole = go_on(&whole, 2);
    assert_eq!((whole.done(), whole.asked(), whole.batches.len()), (7, 7, 3));
    // The first deals only, then all of them: the same rows as at once.
    card(&parts, &CARD.replace("1..7", "1..4"));
    assert_eq!(go_on(&parts, 1).done(), 4);
    card(&parts, CARD);
    let parts = go_on(&parts, 1);
    let plain = |data: &Dataset| {
        let rows = data.all_rows().unwrap().into_iter();
        rows.map(|row| (row.deal, row.verdict, row.solution, row.nodes)).collect::<Vec<_>>()
    };
    assert_eq!(plain(&whole), plain(&parts));
    let (replayed, again) = check(&whole).unwrap();
    let solved = plain(&whole).iter().filter(|row| row.2.is_some()).count();
    assert_eq!(replayed, solved as u64);
    assert!(solved > 0 && again > 0, "{solved} {again}");
    let page = report(folder.path()).unwrap();
    assert!(page.contains("7 of 7 are there") && page.contains("## Small golf"), "{page}");
}

#[test]
fn what_was_changed_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("golf");
    card(&path, CARD);
    let data = go_on(&path, 1);
    let file = path.join(&data.batches[0].file);
    let bytes = fs::read(&file).unwrap();
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    fs::write(&file, changed).unwrap();
    let said = check(&data).unwrap_err();
    assert!(said.contains("its SHA-256 is"), "{said}");
    fs::write(&file, bytes).unwrap();
    let list = path.join("batches.toml");
    let text = fs::read_to_string(&list).unwrap();
    fs::write(&list, text.replacen("first = 4", "first = 5", 1)).unwrap();
    let said = Dataset::open(&path).unwrap_err().to_string();
    assert!(said.contains("batch 5..6 where one from deal 4 on was expected"), "{said}");
    card(&path, &CARD.replace("golf\"", "gulf\""));
    fs::write(&list, text).unwrap();
    let said = check(&Dataset::open(&path).unwrap()).unwrap_err();
    assert!(said.contains("gulf"), "{said}");
}

/// The results that are kept are those that were written, and the page is made from them.
#[test]
fn the_page_of_results_is_made_from_the_rows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let made = report(&root.join("data")).unwrap();
    let path = root.join("docs/results.md");
    if std::env::var_os("PATIENCE_BLESS").is_some() {
        fs::write(&path, &made).unwrap();
    }
    assert_eq!(made, fs::read_to_string(path).unwrap());
}
