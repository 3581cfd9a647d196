//! The lifted engine as a world of values: for games that are too large to be grounded.

use std::sync::{Mutex, MutexGuard, PoisonError};

use patience_model::Rng;

use super::Lifted;
use crate::check::goal_value;
use crate::engine::{Reasoner, RunError};
use crate::logic::TermId;
use crate::play::{Percepts, World, fingerprint};
use crate::text::Symbol;

/// Positions of a game that the lifted engine runs. They are values, but there is only one engine
/// behind them, so threads take turns.
#[derive(Debug)]
pub struct LiftedWorld {
    engine: Mutex<Lifted>,
    roles: Vec<TermId>,
    names: Vec<String>,
    has_percepts: bool,
    start: LiftedPosition,
}

/// A position with all that players need of it. A state from which the rules derive facts without end,
/// or for too long, counts as over, without a goal; [`World::fault`] says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiftedPosition {
    /// The facts' numbers, in the order of [`Terms::compare`](crate::Terms::compare).
    words: Vec<u64>,
    terminal: bool,
    legal: Vec<Vec<u32>>,
    /// The terms of the goals, where the game is over.
    goals: Vec<Vec<u32>>,
    percepts: Vec<Vec<u32>>,
    fault: Option<Box<RunError>>,
}

impl LiftedWorld {
    /// The world of an engine. `has_percepts` says whether its rules define `sees`.
    pub fn new(mut engine: Lifted, has_percepts: bool) -> Self {
        let roles = engine.roles().to_vec();
        let names = roles.iter().map(|&role| engine.terms().show(role).to_string()).collect();
        let started = engine.start();
        let start = look(&mut engine, roles.len(), started);
        LiftedWorld { engine: Mutex::new(engine), roles, names, has_percepts, start }
    }

    fn engine(&self) -> MutexGuard<'_, Lifted> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, term: u32) -> String {
        self.engine().terms().show(TermId(term)).to_string()
    }
}

/// All that players need of the engine's state.
fn look(engine: &mut Lifted, roles: usize, moved: Result<(), RunError>) -> LiftedPosition {
    let mut terms = Vec::new();
    engine.state(&mut terms);
    sort(engine, &mut terms);
    let words = terms.iter().map(|term| u64::from(term.0)).collect();
    let percepts = (0..roles).map(|role| {
        engine.percepts(role, &mut terms);
        sort(engine, &mut terms);
        terms.iter().map(|term| term.0).collect()
    });
    let percepts = percepts.collect();
    let mut position = LiftedPosition {
        words,
        terminal: true,
        legal: vec![Vec::new(); roles],
        goals: vec![Vec::new(); roles],
        percepts,
        fault: None,
    };
    let seen = moved.and_then(|()| {
        position.terminal = engine.terminal()?;
        for role in 0..roles {
            let list = if position.terminal {
                engine.goals(role, &mut terms)?;
                &mut position.goals[role]
            } else {
                engine.legal(role, &mut terms)?;
                &mut position.legal[role]
            };
            sort(engine, &mut terms);
            list.extend(terms.iter().map(|term| term.0));
        }
        Ok(())
    });
    if let Err(error) = seen {
        position.terminal = true;
        position.fault = Some(Box::new(error));
    }
    position
}

/// Into an order that does not depend on when a term was first met.
fn sort(engine: &Lifted, terms: &mut Vec<TermId>) {
    terms.sort_by(|&a, &b| engine.terms().compare(a, b));
    terms.dedup();
}

impl World for LiftedWorld {
    type Position = LiftedPosition;

    fn role_names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn is_chance(&self, role: usize) -> bool {
        self.engine().terms().name(self.roles[role]) == Symbol::RANDOM
    }

    fn has_percepts(&self) -> bool {
        self.has_percepts
    }

    /// A move takes milliseconds where a network takes microseconds.
    fn cost(&self) -> u64 {
        10_000_000
    }

    fn position(&self) -> LiftedPosition {
        self.start.clone()
    }

    fn load(&self, position: &mut LiftedPosition, words: &[u64]) {
        let mut engine = self.engine();
        let facts: Vec<TermId> = words.iter().map(|&word| TermId(word as u32)).collect();
        let moved = engine.go_to(&facts);
        *position = look(&mut engine, self.roles.len(), moved);
    }

    fn words<'p>(&self, position: &'p LiftedPosition) -> &'p [u64] {
        &position.words
    }

    fn terminal(&self, position: &LiftedPosition) -> bool {
        position.terminal
    }

    fn for_each_legal(&self, position: &LiftedPosition, role: usize, visit: &mut impl FnMut(u32)) {
        position.legal[role].iter().for_each(|&number| visit(number));
    }

    fn can_move(&self, position: &LiftedPosition, role: usize) -> bool {
        !position.legal[role].is_empty()
    }

    fn random_move(&self, position: &LiftedPosition, role: usize, rng: &mut Rng) -> Option<u32> {
        match &position.legal[role][..] {
            [] => None,
            [only] => Some(*only),
            moves => Some(rng.pick(moves)),
        }
    }

    fn play(&self, position: &mut LiftedPosition, joint: &[u32]) {
        let mut engine = self.engine();
        let facts: Vec<TermId> = position.words.iter().map(|&w| TermId(w as u32)).collect();
        let joint: Vec<TermId> = joint.iter().map(|&number| TermId(number)).collect();
        let played = engine.go_to(&facts).and_then(|()| engine.play(&joint));
        *position = look(&mut engine, self.roles.len(), played);
    }

    fn fault<'p>(&self, position: &'p LiftedPosition) -> Option<&'p RunError> {
        position.fault.as_deref()
    }

    fn goal(&self, position: &LiftedPosition, role: usize) -> Option<u8> {
        let engine = self.engine();
        let table = engine.terms();
        let value = |&term: &u32| goal_value(table.symbols().name(table.name(TermId(term))));
        position.goals[role].iter().find_map(value)
    }

    fn goal_texts(&self, position: &LiftedPosition, role: usize) -> Vec<String> {
        position.goals[role].iter().map(|&term| self.show(term)).collect()
    }

    fn highest_goal(&self, _role: usize) -> u8 {
        100
    }

    fn seen(&self, position: &LiftedPosition, role: usize) -> Percepts {
        Percepts(fingerprint(position.percepts[role].iter().map(|&term| u64::from(term))))
    }

    fn seen_terms(&self, _role: usize, terms: &[&str]) -> Option<Percepts> {
        let mut engine = self.engine();
        let read = |text: &&str| engine.terms_mut().read(text).ok();
        let mut terms = terms.iter().map(read).collect::<Option<Vec<TermId>>>()?;
        sort(&engine, &mut terms);
        Some(Percepts(fingerprint(terms.iter().map(|term| u64::from(term.0)))))
    }

    fn percept_texts(&self, position: &LiftedPosition, role: usize) -> Vec<String> {
        position.percepts[role].iter().map(|&term| self.show(term)).collect()
    }

    fn move_named(&self, _role: usize, text: &str) -> Option<u32> {
        self.engine().terms().look_up(text).map(|term| term.0)
    }

    fn move_text(&self, _role: usize, number: u32) -> String {
        self.show(number)
    }

    fn facts(&self, position: &LiftedPosition) -> Vec<String> {
        position.words.iter().map(|&word| self.show(word as u32)).collect()
    }
}
