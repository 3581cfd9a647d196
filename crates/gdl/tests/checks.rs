//! The checks: each fault is found at its place, and the crate's own games have none.

use crate::common;

use patience_gdl::{Code, Description, Severity, Source, Strictness, check, roles_without_goal};

/// A game without faults, to which faulty rules are added.
const SOUND: &str = "(role a) (init x) (<= (legal a noop) (true x)) (<= (next x) (true x)) (<= terminal (true y)) (goal a 50)\n";

/// A rule, what is found, how bad it is, and under what the caret stands.
const FAULTS: &[(&str, Code, Severity, &str)] = &[
    ("(<= (p ?x) (not (q ?x)))", Code::Safety, Severity::Error, "?x"),
    ("(<= (p a) (true x) (distinct ?y b))", Code::Safety, Severity::Fault, "?y"),
    ("(<= (p a) (not (true ?z)))", Code::Safety, Severity::Fault, "?z"),
    ("(<= (p ?x) (or (true ?x) (true (f ?y))))", Code::Safety, Severity::Error, "?x"),
    ("(<= (goal ?r 0) (true x))", Code::Safety, Severity::Fault, "?r"),
    ("(<= p (not q)) (<= q p)", Code::Stratification, Severity::Error, "q"),
    ("(<= (p 1) (not (p 2))) (p 2)", Code::Stratification, Severity::Fault, "(p 2)"),
    ("(n 0) (<= (n (s ?x)) (n ?x))", Code::Recursion, Severity::Fault, "?x"),
    ("(true x)", Code::Keyword, Severity::Fault, "(true x)"),
    ("(<= (does a b) (true x))", Code::Keyword, Severity::Fault, "(does a b)"),
    ("(<= p (next x))", Code::Keyword, Severity::Fault, "(next x)"),
    ("(<= p (init x))", Code::Keyword, Severity::Fault, "(init x)"),
    ("(<= p not q) q", Code::Keyword, Severity::Fault, "not"),
    ("(<= p (true x y))", Code::Arity, Severity::Fault, "(true x y)"),
    ("(q a) (q a b)", Code::Arity, Severity::Note, "(q a b)"),
    ("(<= p (true (f a))) (<= q (true (f a b)))", Code::Arity, Severity::Note, "(f a b)"),
    ("(goal a 101)", Code::Goal, Severity::Fault, "101"),
    ("(goal a -1)", Code::Goal, Severity::Fault, "-1"),
    ("(goal a (f 1))", Code::Goal, Severity::Fault, "(f 1)"),
    ("(<= (role ?r) (p ?r)) (p b)", Code::Role, Severity::Fault, "(<= (role ?r) (p ?r))"),
    ("(role a)", Code::Role, Severity::Note, "a"),
    ("(legal b noop)", Code::Role, Severity::Note, "b"),
    ("(<= (next y) (not (does you noop)) (true x))", Code::Role, Severity::Note, "you"),
    ("(<= terminal (does a noop))", Code::DoesDependence, Severity::Fault, "(does a noop)"),
    (
        "(<= terminal p) (<= p q) (<= q (does a b))",
        Code::DoesDependence,
        Severity::Fault,
        "(does a b)",
    ),
    ("(<= (init z) (true x))", Code::DoesDependence, Severity::Error, "(true x)"),
    ("(<= p (nowhere a))", Code::Undefined, Severity::Note, "(nowhere a)"),
];

#[test]
fn the_sound_game_is_sound() {
    assert_eq!(check(&Description::read(SOUND).expect("it reads")), []);
}

#[test]
fn every_fault_is_found_at_its_place() {
    for &(rule, code, severity, place) in FAULTS {
        let text = format!("{SOUND}{rule}");
        let source = Source::new("game.gdl", text.clone());
        let findings = check(&Description::read(&text).expect(rule));
        let hit = findings.iter().any(|f| {
            let under = &text[f.span.start as usize..f.span.end as usize];
            f.code == code && f.severity == severity && under == place && !f.help.is_empty()
        });
        let shown: Vec<String> = findings.iter().map(|f| f.render(&source)).collect();
        assert!(
            hit,
            "{rule}: expected {code:?} {severity:?} under {place}, found {findings:?}\n{}",
            shown.join("\n")
        );
    }
}

#[test]
fn a_finding_is_shown_with_its_line() {
    let text = "(role a)\n(<= (goal a 101)\n    (true x))";
    let source = Source::new("game.gdl", text);
    let findings = check(&Description::read(text).expect("it reads"));
    let goal = findings.iter().find(|f| f.code == Code::Goal).expect("the goal is found");
    assert_eq!(
        goal.render(&source),
        "game.gdl:2:13: fault: the goal value `101` is not from 0 to 100\n2 | (<= (goal a 101)\n  |             ^^^\n  help: write a whole number from 0 to 100"
    );
}

#[test]
fn a_game_needs_roles_and_an_end() {
    let findings = check(&Description::read("(init x)").expect("it reads"));
    assert!(findings.iter().any(|f| f.code == Code::Role && f.severity == Severity::Error));
    assert_eq!(findings.iter().filter(|f| f.code == Code::Incomplete).count(), 3);
}

/// Who can only score 0 is told by name; chance needs no goal.
#[test]
fn a_role_without_a_goal_is_named() {
    let without = |text: &str| {
        let text = format!("{SOUND}{text}");
        let description = Description::read(&text).expect("it reads");
        let named = |(role, _)| description.symbols.name(role).to_owned();
        let roles: Vec<String> = roles_without_goal(&description).into_iter().map(named).collect();
        let told: Vec<String> = check(&description)
            .into_iter()
            .filter(|f| f.code == Code::Incomplete)
            .map(|f| {
                assert_eq!(f.severity, Severity::Fault);
                assert!(f.help.contains("(goal "), "{}", f.help);
                text[f.span.start as usize..f.span.end as usize].to_owned()
            })
            .collect();
        assert_eq!(roles, told);
        roles
    };
    assert_eq!(without(""), [""; 0]);
    assert_eq!(without("(role random) (legal random noop)"), [""; 0]);
    assert_eq!(without("(role b) (legal b noop)"), ["b"]);
    assert_eq!(without("(role b) (legal b noop) (<= (goal ?r 0) (role ?r))"), [""; 0]);
    let none = "(role a) (init x) (legal a noop) (<= terminal (true x))";
    let none = Description::read(none).expect("it reads");
    assert_eq!(roles_without_goal(&none).len(), 1);
    let findings = check(&none);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert!(finding.message == "no rule defines `goal`" && finding.help.contains("scores 0"));
}

#[test]
fn the_games_of_this_crate_pass_strictly() {
    for path in common::games() {
        let source = common::source(&path);
        let faults: Vec<String> = check(&common::read(&path))
            .iter()
            .filter(|f| Strictness::Strict.refuses(f))
            .map(|f| f.render(&source))
            .collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
