//! The one interface of all engines: a game that is somewhere, and can be asked and moved.

use std::time::Duration;

use crate::check::goal_value;
use crate::logic::{TermId, Terms};
use crate::text::{Diagnostic, Source};

/// Why a description cannot be run on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The rules derive more facts than allowed, most likely without end.
    #[error("`{relation}` has more than {limit} facts, most likely without end")]
    Endless {
        /// The relation.
        relation: String,
        /// The number of facts of one relation that is allowed.
        limit: usize,
    },
    /// The rules take longer than allowed.
    #[error("the rules of `{relation}` take longer than {limit:?} in one state")]
    Slow {
        /// The relation that was being derived.
        relation: String,
        /// What is allowed.
        limit: Duration,
    },
    /// A [`Halt`](patience_plan::Halt) has struck.
    #[error("stopped{}", at(during))]
    Stopped {
        /// The relation that was being derived.
        during: Option<String>,
    },
    /// A role has no legal move although the game is not over.
    #[error("the role {role} has no legal move in a state that is not terminal")]
    NoLegalMove {
        /// The role.
        role: String,
    },
    /// A role has not exactly one goal value.
    #[error("the role {role} has {} instead of exactly one goal from 0 to 100", goals_shown(goals))]
    Goals {
        /// The role.
        role: String,
        /// The values derived.
        goals: Vec<String>,
    },
    /// A move was played that is not legal.
    #[error("the move {action} of {role} is not legal")]
    Illegal {
        /// The role.
        role: String,
        /// The move.
        action: String,
    },
}

fn goals_shown(goals: &[String]) -> String {
    if goals.is_empty() { "no goal".to_owned() } else { format!("the goals {}", goals.join(", ")) }
}

/// Where work was when it ended.
pub(crate) fn at(during: &Option<String>) -> String {
    during.as_ref().map_or_else(String::new, |name| format!(" (at the rules of `{name}`)"))
}

/// Why there is no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The rules cannot be evaluated at all.
    #[error("{}", .0.message)]
    Diagnostic(Box<Diagnostic>),
    /// What never changes, or the initial state, takes too long, or was stopped.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl EngineError {
    /// The message, with the place where there is one.
    pub fn render(&self, source: &Source) -> String {
        match self {
            EngineError::Diagnostic(finding) => finding.render(source),
            EngineError::Run(error) => format!("{}: {error}", source.name()),
        }
    }
}

impl From<Diagnostic> for EngineError {
    fn from(finding: Diagnostic) -> Self {
        EngineError::Diagnostic(Box::new(finding))
    }
}

/// An engine: it stands at a state, answers questions about it, and moves on.
///
/// Terms are numbers in the engine's own table ([`Reasoner::terms`]). The order of legal moves,
/// facts and percepts is the same in every run.
pub trait Reasoner {
    /// The terms.
    fn terms(&self) -> &Terms;

    /// The terms, to be added to: moves that come from outside are made here.
    fn terms_mut(&mut self) -> &mut Terms;

    /// The roles in their order.
    fn roles(&self) -> &[TermId];

    /// Goes to the initial state.
    ///
    /// # Errors
    /// If the rules derive facts without end, or for too long.
    fn start(&mut self) -> Result<(), RunError>;

    /// Goes to any state, given by its facts. Facts that can never hold are left out.
    ///
    /// # Errors
    /// If the rules derive facts without end, or for too long.
    fn go_to(&mut self, facts: &[TermId]) -> Result<(), RunError>;

    /// Replaces the contents of `out` by the facts that hold.
    fn state(&self, out: &mut Vec<TermId>);

    /// Whether the game is over.
    ///
    /// # Errors
    /// If the rules derive facts without end, or for too long.
    fn terminal(&mut self) -> Result<bool, RunError>;

    /// Replaces the contents of `out` by the legal moves of a role.
    ///
    /// # Errors
    /// If the rules derive facts without end, or for too long.
    fn legal(&mut self, role: usize, out: &mut Vec<TermId>) -> Result<(), RunError>;

    /// Replaces the contents of `out` by all goal values that are derived for a role.
    ///
    /// # Errors
    /// If the rules derive facts without end, or for too long.
    fn goals(&mut self, role: usize, out: &mut Vec<TermId>) -> Result<(), RunError>;

    /// Plays one move for each role. Moves are not checked: see [`Reasoner::play_legal`].
    ///
    /// # Errors
    /// If the rules derive facts without end, or for too long.
    fn play(&mut self, joint: &[TermId]) -> Result<(), RunError>;

    /// Replaces the contents of `out` by what a role has seen of the last move.
    fn percepts(&self, role: usize, out: &mut Vec<TermId>);

    /// The goal value of a role.
    ///
    /// # Errors
    /// If there is not exactly one, or it is no whole number from 0 to 100.
    fn goal(&mut self, role: usize) -> Result<u8, RunError> {
        let mut goals = Vec::new();
        self.goals(role, &mut goals)?;
        if let [goal] = goals[..]
            && self.terms().arguments(goal).is_empty()
            && let Some(value) = goal_value(self.terms().symbols().name(self.terms().name(goal)))
        {
            return Ok(value);
        }
        let show = |t| self.terms().show(t).to_string();
        let role = show(self.roles()[role]);
        Err(RunError::Goals { role, goals: goals.into_iter().map(show).collect() })
    }

    /// Plays one legal move for each role.
    ///
    /// # Errors
    /// If a move is not legal, or the rules derive facts without end.
    fn play_legal(&mut self, joint: &[TermId]) -> Result<(), RunError> {
        let mut legal = Vec::new();
        for (role, &action) in joint.iter().enumerate() {
            self.legal(role, &mut legal)?;
            if !legal.contains(&action) {
                let role = self.terms().show(self.roles()[role]).to_string();
                let action = self.terms().show(action).to_string();
                return Err(RunError::Illegal { role, action });
            }
        }
        self.play(joint)
    }

    /// Chooses a move for each role, uniformly at random, and puts them into `joint`.
    ///
    /// # Errors
    /// If a role has no legal move.
    fn random_joint(
        &mut self,
        rng: &mut patience_model::Rng,
        joint: &mut Vec<TermId>,
    ) -> Result<(), RunError> {
        let mut legal = Vec::new();
        joint.clear();
        for role in 0..self.roles().len() {
            self.legal(role, &mut legal)?;
            if legal.is_empty() {
                let role = self.terms().show(self.roles()[role]).to_string();
                return Err(RunError::NoLegalMove { role });
            }
            joint.push(rng.pick(&legal));
        }
        Ok(())
    }
}
