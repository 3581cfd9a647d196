//! Keywords stand where they have a meaning.

use crate::text::{Atom, Code, Description, Diagnostic, Symbol, Term};

/// The number of arguments of a keyword.
pub(crate) fn keyword_arity(symbol: Symbol) -> Option<usize> {
    Some(match symbol {
        Symbol::ROLE | Symbol::INIT | Symbol::TRUE | Symbol::NEXT | Symbol::BASE => 1,
        Symbol::DOES | Symbol::LEGAL | Symbol::GOAL | Symbol::INPUT | Symbol::SEES => 2,
        Symbol::TERMINAL => 0,
        _ => return None,
    })
}

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    for rule in &description.rules {
        head(description, &rule.head, findings);
        for condition in &rule.body {
            condition.for_each_atom(&mut |atom, _| body(description, atom, findings));
        }
    }
}

fn head(description: &Description, atom: &Atom, findings: &mut Vec<Diagnostic>) {
    arguments(description, atom, findings);
    if let Symbol::TRUE | Symbol::DOES = atom.relation {
        let name = description.symbols.name(atom.relation);
        let help = match atom.relation {
            Symbol::TRUE => "write `next` for what holds after the move, `init` for the start",
            _ => "write `legal` for what may be played",
        };
        let message = format!("`{name}` is given by the game and cannot be a head; it is ignored");
        findings.push(Diagnostic::fault(Code::Keyword, atom.span, message, help));
    }
}

fn body(description: &Description, atom: &Atom, findings: &mut Vec<Diagnostic>) {
    arguments(description, atom, findings);
    if atom.relation == Symbol::NOT {
        let message = "`not` stands without brackets and negates nothing";
        let help = "write `(not condition)`";
        findings.push(Diagnostic::fault(Code::Keyword, atom.span, message, help));
    }
    if let Symbol::INIT | Symbol::NEXT | Symbol::BASE | Symbol::INPUT | Symbol::SEES = atom.relation
    {
        let name = description.symbols.name(atom.relation);
        let message = format!("`{name}` stands in a body, but may only be a head");
        let help = match atom.relation {
            Symbol::SEES => "repeat the conditions under which it is seen",
            _ => "write `(true …)` to ask for the state, or name the condition as a relation",
        };
        findings.push(Diagnostic::fault(Code::Keyword, atom.span, message, help));
    }
}

/// Keywords inside terms are plain names there, which is legal but easily a slip.
fn arguments(description: &Description, atom: &Atom, findings: &mut Vec<Diagnostic>) {
    fn visit(description: &Description, term: &Term, findings: &mut Vec<Diagnostic>) {
        if let Term::Function(name, inner, span) = term {
            let logical = matches!(*name, Symbol::NOT | Symbol::OR | Symbol::AND | Symbol::IF);
            if logical || keyword_arity(*name).is_some() || *name == Symbol::DISTINCT {
                let name = description.symbols.name(*name);
                let message = format!("`{name}` inside a term is a name like any other");
                let help = format!("choose another name than `{name}`, unless this is meant");
                let finding = if logical { Diagnostic::fault } else { Diagnostic::note };
                findings.push(finding(Code::Keyword, *span, message, help));
            }
            inner.iter().for_each(|t| visit(description, t, findings));
        }
    }
    atom.arguments.iter().for_each(|t| visit(description, t, findings));
}
