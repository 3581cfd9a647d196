//! Writing a transcript of random matches.

use std::fmt::Write;

use patience_model::Rng;

use crate::engine::{Reasoner, RunError};
use crate::logic::TermId;

/// How much is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Matches.
    pub matches: usize,
    /// Moves after which a match is cut, with `maxsteps` as its end.
    pub most_moves: usize,
}

/// Plays random matches and writes down all that happens, terms in the order of
/// [`Terms::compare`](crate::Terms::compare). The same for every engine.
///
/// # Errors
/// If a role has no legal move, or the rules derive facts without end, or for too long.
pub fn write(
    reasoner: &mut impl Reasoner,
    rng: &mut Rng,
    length: Length,
) -> Result<String, RunError> {
    let mut text = String::new();
    write_by(reasoner, rng, length, &mut |lines| {
        text.push_str(lines);
        true
    })?;
    Ok(text)
}

/// The same in pieces: whole lines go to `print` as soon as they are known, about one state at a
/// time; `false` from it ends the writing.
///
/// # Errors
/// If a role has no legal move, or the rules derive facts without end, or for too long.
pub fn write_by(
    reasoner: &mut impl Reasoner,
    rng: &mut Rng,
    length: Length,
    print: &mut dyn FnMut(&str) -> bool,
) -> Result<(), RunError> {
    let mut text = String::from("ROLES");
    for &role in reasoner.roles() {
        push(&mut text, ' ', reasoner, role);
    }
    text.push('\n');
    let mut terms = Vec::new();
    let mut joint = Vec::new();
    let roles = reasoner.roles().to_vec();
    for number in 1..=length.matches {
        let _ = writeln!(text, "MATCH {number}");
        reasoner.start()?;
        let mut step = 0;
        let end = loop {
            reasoner.state(&mut terms);
            line(&mut text, &format!("STATE {step}"), reasoner, &mut terms);
            if !print(&std::mem::take(&mut text)) {
                return Ok(());
            }
            if reasoner.terminal()? {
                text.push_str("TERMINAL\n");
                for (role, &name) in roles.iter().enumerate() {
                    reasoner.goals(role, &mut terms)?;
                    sort(reasoner, &mut terms);
                    for &goal in &terms {
                        text.push_str("GOAL");
                        push(&mut text, ' ', reasoner, name);
                        push(&mut text, ' ', reasoner, goal);
                        text.push('\n');
                    }
                }
                break "ok";
            }
            joint.clear();
            for (role, &name) in roles.iter().enumerate() {
                reasoner.legal(role, &mut terms)?;
                let head = format!("LEGAL {}", reasoner.terms().show(name));
                line(&mut text, &head, reasoner, &mut terms);
                // Chosen from the sorted list, so that all engines play the same match.
                if terms.is_empty() {
                    let role = reasoner.terms().show(name).to_string();
                    return Err(RunError::NoLegalMove { role });
                }
                joint.push(rng.pick(&terms));
            }
            if step == length.most_moves {
                break "maxsteps";
            }
            text.push_str("MOVE");
            joint.iter().for_each(|&action| push(&mut text, '\t', reasoner, action));
            text.push('\n');
            reasoner.play(&joint)?;
            step += 1;
            for (role, &name) in roles.iter().enumerate() {
                reasoner.percepts(role, &mut terms);
                let head = format!("SEES {}", reasoner.terms().show(name));
                line(&mut text, &head, reasoner, &mut terms);
            }
        };
        let _ = writeln!(text, "ENDMATCH {end}");
    }
    text.push_str("END ok\n");
    print(&text);
    Ok(())
}

fn push(text: &mut String, separator: char, reasoner: &impl Reasoner, term: TermId) {
    let _ = write!(text, "{separator}{}", reasoner.terms().show(term));
}

fn sort(reasoner: &impl Reasoner, terms: &mut Vec<TermId>) {
    terms.sort_by(|&a, &b| reasoner.terms().compare(a, b));
    terms.dedup();
}

fn line(text: &mut String, head: &str, reasoner: &impl Reasoner, terms: &mut Vec<TermId>) {
    sort(reasoner, terms);
    text.push_str(head);
    terms.iter().for_each(|&term| push(text, '\t', reasoner, term));
    text.push('\n');
}
