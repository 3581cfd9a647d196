//! The network as a world: positions as values, moves as numbers.

use patience_model::Rng;

use super::{Network, Position, for_each_bit};
use crate::logic::TermId;
use crate::play::{Percepts, World, fingerprint};
use crate::text::Symbol;

/// Percepts by their places in a list of this length.
fn percepts(length: usize, places: impl Iterator<Item = usize>) -> Percepts {
    match length {
        ..=128 => Percepts(places.fold(0, |bits, i| bits | 1 << i)),
        _ => Percepts(fingerprint(places.map(|i| i as u64))),
    }
}

impl Network {
    fn show(&self, term: TermId) -> String {
        self.terms.show(term).to_string()
    }
}

impl World for Network {
    type Position = Position;

    fn role_names(&self) -> Vec<String> {
        self.roles.iter().map(|&role| self.show(role)).collect()
    }

    fn is_chance(&self, role: usize) -> bool {
        self.terms.name(self.roles[role]) == Symbol::RANDOM
    }

    fn has_percepts(&self) -> bool {
        self.sees.iter().any(|list| !list.is_empty())
    }

    fn cost(&self) -> u64 {
        self.sizes.position_bytes as u64
    }

    fn position(&self) -> Position {
        Network::position(self)
    }

    fn load(&self, position: &mut Position, words: &[u64]) {
        position.load(self, words);
    }

    fn words<'p>(&self, position: &'p Position) -> &'p [u64] {
        position.state(self)
    }

    #[inline]
    fn terminal(&self, position: &Position) -> bool {
        position.terminal(self)
    }

    #[inline]
    fn for_each_legal(&self, position: &Position, role: usize, visit: &mut impl FnMut(u32)) {
        for_each_bit(position.legal(self, role), |i| visit(i as u32));
    }

    #[inline]
    fn can_move(&self, position: &Position, role: usize) -> bool {
        position.legal(self, role).iter().any(|&word| word != 0)
    }

    #[inline]
    fn random_move(&self, position: &Position, role: usize, rng: &mut Rng) -> Option<u32> {
        position.random_move(self, role, rng)
    }

    #[inline]
    fn play(&self, position: &mut Position, joint: &[u32]) {
        position.play(self, joint);
    }

    fn goal(&self, position: &Position, role: usize) -> Option<u8> {
        let position = position.with_goals(self);
        let place = self.goals[role].iter().position(|&(_, node)| position.holds(node))?;
        Some(self.goal_values[role][place])
    }

    fn goal_texts(&self, position: &Position, role: usize) -> Vec<String> {
        position.goals(self, role).map(|term| self.show(term)).collect()
    }

    fn highest_goal(&self, role: usize) -> u8 {
        self.goal_values[role].iter().copied().max().unwrap_or(0)
    }

    #[inline]
    fn seen(&self, position: &Position, role: usize) -> Percepts {
        let list = &self.sees[role];
        percepts(list.len(), (0..list.len()).filter(|&i| position.saw(self, list[i].1)))
    }

    fn seen_terms(&self, role: usize, terms: &[&str]) -> Option<Percepts> {
        let list = &self.sees[role];
        let place = |text: &&str| {
            let term = self.terms.look_up(text)?;
            list.iter().position(|&(other, _)| other == term)
        };
        let mut places = terms.iter().map(place).collect::<Option<Vec<usize>>>()?;
        places.sort_unstable();
        places.dedup();
        Some(percepts(list.len(), places.into_iter()))
    }

    fn percept_texts(&self, position: &Position, role: usize) -> Vec<String> {
        position.percepts(self, role).map(|term| self.show(term)).collect()
    }

    fn move_named(&self, role: usize, text: &str) -> Option<u32> {
        self.move_number[role].get(&self.terms.look_up(text)?).copied()
    }

    fn move_text(&self, role: usize, number: u32) -> String {
        self.moves[role].get(number as usize).map_or_else(String::new, |&term| self.show(term))
    }

    fn facts(&self, position: &Position) -> Vec<String> {
        let mut facts = Vec::new();
        for_each_bit(position.state(self), |i| facts.push(self.show(self.bases[i])));
        facts
    }
}
