//! Following a transcript.

use crate::engine::{Reasoner, RunError};
use crate::logic::TermId;

/// What was compared without a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Matches begun.
    pub matches: usize,
    /// States compared.
    pub states: usize,
    /// Moves played.
    pub moves: usize,
    /// Lines compared in all.
    pub lines: usize,
}

/// Where engine and transcript part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// A set is another.
    #[error(
        "line {line}: {what} differ: the engine has {} too much and lacks {}",
        listed(extra),
        listed(missing)
    )]
    Set {
        /// The line of the transcript, from 1.
        line: usize,
        /// What was compared.
        what: String,
        /// What only the engine has.
        extra: Vec<String>,
        /// What only the transcript has.
        missing: Vec<String>,
    },
    /// The transcript says that the game is over, or goes on, and the engine the contrary.
    #[error("line {line}: the transcript has terminal = {expected}, the engine {found}")]
    Terminal {
        /// The line.
        line: usize,
        /// What the transcript says.
        expected: bool,
        /// What the engine says.
        found: bool,
    },
    /// The engine failed.
    #[error("line {line}: {error}")]
    Failed {
        /// The line.
        line: usize,
        /// Why.
        error: RunError,
    },
    /// A line cannot be read.
    #[error("line {line}: {message}")]
    Unreadable {
        /// The line.
        line: usize,
        /// Why.
        message: String,
    },
}

fn listed(terms: &[String]) -> String {
    if terms.is_empty() { "nothing".to_owned() } else { terms.join(" ") }
}

/// Plays the moves of a transcript and compares everything that it says.
///
/// # Errors
/// The first difference.
pub fn follow(reasoner: &mut impl Reasoner, text: &str) -> Result<Followed, Difference> {
    let mut follower = Follower { reasoner, done: Followed::default(), goals: Vec::new(), line: 0 };
    let mut ended = true;
    for (i, line) in text.lines().enumerate() {
        follower.line = i + 1;
        let line = line.trim_end_matches('\r');
        let mut fields = line.split('\t');
        let mut words = fields.next().unwrap_or_default().split(' ').filter(|w| !w.is_empty());
        let Some(keyword) = words.next() else { continue };
        let name = words.next();
        if keyword != "GOAL" {
            follower.compare_goals()?;
        }
        // The first line of a match is about its initial state.
        if matches!(keyword, "STATE" | "LEGAL" | "MOVE" | "TERMINAL") && std::mem::take(&mut ended)
        {
            follower.done.matches += 1;
            let started = follower.reasoner.start();
            follower.run(started)?;
        }
        match keyword {
            "ROLES" => {
                let roles = follower.reasoner.roles().to_vec();
                let names: Vec<&str> = name.into_iter().chain(words).collect();
                follower.compare("roles", roles, &names)?;
            }
            "MATCH" => ended = true,
            "STATE" => {
                follower.done.states += 1;
                let mut state = Vec::new();
                follower.reasoner.state(&mut state);
                follower.compare("the states", state, &fields.collect::<Vec<_>>())?;
            }
            "LEGAL" => {
                let role = follower.role(name)?;
                let mut legal = Vec::new();
                let asked = follower.reasoner.legal(role, &mut legal);
                follower.run(asked)?;
                follower.compare("the legal moves", legal, &fields.collect::<Vec<_>>())?;
            }
            "MOVE" => {
                follower.terminal(false)?;
                let joint = follower.terms(&fields.collect::<Vec<_>>())?;
                let roles = follower.reasoner.roles().len();
                if joint.len() != roles {
                    let message =
                        format!("{} moves, expected one for each of {roles} roles", joint.len());
                    return follower.unreadable(message);
                }
                let played = follower.reasoner.play_legal(&joint);
                follower.run(played)?;
                follower.done.moves += 1;
            }
            "SEES" => {
                let role = follower.role(name)?;
                let mut percepts = Vec::new();
                follower.reasoner.percepts(role, &mut percepts);
                follower.compare("the percepts", percepts, &fields.collect::<Vec<_>>())?;
            }
            "TERMINAL" => follower.terminal(true)?,
            "GOAL" => {
                let role = follower.role(name)?;
                let values = follower.terms(&words.collect::<Vec<_>>())?;
                follower.goals.extend(values.into_iter().map(|v| (role, v)));
            }
            "ENDMATCH" | "END" => ended = true,
            _ => return follower.unreadable(format!("unknown line `{keyword}`")),
        }
        follower.done.lines += 1;
    }
    follower.compare_goals()?;
    Ok(follower.done)
}

struct Follower<'a, R> {
    reasoner: &'a mut R,
    done: Followed,
    goals: Vec<(usize, TermId)>,
    line: usize,
}

impl<R: Reasoner> Follower<'_, R> {
    fn run<T>(&self, result: Result<T, RunError>) -> Result<T, Difference> {
        result.map_err(|error| Difference::Failed { line: self.line, error })
    }

    fn unreadable<T>(&self, message: impl Into<String>) -> Result<T, Difference> {
        Err(Difference::Unreadable { line: self.line, message: message.into() })
    }

    fn terms(&mut self, fields: &[&str]) -> Result<Vec<TermId>, Difference> {
        let mut terms = Vec::new();
        for field in fields.iter().filter(|f| !f.trim().is_empty()) {
            match self.reasoner.terms_mut().read(field) {
                Ok(term) => terms.push(term),
                Err(finding) => return self.unreadable(format!("`{field}`: {}", finding.message)),
            }
        }
        Ok(terms)
    }

    fn role(&mut self, name: Option<&str>) -> Result<usize, Difference> {
        let Some(name) = name else { return self.unreadable("the role is missing") };
        let role = self.terms(&[name])?;
        match self.reasoner.roles().iter().position(|r| role.contains(r)) {
            Some(role) => Ok(role),
            None => self.unreadable(format!("there is no role `{name}`")),
        }
    }

    fn terminal(&mut self, expected: bool) -> Result<(), Difference> {
        let found = self.reasoner.terminal();
        let found = self.run(found)?;
        match found == expected {
            true => Ok(()),
            false => Err(Difference::Terminal { line: self.line, expected, found }),
        }
    }

    fn compare_goals(&mut self) -> Result<(), Difference> {
        let goals = std::mem::take(&mut self.goals);
        for role in 0..self.reasoner.roles().len() {
            let expected: Vec<TermId> =
                goals.iter().filter(|(r, _)| *r == role).map(|(_, v)| *v).collect();
            if !expected.is_empty() {
                let mut found = Vec::new();
                let asked = self.reasoner.goals(role, &mut found);
                self.run(asked)?;
                // A controller counts a role without a goal as 0.
                if found.is_empty() {
                    found = self.terms(&["0"])?;
                }
                self.same("the goals", found, expected)?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, what: &str, found: Vec<TermId>, text: &[&str]) -> Result<(), Difference> {
        let expected = self.terms(text)?;
        self.same(what, found, expected)
    }

    fn same(
        &self,
        what: &str,
        mut found: Vec<TermId>,
        mut expected: Vec<TermId>,
    ) -> Result<(), Difference> {
        for set in [&mut found, &mut expected] {
            set.sort_unstable();
            set.dedup();
        }
        if found == expected {
            return Ok(());
        }
        let only = |a: &[TermId], b: &[TermId]| -> Vec<String> {
            let terms = a.iter().filter(|t| b.binary_search(t).is_err());
            terms.map(|&t| self.reasoner.terms().show(t).to_string()).collect()
        };
        let (extra, missing) = (only(&found, &expected), only(&expected, &found));
        Err(Difference::Set { line: self.line, what: what.to_owned(), extra, missing })
    }
}
