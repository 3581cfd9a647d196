//! How a clause is evaluated: in which order its literals are matched, and through which indexes.

use super::facts::Facts;
use super::index::Shape;
use crate::logic::{AtomPattern, Clause, Literal, Pattern, TermId};

/// What a term in the hole of a fact is for.
#[derive(Clone, Debug)]
pub(crate) enum Use {
    /// It is the value of a variable from now on.
    Bind(u32),
    /// It must equal the value of a variable.
    Same(u32),
    /// It must be this term.
    Is(TermId),
    /// It is part of the key and has been compared.
    Key,
}

/// Which rows of a relation count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowScope {
    All,
    Known,
    Old,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Goes through the newest rows of a relation.
    Newest { relation: usize, shape: Vec<Shape>, uses: Vec<Use> },
    /// Goes through the rows that an index gives.
    Join { relation: usize, index: usize, key: Vec<Pattern>, uses: Vec<Use>, rows: RowScope },
    /// The fact must hold.
    Holds { atom: AtomPattern, rows: RowScope, relation: usize },
    /// The fact must not hold.
    Fails { atom: AtomPattern },
    /// No fact that an index gives may hold (variables that nothing binds).
    None { relation: usize, index: usize, key: Vec<Pattern>, uses: Vec<Use> },
    /// The terms must differ.
    Distinct(Pattern, Pattern),
}

/// A clause made ready.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) clause: usize,
    pub(crate) steps: Vec<Step>,
    pub(crate) head: AtomPattern,
    pub(crate) head_relation: usize,
    pub(crate) variables: usize,
}

/// How the literals of a clause are to be read.
pub(crate) struct Mode<'a> {
    /// The literal that runs through the newest rows.
    pub(crate) newest: Option<usize>,
    /// Which relations grow while the plan runs.
    pub(crate) growing: &'a dyn Fn(usize) -> bool,
    /// Which relations are complete, so that their size shows what a look-up costs.
    pub(crate) complete: &'a dyn Fn(usize) -> bool,
    /// Which negations are not tested, but only recorded by the grounder.
    pub(crate) skip_negation: &'a dyn Fn(usize) -> bool,
}

/// Makes plans.
pub(crate) struct Planning<'a> {
    pub(crate) facts: &'a mut Facts,
}

/// A variable that no positive literal binds where it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unbound;

