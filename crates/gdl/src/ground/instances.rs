//! Every instance of every rule that can ever apply.

use std::time::Instant;

use rustc_hash::FxHashSet;

use super::{GroundError, GroundLimits};
use crate::datalog::{
    ClausesByHead, Emit, Facts, Insert, Interrupt, Interrupted, Mode, Plan, Planning, Runner,
    Strata, TimeLimit,
};
use crate::logic::{AtomPattern, Clause, Literal, Pattern, TermId, Terms, clauses, frames};
use crate::text::{Description, Symbol};

/// A literal about a fact: the fact, and whether it is negated.
pub(super) type GroundLiteral = (TermId, bool);

/// Rules about facts.
pub(super) struct GroundRules {
    pub(super) facts: Facts,
    pub(super) roles: Vec<TermId>,
    pub(super) initial: Vec<TermId>,
    /// The relations that say which moves leave something alone.
    pub(super) frames: FxHashSet<Symbol>,
    /// Head and where the body starts; the body ends where the next starts.
    heads: Vec<(TermId, u32)>,
    literals: Vec<GroundLiteral>,
}

impl GroundRules {
    pub(super) fn count(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn rule(&self, i: usize) -> (TermId, &[GroundLiteral]) {
        let (head, start) = self.heads[i];
        let end = self.heads.get(i + 1).map_or(self.literals.len(), |(_, s)| *s as usize);
        (head, &self.literals[start as usize..end])
    }

    /// Rebuilds the rules: `keep` gives the literals that stay, or `None` to drop the rule.
    pub(super) fn rewrite(
        &mut self,
        mut keep: impl FnMut(TermId, &[GroundLiteral], &mut Vec<GroundLiteral>) -> bool,
    ) {
        let mut heads = Vec::with_capacity(self.heads.len());
        let mut literals = Vec::with_capacity(self.literals.len());
        let mut body = Vec::new();
        for i in 0..self.heads.len() {
            let (head, old) = self.rule(i);
            body.clear();
            if keep(head, old, &mut body) {
                heads.push((head, literals.len() as u32));
                literals.extend_from_slice(&body);
            }
        }
        (self.heads, self.literals) = (heads, literals);
    }
}

/// Records instances while they are derived.
struct Record<'a> {
    clauses: &'a [Clause],
    /// Which relations are part of the network.
    changes: &'a [bool],
    maker: Runner,
    heads: Vec<(TermId, u32)>,
    literals: Vec<GroundLiteral>,
    most: usize,
    time: TimeLimit,
}

impl Emit for Record<'_> {
    fn emit(
        &mut self,
        plan: &Plan,
        fact: TermId,
        values: &[TermId],
        facts: &mut Facts,
    ) -> Result<(), Interrupt> {
        facts.insert(plan.head_relation, fact);
        let Some(clause) = self.clauses.get(plan.clause) else { return Ok(()) };
        if !self.changes[plan.head_relation] {
            return Ok(());
        }
        if self.heads.len() == self.most || self.literals.len() > u32::MAX as usize / 2 {
            return Err(Interrupt::Many);
        }
        self.heads.push((fact, self.literals.len() as u32));
        for literal in &clause.body {
            if let Literal::Holds(atom) | Literal::Fails(atom) = literal
                && facts.find_relation(atom.relation).is_some_and(|r| self.changes[r])
            {
                let instance = self.maker.instance(atom, values, &mut facts.terms);
                self.literals.push((instance, matches!(literal, Literal::Fails(_))));
            }
        }
        Ok(())
    }

    fn pulse(&mut self) -> Result<(), Interrupt> {
        self.time.pulse()
    }
}

