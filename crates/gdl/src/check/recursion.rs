//! The recursion restriction of the GDL specification: through a cycle, arguments are only passed
//! on, fixed, or taken from outside the cycle, so that terms cannot grow without end.

use super::Dependencies;
use crate::text::{Atom, Code, Description, Diagnostic, Term};

pub(super) fn check(
    description: &Description,
    dependencies: &Dependencies,
    findings: &mut Vec<Diagnostic>,
) {
    for rule in &description.rules {
        let head = (rule.head.relation, rule.head.arguments.len());
        let mut positive: Vec<&Atom> = Vec::new();
        for condition in &rule.body {
            condition.for_each_atom(&mut |atom, negated| {
                if !negated {
                    positive.push(atom);
                }
            });
        }
        for atom in &positive {
            if !dependencies.in_cycle(head, (atom.relation, atom.arguments.len())) {
                continue;
            }
            for argument in &atom.arguments {
                let outside = || {
                    positive
                        .iter()
                        .filter(|a| !dependencies.in_cycle(head, (a.relation, a.arguments.len())))
                        .any(|a| a.arguments.iter().any(|t| same(t, argument)))
                };
                if is_ground(argument)
                    || rule.head.arguments.iter().any(|t| same(t, argument))
                    || outside()
                {
                    continue;
                }
                let shown = argument.show(&description.symbols).to_string();
                let name = description.symbols.name(rule.head.relation);
                let message =
                    format!("`{shown}` goes through the recursion of `{name}` without a bound");
                let help = format!(
                    "add a condition outside the recursion that contains `{shown}`, or make it an argument of the head"
                );
                findings.push(Diagnostic::fault(Code::Recursion, argument.span(), message, help));
            }
        }
    }
}

fn is_ground(term: &Term) -> bool {
    let mut ground = true;
    term.for_each_variable(&mut |_, _| ground = false);
    ground
}

/// Whether two terms are the same, wherever they stand.
fn same(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Variable(a, _), Term::Variable(b, _)) => a == b,
        (Term::Constant(a, _), Term::Constant(b, _)) => a == b,
        (Term::Function(f, a, _), Term::Function(g, b, _)) => {
            f == g && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => false,
    }
}
