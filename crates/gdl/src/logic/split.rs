//! Splits long rules: a variable that only a few conditions share is decided by a rule of its own.
//!
//! Adding up the eight rows of a board through eight intermediate sums has as many instances as
//! there are ways through the sums, which is exponential; with one rule for each step it is the
//! number of sums. (Bucket elimination, applied to a rule's body.)

use super::{AtomPattern, Clause, Literal, Pattern, Terms};
use crate::text::Symbol;

/// Shorter rules are left as they are written.
const LONG: usize = 4;

/// How many arguments the new relations may have.
const MOST_ARGUMENTS: usize = 3;

/// Splits all rules that are long.
pub(crate) fn split(clauses: Vec<Clause>, terms: &mut Terms) -> Vec<Clause> {
    let mut done = Vec::with_capacity(clauses.len());
    let mut count = 0;
    for mut clause in clauses {
        while let Some((group, kept)) = candidate(&clause) {
            // A blank cannot be part of a written name, so this one is new.
            let name = terms.symbols_mut().intern(&format!("part {count}"));
            count += 1;
            let arguments: Vec<Pattern> = kept.iter().map(|&v| Pattern::Variable(v)).collect();
            let head = AtomPattern { relation: (name, arguments.len()), arguments };
            let (inside, outside): (Vec<_>, Vec<_>) =
                clause.body.into_iter().enumerate().partition(|(i, _)| group.contains(i));
            let strip = |list: Vec<(usize, Literal)>| list.into_iter().map(|(_, l)| l).collect();
            let (variables, span) = (clause.variables, clause.span);
            done.push(Clause { head: head.clone(), body: strip(inside), variables, span });
            clause.body = strip(outside);
            clause.body.push(Literal::Holds(head));
        }
        done.push(clause);
    }
    done
}

pub(super) fn variables(literal: &Literal) -> Vec<u32> {
    let mut found = Vec::new();
    literal.for_each_variable(&mut |v| found.push(v));
    found.sort_unstable();
    found.dedup();
    found
}

/// Literals that can go into a rule of their own, and the variables that this rule must pass on: the
/// smallest such rule. They are those of one variable, in long rules, or those of all variables of a
/// condition that the head does not have: "some move leaves this cell alone" is then one rule for each
/// cell, whatever stands there.
fn candidate(clause: &Clause) -> Option<(Vec<usize>, Vec<u32>)> {
    let of: Vec<Vec<u32>> = clause.body.iter().map(variables).collect();
    let mut in_head = Vec::new();
    clause.head.for_each_variable(&mut |v| in_head.push(v));
    let holds = |i: usize| matches!(clause.body[i], Literal::Holds(_));
    let positive = (0..of.len()).filter(|&i| holds(i)).count();
    let mut all: Vec<u32> = of.concat();
    all.sort_unstable();
    all.dedup();
    let inner = |v: &u32| !in_head.contains(v);
    let one = all.into_iter().filter(inner).filter(|_| positive >= LONG).map(|v| vec![v]);
    let several = (0..of.len())
        .filter(|&i| holds(i) && !is_small(&clause.body[i]))
        .map(|i| of[i].iter().copied().filter(inner).collect::<Vec<u32>>());
    let mut best: Option<(Vec<usize>, Vec<u32>)> = None;
    for decided in one.chain(several).filter(|decided| !decided.is_empty()) {
        let concerns = |i: &usize| of[*i].iter().any(|v| decided.contains(v));
        let group: Vec<usize> = (0..of.len()).filter(concerns).collect();
        let bound: Vec<u32> =
            group.iter().filter(|&&i| holds(i)).flat_map(|&i| of[i].clone()).collect();
        let asked = |v: &u32| bound.contains(v);
        let size = group.iter().filter(|&&i| holds(i)).count();
        let elsewhere = |v: &u32| {
            in_head.contains(v) || (0..of.len()).any(|i| !group.contains(&i) && of[i].contains(v))
        };
        let mut kept: Vec<u32> = bound.iter().copied().filter(elsewhere).collect();
        kept.sort_unstable();
        kept.dedup();
        // A single condition is worth a rule if it is multiplied by others.
        let others = (0..of.len()).filter(|i| holds(*i) && !group.contains(i));
        let multiplied = others.flat_map(|i| &of[i]).any(|v| !kept.contains(v));
        // All conditions would be the rule itself.
        let worth = size < positive && (size > 1 || multiplied);
        if !worth || !group.iter().all(|&i| of[i].iter().all(asked)) {
            continue;
        }
        let fits = kept.len() <= MOST_ARGUMENTS && bound.len() > kept.len();
        if fits && best.as_ref().is_none_or(|(g, k)| (kept.len(), group.len()) < (k.len(), g.len()))
        {
            best = Some((group, kept));
        }
    }
    best
}

/// Whether a condition has so few facts that it multiplies nothing.
pub(super) fn is_small(literal: &Literal) -> bool {
    match literal {
        Literal::Holds(atom) => atom.relation.0 == Symbol::ROLE,
        _ => true,
    }
}
