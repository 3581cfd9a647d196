//! Variants of the rule files that come with the crate: other horizons, more colours, numbers, doors.
//!
//! A variant is the rule file with other facts in it. So the rules are written down once, and a spec can
//! name games on which nothing was ever tuned.

use std::fmt::Write;
use std::ops::RangeInclusive;

use super::games::file_of;

/// The names of variants, for people.
pub(super) const VARIANTS: &[&str] =
    &["mastermind_GUESSES_COLOURS", "numberguessing_NUMBERS", "monty_hall_DOORS"];

const COLOURS: &[&str] = &["red", "green", "blue", "yellow", "orange", "purple", "white", "black"];
/// A found code is worth 100 - 5 * 16 after the last of twenty guesses.
const GUESSES: RangeInclusive<usize> = 4..=20;
/// Up to 64, the questions of a binary search leave enough of the fourteen steps for lower goals.
const NUMBERS: RangeInclusive<usize> = 4..=64;
const DOORS: RangeInclusive<usize> = 3..=100;

/// The rules of a variant by its name; `None` if it is none, or its numbers are out of range.
pub(super) fn variant(name: &str) -> Option<String> {
    let (family, numbers) = ["mastermind", "numberguessing", "monty_hall"]
        .iter()
        .find_map(|family| Some((*family, name.strip_prefix(family)?.strip_prefix('_')?)))?;
    let numbers: Option<Vec<usize>> = numbers.split('_').map(whole).collect();
    match (family, &numbers?[..]) {
        ("mastermind", &[guesses, colours])
            if GUESSES.contains(&guesses) && (2..=COLOURS.len()).contains(&colours) =>
        {
            mastermind(guesses, colours)
        }
        ("numberguessing", &[numbers]) if NUMBERS.contains(&numbers) => numberguessing(numbers),
        ("monty_hall", &[doors]) if DOORS.contains(&doors) => monty_hall(doors),
        _ => None,
    }
}

/// A whole number as people write it: without signs and leading zeros, so that no game has two names.
fn whole(digits: &str) -> Option<usize> {
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| plain)
}

/// Found within four guesses: 100, and 5 less for each further guess, whatever the number of colours.
fn mastermind(guesses: usize, colours: usize) -> Option<String> {
    let head = format!(
        "; Mastermind with four pegs, {colours} colours and {guesses} guesses. Each guess shows for which pegs the
; colour is right. Found within four guesses: 100, and 5 less for each further guess.\n"
    );
    // The step after a guess is one more than its number.
    let worth = |step: usize| 100 - 5 * step.saturating_sub(5);
    let text = rewritten(
        file_of("mastermind")?,
        &head,
        &[
            ("colour", facts(COLOURS[..colours].iter().map(|c| format!("(colour {c})")))),
            ("after", facts((0..=guesses).map(|s| format!("(after {s} {})", s + 1)))),
            ("worth", facts((1..=guesses + 1).map(|s| format!("(worth {s} {})", worth(s))))),
        ],
    );
    let last = "(<= terminal (true (step 9)))";
    text.contains(last).then(|| {
        let own = format!("(<= terminal (true (step {})))", guesses + 1);
        text.replace(last, &own)
    })
}

/// As many questions as a binary search needs, then `ready` and the guess: 100; then 70, 50, 30, 10, 0.
fn numberguessing(numbers: usize) -> Option<String> {
    let questions = numbers.next_power_of_two().ilog2() as usize;
    let head = format!(
        "; Numberguessing 1 to {numbers}: ask whether the secret is at most m, or say that you are ready and guess.
; Binary search asks {questions} questions; a guess at step {} or before is worth 100, then 70, 50, 30, 10, 0.
; At most 14 steps.\n",
        questions + 2
    );
    let worth = |step: usize| match step.checked_sub(questions + 4) {
        None => 100,
        Some(late) => [70, 50, 30, 10].get(late).copied().unwrap_or(0),
    };
    let steps = 15;
    Some(rewritten(
        file_of("numberguessing_small")?,
        &head,
        &[
            ("number", facts((1..=numbers).map(|n| format!("(number {n})")))),
            ("after", facts((0..numbers.max(steps)).map(|s| format!("(after {s} {})", s + 1)))),
            ("worth", facts((1..=steps).map(|s| format!("(worth {s} {})", worth(s))))),
        ],
    ))
}

/// The host opens all doors but the chosen one and another, and never the one with the car.
fn monty_hall(doors: usize) -> Option<String> {
    let head = format!(
        "; Monty Hall with {doors} doors. The candidate chooses a door; the host opens all others but one, and
; never the one with the car. Who switches then wins {} times of {doors}.\n",
        doors - 1
    );
    let doors = facts((1..=doors).map(|d| format!("(door {d})")));
    Some(rewritten(file_of("monty_hall_20")?, &head, &[("door", doors)]))
}

fn facts(facts: impl Iterator<Item = String>) -> String {
    facts.collect::<Vec<String>>().join(" ")
}

/// A rule file with another head comment, and with other facts of some relations. In the crate's own
/// files a line of facts has those of one relation only.
fn rewritten(text: &str, head: &str, relations: &[(&str, String)]) -> String {
    let mut out = head.to_owned();
    let mut given = vec![false; relations.len()];
    for line in text.lines().skip_while(|line| line.starts_with(';')) {
        let of = |(name, _): &(&str, String)| {
            line.strip_prefix('(')
                .and_then(|l| l.strip_prefix(name))
                .is_some_and(|l| l.starts_with(' '))
        };
        match relations.iter().position(of) {
            None => _ = writeln!(out, "{line}"),
            Some(place) if !std::mem::replace(&mut given[place], true) => {
                _ = writeln!(out, "{}", relations[place].1);
            }
            Some(_) => {}
        }
    }
    out
}
