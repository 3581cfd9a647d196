//! Claims: without evidence nothing is decided.

use crate::support;

use patience_lab::{ClaimReport, Ruling, Spec, Store, report};
use support::run_on;

/// `zero` and `none` are always 0; `early` and `soon` are below 0.1 from the first checkpoint;
/// `late` gets there in the middle.
const HEAD: &str = r#"
name = "claims"
seed = 3
units = 40
task = { kind = "coin", checkpoints = [1, 10, 100, 1000, 10000] }
[[arm]]
name = "zero"
planner = "coin(1000000)"
[[arm]]
name = "none"
planner = "coin(2000000)"
[[arm]]
name = "early"
planner = "coin(30)"
[[arm]]
name = "soon"
planner = "coin(40)"
[[arm]]
name = "late"
planner = "coin(0.02)"
"#;

/// What is said of one claim on so many units.
fn judged(units: u64, claim: &str) -> ClaimReport {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(&dir.path().join("s.db")).unwrap();
    let text = format!("{HEAD}[[claim]]\ntext = \"it is so\"\n{claim}\n");
    let spec = Spec::parse("claims.toml", &text, false).unwrap().with_units(units);
    run_on(&spec, &mut store, 2).unwrap();
    report(store.reading(), &[]).unwrap().experiments.remove(0).claims.remove(0)
}

fn expect(units: u64, claim: &str, verdict: Ruling, note: &str) {
    let found = judged(units, claim);
    assert_eq!(found.verdict, verdict, "{claim}: {found:#?}");
    let said = found.checks[0].note.clone().unwrap_or_default();
    assert!(said.contains(note) && (said.is_empty() == note.is_empty()), "{claim}: {said}");
}

use Ruling::{Fails, Holds, Undecided};

#[test]
fn equal_units_decide_nothing() {
    let difference = "check = \"difference\"\narm = \"zero\"\nminus = \"none\"\n";
    for bound in ["above = 0", "below = 0", "above = -1", "above = 1", "above = -1\nbelow = 1"] {
        let claim = format!("{difference}{bound}");
        expect(2, &claim, Undecided, "all 2 units equal; an interval without width");
        expect(40, &claim, Undecided, "all 40 units equal");
        expect(1, &claim, Undecided, "one unit only");
    }
    // Wilson's interval is honest about units that are all 0: 40 of them put it below 0.0877.
    let value = "check = \"value\"\narm = \"zero\"\n";
    expect(40, &format!("{value}below = 0.09"), Holds, "all 40 units equal");
    expect(40, &format!("{value}below = 0.08"), Undecided, "all 40 units equal");
    expect(40, &format!("{value}above = 0.09"), Fails, "all 40 units equal");
    expect(40, &format!("{value}above = 0"), Undecided, "all 40 units equal");
}

#[test]
fn differences_that_are_there_decide() {
    let difference = "check = \"difference\"\narm = \"late\"\nminus = \"early\"\nat = 100\n";
    expect(40, &format!("{difference}above = 0"), Holds, "p < 0.0001");
    expect(40, &format!("{difference}below = 0"), Fails, "p < 0.0001");
    // The same as a number, where the note says nothing more urgent.
    let p = |units, claim: &str| judged(units, claim).checks[0].p;
    let claim = format!("{difference}above = 0");
    assert!(p(40, &claim).is_some_and(|p| (0.0..1e-4).contains(&p)), "{:?}", p(40, &claim));
    let rounded = judged(3, &claim).checks.remove(0);
    let said = rounded.p.map(|p| format!("p = {p:.4}"));
    assert!(said.is_some() && said == rounded.note, "{rounded:?}");
    assert_eq!(p(1, &claim), None);
    assert_eq!(p(40, "check = \"value\"\narm = \"late\"\nabove = 0"), None);
}

#[test]
fn there_or_before_is_no_exact_place() {
    let crossing = "check = \"crossing\"\narm = \"early\"\nthreshold = 0.1\n";
    let note = "there from the first checkpoint, 1, or before";
    expect(40, &format!("{crossing}below = 1.5"), Holds, note);
    expect(40, &format!("{crossing}below = 1"), Undecided, note);
    expect(40, &format!("{crossing}above = 0.5"), Undecided, note);
    expect(40, &format!("{crossing}above = 1.5"), Fails, note);
    let ratio = |a: &str, b: &str, bound: &str| {
        format!("check = \"ratio\"\narm = \"{a}\"\nover = \"{b}\"\nthreshold = 0.1\n{bound}")
    };
    for bound in ["above = 0.5", "below = 2", "above = 0.5\nbelow = 2", "below = 1000"] {
        expect(40, &ratio("early", "soon", bound), Undecided, "soon: there from the first");
    }
    let found = judged(40, &ratio("early", "soon", "below = 2"));
    assert_eq!(found.checks[0].value, None);
    // Above the stroke it bounds from above, below it from below.
    expect(40, &ratio("early", "late", "below = 0.1"), Holds, "early: there from");
    expect(40, &ratio("early", "late", "above = 0.00001"), Undecided, "early: there from");
    expect(40, &ratio("late", "early", "above = 10"), Holds, "early: there from");
    expect(40, &ratio("late", "early", "below = 1000000"), Undecided, "early: there from");
}

#[test]
fn too_few_units_have_no_crossing() {
    let crossing = "check = \"crossing\"\narm = \"late\"\nthreshold = 0.1\nbelow = 10000";
    expect(40, crossing, Holds, "");
    expect(5, crossing, Undecided, "fewer than 6 units");
    let ratio = "check = \"ratio\"\narm = \"early\"\nover = \"late\"\nthreshold = 0.1\nbelow = 1";
    expect(2, ratio, Undecided, "fewer than 6 units");
}

#[test]
fn at_zero_nobody_knows_how_late_it_may_be() {
    let crossing = "check = \"crossing\"\narm = \"early\"\nthreshold = 0\n";
    let note = "no value is below the threshold";
    expect(40, &format!("{crossing}below = 10000"), Undecided, note);
    expect(40, &format!("{crossing}above = 1"), Holds, note);
}
