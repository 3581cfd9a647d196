//! Running plans.

use super::emit::{Emit, Interrupt, Interrupted};
use super::facts::Facts;
use super::plan::{Plan, RowScope, Step, Use};
use crate::logic::{AtomPattern, Pattern, TermId, Terms};
use crate::text::Symbol;

/// Runs plans on facts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runner {
    values: Vec<TermId>,
    holes: Vec<TermId>,
    build: Vec<TermId>,
    work: u32,
}

const NOTHING: TermId = TermId(u32::MAX);

impl Runner {
    /// Calls `emit` with every instance of the plan's clause that holds.
    pub(crate) fn run(
        &mut self,
        plan: &Plan,
        facts: &mut Facts,
        emit: &mut impl Emit,
    ) -> Result<(), Interrupted> {
        self.values.clear();
        self.values.resize(plan.variables, NOTHING);
        self.build.clear();
        self.step(plan, 0, facts, emit)
            .map_err(|why| Interrupted { why, relation: plan.head_relation })
    }

    /// Counts work, and asks now and then whether to go on.
    #[inline]
    fn tick(&mut self, emit: &mut impl Emit) -> Result<(), Interrupt> {
        self.work = self.work.wrapping_add(1);
        if self.work & 0xffff == 0 { emit.pulse() } else { Ok(()) }
    }

    fn step(
        &mut self,
        plan: &Plan,
        at: usize,
        facts: &mut Facts,
        emit: &mut impl Emit,
    ) -> Result<(), Interrupt> {
        self.tick(emit)?;
        let Some(step) = plan.steps.get(at) else {
            let fact = self.make_atom(&plan.head, &mut facts.terms);
            return emit.emit(plan, fact, &self.values, facts);
        };
        match step {
            Step::Newest { relation, shape, uses } => {
                let rows = &facts.rows[*relation];
                for row in rows.old..rows.known {
                    let fact = facts.rows[*relation].facts[row as usize];
                    self.holes.clear();
                    let arguments = facts.terms.arguments(fact);
                    let holes = &mut self.holes;
                    if shape.iter().zip(arguments).all(|(s, &t)| s.take(t, &facts.terms, holes))
                        && self.use_holes(uses)
                    {
                        self.step(plan, at + 1, facts, emit)?;
                    } else {
                        self.tick(emit)?;
                    }
                }
                Ok(())
            }
            Step::Join { relation, index, key, uses, rows } => {
                let Some(start) = self.key(key, &facts.terms) else { return Ok(()) };
                let limit = match rows {
                    RowScope::All => facts.rows[*relation].facts.len() as u32,
                    RowScope::Known => facts.rows[*relation].known,
                    RowScope::Old => facts.rows[*relation].old,
                };
                let mut entry = facts.rows[*relation].indexes[*index].first(&self.build[start..]);
                while let Some(now) = entry {
                    let index = &facts.rows[*relation].indexes[*index];
                    if index.row(now) >= limit {
                        break;
                    }
                    entry = index.after(now);
                    if index.agrees(now, &self.build[start..]) {
                        self.holes.clear();
                        self.holes.extend_from_slice(index.values(now));
                        if self.use_holes(uses) {
                            self.step(plan, at + 1, facts, emit)?;
                            continue;
                        }
                    }
                    self.tick(emit)?;
                }
                self.build.truncate(start);
                Ok(())
            }
            Step::Holds { atom, rows, relation } => {
                let row = self.find_atom(atom, &facts.terms).and_then(|fact| facts.row(fact));
                let limit = match rows {
                    RowScope::All => u32::MAX,
                    RowScope::Known => facts.rows[*relation].known,
                    RowScope::Old => facts.rows[*relation].old,
                };
                match row {
                    Some(row) if row < limit => self.step(plan, at + 1, facts, emit),
                    _ => Ok(()),
                }
            }
            Step::Fails { atom } => {
                match self.find_atom(atom, &facts.terms).and_then(|fact| facts.row(fact)) {
                    Some(_) => Ok(()),
                    None => self.step(plan, at + 1, facts, emit),
                }
            }
            Step::None { relation, index, key, uses } => {
                if let Some(start) = self.key(key, &facts.terms) {
                    let index = &facts.rows[*relation].indexes[*index];
                    let mut entry = index.first(&self.build[start..]);
                    let mut found = false;
                    while let Some(now) = entry {
                        if index.agrees(now, &self.build[start..]) {
                            self.holes.clear();
                            self.holes.extend_from_slice(index.values(now));
                            found |= self.use_holes(uses);
                        }
                        self.tick(emit)?;
                        entry = index.after(now);
                    }
                    self.build.truncate(start);
                    if found {
                        return Ok(());
                    }
                }
                self.step(plan, at + 1, facts, emit)
            }
            Step::Distinct(a, b) => {
                if self.make(a, &mut facts.terms) == self.make(b, &mut facts.terms) {
                    return Ok(());
                }
                self.step(plan, at + 1, facts, emit)
            }
        }
    }

