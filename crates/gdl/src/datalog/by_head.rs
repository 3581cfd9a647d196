//! Clauses by the relation of their head.

use super::facts::Facts;
use super::strata::Stratum;
use crate::logic::Clause;
use crate::text::{Code, Diagnostic};

/// Clauses by the relation of their head.
pub(crate) struct ClausesByHead<'a> {
    clauses: &'a [Clause],
    of: Vec<Vec<usize>>,
}

impl<'a> ClausesByHead<'a> {
    pub(crate) fn new(clauses: &'a [Clause], facts: &mut Facts) -> Self {
        let mut of = vec![Vec::new(); facts.rows.len()];
        for (number, clause) in clauses.iter().enumerate() {
            of[facts.relation(clause.head.relation)].push(number);
        }
        ClausesByHead { clauses, of }
    }

    pub(crate) fn stratum(
        &self,
        members: &[usize],
        facts: &mut Facts,
        complete: &dyn Fn(usize) -> bool,
    ) -> Result<Stratum, Diagnostic> {
        let own: Vec<(usize, &Clause)> = members
            .iter()
            .flat_map(|&m| self.of[m].iter().map(|&n| (n, &self.clauses[n])))
            .collect();
        Stratum::plan(members, &own, facts, complete).map_err(|(number, _)| {
            let name = facts.terms.symbols().name(self.clauses[number].head.relation.0);
            let span = self.clauses[number].span;
            let message = format!("a variable in the head `{name}` is not bound by the body");
            let help = "add a positive condition that contains the variable";
            Diagnostic::error(Code::Safety, span, message, help)
        })
    }
}
