//! Rules by name or from a file, and the role that decides.

use patience_gdl::transcript::{self, Length};
use patience_gdl::{
    Described, GAMES, GroundLimits, Lifted, NoText, RuleError, RuleFile, Source, Strictness,
    built_in, text,
};
use patience_model::Rng;

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

/// The rule files that were written by hand are variants among others: they play the same matches.
#[test]
fn a_variant_of_the_same_size_is_the_same_game() {
    let played = |source: Source| {
        let rules = RuleFile::read(source).expect("it is a list of rules");
        assert_eq!(rules.refused(Strictness::Strict), [""; 0]);
        let mut engine = Lifted::new(&rules.description).expect("the engine is made");
        let length = Length { matches: 3, most_moves: 20 };
        transcript::write(&mut engine, &mut Rng::new(3), length).expect("it plays")
    };
    for (file, variant) in [
        ("mastermind", "mastermind_8_4"),
        ("numberguessing_small", "numberguessing_8"),
        ("numberguessing_big", "numberguessing_16"),
    ] {
        let of = |name| played(built_in(name).expect("it comes with the crate"));
        assert_eq!(of(variant), of(file), "{variant}");
    }
    // These names are files, so the variants have to be of another size: one door or number less.
    for (name, plays) in [("monty_hall_19", "(door 19)"), ("numberguessing_31", "(number 31)")] {
        let source = built_in(name).expect("it is a variant");
        assert!(source.text().contains(plays));
        played(source);
    }
}

#[test]
fn variants_have_one_name_each_and_bounds() {
    for wrong in [
        "mastermind_3_4",
        "mastermind_21_4",
        "mastermind_8_1",
        "mastermind_8_9",
        "mastermind_8",
        "mastermind_08_4",
        "mastermind_8_4_4",
        "mastermind_+8_4",
        "mastermind_",
        "mastermind_8_",
        "numberguessing_3",
        "numberguessing_65",
        "numberguessing_99999999999999999999",
        "monty_hall_2",
        "monty_hall_101",
        "tiger_2",
    ] {
        assert!(built_in(wrong).is_none(), "{wrong}");
    }
    assert!(GAMES.iter().all(|(name, text)| built_in(name).expect("a file").text() == *text));
    let error = RuleFile::open("mastermind_8").expect_err("there is no such file").to_string();
    assert!(error.contains("mastermind_GUESSES_COLOURS"), "{error}");
    // The longest horizon and the largest games are valid.
    for name in ["mastermind_20_8", "mastermind_4_2", "numberguessing_64", "monty_hall_100"] {
        let rules = RuleFile::open(name).expect("it is a variant");
        assert_eq!(rules.refused(Strictness::Strict), [""; 0], "{name}");
    }
}
