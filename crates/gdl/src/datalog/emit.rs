//! What happens to the facts that are derived, and what ends a run.

use std::time::{Duration, Instant};

use patience_plan::Halt;

use super::facts::Facts;
use super::plan::Plan;
use crate::logic::TermId;

/// What is done with an instance of a clause.
pub(crate) trait Emit {
    /// Takes an instance whose head is `fact`; the values of the variables are given. An error
    /// ends the run.
    fn emit(
        &mut self,
        plan: &Plan,
        fact: TermId,
        values: &[TermId],
        facts: &mut Facts,
    ) -> Result<(), Interrupt>;

    /// Called now and then; an error ends the run.
    fn pulse(&mut self) -> Result<(), Interrupt>;
}

/// Interrupt a run was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// There is more than allowed.
    Many,
    /// It takes longer than allowed.
    Slow,
    /// A halt has struck.
    Halted,
}

/// A run was ended while it derived facts of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interrupted {
    pub(crate) why: Interrupt,
    pub(crate) relation: usize,
}

/// How long a run may take. The clock starts with the first look at it, a moment after the start.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TimeLimit {
    Until(Instant),
    AtMost(Duration),
}

impl TimeLimit {
    pub(crate) fn pulse(&mut self) -> Result<(), Interrupt> {
        if Halt::is_due() {
            return Err(Interrupt::Halted);
        }
        let now = Instant::now();
        match *self {
            TimeLimit::Until(deadline) if now >= deadline => Err(Interrupt::Slow),
            TimeLimit::Until(_) => Ok(()),
            TimeLimit::AtMost(time) => {
                // A deadline that the clock cannot represent is never missed.
                let far = || now + Duration::from_secs(1 << 30);
                *self = TimeLimit::Until(now.checked_add(time).unwrap_or_else(far));
                Ok(())
            }
        }
    }
}

/// Adds the heads to the facts, up to a number of facts for each relation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Insert {
    pub(crate) most: usize,
    pub(crate) time: TimeLimit,
}

impl Emit for Insert {
    #[inline]
    fn emit(
        &mut self,
        plan: &Plan,
        fact: TermId,
        _: &[TermId],
        facts: &mut Facts,
    ) -> Result<(), Interrupt> {
        facts.insert(plan.head_relation, fact);
        match facts.rows[plan.head_relation].facts.len() > self.most {
            true => Err(Interrupt::Many),
            false => Ok(()),
        }
    }

    fn pulse(&mut self) -> Result<(), Interrupt> {
        self.time.pulse()
    }
}
