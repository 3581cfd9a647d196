//! How a lifted engine is made: what never changes is derived once, the rest is planned in phases.

use std::time::Duration;

use super::{Keywords, Lifted, Limits, Phase};
use crate::datalog::{ClausesByHead, Facts, Runner, Strata};
use crate::engine::{EngineError, RunError};
use crate::logic::{TermId, Terms, clauses};
use crate::text::{Code, Description, Diagnostic, Symbol};

/// How many facts one relation may have.
const MOST_FACTS: usize = 20_000_000;

/// How long it may take to answer one question about a state.
const LONGEST: Duration = Duration::from_secs(60);

impl Lifted {
    /// Makes an engine, at the initial state.
    ///
    /// # Errors
    /// If the rules cannot be evaluated: a variable of a head that nothing binds, facts without
    /// end, or rules that take longer than a minute. If a [`Halt`](patience_plan::Halt) of this
    /// thread strikes, [`RunError::Stopped`].
    pub fn new(description: &Description) -> Result<Self, EngineError> {
        Lifted::with_limits(description, MOST_FACTS, LONGEST)
    }

    /// Makes an engine in which no relation may have more facts than this.
    ///
    /// # Errors
    /// As for [`Lifted::new`].
    pub fn with_limit(description: &Description, most: usize) -> Result<Self, EngineError> {
        Lifted::with_limits(description, most, LONGEST)
    }

    /// Makes an engine in which nothing that is derived may take longer than this.
    ///
    /// # Errors
    /// As for [`Lifted::new`].
    pub fn within(description: &Description, longest: Duration) -> Result<Self, EngineError> {
        Lifted::with_limits(description, MOST_FACTS, longest)
    }

    /// Makes an engine with both limits.
    ///
    /// # Errors
    /// As for [`Lifted::new`].
    pub fn with_limits(
        description: &Description,
        most: usize,
        longest: Duration,
    ) -> Result<Self, EngineError> {
        let limits = Limits { most, longest };
        let mut insert = limits.insert();
        let mut terms = Terms::new(description.symbols.clone());
        let clauses = clauses(description, &mut terms)?;
        let mut facts = Facts::new(terms);
        let keywords = Keywords {
            truth: facts.relation((Symbol::TRUE, 1)),
            does: facts.relation((Symbol::DOES, 2)),
            next: facts.relation((Symbol::NEXT, 1)),
            legal: facts.relation((Symbol::LEGAL, 2)),
            goal: facts.relation((Symbol::GOAL, 2)),
            terminal: facts.relation((Symbol::TERMINAL, 0)),
            sees: facts.relation((Symbol::SEES, 2)),
        };
        let init = facts.relation((Symbol::INIT, 1));
        let role = facts.relation((Symbol::ROLE, 1));
        let strata = Strata::of(&clauses, &mut facts);
        let changes = strata.depending(&[keywords.truth, keywords.does]);
        let needed = strata.needed([
            keywords.next,
            keywords.legal,
            keywords.goal,
            keywords.terminal,
            keywords.sees,
            init,
            role,
        ]);
        let by_head = ClausesByHead::new(&clauses, &mut facts);
        let mut runner = Runner::default();
        for members in strata.order.iter().filter(|m| needed[m[0]] && !changes[m[0]]) {
            let stratum = by_head.stratum(members, &mut facts, &|r| !members.contains(&r))?;
            stratum.evaluate(&mut facts, &mut runner, &mut insert).map_err(|interrupted| {
                with_place(description, limits.error(interrupted, &facts))
            })?;
        }
        let view = strata.needed([keywords.legal, keywords.terminal]);
        let goal = strata.needed([keywords.goal]);
        let step = strata.needed([keywords.next, keywords.sees]);
        let phase = |r: usize| match (view[r], goal[r], step[r]) {
            (true, ..) => Some(Phase::View),
            (_, true, true) => Some(Phase::Common),
            (_, true, _) => Some(Phase::Goal),
            (_, _, true) => Some(Phase::Move),
            _ => None,
        };
        let mut changing = vec![keywords.truth, keywords.does];
        changing.extend((0..strata.on.len()).filter(|&r| changes[r] && phase(r).is_some()));
        changing.sort_unstable();
        changing.dedup();
        let on_moves = strata.depending(&[keywords.does]);
        let early = |r: usize| matches!(phase(r), Some(Phase::View | Phase::Goal));
        let inner = |facts: &Facts, relation: usize| -> Vec<TermId> {
            let inside = |&f| facts.terms.arguments(f).first().copied();
            facts.rows[relation].facts.iter().filter_map(inside).collect()
        };
        let mut lifted = Lifted {
            roles: inner(&facts, role),
            initial: inner(&facts, init),
            facts,
            runner,
            keywords,
            phases: Default::default(),
            early_moves: (0..strata.on.len()).any(|r| early(r) && on_moves[r]),
            done: [false; 4],
            changing,
            percepts: Vec::new(),
            limits,
        };
        lifted.place(&lifted.initial.clone());
        // Plans are made at the initial state, which shows how large relations are.
        for wanted in [Phase::View, Phase::Common, Phase::Goal, Phase::Move] {
            if wanted == Phase::Move {
                lifted.make_first_moves();
            }
            for members in strata.order.iter().filter(|m| changes[m[0]]) {
                if phase(members[0]) == Some(wanted) {
                    let complete = |r: usize| !changes[r];
                    let stratum = by_head.stratum(members, &mut lifted.facts, &complete)?;
                    stratum.evaluate(&mut lifted.facts, &mut lifted.runner, &mut insert).map_err(
                        |interrupted| {
                            with_place(description, limits.error(interrupted, &lifted.facts))
                        },
                    )?;
                    lifted.phases[wanted as usize].push(stratum);
                }
            }
        }
        lifted.place(&lifted.initial.clone());
        Ok(lifted)
    }

    /// Lets every role do its first legal move.
    fn make_first_moves(&mut self) {
        let mut legal = Vec::new();
        for role in 0..self.roles.len() {
            self.of_role(self.keywords.legal, role, &mut legal);
            if let Some(&action) = legal.first() {
                let fact = self.facts.terms.intern(Symbol::DOES, &[self.roles[role], action]);
                self.facts.insert(self.keywords.does, fact);
            }
        }
    }
}

/// Facts without end are a fault of the rules, so there is a place to show.
fn with_place(description: &Description, error: RunError) -> EngineError {
    let RunError::Endless { relation, .. } = &error else { return error.into() };
    let heads = |name| description.symbols.name(name) == relation;
    let rule = description.rules.iter().find(|rule| heads(rule.head.relation));
    let span = rule.map_or_else(Default::default, |rule| rule.span);
    let help = "bound the recursion by a condition outside it";
    Diagnostic::error(Code::Recursion, span, error.to_string(), help).into()
}
