//! Whoever a rule names as a role is one, and each role is given once.

use rustc_hash::FxHashSet;

use crate::text::{Atom, Code, Description, Diagnostic, Symbol, Term};

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let mut roles = FxHashSet::default();
    for rule in description.rules.iter().filter(|rule| rule.head.relation == Symbol::ROLE) {
        match &rule.head.arguments[..] {
            [Term::Constant(name, span)] if rule.body.is_empty() => {
                if !roles.insert(*name) {
                    let shown = description.symbols.name(*name);
                    let message = format!("the role `{shown}` is given twice");
                    let help = "remove one of the facts";
                    findings.push(Diagnostic::note(Code::Role, *span, message, help));
                }
            }
            // Who the roles are is then not known before the game runs.
            _ => return,
        }
    }
    if roles.is_empty() {
        return;
    }
    let mut spoken_of = |atom: &Atom| {
        let about = [Symbol::LEGAL, Symbol::DOES, Symbol::GOAL, Symbol::SEES];
        if let [Term::Constant(name, span), _] = &atom.arguments[..]
            && about.contains(&atom.relation)
            && !roles.contains(name)
        {
            let shown = description.symbols.name(*name);
            let mut names: Vec<&str> = roles.iter().map(|r| description.symbols.name(*r)).collect();
            names.sort_unstable();
            let message = format!("`{shown}` is not a role: this never has an effect");
            let help = format!("name one of {}, or add `(role {shown})`", names.join(", "));
            findings.push(Diagnostic::note(Code::Role, *span, message, help));
        }
    };
    for rule in &description.rules {
        spoken_of(&rule.head);
        for condition in &rule.body {
            condition.for_each_atom(&mut |atom, _| spoken_of(atom));
        }
    }
}
