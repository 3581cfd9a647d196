//! Names keep their number of arguments.

use rustc_hash::FxHashMap;

use super::keyword::keyword_arity;
use crate::text::{Atom, Code, Description, Diagnostic, Span, Symbol, Term};

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let mut check = Check { description, findings, first: FxHashMap::default() };
    for rule in &description.rules {
        check.atom(&rule.head);
        for condition in &rule.body {
            condition.for_each_atom(&mut |atom, _| check.atom(atom));
        }
    }
}

struct Check<'a> {
    description: &'a Description,
    findings: &'a mut Vec<Diagnostic>,
    /// The first use of each name as a relation (`true`) or function (`false`).
    first: FxHashMap<(bool, Symbol), (usize, Span)>,
}

impl Check<'_> {
    fn atom(&mut self, atom: &Atom) {
        let count = atom.arguments.len();
        let name = self.description.symbols.name(atom.relation);
        match keyword_arity(atom.relation) {
            Some(expected) if expected != count => {
                let message = format!("`{name}` has {count} arguments instead of {expected}");
                let help = match (atom.relation, count) {
                    (Symbol::TRUE | Symbol::INIT | Symbol::NEXT | Symbol::BASE, 2..) => {
                        format!("put the fact in brackets: `({name} (fact argument …))`")
                    }
                    _ => format!("write `{name}` with {expected} arguments"),
                };
                self.findings.push(Diagnostic::fault(Code::Arity, atom.span, message, help));
            }
            Some(_) => {}
            None => self.name(true, atom.relation, count, atom.span),
        }
        atom.arguments.iter().for_each(|t| self.term(t));
    }

    fn term(&mut self, term: &Term) {
        if let Term::Function(name, arguments, span) = term {
            self.name(false, *name, arguments.len(), *span);
            arguments.iter().for_each(|t| self.term(t));
        }
    }

    fn name(&mut self, relation: bool, symbol: Symbol, count: usize, span: Span) {
        let (before, _) = *self.first.entry((relation, symbol)).or_insert((count, span));
        if before != count {
            let name = self.description.symbols.name(symbol);
            let message = format!("`{name}` has {count} arguments here and {before} before");
            let help = format!("write `{name}` with {before} arguments, or choose another name");
            self.findings.push(Diagnostic::note(Code::Arity, span, message, help));
        }
    }
}
