//! From rules to clauses: `or`s are multiplied out, negations pushed down to the atoms.

use rustc_hash::FxHashMap;

use super::demand::specialise;
use super::local_strata::stratify;
use super::split::split;
use super::{AtomPattern, Clause, Literal, Pattern, RolePositions, TermId, Terms};
use crate::text::{Atom, Code, Condition, Description, Diagnostic, Rule, Span, Symbol, Term};

/// Into how many clauses one rule may fall when its `or`s are multiplied out.
const MAX_BRANCHES: usize = 20_000;

/// One branch of a body: conditions with their signs, still in syntax.
#[derive(Clone)]
enum Part<'a> {
    Holds(&'a Atom),
    Fails(&'a Atom),
    Distinct(&'a Term, &'a Term),
    Equal(&'a Term, &'a Term),
}

/// The clauses of a description.
pub(crate) fn clauses(
    description: &Description,
    terms: &mut Terms,
) -> Result<Vec<Clause>, Diagnostic> {
    let mut clauses = Vec::new();
    let roles = RolePositions::of(description);
    for rule in &description.rules {
        // What is true and what is done come from the game; such a head is a fault and no rule.
        if let Symbol::TRUE | Symbol::DOES = rule.head.relation {
            continue;
        }
        let mut branches = vec![Vec::new()];
        for condition in &rule.body {
            branches = expand(condition, false, &branches)?;
        }
        for branch in branches {
            clauses.extend(clause(rule, &branch, &roles, terms));
        }
    }
    match stratify(&mut clauses, terms) {
        true => Ok(split(specialise(clauses, terms), terms)),
        false => {
            let span = description.rules.first().map_or_else(Span::default, |r| r.span);
            let message = "a relation depends on its own negation";
            let help = "break the cycle; the check of the description names the place";
            Err(Diagnostic::error(Code::Stratification, span, message, help))
        }
    }
}

/// Multiplies branches by those of a condition, negations pushed down to the atoms.
fn expand<'a>(
    condition: &'a Condition,
    negated: bool,
    branches: &[Vec<Part<'a>>],
) -> Result<Vec<Vec<Part<'a>>>, Diagnostic> {
    let with = |part: Part<'a>| {
        branches.iter().map(|b| b.iter().cloned().chain([part.clone()]).collect()).collect()
    };
    Ok(match (condition, negated) {
        (Condition::Atom(atom), false) => with(Part::Holds(atom)),
        (Condition::Atom(atom), true) => with(Part::Fails(atom)),
        (Condition::Distinct(a, b, _), false) => with(Part::Distinct(a, b)),
        (Condition::Distinct(a, b, _), true) => with(Part::Equal(a, b)),
        (Condition::Not(inner, _), _) => expand(inner, !negated, branches)?,
        (Condition::And(parts, _), false) | (Condition::Or(parts, _), true) => {
            let mut all = branches.to_vec();
            for part in parts {
                all = expand(part, negated, &all)?;
            }
            all
        }
        (Condition::Or(parts, span), false) | (Condition::And(parts, span), true) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(expand(part, negated, branches)?);
                if all.len() > MAX_BRANCHES {
                    return Err(too_many(*span));
                }
            }
            all
        }
    })
}

fn too_many(span: Span) -> Diagnostic {
    let message = format!("the `or`s of this rule multiply to more than {MAX_BRANCHES} branches");
    let help = "give a part of the alternatives a relation of its own";
    Diagnostic::error(Code::Syntax, span, message, help)
}

/// What is known of the variables of a clause while it is made.
#[derive(Default)]
struct Variables {
    number: FxHashMap<Symbol, u32>,
    value: Vec<Option<Pattern>>,
}

impl Variables {
    fn pattern(&mut self, term: &Term, terms: &mut Terms) -> Pattern {
        match term {
            Term::Variable(name, _) => {
                let value = &mut self.value;
                Pattern::Variable(*self.number.entry(*name).or_insert_with(|| {
                    value.push(None);
                    value.len() as u32 - 1
                }))
            }
            Term::Constant(name, _) => Pattern::Ground(terms.intern(*name, &[])),
            Term::Function(name, arguments, _) => {
                let arguments = arguments.iter().map(|a| self.pattern(a, terms)).collect();
                fold(*name, arguments, terms)
            }
        }
    }

    fn resolve(&self, pattern: &Pattern, terms: &mut Terms) -> Pattern {
        match pattern {
            Pattern::Variable(v) => match &self.value[*v as usize] {
                Some(value) => self.resolve(&value.clone(), terms),
                None => pattern.clone(),
            },
            Pattern::Ground(_) => pattern.clone(),
            Pattern::Function(name, arguments) => {
                let arguments = arguments.iter().map(|a| self.resolve(a, terms)).collect();
                fold(*name, arguments, terms)
            }
        }
    }

