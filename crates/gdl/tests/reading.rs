//! The reader: every form of the language, and every place at which a text is no list of rules.

use crate::common;

use patience_gdl::{Description, Severity, Source, Terms, check};
use proptest::prelude::*;

fn printed(text: &str) -> String {
    Description::read(text).unwrap_or_else(|f| panic!("{}: {text}", f.message)).to_string()
}

#[test]
fn every_form_is_read() {
    let text = "(role A) ; a comment )(\n(<= (P ?x) (q ?x (f ?X b)) (or (r) (and s (not (not t)))) (distinct ?x a)) (terminal)\n(<= (v))";
    assert_eq!(
        printed(text),
        "(role A)\n(<= (P ?x) (q ?x (f ?x b)) (or r (and s (not (not t)))) (distinct ?x A))\nterminal\nv\n"
    );
}

#[test]
fn case_is_folded_and_the_first_spelling_kept() {
    let mut terms = Terms::new(Description::read("(ROLE White)").expect("it reads").symbols);
    let (a, b) = (terms.read("(Move WHITE)"), terms.read("(mOVE white)"));
    assert_eq!(a, b);
    assert_eq!(terms.show(a.expect("it reads")).to_string(), "(Move White)");
}

#[test]
fn rules_may_come_in_one_list() {
    assert_eq!(
        printed("((role a) (<= terminal (true x)))"),
        printed("(role a) (<= terminal (true x))")
    );
    assert_eq!(printed("(role a)"), "(role a)\n");
}

#[test]
fn what_is_printed_reads_back_the_same() {
    for path in common::games() {
        let once = common::read(&path).to_string();
        assert_eq!(printed(&once), once, "{}", path.display());
    }
}

/// Text, and what the rendered finding must show.
const WRONG: &[(&str, &str)] = &[
    ("(role a", "1 | (role a\n  | ^^^^^^^\n  help: add the missing `)`"),
    ("(role a))", "1 | (role a))\n  |         ^\n  help: remove it"),
    ("(role a)\n  ()", "2 |   ()\n  |   ^^\n  help: write `(relation argument …)`"),
    ("(<= )", "a rule without a head"),
    ("(<= (p ?x) ?x)", "a condition starts with the variable `?x`"),
    ("(<= p (not q r))", "`not` has 2 conditions instead of one"),
    ("(<= p (distinct a))", "`distinct` has 1 terms instead of two"),
    ("(<= p (<= q r))", "a rule inside a rule"),
    ("((p) (q)) (r)", "a fact starts with a list instead of a name"),
    ("(p (?f a))", "a term starts with the variable `?f`"),
    ("(not (p))", "`not` cannot be a fact"),
    ("p(X) :- q(X)", "this is infix notation"),
    ("(p ((a) b))", "a term starts with a list"),
];

#[test]
fn every_error_shows_its_place() {
    for (text, expected) in WRONG {
        let source = Source::new("game.gdl", *text);
        let finding = Description::read(text).expect_err(text);
        let shown = finding.render(&source);
        assert!(shown.contains(expected), "{text}\nshows\n{shown}\nwithout\n{expected}");
        assert_eq!(finding.severity, Severity::Error);
        assert!(!finding.help.is_empty());
    }
}

#[test]
fn nesting_has_a_bound_instead_of_a_stack_overflow() {
    let deep = "(p ".repeat(100_000);
    assert!(Description::read(&deep).expect_err("too deep").message.contains("nested"));
}

/// Pieces from which texts are put together that are nearly rules.
const PIECES: &[&str] = &[
    "(",
    ")",
    "(<= ",
    "(role ",
    "(init ",
    "(true ",
    "(next ",
    "(does ",
    "(legal ",
    "(goal ",
    "(sees ",
    "terminal",
    "(not ",
    "(or ",
    "(and ",
    "(distinct ",
    "?x",
    "?y",
    "a",
    "b",
    "100",
    " ",
    "\n",
    ";",
    "(p ",
    "é",
    "\u{feff}",
    "\t",
    "<=",
    "not",
];

proptest! {
    #[test]
    fn no_text_makes_the_reader_or_the_checks_panic(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)
    ) {
        let text: String = pieces.concat();
        let source = Source::new("text", text.clone());
        match Description::read(&text) {
            Ok(description) => {
                for finding in check(&description) {
                    let _ = finding.render(&source);
                }
                prop_assert_eq!(printed(&description.to_string()), description.to_string());
            }
            Err(finding) => {
                let _ = finding.render(&source);
            }
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(text in "\\PC{0,80}") {
        let source = Source::new("text", text.clone());
        if let Err(finding) = Description::read(&text) {
            let _ = finding.render(&source);
        }
    }
}

/// Terms of which the first is a number and the last begins like one: sorting must not panic, and
/// must not depend on where one starts.
#[test]
fn numbers_and_words_have_one_order() {
    let mut terms = patience_gdl::Terms::new(patience_gdl::Symbols::default());
    let words = ["9", "10", "1a", "007", "7", "a", "(f 10)", "(f 1a)", "(f 9)"];
    let ids = words.map(|word| terms.read(word).expect("it is a term"));
    for x in ids {
        for y in ids {
            assert_eq!(terms.compare(x, y), terms.compare(y, x).reverse());
            for z in ids {
                let chain = terms.compare(x, y).is_lt() && terms.compare(y, z).is_lt();
                assert!(!chain || terms.compare(x, z).is_lt());
            }
        }
    }
}
