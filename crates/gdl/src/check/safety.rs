//! Safety: whatever stands in a head, a negation or a `distinct` is bound by a positive literal.

use rustc_hash::FxHashSet;

use crate::logic::RolePositions;
use crate::text::{
    Code, Condition, Description, Diagnostic, Severity, Span, Symbol, Symbols, Term,
};

type Variables = FxHashSet<Symbol>;

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let roles = RolePositions::of(description);
    for rule in &description.rules {
        let bound = bound_by_all(&rule.body);
        let mut check = Check { symbols: &description.symbols, findings };
        let role_variables = roles.role_variables(&rule.head);
        for argument in &rule.head.arguments {
            let before = check.findings.len();
            check.bound(argument, &bound, "the head");
            // A head variable that only a role can be has one sensible reading, and play goes on.
            if !matches!(argument, Term::Variable(v, _) if role_variables.contains(v)) {
                let ignored = matches!(rule.head.relation, Symbol::TRUE | Symbol::DOES);
                for finding in &mut check.findings[before..] {
                    finding.severity = if ignored { Severity::Fault } else { Severity::Error };
                }
            }
        }
        rule.body.iter().for_each(|c| check.condition(c, &bound));
    }
}

/// The variables that a conjunction binds.
fn bound_by_all(parts: &[Condition]) -> Variables {
    parts.iter().flat_map(bound_by).collect()
}

/// The variables that a condition binds. An `or` binds what all its branches bind.
fn bound_by(condition: &Condition) -> Variables {
    match condition {
        Condition::Atom(atom) => {
            let mut variables = Variables::default();
            for argument in &atom.arguments {
                argument.for_each_variable(&mut |v, _| {
                    variables.insert(v);
                });
            }
            variables
        }
        Condition::And(parts, _) => bound_by_all(parts),
        Condition::Or(parts, _) => {
            let mut branches = parts.iter().map(bound_by);
            let first = branches.next().unwrap_or_default();
            branches.fold(first, |all, branch| &all & &branch)
        }
        Condition::Not(..) | Condition::Distinct(..) => Variables::default(),
    }
}

struct Check<'a> {
    symbols: &'a Symbols,
    findings: &'a mut Vec<Diagnostic>,
}

impl Check<'_> {
    fn bound(&mut self, term: &Term, bound: &Variables, place: &str) {
        term.for_each_variable(&mut |variable, span| {
            if !bound.contains(&variable) {
                self.report(variable, span, place);
            }
        });
    }

    fn report(&mut self, variable: Symbol, span: Span, place: &str) {
        let name = self.symbols.name(variable);
        let message = format!("the variable `{name}` of {place} is not bound by the body");
        let help = format!(
            "add a positive condition that contains `{name}`, such as `(role {name})` or `(true …)`; an `or` binds only what each of its branches binds"
        );
        self.findings.push(Diagnostic::fault(Code::Safety, span, message, help));
    }

    fn condition(&mut self, condition: &Condition, bound: &Variables) {
        match condition {
            Condition::Atom(_) => {}
            Condition::Distinct(a, b, _) => {
                self.bound(a, bound, "`distinct`");
                self.bound(b, bound, "`distinct`");
            }
            Condition::Not(inner, _) => inner.for_each_atom(&mut |atom, _| {
                for argument in &atom.arguments {
                    self.bound(argument, bound, "`not`");
                }
            }),
            Condition::And(parts, _) => {
                let bound = bound | &bound_by_all(parts);
                parts.iter().for_each(|p| self.condition(p, &bound));
            }
            Condition::Or(parts, _) => {
                for part in parts {
                    self.condition(part, &(bound | &bound_by(part)));
                }
            }
        }
    }
}
