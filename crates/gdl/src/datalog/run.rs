//! Running plans.

use std::time::{Duration, Instant};

use patience_plan::Halt;

use super::facts::Facts;
use super::plan::{Plan, Rows, Step, Use};
use crate::clause::{Goal, Pattern};
use crate::terms::{TermId, Terms};

/// What is done with an instance of a clause.
pub(crate) trait Emit {
    /// Takes an instance whose head is `fact`; the values of the variables are given. An error
    /// ends the run.
    fn emit(
        &mut self,
        plan: &Plan,
        fact: TermId,
        values: &[TermId],
        facts: &mut Facts,
    ) -> Result<(), Why>;

    /// Called now and then; an error ends the run.
    fn pulse(&mut self) -> Result<(), Why>;
}

/// Why a run was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// There is more than allowed.
    Many,
    /// It takes longer than allowed.
    Slow,
    /// Whoever asked wants it no more.
    Halted,
}

/// A run was ended while it derived facts of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interrupted {
    pub(crate) why: Why,
    pub(crate) relation: usize,
}

/// How long a run may take. The clock is first looked at when it has taken a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Patience {
    Until(Instant),
    AtMost(Duration),
}

impl Patience {
    pub(crate) fn pulse(&mut self) -> Result<(), Why> {
        if Halt::is_due() {
            return Err(Why::Halted);
        }
        let now = Instant::now();
        match *self {
            Patience::Until(deadline) if now >= deadline => Err(Why::Slow),
            Patience::Until(_) => Ok(()),
            Patience::AtMost(time) => {
                // Beyond what a clock can tell there is no deadline to miss.
                let far = || now + Duration::from_secs(1 << 30);
                *self = Patience::Until(now.checked_add(time).unwrap_or_else(far));
                Ok(())
            }
        }
    }
}

/// Adds the heads to the facts, up to a number of facts for each relation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Insert {
    pub(crate) most: usize,
    pub(crate) patience: Patience,
}

impl Emit for Insert {
    #[inline]
    fn emit(
        &mut self,
        plan: &Plan,
        fact: TermId,
        _: &[TermId],
        facts: &mut Facts,
    ) -> Result<(), Why> {
        facts.insert(plan.head_relation, fact);
        match facts.rows[plan.head_relation].facts.len() > self.most {
            true => Err(Why::Many),
            false => Ok(()),
        }
    }

    fn pulse(&mut self) -> Result<(), Why> {
        self.patience.pulse()
    }
}

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
    fn tick(&mut self, emit: &mut impl Emit) -> Result<(), Why> {
        self.work = self.work.wrapping_add(1);
        if self.work & 0xffff == 0 { emit.pulse() } else { Ok(()) }
    }

    fn step(
        &mut self,
        plan: &Plan,
        at: usize,
        facts: &mut Facts,
        emit: &mut impl Emit,
    ) -> Result<(), Why> {
        self.tick(emit)?;
        let Some(step) = plan.steps.get(at) else {
            let fact = self.goal(&plan.head, &mut facts.terms);
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
                    Rows::All => facts.rows[*relation].facts.len() as u32,
                    Rows::Known => facts.rows[*relation].known,
                    Rows::Old => facts.rows[*relation].old,
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
            Step::Holds { goal, rows, relation } => {
                let row = self.find_goal(goal, &facts.terms).and_then(|fact| facts.row(fact));
                let limit = match rows {
                    Rows::All => u32::MAX,
                    Rows::Known => facts.rows[*relation].known,
                    Rows::Old => facts.rows[*relation].old,
                };
                match row {
                    Some(row) if row < limit => self.step(plan, at + 1, facts, emit),
                    _ => Ok(()),
                }
            }
            Step::Fails { goal } => {
                match self.find_goal(goal, &facts.terms).and_then(|fact| facts.row(fact)) {
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
    fn find_goal(&mut self, goal: &Goal, terms: &Terms) -> Option<TermId> {
        let start = self.key(&goal.arguments, terms)?;
        let found = terms.find(goal.relation.0, &self.build[start..]);
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

    fn make_all(&mut self, name: crate::Symbol, parts: &[Pattern], terms: &mut Terms) -> TermId {
        let start = self.build.len();
        for part in parts {
            let term = self.make(part, terms);
            self.build.push(term);
        }
        let term = terms.intern(name, &self.build[start..]);
        self.build.truncate(start);
        term
    }

    fn goal(&mut self, goal: &Goal, terms: &mut Terms) -> TermId {
        self.make_all(goal.relation.0, &goal.arguments, terms)
    }

    /// The instance of a goal under these values.
    pub(crate) fn instance(&mut self, goal: &Goal, values: &[TermId], terms: &mut Terms) -> TermId {
        self.values.clear();
        self.values.extend_from_slice(values);
        self.goal(goal, terms)
    }
}