    /// Binds and compares the terms in the holes.
    #[inline]
    fn use_holes(&mut self, uses: &[Use]) -> bool {
        uses.iter().zip(&self.holes).all(|(what, &term)| match what {
            Use::Bind(v) => {
                self.values[*v as usize] = term;
                true
            }
            Use::Same(v) => self.values[*v as usize] == term,
            Use::Is(wanted) => *wanted == term,
            Use::Key => true,
        })
    }

    /// Puts the key on top of the build stack and says where it starts; `None` if a part of it is
    /// a term that does not exist.
    fn key(&mut self, key: &[Pattern], terms: &Terms) -> Option<usize> {
        let start = self.build.len();
        for pattern in key {
            match self.find(pattern, terms) {
                Some(term) => self.build.push(term),
                None => {
                    self.build.truncate(start);
                    return None;
                }
            }
        }
        Some(start)
    }

    #[inline]
    fn find(&mut self, pattern: &Pattern, terms: &Terms) -> Option<TermId> {
        match pattern {
            Pattern::Variable(v) => Some(self.values[*v as usize]),
            Pattern::Ground(term) => Some(*term),
            Pattern::Function(name, arguments) => {
                let start = self.key(arguments, terms)?;
                let found = terms.find(*name, &self.build[start..]);
                self.build.truncate(start);
                found
            }
        }
    }

    #[inline]
    fn find_atom(&mut self, atom: &AtomPattern, terms: &Terms) -> Option<TermId> {
        let start = self.key(&atom.arguments, terms)?;
        let found = terms.find(atom.relation.0, &self.build[start..]);
        self.build.truncate(start);
        found
    }

    fn make(&mut self, pattern: &Pattern, terms: &mut Terms) -> TermId {
        match pattern {
            Pattern::Variable(v) => self.values[*v as usize],
            Pattern::Ground(term) => *term,
            Pattern::Function(name, arguments) => self.make_all(*name, arguments, terms),
        }
    }

    fn make_all(&mut self, name: Symbol, parts: &[Pattern], terms: &mut Terms) -> TermId {
        let start = self.build.len();
        for part in parts {
            let term = self.make(part, terms);
            self.build.push(term);
        }
        let term = terms.intern(name, &self.build[start..]);
        self.build.truncate(start);
        term
    }

    fn make_atom(&mut self, atom: &AtomPattern, terms: &mut Terms) -> TermId {
        self.make_all(atom.relation.0, &atom.arguments, terms)
    }

    /// The instance of a atom under these values.
    pub(crate) fn instance(
        &mut self,
        atom: &AtomPattern,
        values: &[TermId],
        terms: &mut Terms,
    ) -> TermId {
        self.values.clear();
        self.values.extend_from_slice(values);
        self.make_atom(atom, terms)
    }
}
