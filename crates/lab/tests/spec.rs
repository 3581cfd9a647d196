//! Specs: what they mean, and the errors of wrong ones.

use crate::support;

use patience_lab::spec::{ChartKind, Quantity};
use patience_lab::{Category, Spec, Versions, check};

const HEAD: &str = "name = \"t\"\nseed = 1\nunits = 10\ntask = { kind = \"coin\" }\n";
const ARM: &str = "[[arm]]\nname = \"a\"\nplanner = \"coin(0.5)\"\n";
const CURVES: &str = r#"
name = "curves"
seed = 1
units = 200
task = { kind = "coin", checkpoints = [1, 10, 100], pause_ms = 0 }
[quick]
units = 20
task = { checkpoints = [1, 10] }
sweep = { depth = [4] }
[[arm]]
name = "UCT D={depth}"
series = "UCT"
game = "pgame(branching=2, depth={depth})"
planner = "coin(0.5)"
sweep = { depth = [4, 6, 8] }
[[chart]]
kind = "crossing"
series = "UCT"
thresholds = [0.1, 0]
against = "2^(depth/2)"
y = { log = true }
[[claim]]
text = "It falls."
check = "value"
arm = "UCT D={depth}"
sweep = { depth = [4, 8] }
below = 0.5
[[claim]]
text = "It falls in deep trees."
check = "value"
arm = "UCT D={depth}"
sweep = { depth = [6, 8] }
below = 0.5
"#;

#[test]
fn sweeps_and_quick_versions() {
    let full = Spec::parse("t.toml", CURVES, false).unwrap();
    let quick = Spec::parse("t.toml", CURVES, true).unwrap();
    assert_eq!((full.units, quick.units, full.arms.len(), quick.arms.len()), (200, 20, 3, 1));
    assert_eq!(full.arms[1].name, "UCT D=6");
    assert_eq!(full.arms[1].game, "pgame(branching=2, depth=6)");
    assert_eq!((full.arms[1].x, full.arms[1].series.as_str()), (Some(6.0), "UCT"));
    assert_eq!(full.charts[0].kind, ChartKind::Crossing);
    assert_eq!(full.claims[0].checks.len(), 2);
    assert_eq!(quick.claims[0].checks.len(), 1);
    // The quick version has none of the second claim's arms.
    assert_eq!((full.claims.len(), quick.claims.len()), (2, 1));
    let Quantity::Value { arm, .. } = &full.claims[0].checks[1].quantity else { panic!() };
    assert_eq!(arm, "UCT D=8");
    // The quick version has other checkpoints, so its rows are other rows.
    let none = Versions::new(Vec::new());
    assert_ne!(full.arms[0].hash(&none), quick.arms[0].hash(&none));
}

#[test]
fn words_are_swept_too_and_the_first_number_is_the_x() {
    let swept = |sweep: &str| {
        let text = format!("{HEAD}{ARM}sweep = {{ {sweep} }}\n").replace("\"a\"", "\"{what}\"");
        Spec::parse("t.toml", &text, false).unwrap().arms
    };
    let words = swept("what = [\"p\", \"q\"]");
    assert_eq!([words[0].name.as_str(), &words[1].name], ["p", "q"]);
    assert_eq!(words[0].x, None);
    let mixed = &swept("what = [\"p\"], n = [7], m = [8]")[0];
    assert_eq!(mixed.x, Some(7.0));
    assert_eq!(mixed.variables, [("n".to_owned(), 7.0), ("m".to_owned(), 8.0)]);
    assert_eq!(mixed.words, [("what".to_owned(), "p".to_owned())]);
}

