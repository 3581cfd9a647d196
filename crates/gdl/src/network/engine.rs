//! The grounded engine behind the common interface.

use std::sync::Arc;

use super::{Network, Position, for_each_bit};
use crate::engine::{Reasoner, RunError};
use crate::logic::{TermId, Terms};

/// The grounded engine, standing at a state.
#[derive(Clone, Debug)]
pub struct Grounded {
    network: Arc<Network>,
    /// The network's terms and whatever has come from outside since.
    terms: Terms,
    position: Position,
}

impl Grounded {
    /// An engine at the initial state.
    pub fn new(network: Arc<Network>) -> Self {
        let (terms, position) = (network.terms.clone(), network.position());
        Grounded { network, terms, position }
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

impl Reasoner for Grounded {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn roles(&self) -> &[TermId] {
        &self.network.roles
    }

    fn start(&mut self) -> Result<(), RunError> {
        self.position.restart(&self.network);
        Ok(())
    }

    fn go_to(&mut self, facts: &[TermId]) -> Result<(), RunError> {
        let mut words = vec![0; self.network.base_words.len()];
        for (i, base) in self.network.bases.iter().enumerate() {
            if facts.contains(base) {
                words[i / 64] |= 1 << (i % 64);
            }
        }
        self.position.load(&self.network, &words);
        Ok(())
    }

    fn state(&self, out: &mut Vec<TermId>) {
        out.clear();
        let words = self.position.state(&self.network);
        for_each_bit(words, |i| out.push(self.network.bases[i]));
    }

    fn terminal(&mut self) -> Result<bool, RunError> {
        Ok(self.position.terminal(&self.network))
    }

    fn legal(&mut self, role: usize, out: &mut Vec<TermId>) -> Result<(), RunError> {
        out.clear();
        let moves = &self.network.moves[role];
        for_each_bit(self.position.legal(&self.network, role), |i| out.push(moves[i]));
        Ok(())
    }

    fn goals(&mut self, role: usize, out: &mut Vec<TermId>) -> Result<(), RunError> {
        out.clear();
        out.extend(self.position.goals(&self.network, role));
        Ok(())
    }

    fn play(&mut self, joint: &[TermId]) -> Result<(), RunError> {
        let mut numbers = Vec::with_capacity(joint.len());
        for (role, action) in joint.iter().enumerate() {
            match self.network.move_number[role].get(action) {
                Some(&number) => numbers.push(number),
                None => {
                    let role = self.terms.show(self.network.roles[role]).to_string();
                    let action = self.terms.show(*action).to_string();
                    return Err(RunError::Illegal { role, action });
                }
            }
        }
        self.position.play(&self.network, &numbers);
        Ok(())
    }

    fn percepts(&self, role: usize, out: &mut Vec<TermId>) {
        out.clear();
        out.extend(self.position.percepts(&self.network, role));
    }
}
