//! Clauses: a head and a list of literals, without `or`, `and` or nested `not`.

use crate::text::{Relation, Span, Symbol};

use super::TermId;

/// A term with variables, which are numbered within their clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pattern {
    Variable(u32),
    Ground(TermId),
    Function(Symbol, Vec<Pattern>),
}

/// A relation with patterns as arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AtomPattern {
    pub(crate) relation: Relation,
    pub(crate) arguments: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Literal {
    Holds(AtomPattern),
    Fails(AtomPattern),
    Distinct(Pattern, Pattern),
}

/// A head that holds if all literals do.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) head: AtomPattern,
    pub(crate) body: Vec<Literal>,
    pub(crate) variables: u32,
    pub(crate) span: Span,
}

impl Pattern {
    pub(crate) fn for_each_variable(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Pattern::Variable(v) => visit(*v),
            Pattern::Ground(_) => {}
            Pattern::Function(_, arguments) => {
                arguments.iter().for_each(|a| a.for_each_variable(visit));
            }
        }
    }

    pub(crate) fn all_variables(&self, test: &mut impl FnMut(u32) -> bool) -> bool {
        let mut all = true;
        self.for_each_variable(&mut |v| all &= test(v));
        all
    }
}

impl AtomPattern {
    pub(crate) fn for_each_variable(&self, visit: &mut impl FnMut(u32)) {
        self.arguments.iter().for_each(|a| a.for_each_variable(visit));
    }
}

impl Literal {
    pub(crate) fn for_each_variable(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Literal::Holds(atom) | Literal::Fails(atom) => atom.for_each_variable(visit),
            Literal::Distinct(a, b) => {
                a.for_each_variable(visit);
                b.for_each_variable(visit);
            }
        }
    }
}