#[test]
fn the_hash_is_over_what_matters_and_nothing_else() {
    let base = format!("{HEAD}{ARM}");
    let none = Versions::new(Vec::new());
    let hash = |text: &str, quick| Spec::parse("t.toml", text, quick).unwrap().arms[0].hash(&none);
    let same = [
        format!("title = \"x\"\npaper = \"y\"\nnotes = \"z\"\n{base}"),
        base.replace("units = 10", "units = 99"),
        format!("{base}series = \"s\"\npublished = {{ value = 0.5 }}\n"),
        format!("{base}[[chart]]\nkind = \"table\"\n"),
        format!("# a remark\n{}", base.replace("{ kind = \"coin\" }", "{kind=\"coin\"}")),
        format!("{base}[[arm]]\nname = \"b\"\n"),
    ];
    for text in &same {
        assert_eq!(hash(text, false), hash(&base, false), "{text}");
    }
    let quick = format!("{base}[quick]\nunits = 3\n");
    assert_eq!(hash(&quick, true), hash(&base, false));
    let other = [
        base.replace("name = \"t\"", "name = \"u\""),
        base.replace("seed = 1", "seed = 2"),
        base.replace("coin(0.5)", "coin(0.6)"),
        base.replace("name = \"a\"", "name = \"b\""),
        format!("{base}game = \"g\"\n"),
        format!("{base}task = {{ pause_ms = 1 }}\n"),
        base.replace("kind = \"coin\"", "kind = \"coin\", pause_ms = 1"),
    ];
    for text in &other {
        assert_ne!(hash(text, false), hash(&base, false), "{text}");
    }
    assert_eq!(
        hash(&base, false),
        "6d736d4e61a28f840f67b7d08529aed8",
        "stores in the world hold this hash"
    );
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    let swept = |more: &str| format!("{HEAD}{ARM}sweep = {{ n = [1, 2] }}\n{more}");
    let cases: Vec<(String, &str)> = vec![
        ("name = ".into(), "t.toml:1: not TOML"),
        ("name = \"a\"\nname = \"b\"".into(), "t.toml:2: not TOML: duplicate key"),
        (HEAD.into(), "arm: an experiment needs at least one [[arm]]"),
        (ARM.into(), "name: is missing"),
        (
            format!("nme = \"x\"\n{HEAD}{ARM}"),
            "t.toml:1: nme: unknown key; expected one of name, title",
        ),
        (format!("nme = \"x\"\n{HEAD}{ARM}"), "did you mean `name`?"),
        (format!("{}{ARM}", HEAD.replace("\"t\"", "\"a b\"")), "name: expected letters, digits"),
        (
            format!("{}{ARM}", HEAD.replace("10", "0")),
            "t.toml:3: units: expected a whole number from 1",
        ),
        (
            format!("{}{ARM}", HEAD.replace("10", "\"x\"")),
            "units: expected a whole number from 1 to 1000000000, got \"x\"",
        ),
        (
            format!("{}{ARM}", HEAD.replace("seed = 1", "seed = -1")),
            "t.toml:2: seed: expected a whole number from 0",
        ),
        (
            format!("{}{ARM}", HEAD.replace("seed = 1", "seed = 99999999999999999999")),
            "beyond 64 bits",
        ),
        (format!("{}{ARM}", HEAD.replace("seed = 1", "seed = 2020-01-01")), "dates are not used"),
        (format!("{}{ARM}", HEAD.replace("kind", "knd")), "task.kind: is missing"),
        (format!("{HEAD}[[arm]]\ngame = \"a\"\n"), "arm 1.name: is missing"),
        // A typo is reported as a typo, not as a missing key.
        (
            format!("{HEAD}[[arm]]\nnane = \"a\"\n"),
            "t.toml:6: arm 1.nane: unknown key; expected one of name, series, game, planner, sweep, \
             task, published; did you mean `name`?",
        ),
        (
            format!("{}{ARM}", HEAD.replace("seed", "sede")),
            "t.toml:2: sede: unknown key; expected one of name, title, paper, notes, seed, units, \
             task, quick, arm, chart, claim; did you mean `seed`?",
        ),
        (format!("{HEAD}{ARM}[[chart]]\nknd = \"table\"\n"), "t.toml:9: chart 1.knd: unknown key"),
        (
            format!("{HEAD}{ARM}[[claim]]\ntext = \"x\"\nbelov = 1\n"),
            "t.toml:10: claim 1.belov: unknown key",
        ),
        (
            format!(
                "{HEAD}{ARM}[[claim]]\ntext = \"x\"\nbelow = 1\ncheck = \"value\"\narm = \"a\"\nover = \"a\"\n"
            ),
            "claim 1.over: unknown key; expected one of text, above, below, sweep, check, column, arm, at",
        ),
        (
            format!("{HEAD}{}", ARM.replace("[[arm]]", "[arm]")),
            "t.toml:5: arm: there may be several, so write [[arm]] with two brackets, not [arm]",
        ),
        (format!("{HEAD}{ARM}[chart]\nkind = \"table\"\n"), "write [[chart]]"),
        (format!("{HEAD}{ARM}[claim]\ntext = \"x\"\n"), "write [[claim]]"),
        (
            format!("chart = 3\n{HEAD}{ARM}"),
            "t.toml:1: chart: expected [[chart]] and its keys, got 3",
        ),
        (format!("{HEAD}{ARM}plannner = 1\n"), "t.toml:8: arm 1.plannner: unknown key"),
        (format!("{HEAD}{ARM}plannner = 1\n"), "did you mean `planner`?"),
        (format!("{HEAD}{ARM}{ARM}"), "there is another arm called \"a\""),
        (format!("{HEAD}{ARM}game = 3\n"), "t.toml:8: arm 1.game: expected a string, got 3"),
        (
            format!("{HEAD}{ARM}game = \"g({{n}})\"\n"),
            "arm 1.game: `{n}` is not a variable of the sweep",
        ),
        (swept(""), "there is another arm called \"a\""),
        (format!("{HEAD}{ARM}sweep = {{ n = [] }}\n"), "arm 1.sweep: n: the list is empty"),
        (
            format!("{HEAD}{ARM}sweep = {{ n = [true] }}\n"),
            "n: expected a list of numbers or strings",
        ),
        (format!("{HEAD}{ARM}sweep = 3\n"), "arm 1.sweep: expected a table, got 3"),
        (
            format!("{HEAD}{ARM}[quick]\nsweep = {{ depth = [1] }}\n"),
            "quick.sweep.depth: no arm sweeps over it",
        ),
        (
            format!("{HEAD}{ARM}[quick]\nunit = 3\n"),
            "quick.unit: unknown key; expected one of units, task, sweep; did you mean `units`?",
        ),
        (
            format!("{HEAD}{ARM}published = {{ value = 1, plus_minus = inf }}\n"),
            "published.plus_minus: expected a finite number of at least 0, got inf",
        ),
        (
            format!("{HEAD}{ARM}published = {{ value = 1, low = 0 }}\n"),
            "either plus_minus, or both low and high",
        ),
        (
            format!("{HEAD}{ARM}published = {{ value = 1, low = 2, high = 3 }}\n"),
            "low ≤ value ≤ high",
        ),
        (
            format!("{HEAD}{ARM}published = {{ value = 1, confidence = 95 }}\n"),
            "published.confidence: expected a number from 0.5 to 0.9999, got 95",
        ),
        (format!("{HEAD}{ARM}published = {{ vale = 1 }}\n"), "published.vale: unknown key"),
        (format!("{HEAD}{ARM}published = {{ units = 1 }}\n"), "published.value: is missing"),
        (
            format!("{HEAD}{ARM}published = {{ value = nan }}\n"),
            "published.value: expected a finite number, got NaN",
        ),
        (
            format!("{HEAD}{ARM}[[chart]]\nkind = \"pie\"\n"),
            "t.toml:9: chart 1.kind: expected one of curve, crossing, sweep, table, got \"pie\"",
        ),
        (format!("{HEAD}{ARM}[[chart]]\nkind = \"crve\"\n"), "did you mean `curve`?"),
        (
            format!("{HEAD}{ARM}[[chart]]\nkind = \"table\"\narms = [\"x*\"]\n"),
            "chart 1.arms: \"x*\" matches no arm (there is: `a`)",
        ),
        (
            format!("{HEAD}{ARM}[[chart]]\nkind = \"table\"\nbaseline = \"A\"\n"),
            "chart 1.baseline: there is no arm called \"A\"; did you mean `a`? (there is: `a`)",
        ),
        (
            format!(
                "{HEAD}{ARM}{}[[claim]]\ntext = \"x\"\nbelow = 1\ncheck = \"value\"\narm = \"zz\"\n",
                ARM.replace("\"a\"", "\"b\"")
            ),
            "claim 1.arm: there is no arm called \"zz\" (there are: `a`, `b`)",
        ),
        (
            format!(
                "{HEAD}{}sweep = {{ n = [{}] }}\n[[chart]]\nkind = \"table\"\narms = \"b\"\n",
                ARM.replace("\"a\"", "\"a{n}\""),
                (0..20).map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
            ),
            "`a10`, `a11` and 8 more)",
        ),
        (
            format!("{HEAD}{ARM}[[chart]]\nkind = \"crossing\"\n"),
            "chart 1.thresholds: a crossing needs at least one threshold",
        ),
        (
            format!("{HEAD}{ARM}[[chart]]\nkind = \"sweep\"\n"),
            "arm \"a\" has no sweep, so it has no x",
        ),
        (
            format!("{HEAD}{ARM}[[chart]]\nkind = \"curve\"\nx = {{ logs = true }}\n"),
            "x.logs: unknown key; expected one of label, log, min, max; did you mean `log`?",
        ),
        (
            format!("{HEAD}{ARM}[[chart]]\nkind = \"curve\"\ny = {{ log = true, min = 0 }}\n"),
            "a logarithmic axis starts above 0",
        ),
        (
            format!("{HEAD}{ARM}[[chart]]\nkind = \"curve\"\npublished = {{ b = [] }}\n"),
            "published: no series \"b\"; did you mean `a`? (there is: `a`)",
        ),
        (
            format!("{HEAD}{ARM}[[chart]]\nkind = \"curve\"\npublished = {{ a = [[1]] }}\n"),
            "a list of points [x, y]",
        ),
        (
            format!("{HEAD}{ARM}[[claim]]\ntext = \"x\"\ncheck = \"value\"\narm = \"a\"\n"),
            "a claim says `above`, `below` or both",
        ),
        (
            format!("{HEAD}{ARM}[[claim]]\ntext = \"x\"\nabove = 2\nbelow = 1\n"),
            "expected above < below",
        ),
        (
            format!("{HEAD}{ARM}[[claim]]\ntext = \"x\"\nabove = 1\nbelow = 1\n"),
            "expected above < below",
        ),
        (
            format!("{HEAD}{ARM}[[claim]]\ntext = \"x\"\ncheck = \"value\"\nbelow = 1\n"),
            "claim 1.arm: is missing",
        ),
        (
            format!("{HEAD}{ARM}[[claim]]\ntext = \"x\"\ncheck = \"valu\"\nbelow = 1\n"),
            "did you mean `value`?",
        ),
        (
            format!(
                "{HEAD}{ARM}[[claim]]\ntext = \"x\"\ncheck = \"ratio\"\narm = \"a\"\nover = \"a\"\nbelow = 1\n"
            ),
            "claim 1.threshold: is missing",
        ),
        (
            format!(
                "{HEAD}{ARM}[[claim]]\ntext = \"x\"\ncheck = \"slope\"\nagainst = \"2^d\"\nthreshold = 0\nbelow = 1\n"
            ),
            "arm \"a\" has no variable `d`",
        ),
        (
            format!(
                "{HEAD}{ARM}[[claim]]\ntext = \"x\"\ncheck = \"slope\"\nagainst = \"2^\"\nthreshold = 0\nbelow = 1\n"
            ),
            "claim 1.against: expected a number, a variable or `(`",
        ),
        (
            format!(
                "{HEAD}{ARM}[[claim]]\ntext = \"x\"\ncheck = \"slope\"\nagainst = \"1{}\"\nthreshold = 0\nbelow = 1\n",
                "+1".repeat(300_000)
            ),
            "claim 1.against: a formula has at most 1000 characters, this one has 600001",
        ),
    ];
    for (text, fragment) in cases {
        let error = Spec::parse("t.toml", &text, false).unwrap_err();
        let start: String = text.chars().take(500).collect();
        assert!(
            error.to_string().contains(fragment),
            "got: {error}\nfor: {start}\nnot: {fragment}"
        );
        assert!(error.to_string().starts_with("t.toml"), "{error}");
        assert_eq!(error.category(), Category::BadInput);
    }
}