impl Planning<'_> {
    /// A plan for a clause.
    pub(crate) fn plan(
        &mut self,
        number: usize,
        clause: &Clause,
        mode: &Mode<'_>,
    ) -> Result<Plan, Unbound> {
        let mut bound = vec![false; clause.variables as usize];
        let mut left: Vec<usize> = (0..clause.body.len()).collect();
        let mut steps = Vec::new();
        if let Some(first) = mode.newest {
            left.retain(|&i| i != first);
            if let Literal::Holds(atom) = &clause.body[first] {
                let relation = self.facts.relation(atom.relation);
                let (shape, uses, _) = shape(atom, &mut bound, false);
                steps.push(Step::Newest { relation, shape, uses });
            }
        }
        loop {
            self.filters(clause, mode, &bound, &mut left, &mut steps);
            let Some(best) = self.cheapest(clause, mode, &bound, &left) else { break };
            left.retain(|&i| i != best);
            if let Literal::Holds(atom) = &clause.body[best] {
                let relation = self.facts.relation(atom.relation);
                let rows = rows(mode, best, relation);
                let (shape, uses, key) = shape(atom, &mut bound, true);
                let keyed = keyed(&uses);
                let index = self.facts.index(relation, shape, keyed);
                steps.push(Step::Join { relation, index, key, uses, rows });
            }
        }
        // What is left are negations and `distinct`s with variables that nothing binds: no value
        // at all may make the former hold, and the latter hold of an unknown and anything.
        for literal in left {
            if let Literal::Fails(atom) = &clause.body[literal] {
                let relation = self.facts.relation(atom.relation);
                if (mode.skip_negation)(relation) {
                    return Err(Unbound);
                }
                let (shape, uses, key) = shape(atom, &mut bound.clone(), true);
                let index = self.facts.index(relation, shape, keyed(&uses));
                steps.push(Step::None { relation, index, key, uses });
            }
        }
        let mut all = true;
        clause.head.for_each_variable(&mut |v| all &= bound[v as usize]);
        if !all {
            return Err(Unbound);
        }
        Ok(Plan {
            clause: number,
            steps,
            head: clause.head.clone(),
            head_relation: self.facts.relation(clause.head.relation),
            variables: clause.variables as usize,
        })
    }

    /// Moves all literals that bind nothing more to the steps.
    fn filters(
        &mut self,
        clause: &Clause,
        mode: &Mode<'_>,
        bound: &[bool],
        left: &mut Vec<usize>,
        steps: &mut Vec<Step>,
    ) {
        left.retain(|&i| {
            let literal = &clause.body[i];
            let mut ready = true;
            literal.for_each_variable(&mut |v| ready &= bound[v as usize]);
            if !ready {
                return true;
            }
            match literal {
                Literal::Holds(atom) => {
                    let relation = self.facts.relation(atom.relation);
                    let rows = rows(mode, i, relation);
                    steps.push(Step::Holds { atom: atom.clone(), rows, relation });
                }
                Literal::Fails(atom) => {
                    let relation = self.facts.relation(atom.relation);
                    if !(mode.skip_negation)(relation) {
                        steps.push(Step::Fails { atom: atom.clone() });
                    }
                }
                Literal::Distinct(a, b) => steps.push(Step::Distinct(a.clone(), b.clone())),
            }
            false
        });
    }

    /// The positive literal that is expected to give the fewest rows.
    fn cheapest(
        &mut self,
        clause: &Clause,
        mode: &Mode<'_>,
        bound: &[bool],
        left: &[usize],
    ) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for &i in left {
            let Literal::Holds(atom) = &clause.body[i] else { continue };
            let relation = self.facts.relation(atom.relation);
            let (shape, uses, _) = shape(atom, &mut bound.to_vec(), true);
            let free = uses.iter().filter(|u| matches!(u, Use::Bind(_))).count();
            let known = !self.facts.rows[relation].facts.is_empty();
            let cost = if known || (mode.complete)(relation) {
                let index = self.facts.index(relation, shape, keyed(&uses));
                self.facts.rows[relation].indexes[index].mean_chain()
            } else {
                // Nothing is known: each free argument is taken to have a handful of values.
                6f64.powi(free as i32)
            };
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, i));
            }
        }
        best.map(|(_, i)| i)
    }
}

fn rows(mode: &Mode<'_>, literal: usize, relation: usize) -> RowScope {
    match mode.newest {
        // Each pair of rows is met once: before the newest literal all rows count, after it the
        // old ones only.
        Some(newest) if (mode.growing)(relation) => {
            if literal < newest {
                RowScope::Known
            } else {
                RowScope::Old
            }
        }
        _ => RowScope::All,
    }
}

/// Which holes make the key of an index.
fn keyed(uses: &[Use]) -> Vec<usize> {
    (0..uses.len()).filter(|&h| matches!(uses[h], Use::Key)).collect()
}

/// The shape of a atom, what its holes are for, and the key; marks its variables as bound.
fn shape(
    atom: &AtomPattern,
    bound: &mut [bool],
    with_key: bool,
) -> (Vec<Shape>, Vec<Use>, Vec<Pattern>) {
    let before = bound.to_vec();
    let (mut uses, mut key) = (Vec::new(), Vec::new());
    let shape = atom
        .arguments
        .iter()
        .map(|a| shape_of(a, &before, bound, with_key, &mut uses, &mut key))
        .collect();
    (shape, uses, key)
}

fn shape_of(
    pattern: &Pattern,
    before: &[bool],
    bound: &mut [bool],
    with_key: bool,
    uses: &mut Vec<Use>,
    key: &mut Vec<Pattern>,
) -> Shape {
    if with_key && pattern.all_variables(&mut |v| before[v as usize]) {
        uses.push(Use::Key);
        key.push(pattern.clone());
        return Shape::Hole;
    }
    match pattern {
        Pattern::Variable(v) => {
            let seen = std::mem::replace(&mut bound[*v as usize], true);
            uses.push(if seen { Use::Same(*v) } else { Use::Bind(*v) });
            Shape::Hole
        }
        Pattern::Ground(term) => {
            uses.push(Use::Is(*term));
            Shape::Hole
        }
        Pattern::Function(name, arguments) => Shape::Function(
            *name,
            arguments.iter().map(|a| shape_of(a, before, bound, with_key, uses, key)).collect(),
        ),
    }
}
