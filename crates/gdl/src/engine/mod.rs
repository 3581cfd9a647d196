//! The engine that suits a game: grounded where that is possible, lifted elsewhere.

mod reasoner;

use std::sync::Arc;
use std::time::Duration;

use crate::ground::{GroundError, GroundLimits, ground};
use crate::lifted::Lifted;
use crate::logic::{TermId, Terms};
use crate::network::Grounded;
use crate::text::Description;

pub(crate) use reasoner::at;
pub use reasoner::{EngineError, Reasoner, RunError};

/// Either engine, behind one interface.
#[derive(Clone, Debug)]
pub enum Engine {
    /// The propositional network.
    Grounded(Box<Grounded>),
    /// The evaluator of rules, and why the game could not be grounded; `None` if nobody tried.
    Lifted(Box<Lifted>, Option<GroundError>),
}

impl Engine {
    /// The grounded engine if the game can be grounded within the limits, else the lifted one.
    ///
    /// # Errors
    /// If the rules cannot be evaluated at all, or take too long, or a
    /// [`Halt`](patience_plan::Halt) of this thread strikes.
    pub fn new(description: &Description, limits: &GroundLimits) -> Result<Self, EngineError> {
        match ground(description, limits) {
            Ok(network) => Ok(Engine::Grounded(Box::new(Grounded::new(Arc::new(network))))),
            Err(GroundError::Diagnostic(finding)) => Err(EngineError::Diagnostic(finding)),
            Err(GroundError::Stopped { during }) => Err(RunError::Stopped { during }.into()),
            Err(reason) => {
                let lifted = Lifted::within(description, limits.lifted)?;
                Ok(Engine::Lifted(Box::new(lifted), Some(reason)))
            }
        }
    }

    /// The lifted engine, whether or not the game can be grounded.
    ///
    /// # Errors
    /// As for [`Engine::new`].
    pub fn lifted(description: &Description, longest: Duration) -> Result<Self, EngineError> {
        Ok(Engine::Lifted(Box::new(Lifted::within(description, longest)?), None))
    }

    /// Its name: `grounded` or `lifted`.
    pub fn name(&self) -> &'static str {
        match self {
            Engine::Grounded(_) => "grounded",
            Engine::Lifted(..) => "lifted",
        }
    }
}

macro_rules! both {
    ($self:ident, $engine:ident => $call:expr) => {
        match $self {
            Engine::Grounded($engine) => $call,
            Engine::Lifted($engine, _) => $call,
        }
    };
}

impl Reasoner for Engine {
    fn terms(&self) -> &Terms {
        both!(self, engine => engine.terms())
    }

    fn terms_mut(&mut self) -> &mut Terms {
        both!(self, engine => engine.terms_mut())
    }

    fn roles(&self) -> &[TermId] {
        both!(self, engine => engine.roles())
    }

    fn start(&mut self) -> Result<(), RunError> {
        both!(self, engine => engine.start())
    }

    fn go_to(&mut self, facts: &[TermId]) -> Result<(), RunError> {
        both!(self, engine => engine.go_to(facts))
    }

    fn state(&self, out: &mut Vec<TermId>) {
        both!(self, engine => engine.state(out));
    }

    fn terminal(&mut self) -> Result<bool, RunError> {
        both!(self, engine => engine.terminal())
    }

    fn legal(&mut self, role: usize, out: &mut Vec<TermId>) -> Result<(), RunError> {
        both!(self, engine => engine.legal(role, out))
    }

    fn goals(&mut self, role: usize, out: &mut Vec<TermId>) -> Result<(), RunError> {
        both!(self, engine => engine.goals(role, out))
    }

    fn play(&mut self, joint: &[TermId]) -> Result<(), RunError> {
        both!(self, engine => engine.play(joint))
    }

    fn percepts(&self, role: usize, out: &mut Vec<TermId>) {
        both!(self, engine => engine.percepts(role, out));
    }
}