#[test]
fn a_published_interval_is_at_95_percent_unless_stated() {
    let text = format!("{HEAD}{ARM}published = {{ value = 1, plus_minus = 2 }}\n");
    let published = &Spec::parse("t.toml", &text, false).unwrap().arms[0].published[0];
    assert_eq!((published.interval, published.confidence), (Some((-1.0, 3.0)), 0.95));
}

proptest::proptest! {
    /// Any text is read or refused.
    #[test]
    fn no_text_makes_it_panic(
        cuts in proptest::collection::vec((0usize..900, 0usize..40, ".{0,6}|[\\[\\]{}=\"0-9.*^]{0,6}"), 1..4),
        quick: bool,
    ) {
        let mut text: Vec<char> = CURVES.chars().collect();
        for (at, length, new) in cuts {
            let at = at.min(text.len());
            let end = (at + length).min(text.len());
            text.splice(at..end, new.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok(spec) = Spec::parse("t.toml", &text, quick) {
            let _ = check(&spec, &support::resolve);
        }
    }

    #[test]
    fn no_formula_makes_it_panic(text in "[0-9a-z.()+*/^ -]{0,40}|.{0,10}") {
        if let Ok(formula) = patience_lab::Expression::parse(&text) {
            let _ = formula.value(&[("a".to_owned(), 2.0)]);
        }
    }
}

#[test]
fn bands_name_series() {
    let text = format!("{HEAD}{ARM}[[chart]]\nkind = \"curve\"\nbands = \"A\"\n");
    let error = Spec::parse("t.toml", &text, false).unwrap_err();
    assert!(error.to_string().contains("chart 1.bands: no series \"A\"; did you mean `a`?"));
}

#[test]
fn errors_of_the_task_name_the_line() {
    let cases = [
        (format!("{HEAD}{}", ARM.replace("coin(", "con(")), "t.toml:7: planner: expected coin(p)"),
        (
            format!("{HEAD}{ARM}task = {{ pause = 3 }}\n"),
            "t.toml:8: task.pause: unknown key; expected one of kind, pause_ms",
        ),
        (
            format!("{}{ARM}", HEAD.replace("\"coin\"", "\"coin\", pause_ms = -1")),
            "t.toml:4: task.pause_ms: expected a number from 0 to 1000, got -1",
        ),
        (
            format!("{HEAD}{ARM}published = {{ column = \"wun\", value = 1 }}\n"),
            "t.toml:8: published.column: expected one of won, score, got \"wun\"; did you mean `won`?",
        ),
        (
            format!("{HEAD}{ARM}[[chart]]\nkind = \"table\"\ncolumn = \"scor\"\n"),
            "t.toml:10: chart 1.column: expected one of won, score, got \"scor\"; did you mean `score`?",
        ),
        (
            format!(
                "{HEAD}{ARM}[[chart]]\nkind = \"table\"\ncolumns = [\n\"won\",\n\"scor\",\n]\n"
            ),
            "t.toml:12: chart 1.column: expected one of won, score, got \"scor\"",
        ),
        (
            format!(
                "{HEAD}{ARM}[[claim]]\ntext = \"x\"\ncheck = \"value\"\narm = \"a\"\ncolumn = \"lost\"\nbelow = 1\n"
            ),
            "t.toml:12: claim 1.column: expected one of won, score",
        ),
    ];
    for (text, fragment) in cases {
        let spec = Spec::parse("t.toml", &text, false).unwrap();
        let error = check(&spec, &support::resolve).unwrap_err();
        assert!(error.to_string().contains(fragment), "got: {error}\nnot: {fragment}");
    }
}
