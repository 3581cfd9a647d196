//! Ground terms, each stored once: equal terms have equal numbers.

use std::cmp::Ordering;
use std::fmt;
use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::text::{Code, Diagnostic, Symbol, Symbols, Term, read_ground_term};

/// A ground term, as a number in a [`Terms`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub(crate) u32);

impl TermId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

const EMPTY: u32 = u32::MAX;

/// The table of ground terms. Facts are terms too: `(cell 1 1 b)` as a relation and as a function
/// are the same term.
#[derive(Clone, Debug)]
pub struct Terms {
    symbols: Symbols,
    names: Vec<Symbol>,
    /// Where the arguments of each term start; one more than there are terms.
    starts: Vec<u32>,
    arguments: Vec<TermId>,
    /// Open addressing; a power of two, at most half full.
    slots: Vec<u32>,
}

impl Terms {
    /// A table with these names and no terms.
    pub fn new(symbols: Symbols) -> Self {
        Terms {
            symbols,
            names: Vec::new(),
            starts: vec![0],
            arguments: Vec::new(),
            slots: vec![EMPTY; 64],
        }
    }

    /// The names.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The names, to be added to.
    pub fn symbols_mut(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of a term.
    #[inline]
    pub fn name(&self, term: TermId) -> Symbol {
        self.names[term.index()]
    }

    /// The arguments of a term.
    #[inline]
    pub fn arguments(&self, term: TermId) -> &[TermId] {
        let start = self.starts[term.index()] as usize;
        &self.arguments[start..self.starts[term.index() + 1] as usize]
    }

    /// The slot in which the term is or would be.
    fn slot(&self, name: Symbol, arguments: &[TermId]) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write_u32(name.0);
        for argument in arguments {
            hasher.write_u32(argument.0);
        }
        let mask = self.slots.len() - 1;
        let mut at = hasher.finish() as usize & mask;
        loop {
            let found = self.slots[at];
            if found == EMPTY {
                return at;
            }
            let found = TermId(found);
            if self.name(found) == name && self.arguments(found) == arguments {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The term, if it is in the table.
    #[inline]
    pub fn find(&self, name: Symbol, arguments: &[TermId]) -> Option<TermId> {
        let found = self.slots[self.slot(name, arguments)];
        (found != EMPTY).then_some(TermId(found))
    }

    /// The term, added if it is new.
    pub fn intern(&mut self, name: Symbol, arguments: &[TermId]) -> TermId {
        let mut slot = self.slot(name, arguments);
        if self.slots[slot] != EMPTY {
            return TermId(self.slots[slot]);
        }
        if (self.names.len() + 1) * 2 > self.slots.len() {
            self.slots = vec![EMPTY; self.slots.len() * 2];
            for term in 0..self.names.len() as u32 {
                let slot = self.slot(self.name(TermId(term)), self.arguments(TermId(term)));
                self.slots[slot] = term;
            }
            slot = self.slot(name, arguments);
        }
        let term = TermId(self.names.len() as u32);
        self.slots[slot] = term.0;
        self.names.push(name);
        self.arguments.extend_from_slice(arguments);
        self.starts.push(self.arguments.len() as u32);
        term
    }

    /// The term of a syntax tree; `None` if there is a variable in it.
    pub fn intern_syntax(&mut self, term: &Term) -> Option<TermId> {
        let (name, arguments) = match term {
            Term::Variable(..) => return None,
            Term::Constant(name, _) => (*name, Vec::new()),
            Term::Function(name, arguments, _) => {
                (*name, arguments.iter().map(|a| self.intern_syntax(a)).collect::<Option<_>>()?)
            }
        };
        Some(self.intern(name, &arguments))
    }

    /// Reads a term such as `(move a 1)`.
    ///
    /// # Errors
    /// If the text is not one ground term.
    pub fn read(&mut self, text: &str) -> Result<TermId, Diagnostic> {
        let term = read_ground_term(text, &mut self.symbols)?;
        self.intern_syntax(&term).ok_or_else(|| {
            let help = "write one term without variables";
            Diagnostic::error(Code::Syntax, term.span(), "not a ground term", help)
        })
    }

    /// The term that a text stands for, if it is in the table.
    pub fn look_up(&self, text: &str) -> Option<TermId> {
        let mut symbols = self.symbols.clone();
        self.find_syntax(&read_ground_term(text, &mut symbols).ok()?)
    }

    fn find_syntax(&self, term: &Term) -> Option<TermId> {
        match term {
            Term::Variable(..) => None,
            Term::Constant(name, _) => self.find(*name, &[]),
            Term::Function(name, arguments, _) => {
                let find = |argument| self.find_syntax(argument);
                let arguments = arguments.iter().map(find).collect::<Option<Vec<TermId>>>()?;
                self.find(*name, &arguments)
            }
        }
    }

    /// Shows a term, names as first spelt.
    pub fn show(&self, term: TermId) -> impl fmt::Display + '_ {
        AsText { terms: self, term }
    }

    /// An order for people: numbers by value, then words by name, then by arguments from the left.
    pub fn compare(&self, a: TermId, b: TermId) -> Ordering {
        // Without recursion: terms that rules have derived may be deeper than the stack.
        let mut open = vec![Ok((a, b))];
        while let Some(next) = open.pop() {
            let order = match next {
                Ok((a, b)) if a == b => Ordering::Equal,
                Ok((a, b)) => {
                    let (left, right) = (self.arguments(a), self.arguments(b));
                    open.push(Err(left.len().cmp(&right.len())));
                    open.extend(left.iter().zip(right).rev().map(|(&a, &b)| Ok((a, b))));
                    self.compare_names(a, b)
                }
                Err(arity) => arity,
            };
            if order.is_ne() {
                return order;
            }
        }
        a.cmp(&b)
    }

    /// Numbers before words: `9 < 10 < 1a < 9` would be no order at all.
    fn compare_names(&self, a: TermId, b: TermId) -> Ordering {
        let name = |t| self.symbols.name(self.name(t));
        let number = |s: &str| s.parse::<u64>().ok();
        match (number(name(a)), number(name(b))) {
            (Some(m), Some(n)) => m.cmp(&n).then_with(|| name(a).cmp(name(b))),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => name(a).cmp(name(b)),
        }
    }
}

struct AsText<'a> {
    terms: &'a Terms,
    term: TermId,
}

impl fmt::Display for AsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is still to be written, from the last: arguments, and `None` for what closes them.
        let mut open = vec![Some(self.term)];
        let mut first = true;
        while let Some(next) = open.pop() {
            let Some(term) = next else {
                f.write_str(")")?;
                continue;
            };
            let name = self.terms.symbols.name(self.terms.name(term));
            let space = if std::mem::take(&mut first) { "" } else { " " };
            match self.terms.arguments(term) {
                [] => write!(f, "{space}{name}")?,
                arguments => {
                    write!(f, "{space}({name}")?;
                    open.push(None);
                    open.extend(arguments.iter().rev().map(|&argument| Some(argument)));
                }
            }
        }
        Ok(())
    }
}
