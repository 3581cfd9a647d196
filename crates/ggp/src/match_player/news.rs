//! What a controller tells of the last turn, taken in: joint moves or percepts.

use std::sync::PoisonError;

use patience::gdl::{Move, World};
use patience::model::{Game, Rng};

use super::MatchPlayer;
use super::past::Unknown;
use crate::message::News;

impl<W: World> MatchPlayer<'_, W> {
    /// Whether the news are a joint move although the game has percepts.
    pub(super) fn tells_all(&self, news: &News) -> bool {
        let News::Terms(terms) = news else { return false };
        let world = self.game.network();
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        !self.game.sees_all()
            && self.turn == 0
            && terms.len() == self.game.role_count()
            && world.seen_terms(self.game.role(), &terms).is_none()
            && terms.iter().enumerate().all(|(r, text)| world.move_named(r, text).is_some())
    }

    /// Goes on by what happened.
    pub(super) fn take_in(&mut self, news: &News) -> Result<(), String> {
        let told = self.turn + self.behind.len() as u64;
        match news {
            // Before the first move there is no news, in whichever words, and however often.
            News::Nothing if !self.asked || told == 0 && self.game.sees_all() => Ok(()),
            News::Terms(terms) if terms.is_empty() && !self.asked => Ok(()),
            News::Nothing if self.game.sees_all() => {
                Err("expected the moves of all roles".to_owned())
            }
            News::Nothing => self.perceive(None, &[]),
            News::Terms(terms) if self.game.sees_all() => self.joint(terms),
            News::Terms(terms) => self.perceive(None, terms),
            News::Turn { turn, .. } if *turn == told => self.catch_up(),
            News::Turn { turn, own, percepts } if *turn == told + 1 && self.game.sees_all() => {
                self.seen_moves(own.as_deref(), percepts)
            }
            News::Turn { turn, own, percepts } if *turn == told + 1 => {
                self.perceive(own.as_deref(), percepts)
            }
            News::Turn { turn, .. } => Err(format!("turn {turn} does not follow turn {told}")),
        }
    }

    fn joint(&mut self, terms: &[String]) -> Result<(), String> {
        if terms.len() != self.game.role_count() {
            let (count, roles) = (terms.len(), self.game.role_count());
            return Err(format!("{count} moves were told, but there are {roles} roles"));
        }
        self.behind.push(terms.to_vec());
        self.catch_up()
    }

    /// Plays what was told and not yet played. What the rules take too long for is tried again with
    /// the next news.
    fn catch_up(&mut self) -> Result<(), String> {
        while let Some(terms) = self.behind.first() {
            let joint = match self.numbers(terms) {
                Ok(joint) => joint,
                Err(message) => {
                    self.behind.clear();
                    return Err(message);
                }
            };
            let mut next = self.known.clone();
            let seen = self.game.play(&mut next, &joint);
            if let Some(fault) = self.game.network().fault(&next.position) {
                self.late = Some(fault.to_string());
                return Err(format!("no legal move is known yet: {fault}"));
            }
            self.behind.remove(0);
            self.late = None;
            self.known = next;
            self.turn += 1;
            self.player.observe(Move(joint[self.game.role()]), seen, Some(&self.known));
            self.game.actions(&self.known, &mut self.legal);
        }
        Ok(())
    }

    /// The numbers of the moves of a joint move, if they are legal.
    fn numbers(&self, terms: &[String]) -> Result<Vec<u32>, String> {
        let world = self.game.network();
        let mut joint = Vec::with_capacity(terms.len());
        let mut legal = Vec::new();
        for (role, text) in terms.iter().enumerate() {
            world.legal(&self.known.position, role, &mut legal);
            let number = world.move_named(role, text).filter(|number| legal.contains(number));
            let name = || world.role_names().swap_remove(role);
            joint.push(number.ok_or_else(|| format!("{text} is not legal for {}", name()))?);
        }
        Ok(joint)
    }

    /// The newer form where all moves are told: the moves are what is seen, but for a single role.
    fn seen_moves(&mut self, own: Option<&str>, percepts: &[String]) -> Result<(), String> {
        match own {
            Some(own) if self.game.role_count() == 1 => self.joint(&[own.to_owned()]),
            _ if percepts.len() == self.game.role_count() => self.joint(percepts),
            _ => Err("expected the moves of all roles".to_owned()),
        }
    }

    fn perceive(&mut self, own: Option<&str>, percepts: &[String]) -> Result<(), String> {
        let world = self.game.network();
        let last = self.setup.answered.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let own = own.map(str::to_owned).or(last).ok_or("no move was made yet")?;
        let number = world.move_named(self.game.role(), &own).map(Move);
        let number = number.ok_or_else(|| format!("{own} is no move of this role"))?;
        // Who has lost track does not know what was legal.
        let sure = self.late.is_none() && self.past.as_ref().is_some_and(|past| !past.is_astray());
        if sure && !self.legal.contains(&number) {
            return Err(format!("{own} was not legal in turn {}", self.turn));
        }
        let terms: Vec<&str> = percepts.iter().map(String::as_str).collect();
        let seen = world.seen_terms(self.game.role(), &terms);
        let terms = terms.join(" ");
        let seen = seen.ok_or_else(|| format!("({terms}) can never be seen"))?;
        let mut rng = Rng::named(self.setup.seed, &["past", &self.turn.to_string()]);
        let state = match &mut self.past {
            Some(past) => past.observe(number, seen, &mut rng),
            None => return Err("expected the moves of all roles".to_owned()),
        };
        self.late = None;
        match state {
            Err(Unknown::Impossible) => {
                return Err(format!("({terms}) cannot be seen after {own} in turn {}", self.turn));
            }
            // It counts as seen; with the next news it is tried again.
            Err(Unknown::Late(error)) => {
                self.legal.clear();
                self.late = Some(error.to_string());
            }
            Ok(state) => self.game.actions(&state, &mut self.legal),
        }
        self.turn += 1;
        self.player.observe(number, seen, None);
        Ok(())
    }
}
