//! What results depend on beyond the spec: the versions of game, planner and task.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::hash::checksum;
use crate::spec::{Arm, Spec};
use crate::store::Reading;
use crate::task::Task;

/// The version of what the lab itself adds to results: random streams, and how tasks are run.
const LAB: u32 = 1;

/// Older stores have one number for all versions, the engine; this was the last.
const LAST_ENGINE: u32 = 9;

/// The version of files, whose names end with a checksum of their contents.
const FILES: u32 = 0;

/// The parts of the program that an arm's results depend on, each with its version, by name.
///
/// They are in the arm's hash: rows from before a change never mix with those from after it, and
/// arms that do not depend on the changed part keep theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions(Vec<(String, u32)>);

impl Versions {
    /// The parts that a task depends on, and the lab.
    pub fn of(task: &dyn Task) -> Versions {
        Versions::new(task.depends())
    }

    /// These parts, and the lab.
    pub fn new(mut parts: Vec<(String, u32)>) -> Versions {
        parts.push(("lab".to_owned(), LAB));
        parts.sort();
        parts.dedup();
        Versions(parts)
    }

    /// All parts of these.
    pub fn union<'v>(all: impl IntoIterator<Item = &'v Versions>) -> Versions {
        Versions::new(all.into_iter().flat_map(|versions| versions.0.iter().cloned()).collect())
    }

    /// A part that is a file, or the files of a folder: its contents stand for its version.
    pub fn of_files<'a>(name: &str, texts: impl IntoIterator<Item = &'a str>) -> (String, u32) {
        (format!("{name} {:016x}", checksum(texts)), FILES)
    }

    /// As it is hashed and stored.
    pub(crate) fn text(&self) -> String {
        serde_json::json!(self.0).to_string()
    }

    /// Those that are here and not there.
    fn without(&self, other: &Versions) -> Versions {
        Versions(self.0.iter().filter(|part| !other.0.contains(part)).cloned().collect())
    }
}

impl fmt::Display for Versions {
    /// Such as `klondike 3, lab 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |(name, version): &(String, u32)| match *version {
            FILES => name.clone(),
            version => format!("{name} {version}"),
        };
        let parts: Vec<_> = self.0.iter().map(part).collect();
        f.write_str(&parts.join(", "))
    }
}

/// The versions with which an arm has this hash: those stored beside it, or the engine of an older
/// store. `None` if it is the hash of another arm.
pub(crate) fn made_with(arm: &Arm, hash: &str, stored: Option<&Versions>) -> Option<Versions> {
    match stored {
        Some(versions) => (arm.hash(versions) == hash).then(|| versions.clone()),
        None => (1..=LAST_ENGINE)
            .find(|engine| arm.hash_of(&format!("patience-lab {engine}")) == hash)
            .map(|engine| Versions(vec![("engine".to_owned(), engine)])),
    }
}

/// Results of an arm that another version of the program made. They stay in the store, and are
/// neither counted nor shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outdated {
    /// The arm.
    pub arm: String,
    /// How many units there are.
    pub units: u64,
    /// What they were made with.
    pub made_with: Versions,
    /// What the arm depends on now; `None` if it was not run since.
    pub now: Option<Versions>,
}

impl fmt::Display for Outdated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outdated { arm, units, made_with, now } = self;
        let s = if *units == 1 { "" } else { "s" };
        write!(f, "arm `{arm}`: {units} unit{s} of another version kept, ")?;
        let Some(now) = now else { return write!(f, "made with {made_with}") };
        let (old, new) = (made_with.without(now), now.without(made_with));
        match (old.0.is_empty(), new.0.is_empty()) {
            (true, _) => write!(f, "made without {new}"),
            (_, true) => write!(f, "made with {old}, now without"),
            _ => write!(f, "made with {old}, now {new}"),
        }
    }
}

/// The results of a spec's arms that were made with other versions than `now` has for them, in
/// the order of the arms.
pub(crate) fn outdated(
    reading: &Reading,
    spec: &Spec,
    now: &[Option<Versions>],
) -> Result<Vec<Outdated>> {
    let stored = reading.arms(&spec.name)?;
    let mut all = Vec::new();
    for (arm, now) in spec.arms.iter().zip(now) {
        for known in stored.iter().filter(|known| known.name == arm.name) {
            let Some(made_with) = known.made_with(arm) else { continue };
            let mut units = 0;
            if now.as_ref() != Some(&made_with) {
                reading.each_result(known, u64::MAX, |_, _| {
                    units += 1;
                    Ok(())
                })?;
            }
            if units > 0 {
                all.push(Outdated { arm: arm.name.clone(), units, made_with, now: now.clone() });
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(parts: &[(&str, u32)]) -> Versions {
        Versions::new(parts.iter().map(|(name, version)| ((*name).to_owned(), *version)).collect())
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let a = versions(&[("model", 1), ("klondike", 3), ("model", 1)]);
        assert_eq!(a, versions(&[("klondike", 3), ("model", 1)]));
        assert_eq!(a.to_string(), "klondike 3, lab 1, model 1");
        assert_eq!(a.text(), r#"[["klondike",3],["lab",1],["model",1]]"#);
    }

    #[test]
    fn the_part_that_changed_is_named() {
        let said = |was: &[(&str, u32)], now: Option<&[(&str, u32)]>| {
            let (made_with, now) = (versions(was), now.map(versions));
            Outdated { arm: "a".to_owned(), units: 2, made_with, now }.to_string()
        };
        let kept = "arm `a`: 2 units of another version kept, ";
        let all = [("best", 2), ("klondike", 3)];
        for (was, now, end) in [
            (
                &all[..],
                Some(&[("best", 2), ("klondike", 4)][..]),
                "made with klondike 3, now klondike 4",
            ),
            (&all, Some(&all[1..]), "made with best 2, now without"),
            (&all[1..], Some(&all), "made without best 2"),
            (&all, None, "made with best 2, klondike 3, lab 1"),
        ] {
            assert_eq!(said(was, now), format!("{kept}{end}"));
        }
    }

    /// Another text is another version; so is another order, or a text more.
    #[test]
    fn files_are_known_by_their_contents() {
        let of =
            |texts: &[&str]| Versions::new(vec![Versions::of_files("f", texts.iter().copied())]);
        let first = of(&["a", "b"]);
        assert_eq!(first, of(&["a", "b"]));
        for other in [&["a", "c"] as &[&str], &["b", "a"], &["ab"], &["a"], &["a", "b", ""]] {
            assert_ne!(first, of(other), "{other:?}");
        }
        assert!(first.to_string().starts_with("f ") && !first.to_string().contains(" 0"));
    }
}
