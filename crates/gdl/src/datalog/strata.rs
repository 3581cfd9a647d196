//! Clauses in strata: each stratum is evaluated when all that it depends on is complete.

use rustc_hash::FxHashSet;

use super::emit::{Emit, Interrupted};
use super::facts::Facts;
use super::plan::{Mode, Plan, Planning, Unbound};
use super::run::Runner;
use crate::logic::{Clause, Literal, components};

/// The dependencies of relations, by number.
pub(crate) struct Strata {
    /// The relations in an order in which each comes after those it depends on, cycles together.
    pub(crate) order: Vec<Vec<usize>>,
    /// The relations on which each depends directly.
    pub(crate) on: Vec<Vec<usize>>,
}

impl Strata {
    pub(crate) fn of(clauses: &[Clause], facts: &mut Facts) -> Self {
        let mut on: Vec<FxHashSet<usize>> = Vec::new();
        for clause in clauses {
            let head = facts.relation(clause.head.relation);
            for literal in &clause.body {
                if let Literal::Holds(atom) | Literal::Fails(atom) = literal {
                    let relation = facts.relation(atom.relation);
                    on.resize_with(facts.rows.len(), FxHashSet::default);
                    on[head].insert(relation);
                }
            }
        }
        on.resize_with(facts.rows.len(), FxHashSet::default);
        let on: Vec<Vec<usize>> = on
            .into_iter()
            .map(|set| {
                let mut list: Vec<usize> = set.into_iter().collect();
                list.sort_unstable();
                list
            })
            .collect();
        Strata { order: components(&on), on }
    }

    /// These relations and all on which they depend.
    pub(crate) fn needed(&self, roots: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut needed = vec![false; self.on.len()];
        let mut stack: Vec<usize> = roots.into_iter().collect();
        while let Some(relation) = stack.pop() {
            if !std::mem::replace(&mut needed[relation], true) {
                stack.extend(&self.on[relation]);
            }
        }
        needed
    }

    /// Whether each relation depends on one of these.
    pub(crate) fn depending(&self, roots: &[usize]) -> Vec<bool> {
        let mut depending = vec![false; self.on.len()];
        roots.iter().for_each(|&r| depending[r] = true);
        // Components come after what they depend on, so one pass is enough.
        for members in &self.order {
            if members.iter().any(|&m| depending[m] || self.on[m].iter().any(|&r| depending[r])) {
                members.iter().for_each(|&m| depending[m] = true);
            }
        }
        depending
    }
}

/// One stratum: relations that may depend on each other, with the plans of their clauses.
#[derive(Clone, Debug)]
pub(crate) struct Stratum {
    relations: Vec<usize>,
    /// Plans that depend on complete relations only.
    once: Vec<Plan>,
    /// Plans that start from the newest facts of this stratum.
    again: Vec<Plan>,
}

impl Stratum {
    /// Plans the clauses of these relations.
    pub(crate) fn plan(
        relations: &[usize],
        clauses: &[(usize, &Clause)],
        facts: &mut Facts,
        complete: &dyn Fn(usize) -> bool,
    ) -> Result<Self, (usize, Unbound)> {
        let growing = |r: usize| relations.contains(&r);
        let mut stratum = Stratum { relations: relations.to_vec(), once: vec![], again: vec![] };
        for &(number, clause) in clauses {
            let mut recursive = Vec::new();
            for (i, literal) in clause.body.iter().enumerate() {
                if let Literal::Holds(atom) = literal
                    && growing(facts.relation(atom.relation))
                {
                    recursive.push(i);
                }
            }
            let mut plan = |newest| {
                let mode = Mode { newest, growing: &growing, complete, skip_negation: &|_| false };
                Planning { facts }.plan(number, clause, &mode).map_err(|e| (number, e))
            };
            match &recursive[..] {
                [] => stratum.once.push(plan(None)?),
                _ => {
                    for &i in &recursive {
                        stratum.again.push(plan(Some(i))?);
                    }
                }
            }
        }
        Ok(stratum)
    }

    /// Derives all facts of the stratum (semi-naive evaluation).
    pub(crate) fn evaluate(
        &self,
        facts: &mut Facts,
        runner: &mut Runner,
        emit: &mut impl Emit,
    ) -> Result<(), Interrupted> {
        for plan in &self.once {
            runner.run(plan, facts, emit)?;
        }
        if self.again.is_empty() {
            return Ok(());
        }
        loop {
            let mut grown = false;
            for &relation in &self.relations {
                let rows = &mut facts.rows[relation];
                rows.old = rows.known;
                rows.known = rows.facts.len() as u32;
                grown |= rows.known > rows.old;
            }
            if !grown {
                return Ok(());
            }
            for plan in &self.again {
                runner.run(plan, facts, emit)?;
            }
        }
    }
}
