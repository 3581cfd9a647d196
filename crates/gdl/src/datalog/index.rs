//! An index: the facts of one shape, found by some of the terms in them.

use rustc_hash::FxHashMap;

use crate::logic::{TermId, Terms};
use crate::text::Symbol;

/// The shape of an argument: any term, or a function of shapes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    Hole,
    Function(Symbol, Vec<Shape>),
}

impl Shape {
    /// Appends the terms in the holes, from left to right; `false` if the term is of another shape.
    pub(crate) fn take(&self, term: TermId, terms: &Terms, holes: &mut Vec<TermId>) -> bool {
        match self {
            Shape::Hole => {
                holes.push(term);
                true
            }
            Shape::Function(name, inner) => {
                let arguments = terms.arguments(term);
                terms.name(term) == *name
                    && arguments.len() == inner.len()
                    && inner.iter().zip(arguments).all(|(s, &t)| s.take(t, terms, holes))
            }
        }
    }
}

const END: u32 = u32::MAX;

/// Entries in order of insertion, chained by key.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) shape: Vec<Shape>,
    /// Which holes make the key.
    pub(crate) keyed: Vec<usize>,
    holes: usize,
    chains: FxHashMap<u64, (u32, u32)>,
    next: Vec<u32>,
    /// The row of each entry in its relation.
    rows: Vec<u32>,
    values: Vec<TermId>,
}

/// A number for a key: exact up to two terms, a hash beyond, where values are compared again.
#[inline]
fn key(values: impl Iterator<Item = TermId>) -> u64 {
    let mut key = 0u64;
    for (i, value) in values.enumerate() {
        key =
            if i < 2 { key << 32 } else { key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) }
                ^ u64::from(value.0);
    }
    key
}

impl Index {
    pub(crate) fn new(shape: Vec<Shape>, keyed: Vec<usize>, holes: usize) -> Self {
        Index {
            shape,
            keyed,
            holes,
            chains: FxHashMap::default(),
            next: Vec::new(),
            rows: Vec::new(),
            values: Vec::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.chains.clear();
        self.next.clear();
        self.rows.clear();
        self.values.clear();
    }

    pub(crate) fn insert(&mut self, arguments: &[TermId], row: u32, terms: &Terms) {
        let before = self.values.len();
        let fits =
            self.shape.iter().zip(arguments).all(|(s, &t)| s.take(t, terms, &mut self.values));
        if !fits {
            self.values.truncate(before);
            return;
        }
        let key = key(self.keyed.iter().map(|&hole| self.values[before + hole]));
        let entry = self.rows.len() as u32;
        self.rows.push(row);
        self.next.push(END);
        let next = &mut self.next;
        self.chains
            .entry(key)
            .and_modify(|(_, last)| {
                next[*last as usize] = entry;
                *last = entry;
            })
            .or_insert((entry, entry));
    }

    /// The first entry with this key.
    #[inline]
    pub(crate) fn first(&self, wanted: &[TermId]) -> Option<u32> {
        self.chains.get(&key(wanted.iter().copied())).map(|&(first, _)| first)
    }

    /// The entry after this one in its chain.
    #[inline]
    pub(crate) fn after(&self, entry: u32) -> Option<u32> {
        let next = self.next[entry as usize];
        (next != END).then_some(next)
    }

    #[inline]
    pub(crate) fn row(&self, entry: u32) -> u32 {
        self.rows[entry as usize]
    }

    #[inline]
    pub(crate) fn values(&self, entry: u32) -> &[TermId] {
        let at = entry as usize * self.holes;
        &self.values[at..at + self.holes]
    }

    /// Whether an entry of the right chain really has the key.
    #[inline]
    pub(crate) fn agrees(&self, entry: u32, wanted: &[TermId]) -> bool {
        self.keyed.len() <= 2 || {
            let values = self.values(entry);
            self.keyed.iter().zip(wanted).all(|(&hole, &term)| values[hole] == term)
        }
    }

    /// Entries per key, as an estimate of what a look-up gives.
    pub(crate) fn mean_chain(&self) -> f64 {
        self.rows.len() as f64 / self.chains.len().max(1) as f64
    }
}
