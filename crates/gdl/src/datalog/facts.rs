//! The facts that hold, by relation, with their indexes.

use rustc_hash::FxHashMap;

use super::index::{Index, Shape};
use crate::logic::{TermId, Terms};
use crate::text::Relation;

const ABSENT: u32 = u32::MAX;

/// The facts of one relation in order of insertion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) facts: Vec<TermId>,
    pub(crate) indexes: Vec<Index>,
    by_shape: FxHashMap<(Vec<Shape>, Vec<usize>), usize>,
    /// Semi-naive evaluation: rows before this are old …
    pub(crate) old: u32,
    /// … and rows from there to here are the newest that may be used.
    pub(crate) known: u32,
}

/// Facts and terms together.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) terms: Terms,
    pub(crate) rows: Vec<Rows>,
    number: FxHashMap<Relation, usize>,
    pub(crate) relations: Vec<Relation>,
    /// The row of each term in the relation of its name and arity.
    row_of: Vec<u32>,
    arguments: Vec<TermId>,
}

impl Facts {
    pub(crate) fn new(terms: Terms) -> Self {
        Facts {
            terms,
            rows: Vec::new(),
            number: FxHashMap::default(),
            relations: Vec::new(),
            row_of: Vec::new(),
            arguments: Vec::new(),
        }
    }

    /// The number of a relation, added if it is new.
    pub(crate) fn relation(&mut self, relation: Relation) -> usize {
        *self.number.entry(relation).or_insert_with(|| {
            self.relations.push(relation);
            self.rows.push(Rows::default());
            self.rows.len() - 1
        })
    }

    /// The name of a relation.
    pub(crate) fn name_of(&self, relation: usize) -> &str {
        self.terms.symbols().name(self.relations[relation].0)
    }

    pub(crate) fn find_relation(&self, relation: Relation) -> Option<usize> {
        self.number.get(&relation).copied()
    }

    /// The row of a fact, if it holds.
    #[inline]
    pub(crate) fn row(&self, fact: TermId) -> Option<u32> {
        match self.row_of.get(fact.index()) {
            Some(&row) if row != ABSENT => Some(row),
            _ => None,
        }
    }

    /// Adds a fact; `false` if it held already.
    pub(crate) fn insert(&mut self, relation: usize, fact: TermId) -> bool {
        if self.row_of.len() <= fact.index() {
            self.row_of.resize(self.terms.len().max(fact.index() + 1), ABSENT);
        }
        if self.row_of[fact.index()] != ABSENT {
            return false;
        }
        let rows = &mut self.rows[relation];
        let row = rows.facts.len() as u32;
        self.row_of[fact.index()] = row;
        rows.facts.push(fact);
        if !rows.indexes.is_empty() {
            let arguments = self.terms.arguments(fact);
            for index in &mut rows.indexes {
                index.insert(arguments, row, &self.terms);
            }
        }
        true
    }

    /// Removes all facts of a relation.
    pub(crate) fn clear(&mut self, relation: usize) {
        let rows = &mut self.rows[relation];
        for fact in rows.facts.drain(..) {
            self.row_of[fact.index()] = ABSENT;
        }
        rows.indexes.iter_mut().for_each(Index::clear);
        (rows.old, rows.known) = (0, 0);
    }

    /// The index of a relation for a shape and key, made if it is new.
    pub(crate) fn index(&mut self, relation: usize, shape: Vec<Shape>, keyed: Vec<usize>) -> usize {
        let rows = &mut self.rows[relation];
        if let Some(&found) = rows.by_shape.get(&(shape.clone(), keyed.clone())) {
            return found;
        }
        let holes = shape.iter().map(holes).sum();
        let mut index = Index::new(shape.clone(), keyed.clone(), holes);
        for (row, &fact) in rows.facts.iter().enumerate() {
            self.arguments.clear();
            self.arguments.extend_from_slice(self.terms.arguments(fact));
            index.insert(&self.arguments, row as u32, &self.terms);
        }
        rows.indexes.push(index);
        rows.by_shape.insert((shape, keyed), rows.indexes.len() - 1);
        rows.indexes.len() - 1
    }
}

fn holes(shape: &Shape) -> usize {
    match shape {
        Shape::Hole => 1,
        Shape::Function(_, inner) => inner.iter().map(holes).sum(),
    }
}
