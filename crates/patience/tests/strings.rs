//! Any string at all may come as the name of a game or planner.

use std::time::{Duration, Instant};

use patience::prelude::*;
use proptest::prelude::*;

const VALID: [&str; 8] = [
    "pgame(branching=8, depth=8, values=plus-minus-one)",
    "sailing(size=20, start=random, epsilon=0.1, run=3)",
    "tic-tac-toe",
    "tiger(horizon=20, discount=0.95)",
    "uct(iterations=200, trees=20, width=inf, c=1)",
    "uct(selection=depth, horizon=20, expand=inf, stop=visits, merge=true)",
    "alpha-beta(depth=inf, low=0, high=1, shuffle=true, eval=zero)",
    "pg-id(exploration=boltzmann, temperature=1, error=1, width=6, max_horizon=1000)",
];

fn check(text: &str) -> Result<(), TestCaseError> {
    let begin = Instant::now();
    match Call::parse(text) {
        Ok(call) => {
            prop_assert_eq!(call.to_string(), text);
            prop_assert!(!call.name().is_empty());
        }
        Err(error) => {
            let column = error.column();
            prop_assert!(
                (1..=text.chars().count() + 1).contains(&column),
                "{} in {:?}",
                column,
                text
            );
            prop_assert!(
                error.to_string().contains("expected") || error.to_string().contains("twice")
            );
        }
    }
    let registry = patience::registry();
    if let Err(error) = registry.game(text) {
        prop_assert!((1..=text.chars().count() + 1).contains(&error.column()));
    }
    let game = registry.game("sailing(size=2)").unwrap();
    // What the string names is used too, for a few model calls.
    let budget = Budget { iterations: Some(2), ..Budget::model_calls(20) };
    match game.advise(text, &budget, 1) {
        Ok(advice) => prop_assert!(advice.best.is_some()),
        Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column())),
    }
    prop_assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", text);
    Ok(())
}

/// One change: a character taken out, put in, doubled or swapped for another, or the tail cut.
fn mutate(text: &str, at: usize, with: char, how: u8) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return with.to_string();
    }
    let at = at % letters.len();
    match how {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, with),
        2 => letters[at] = with,
        3 => letters.truncate(at),
        _ => letters.insert(at, letters[at]),
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_string(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn strings_of_the_same_letters(text in "[a-c=,() .0-9eéα\\-]{0,40}") {
        check(&text)?;
    }

    #[test]
    fn changed_valid_strings(
        which in 0..VALID.len(),
        changes in prop::collection::vec(
            (any::<usize>(), prop::char::ranges(vec![' '..='~', 'é'..='ü'].into()), 0..5u8), 1..5),
    ) {
        let mut text = VALID[which].to_owned();
        for (at, with, how) in changes {
            text = mutate(&text, at, with, how);
        }
        check(&text)?;
    }
}

#[test]
fn the_valid_strings_are_valid() {
    let registry = patience::registry();
    for text in VALID {
        let board = registry.game("tic-tac-toe").unwrap();
        let lake = registry.game("sailing").unwrap();
        assert!(
            registry.game(text).is_ok() || board.check(text).is_ok() || lake.check(text).is_ok()
        );
    }
}

#[test]
fn long_strings_are_refused_at_once_and_in_short() {
    let registry = patience::registry();
    let many: String = (0..300_000).map(|i| format!("k{i}=1,")).collect();
    for text in [
        "x".repeat(10_000_000),
        format!("uct({many}c=1)"),
        "(".repeat(1_000_000),
        "é".repeat(1_000_000),
        " ".repeat(1_000_000),
    ] {
        let begin = Instant::now();
        let error = registry.game(&text).unwrap_err().to_string();
        assert!(error.contains("longer than 4096 bytes") && error.len() < 400, "{}", error.len());
        assert!(begin.elapsed() < Duration::from_secs(1));
    }
    let padded = format!("{}tiger{}", " ".repeat(1000), " ".repeat(1000));
    assert!(registry.game(&padded).is_ok());
}
