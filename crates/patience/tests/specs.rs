//! The specs of the papers: all of them are built in, and all of them can be run.

use std::collections::BTreeMap;
use std::path::Path;

use patience::lab::{Spec, Streams, check};
use patience::plan::Cancel;

fn specs() -> impl Iterator<Item = (&'static str, &'static str)> {
    patience::registry().specs()
}

#[test]
fn the_built_in_specs_are_those_of_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            files.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
    let built_in: BTreeMap<String, String> =
        specs().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    assert_eq!(built_in.len(), specs().count(), "a name comes twice");
    assert_eq!(files.keys().collect::<Vec<_>>(), built_in.keys().collect::<Vec<_>>());
    assert!(files == built_in);
}

#[test]
fn every_spec_can_be_run_in_either_version() {
    let registry = patience::registry();
    for (name, text) in specs() {
        for quick in [false, true] {
            let spec = Spec::parse(name, text, quick).unwrap();
            assert_eq!(spec.name, name);
            assert!(!spec.paper.is_empty() && !spec.notes.is_empty() && !spec.claims.is_empty());
            let experiment = check(&spec, &patience::resolve(registry)).unwrap();
            assert_eq!(experiment.columns().len(), spec.arms.len());
        }
    }
}

/// The cheapest arm of each spec's quick version, one unit.
#[test]
fn a_unit_of_every_spec_runs() {
    let registry = patience::registry();
    for (name, text) in specs() {
        let spec = Spec::parse(name, text, true).unwrap();
        let arm = spec.arms.iter().min_by(|a, b| cost(a.x).total_cmp(&cost(b.x))).unwrap();
        let task = patience::task(registry, &spec, arm).unwrap();
        let streams = Streams::new(spec.seed, &spec.name, &arm.name, 0);
        let values = task.run(0, &streams, &Cancel::new()).unwrap();
        assert_eq!(values.len(), task.columns().len());
        assert!(values.iter().all(|v| v.is_finite() && *v >= 0.0), "{name}: {values:?}");
    }
}

fn cost(x: Option<f64>) -> f64 {
    x.unwrap_or(0.0)
}

/// Searches that are compared at the same number of rollouts get the same, to the last one.
#[test]
fn shares_of_rollouts_come_out_even() {
    let number = |text: &str, key: &str| -> Option<u64> {
        let rest = &text[text.find(&format!("{key}="))? + key.len() + 1..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    let mut shared = 0;
    for (name, text) in specs().filter(|(name, _)| name.starts_with("nmcts")) {
        for quick in [false, true] {
            let spec = Spec::parse(name, text, quick).unwrap();
            let rollouts: Vec<u64> =
                spec.arms.iter().filter_map(|arm| number(&arm.planner, "rollouts")).collect();
            assert!(rollouts.iter().all(|&n| n == rollouts[0]), "{name}: {rollouts:?}");
            for planner in spec.arms.iter().map(|arm| &arm.planner).filter(|p| p.contains("share"))
            {
                let searches = number(planner, "starts");
                let searches = searches.or_else(|| {
                    let rest = &planner[planner.find("share/")? + 6..];
                    rest[..rest.find(',')?].parse().ok()
                });
                let of_actions = number(planner, "actions").unwrap_or(1);
                let searches = searches.unwrap() * of_actions;
                assert_eq!(rollouts[0] % searches, 0, "{name}: {planner}");
                shared += 1;
            }
            if quick {
                assert!(spec.arms.iter().all(|arm| arm.published.is_empty()), "{name}");
            }
        }
    }
    assert!(shared > 30, "{shared}");
}
