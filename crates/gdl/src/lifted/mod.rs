//! The lifted engine: the rules are evaluated anew in every state, on what holds there. It runs
//! everything valid and needs no preparation beyond the facts that never change.

mod build;
mod reasoner;
mod world;

use std::time::Duration;

use crate::datalog::{Facts, Insert, Interrupt, Interrupted, Runner, Stratum, TimeLimit};
use crate::engine::{Reasoner, RunError};
use crate::logic::TermId;
use crate::text::Symbol;

pub use world::{LiftedPosition, LiftedWorld};

/// How much may be derived.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Facts of one relation.
    most: usize,
    /// The time for what one question needs.
    longest: Duration,
}

impl Limits {
    fn insert(&self) -> Insert {
        Insert { most: self.most, time: TimeLimit::AtMost(self.longest) }
    }

    fn error(&self, Interrupted { why, relation }: Interrupted, facts: &Facts) -> RunError {
        let relation = facts.name_of(relation).to_owned();
        match why {
            Interrupt::Many => RunError::Endless { relation, limit: self.most },
            Interrupt::Slow => RunError::Slow { relation, limit: self.longest },
            Interrupt::Halted => RunError::Stopped { during: Some(relation) },
        }
    }
}

/// What is derived when: only what a question needs, and nothing twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// For `legal` and `terminal`.
    View,
    /// What both of the following need.
    Common,
    /// For `goal`.
    Goal,
    /// For `next` and `sees`, once the moves are known.
    Move,
}

/// The numbers of the keywords' relations.
#[derive(Clone, Copy, Debug)]
struct Keywords {
    truth: usize,
    does: usize,
    next: usize,
    legal: usize,
    goal: usize,
    terminal: usize,
    sees: usize,
}

/// The lifted engine, standing at a state.
#[derive(Clone, Debug)]
pub struct Lifted {
    facts: Facts,
    runner: Runner,
    keywords: Keywords,
    phases: [Vec<Stratum>; 4],
    done: [bool; 4],
    /// The relations that change from state to state.
    changing: Vec<usize>,
    roles: Vec<TermId>,
    initial: Vec<TermId>,
    percepts: Vec<(TermId, TermId)>,
    /// Whether something that must be known before the move depends on it.
    early_moves: bool,
    limits: Limits,
}

impl Lifted {
    /// Makes these facts the state.
    fn place(&mut self, state: &[TermId]) {
        self.changing.iter().for_each(|&r| self.facts.clear(r));
        self.done = [false; 4];
        for &fact in state {
            let fact = self.facts.terms.intern(Symbol::TRUE, &[fact]);
            self.facts.insert(self.keywords.truth, fact);
        }
    }

    fn derive(&mut self, phase: Phase) -> Result<(), RunError> {
        if self.done[phase as usize] {
            return Ok(());
        }
        let mut insert = self.limits.insert();
        for stratum in &self.phases[phase as usize] {
            let done = stratum.evaluate(&mut self.facts, &mut self.runner, &mut insert);
            if let Err(interrupted) = done {
                let error = self.limits.error(interrupted, &self.facts);
                // Half of the facts are worse than none.
                let mut state = Vec::new();
                self.state(&mut state);
                self.place(&state);
                return Err(error);
            }
        }
        self.done[phase as usize] = true;
        Ok(())
    }

    /// The second arguments of the facts of a relation whose first is this role.
    fn of_role(&self, relation: usize, role: usize, out: &mut Vec<TermId>) {
        out.clear();
        let Some(&role) = self.roles.get(role) else { return };
        for &fact in &self.facts.rows[relation].facts {
            if let [first, second] = self.facts.terms.arguments(fact)
                && *first == role
            {
                out.push(*second);
            }
        }
    }
}
