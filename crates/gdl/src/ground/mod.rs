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

use crate::finding::Finding;
use crate::network::{MAX_ROLES, Network};
use crate::syntax::Description;

pub(crate) use circuit::{Circuit, Gate, Kind, Lit};

/// How much grounding may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundLimits {
    /// Wall-clock time.
    pub time: Duration,
    /// Instances of rules.
    pub instances: usize,
}

impl Default for GroundLimits {
    /// A minute, and 20 million instances: about 2 GB at the peak.
    fn default() -> Self {
        GroundLimits { time: Duration::from_secs(60), instances: 20_000_000 }
    }
}

/// Why a description was not grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// The rules cannot be evaluated at all.
    #[error("{}", .0.message)]
    Finding(Box<Finding>),
    /// It takes longer than allowed.
    #[error("grounding takes longer than {0:?}")]
    Time(Duration),
    /// There are more instances than allowed.
    #[error("there are more than {0} instances of rules")]
    Instances(usize),
    /// A negation has a variable that nothing binds; only the lifted engine reads it.
    #[error("a negation has a variable that nothing binds")]
    Unbound,
    /// What is asked before the move depends on it; only the lifted engine reads it.
    #[error("`legal`, `goal` or `terminal` depends on the moves of the turn")]
    EarlyMoves,
    /// There are more roles than a network can have.
    #[error("there are {0} roles, more than {MAX_ROLES}")]
    Roles(usize),
}

impl From<Finding> for GroundError {
    fn from(finding: Finding) -> Self {
        GroundError::Finding(Box::new(finding))
    }
}

/// Grounds a description to a network.
///
/// # Errors
/// If it cannot be grounded within the limits; the lifted engine may still play it.
pub fn ground(description: &Description, limits: &GroundLimits) -> Result<Network, GroundError> {
    // Beyond what a clock can tell there is no deadline to miss.
    let now = Instant::now();
    let deadline = now.checked_add(limits.time).unwrap_or(now + Duration::from_secs(1 << 30));
    let mut rules = instances::instances(description, limits, deadline)?;
    if rules.roles.len() > MAX_ROLES {
        return Err(GroundError::Roles(rules.roles.len()));
    }
    let instances = rules.count();
    simplify::simplify(&mut rules, deadline);
    if Instant::now() > deadline {
        return Err(GroundError::Time(limits.time));
    }
    let network = build::network(rules, deadline);
    let mut network = network.ok_or(GroundError::Time(limits.time))?;
    network.sizes.instances = instances;
    Ok(network)
}
