//! The lifted engine behind the common interface.

use super::{Keywords, Lifted, Phase};
use crate::engine::{Reasoner, RunError};
use crate::logic::{TermId, Terms};
use crate::text::Symbol;

impl Reasoner for Lifted {
    fn terms(&self) -> &Terms {
        &self.facts.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.facts.terms
    }

    fn roles(&self) -> &[TermId] {
        &self.roles
    }

    fn start(&mut self) -> Result<(), RunError> {
        self.percepts.clear();
        self.place(&self.initial.clone());
        Ok(())
    }

    fn go_to(&mut self, facts: &[TermId]) -> Result<(), RunError> {
        self.percepts.clear();
        self.place(facts);
        Ok(())
    }

    fn state(&self, out: &mut Vec<TermId>) {
        out.clear();
        let inside = |&f| self.facts.terms.arguments(f).first().copied();
        out.extend(self.facts.rows[self.keywords.truth].facts.iter().filter_map(inside));
    }

    fn terminal(&mut self) -> Result<bool, RunError> {
        self.derive(Phase::View)?;
        Ok(!self.facts.rows[self.keywords.terminal].facts.is_empty())
    }

    fn legal(&mut self, role: usize, out: &mut Vec<TermId>) -> Result<(), RunError> {
        self.derive(Phase::View)?;
        self.of_role(self.keywords.legal, role, out);
        Ok(())
    }

    fn goals(&mut self, role: usize, out: &mut Vec<TermId>) -> Result<(), RunError> {
        self.derive(Phase::View)?;
        self.derive(Phase::Common)?;
        self.derive(Phase::Goal)?;
        self.of_role(self.keywords.goal, role, out);
        Ok(())
    }

    fn play(&mut self, joint: &[TermId]) -> Result<(), RunError> {
        if self.early_moves {
            let mut state = Vec::new();
            self.state(&mut state);
            self.place(&state);
        }
        for (&role, &action) in self.roles.iter().zip(joint) {
            let fact = self.facts.terms.intern(Symbol::DOES, &[role, action]);
            self.facts.insert(self.keywords.does, fact);
        }
        self.derive(Phase::View)?;
        self.derive(Phase::Common)?;
        self.derive(Phase::Move)?;
        let Keywords { next, sees, .. } = self.keywords;
        let arguments = |&f| self.facts.terms.arguments(f);
        let next: Vec<TermId> = self.facts.rows[next]
            .facts
            .iter()
            .filter_map(|f| arguments(f).first().copied())
            .collect();
        self.percepts.clear();
        self.percepts.extend(self.facts.rows[sees].facts.iter().filter_map(|f| {
            let [role, percept] = arguments(f) else { return None };
            Some((*role, *percept))
        }));
        self.place(&next);
        Ok(())
    }

    fn percepts(&self, role: usize, out: &mut Vec<TermId>) {
        out.clear();
        if let Some(role) = self.roles.get(role) {
            out.extend(self.percepts.iter().filter(|(r, _)| r == role).map(|(_, p)| *p));
        }
    }
}