/// Derives all instances.
pub(super) fn instances(
    description: &Description,
    limits: &GroundLimits,
    deadline: Instant,
) -> Result<GroundRules, GroundError> {
    let mut terms = Terms::new(description.symbols.clone());
    let split = frames(clauses(description, &mut terms)?, &mut terms);
    let clauses = split.clauses;
    let mut facts = Facts::new(terms);
    let mut keyword = |name, arity| facts.relation((name, arity));
    let (truth, does) = (keyword(Symbol::TRUE, 1), keyword(Symbol::DOES, 2));
    let (next, sees) = (keyword(Symbol::NEXT, 1), keyword(Symbol::SEES, 2));
    let view = [keyword(Symbol::LEGAL, 2), keyword(Symbol::GOAL, 2), keyword(Symbol::TERMINAL, 0)];
    let (init, role) = (keyword(Symbol::INIT, 1), keyword(Symbol::ROLE, 1));
    let strata = Strata::of(&clauses, &mut facts);
    let changes = strata.depending(&[truth, does]);
    let on_moves = strata.depending(&[does]);
    let needed_early = strata.needed(view);
    if (0..on_moves.len()).any(|r| on_moves[r] && needed_early[r]) {
        return Err(GroundError::EarlyMoves);
    }
    let needed = strata.needed(view.into_iter().chain([next, sees, init, role]));
    let by_head = ClausesByHead::new(&clauses, &mut facts);
    let mut runner = Runner::default();
    let time = TimeLimit::Until(deadline);
    let stopped = |interrupted: Interrupted, facts: &Facts| {
        let during = Some(facts.name_of(interrupted.relation).to_owned());
        match interrupted.why {
            Interrupt::Many => GroundError::Instances(limits.instances),
            Interrupt::Slow => GroundError::Time { limit: limits.time, during },
            Interrupt::Halted => GroundError::Stopped { during },
        }
    };
    for members in strata.order.iter().filter(|m| needed[m[0]] && !changes[m[0]]) {
        let stratum = by_head.stratum(members, &mut facts, &|r| !members.contains(&r))?;
        let mut insert = Insert { most: limits.instances, time };
        let done = stratum.evaluate(&mut facts, &mut runner, &mut insert);
        done.map_err(|interrupted| stopped(interrupted, &facts))?;
    }
    let inner = |facts: &Facts, relation: usize| -> Vec<TermId> {
        let inside = |&f| facts.terms.arguments(f).first().copied();
        facts.rows[relation].facts.iter().filter_map(inside).collect()
    };
    let (roles, initial) = (inner(&facts, role), inner(&facts, init));
    for &fact in &initial {
        let fact = facts.terms.intern(Symbol::TRUE, &[fact]);
        facts.insert(truth, fact);
    }

    // What is next will be true, and what is legal may be done. These carry numbers beyond the
    // clauses, so that nothing is recorded for them.
    let mut bridges = clauses.clone();
    bridges.push(bridge(Symbol::TRUE, Symbol::NEXT, 1));
    bridges.push(bridge(Symbol::DOES, Symbol::LEGAL, 2));
    let mut growing = changes.clone();
    // Outputs may be static in unusual games; their facts are still instances.
    let asked = [next, sees, view[0], view[1], view[2]];
    asked.into_iter().for_each(|relation| growing[relation] = true);
    let is_growing = |r: usize| growing[r];
    let (mut once, mut again) = (Vec::new(), Vec::new());
    for (number, clause) in bridges.iter().enumerate() {
        let head = facts.relation(clause.head.relation);
        if !growing[head] || !(needed[head] || number >= clauses.len()) {
            continue;
        }
        let mut positive = Vec::new();
        for (i, literal) in clause.body.iter().enumerate() {
            if let Literal::Holds(atom) = literal
                && growing[facts.relation(atom.relation)]
            {
                positive.push(i);
            }
        }
        let mut plan = |newest| {
            let complete = |r: usize| !growing[r];
            let mode = Mode {
                newest,
                growing: &is_growing,
                complete: &complete,
                skip_negation: &is_growing,
            };
            Planning { facts: &mut facts }
                .plan(number, clause, &mode)
                .map_err(|_| GroundError::Unbound)
        };
        match &positive[..] {
            [] => once.push(plan(None)?),
            _ => {
                for &i in &positive {
                    again.push(plan(Some(i))?);
                }
            }
        }
    }
    // Facts that were derived before belong to no instance yet: they are derived again.
    for relation in asked {
        if !changes[relation] {
            facts.clear(relation);
        }
    }
    // Domains are derived, but hold as far as the network goes.
    let mut recorded = growing.clone();
    for relation in split.domains {
        recorded[facts.relation(relation)] = false;
    }
    let mut record = Record {
        clauses: &clauses,
        changes: &recorded,
        maker: Runner::default(),
        heads: Vec::new(),
        literals: Vec::new(),
        most: limits.instances,
        time,
    };
    for plan in &once {
        let done = runner.run(plan, &mut facts, &mut record);
        done.map_err(|interrupted| stopped(interrupted, &facts))?;
    }
    loop {
        let mut grown = false;
        for relation in (0..growing.len()).filter(|&r| growing[r]) {
            let rows = &mut facts.rows[relation];
            rows.old = rows.known;
            rows.known = rows.facts.len() as u32;
            grown |= rows.known > rows.old;
        }
        if !grown {
            break;
        }
        for plan in &again {
            let done = runner.run(plan, &mut facts, &mut record);
            done.map_err(|interrupted| stopped(interrupted, &facts))?;
        }
    }
    let (heads, literals) = (record.heads, record.literals);
    Ok(GroundRules { facts, roles, initial, frames: split.frames, heads, literals })
}

fn bridge(to: Symbol, from: Symbol, arity: usize) -> Clause {
    let arguments: Vec<Pattern> = (0..arity as u32).map(Pattern::Variable).collect();
    let atom = |name| AtomPattern { relation: (name, arity), arguments: arguments.clone() };
    Clause {
        head: atom(to),
        body: vec![Literal::Holds(atom(from))],
        variables: arity as u32,
        span: Default::default(),
    }
}