    /// Makes the two equal; `false` if nothing can.
    fn unify(&mut self, a: &Pattern, b: &Pattern, terms: &mut Terms) -> bool {
        let (a, b) = (self.resolve(a, terms), self.resolve(b, terms));
        match (a, b) {
            (Pattern::Variable(a), Pattern::Variable(b)) if a == b => true,
            (Pattern::Variable(v), other) | (other, Pattern::Variable(v)) => {
                let mut inside = false;
                other.for_each_variable(&mut |w| inside |= w == v);
                if !inside {
                    self.value[v as usize] = Some(other);
                }
                !inside
            }
            (Pattern::Ground(a), Pattern::Ground(b)) => a == b,
            (a, b) => {
                let (Some((f, left)), Some((g, right))) = (parts(&a, terms), parts(&b, terms))
                else {
                    return false;
                };
                f == g
                    && left.len() == right.len()
                    && left.iter().zip(&right).all(|(a, b)| self.unify(a, b, terms))
            }
        }
    }
}

fn parts(pattern: &Pattern, terms: &Terms) -> Option<(Symbol, Vec<Pattern>)> {
    match pattern {
        Pattern::Variable(_) => None,
        Pattern::Ground(term) => Some((
            terms.name(*term),
            terms.arguments(*term).iter().map(|&t| Pattern::Ground(t)).collect(),
        )),
        Pattern::Function(name, arguments) => Some((*name, arguments.clone())),
    }
}

/// A function pattern, as a ground term if it is one.
pub(super) fn fold(name: Symbol, arguments: Vec<Pattern>, terms: &mut Terms) -> Pattern {
    let ground: Option<Vec<TermId>> = arguments
        .iter()
        .map(|a| if let Pattern::Ground(t) = a { Some(*t) } else { None })
        .collect();
    match ground {
        Some(ground) => Pattern::Ground(terms.intern(name, &ground)),
        None => Pattern::Function(name, arguments),
    }
}

/// The clause of one branch; `None` if the branch can never hold.
fn clause(
    rule: &Rule,
    branch: &[Part<'_>],
    roles: &RolePositions,
    terms: &mut Terms,
) -> Option<Clause> {
    let mut variables = Variables::default();
    for part in branch {
        if let Part::Equal(a, b) = part {
            let (a, b) = (variables.pattern(a, terms), variables.pattern(b, terms));
            if !variables.unify(&a, &b, terms) {
                return None;
            }
        }
    }
    let mut pattern = |atom: &Atom, variables: &mut Variables| {
        let mut argument = |term| {
            let pattern = variables.pattern(term, terms);
            variables.resolve(&pattern, terms)
        };
        AtomPattern {
            relation: (atom.relation, atom.arguments.len()),
            arguments: atom.arguments.iter().map(&mut argument).collect(),
        }
    };
    let mut body = Vec::new();
    for part in branch {
        let literal = match part {
            Part::Holds(atom) => Literal::Holds(pattern(atom, &mut variables)),
            Part::Fails(atom) => Literal::Fails(pattern(atom, &mut variables)),
            Part::Distinct(..) | Part::Equal(..) => continue,
        };
        if !body.contains(&literal) {
            body.push(literal);
        }
    }
    let head = pattern(&rule.head, &mut variables);
    for part in branch {
        if let Part::Distinct(a, b) = part {
            let (a, b) = (variables.pattern(a, terms), variables.pattern(b, terms));
            let (a, b) = (variables.resolve(&a, terms), variables.resolve(&b, terms));
            match (&a, &b) {
                _ if a == b => return None,
                (Pattern::Ground(_), Pattern::Ground(_)) => {}
                _ => body.push(Literal::Distinct(a, b)),
            }
        }
    }
    bind_roles(&head, roles, &mut body);
    Some(Clause { head, body, variables: variables.value.len() as u32, span: rule.span })
}

/// A head such as `(legal ?r noop)` whose role nothing binds is meant for every role.
fn bind_roles(head: &AtomPattern, roles: &RolePositions, body: &mut Vec<Literal>) {
    for (i, argument) in head.arguments.iter().enumerate() {
        let Pattern::Variable(role) = argument else { continue };
        let binds = |literal: &Literal| {
            let mut bound = false;
            if let Literal::Holds(atom) = literal {
                atom.for_each_variable(&mut |v| bound |= v == *role);
            }
            bound
        };
        if roles.contains(head.relation, i) && !body.iter().any(binds) {
            let arguments = vec![Pattern::Variable(*role)];
            body.push(Literal::Holds(AtomPattern { relation: (Symbol::ROLE, 1), arguments }));
        }
    }
}
