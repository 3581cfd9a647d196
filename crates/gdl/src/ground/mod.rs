//! Grounding: from rules with variables to rules about propositions.
//!
//! 1. Facts that never change are derived.
//! 2. Everything that may ever hold is derived from the initial state, with negations of changing
//!    relations taken to hold; each instance of a clause that does so is noted ([`instances`]).
//! 3. What turns out to be constant is removed ([`simplify`]).
//! 4. The rest becomes gates ([`circuit`], [`build`]).

mod build;
mod circuit;
mod instances;
mod simplify;

use std::time::{Duration, Instant};

use crate::datalog::{Interrupt, TimeLimit};
use crate::engine::at;
use crate::network::{MAX_ROLES, Network};
use crate::text::{Description, Diagnostic};

/// Checks the clock and the halt flag, though not every time.
struct Pulse {
    time: TimeLimit,
    left: u32,
}

impl Pulse {
    fn until(deadline: Instant) -> Self {
        Pulse { time: TimeLimit::Until(deadline), left: 0 }
    }

    fn beat(&mut self) -> Result<(), Interrupt> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 255;
                self.time.pulse()
            }
        }
    }
}

pub(crate) use circuit::{Circuit, Gate, Kind, Lit};

/// How much grounding may cost, and running a game that cannot be grounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundLimits {
    /// Wall-clock time.
    pub time: Duration,
    /// Instances of rules.
    pub instances: usize,
    /// Time for each question to the lifted engine, if the game cannot be grounded.
    pub lifted: Duration,
}

impl Default for GroundLimits {
    /// A minute, and 20 million instances: about 2 GB at the peak. A minute for each question.
    fn default() -> Self {
        let minute = Duration::from_secs(60);
        GroundLimits { time: minute, instances: 20_000_000, lifted: minute }
    }
}

/// Interrupt a description was not grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// The rules cannot be evaluated at all.
    #[error("{}", .0.message)]
    Diagnostic(Box<Diagnostic>),
    /// It takes longer than allowed.
    #[error("grounding takes longer than {limit:?}{}", at(during))]
    Time {
        /// What is allowed.
        limit: Duration,
        /// The relation that was being derived, where it came no further than that.
        during: Option<String>,
    },
    /// It was ended by a [`Halt`](patience_plan::Halt).
    #[error("grounding was stopped{}", at(during))]
    Stopped {
        /// The relation that was being derived, where it came no further than that.
        during: Option<String>,
    },
    /// There are more instances than allowed.
    #[error("there are more than {0} instances of rules")]
    Instances(usize),
    /// A negation has a variable that nothing binds; only the lifted engine runs this.
    #[error("a negation has a variable that nothing binds")]
    Unbound,
    /// Something that must be known before the move depends on it; only the lifted engine runs this.
    #[error("`legal`, `goal` or `terminal` depends on the moves of the turn")]
    EarlyMoves,
    /// There are more roles than a network can have.
    #[error("there are {0} roles, more than {MAX_ROLES}")]
    Roles(usize),
}

impl From<Diagnostic> for GroundError {
    fn from(finding: Diagnostic) -> Self {
        GroundError::Diagnostic(Box::new(finding))
    }
}

/// Grounds a description to a network.
///
/// # Errors
/// If it cannot be grounded within the limits; the lifted engine may still play it. If a
/// [`Halt`](patience_plan::Halt) of this thread strikes, [`GroundError::Stopped`].
pub fn ground(description: &Description, limits: &GroundLimits) -> Result<Network, GroundError> {
    // A deadline that the clock cannot represent is never missed.
    let now = Instant::now();
    let deadline = now.checked_add(limits.time).unwrap_or(now + Duration::from_secs(1 << 30));
    let mut rules = instances::instances(description, limits, deadline)?;
    if rules.roles.len() > MAX_ROLES {
        return Err(GroundError::Roles(rules.roles.len()));
    }
    let instances = rules.count();
    let stopped = |why| match why {
        Interrupt::Halted => GroundError::Stopped { during: None },
        Interrupt::Slow | Interrupt::Many => GroundError::Time { limit: limits.time, during: None },
    };
    simplify::simplify(&mut rules, deadline).map_err(stopped)?;
    let mut network = build::network(rules, deadline).map_err(stopped)?;
    network.sizes.instances = instances;
    Ok(network)
}
