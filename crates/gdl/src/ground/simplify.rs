//! Removes what is constant: facts that always hold, and facts that never can.

use std::time::Instant;

use super::instances::{GroundLiteral, GroundRules};
use crate::datalog::{Interrupt, TimeLimit};
use crate::logic::TermId;
use crate::text::Symbol;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// No rule is left that derives it.
    Never,
    /// It depends.
    Sometimes,
    /// A rule without conditions derives it.
    Always,
}

/// Propagates constants until nothing changes, and removes the same conditions written twice.
pub(super) fn simplify(rules: &mut GroundRules, deadline: Instant) -> Result<(), Interrupt> {
    let mut value = vec![Value::Never; rules.facts.terms.len()];
    let mut before = usize::MAX;
    loop {
        // States and moves are given from outside.
        let given = |t: TermId| matches!(rules.facts.terms.name(t), Symbol::TRUE | Symbol::DOES);
        for (i, value) in value.iter_mut().enumerate() {
            let term = TermId(i as u32);
            let outside = given(term) && rules.facts.row(term).is_some();
            *value = if outside { Value::Sometimes } else { Value::Never };
        }
        let mut work = 0;
        for i in 0..rules.count() {
            let (head, body) = rules.rule(i);
            work += body.len() + 1;
            let value = &mut value[head.index()];
            match body {
                [] => *value = Value::Always,
                _ if *value == Value::Never => *value = Value::Sometimes,
                _ => {}
            }
        }
        if work == before {
            return Ok(());
        }
        TimeLimit::Until(deadline).pulse()?;
        before = work;
        rules.rewrite(|head, old, body: &mut Vec<GroundLiteral>| {
            if value[head.index()] == Value::Always && !old.is_empty() {
                return false;
            }
            for &(fact, negated) in old {
                match (value[fact.index()], negated) {
                    (Value::Always, false) | (Value::Never, true) => {}
                    (Value::Always, true) | (Value::Never, false) => return false,
                    (Value::Sometimes, _) => body.push((fact, negated)),
                }
            }
            body.sort_unstable();
            body.dedup();
            // A fact and its negation, or the head itself, among the conditions: no use.
            !body.windows(2).any(|w| w[0].0 == w[1].0) && !body.contains(&(head, false))
        });
    }
}
