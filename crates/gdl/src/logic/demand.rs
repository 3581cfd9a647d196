//! Rules for what is asked, and nothing else: a relation that is only ever asked with constants in some
//! of its places is derived for these constants.
//!
//! "How many of these three cells are mine" may be written for any three cells and asked for six
//! triples; bottom-up evaluation would count all of them. (Magic sets, as far as constants go.)

use rustc_hash::{FxHashMap, FxHashSet};

use super::normal_form::fold;
use super::{AtomPattern, Clause, Literal, Pattern, TermId, Terms};
use crate::text::{Relation, Symbol};

/// Relations that are asked in more ways are left as they are written.
const MOST_WAYS: usize = 64;
/// So many clauses may stand for those of one relation.
const MOST_CLAUSES: usize = 512;
/// Each round follows constants one relation further down.
const ROUNDS: usize = 8;

/// What the game itself asks for, with any arguments.
const ASKED: [Symbol; 11] = [
    Symbol::ROLE,
    Symbol::INIT,
    Symbol::TRUE,
    Symbol::DOES,
    Symbol::NEXT,
    Symbol::LEGAL,
    Symbol::GOAL,
    Symbol::TERMINAL,
    Symbol::BASE,
    Symbol::INPUT,
    Symbol::SEES,
];

/// Rewrites the clauses of relations that are only asked with constants in some place. What is asked
/// keeps its meaning; of the rest less is derived.
pub(super) fn specialise(mut clauses: Vec<Clause>, terms: &mut Terms) -> Vec<Clause> {
    for _ in 0..ROUNDS {
        let asked = asked(&clauses);
        let mut counts: FxHashMap<Relation, usize> = FxHashMap::default();
        clauses.iter().for_each(|c| *counts.entry(c.head.relation).or_default() += 1);
        let mut changed = false;
        let mut done = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let relation = clause.head.relation;
            let Some(ways) = asked.get(&relation).filter(|ways| ways.is_worth(counts[&relation]))
            else {
                done.push(clause);
                continue;
            };
            let is_ground = |&p: &usize| matches!(clause.head.arguments[p], Pattern::Ground(_));
            let narrow = ways.places.iter().all(is_ground);
            let before = done.len();
            for way in &ways.values {
                done.extend(instance(&clause, &ways.places, way, terms));
            }
            changed |= !narrow || done.len() != before + 1;
        }
        clauses = done;
        if !changed {
            break;
        }
    }
    clauses
}

/// With which constants a relation is asked.
struct Ways {
    /// The places that have a constant wherever it is asked.
    places: Vec<usize>,
    /// What stands there, without repetition, in the order of the rules.
    values: Vec<Vec<TermId>>,
}

impl Ways {
    fn is_worth(&self, clauses: usize) -> bool {
        !self.places.is_empty()
            && self.values.len() <= MOST_WAYS
            && self.values.len() * clauses <= MOST_CLAUSES
    }
}

/// How relations are asked that are derived by a rule.
fn asked(clauses: &[Clause]) -> FxHashMap<Relation, Ways> {
    let ruled = clauses.iter().filter(|c| !c.body.is_empty()).map(|c| c.head.relation);
    let ruled: FxHashSet<Relation> = ruled.filter(|r| !ASKED.contains(&r.0)).collect();
    let mut atoms: FxHashMap<Relation, Vec<&AtomPattern>> = FxHashMap::default();
    for literal in clauses.iter().flat_map(|c| &c.body) {
        if let Literal::Holds(atom) | Literal::Fails(atom) = literal
            && ruled.contains(&atom.relation)
        {
            atoms.entry(atom.relation).or_default().push(atom);
        }
    }
    let ways = atoms.into_iter().map(|(relation, atoms)| {
        let constant =
            |atom: &&AtomPattern, p: usize| matches!(atom.arguments[p], Pattern::Ground(_));
        let places: Vec<usize> =
            (0..relation.1).filter(|&p| atoms.iter().all(|atom| constant(atom, p))).collect();
        let (mut met, mut values) = (FxHashSet::default(), Vec::new());
        for atom in atoms {
            let value = |&p: &usize| match atom.arguments[p] {
                Pattern::Ground(term) => Some(term),
                _ => None,
            };
            let way: Vec<TermId> = places.iter().filter_map(value).collect();
            if met.insert(way.clone()) {
                values.push(way);
            }
        }
        (relation, Ways { places, values })
    });
    ways.collect()
}

/// The clause for these constants; `None` if its head cannot have them, or its body cannot hold.
fn instance(
    clause: &Clause,
    places: &[usize],
    way: &[TermId],
    terms: &mut Terms,
) -> Option<Clause> {
    let mut value: Vec<Option<TermId>> = vec![None; clause.variables as usize];
    for (&place, &term) in places.iter().zip(way) {
        if !matches(&clause.head.arguments[place], term, &mut value, terms) {
            return None;
        }
    }
    let mut body = Vec::with_capacity(clause.body.len());
    for literal in &clause.body {
        match literal {
            Literal::Holds(atom) => body.push(Literal::Holds(filled(atom, &value, terms))),
            Literal::Fails(atom) => body.push(Literal::Fails(filled(atom, &value, terms))),
            Literal::Distinct(a, b) => match (fill(a, &value, terms), fill(b, &value, terms)) {
                (a, b) if a == b => return None,
                (Pattern::Ground(_), Pattern::Ground(_)) => {}
                (a, b) => body.push(Literal::Distinct(a, b)),
            },
        }
    }
    Some(Clause { head: filled(&clause.head, &value, terms), body, ..*clause })
}

/// Makes a pattern this term; `false` if it cannot be.
fn matches(pattern: &Pattern, term: TermId, value: &mut [Option<TermId>], terms: &Terms) -> bool {
    match pattern {
        Pattern::Variable(v) => *value[*v as usize].get_or_insert(term) == term,
        Pattern::Ground(own) => *own == term,
        Pattern::Function(name, arguments) => {
            let inner = terms.arguments(term);
            terms.name(term) == *name
                && inner.len() == arguments.len()
                && arguments.iter().zip(inner).all(|(a, &t)| matches(a, t, value, terms))
        }
    }
}

fn filled(atom: &AtomPattern, value: &[Option<TermId>], terms: &mut Terms) -> AtomPattern {
    let arguments = atom.arguments.iter().map(|a| fill(a, value, terms)).collect();
    AtomPattern { relation: atom.relation, arguments }
}

fn fill(pattern: &Pattern, value: &[Option<TermId>], terms: &mut Terms) -> Pattern {
    match pattern {
        Pattern::Variable(v) => value[*v as usize].map_or_else(|| pattern.clone(), Pattern::Ground),
        Pattern::Ground(_) => pattern.clone(),
        Pattern::Function(name, arguments) => {
            let arguments = arguments.iter().map(|a| fill(a, value, terms)).collect();
            fold(*name, arguments, terms)
        }
    }
}
