//! Local stratification: `(goal ?r 0)` may ask for the negation of `(goal ?r 100)`.
//!
//! A relation whose heads all have a constant as the same argument is split by that constant, so that
//! its parts can depend on each other where the whole would depend on itself.

use rustc_hash::FxHashMap;

use super::{AtomPattern, Clause, Literal, Pattern, TermId, Terms, components};
use crate::text::{Relation, Symbol, Symbols};

/// Relations that depend on their own negation.
fn negated_cycles(clauses: &[Clause]) -> Vec<Relation> {
    let mut number: FxHashMap<Relation, usize> = FxHashMap::default();
    let mut relations = Vec::new();
    let mut of = |relation: Relation| {
        *number.entry(relation).or_insert_with(|| {
            relations.push(relation);
            relations.len() - 1
        })
    };
    let mut edges = Vec::new();
    for clause in clauses {
        let head = of(clause.head.relation);
        for literal in &clause.body {
            if let Literal::Holds(atom) | Literal::Fails(atom) = literal {
                edges.push((head, of(atom.relation), matches!(literal, Literal::Fails(_))));
            }
        }
    }
    let mut targets = vec![Vec::new(); relations.len()];
    edges.iter().for_each(|&(from, to, _)| targets[from].push(to));
    let mut component = vec![0; relations.len()];
    for (i, members) in components(&targets).iter().enumerate() {
        members.iter().for_each(|&m| component[m] = i);
    }
    let mut found: Vec<Relation> = edges
        .iter()
        .filter(|&&(from, to, negated)| negated && component[from] == component[to])
        .flat_map(|&(from, to, _)| [relations[from], relations[to]])
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Splits relations that depend on their own negation by a constant argument. `false` if some
/// relation still does.
pub(crate) fn stratify(clauses: &mut Vec<Clause>, terms: &mut Terms) -> bool {
    for relation in negated_cycles(clauses) {
        for place in 0..relation.1 {
            let is_ground = |g: &AtomPattern| matches!(g.arguments[place], Pattern::Ground(_));
            if clauses.iter().filter(|c| c.head.relation == relation).all(|c| is_ground(&c.head)) {
                split(clauses, relation, place, terms);
                break;
            }
        }
    }
    negated_cycles(clauses).is_empty()
}

fn split(clauses: &mut Vec<Clause>, relation: Relation, place: usize, terms: &mut Terms) {
    let mut parts: Vec<(TermId, Symbol)> = Vec::new();
    for clause in clauses.iter() {
        if let Pattern::Ground(term) =
            clause.head.arguments.get(place).unwrap_or(&Pattern::Variable(0))
            && clause.head.relation == relation
            && !parts.iter().any(|(t, _)| t == term)
        {
            // A blank cannot be part of a written name, so this one is new.
            let name = format!("{} {}", terms.symbols().name(relation.0), terms.show(*term));
            let symbol = Symbols::intern(terms.symbols_mut(), &name);
            parts.push((*term, symbol));
        }
    }
    let part = |atom: &mut AtomPattern| {
        if atom.relation == relation
            && let Pattern::Ground(term) = atom.arguments[place]
            && let Some((_, symbol)) = parts.iter().find(|(t, _)| *t == term)
        {
            atom.relation.0 = *symbol;
        }
    };
    for clause in clauses.iter_mut() {
        part(&mut clause.head);
        for literal in &mut clause.body {
            if let Literal::Holds(atom) | Literal::Fails(atom) = literal {
                part(atom);
            }
        }
    }
    // The whole is the union of its parts, for conditions that have a variable there.
    for (term, symbol) in parts {
        let arguments: Vec<Pattern> = (0..relation.1)
            .map(|i| if i == place { Pattern::Ground(term) } else { Pattern::Variable(i as u32) })
            .collect();
        let head = AtomPattern { relation, arguments: arguments.clone() };
        let body = vec![Literal::Holds(AtomPattern { relation: (symbol, relation.1), arguments })];
        let span = Default::default();
        clauses.push(Clause { head, body, variables: relation.1 as u32, span });
    }
}
