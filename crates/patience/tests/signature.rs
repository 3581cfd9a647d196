//! The signatures of the benchmarks are pinned: a change of one is a change of a search.
//!
//! After a change that is meant, raise the `version` of the game or planner whose results changed, so
//! that old results of experiments do not mix with new ones, and write the new signatures with
//! `PATIENCE_BLESS=1 cargo test -p patience --test all signature`.

use std::path::Path;

use patience::bench::{benchmarks, fixed_signature};

#[test]
fn the_signatures_are_those_on_record() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/signature.txt");
    let mut text = String::new();
    let mut pinned = 0;
    for benchmark in benchmarks() {
        if let Some(signature) = fixed_signature(benchmark) {
            text += &format!("{}: {signature}\n", benchmark.name);
            pinned += 1;
        }
    }
    assert!(pinned >= 14, "only {pinned} benchmarks have a signature");
    if std::env::var_os("PATIENCE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    for (now, then) in text.lines().zip(golden.lines()) {
        assert_eq!(now, then, "a search has changed; if that is meant, see the top of this file");
    }
    assert_eq!(text.lines().count(), golden.lines().count());
}

#[test]
fn names_are_unique() {
    for (i, a) in benchmarks().enumerate() {
        assert!(benchmarks().take(i).all(|b| b.name != a.name), "{}", a.name);
    }
}
