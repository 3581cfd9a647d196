//! From ground rules to a network.

use std::time::Instant;

use rustc_hash::FxHashMap;

use super::Pulse;
use super::circuit::{Circuit, Lit};
use super::instances::{GroundLiteral, GroundRules};
use crate::datalog::Interrupt;
use crate::logic::{TermId, Terms, components};
use crate::network::{Network, Outputs};
use crate::text::Symbol;

/// Builds the network, unless the deadline passes before.
pub(super) fn network(rules: GroundRules, deadline: Instant) -> Result<Network, Interrupt> {
    let terms = &rules.facts.terms;
    let sorted = |name: Symbol, arity: usize| -> Vec<TermId> {
        let relation = rules.facts.find_relation((name, arity));
        let mut facts = relation.map_or_else(Vec::new, |r| rules.facts.rows[r].facts.clone());
        facts.sort_by(|&a, &b| terms.compare(a, b));
        facts
    };
    let mut circuit = Circuit::new();
    let mut lits: FxHashMap<TermId, Lit> = FxHashMap::default();

    let bases = sorted(Symbol::TRUE, 1);
    for &fact in &bases {
        lits.insert(fact, circuit.input());
    }
    // Moves role by role, in the order of the roles.
    let legal = sorted(Symbol::LEGAL, 2);
    let moves: Vec<Vec<TermId>> =
        rules.roles.iter().map(|&role| second_of(terms, &legal, role)).collect();
    for (&role, actions) in rules.roles.iter().zip(&moves) {
        let first = circuit.gates.len();
        circuit.exactly_one(first..first + actions.len());
        for &action in actions {
            let lit = circuit.input();
            if let Some(fact) = terms.find(Symbol::DOES, &[role, action]) {
                lits.insert(fact, lit);
            }
        }
    }
    define(&rules, &mut circuit, &mut lits, deadline)?;

    let value = |name: Symbol, arguments: &[TermId]| {
        let fact = terms.find(name, arguments);
        fact.and_then(|f| lits.get(&f).copied()).unwrap_or(Lit::FALSE)
    };
    let inner = |fact: TermId| terms.arguments(fact)[0];
    let (goals, sees) = (sorted(Symbol::GOAL, 2), sorted(Symbol::SEES, 2));
    let of_roles = |name: Symbol, facts: &[TermId]| -> Vec<Vec<(TermId, Lit)>> {
        let of_role = |&role: &TermId| {
            let seconds = second_of(terms, facts, role).into_iter();
            seconds.map(|second| (second, value(name, &[role, second]))).collect()
        };
        rules.roles.iter().map(of_role).collect()
    };
    let outputs = Outputs {
        next: bases.iter().map(|&b| value(Symbol::NEXT, &[inner(b)])).collect(),
        legal: rules
            .roles
            .iter()
            .zip(&moves)
            .map(|(&r, list)| list.iter().map(|&m| value(Symbol::LEGAL, &[r, m])).collect())
            .collect(),
        terminal: value(Symbol::TERMINAL, &[]),
        goals: of_roles(Symbol::GOAL, &goals),
        sees: of_roles(Symbol::SEES, &sees),
    };
    let bases: Vec<TermId> = bases.into_iter().map(inner).collect();
    let initial = bases.iter().map(|b| rules.initial.contains(b)).collect();
    let roles = rules.roles.clone();
    Ok(Network::new(rules.facts.terms, roles, bases, initial, moves, circuit, outputs))
}

/// The second arguments of the facts whose first is this role.
fn second_of(terms: &Terms, facts: &[TermId], role: TermId) -> Vec<TermId> {
    let second = |&fact: &TermId| match terms.arguments(fact) {
        [first, second] if *first == role => Some(*second),
        _ => None,
    };
    facts.iter().filter_map(second).collect()
}

/// Gives every derived fact its signal, each after those on which it depends.
fn define(
    rules: &GroundRules,
    circuit: &mut Circuit,
    lits: &mut FxHashMap<TermId, Lit>,
    deadline: Instant,
) -> Result<(), Interrupt> {
    let mut pulse = Pulse::until(deadline);
    let mut number: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut facts = Vec::new();
    let mut of = Vec::new();
    for i in 0..rules.count() {
        let (head, _) = rules.rule(i);
        let n = *number.entry(head).or_insert_with(|| {
            facts.push(head);
            of.push(Vec::new());
            facts.len() - 1
        });
        of[n].push(i);
    }
    let targets: Vec<Vec<usize>> = of
        .iter()
        .map(|own| {
            let bodies = own.iter().flat_map(|&i| rules.rule(i).1);
            bodies.filter_map(|(fact, _)| number.get(fact).copied()).collect()
        })
        .collect();
    // Moves that leave something alone, by what they leave; and one of some of these.
    let mut frames: FxHashMap<TermId, Vec<Lit>> = FxHashMap::default();
    let mut one_of: FxHashMap<Vec<TermId>, Lit> = FxHashMap::default();
    let is_frame = |fact: TermId| rules.frames.contains(&rules.facts.terms.name(fact));
    for members in components(&targets) {
        let cyclic = members.len() > 1 || targets[members[0]].contains(&members[0]);
        if cyclic {
            for &member in &members {
                lits.insert(facts[member], circuit.open_or());
            }
        }
        for &member in &members {
            pulse.beat()?;
            let value = |&(fact, negated): &GroundLiteral| {
                let lit = lits.get(&fact).copied().unwrap_or(Lit::FALSE);
                if negated { lit.not() } else { lit }
            };
            let own = of[member].iter().map(|&i| rules.rule(i).1);
            if !cyclic && is_frame(facts[member]) && own.clone().all(|body| body.len() == 1) {
                frames.insert(facts[member], own.map(|body| value(&body[0])).collect());
                continue;
            }
            // Bodies that ask for frames and are alike in all else ask for one of them.
            let mut bodies: Vec<Vec<Lit>> = Vec::new();
            let mut asked: FxHashMap<Vec<Lit>, Vec<TermId>> = FxHashMap::default();
            let mut order = Vec::new();
            for body in own {
                let frame = body.iter().map(|(fact, _)| *fact).find(|f| frames.contains_key(f));
                let rest: Vec<Lit> =
                    body.iter().filter(|(fact, _)| Some(*fact) != frame).map(value).collect();
                let Some(frame) = frame else {
                    bodies.push(rest);
                    continue;
                };
                let list = asked.entry(rest.clone()).or_default();
                if list.is_empty() {
                    order.push(rest);
                }
                list.push(frame);
            }
            for mut rest in order {
                let mut list = asked.remove(&rest).unwrap_or_default();
                list.sort_unstable();
                list.dedup();
                rest.push(*one_of.entry(list).or_insert_with_key(|list| {
                    circuit.or(list.iter().flat_map(|f| frames[f].iter().copied()).collect())
                }));
                bodies.push(rest);
            }
            if cyclic {
                let inputs = bodies.into_iter().map(|b| circuit.and(b)).collect();
                circuit.close_or(lits[&facts[member]], inputs);
            } else {
                let lit = circuit.sum(bodies);
                lits.insert(facts[member], lit);
            }
        }
    }
    Ok(())
}
