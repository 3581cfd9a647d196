//! Rules by name or from a file, and the role that decides.

use patience_gdl::{Described, GroundLimits, NoText, RuleError, RuleFile, Source, text};

fn described(name: &str) -> Described {
    let rules = RuleFile::open(name).expect("it comes with the crate");
    rules.described(&GroundLimits::default()).expect("it can be played")
}

#[test]
fn a_name_that_is_nearly_right_is_proposed() {
    let error = RuleFile::open("tictactow").expect_err("there is no such file").to_string();
    assert!(error.contains("; did you mean `tictactoe`? (games that come with"), "{error}");
}

#[test]
fn a_role_is_named_unless_only_one_decides() {
    assert_eq!(described("tiger").role(None), Ok(1));
    let several = described("tictactoe");
    assert_eq!(several.role(Some("O")), Ok(1));
    let error = several.role(None).expect_err("both decide");
    assert_eq!(error, "several roles decide, so one must be named: x, o");
    let error = described("tiger").role(Some("random")).expect_err("chance decides nothing");
    assert_eq!(error, "the role random is chance (roles that decide: agent)");
    let error = described("tiger").role(Some("keeper")).expect_err("nobody has that name");
    assert_eq!(error, "there is no role keeper (roles that decide: agent)");
}

#[test]
fn what_cannot_be_played_is_refused_with_its_place() {
    let rules = RuleFile::read(Source::new("bad", "(role x)\n(legal x ?m)")).expect("it is a list");
    let error = rules.described(&GroundLimits::default()).expect_err("the head is not bound");
    assert!(matches!(&error, RuleError::Rules(shown) if shown.starts_with("bad:2:")), "{error}");
}

/// Where a game cannot be grounded in time, the rules are evaluated state by state.
#[test]
fn without_time_to_ground_it_is_lifted() {
    let rules = RuleFile::open("tictactoe").expect("it comes with the crate");
    let limits = GroundLimits { instances: 1, ..GroundLimits::default() };
    assert!(matches!(rules.described(&limits), Ok(Described::Lifted(..))));
}

#[test]
fn bytes_that_are_no_text_have_a_line() {
    assert_eq!(text(b"(role x)\n(role y)\n\xff".to_vec()), Err(NoText { line: 3 }));
    assert_eq!(text(b"(role x)".to_vec()).as_deref(), Ok("(role x)"));
}
