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

/// What the checker says: the kind and how bad it is; `None`: nothing.
type Said = Option<(Code, Severity)>;

/// What referees are known to accept and to refuse, one kind of rule each; the kinds are those of the
/// validator tests of the public base player. `None`: we have nothing to say against it.
const VERDICTS: &[(&str, &str, bool, Said)] = &[
    (
        "distinct comes first",
        "(<= (p ?a ?b) (distinct ?a ?b) (q ?a) (q ?b)) (q 1) (q 2)",
        true,
        None,
    ),
    (
        "recursion that turns arguments round",
        "(<= (r ?x ?y) (s ?x ?y)) (<= (s ?x ?y) (r ?y ?x)) (r 1 2)",
        true,
        None,
    ),
    (
        "recursion before the condition that bounds it",
        "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?y) (less ?z ?y) (succ ?x ?z)) (succ 0 1)",
        true,
        None,
    ),
    ("a rule without conditions", "(<= (p 1))", true, None),
    (
        "a variable that stands for a constant in an or",
        "(<= (p ?x) (or (q ?x) (r ?x))) (q 1) (r 2)",
        true,
        None,
    ),
    (
        "a negation whose variable is bound after it",
        "(<= p (not (true (f ?x))) (q ?x)) (q 1)",
        true,
        None,
    ),
    ("a move that only the state allows", "(<= (legal a go) (true x) (not (true y)))", true, None),
    ("an unused relation", "(q 1) (<= (p ?x) (q ?x))", true, None),
    (
        "bound by distinct alone",
        "(<= (far ?x ?y) (distinct ?x ?y))",
        false,
        Some((Code::Safety, Severity::Error)),
    ),
    ("a fact with a variable", "(q ?x)", false, Some((Code::Safety, Severity::Error))),
    (
        "a role that no condition names",
        "(<= (legal ?p ?p) (true x))",
        false,
        Some((Code::Safety, Severity::Fault)),
    ),
    (
        "a variable that only a negation has",
        "(<= p (true x) (not (q ?z))) (q 1)",
        false,
        Some((Code::Safety, Severity::Fault)),
    ),
    (
        "negation through a cycle",
        "(<= (p ?x) (q ?x) (not (r ?x))) (<= (r ?x) (q ?x) (not (p ?x))) (q 1)",
        false,
        Some((Code::Stratification, Severity::Error)),
    ),
    (
        "terms that grow",
        "(n 0) (<= (n (s ?x)) (n ?x))",
        false,
        Some((Code::Recursion, Severity::Fault)),
    ),
    (
        "a move that depends on moves",
        "(<= (legal a go) (does a noop))",
        false,
        Some((Code::DoesDependence, Severity::Fault)),
    ),
    (
        "the start in a condition",
        "(<= (next z) (init x))",
        false,
        Some((Code::Keyword, Severity::Fault)),
    ),
    (
        "what is true as a head",
        "(<= (true z) (true x))",
        false,
        Some((Code::Keyword, Severity::Fault)),
    ),
    ("a goal of more than 100", "(goal a 101)", false, Some((Code::Goal, Severity::Fault))),
];

/// Where we are milder than referees, on purpose: what is meant is plain, published games have it, and
/// both engines play it. A note says what may be a slip; `not` of `distinct` is simply equality.
const MILDER: &[(&str, &str, Said)] = &[
    ("arguments that differ in number", "(q a) (q a b)", Some((Code::Arity, Severity::Note))),
    (
        "moves whose arguments differ in number",
        "(legal a (go 1)) (legal a (go 1 2))",
        Some((Code::Arity, Severity::Note)),
    ),
    ("not distinct", "(<= (p ?x) (q ?x) (not (distinct ?x 2))) (q 1) (q 2)", None),
];

#[test]
fn verdicts_are_those_of_referees() {
    let worst = |rules: &str| {
        let text = format!("{SOUND}{rules}");
        let findings = check(&Description::read(&text).expect(rules));
        let strict = findings.iter().any(|f| Strictness::Strict.refuses(f));
        (strict, findings.into_iter().map(|f| (f.severity, f.code)).max())
    };
    let told = |found: Option<(Severity, Code)>| found.map(|(severity, code)| (code, severity));
    for &(kind, rules, accepted, expected) in VERDICTS {
        let (refused, found) = worst(rules);
        assert_eq!((refused, told(found)), (!accepted, expected), "{kind}: {rules}");
    }
    for &(kind, rules, expected) in MILDER {
        let (refused, found) = worst(rules);
        assert_eq!((refused, told(found)), (false, expected), "{kind}: {rules}");
    }
}

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
